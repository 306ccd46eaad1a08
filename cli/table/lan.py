"""Tables on the local network: finding those of others, choosing one."""

from collections.abc import Awaitable, Callable, Sequence

from cli.process.errors import Stop
from cli.telling.jsonlines import json_line
from cli.telling.words import plural
from engine.wording import quoted_name
from p2p.net.find.discovery import Found, browse
from p2p.net.link.addresses import on_network, parse_address

LOOK_SECONDS = 2.0
NOWHERE = ": this machine is on no network."
AskLine = Callable[[str], Awaitable[str]]


async def choose_table(wanted: str | None, ask: AskLine | None) -> Found:
    """The table to join: the one of that name, the only one, or the one the person names.

    `ask` is None where nobody can be asked. Raises Stop when there is none, or too many.
    """
    found = await browse(LOOK_SECONDS)
    if wanted is not None:
        found = [one for one in found if one.advert.name == wanted]
    if not found:
        what = "No table" if wanted is None else f"No table named {quoted_name(wanted)}"
        if not on_network():
            raise Stop(f"{what} was found{NOWHERE}")
        raise Stop(f"{what} was found on the local network. Say where it is, or use an invite.")
    if len(found) == 1:
        return found[0]
    if ask is None:
        names = ", ".join(one.advert.name for one in found)
        raise Stop(f"There are several tables: {names}. Choose one with --table.")
    return await _asked(found, ask)


async def _asked(found: Sequence[Found], ask: AskLine) -> Found:
    lines = [f"  {number}  {table_words(one)}" for number, one in enumerate(found, 1)]
    question = "\n".join(["Several tables are open:", *lines, "Which one? Type its number."])
    while True:
        answer = (await ask(question)).strip()
        if answer.isascii() and answer.isdigit() and 1 <= int(answer) <= len(found):
            return found[int(answer) - 1]
        question = f"Type a number from 1 to {len(found)}."


def table_words(found: Found) -> str:
    """A table in one line."""
    advert = found.advert
    seats = f"{advert.seated} of {plural(advert.players, 'player')}"
    door = "open to all" if advert.open else "with a code"
    return f"{advert.name}, host {advert.host}, {seats}, {advert.rules} rules, {door}"


def tables_line(tables: Sequence[Found]) -> str:
    """The JSON list of `allfives tables --json`."""
    return json_line([_fields(found) for found in tables])


def _fields(found: Found) -> dict[str, object]:
    advert = found.advert
    return {
        "name": advert.name,
        "host": advert.host,
        "addresses": [parse_address(address).host for address in found.addresses],
        "port": found.port,
        "players": advert.players,
        "seated": advert.seated,
        "rules": advert.rules,
        "open": advert.open,
    }
