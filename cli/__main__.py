"""`allfives`: signals are ours from the first moment, so that none ever shows a traceback."""

import os
import sys
from io import TextIOWrapper
from typing import NoReturn

from cli.process import signals


def main() -> NoReturn:
    """The command `allfives`."""
    signals.install()
    # The processes that we start are not to take a module of the folder that somebody stands in,
    # say beside records that came from anybody, for one of ours (Python's documentation, -P).
    os.environ["PYTHONSAFEPATH"] = "1"
    _have_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A name that the terminal cannot show is no reason to fail.
            stream.reconfigure(errors="replace")
    sys.exit(_run())


def _have_streams() -> None:
    """A program that is started with one of them closed has none: then nothing comes and goes.

    They take the lowest free handles in turn, which are just those that are missing.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            handle = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(handle, mode, encoding="utf-8"))


def _run() -> int:
    try:
        # Only now: a signal may come while this is being read.
        from cli.command_line import run

        return run(sys.argv[1:])
    except signals.Interrupted as interrupted:
        from cli.command_line import say

        return say(interrupted.sentence, interrupted.code)


if __name__ == "__main__":
    main()
