"""A table from the first link to the kept record: drives door, mesh, session and store."""

import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import assert_never

import trio

from cli.files.home import Home
from cli.files.identity import Identity, is_bot_name
from cli.files.record import keep
from cli.files.reserve import Reserve
from cli.process.errors import DONE, FAILED, Stop
from cli.process.running import Runner, plain, run
from cli.table.bots import Going
from cli.table.clock import Timed
from cli.table.notes import Notes
from cli.table.port import Admit, HostWish, Leave, Notice, Refuse, Seat, SitWith, Told, Vanish, Wish
from cli.table.seating import others, plays_on, strangers_words
from cli.table.seeking import Seeking
from cli.telling.words import fairness
from p2p.net.audience.gallery import Gallery
from p2p.net.door.admission import Admission
from p2p.net.link.background import Background
from p2p.net.link.listen import Listeners
from p2p.net.link.mesh import Mesh
from p2p.net.link.peer import LocalPeer
from p2p.net.link.roster import Seated
from p2p.net.match.pump import Pump
from p2p.net.match.wires import Wires
from p2p.session.output import Batch
from p2p.session.record import encode as encode_record
from p2p.session.restoring import NotRestorable, hear_again
from p2p.session.session import Session
from p2p.session.sitting import owner
from p2p.session.sitting.effects import Setting
from p2p.session.sitting.owner import Began, Outcome, Resumed
from p2p.session.sitting.sitting import Sitting
from p2p.session.state.table import Table
from p2p.store import State, Store, StoreError, WayBack
from p2p.wire.codec import encode
from p2p.wire.talk import Word

# Until all have agreed to the table nobody is waited for as in a match.
BEGIN_SECONDS = 30.0
_WAITS = "You stop here. The match waits, paused; `allfives resume` takes you back to it."
_NO_ROOM = "So you cannot play this match, and you leave the table."
_NEVER_BEGAN = "This match never began: not everybody came. Join the table again."


@dataclass(frozen=True)
class Visitor:
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

    @property
    def record_text(self) -> str | None:
        """Where the record shall go, as it is noted for a later program."""
        return None if self.record is None else str(self.record.absolute())

    def tell(self, text: str) -> None:
        """Show a line that is not about the game itself."""
        self.seat.show(Told(text))

    def peer(self, listeners: Listeners, proxy: str | None = None) -> LocalPeer:
        """This person at the end of every link, dialling through `proxy` if there is one. Raises
        BadProxy."""
        bot = is_bot_name(self.identity.name)
        own = LocalPeer(self.identity.key, self.identity.name, listeners, os.urandom, bot=bot)
        if proxy is None:
            return own
        # Few people have one.
        from p2p.net.find.proxy import through

        return replace(own, connect=through(proxy), hidden=True)


class _AtTable(Timed):
    """The seat of a visitor, with its clock; it hears at the start who comes with another key, and
    once it is back those lines."""

    def __init__(self, visitor: Visitor, back: Sequence[str]) -> None:
        super().__init__(visitor.seat)
        self._visitor, self._back = visitor, back

    def show(self, notice: Notice) -> None:
        super().show(notice)
        lines = self._back if isinstance(notice, Resumed) else ()
        if isinstance(notice, Began):
            met = others(notice.table, self._visitor.identity.key.public)
            lines = strangers_words(self._visitor.store.meet(met))
        for line in lines:
            self._visitor.tell(line)


