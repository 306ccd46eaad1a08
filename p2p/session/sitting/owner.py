"""What a sitting tells whoever sits there, and what they may want: two closed unions of values.

A decision is no wish: it answers a question (`SeatView`) and is a `Chosen`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

from engine.moves import Move
from engine.wording import listed
from p2p.session.listening import Listening
from p2p.session.state.events import SessionEvent
from p2p.session.state.state import Phase
from p2p.session.state.table import Table

_ABANDONED: Final = "All but one are out, so the match is abandoned."


@dataclass(frozen=True)
class Began:
    """A match begins at `table`, where the own seat is `me`, None for who looks on. The first, or
    another."""

    table: Table
    me: int | None


@dataclass(frozen=True)
class Happened:
    """An event of the match."""

    event: SessionEvent


@dataclass(frozen=True)
class Resumed:
    """The match goes on after this program was gone; all that happened in it before, in order."""

    events: tuple[SessionEvent, ...]


@dataclass(frozen=True)
class Chatted:
    """A line of chat of `seat`; the own one too, when it goes out."""

    seat: int
    words: str


@dataclass(frozen=True)
class Remarked:
    """A line of somebody who looks on, by the name that it gives itself; the own one too."""

    name: str
    words: str


@dataclass(frozen=True)
class Onlooker:
    """Somebody of that name looks on by a link to this seat, or if `why` is said, a clause, does no
    more; `count` do now."""

    name: str
    count: int
    why: str = ""


@dataclass(frozen=True)
class Pausing:
    """What `seat` changed: who wants a pause now, whether it is on, and whether it was before."""

    seat: int
    wanting: frozenset[int]
    on: bool
    was_on: bool


@dataclass(frozen=True)
class Linked:
    """The link to `seat` is there, or there again. It may have been heard through others before."""

    seat: int


@dataclass(frozen=True)
class Unlinked:
    """The link to `seat` is gone; `why` is one clause. It may be heard through others."""

    seat: int
    why: str


@dataclass(frozen=True)
class Away:
    """`seat` is not heard, by no way, or if it is `late`, says nothing that is due; for `since`
    seconds now. `left` seconds it may be away in this match before the others go on without it;
    None: who looks on, and hears of it by others, does not know. Told anew each second while it
    lasts."""

    seat: int
    since: float
    left: float | None
    late: bool = False


@dataclass(frozen=True)
class Back:
    """`seat` is heard again, and says what is due."""

    seat: int


@dataclass(frozen=True)
class Left:
    """`seat` has left the match, by its own word."""

    seat: int


@dataclass(frozen=True)
class Waiting:
    """The match has waited for a person's decision, of `seats`, for `since` seconds in which this
    machine was awake. In `left` seconds, 0 for now, the others may go on without them; None: they
    may not, or it is for others to say. Told at full minutes, and when that time has come; to who
    is among `seats` itself in the last minute before."""

    seats: tuple[int, ...]
    since: float
    left: float | None = None


@dataclass(frozen=True)
class OutWished:
    """`seat` would go on without those, who are waited for too long; if all others want it too, so
    it is. Nobody is named: it would no longer."""

    seat: int
    out: tuple[int, ...]


@dataclass(frozen=True)
class Alone:
    """Nobody else who plays has been heard for so long that nobody may come any more: they may have
    ended the match. Told once, until somebody is heard again."""


@dataclass(frozen=True)
class Slept:
    """This machine was asleep for so many seconds."""

    seconds: float


@dataclass(frozen=True)
class Hushed:
    """So many lines of chat of `seat` were not shown, since they came too fast."""

    seat: int
    lines: int


@dataclass(frozen=True)
class Offered:
    """The match is over. `possible`: another one with the same people may be asked for; else `why`
    is a sentence that says why not ("" where there is nothing to say)."""

    possible: bool
    why: str = ""


@dataclass(frozen=True)
class AgainWanted:
    """Another seat asks for another match."""

    seat: int


@dataclass(frozen=True)
class Outdone:
    """Others have what was signed with the own key and is not on this disk: another machine, or an
    older copy of the data. Nothing more is signed here."""


@dataclass(frozen=True)
class Refused:
    """What the owner chose or wanted cannot be; `sentence` says why. A decision is asked again."""

    sentence: str


Notice = (
    Began
    | Resumed
    | Happened
    | Chatted
    | Hushed
    | Remarked
    | Onlooker
    | Pausing
    | Linked
    | Unlinked
    | Away
    | Back
    | Left
    | Waiting
    | OutWished
    | Alone
    | Slept
    | Outdone
    | Offered
    | AgainWanted
    | Refused
)


@dataclass(frozen=True)
class Say:
    """A line of chat to everybody."""

    words: str


@dataclass(frozen=True)
class Pause:
    """A pause is wanted (`on`), or wanted no longer, which ends one."""

    on: bool


@dataclass(frozen=True)
class Again:
    """Another match with the same people."""


@dataclass(frozen=True)
class PutOut:
    """The match is to go on without `seat`, a person who is waited for too long."""

    seat: int


Wish = Say | Pause | Again | PutOut


@dataclass(frozen=True)
class Chosen:
    """The owner's decision: a move, or a claim where `move` is None; `auto` if a clock made it."""

    move: Move | None
    claim: int = 0
    auto: bool = False


@dataclass(frozen=True)
class Outcome:
    """How a match ended for this seat: "finished", "fault" or "broken", and a sentence for people;
    or "unbegun": it never began, and the table fills again.

    The exit code is 0 for finished and 1 else.
    """

    kind: str
    sentence: str | None = None

    @classmethod
    def of(cls, session: Listening) -> Self:
        """That of a session that is finished."""
        fault = session.fault
        if session.referee.phase is Phase.ABANDONED:
            return cls("broken", f"{_ABANDONED} Its record is kept.")
        if fault is None or session.closed:
            return cls("finished")
        name = session.table.name(fault.seat)
        return cls("fault", f"{name} broke the protocol: {fault.what}. The record proves it.")


def unbegun(names: Sequence[str], what: str) -> Outcome:
    """The match has not begun, for those: what they did, a clause."""
    return Outcome("unbegun", f"{listed(names)} {what} before the match began.")
