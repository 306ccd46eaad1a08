"""What a program that was killed finds when it is started again, by what the real one does then:
the records of matches that are over are written, and a match that can go on is gone on with."""

from dataclasses import dataclass
from pathlib import Path

from cli.files.home import Home
from cli.table.left import LeftMatch, settle, unfinished
from cli.table.notes import Notes
from p2p.crypto.identity import IdentityKey
from p2p.net.link.roster import Neighbour
from p2p.session.referee import Referee
from p2p.session.restoring import hear_again
from p2p.session.sitting.owner import Outcome
from p2p.session.state.state import Phase
from p2p.session.state.table import Table
from p2p.store import Store, WayBack
from p2p.wire.codec import encode
from p2p.wire.envelope import MATCH_LADDER

# Nobody dials here.
_SECRET, _PORT = b"s" * 32, 5525


@dataclass(frozen=True)
class Played:
    """A match as it ended at one machine; `waits`: the seats that it still waited for."""

    table: Table
    seat: int
    outcome: Outcome
    record: bytes
    top: bytes
    hands: int
    closed: bool
    decided: bool
    out: tuple[int, ...]
    waits: tuple[int, ...]

    @classmethod
    def of(cls, referee: Referee, seat: int, outcome: Outcome, record: bytes) -> "Played":
        """As a seat's referee has it."""
        table, state = referee.table, referee.state
        out = tuple(set(table.seats) - set(state.seats))
        top, hands = referee.ladders[0].top, state.match.hand_number
        closed, decided = referee.phase is Phase.CLOSED, state.is_decided()
        waits = () if referee.finished else tuple(referee.missing(MATCH_LADDER))
        return cls(table, seat, outcome, record, top, hands, closed, decided, out, waits)


def way_back(table: Table, first: Table, me: int) -> WayBack:
    """What a program notes as a match begins, to take the seat `me` again."""
    people = first.people
    roster = [Neighbour(one.key, one.name, one.owner, ()).value() for one in people]
    return WayBack(me, first.description, _SECRET, encode(roster), _PORT, Notes().text())


def start_again(
    store: Store, folder: Path, key: IdentityKey
) -> tuple[list[Played], LeftMatch | None]:
    """The matches of `key` that are over though nobody noted it, with their records in `folder`;
    and the match that is gone on with, if there is one. Raises NotRestorable."""
    home, left = Home(folder), unfinished(store)
    home.make()
    going_on = {one.past.table for one in left}
    over = [_heard(store, one.table) for one in store.unfinished() if one.table not in going_on]
    settle(home, store)
    written = {past.table: past.record for past in store.history()}
    played = []
    for referee in over:
        record = Path(written[referee.table.id] or "").read_bytes()
        outcome = Outcome("finished" if referee.phase is Phase.CLOSED else "broken")
        seat = referee.table.seat_of(key.public)
        played.append(Played.of(referee, seat, outcome, record))
    return played, left[-1] if left else None


def _heard(store: Store, table: bytes) -> Referee:
    return hear_again(store.kept(table), Table.decode(store.description(table) or b""))[0]
