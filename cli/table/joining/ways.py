"""Which tables may be meant by what was typed, and what is still asked for on the way there."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from cli.process.errors import Stop, usage
from cli.process.piped import PIPED
from cli.table.port import Filled, Spoke, Told
from cli.table.seating import (
    FEW_WORDS,
    NOT_CHOSEN,
    ask_code,
    sitters,
    strange_words,
    sure_code,
    who_came_and_went,
)
from cli.table.stay import Visitor
from cli.telling.phrases import plural
from cli.telling.room import Room
from engine.wording import quoted_name
from p2p.net.door.joiner import Gathering, Target
from p2p.net.door.voice import Listener, Say
from p2p.net.find.code import CODE_WORDS, normal_code
from p2p.net.find.invite import is_invite, parse_invite
from p2p.net.link.addresses import parse_address
from p2p.net.link.roster import Roster

TRIED_AT_EACH = (
    "{} tables are open on this network; the code is tried at each. If it fits several, --table "
    "chooses one."
)
CALLING = "Calling {} ..."
TRYING = "Trying that code ..."


class CodeRefused(Stop):
    """No table takes the code."""


@dataclass(frozen=True)
class Wanted:
    """The table to join, as it was typed. `where` None: look on the local network.

    `code` "-": the first line of standard input, which may be an invite too. `can_ask`: a person is
    there to choose.
    """

    where: str | None
    code: str | None = field(repr=False)
    table: str | None
    bind: str | None
    port: int | None
    can_ask: bool
    proxy: str | None = None


@dataclass
class Joining(Listener):
    """One person on the way to a table; `looks_on`: to see, and not to sit there."""

    visitor: Visitor
    wanted: Wanted
    lines: AsyncIterator[str]
    roster: Roster = ()
    told_busy: bool = False
    table_name: str = ""
    looks_on: bool = False
    say: Say = lambda words: None

    def on_change(self, gathering: Gathering) -> None:
        """Say at what table we are, who came and who left."""
        own, rules, roster = self.visitor.identity.key.public, gathering.rules, gathering.roster
        if not self.roster:
            table = f"{plural(rules.players, 'player')}, {rules.title}, to {rules.target}"
            # The way here is over, with its questions.
            here = f"You are at {quoted_name(gathering.table_name)}: {table}."
            self.visitor.seat.show(Told(here, anew=True))
        for line in who_came_and_went(self.roster, roster, rules.players, own):
            self.visitor.tell(line)
        self.roster, self.table_name = roster, gathering.table_name
        room = Room(sitters(roster), rules.players, own, rules.partners, rules=rules)
        self.visitor.seat.show(Filled(room))

    def busy(self) -> None:
        """Say, once, that others stand in the way."""
        if not self.told_busy:
            self.visitor.tell("Others are trying to join this table too; trying again.")
        self.told_busy = True

    def seated(self, say: Say) -> None:
        """There is somebody to say something to."""
        self.say = say

    def line(self, key: bytes, words: str) -> None:
        """Show what somebody says while the table fills."""
        self.visitor.seat.show(Spoke(key, words))

    async def ask(self, question: str) -> str:
        """One line from the person."""
        for at, line in enumerate(question.splitlines()):
            self.visitor.seat.show(Told(line, anew=at == 0))
        async for line in self.lines:
            return line
        raise Stop(NOT_CHOSEN)


class Way(NamedTuple):
    """A table that may be the one that is meant: whom to dial, the name to ask for ("" for any),
    and who is there, as it is announced ("": nothing is). `found`: what it is called, quoted, if it
    was found with a code alone, so that it may be quite another one."""

    target: Target
    table: str
    there: str = ""
    found: str = ""


def with_piped(wanted: Wanted, line: str) -> Wanted:
    """What is wanted when `line` came in place of the code: a code, an invite if no address was
    typed, or nothing for a table without a code. Raises Stop."""
    if not is_invite(line):
        return replace(wanted, code=line or None)
    if wanted.where is not None:
        raise usage("An invite needs no address; leave the address out.")
    return replace(wanted, where=line, code=None)


async def _piped(joining: Joining) -> str:
    """The first line of standard input."""
    if joining.wanted.can_ask:
        return (await joining.ask("The code, or the invite?")).strip()
    async for line in joining.lines:
        return line.strip()
    raise usage("No code came through standard input.")


async def ways_to(joining: Joining) -> list[Way]:
    """The table that was asked for; with a code alone, all on this network that have one."""
    if joining.wanted.code == PIPED:
        joining.wanted = with_piped(joining.wanted, await _piped(joining))
    await _doubt_code(joining)
    wanted = joining.wanted
    if wanted.where is None:
        if wanted.code is not None and len(normal_code(wanted.code).split("-")) < CODE_WORDS:
            joining.visitor.tell(FEW_WORDS)
        return await _look(joining)
    if is_invite(wanted.where):
        return [Way(parse_invite(wanted.where), wanted.table or "")]
    address = str(parse_address(wanted.where))
    await _ask_code(joining)
    if wanted.can_ask:
        joining.visitor.tell(CALLING.format(address))
    return [Way((address,), wanted.table or "")]


async def ways_anew(joining: Joining, ways: list[Way]) -> list[Way]:
    """The ways for a further code: its table may have been opened since. Raises CodeRefused where
    none is there now."""
    wanted = joining.wanted
    if wanted.where is not None and is_invite(wanted.where):
        return [Way(parse_invite(wanted.where), wanted.table or "")]
    if not all(way.found for way in ways):
        joining.visitor.tell(TRYING)
        return ways
    from cli.table.lan import NothingFound

    try:
        return await _look(joining)
    except NothingFound as nothing:
        raise CodeRefused(nothing.sentence) from None


async def _look(joining: Joining) -> list[Way]:
    """The tables on this network now that may be meant. Raises Stop."""
    # Zeroconf takes long to import, and most people say where.
    from cli.table.lan import (
        LOOKING_ROUND,
        choose_table,
        tables_with_code,
        told_apart,
        who_is_there,
    )

    wanted = joining.wanted
    if wanted.can_ask:
        joining.visitor.tell(LOOKING_ROUND)
    if wanted.code is not None and wanted.table is None:
        tables = await tables_with_code()
        if wanted.can_ask and len(tables) > 1:
            joining.visitor.tell(TRIED_AT_EACH.format(len(tables)))
        return [
            Way(one.addresses, "", who_is_there(one), told_apart(one, tables)) for one in tables
        ]
    ask = joining.ask if wanted.can_ask else None
    found = await choose_table(wanted.table, ask, joining.looks_on)
    # What was announced is only hearsay: a table is asked for by the name that was typed.
    named = found.advert.name if wanted.table == found.advert.name else ""
    if not found.advert.open:
        await _ask_code(joining)
    if joining.wanted.where is not None:
        return [Way(parse_invite(joining.wanted.where), wanted.table or "")]
    return [Way(found.addresses, named, who_is_there(found))]


async def _ask_code(joining: Joining) -> None:
    """Have the person say the code, or paste an invite where no address was typed, if it was not
    typed and somebody can be asked."""
    wanted = joining.wanted
    if wanted.code is None and wanted.can_ask:
        said = await ask_code(joining.ask, wanted.where is not None)
        joining.wanted = with_piped(wanted, said or "")


async def _doubt_code(joining: Joining) -> None:
    """Name the words of the code that are in no made-up one, before it is tried; a person is asked
    for it again."""
    wanted = joining.wanted
    if wanted.code is not None and wanted.can_ask:
        sure = await sure_code(joining.ask, wanted.where is not None, wanted.code)
        joining.wanted = with_piped(wanted, sure)
    elif wanted.code is not None and (strange := strange_words(wanted.code)):
        joining.visitor.tell(strange)
