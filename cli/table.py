"""A table from the first link to the kept record: drives door, mesh, session and store."""

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import trio

from cli.errors import DONE, FAILED, Stop, usage
from cli.home import Home
from cli.identity_file import Identity
from cli.running import run
from cli.seat import Leaving, Seat, choose
from cli.seating import others, strangers_words
from cli.signals import Interrupted
from cli.words import fairness, listed
from p2p.net.listen import Listeners
from p2p.net.mesh import Mesh
from p2p.net.pump import Outcome, Owner, Pump
from p2p.net.seats import Seated
from p2p.session.session import Session
from p2p.session.table import Table
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


class Visit:
    """One stay at a table, from taking a seat to the exit code."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.run = desk.run
        self._session: Session | None = None
        self._outcome: Outcome | None = None
        self._left: str | None = None
        self.begun = trio.Event()
        self.kept: Path | None = None

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
            self._left = str(leaving)
            scope.cancel()

    async def _play(self, seated: Seated, listeners: Listeners) -> None:
        desk, table = self._desk, Table.decode(seated.description)
        own_seat = table.seat_of(desk.identity.key.public)
        desk.seat.scene.me = own_seat
        for line in strangers_words(desk.store.meet(others(table, desk.identity.key.public))):
            desk.seat.tell(line)
        async with Mesh(
            identity=desk.identity.key,
            table_id=table.id,
            table_secret=seated.table_secret,
            roster=seated.roster,
            own_seat=own_seat,
            listeners=listeners,
            rng=os.urandom,
        ) as mesh:
            missing = await mesh.connected()
            if missing:
                names = listed([table.players[seat].name for seat in missing])
                raise Stop(f"There is no link to {names}, so the match does not begin. Try again.")
            self._outcome = await self._pump(table, mesh).run()

    def _pump(self, table: Table, mesh: Mesh) -> Pump:
        desk = self._desk
        names = [player.name for player in table.players]
        desk.store.open_match(table.id, table.description, names)
        self._session = Session(table, desk.identity.key, os.urandom)
        owner = Owner(
            save=lambda batch: desk.store.commit(table.id, batch),
            choose=lambda view: choose(desk.seat, view),
            publish=desk.seat.publish,
            heard=lambda chat: desk.seat.tell(f"{names[chat.seat]}: {chat.words}"),
        )
        pump = Pump(self._session, mesh, owner)
        desk.seat.speak_with(pump.chat)
        return pump

    def _keep(self) -> None:
        """Write the record, however the match ended, and note it in the history."""
        session, desk = self._session, self._desk
        if session is None:
            return
        path = desk.record or desk.home.record_path(session.table.id)
        write_whole(path, session.record())
        self.kept = path
        decided = session.fault is None and session.state.is_decided()
        state: State = "finished" if decided else "broken"
        desk.store.finish(session.table.id, state, session.state.match.scores, path.absolute())

    def _end(self) -> int:
        """The last lines, and the exit code."""
        tell = self._desk.seat.tell
        if self._left is not None:
            kept = f" The match ends here; its record is {self.kept}." if self.kept else ""
            raise Stop(f"{self._left}{kept}", FAILED)
        if self._outcome is None:
            # Cancelled from outside, by a signal: cli.running says so.
            return FAILED
        if self._outcome.sentence:
            tell(self._outcome.sentence)
        if self._outcome.kind == "finished":
            tell(fairness(self._desk.seat.scene, str(self.kept)))
            return DONE
        raise Stop(f"The record of the match is {self.kept}.", FAILED)

    def last_words(self) -> str:
        """A clause for who was interrupted."""
        return f"; the match ends here, and its record is {self.kept}" if self.kept else ""


def run_visit(visit: Visit, main: Callable[[], Awaitable[int]]) -> int:
    """Run Trio for a visit; a signal's sentence also says where the record is."""
    try:
        return visit.run(main)
    except Interrupted as interrupted:
        raise Interrupted(interrupted.signum, visit.last_words()) from None


def check_writable(path: Path | None) -> None:
    """Stop with exit code 2 unless the record could be written there; leaves no file behind."""
    if path is None:
        return
    there = path.exists()
    try:
        with path.open("ab"):
            pass
        if not there:
            path.unlink()
    except OSError as error:
        raise usage(f"The record {path} cannot be written: {error.strerror}.") from error


def write_whole(path: Path, data: bytes) -> None:
    """Write a file at once or not at all, on the disk when this returns. Stop if it cannot be."""
    path = path.resolve()
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        if path.exists() and not path.is_file():  # a pipe, /dev/null
            path.write_bytes(data)
            return
        with fresh.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, path)
    except OSError as error:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise Stop(f"The record {path} cannot be written: {error.strerror}.") from error
