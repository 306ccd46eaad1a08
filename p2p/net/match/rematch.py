"""Another match of the same people over the same links, once everybody has asked for it.

Who asks says a fresh nonce for the next table. When all nonces are there, everybody makes the same
table description of them; nobody hands it out.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

import trio

from p2p.net.errors import NoRematch
from p2p.net.link.live import LinkDown, MeshEvent, Received
from p2p.net.match.wires import Wires
from p2p.session.session import Session
from p2p.session.state.errors import Suspicion
from p2p.session.state.table import Table
from p2p.wire.codec import DecodeError
from p2p.wire.talk import Again, Chat, Done, encode_talk

# What somebody may say at the next table before the last of us has heard that it is open: the
# agreement of each seat, and a few lines.
MAX_EARLY_A_SEAT = 16

HearChat = Callable[[Chat, bytes], None]


class Rematch:
    """What the seats of one match say about another. `asked` is called with each other seat that
    asks for it."""

    def __init__(self, session: Session, wires: Wires, asked: Callable[[int], None]) -> None:
        self._session = session
        self._wires = wires
        self._asked = asked
        self._nonces: dict[int, bytes] = {}
        self._kept: list[MeshEvent] = []
        self._open: trio.CancelScope | None = None

    def ask(self, nonce: bytes) -> None:
        """The owner wants another match; `nonce`: 32 fresh random bytes. Once is enough."""
        if self._session.seat not in self._nonces:
            self._nonces[self._session.seat] = nonce
            self._say()

    def hear(self, seat: int, nonce: bytes) -> None:
        """A seat wants another match. Raises Suspicion: too early, or two nonces."""
        if not self._session.closed:
            raise Suspicion("a wish for another match before this one was closed")
        if seat not in self._nonces:
            self._nonces[seat] = nonce
            self._asked(seat)
            self._look()
        elif self._nonces[seat] != nonce:
            raise Suspicion("a second nonce for the next match")

    async def agreed(
        self, unread: Iterable[MeshEvent], linked: Collection[int], chat: HearChat
    ) -> "Reseated":
        """Wait until all have asked; the links for the next match. Raises NoRematch.

        `unread` are events taken from the wires and not looked at; `linked` the seats with links.
        """
        gone = [seat for seat in self._others if seat not in linked]
        if gone or not self._session.closed:
            raise self._impossible(gone)
        with trio.CancelScope() as self._open:
            self._say()
            for event in unread:
                self._take(event, chat)
            while True:
                self._take(await self._wires.events.receive(), chat)
        return Reseated(self._wires, self._session.table, self._table(), self._kept)

    @property
    def _others(self) -> list[int]:
        return [seat for seat in self._session.table.seats if seat != self._session.seat]

    def _impossible(self, gone: list[int]) -> NoRematch:
        players = self._session.table.players
        return NoRematch([players[seat].name for seat in gone])

    def _say(self) -> None:
        """The own wish, once the match is over for this seat and the owner has it."""
        own = self._nonces.get(self._session.seat)
        if self._open is not None and own is not None:
            for seat in self._others:
                self._wires.send(seat, encode_talk(Again(own)))
            self._look()

    @property
    def _complete(self) -> bool:
        return set(self._nonces) == set(self._session.table.seats)

    def _look(self) -> None:
        if self._open is not None and self._complete:
            self._open.cancel()

    def _take(self, event: MeshEvent, chat: HearChat) -> None:
        if isinstance(event, Received):
            try:
                self._hear(event, chat)
            except (DecodeError, Suspicion) as error:
                self._wires.close(event.seat, f"it sent {error}")
        elif self._complete:
            self._kept.append(event)
        elif isinstance(event, LinkDown):
            raise self._impossible([event.seat])

    def _hear(self, event: Received, chat: HearChat) -> None:
        """What a seat says now is about the past, or, once it has asked, about the next match."""
        try:
            talk = self._session.understand(event.payload)
        except DecodeError:
            if event.seat not in self._nonces:
                raise
            self._keep(event)
            return
        if isinstance(talk, Again):
            self.hear(event.seat, talk.nonce)
        elif isinstance(talk, Chat):
            chat(talk, event.payload)
        elif not isinstance(talk, Done) and event.seat in self._nonces:
            self._keep(event)

    def _keep(self, event: Received) -> None:
        early = [one for one in self._kept if one.seat == event.seat]
        if len(early) >= MAX_EARLY_A_SEAT:
            raise Suspicion("too much before the next match was open")
        self._kept.append(event)

    def _table(self) -> Table:
        """The next table: same rules and people, with partners the same sides."""
        before = self._session.table
        people = tuple(
            replace(person, nonce=self._nonces[seat]) for seat, person in enumerate(before.people)
        )
        side = [person.key for person in people[::2]] if before.rules.partners else ()
        return Table.seat_people(before.rules, people, side)


class _Events(trio.abc.ReceiveChannel[MeshEvent]):
    """First what came early, then what comes over the wires; `seats`: by old seat the new one."""

    def __init__(self, wires: Wires, early: Iterable[MeshEvent], seats: list[int]) -> None:
        self._inner = wires.events
        self._early = deque(early)
        self._seats = seats

    async def receive(self) -> MeshEvent:
        """The next event."""
        if self._early:
            await trio.lowlevel.checkpoint()
            event = self._early.popleft()
        else:
            event = await self._inner.receive()
        return replace(event, seat=self._seats[event.seat])

    async def aclose(self) -> None:
        """Stop listening."""
        await self._inner.aclose()


class Reseated:
    """The links of one table as those of the next, `table`: same people, other seats."""

    def __init__(
        self, wires: Wires, before: Table, table: Table, early: Iterable[MeshEvent]
    ) -> None:
        self.table = table
        self._wires = wires
        self._old = [before.seat_of(person.key) for person in table.people]
        new = [table.seat_of(person.key) for person in before.people]
        self.events: trio.abc.ReceiveChannel[MeshEvent] = _Events(wires, early, new)

    def send(self, seat: int, payload: bytes) -> None:
        """Queue a payload for a seat."""
        self._wires.send(self._old[seat], payload)

    def close(self, seat: int, reason: str) -> None:
        """End the link to a seat."""
        self._wires.close(self._old[seat], reason)

    async def drain(self) -> None:
        """Wait until what is queued is written."""
        await self._wires.drain()
