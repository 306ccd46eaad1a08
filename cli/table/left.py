"""Matches that an earlier program left: those that can be gone on with, and what becomes of others.

A match goes on while its seat has not left it, and it is not over: one that is decided is over when
all have signed the result, and the others have said that they have that. Any other gets its record
written, and what it would have gone on from is erased.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from cli.files.home import Home
from cli.files.record import keep
from cli.process.errors import Stop, usage
from cli.table.notes import Notes
from cli.table.seating import plays_on
from engine.wording import listed, quoted
from p2p.net.link.addresses import noted
from p2p.net.link.roster import Played, Seated, read_roster
from p2p.session.record import encode
from p2p.session.restoring import Kept, NotRestorable, hear_again
from p2p.session.state.table import Table, TableError
from p2p.store import Past, State, Store, WayBack
from p2p.wire.codec import DecodeError, decode
from p2p.wire.envelope import open_envelope
from p2p.wire.messages import ResultBody

# Of messages at the end: those of the last step, and of the next deal beside them.
_LATEST: Final = 16
_ID_DIGITS: Final = 8


@dataclass(frozen=True)
class LeftMatch:
    """A match that can be gone on with. `me`: the own seat; `seated`: for whom, and at which table,
    its links were made; `port`: where the own seat listened."""

    past: Past
    table: Table
    me: int
    seated: Seated = field(repr=False)
    port: int
    notes: Notes

    def words(self) -> str:
        """In one line."""
        named = f"{self.notes.table}, " if self.notes.table else ""
        day = self.past.when[:10]
        return f"{self.past.table.hex()[:_ID_DIGITS]}  {named}{listed(self.past.players)}, {day}"


def unfinished(store: Store) -> list[LeftMatch]:
    """The matches that can be gone on with, the oldest first."""
    found = (_left(store, past) for past in store.unfinished())
    return [one for one in found if one is not None]


def _left(store: Store, past: Past) -> LeftMatch | None:
    back, description = store.way_back(past.table), store.description(past.table)
    if back is None or description is None:
        return None
    try:
        table, notes = Table.decode(description), Notes.read(back.notes)
        over = _is_over(store.kept(past.table), table, back.me)
        return None if over else LeftMatch(past, table, back.me, _seated(back), back.port, notes)
    except (TableError, DecodeError, NotRestorable, ValueError, TypeError, KeyError):
        return None


def _seated(back: WayBack) -> Seated:
    """Raises TableError or DecodeError for what a damaged disk holds."""
    table = Table.decode(back.first)
    played = Played(table.rules, table.terms)
    return Seated.check(table, played, read_roster(decode(back.roster), noted), back.secret)


def _is_over(kept: Kept, table: Table, me: int) -> bool:
    """Whether this seat has left, or any where two sides play, or a fault is proven there; or all
    have the result that all have signed. Raises NotRestorable."""
    two_sides = table.rules.partners or len(table.people) == 2
    left = [seat for seat in table.seats if kept.has_left(seat)]
    messages = kept.messages[-_LATEST:]
    if me in left or (two_sides and bool(left)):
        return True
    if two_sides and any(refused for _, refused in messages):
        return True
    # To hear all again takes a while: only near the end.
    near_end = any(_is_result(data) for data, _ in messages)
    if not near_end:
        return False
    referee = hear_again(kept, table)[0]
    # A last signature that only this disk has would be missing in every other record for good.
    others = {*referee.state.seats}.difference(left, (me,))
    return referee.finished and all(map(kept.has_whole, others))


def _is_result(data: bytes) -> bool:
    try:
        return open_envelope(data).kind == ResultBody.kind
    except DecodeError:
        return True


def choose(left: Sequence[LeftMatch], text: str | None) -> LeftMatch | None:
    """The match of that table's name or beginning of an id, or the only one there is; None if the
    person is to be asked. Raises Stop."""
    if not left:
        raise Stop("There is no unfinished match. `allfives history` lists all that were played.")
    if text is None:
        return left[0] if len(left) == 1 else None
    begun = text.strip().lower()
    named = [one for one in left if one.notes.table == text]
    found = named or [one for one in left if begun and one.past.table.hex().startswith(begun)]
    if len(found) == 1:
        return found[0]
    if found:
        raise usage(f"Several unfinished matches are meant by {quoted(text)}:\n{listing(found)}")
    raise usage(f"No unfinished match is at a table {quoted(text)}:\n{listing(left)}")


def listing(left: Sequence[LeftMatch]) -> str:
    """The matches, a line each, with what can be typed."""
    lines = "\n".join(f"  {one.words()}" for one in left)
    return f"{lines}\nName one by its first digits, as in `allfives resume {left[0].words()[:8]}`."


def settle(home: Home, store: Store) -> list[str]:
    """Write the records of matches that were left and cannot go on, and erase their secrets.

    Returns a line for each.
    """
    open_ones = {one.past.table for one in unfinished(store)}
    return [_settled(home, store, one) for one in store.unfinished() if one.table not in open_ones]


def _settled(home: Home, store: Store, past: Past) -> str:
    who = f"The match of {listed(past.players)} that was left"
    kept, description = store.kept(past.table), store.description(past.table)
    try:
        referee, evidence = hear_again(kept, Table.decode(description or b""))
    except (NotRestorable, TableError) as error:
        store.finish(past.table, "broken", past.scores, None)
        return f"{who} cannot be read any more, so there is no record of it: {error}."
    try:
        path = _write(home, store.way_back(past.table), past.table, encode(referee, evidence))
    except Stop as stop:
        # It is tried again at the next start; nobody is kept from playing meanwhile.
        return f"{who} has no record yet. {stop.sentence}"
    decided = not evidence and referee.state.is_decided()
    match, back = referee.state.match, store.way_back(past.table)
    me = None if back is None or not kept.has_left(back.me) else back.me
    owners = referee.state.table.owners
    left = not decided and me is not None and plays_on(match.rules, match.seats, owners, me)
    state: State = "finished" if decided else "left" if left else "broken"
    out = {one.seat: one.reason for one in referee.state.outs}
    store.finish(past.table, state, match.scores, path, out)
    how = "was decided" if decided else "cannot go on"
    return f"{who} {how}. Its record: {path}"


def _write(home: Home, back: WayBack | None, table: bytes, data: bytes) -> Path:
    notes = Notes() if back is None else Notes.read(back.notes)
    path, _ = keep(notes.record_path, home.record_path(table), data)
    return path.absolute()
