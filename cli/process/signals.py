"""SIGINT, SIGTERM, SIGHUP and SIGQUIT: handled by us in every state, each with its own exit code.

A child that a shell starts with `&` inherits an ignored SIGINT, so handlers are always installed.
Outside Trio a signal raises `Interrupted`; for what runs inside see cli.process.running.
"""

import signal
from types import FrameType
from typing import Final

_NAMES: Final = {
    "SIGINT": "Ctrl-C",
    "SIGTERM": "SIGTERM",
    "SIGHUP": "SIGHUP",
    "SIGQUIT": "SIGQUIT",
}
# Windows has no SIGHUP and no SIGQUIT.
SIGNALS: Final = tuple(
    signal.Signals[name] for name in _NAMES if name in signal.Signals.__members__
)


class Interrupted(BaseException):
    """A signal asked the program to end; not an Exception, so that nothing swallows it.

    `outcome` is how its sentence ends: with what became of a match, if there was one.
    """

    def __init__(self, signum: int, outcome: str = ".") -> None:
        super().__init__(signum)
        self.signum = signum
        self.outcome = outcome

    @property
    def code(self) -> int:
        """The exit code of a program that a signal ended: 130, 143, 129, 131."""
        return 128 + self.signum

    @property
    def sentence(self) -> str:
        """What to tell the person."""
        return f"Stopped by {_NAMES[signal.Signals(self.signum).name]}{self.outcome}"


def install() -> None:
    """From now on each of the signals raises `Interrupted` in the main thread."""
    for signum in SIGNALS:
        signal.signal(signum, _raise)


def _raise(signum: int, _frame: FrameType | None) -> None:
    raise Interrupted(signum)
