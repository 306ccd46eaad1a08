"""Taking a seat at somebody's table."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar

import trio

from cli.process.errors import Stop, usage
from cli.process.piped import PIPED
from cli.process.running import run_visit
from cli.table.notes import Notes
from cli.table.port import Filled, Spoke, Told
from cli.table.seating import (
    FEW_WORDS,
    GIVES_UP,
    NOT_CHOSEN,
    ask_again,
    ask_code,
    refused_why,
    sitters,
    strange_words,
    sure_code,
    who_came_and_went,
)
from cli.table.stay import Visit, Visitor
from cli.telling.phrases import plural
from cli.telling.room import Room
from engine.wording import quoted_name
from p2p.net.door.joiner import Gathering, Target, join_table
from p2p.net.door.voice import Listener, Say
from p2p.net.errors import (
    NobodyThere,
    NotSeated,
    SentAway,
    TableClosed,
    WrongCode,
)
from p2p.net.find.code import CODE_WORDS, normal_code
from p2p.net.find.invite import is_invite, parse_invite
from p2p.net.link.addresses import parse_address
from p2p.net.link.listen import open_listeners
from p2p.net.link.peer import LocalPeer
from p2p.net.link.roster import Roster, Seated

T = TypeVar("T")

# Of the tables found, so many are tried with the code at a time: the false ones may take theirs.
TRIED_AT_ONCE = 24
# Host and joiner are often started together, and the host has more to do before it listens.
PATIENCE_SECONDS = 3.0
RETRY_SECONDS = 0.25
# How long the host is waited for who goes back to its door, since a match never began; and how
# often it is tried.
BACK_SECONDS = 40.0
BACK_RETRY = 1.0
# How often a person may say a code: the door is slower with each wrong one.
CODE_TRIES = 5
TRIED_AT_EACH = (
    "{} tables are open on this network; the code is tried at each. If it fits several, --table "
    "chooses one."
)
CALLING = "Calling {} ..."
TRYING = "Trying that code ..."


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


def join_visit(visitor: Visitor, wanted: Wanted, lines: AsyncIterator[str]) -> int:
    """Find the table, take a seat, play; returns the exit code."""
    visit = Visit(visitor)
    return run_visit(visit, lambda: _join(Joining(visitor, wanted, lines), visit))


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


async def _join(joining: Joining, visit: Visit) -> int:
    ways = await ways_to(joining)
    wanted = joining.wanted
    listeners = await open_listeners(wanted.bind, wanted.port)
    try:
        own = joining.visitor.peer(listeners, wanted.proxy)

        visit.say = lambda words: joining.say(words)

        async def take_seat() -> Seated:
            seated = await _seated_again(joining, own, ways)
            record = joining.visitor.record_text
            visit.notes = Notes(joining.table_name, wanted.bind, record)
            return seated

        return await visit.stay(take_seat, own)
    finally:
        with trio.CancelScope(shield=True):
            await listeners.aclose()


async def _piped(joining: Joining) -> str:
    """The first line of standard input."""
    if joining.wanted.can_ask:
        return (await joining.ask("The code, or the invite?")).strip()
    async for line in joining.lines:
        return line.strip()
    raise usage("No code came through standard input.")


def with_piped(wanted: Wanted, line: str) -> Wanted:
    """What is wanted when `line` came in place of the code: a code, an invite if no address was
    typed, or nothing for a table without a code. Raises Stop."""
    if not is_invite(line):
        return replace(wanted, code=line or None)
    if wanted.where is not None:
        raise usage("An invite needs no address; leave the address out.")
    return replace(wanted, where=line, code=None)


class Way(NamedTuple):
    """A table that may be the one that is meant: whom to dial, the name to ask for ("" for any),
    and who is there, as it is announced ("": nothing is)."""

    target: Target
    table: str
    there: str = ""


async def ways_to(joining: Joining) -> list[Way]:
    """The table that was asked for; with a code alone, all on this network that have one."""
    if joining.wanted.code == PIPED:
        joining.wanted = with_piped(joining.wanted, await _piped(joining))
    await _doubt_code(joining)
    wanted = joining.wanted
    if wanted.where is None:
        # Zeroconf takes long to import, and most people say where.
        from cli.table.lan import LOOKING_ROUND, choose_table, tables_with_code, who_is_there

        if wanted.code is not None and len(normal_code(wanted.code).split("-")) < CODE_WORDS:
            joining.visitor.tell(FEW_WORDS)
        if wanted.can_ask:
            joining.visitor.tell(LOOKING_ROUND)
        if wanted.code is not None and wanted.table is None:
            tables = await tables_with_code()
            if wanted.can_ask and len(tables) > 1:
                joining.visitor.tell(TRIED_AT_EACH.format(len(tables)))
            return [Way(one.addresses, "", who_is_there(one)) for one in tables]
        ask = joining.ask if wanted.can_ask else None
        found = await choose_table(wanted.table, ask, joining.looks_on)
        # What was announced is only hearsay: a table is asked for by the name that was typed.
        named = wanted.table == found.advert.name
        if not found.advert.open:
            await _ask_code(joining)
        return [Way(found.addresses, found.advert.name if named else "", who_is_there(found))]
    if is_invite(wanted.where):
        return [Way(parse_invite(wanted.where), wanted.table or "")]
    address = str(parse_address(wanted.where))
    await _ask_code(joining)
    if wanted.can_ask:
        joining.visitor.tell(CALLING.format(address))
    return [Way((address,), wanted.table or "")]


async def _ask_code(joining: Joining) -> None:
    """Have the person say the code, if it was not typed and somebody can be asked."""
    wanted = joining.wanted
    if wanted.code is None and wanted.can_ask:
        joining.wanted = replace(wanted, code=await ask_code(joining.ask))


async def _doubt_code(joining: Joining) -> None:
    """Name the words of the code that are in no made-up one, before it is tried; a person is asked
    for it again."""
    wanted = joining.wanted
    if wanted.code is not None and wanted.can_ask:
        joining.wanted = replace(wanted, code=await sure_code(joining.ask, wanted.code))
    elif wanted.code is not None and (strange := strange_words(wanted.code)):
        joining.visitor.tell(strange)


Attempt = Callable[[Way, Callable[[], None]], Awaitable[T]]
"""Tries a way; calls what it is given once that is the right one."""


class CodeRefused(Stop):
    """No table takes the code."""


async def first_of(joining: Joining, ways: Sequence[Way], attempt: Attempt[T]) -> T:
    """What the first right way gives; a wrong code is asked for again where somebody can be asked.
    Raises Stop and NotSeated."""
    for tries in range(1, CODE_TRIES + 1):
        try:
            return await _tried(joining, ways, attempt)
        except CodeRefused as refused:
            if tries == CODE_TRIES or not joining.wanted.can_ask:
                raise
            code = await ask_again(joining.ask, refused.sentence, joining.wanted.code, GIVES_UP)
            joining.wanted = replace(joining.wanted, code=code)
            if code is None:
                raise
            joining.visitor.tell(TRYING)
    raise AssertionError("the last try ends it")


async def _tried(joining: Joining, ways: Sequence[Way], attempt: Attempt[T]) -> T:
    """What the first right way gives; the others are given up then."""
    if len(ways) == 1:
        return await _told(joining, ways[0], attempt)
    given: list[T] = []
    failures: list[Exception] = []
    chosen: list[Way] = []
    few = trio.CapacityLimiter(TRIED_AT_ONCE)
    scopes = {number: trio.CancelScope() for number in range(len(ways))}

    def choose(number: int) -> None:
        chosen.append(ways[number])
        for other in scopes:
            if other != number:
                scopes[other].cancel()

    async def one(number: int) -> None:
        way = ways[number]
        with scopes[number]:
            async with few:
                try:
                    given.append(await attempt(way, lambda: choose(number)))
                except NotSeated as failure:
                    # A host says it to who has the code; a liar keeps nobody from a seat by it.
                    if way in chosen or isinstance(failure, SentAway):
                        failures.insert(0 if way in chosen else len(failures), failure)
                else:
                    choose(number)

    async with trio.open_nursery() as nursery:
        for number in scopes:
            nursery.start_soon(one, number)
    if given:
        return given[0]
    if failures:
        raise failures[0]
    so = refused_why(joining.wanted.code, joining.looks_on)
    raise CodeRefused(f"None of the {len(ways)} tables on this network takes this code now.{so}")


async def _told(joining: Joining, way: Way, attempt: Attempt[T]) -> T:
    """The only way, tried for a moment longer where nobody answers yet."""
    until = trio.current_time() + PATIENCE_SECONDS
    while True:
        try:
            return await attempt(way, lambda: None)
        except WrongCode as error:
            so = refused_why(joining.wanted.code, joining.looks_on)
            raise CodeRefused(f"{error}{so}") from error
        except NobodyThere:
            if trio.current_time() > until:
                raise
            await trio.sleep(RETRY_SECONDS)


async def _seated_again(joining: Joining, own: LocalPeer, ways: Sequence[Way]) -> Seated:
    """A seat; where one had it already, the host needs a moment to be at its door again."""
    if not joining.table_name:
        return await _seated(joining, own, ways)
    joining.roster = ()
    until = trio.current_time() + BACK_SECONDS
    while True:
        try:
            return await _seated(joining, own, ways)
        except NotSeated as failure:
            # The door is not there at once; what comes of a seat that was given is told.
            if joining.roster or isinstance(failure, SentAway):
                raise
            if trio.current_time() > until:
                raise TableClosed from None
            await trio.sleep(BACK_RETRY)


async def _seated(joining: Joining, own: LocalPeer, ways: Sequence[Way]) -> Seated:
    async def attempt(way: Way, right: Callable[[], None]) -> Seated:
        def on_change(gathering: Gathering) -> None:
            right()
            joining.on_change(gathering)

        code = joining.wanted.code
        return await join_table(own, way.target, code, way.table, on_change, joining)

    return await first_of(joining, ways, attempt)
