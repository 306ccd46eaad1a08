"""Tables on the local network: finding those of others, choosing one."""

import shlex
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from cli.process.errors import Stop
from cli.telling.jsonlines import json_line
from cli.telling.phrases import plural
from engine.wording import listed, quoted_name
from p2p.crypto.identity import fingerprint
from p2p.net.find.discovery import browse
from p2p.net.find.found import Found, merged
from p2p.net.link.addresses import on_network, parse_address

LOOK_SECONDS = 2.0
LOOKING_ROUND: Final = "Looking for tables on this network ..."
NOWHERE = ": this machine is on no network."
AskLine = Callable[[str], Awaitable[str]]


class NothingFound(Stop):
    """No table is there that could be meant."""


async def choose_table(wanted: str | None, ask: AskLine | None, looks_on: bool = False) -> Found:
    """The table to join: the one of that name or host's fingerprint, the only one, or the one the
    person names. Who does not look on there is offered those with a free seat.

    `ask` is None where nobody can be asked. Raises Stop when there is none, or too many.
    """
    found = await browse(LOOK_SECONDS)
    if wanted is not None:
        found = [one for one in found if wanted in (one.advert.name, _fingerprint(one))]
    # After the choice by name: a liar may announce a host's table under another one.
    found = merged(found)
    if not found:
        raise _nothing(wanted)
    playing = [] if looks_on else [one for one in found if is_full(one)]
    if wanted is None and len(playing) == len(found):
        raise _all_play(playing)
    # Of those that were named and play one says itself that it is full.
    found = [one for one in found if one not in playing] or found
    if len(found) == 1:
        return found[0]
    if ask is None:
        names = ", ".join(told_apart(one, found) for one in found)
        raise Stop(f"There are several tables: {names}. Choose one with --table.")
    return await _asked(found, playing, ask)


async def tables_with_code() -> Sequence[Found]:
    """All tables of which one may be meant by a code alone; where none has a code, what there is.
    Raises Stop when there is none."""
    found = merged(await browse(LOOK_SECONDS))
    if not found:
        raise _nothing(None)
    return [one for one in found if not one.advert.open] or found[:1]


def _nothing(wanted: str | None) -> NothingFound:
    what = "No table" if wanted is None else f"No table named {quoted_name(wanted)}"
    if not on_network():
        return NothingFound(f"{what} was found{NOWHERE}")
    return NothingFound(
        f"{what} was found on the local network. Name the address of its host, or paste the invite "
        "that the host sees."
    )


def _all_play(found: Sequence[Found]) -> Stop:
    names = listed([told_apart(one, found) for one in found])
    play = "plays" if len(found) == 1 else "play"
    return Stop(f"{names} {play} already: no seat is free. `allfives watch` looks on.")


async def _asked(found: Sequence[Found], playing: Sequence[Found], ask: AskLine) -> Found:
    lines = [f"  {number}  {table_words(one)}" for number, one in enumerate(found, 1)]
    lines += [f"  -  {table_words(one)}" for one in playing if one not in found]
    tables = "\n".join(["Several tables are open:", *lines])
    question = f"{tables}\nWhich one? Type its number."
    while True:
        answer = (await ask(question)).strip()
        if answer.isascii() and answer.isdigit() and 1 <= int(answer) <= len(found):
            return found[int(answer) - 1]
        question = f"{tables}\nType a number from 1 to {len(found)}."


def table_words(found: Found) -> str:
    """A table in one line."""
    advert = found.advert
    full = plural(advert.players, "player")
    seats = f"playing, {full}" if is_full(found) else f"{advert.seated} of {full}"
    door = "open to all" if advert.open else "with a code"
    key = "" if found.key is None else f" [{fingerprint(found.key)}]"
    return f"{advert.name}, host {advert.host}{key}, {seats}, {advert.rules} rules, {door}"


def who_is_there(found: Found) -> str:
    """Who sits at a table, in a sentence: of people the name of the host is announced alone."""
    advert = found.advert
    taken = f"{advert.seated} of {plural(advert.players, 'seat')} taken when you came"
    return f"It is announced as {quoted_name(advert.name)}, host {advert.host}, {taken}."


def is_full(found: Found) -> bool:
    """Whether all its seats are taken, so that it plays."""
    return found.advert.seated >= found.advert.players


def joining_words(found: Sequence[Found]) -> list[str]:
    """What to type to sit down at one of these tables; nothing if all of them play."""
    free = [one for one in found if not is_full(one)]
    if not free:
        return []
    named = f" --table {shlex.quote(_told_by(free[0], found))}" if len(found) > 1 else ""
    code = "" if free[0].advert.open else " CODE"
    told = "" if free[0].advert.open else " with the code that its host tells you"
    return [f"Sit down at {quoted_name(free[0].advert.name)}: `allfives join{code}{named}`{told}."]


def _told_by(one: Found, among: Sequence[Found]) -> str:
    """What --table takes for it alone."""
    name = one.advert.name
    alone = [other.advert.name for other in among].count(name) == 1
    return name if alone else _fingerprint(one) or name


def _fingerprint(found: Found) -> str | None:
    return None if found.key is None else fingerprint(found.key)


def told_apart(one: Found, among: Sequence[Found]) -> str:
    """Its name, quoted, and what --table takes in place of it, or where it is, if others have that
    too."""
    name = one.advert.name
    if [other.advert.name for other in among].count(name) == 1:
        return quoted_name(name)
    return f"{quoted_name(name)} [{_fingerprint(one) or one.addresses[0]}]"


def tables_line(tables: Sequence[Found]) -> str:
    """The JSON list of `allfives tables --json`."""
    return json_line([_fields(found) for found in tables])


def _fields(found: Found) -> dict[str, object]:
    advert = found.advert
    return {
        "name": advert.name,
        "host": advert.host,
        "key": _fingerprint(found),
        "playing": is_full(found),
        "addresses": [parse_address(address).host for address in found.addresses],
        "port": found.port,
        "players": advert.players,
        "seated": advert.seated,
        "rules": advert.rules,
        "open": advert.open,
    }
