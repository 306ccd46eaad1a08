"""Looking on: find the table, be let in by its host, hear the match, keep its record.

Nothing of it is in the store or the history, which are about one's own matches: there is nothing to
come back to, and the record is one file.
"""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from functools import partial

import trio

from cli.files.record import keep, numbered
from cli.process.errors import DONE, FAILED, Stop
from cli.process.running import run_visit
from cli.table.joining.trying import Attempt, first_of
from cli.table.joining.ways import Joining, Wanted, Way, ways_to
from cli.table.port import Leave, Vanish, Wish
from cli.table.seating import HOST_GONE
from cli.table.stay import Visitor
from p2p.net.audience.visit import Admitted, Looking, come_in
from p2p.net.errors import NetError, NobodyThere, NotSeated, TableClosed
from p2p.net.find.invite import Invite
from p2p.net.link.listen import Listeners, own_address
from p2p.net.link.peer import LocalPeer
from p2p.net.match.pump import Pump
from p2p.session.onlooking.onlooker import Onlooker
from p2p.session.output import Batch
from p2p.session.sitting import owner
from p2p.session.sitting.owner import Outcome

# What lets one in is tried when the match begins, so nothing is promised before.
NOT_BEGUN = (
    "The match there has not begun yet. You look on as soon as it begins, if your code or invite "
    "is the right one."
)
OTHERS_TOO = "If that is not whom you mean: tables that open or come back meanwhile are tried too."
# How often is looked for those.
LOOK_AGAIN_SECONDS = 10.0
_NOWHERE = Listeners((), 0, ())


def watch_visit(visitor: Visitor, wanted: Wanted, lines: AsyncIterator[str]) -> int:
    """Find the table, look on; returns the exit code."""
    visit = Watching(visitor)
    return run_visit(visit, lambda: visit.stay(Joining(visitor, wanted, lines, looks_on=True)))


