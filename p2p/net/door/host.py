"""The host's side of a table that fills: seats given and freed, everyone kept told, the start."""

from collections.abc import Callable
from dataclasses import dataclass, field

import trio

from p2p.net.door.admission import Admission, Turned
from p2p.net.door.messages import Go, NowSeated, ReadyFor, Start, TakeSeat, Welcome
from p2p.net.door.offer import TableOffer
from p2p.net.door.watch import OnTrouble
from p2p.net.errors import LinkBroken
from p2p.net.link.background import Background
from p2p.net.link.greeting import SECRET_BYTES, JoinOpening, LinkOpening, opening_word
from p2p.net.link.live import LiveLink
from p2p.net.link.message import No, read, whole
from p2p.net.link.peer import LocalPeer
from p2p.net.link.reception import Reception, Stranger
from p2p.net.link.roster import Neighbour, Roster, Seated
from p2p.session.state.table import BadName, Person, Table, check_name
from p2p.wire import codec
from p2p.wire.codec import DecodeError, decode, encode
from p2p.wire.shape import Shape

READY_SECONDS = 10.0

OnChange = Callable[[Roster], None]


@dataclass
class _Chair:
    """A joiner who is proven: its link, and the hash of the description it is ready for."""

    sitter: Neighbour
    live: LiveLink = field(repr=False)
    ready: bytes = b""
    sent_away: trio.Event = field(default_factory=trio.Event)

    def tell(self, message: Shape) -> None:
        self.live.post(encode(whole(message)))


