"""A table from the first link to the kept record: drives door, mesh, session and store."""

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import trio

from cli.files.home import Home
from cli.files.identity import Identity
from cli.files.record import keep, numbered
from cli.process.errors import DONE, FAILED, Stop
from cli.process.running import run
from cli.process.signals import Interrupted
from cli.table.clock import Timed
from cli.table.port import HostWish, Leave, Refuse, Seat, SitWith, Told, Wish
from cli.table.seating import others, strangers_words
from cli.telling.words import fairness, sentence
from engine.strategy import SeatView
from engine.wording import listed
from p2p.crypto.randomness import NONCE_BYTES
from p2p.net.errors import NoRematch
from p2p.net.link.listen import Listeners
from p2p.net.link.live import LinkDown, LinkUp
from p2p.net.link.mesh import Mesh
from p2p.net.link.seats import Seated
from p2p.net.match import pump as today
from p2p.net.match.pausing import Pausing as PausingToday
from p2p.net.match.rematch import Reseated
from p2p.net.match.wires import Wires
from p2p.session.session import Batch, Session
from p2p.session.sitting import owner
from p2p.session.sitting.owner import Began, Offered, Refused
from p2p.session.state.table import Table
from p2p.store import State, Store

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

    def tell(self, text: str) -> None:
        """Show a line that is not about the game itself."""
        self.seat.show(Told(text))


class Visit:
    """One stay at a table, from taking a seat to the exit code. `host` gets what a host wants."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.host: Callable[[HostWish], None] = lambda wish: None
        self._player = Timed(desk.seat)
        self._pump: _PumpToday | None = None
        self._scope = trio.CancelScope()
        self.run = desk.run
        self._session: Session | None = None
        self._outcome: today.Outcome | None = None
        self._left: str | None = None
        self._between = False
        self._count = 0
        self.begun = trio.Event()
        self.kept: Path | None = None
        self._misplaced: str | None = None
        desk.seat.sit(self._want)

    async def stay(self, get_seated: Callable[[], Awaitable[Seated]], listeners: Listeners) -> int:
        """Take the seat, play, keep the record; returns the exit code."""
        with self._scope:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._desk.seat.listen)
                seated = await get_seated()
                self.begun.set()
                try:
                    await self._play(seated, listeners)
                finally:
                    self._keep()
                nursery.cancel_scope.cancel()
        return self._end()

    def _want(self, wish: Wish) -> None:
        """A wish of whoever sits here."""
        match wish:
            case Leave(why=why):
                # Who leaves after a match leaves nobody in the lurch.
                self._left = None if self._between else why
                self._scope.cancel()
            case Refuse() | SitWith():
                self.host(wish)
            case _ if self._pump is not None:
                self._pump.wish(wish)

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
            self._desk.tell(self._outcome.sentence)
        self._desk.tell(fairness(len(table.seats), str(self.kept)))
        self._between = True
        return await self._another(pump) if self._desk.seat.stays else None

    async def _another(self, pump: today.Pump) -> Reseated | None:
        """Wait until everybody has asked for another match, or somebody leaves."""
        if pump.repeatable:
            self._player.show(Offered(True))
        try:
            return await pump.another()
        except NoRematch as none:
            self._player.show(Offered(False, str(none)))
            return None

    def _begin(self, table: Table, wires: Wires) -> today.Pump:
        desk = self._desk
        names = [player.name for player in table.players]
        desk.store.open_match(table.id, table.description, names)
        self._session = Session(table, desk.identity.key, os.urandom)
        self._outcome, self.kept, self._between = None, None, False
        self._count += 1
        self._pump = _PumpToday(
            self._session, wires, self._player, lambda batch: desk.store.commit(table.id, batch)
        )
        self._player.show(Began(table, self._session.seat))
        for line in strangers_words(desk.store.meet(others(table, desk.identity.key.public))):
            desk.tell(line)
        return self._pump.pump

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
            desk.tell(self._misplaced)
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
            self._desk.tell(self._outcome.sentence)
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


class _PumpToday:
    """Today's pump as one with a player and wishes. To be deleted, with all that it alone imports,
    as soon as the pump is built on p2p.session.sitting.owner itself."""

    def __init__(
        self, session: Session, wires: Wires, player: Timed, save: Callable[[Batch], None]
    ) -> None:
        self._player = player
        show = player.show
        callbacks = today.Owner(
            save=save,
            choose=self._choose,
            publish=lambda event: show(owner.Happened(event)),
            heard=lambda chat: show(owner.Chatted(chat.seat, chat.words)),
            asked=lambda seat: show(owner.AgainWanted(seat)),
            paused=self._paused,
            linked=self._linked,
            refused=lambda refusal: show(Refused(sentence(refusal))),
        )
        self.pump = today.Pump(session, wires, callbacks)

    def wish(self, wish: owner.Wish) -> None:
        match wish:
            case owner.Pause(on=on):
                self.pump.pause(on)
            case owner.Again():
                self.pump.rematch.ask(os.urandom(NONCE_BYTES))
            case owner.Say(words=words):
                try:
                    chat = self.pump.chat(words)
                except ValueError as error:
                    self._player.show(Refused(str(error)))
                else:
                    self._player.show(owner.Chatted(chat.seat, chat.words))

    async def _choose(self, view: SeatView) -> today.Chosen:
        chosen = await self._player.decide(view)
        return today.Chosen(chosen.move, chosen.claim, chosen.auto)

    def _paused(self, change: PausingToday) -> None:
        self._player.show(owner.Pausing(change.seat, change.wanting, change.on, change.was_on))

    def _linked(self, event: LinkUp | LinkDown) -> None:
        if isinstance(event, LinkDown):
            self._player.show(owner.Unlinked(event.seat, event.reason))
        else:
            self._player.show(owner.Linked(event.seat))
