"""From the flags to a full table: the description that all sign, and what the lobby says."""

import unicodedata
from collections.abc import Collection, Mapping, Sequence

from cli.process.errors import Stop, usage
from cli.table.bots import NAMES
from cli.telling.room import Sitter
from engine.errors import RulesError
from engine.rules import Rules
from engine.wording import listed, quoted_name
from p2p.crypto.identity import fingerprint
from p2p.net.errors import BadCode
from p2p.net.find.code import normal_code
from p2p.net.link.seats import Roster
from p2p.session.state.table import (
    NAME_CHARACTERS,
    BadName,
    Person,
    Table,
    TableError,
    check_name,
    show_names,
)
from p2p.store import Acquaintance


def make_rules(preset: str, players: int, settings: Mapping[str, str]) -> Rules:
    """The rules that the flags ask for; Stop with the engine's sentence if they cannot be."""
    try:
        return Rules.make(preset, players, settings)
    except RulesError as error:
        text = str(error)
        raise usage(f"{text[:1].upper()}{text[1:]}.") from None


def played_here(rules: Mapping[str, str], players: int) -> Rules:
    """The rules that a host sent, whatever it sent. Stop if this program cannot play them."""
    try:
        return Rules.read(rules, players)
    except RulesError as error:
        raise Stop(f"The table's rules cannot be played here: {error}.") from None


def describe_table(rules: Mapping[str, str], roster: Roster, side: Collection[bytes] = ()) -> bytes:
    """The description of the table of these people, for p2p.net.door.host; `side`: the keys of two
    partners, where the host has chosen."""
    table = Table.seat_people(Rules.read(rules, len(roster)), _people(roster), side)
    return table.description


def check_table(description: bytes, rules: Mapping[str, str], roster: Roster) -> Sequence[bytes]:
    """The keys in seat order, for p2p.net.door.host. TableError unless it is just this table."""
    table = Table.decode(description)
    if table.rules.spell() != dict(rules):
        raise TableError("it has other rules than the lobby said")
    if set(table.people) != set(_people(roster)):
        raise TableError("it seats other people than the lobby said")
    return [person.key for person in table.people]


def _people(roster: Roster) -> tuple[Person, ...]:
    return tuple(Person(seat.key, seat.name, seat.nonce) for seat in roster)


def who_came_and_went(before: Roster, after: Roster, players: int, own_key: bytes) -> list[str]:
    """Lines on how the roster of the lobby has changed."""
    came = [seat for seat in after if seat not in before and seat.key != own_key]
    went = [seat for seat in before if seat not in after]
    names = dict(zip((seat.key for seat in after), _shown(after), strict=True))
    left = dict(zip((seat.key for seat in before), _shown(before), strict=True))
    state = f"({len(after)} of {players} are here)"
    lines = [f"{left[seat.key]} has left {state}." for seat in went]
    if came:
        who = listed([f"{names[seat.key]} [{seat.fingerprint}]" for seat in came])
        lines.append(f"{who} {'is' if len(came) == 1 else 'are'} at the table {state}.")
    return lines


def sitters(roster: Roster) -> tuple[Sitter, ...]:
    """The people of a lobby with the names to show."""
    names = zip(roster, _shown(roster), strict=True)
    return tuple(Sitter(seat.key, name) for seat, name in names)


def _shown(roster: Roster) -> list[str]:
    return show_names([seat.name for seat in roster])


def strangers_words(strangers: Sequence[Acquaintance]) -> list[str]:
    """A warning for each known name that comes with a key never met before."""
    return [
        f"Careful: {one.name} has a key [{fingerprint(one.key)}] that is not the one you met under "
        "this name before."
        for one in strangers
    ]


def others(table: Table, own_key: bytes) -> list[Acquaintance]:
    """The other people at a table; no bots, which have a new key for each."""
    return [
        Acquaintance(person.key, person.name)
        for person in table.people
        if person.key != own_key and person.name not in NAMES
    ]


def checked_table_name(name: str | None, host: str) -> str:
    """The name of a table, made from the host's if none was typed. Raises Stop."""
    chosen = f"Table of {host}"[:NAME_CHARACTERS].rstrip() if name is None else name
    try:
        return check_name(unicodedata.normalize("NFC", chosen))
    except BadName as error:
        raise usage(f"{quoted_name(chosen)} cannot be the table's name: {error}.") from None


def checked_code(code: str) -> str:
    """A code that was typed, checked before the table opens. Raises Stop."""
    try:
        return normal_code(code)
    except BadCode as error:
        raise usage(str(error)) from None