class HostLobby:
    """A table that fills, as its host keeps it. `run` opens it and returns when it starts.

    `on_change` is called with the roster at every change: the host, then the joiners in the order
    in which they were let in; `on_trouble` with a sentence when somebody tries the code in vain.
    Raises BadName, BadCode for what the host typed.
    """

    def __init__(
        self, host: LocalPeer, offer: TableOffer, on_change: OnChange, on_trouble: OnTrouble
    ) -> None:
        check_name(offer.table_name)
        self._host = host
        self._offer = offer
        self._on_change = on_change
        self._me = host.neighbour()
        self._secret = host.rng(SECRET_BYTES)
        self._admission = Admission(host, offer, on_trouble)
        self._chairs: list[_Chair] = []
        self._refused: set[bytes] = set()
        self._started = False
        self._changed = trio.lowlevel.ParkingLot()
        self.partner: bytes | None = None

    async def run(self) -> Seated:
        """Wait until all seats are taken and all are ready for one table; that table."""
        self._on_change(self.roster)
        reception = Reception(self._host.identity, self._host.rng, self._greet)
        async with Background() as nursery:
            nursery.start_soon(reception.run, self._host.listeners)
            return await self._agree()

    def refuse(self, key: bytes) -> None:
        """Send the holder of a key away, now and whenever it comes again."""
        self._refused.add(key)
        for chair in self._chairs_of(key):
            chair.sent_away.set()

    def sit_with(self, key: bytes | None) -> None:
        """Where partners play: who of the roster sits opposite the host; None: by lot."""
        self.partner = key if key in [one.key for one in self.roster] else None

    @property
    def roster(self) -> Roster:
        """Who is seated now."""
        return (self._me, *(chair.sitter for chair in self._chairs))

    @property
    def _full(self) -> bool:
        return len(self.roster) >= self._offer.rules.players

    def _chairs_of(self, key: bytes) -> list[_Chair]:
        return [chair for chair in self._chairs if chair.sitter.key == key]

    def _announce(self) -> None:
        """Tell everybody, the host too, who is seated now."""
        for chair in self._chairs:
            chair.tell(NowSeated(self.roster))
        # A partner who has left is none any more, not even after coming again.
        self.sit_with(self.partner)
        self._on_change(self.roster)
        self._changed.unpark_all()

    def _remove(self, chair: _Chair) -> None:
        if chair in self._chairs and not self._started:
            self._chairs.remove(chair)
            self._announce()

    async def _greet(self, stranger: Stranger) -> None:
        """One stranger from opening to the end of its stay."""
        try:
            sitter = await self._proven(stranger)
        except Turned as turned:
            await stranger.link.tell(*whole(No(turned.word)))
            return
        await self._stay(_Chair(sitter, LiveLink(stranger.link)))

    async def _proven(self, stranger: Stranger) -> Neighbour:
        if opening_word(stranger.opening) == LinkOpening.kind:
            raise Turned("table")
        opening = read(stranger.opening, JoinOpening)
        opening.check(self._me.key, stranger.nonce)
        self._check_room(opening)
        await self._admission.prove(stranger, opening)
        sitter = await _introduced(stranger, opening.key)
        # Only now: at an open table anybody gets this far, and could stay here in any number.
        stranger.proven()
        return sitter

    def _check_room(self, opening: JoinOpening) -> None:
        if opening.table not in ("", self._offer.table_name):
            raise Turned("table")
        if opening.key == self._me.key:
            raise Turned("same-key")
        if self._full and not self._chairs_of(opening.key):
            raise Turned("full")

    async def _stay(self, chair: _Chair) -> None:
        async def hear(payload: bytes) -> None:
            try:
                chair.ready = read(decode(payload, codec.STRANGER), ReadyFor).hash
            except DecodeError as error:
                raise LinkBroken(f"it sent {error}") from None
            self._changed.unpark_all()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._seat, chair)
            await chair.live.run(hear)
            nursery.cancel_scope.cancel()
        self._remove(chair)

    async def _seat(self, chair: _Chair) -> None:
        """Seat a joiner until it is sent away; whoever may not stay is told why."""
        word = self._take_place(chair)
        if word is None:
            await chair.sent_away.wait()
            self._remove(chair)
            word = "refused"
        chair.tell(No(word))
        await chair.live.leave()

    def _take_place(self, chair: _Chair) -> str | None:
        """Seat a joiner, or a word why not."""
        # A person who joins again with the same key takes the place of the stale link.
        for stale in self._chairs_of(chair.sitter.key):
            stale.live.close("the same key joined again")
            self._chairs.remove(stale)
        if chair.sitter.key in self._refused:
            return "refused"
        if self._full:
            return "full"
        self._chairs.append(chair)
        name, rules = self._offer.table_name, self._offer.rules
        chair.tell(Welcome(self._secret, name, rules.spell(), rules.players, self.roster))
        self._announce()
        return None

    async def _agree(self) -> Seated:
        """Wait until full and all are ready for one table, tell them to go, return it."""
        while True:
            while not self._full:
                await self._changed.park()
            roster = self.roster
            seated = self._seated(roster)
            if await self._all_ready(seated.table.description, roster):
                break
        await self._go()
        return seated

    def _seated(self, roster: Roster) -> Seated:
        """The table of these people, judged as every joiner will judge it."""
        rules, people = self._offer.rules, tuple(one.person for one in roster)
        side = () if self.partner is None else (self._me.key, self.partner)
        table = Table.seat_people(rules, people, side)
        return Seated.check(table.description, rules, roster, self._secret)

    async def _all_ready(self, description: bytes, roster: Roster) -> bool:
        wanted = ReadyFor.of(description).hash
        for chair in self._chairs:
            chair.tell(Start(description, roster))
        with trio.move_on_after(READY_SECONDS):
            while self.roster == roster:
                if all(chair.ready == wanted for chair in self._chairs):
                    return True
                await self._changed.park()
            return False
        for chair in [chair for chair in self._chairs if chair.ready != wanted]:
            chair.live.close("it was not ready in time")
            self._remove(chair)
        return False

    async def _go(self) -> None:
        """From here on a joiner that leaves is absent, not unseated."""
        self._started = True
        async with trio.open_nursery() as nursery:
            for chair in self._chairs:
                chair.tell(Go())
                nursery.start_soon(chair.live.leave)


async def _introduced(stranger: Stranger, key: bytes) -> Neighbour:
    """Who a proven joiner is. Raises Turned, DecodeError, LinkBroken."""
    said = read(await stranger.link.hear(codec.STRANGER), TakeSeat)
    try:
        person = Person(key, check_name(said.name), said.nonce)
    except BadName:
        raise Turned("name") from None
    return Neighbour(person, said.addresses)
