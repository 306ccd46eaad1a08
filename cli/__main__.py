"""`allfives`: signals are ours from the first moment, so that none ever shows a traceback."""

import sys
from io import TextIOWrapper
from typing import NoReturn

from cli import signals


def main() -> NoReturn:
    """The command `allfives`."""
    signals.install()
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
