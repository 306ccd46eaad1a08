"""Processes of our own for long work. A Ctrl-C reaches the whole foreground group, so they never
see it: this process ends them."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker


@contextmanager
def uninterrupted() -> Iterator[None]:
    """A process started in this block has SIGINT blocked, inherited from the thread here."""
    if sys.platform == "win32":
        yield
        return
    # Starting it later would let SIGINT through again (multiprocessing/resource_tracker.py).
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
