"""A terminal while the program works: what is typed then is meant for nothing."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def unheard_keys() -> Iterator[None]:
    """Keys that are typed in this block are not shown, and dropped at its end; Ctrl-C counts still.
    Where there is no terminal nothing is done."""
    if sys.platform == "win32" or not sys.stdin.isatty():
        yield
        return
    import termios

    try:
        keys = sys.stdin.fileno()
        before = termios.tcgetattr(keys)
        quiet = [*before]
        quiet[3] = before[3] & ~termios.ECHO
        termios.tcsetattr(keys, termios.TCSADRAIN, quiet)
    except (termios.error, OSError, ValueError):
        yield
        return
    try:
        yield
    finally:
        # With TCSAFLUSH what came and was not read goes.
        termios.tcsetattr(keys, termios.TCSAFLUSH, before)
