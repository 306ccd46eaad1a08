"""Taking a seat at somebody's table."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace

import trio

from cli.process.errors import Stop, usage
from cli.table.notes import Notes
from cli.table.port import Filled
from cli.table.seating import sitters, who_came_and_went
from cli.table.stay import Visit, Visitor, run_visit
from cli.telling.room import Room
from cli.telling.words import plural
from p2p.net.door.joiner import Gathering, Target, join_table
from p2p.net.errors import NobodyThere
from p2p.net.find.invite import is_invite, parse_invite
from p2p.net.link.addresses import parse_address
from p2p.net.link.listen import open_listeners
from p2p.net.link.peer import LocalPeer
from p2p.net.link.roster import Roster, Seated

PIPED_CODE = "-"
# Host and joiner are often started together, and the host has more to do before it listens.
PATIENCE_SECONDS = 3.0
RETRY_SECONDS = 0.25


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


def understand(words: Sequence[str]) -> tuple[str | None, str | None]:
    """Where and code of the words behind `join`: an invite or an address, and a code.

    One word with a dot or a colon in it is an address (of an open table), any other a code.
    """
    match words:
        case []:
            return None, None
        case [word] if is_invite(word) or any(mark in word for mark in ".:"):
            return word, None
        case [word]:
            return None, word
        case [where, code] if not is_invite(where):
            return where, code
        case [_, _]:
            raise usage("An invite needs no code; leave the code out.")
    raise usage("Join takes an invite, or an address and a code; see `allfives join --help`.")


def join_visit(visitor: Visitor, wanted: Wanted, lines: AsyncIterator[str]) -> int:
    """Find the table, take a seat, play; returns the exit code."""
    visit = Visit(visitor)
    return run_visit(visit, lambda: _join(Joining(visitor, wanted, lines), visit))


@dataclass
class Joining:
    """One person on the way to a table."""

    visitor: Visitor
    wanted: Wanted
    lines: AsyncIterator[str]
    roster: Roster = ()
    told_busy: bool = False
    table_name: str = ""

    def on_change(self, gathering: Gathering) -> None:
        """Say at what table we are, who came and who left."""
        own, rules, roster = self.visitor.identity.key.public, gathering.rules, gathering.roster
        if not self.roster:
            table = f"{plural(rules.players, 'player')}, {rules.title}, to {rules.target}"
            self.visitor.tell(f"You are at {gathering.table_name}: {table}.")
        for line in who_came_and_went(self.roster, roster, rules.players, own):
            self.visitor.tell(line)
        self.roster, self.table_name = roster, gathering.table_name
        self.visitor.seat.show(Filled(Room(sitters(roster), rules.players, own, rules.partners)))

    def on_busy(self) -> None:
        """Say, once, that others stand in the way."""
        if not self.told_busy:
            self.visitor.tell("Others are trying to join this table too; trying again.")
        self.told_busy = True

    async def ask(self, question: str) -> str:
        """One line from the person."""
        self.visitor.tell(question)
        async for line in self.lines:
            return line
        raise Stop("The input has ended, so no table was chosen.")


async def _join(joining: Joining, visit: Visit) -> int:
    if joining.wanted.code == PIPED_CODE:
        joining.wanted = with_piped(joining.wanted, await _piped(joining))
    wanted = joining.wanted
    target, table = await _target(joining)
    listeners = await open_listeners(wanted.bind, wanted.port)
    try:
        own = joining.visitor.peer(listeners)

        async def take_seat() -> Seated:
            seated = await _seated(joining, own, target, table)
            record = joining.visitor.record_text
            visit.notes = Notes(joining.table_name, wanted.bind, record)
            return seated

        return await visit.stay(take_seat, own)
    finally:
        with trio.CancelScope(shield=True):
            await listeners.aclose()


async def _piped(joining: Joining) -> str:
    """The first line of standard input."""
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


async def _target(joining: Joining) -> tuple[Target, str]:
    """Whom to dial, and the table's name to ask for ("" for any)."""
    wanted = joining.wanted
    if wanted.where is None:
        # Zeroconf takes long to import, and most people say where.
        from cli.table.lan import choose_table

        found = await choose_table(wanted.table, joining.ask if wanted.can_ask else None)
        # What was announced is only hearsay: a table is asked for by the name that was typed.
        named = wanted.table == found.advert.name
        return found.addresses, found.advert.name if named else ""
    if is_invite(wanted.where):
        return parse_invite(wanted.where), wanted.table or ""
    return (str(parse_address(wanted.where)),), wanted.table or ""


async def _seated(joining: Joining, own: LocalPeer, target: Target, table: str) -> Seated:
    until = trio.current_time() + PATIENCE_SECONDS
    while True:
        try:
            return await join_table(
                own, target, joining.wanted.code, table, joining.on_change, joining.on_busy
            )
        except NobodyThere:
            if trio.current_time() > until:
                raise
            await trio.sleep(RETRY_SECONDS)
