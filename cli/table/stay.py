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
from cli.telling.words import fairness, sentence
from engine.wording import listed
from p2p.crypto.randomness import NONCE_BYTES
from p2p.net.errors import NoRematch
from p2p.net.link.listen import Listeners
from p2p.net.link.live import LinkDown, LinkUp
from p2p.net.link.mesh import Mesh
from p2p.net.link.peer import LocalPeer
from p2p.net.link.roster import Seated
from p2p.net.match.pausing import Pausing
from p2p.net.match.pump import Outcome, Owner, Pump
from p2p.net.match.rematch import Reseated
from p2p.net.match.wires import Wires
from p2p.session.session import Session
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

    def peer(self, listeners: Listeners) -> LocalPeer:
        """This person at the end of every link."""
        return LocalPeer(self.identity.key, self.identity.name, listeners, os.urandom)


class Visit:
    """One stay at a table, from taking a seat to the exit code."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.run = desk.run
        self._session: Session | None = None
        self._outcome: Outcome | None = None
        self._left: str | None = None
        self._between = False
        self._count = 0
        self.begun = trio.Event()
        self.kept: Path | None = None
        self._misplaced: str | None = None

    async def stay(self, get_seated: Callable[[], Awaitable[Seated]], own: LocalPeer) -> int:
        """Take the seat, play, keep the record; returns the exit code."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._listen, nursery.cancel_scope)
            seated = await get_seated()
            self.begun.set()
            try:
                await self._play(seated, own)
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

    async def _play(self, seated: Seated, own: LocalPeer) -> None:
        table = seated.table
        async with Mesh(own, seated) as mesh:
            missing = await mesh.connected()
            if missing:
                names = listed([table.players[seat].name for seat in missing])
                raise Stop(f"There is no link to {names}, so the match does not begin. Try again.")
            following = await self._match(table, mesh)
            while following is not None:
                following = await self._match(following.table, following)

    async def _match(self, table: Table, wires: Wires) -> Reseated | None:
        """One match; the links of the next, if everybody wants one."""
        pump = self._begin(table, wires)
        self._outcome = await pump.run()
        self._keep()
        if self._outcome.kind != "finished":
            return None
        if self._outcome.sentence:
            self._desk.seat.tell(self._outcome.sentence)
        self._desk.seat.tell(fairness(self._desk.seat.scene, str(self.kept)))
        self._between = True
        return await self._another(pump) if self._desk.seat.stays else None

    async def _another(self, pump: Pump) -> Reseated | None:
        """Wait until everybody has asked for another match, or somebody leaves."""
        seat = self._desk.seat
        if pump.repeatable:
            seat.offer(lambda: pump.rematch.ask(os.urandom(NONCE_BYTES)))
        try:
            return await pump.another()
        except NoRematch as none:
            seat.offer(None)
            seat.tell(str(none))
            return None

    def _begin(self, table: Table, wires: Wires) -> Pump:
        desk = self._desk
        names = [player.name for player in table.players]
        desk.store.open_match(table.id, table.description, names)
        self._session = Session(table, desk.identity.key, os.urandom)
        self._outcome, self.kept, self._between = None, None, False
        self._count += 1
        owner = Owner(
            save=lambda batch: desk.store.commit(table.id, batch),
            choose=lambda view: choose(desk.seat, view),
            publish=desk.seat.publish,
            heard=lambda chat: desk.seat.tell(f"{names[chat.seat]}: {chat.words}"),
            asked=lambda seat: desk.seat.asked(names[seat]),
            paused=self._paused,
            linked=self._linked,
            refused=lambda refusal: desk.seat.tell(sentence(refusal)),
        )
        pump = Pump(self._session, wires, owner)
        desk.seat.begin(self._session.seat, Voice(pump.chat, pump.pause))
        desk.seat.clock.pause(False)
        for line in strangers_words(desk.store.meet(others(table, desk.identity.key.public))):
            desk.seat.tell(line)
        return pump

    def _paused(self, change: Pausing) -> None:
        self._desk.seat.clock.pause(change.on)
        self._desk.seat.paused(change)

    def _linked(self, event: LinkUp | LinkDown) -> None:
        self._desk.seat.link(event.seat, LOST if isinstance(event, LinkDown) else "")

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
