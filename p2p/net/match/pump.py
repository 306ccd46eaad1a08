"""Running a match: bytes between mesh and session, decisions in, events out. It judges nothing.

One input at a time goes through the session, in a worker thread, since proofs take up to 0.1 s.
What comes out is stored first, then sent, then shown.
"""

import hashlib
import math
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import trio

from engine.errors import IllegalMove
from engine.hand import Move
from engine.strategy.view import SeatView
from engine.wording import listed
from p2p.net.link.live import LinkDown, LinkUp, MeshEvent, Received
from p2p.net.match.pausing import Pause, Pausing
from p2p.net.match.rematch import Rematch, Reseated
from p2p.net.match.wires import Wires
from p2p.session.session import Batch, Output, Session
from p2p.session.state.errors import Suspicion
from p2p.session.state.events import SessionEvent
from p2p.wire.codec import DecodeError
from p2p.wire.talk import Again, Chat, Done, Paused, Said, Stopped, encode_talk

# Messages that need no person are due within this while their sender is connected.
DUE_SECONDS = 30.0
# How long a peer that has everything waits for those who do not yet.
FAREWELL_SECONDS = 10.0
# Of one seat; more lines than this are not shown, so that chat cannot fill our memory.
MAX_CHATS_A_SEAT = 10_000
# Messages that a seat is known to have. All seats together are some dozen messages apart at most.
MAX_KNOWN_A_SEAT = 512


@dataclass(frozen=True)
class Outcome:
    """How a match ended for this seat: "finished", "fault" or "broken", and a sentence for people.

    The exit code is 0 for finished and 1 else.
    """

    kind: str
    sentence: str | None = None


@dataclass(frozen=True)
class Chosen:
    """The owner's decision: a move, or a claim where `move` is None; `auto` if a clock made it."""

    move: Move | None
    claim: int = 0
    auto: bool = False


@dataclass(frozen=True)
class Owner:
    """What the owner of a seat does. `save` runs before anything of a batch is sent.

    `choose` decides a move, or a claim where the view awaits one, and may be cancelled at any
    time. A decision that breaks a rule is not made: `refused` gets the reason, and `choose` is
    asked again. `publish` gets the events in order, `heard` lines of chat, `asked` each other seat
    that wants another match, `paused` each change of who wants a pause, `linked` what happens to
    links.
    """

    save: Callable[[Batch], None]
    choose: Callable[[SeatView], Awaitable[Chosen]]
    publish: Callable[[SessionEvent], None]
    heard: Callable[[Chat], None]
    asked: Callable[[int], None]
    paused: Callable[[Pausing], None]
    linked: Callable[[LinkUp | LinkDown], None]
    refused: Callable[[IllegalMove], None]


class _Known:
    """The messages that a seat has. Only the latest are remembered, and by their hash, so that
    nobody fills our memory; of one that was forgotten the seat gets a copy that it does not need.
    """

    def __init__(self) -> None:
        self._hashes: OrderedDict[bytes, None] = OrderedDict()

    def add(self, data: bytes) -> bool:
        """Note a message; False if it was noted before."""
        digest = hashlib.sha256(data).digest()
        fresh = digest not in self._hashes
        self._hashes[digest] = None
        if len(self._hashes) > MAX_KNOWN_A_SEAT:
            self._hashes.popitem(last=False)
        return fresh


Work = Callable[[Callable[[], Output]], Awaitable[Output]]


async def in_thread(job: Callable[[], Output]) -> Output:
    """Run a job of the session in a worker thread: others may run meanwhile."""
    return await trio.to_thread.run_sync(job)


