"""Processes of our own for long work. A Ctrl-C reaches the whole foreground group, so they never
see it: this process ends them."""

import multiprocessing
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.context import BaseContext


def quick_context() -> BaseContext:
    """How processes are started that are to work at once: as copies of this one where that is safe,
    which is on Linux, and while it has one thread."""
    copied = sys.platform == "linux" and threading.active_count() == 1
    return multiprocessing.get_context("fork" if copied else "spawn")


@contextmanager
def uninterrupted(tracked: bool = True) -> Iterator[None]:
    """A process started in this block has SIGINT blocked, inherited from the thread here.
    `tracked`: what it shares with others needs the tracker of `multiprocessing`."""
    if sys.platform == "win32":
        yield
        return
    if tracked:
        # Starting it later would let SIGINT through again (multiprocessing/resource_tracker.py).
        resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
