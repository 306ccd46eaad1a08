"""The matches that were played here: from the store, with who sat there, and where records lie."""

import string
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cli.files.home import Home
from cli.process.errors import Stop, usage
from engine.wording import quoted

if TYPE_CHECKING:
    from p2p.store import Past, State

LAST: Final = "last"


@dataclass(frozen=True)
class Sat:
    """Somebody at a table: the name to show, the fingerprint ("" where it is not known), whether it
    was oneself, and whether a bot."""

    name: str
    key: str
    me: bool
    bot: bool = False


@dataclass(frozen=True)
class PastMatch:
    """A match of the history. `table` is the id; `when` ISO 8601 in UTC; `scores` by seat, none
    before the end; `sides` by seat, equal for partners; `name` that of the table, "" if unknown;
    `out` says by seat why who was out at the end was so."""

    table: str
    when: str
    state: "State"
    people: tuple[Sat, ...]
    scores: tuple[int, ...]
    sides: tuple[int, ...]
    record: Path | None
    name: str = ""
    out: Mapping[int, str] = field(default_factory=dict)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won: of a finished match those with the highest score; who is out has not
        won, whatever the score."""
        if self.state != "finished" or not self.scores:
            return ()
        stay = {seat: one for seat, one in enumerate(self.scores) if seat not in self.out}
        return tuple(seat for seat, one in stay.items() if one == max(stay.values()))


def past_matches(home: Home) -> list[PastMatch]:
    """All matches, the oldest first. Raises Stop if the store cannot be read."""
    if not home.store.exists():
        return []
    from p2p.store import Store, StoreError

    own = _own_keys(home)
    try:
        with Store(home.store) as store:
            return [_match(one, store.description(one.table), own) for one in store.history()]
    except StoreError as error:
        raise usage(str(error)) from error


def _match(past: "Past", description: bytes | None, own: frozenset[str]) -> PastMatch:
    from cli.files.identity import is_bot_name
    from p2p.crypto.identity import fingerprint
    from p2p.session.state.table import Table, TableError

    try:
        table = Table.decode(description or b"")
        keys = [fingerprint(one.key) for one in table.people]
        bots = [bool(one.owner) for one in table.people]
        sides = tuple(table.rules.side(seat)[0] for seat in table.seats)
    except TableError:
        keys, sides = [""] * len(past.players), tuple(range(len(past.players)))
        # A table of an earlier version did not say who is a bot.
        bots = [is_bot_name(name) for name in past.players]
    people = zip(past.players, keys, bots, strict=True)
    return PastMatch(
        past.table.hex(),
        past.when,
        past.state,
        tuple(Sat(name, key, key in own, bot) for name, key, bot in people),
        past.scores,
        sides,
        None if past.record is None else Path(past.record),
        past.name,
        past.out,
    )


def _own_keys(home: Home) -> frozenset[str]:
    """The fingerprints of the identity here, and of those that it has replaced."""
    former = home.former_identity_path("*").name
    keys = {path.stem.rpartition("-")[2] for path in home.folder.glob(former)}
    if home.identity_path.exists():
        keys.add(home.identity().fingerprint)
    return frozenset(keys)


def find(matches: list[PastMatch], text: str) -> PastMatch:
    """The match at the table of that name, or whose id begins so, or the last one. Raises Stop."""
    begin = text.strip().lower()
    if begin == LAST and matches:
        return matches[-1]
    named = [one for one in matches if begin and one.name.lower() == begin]
    found = named or [one for one in matches if begin and one.table.startswith(begin)]
    if len(found) == 1:
        return found[0]
    if named:
        raise usage(
            f"{len(found)} matches were played at a table {quoted(text)}; write the beginning of "
            "an id. See `allfives history`."
        )
    if found:
        raise usage(f"The ids of {len(found)} tables begin with {quoted(text)}; write more of it.")
    kind = "" if set(begin) <= set(string.hexdigits) else "; an id has the digits 0-9 and a-f"
    raise usage(f"No match of a table {quoted(text)} is known{kind}. See `allfives history`.")


def last_record(home: Home) -> Path:
    """The record of the last match that has one. Raises Stop if there is none."""
    kept = [one.record for one in past_matches(home) if one.record is not None]
    if not kept:
        raise usage("No match has been played here yet. Name the file of a record.")
    if not kept[-1].exists():
        raise usage(f"The record of the last match, {kept[-1]}, is no longer there. Name another.")
    return kept[-1]


def left_seat(home: Home, table: str) -> int | None:
    """The own seat in the match of that id, if one left it and the others could play on. None too
    where the store cannot be read: a record is told without it."""
    try:
        matches = past_matches(home)
    except Stop:
        return None
    found = (one for one in matches if one.table == table and one.state == "left")
    people = next((one.people for one in found), ())
    return next((seat for seat, one in enumerate(people) if one.me), None)


def record_named(home: Home, name: str) -> str:
    """What `name` means where a record is asked for: the file of that name, else the record of the
    match whose table's id begins so, or the last one (`last`). Raises Stop."""
    begin = name.strip().lower()
    if not name:
        raise usage("No file is named: the name of a record is empty.")
    if Path(name).exists() or not begin:
        return name
    if begin == LAST:
        return str(last_record(home))
    if set(begin) <= set(string.hexdigits):
        found = [one for one in past_matches(home) if one.table.startswith(begin)]
        return str(record_of(find(found, begin))) if found else name
    return name


def unread(name: str, error: OSError) -> str:
    """Why the record that `name` means where one is asked for cannot be read: the end of a
    sentence. Who may have meant a table is told that there is none."""
    meant = isinstance(error, FileNotFoundError) and Path(name).name == name and "." not in name
    none = ", and no table's id begins so" if meant else ""
    return f"cannot be read: {error.strerror}{none}."


def record_of(match: PastMatch) -> Path:
    """The file with the record of a match. Raises Stop, with what to do, if there is none."""
    if match.record is None and match.state == "unfinished":
        raise Stop("That match is not over, so it has no record yet; `allfives resume` goes on.")
    if match.record is None:
        raise Stop("That match broke off, and no record of it was kept.")
    if not match.record.exists():
        raise Stop(f"Its record is no longer there: {match.record}")
    return match.record


def export(match: PastMatch, path: Path) -> None:
    """Copy the record of a match to a new file. Raises Stop."""
    from cli.files import whole

    data = record_of(match).read_bytes()
    try:
        whole.write_new(path, data)
    except FileExistsError:
        raise usage(f"{path} is there already; name a new file.") from None
    except OSError as error:
        raise usage(f"{path} cannot be written: {error.strerror}.") from error


def delete(home: Home, match: PastMatch) -> Path | None:
    """Forget a match, with its record if that lies in the data folder; else where it stays.

    The home is held by the caller. Raises Stop.
    """
    from p2p.store import Store, StoreError

    try:
        with Store(home.store) as store:
            store.delete(bytes.fromhex(match.table))
    except StoreError as error:
        raise usage(str(error)) from error
    record = match.record
    if record is None or not record.exists():
        return None
    if not record.resolve().is_relative_to(home.folder.resolve()):
        return record
    record.unlink()
    return None