class Pump:
    """One seat's match over a mesh. `run` returns when it has ended, however it ended."""

    def __init__(
        self, session: Session, wires: Wires, owner: Owner, work: Work = in_thread
    ) -> None:
        self.session = session
        self._work = work
        self._wires = wires
        self._owner = owner
        self._feed, self._inbox = trio.open_memory_channel[MeshEvent | Chosen](0)
        self._linked = {seat for seat in session.table.seats if seat != session.seat}
        self._done: set[int] = set()
        self._known = {seat: _Known() for seat in self._linked}
        self._chats: dict[int, set[int]] = {seat: set() for seat in session.table.seats}
        self._unread: MeshEvent | None = None
        self._asking: trio.CancelScope | None = None
        self._outcome: Outcome | None = None
        self._due_at = math.inf
        self._nap = trio.CancelScope()
        self._farewell = False
        self._pause = Pause(session.table.seats)
        self.rematch = Rematch(session, wires, owner.asked)

    async def run(self) -> Outcome:
        """Play until the match has ended for this seat."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._pass_on_mesh_events)
            await self._give(nursery, await self._work(self.session.start))
            while self._outcome is None:
                await self._step(nursery)
            nursery.cancel_scope.cancel()
        await self._wires.drain()
        return self._outcome

    @property
    def repeatable(self) -> bool:
        """After `run`: whether everybody is still there to be asked for another match."""
        return self.session.closed and len(self._linked) == len(self.session.table.seats) - 1

    async def another(self) -> Reseated:
        """After `run`: wait until all have asked for another match; its links. Raises NoRematch."""
        unread = [] if self._unread is None else [self._unread]
        return await self.rematch.agreed(unread, self._linked, self._hear_chat)

    def chat(self, words: str) -> Chat:
        """Say a line to everybody. ValueError (one sentence) for words that cannot be sent."""
        chat = self.session.chat(len(self._chats[self.session.seat]), words)
        self._chats[chat.seat].add(chat.number)
        self._tell(encode_talk(chat))
        return chat

    def pause(self, on: bool) -> None:
        """Say that the owner wants a pause, or wants it no longer and ends it."""
        if not self.session.finished:
            word, change = self._pause.say(self.session.seat, on)
            self._tell(encode_talk(word))
            self._paused(change)

    def _paused(self, change: Pausing) -> None:
        """Nobody's time runs while the pause is on."""
        if change.on != change.was_on:
            self._due_at = self._nap.deadline = self._deadline()
        self._owner.paused(change)

    async def _pass_on_mesh_events(self) -> None:
        async for event in self._wires.events:
            # Whatever this task holds when the match ends is the first to be heard afterwards.
            self._unread = event
            await self._feed.send(event)
            self._unread = None

    async def _step(self, nursery: trio.Nursery) -> None:
        """One event, or the end of somebody's time."""
        event: MeshEvent | Chosen | None = None
        with trio.move_on_at(self._due_at) as self._nap:
            event = await self._inbox.receive()
        if event is None:
            self._time_is_up()
        elif isinstance(event, Received):
            await self._hear(nursery, event)
        elif isinstance(event, Chosen):
            await self._choose(nursery, event)
        else:
            self._owner.linked(event)
            if isinstance(event, LinkDown):
                self._lose(event)
        self._settle()

    async def _choose(self, nursery: trio.Nursery, chosen: Chosen) -> None:
        """Make the owner's decision, unless a fault has ended the match meanwhile."""
        self._asking = None
        if self.session.decision() is None and not self.session.claim_due():
            return
        try:
            output = await self._work(lambda: self._act(chosen))
        except IllegalMove as refusal:
            self._owner.refused(refusal)
            self._ask(nursery)
        else:
            await self._give(nursery, output)

    def _act(self, chosen: Chosen) -> Output:
        if chosen.move is None:
            return self.session.claim(chosen.claim)
        return self.session.act(chosen.move, chosen.auto)

    async def _hear(self, nursery: trio.Nursery, event: Received) -> None:
        """A payload of a linked seat; what nobody signed ends that link."""
        try:
            talk = self.session.understand(event.payload)
            if isinstance(talk, Said):
                self._known[event.seat].add(talk.data)
                await self._give(nursery, await self._work(lambda: self.session.receive(talk.data)))
            elif isinstance(talk, Done):
                self._done.add(event.seat)
            elif isinstance(talk, Again):
                self.rematch.hear(event.seat, talk.nonce)
            elif isinstance(talk, Paused):
                self._hear_pause(event.seat, talk)
            elif isinstance(talk, Stopped):
                self._hear_stop(event.seat, talk.seat)
            else:
                self._hear_chat(talk, event.payload)
        except (DecodeError, Suspicion) as error:
            self._wires.close(event.seat, f"it sent {error}")

    def _hear_pause(self, seat: int, word: Paused) -> None:
        change = self._pause.hear(seat, word)
        if change is not None and not self.session.finished:
            self._paused(change)

    def _hear_stop(self, seat: int, lost: int) -> None:
        """Another seat stops: the one that it lost is the one to be named, not itself."""
        if not self.session.finished and not self.session.state.is_decided():
            self._tell(encode_talk(Stopped(lost)))
            whom = "you" if lost == self.session.seat else self._name(lost)
            self._break_off(f"{self._name(seat)} has lost the link to {whom}")

    def _hear_chat(self, chat: Chat, payload: bytes) -> None:
        heard = self._chats[chat.seat]
        if chat.number not in heard and len(heard) < MAX_CHATS_A_SEAT:
            heard.add(chat.number)
            self._owner.heard(chat)
            self._tell(payload)

    async def _give(self, nursery: trio.Nursery, output: Output) -> None:
        """Store, then send, then show; then ask the owner if it is to decide."""
        self._owner.save(output.batch)
        for data in output.send:
            self._spread(data)
        for event in output.events:
            self._owner.publish(event)
        if output.batch.messages:
            self._due_at = self._deadline()
        self._ask(nursery)

    def _spread(self, data: bytes) -> None:
        """Send a message to every linked seat that is not known to have it: everyone passes on
        what it has, so nobody can show two seats two different things unnoticed."""
        payload = encode_talk(Said(data))
        for seat in self._linked:
            if self._known[seat].add(data):
                self._wires.send(seat, payload)

    def _tell(self, payload: bytes) -> None:
        for seat in self._linked:
            self._wires.send(seat, payload)

    def _deadline(self) -> float:
        finished, on = self.session.finished, self._pause.on
        waits = finished or on or self.session.waiting().for_person
        return math.inf if waits else trio.current_time() + DUE_SECONDS

    def _ask(self, nursery: trio.Nursery) -> None:
        """Have the owner decide, if it must and is not at it."""
        due = self.session.decision() is not None or self.session.claim_due()
        if due and self._asking is None:
            self._asking = trio.CancelScope()
            nursery.start_soon(self._decide, self._asking)
        elif not due and self._asking is not None:
            self._asking.cancel()

    async def _decide(self, scope: trio.CancelScope) -> None:
        with scope:
            chosen = await self._owner.choose(self.session.view())
            await self._pause.over()
            await self._feed.send(chosen)

    def _lose(self, event: LinkDown) -> None:
        """Without one of its seats an undecided match stops."""
        self._linked.discard(event.seat)
        if self.session.finished:
            return
        name = self._name(event.seat)
        if self.session.state.is_decided():
            self._outcome = Outcome("finished", f"{name} left before signing the result.")
        else:
            self._tell(encode_talk(Stopped(event.seat)))
            self._break_off(f"The link to {name} is gone ({event.reason})")

    def _time_is_up(self) -> None:
        """The others have had their time: to say what is due, or to get the whole record."""
        if self.session.finished:
            self._outcome = self._final()
            return
        late = [seat for seat in self.session.waiting().seats if seat in self._linked]
        if not late:
            # Only the own owner is waited for, who need not fear its own clock.
            self._due_at = math.inf
            return
        names = listed([self._name(seat) for seat in late])
        self._break_off(f"Nothing came from {names} for {DUE_SECONDS:g} seconds")

    def _break_off(self, what: str) -> None:
        sentence = f"{what}, so the match stops here, undecided. Its record so far is kept."
        self._outcome = Outcome("broken", sentence)

    def _settle(self) -> None:
        """At the end, tell everybody that the record is whole, and wait for the same from them."""
        if self._outcome is not None or not self.session.finished:
            return
        if not self._farewell:
            self._farewell = True
            self._due_at = trio.current_time() + FAREWELL_SECONDS
            digest = hashlib.sha256(self.session.record()).digest()
            self._tell(encode_talk(Done(digest)))
        if self._linked <= self._done:
            self._outcome = self._final()

    def _final(self) -> Outcome:
        fault = self.session.fault
        if fault is None:
            return Outcome("finished")
        name = self._name(fault.seat)
        return Outcome("fault", f"{name} broke the protocol: {fault.what}. The record proves it.")

    def _name(self, seat: int) -> str:
        return self.session.table.players[seat].name
