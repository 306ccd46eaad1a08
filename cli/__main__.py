"""`allfives`: signals are ours from the first moment, so that none ever shows a traceback."""

import os
import sys
from io import TextIOWrapper
from typing import NoReturn

from cli import signals


def main() -> NoReturn:
    """The command `allfives`."""
    signals.install()
    # The processes that we start are not to take a module of the folder that somebody stands in,
    # say beside records that came from anybody, for one of ours (Python's documentation, -P).
    os.environ["PYTHONSAFEPATH"] = "1"
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A name that the terminal cannot show is no reason to fail.
            stream.reconfigure(errors="replace")
    sys.exit(_run())


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