class Watching:
    """One stay of somebody who looks on."""

    def __init__(self, visitor: Visitor) -> None:
        self._visitor = visitor
        self.run = visitor.run
        self._scope = trio.CancelScope()
        self._wish: Callable[[owner.Wish], None] = lambda wish: None
        self._onlooker: Onlooker | None = None
        self._outcome: Outcome | None = None
        self._left: str | None = None
        self._matches = 0
        self._kept: str | None = None
        self._told: set[str] = set()
        visitor.seat.sit(self._want)

    def _want(self, wish: Wish) -> None:
        match wish:
            case Leave(why=why) | Vanish(why=why):
                self._left = why
                self._scope.cancel()
            case owner.Say() | owner.Pause() | owner.Again() | owner.PutOut():
                self._wish(wish)

    async def stay(self, joining: Joining) -> int:
        """Look on until all is over, or the person leaves; the exit code."""
        with self._scope:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._visitor.seat.listen)
                try:
                    await self._look_on(joining)
                finally:
                    self._keep()
                nursery.cancel_scope.cancel()
        return self._end()

    async def _look_on(self, joining: Joining) -> None:
        own_address(joining.wanted.bind)
        ways = await ways_to(joining)
        # Nobody dials who looks on, so there is nothing to listen at.
        own = self._visitor.peer(_NOWHERE, joining.wanted.proxy)
        admitted = await self._let_in(joining, ways, own)
        keys = [one.key for one in admitted.roster]
        # A line of a later program of this person has a higher number.
        first = int(time.time())
        self._onlooker = Onlooker(keys, own.identity, own.neighbour().name, first)
        async with Looking(own, admitted) as wires:
            pump = Pump(self._onlooker, wires, self._visitor.seat, _nothing)
            self._wish = pump.wish
            await self._matches_of(pump)

    async def _let_in(self, joining: Joining, ways: list[Way], own: LocalPeer) -> Admitted:
        async def attempt(way: Way, _right: Callable[[], None]) -> Admitted:
            code = joining.wanted.code
            waits = partial(self._waits, way)
            return await come_in(own, way.target, code, way.table, waits)

        found: list[Admitted] = []
        failure: Stop | NotSeated | None = None
        async with trio.open_nursery() as nursery:
            if all(way.found for way in ways):
                scope = nursery.cancel_scope
                nursery.start_soon(self._try_others, joining, ways, attempt, found, scope)
            try:
                found.append(await first_of(joining, ways, attempt))
            except (Stop, NotSeated) as error:
                failure = error
            nursery.cancel_scope.cancel()
        if found:
            return found[0]
        if isinstance(failure, NobodyThere):
            # It was there, and its match had not begun; or it may be gone.
            raise TableClosed if self._told else Stop(f"{failure} {HOST_GONE}")
        assert failure is not None, "nobody was let in, and nothing failed"
        raise failure

    async def _try_others(
        self,
        joining: Joining,
        ways: list[Way],
        attempt: Attempt[Admitted],
        found: list[Admitted],
        scope: trio.CancelScope,
    ) -> None:
        """Where a match has not begun nothing is proven, and the table may be a stranger's. So
        those that are announced later are tried too."""
        from cli.table.lan import tables_with_code, told_apart, who_is_there

        async def one(way: Way) -> None:
            with suppress(NotSeated):
                found.append(await attempt(way, lambda: None))
                scope.cancel()

        known = {frozenset(way.target) for way in ways if not isinstance(way.target, Invite)}
        async with trio.open_nursery() as nursery:
            while True:
                await trio.sleep(LOOK_AGAIN_SECONDS)
                if joining.wanted.where is not None:
                    # An invite has come in place of the code.
                    return
                with suppress(Stop, NetError):
                    tables = await tables_with_code()
                    for table in tables:
                        called = told_apart(table, tables)
                        way = Way(table.addresses, "", who_is_there(table), called)
                        if frozenset(table.addresses) not in known:
                            known.add(frozenset(table.addresses))
                            nursery.start_soon(one, way)

    def _waits(self, way: Way, why: str) -> None:
        """Say, once, what is waited for."""
        others = f" {OTHERS_TOO}" if way.found else ""
        begins = f"{NOT_BEGUN} {way.there}".rstrip() + others
        told = {"not-begun": begins, "busy": "Others want in there too; trying again."}[why]
        if told not in self._told:
            self._visitor.tell(told)
        self._told.add(told)

    async def _matches_of(self, pump: Pump[Onlooker]) -> None:
        """One match after the other, as long as they play."""
        follows = True
        while follows:
            self._matches, self._outcome, self._kept = self._matches + 1, None, None
            self._outcome = await pump.run()
            self._keep()
            if self._outcome.sentence:
                self._visitor.tell(self._outcome.sentence)
            if self._outcome.kind != "finished":
                return
            self._visitor.tell(f"The record of the match: {self._kept}")
            if not self._visitor.seat.stays:
                return
            follows = await pump.another() is not None

    def _keep(self) -> None:
        """Write the record of what was seen, once a match."""
        session = None if self._onlooker is None else self._onlooker.session
        if session is None or self._kept is not None:
            return
        visitor = self._visitor
        named = None if visitor.record is None else numbered(visitor.record, self._matches)
        path, misplaced = keep(named, visitor.home.record_path(session.table.id), session.record())
        self._kept = str(path)
        if misplaced:
            visitor.tell(misplaced)

    def _end(self) -> int:
        kept = f" The record of what you saw: {self._kept}" if self._kept else ""
        over = self._outcome is not None and self._outcome.kind == "finished"
        if self._left is not None and not over:
            # Who has seen something has got what there was to get.
            raise Stop(f"{self._left}{kept}", DONE if self._kept else FAILED)
        if self._outcome is None or over:
            return DONE if over else FAILED
        raise Stop(f"The record of what you saw: {self._kept}", FAILED)

    def last_words(self) -> str:
        """What a sentence for who was interrupted ends with."""
        return f". The record of what you saw: {self._kept}" if self._kept else "."


def _nothing(batch: Batch) -> None:
    """Nothing is kept for a program that comes back: it is told all again."""
