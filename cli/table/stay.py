"""A table from the first link to the kept record: drives door, mesh, session and store."""

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import trio

from cli.files.home import Home
from cli.files.identity import Identity
from cli.files.record import keep, numbered
from cli.process.errors import DONE, FAILED, Stop
from cli.process.running import run
from cli.process.signals import Interrupted
from cli.table.seat import Leaving, Seat, Voice, choose
from cli.table.seating import others, strangers_words
from cli.telling.words import fairness
from engine.strategy import SeatView
from engine.wording import listed
from p2p.net.link.listen import Listeners
from p2p.net.link.mesh import Mesh
from p2p.net.link.seats import Seated
from p2p.net.match.pump import Pump
from p2p.session.session import Batch, Session
from p2p.session.sitting import owner
from p2p.session.sitting.owner import Chosen, Notice, Outcome, Wish
from p2p.session.sitting.sitting import Sitting
from p2p.session.state.table import Table
from p2p.store import State, Store

LOST: Final = "link lost"
Runner = Callable[[Callable[[], Awaitable[int]]], int]


@dataclass(frozen=True)
class Desk:
    """What a person brings to any table. `record`: where the record shall go, None: to the home.

    `lines` are those that are typed; `run` runs Trio, behind a screen if the seat has one.
    """

    home: Home
    identity: Identity
    store: Store
    seat: Seat
    record: Path | None
    lines: AsyncIterator[str]
    run: Runner = run


class Visit:
    """One stay at a table, from taking a seat to the exit code."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.run = desk.run
        self._session: Session | None = None
        self._names: list[str] = []
        self._wish: Callable[[Wish], None] = lambda wish: None
        self._outcome: Outcome | None = None
        self._left: str | None = None
        self._between = False
        self._count = 0
        self.begun = trio.Event()
        self.kept: Path | None = None
        self._misplaced: str | None = None

    async def stay(self, get_seated: Callable[[], Awaitable[Seated]], listeners: Listeners) -> int:
        """Take the seat, play, keep the record; returns the exit code."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._listen, nursery.cancel_scope)
            seated = await get_seated()
            self.begun.set()
            try:
                await self._play(seated, listeners)
            finally:
                self._keep()
            nursery.cancel_scope.cancel()
        return self._end()

    async def _listen(self, scope: trio.CancelScope) -> None:
        try:
            await self._desk.seat.listen()
        except Leaving as leaving:
            # Who leaves after a match leaves nobody in the lurch.
            self._left = None if self._between else str(leaving)
            scope.cancel()

    async def _play(self, seated: Seated, listeners: Listeners) -> None:
        desk, table = self._desk, Table.decode(seated.description)
        async with Mesh(
            identity=desk.identity.key,
            table_id=table.id,
            table_secret=seated.table_secret,
            roster=seated.roster,
            own_seat=table.seat_of(desk.identity.key.public),
            listeners=listeners,
            rng=os.urandom,
        ) as mesh:
            missing = await mesh.connected()
            if missing:
                names = listed([table.players[seat].name for seat in missing])
                raise Stop(f"There is no link to {names}, so the match does not begin. Try again.")
            sitting = Sitting(table, desk.identity.key, os.urandom)
            pump = Pump(sitting, mesh, self, self._save)
            following: Table | None = table
            while following is not None:
                following = await self._match(pump)

    async def _match(self, pump: Pump) -> Table | None:
        """One match; the table of the next, if everybody wants one."""
        self._begin(pump)
        self._outcome = await pump.run()
        self._keep()
        if self._outcome.kind != "finished":
            return None
        if self._outcome.sentence:
            self._desk.seat.tell(self._outcome.sentence)
        self._desk.seat.tell(fairness(self._desk.seat.scene, str(self.kept)))
        self._between = True
        return await pump.another() if self._desk.seat.stays else None

    def _begin(self, pump: Pump) -> None:
        self._session, self._wish = pump.sitting.session, pump.wish
        table = self._session.table
        self._names = [player.name for player in table.players]
        self._desk.store.open_match(table.id, table.description, self._names)
        self._outcome, self.kept, self._between = None, None, False
        self._count += 1

    def _save(self, batch: Batch) -> None:
        if self._session is not None:
            self._desk.store.commit(self._session.table.id, batch)

    async def decide(self, view: SeatView) -> Chosen:
        """The seat's decision."""
        return await choose(self._desk.seat, view)

    def show(self, notice: Notice) -> None:
        """Show a notice of the sitting at the seat."""
        seat = self._desk.seat
        match notice:
            case owner.Began(table, me):
                seat.begin(me, Voice(self._chat, self._pause))
                seat.clock.pause(False)
                met = self._desk.store.meet(others(table, table.people[me].key))
                for line in strangers_words(met):
                    seat.tell(line)
            case owner.Happened(event):
                seat.publish(event)
            case owner.Chatted(number, words) if number != seat.scene.me:
                seat.tell(f"{self._names[number]}: {words}")
            case owner.Pausing(on=on):
                seat.clock.pause(on)
                seat.paused(notice)
            case owner.Linked(number):
                seat.link(number, "")
            case owner.Unlinked(number):
                seat.link(number, LOST)
            case owner.Offered(True):
                seat.offer(lambda: self._wish(owner.Again()))
            case owner.Offered(False, why):
                seat.offer(None)
                seat.tell(why)
            case owner.AgainWanted(number):
                seat.asked(self._names[number])
            case owner.Refused(sentence):
                seat.tell(sentence)

    def _chat(self, words: str) -> None:
        self._wish(owner.Say(words))

    def _pause(self, on: bool) -> None:
        self._wish(owner.Pause(on))

    def _keep(self) -> None:
        """Write the record, however the match ended, and note it in the history; once."""
        session, desk = self._session, self._desk
        if session is None:
            return
        self._session = None
        named = None if desk.record is None else numbered(desk.record, self._count)
        home = desk.home.record_path(session.table.id)
        self.kept, self._misplaced = keep(named, home, session.record())
        if self._misplaced:
            desk.seat.tell(self._misplaced)
        decided = session.fault is None and session.state.is_decided()
        state: State = "finished" if decided else "broken"
        desk.store.finish(session.table.id, state, session.state.match.scores, self.kept.absolute())

    def _end(self) -> int:
        """The exit code, and the last line of a match that broke off."""
        if self._left is not None:
            kept = f" The match ends here; its record is {self.kept}." if self.kept else ""
            raise Stop(f"{self._left}{kept}", FAILED)
        if self._outcome is None:
            # Cancelled from outside, by a signal: cli.process.running says so.
            return FAILED
        if self._outcome.kind == "finished":
            return FAILED if self._misplaced else DONE
        if self._outcome.sentence:
            self._desk.seat.tell(self._outcome.sentence)
        raise Stop(f"The record of the match is {self.kept}.", FAILED)

    def last_words(self) -> str:
        """A clause for who was interrupted."""
        ended = "the match was over" if self._between else "the match ends here"
        return f"; {ended}, and its record is {self.kept}" if self.kept else ""


def run_visit(visit: Visit, main: Callable[[], Awaitable[int]]) -> int:
    """Run Trio for a visit; a signal's sentence also says where the record is."""
    try:
        return visit.run(main)
    except Interrupted as interrupted:
        raise Interrupted(interrupted.signum, visit.last_words()) from None
