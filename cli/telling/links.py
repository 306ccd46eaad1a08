"""Who is there and who is not, in words: links, absence, leaving, waiting, a machine that slept."""

from collections.abc import Sequence
from typing import Final

from cli.telling.phrases import plural
from engine.wording import listed

MINUTE = 60
ALONE: Final = (
    "Nobody else of this match is there; they may have ended it. q leaves, and the record so far "
    "is kept."
)


def spell(seconds: float) -> str:
    """Minutes and seconds, as a clock shows them: "0:40"."""
    minutes, rest = divmod(int(seconds), MINUTE)
    return f"{minutes}:{rest:02}"


def absence(since: float, left: float, late: bool) -> str:
    """How it is with somebody who is not heard, or says nothing: beside the name."""
    how = "late" if late else "away"
    return f"{how} since {spell(since)} ({spell(left)} left)"


def lost_link(name: str, why: str) -> str:
    """A link is gone, and tried again by itself."""
    return f"The link to {name} is down ({why}); it is tried again."


def waited_for(names: Sequence[str], since: float, clock: int | None) -> str:
    """People who have not decided for some minutes; `clock` are the seconds for a turn."""
    minutes = f"{int(since // MINUTE)} min"
    rules = f" (the clock of this table is {clock} s)" if clock is not None else ""
    return f"Waiting for {listed(list(names))}, {minutes}{rules}."


def slept(seconds: float) -> str:
    """The own machine slept, which is nobody's fault."""
    return f"This machine was asleep for {int(seconds)} s."


def hushed(name: str, lines: int) -> str:
    """Lines of chat that came too fast."""
    verb = "was" if lines == 1 else "were"
    return f"{plural(lines, 'line')} of {name}'s {verb} not shown."
