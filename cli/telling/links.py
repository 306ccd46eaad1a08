"""Who is there and who is not, in words: links, absence, leaving, waiting, a machine that slept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cli.telling.phrases import plural
from engine.wording import listed
from p2p.crypto.identity import fingerprint
from p2p.session.sitting.owner import OutWished, Waiting
from p2p.session.state.events import Participant

MINUTE = 60
AWAY_IN_PAUSE: Final = "away; the match is paused, and waits"
ALONE: Final = (
    "Nobody else of this match is there; they may have ended it. You may leave; the record so far "
    "is kept."
)

OUTDONE: Final = (
    "This match was played on with your key: on another machine, or here before an older copy of "
    "the data was put back. Nothing more is signed here: go on where you played last, or leave."
)
RETURNED: Final = "You are back at the table."
BACK: Final = f"{RETURNED} What happened in this hand:"
LOOKING: Final = "What has happened in this hand:"
WHO_HEARS: Final = (
    "Who looks on has a link to one of the players, and only that player is told: there may be "
    "more than you hear of."
)
LOOKING_FIRST: Final = "You are looking on: you see what all see, and nobody's tiles."


def spell(seconds: float) -> str:
    """Minutes and seconds, as a clock shows them: "0:40"."""
    minutes, rest = divmod(int(seconds), MINUTE)
    return f"{minutes}:{rest:02}"


def spelled_out(seconds: float) -> str:
    """The same within a sentence, for who hears it: "40 s", "4 min 56 s", "5 min"."""
    minutes, rest = divmod(int(seconds), MINUTE)
    parts = [f"{minutes} min"] if minutes else []
    return " ".join([*parts, f"{rest} s"] if rest or not minutes else parts)


@dataclass(frozen=True, slots=True)
class Absence:
    """Somebody is not heard, or if `late` says nothing that is due, for `since` seconds now, and
    may be so for `left` seconds more; None: it only seems so to who looks on."""

    since: float
    left: float | None
    late: bool = False

    @property
    def beside(self) -> str:
        """Beside the name: "away 0:03"."""
        return f"{self._how} {spell(self.since)}"

    @property
    def told(self) -> str:
        """In a sentence: "away for 3 s (may be away 4 min 56 s more)"."""
        since = f"{self._how} for {spelled_out(self.since)}"
        if self.left is None:
            return f"{since}, as it seems from here"
        return f"{since} (may be {self._how} {spelled_out(self.left)} more)"

    @property
    def _how(self) -> str:
        return "late" if self.late else "away"


def leaving(names: Sequence[str], away: Sequence[str]) -> str:
    """Some have left, and the match goes on without them as soon as all who stay agree to that,
    which their programs do by themselves; `away` are those of them who are not heard."""
    who, have = listed(list(names)), ("has" if len(names) == 1 else "have")
    until = f"{listed(list(away))} {'is' if len(away) == 1 else 'are'} heard"
    soon = until if away else "the others' programs agree"
    return f"{who} {have} left; the match goes on without {who} as soon as {soon}."


def goes_on(name: str) -> str:
    """What comes of a leaving that was told before."""
    return f"The match goes on without {name}."


def people(
    players: Sequence[Participant], me: int | None, how: Mapping[int, str]
) -> tuple[str, ...]:
    """The players of a match, a line each; `how` it is by seat with those who are not there."""
    return tuple(
        f"{one.seat + 1} {one.name}{' (you)' if one.seat == me else ''}"
        f"  key {fingerprint(one.key)}{f', {how[one.seat]}' if one.seat in how else ''}"
        for one in players
    )


def lost_link(name: str, why: str, tried: bool) -> str:
    """A link is gone, and `tried` again by itself, or not."""
    again = "; it is tried again" if tried else ""
    return f"The link to {name} is down ({why}){again}."


def stopped(name: str) -> str:
    """Somebody has ended the program in a pause, after which they come back another day."""
    return f"{name} has stopped for today; the match is paused, and waits."


def link_again(name: str) -> str:
    """A link that was gone is there again."""
    return f"The link to {name} is there again."


def waited_for(
    names: Sequence[str], since: float, clock: int | None, left: float | None = None
) -> str:
    """People who have not decided for some minutes; `clock` are the seconds for a turn, and in
    `left` seconds one may go on without them."""
    minutes = f"{int(since // MINUTE)} min"
    rules = f" (the clock of this table is {clock} s)" if clock is not None else ""
    who = listed(list(names))
    when = f"In {spelled_out(left)} you" if left else "You"
    may = f" {when} may choose to go on without {who}."
    return f"Waiting for {who}, {minutes}{rules}.{'' if left is None else may}"


def awaited(left: float) -> str:
    """To whom the others wait for, and may go on without in `left` seconds."""
    when = f"in {spelled_out(left)} they may" if left else "they may now"
    return f"The others wait for you; {when} go on without you."


def out_wished(who: str, out: Sequence[str]) -> str:
    """Somebody would go on without people who are waited for too long, or no longer."""
    verb = "want" if who == "You" else "wants"
    if not out:
        return f"{who} {verb} to wait on."
    follows = "; it does when all others want it too" if who == "You" else ""
    if "you" in out:
        follows = "; it does when all others want that, unless you decide"
    return f"{who} {verb} to go on without {listed(list(out))}{follows}."


def may_go_on(notice: Waiting | OutWished, me: int | None) -> bool:
    """Whether the notice says that who sits at `me` may want to go on without somebody now, or may
    agree to it."""
    if isinstance(notice, Waiting):
        return notice.left == 0 and any(seat != me for seat in notice.seats)
    return bool(notice.out) and me not in (notice.seat, *notice.out)


def looking(name: str) -> str:
    """What somebody is called who looks on."""
    return f"{name} (looking on)"


@dataclass
class Onlookers:
    """The `names` of who looks on by a link to this seat, the newest last; `heard` of: those of
    whom it was told that they look on, by whichever link now."""

    names: tuple[str, ...] = ()
    heard: frozenset[str] = frozenset()

    def take(self, name: str, count: int, why: str, left: bool) -> list[str]:
        """The line about one who begins to look on by a link to this seat, or if `why` is said, a
        clause, whose link has ended, by their leaving (`left`) or not. So many have one now.

        One link is all they have: who loses it looks on by another seat, and may come back, of
        which nothing is told.
        """
        others = list(self.names)
        if name in others:
            others.remove(name)
        self.names = (*others, *(() if why else (name,)))[-count:] if count else ()
        if left:
            self.heard -= {name}
            return [f"{name} looks on no more."]
        fresh = not why and name not in self.heard
        self.heard |= {name} if fresh else set()
        return [f"{name} looks on."] if fresh else []

    def lines(self) -> list[str]:
        """A line for each."""
        return [f"{name} looks on, by a link to you." for name in self.names]


def looks_again(name: str) -> str:
    """The link of who looks on is there again, by way of whom."""
    return f"You look on again, by the link to {name}."


def slept(seconds: float) -> str:
    """The own machine slept, which is nobody's fault."""
    return f"This machine was asleep for {int(seconds)} s."


def hushed(name: str, lines: int) -> str:
    """Lines of chat that came too fast."""
    verb = "was" if lines == 1 else "were"
    return f"{plural(lines, 'line')} of {name}'s {verb} not shown."


def muted(name: str, on: bool) -> str:
    """What is said of who is not shown any more, or again."""
    return f"What {name} writes is {'not shown to you any more' if on else 'shown to you again'}."