class Visit:
    """One stay at a table, from taking a seat to the exit code. `host` gets what a host wants;
    `admission`, of the host, proves who comes to look on; `back` are lines for who comes back;
    `say`, while the table fills, says a line there, or raises ValueError (one sentence)."""

    def __init__(self, visitor: Visitor) -> None:
        self._visitor = visitor
        self.host: Callable[[HostWish], None] = lambda wish: None
        self._wish: Callable[[owner.Wish], None] = lambda wish: None
        self._scope, self.run = trio.CancelScope(), visitor.run
        self._session: Session | None = None
        self._outcome: Outcome | None = None
        self._left: str | None = None
        self._between = self._vanished = self._plays_on = False
        self._had_match = False
        self.notes = Notes(record=visitor.record_text)
        self._seated: Seated | None = None
        self._port = self._before = 0
        self.going = Going(waits=self.waits)
        self._sitting: Sitting | None = None
        self.admission: Admission | None = None
        self.back: tuple[str, ...] = ()
        self.say: Callable[[str], None] | None = None
        self.kept: Path | None = None
        self._misplaced: str | None = None
        self._reserve = Reserve(visitor.home.folder)
        visitor.seat.sit(self._want)

    async def stay(self, get_seated: Callable[[], Awaitable[Seated]], own: LocalPeer) -> int:
        """Take the seat, play, keep the record; returns the exit code. Where somebody does not come
        to the match the seat is taken anew."""

        async def play() -> None:
            setting, begins = Setting(self._visitor.store.archive, BEGIN_SECONDS), False
            while not begins:
                seated = await get_seated()
                sitting = Sitting(seated.table, own.identity, own.rng, setting=setting)
                begins = await self._play(sitting, seated, own)

        return await self._run(play)

    async def come_back(self, sitting: Sitting, seated: Seated, own: LocalPeer, before: int) -> int:
        """Go on with a sitting that an earlier program left, which listened at the port `before`;
        else as `stay`."""
        self._before = before

        async def play() -> None:
            if not await self._play(sitting, seated, own):
                raise Stop(_NEVER_BEGAN)

        return await self._run(play)

    async def _run(self, play: Callable[[], Awaitable[None]]) -> int:
        with self._scope:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._visitor.seat.listen)
                try:
                    await play()
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
            case Vanish(why=why):
                self._left, self._vanished = why, True
                self._scope.cancel()
            case Refuse() | SitWith() | Admit():
                self.host(wish)
            case owner.Say(words=words) if self.say is not None and not self.going.begun:
                try:
                    self.say(words)
                except ValueError as refusal:
                    self._visitor.seat.show(owner.Refused(str(refusal)))
            case owner.Say() | owner.Pause() | owner.Again() | owner.PutOut():
                self._wish(wish)
            case _:
                assert_never(wish)

    async def _play(self, sitting: Sitting, seated: Seated, own: LocalPeer) -> bool:
        """All matches at a table; False if the first never began."""
        self._seated, self._port = seated, own.listeners.port
        self.going.begun = True
        gallery = Gallery(own, seated, self.admission, self.notes.table)
        async with Mesh(own, seated, gallery) as mesh, Background() as nursery:
            if not (own.hidden or own.bot):
                seeking, lan = Seeking(mesh, seated, own, sitting), self.notes.lan
                nursery.start_soon(seeking.run, self._before, lan, self._visitor.tell)
            await self._sit(sitting, mesh)
        return self.going.begun

    async def _sit(self, sitting: Sitting, wires: Wires) -> None:
        """One match after the other, as long as everybody wants another."""
        self._sitting = sitting
        pump = Pump(sitting, wires, _AtTable(self._visitor, self.back), self._save)
        following: Table | None = sitting.session.table
        try:
            while following is not None:
                following = await self._match(pump)
        except Exception as error:
            # What is wrong here is nobody's leaving, and may not be wrong the next time.
            self._vanished |= not isinstance(plain(error), Stop)
            raise
        finally:
            # By q, by a signal, or at the end: the others hear it, and need not wonder.
            if not (self._vanished or self.waits()):
                pump.leave()

    async def _match(self, pump: Pump[Sitting]) -> Table | None:
        """One match; the table of the next, if everybody wants one."""
        self._begin(pump)
        self._outcome = await pump.run()
        if self._outcome.kind == "unbegun":
            self._go_back(pump.sitting.session.table, self._outcome.sentence or "")
            return None
        self._keep()
        if self._outcome.kind != "finished":
            return None
        why, seats = self._outcome.sentence, pump.sitting.session.table.seats
        for line in (*([why] if why else []), *fairness(len(seats), str(self.kept))):
            self._visitor.tell(line)
        self._between = True
        return await pump.another() if self._visitor.seat.stays else None

    def _go_back(self, table: Table, why: str) -> None:
        """Nothing was dealt, so there is nothing to keep of it."""
        self._session, self._outcome, self._had_match = None, None, False
        self.going.begun = False
        self._reserve.release()
        self._visitor.store.delete(table.id)
        self._visitor.tell(f"{why} The table fills again; its code is the same.")

    def _begin(self, pump: Pump[Sitting]) -> None:
        self._reserve.hold()
        session = pump.sitting.session
        if not session.returning:
            self.notes = replace(self.notes, match=self.notes.match + self._had_match)
            self._open(session, pump.sitting.agreed)
        self._session, self._wish = session, pump.wish
        self._outcome, self.kept, self._between, self._had_match = None, None, False, True

    def _open(self, session: Session, agreed: Iterable[Word]) -> None:
        """Note that a match begins, how to come back to it, and by what it follows another."""
        table = session.table
        names = [player.name for player in table.players]
        back = None if self._seated is None else self._way_back(session, self._seated)
        store, name = self._visitor.store, self.notes.table
        try:
            store.open_match(table.id, table.description, names, name, back, agreed)
        except StoreError as error:
            # Nobody could come back to it from here: the others hear a leave, and wait for nobody.
            raise Stop(f"{error} {_NO_ROOM}", FAILED) from error

    def _way_back(self, session: Session, seated: Seated) -> WayBack:
        roster, first = encode([one.value() for one in seated.roster]), seated.table.description
        return WayBack(session.seat, first, seated.secret, roster, self._port, self.notes.text())

    def _save(self, batch: Batch) -> None:
        if self._session is None:
            return
        try:
            self._visitor.store.commit(self._session.table.id, batch, self._session.seat)
        except StoreError as error:
            # Nothing that was not stored is sent, and no leave said: it goes on from what is there.
            self._vanished = True
            raise Stop(f"{error} {self._stopped(self._session.table)}", FAILED) from error

    def _stopped(self, table: Table) -> str:
        """Write the record as far as the store has it; what is to be known of the match."""
        self._reserve.release()
        visitor, later = self._visitor, "`allfives resume` goes on with it once there is room"
        home = visitor.home.record_path(table.id)
        try:
            data = encode_record(*hear_again(visitor.store.kept(table.id), table))
            path, _ = keep(self.notes.record_path, home, data)
        except (Stop, NotRestorable):
            return f"The match stops here, unfinished; {later}."
        return f"The match stops here, unfinished; {later}. Its record so far: {path}"

    def _keep(self) -> None:
        """Write the record, however the match ended, and note it in the history; once."""
        self._reserve.release()
        session, visitor = self._session, self._visitor
        self._session = None
        if session is None or self._vanished or self.waits():
            return
        home = visitor.home.record_path(session.table.id)
        try:
            self.kept, self._misplaced = keep(self.notes.record_path, home, session.record())
        except Stop as stop:
            raise Stop(f"{stop.sentence} The match is over, and no record of it is kept.") from None
        if self._misplaced:
            visitor.tell(self._misplaced)
        decided = session.closed or (session.fault is None and session.state.is_decided())
        match = session.state.match
        scores, owners = match.scores, session.table.owners
        running = session.fault is None and not decided
        self._plays_on = running and plays_on(match.rules, match.seats, owners, session.seat)
        left = self._plays_on and self._outcome is None
        state: State = "finished" if decided else "left" if left else "broken"
        try:
            out = {one.seat: one.reason for one in session.state.outs}
            visitor.store.finish(session.table.id, state, scores, self.kept.absolute(), out)
        except StoreError as error:
            said = f"{error} The match is over. Its record: {self.kept}"
            raise Stop(said, FAILED) from error

    def waits(self) -> bool:
        """Whether the match waits, in a pause, for all who go now: they come back another day."""
        return self._sitting is not None and self._sitting.waits

    def _end(self) -> int:
        """The exit code, and the last line of a match that broke off."""
        if self.waits() and not self._vanished:
            self._visitor.tell(_WAITS)
            return DONE
        if self._left is not None:
            ends = "The others play on. Your" if self._plays_on else "The match ends here. Its"
            kept = f" {ends} record: {self.kept}" if self.kept else ""
            raise Stop(f"{self._left}{kept}", FAILED)
        if self._outcome is None:
            # Cancelled from outside, by a signal: cli.process.running says so.
            return FAILED
        if self._outcome.kind == "finished":
            return FAILED if self._misplaced else DONE
        if self._outcome.sentence:
            self._visitor.tell(self._outcome.sentence)
        raise Stop(f"The record of the match: {self.kept}", FAILED)

    def last_words(self) -> str:
        """What a sentence for who was interrupted ends with."""
        if self.waits():
            return "; the match waits, paused, and `allfives resume` takes you back to it."
        if self._plays_on:
            return f"; the others play on. Your record: {self.kept}"
        ended = "the match was over" if self._between else "the match ends here"
        return f"; {ended}. Its record: {self.kept}" if self.kept else "."
