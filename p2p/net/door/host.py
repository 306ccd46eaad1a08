"""The host's side of a table that fills: seats given and freed, everyone kept told, the start."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import trio

from engine.seats import MAX_SEATS, MIN_SEATS
from p2p.crypto.identity import IdentityKey
from p2p.crypto.randomness import NONCE_BYTES, RandomBytes
from p2p.net.door.admission import Admission, Entrance, Turned
from p2p.net.errors import LinkBroken
from p2p.net.find.code import normal_code
from p2p.net.link.background import Background
from p2p.net.link.greeting import SECRET_BYTES, JoinOpening, check_join, opening_kind
from p2p.net.link.listen import Listeners
from p2p.net.link.live import LiveLink
from p2p.net.link.reception import Reception, Stranger
from p2p.net.link.seats import (
    DESCRIPTION_MOST,
    CheckDescription,
    MakeDescription,
    Roster,
    Rules,
    Seat,
    Seated,
    description_hash,
    in_order,
    parse_seat,
    roster_value,
)
from p2p.session.state.table import BadName, check_name
from p2p.wire import codec
from p2p.wire.codec import DecodeError, decode, encode

READY_SECONDS = 10.0

OnChange = Callable[[Roster], None]
Admit = Callable[[Seat], Awaitable[bool]]


async def everyone(_: Seat) -> bool:
    """The admission of a host who lets in everybody that knows the code."""
    return True


@dataclass
class _Chair:
    """A joiner who was let in: its seat, its link, the description it said to be ready for."""

    seat: Seat
    live: LiveLink = field(repr=False)
    ready: bytes = b""

    def tell(self, *fields: object) -> None:
        self.live.post(encode(fields))


@dataclass(frozen=True)
class _Offer:
    """What the host decided; the same for every joiner."""

    host: Seat
    table_name: str
    rules: Rules
    players: int
    secret: bytes = field(repr=False)
    on_change: OnChange
    admit: Admit


class _Lobby:
    def __init__(self, offer: _Offer, admission: Admission) -> None:
        self._offer = offer
        self._admission = admission
        self._chairs: list[_Chair] = []
        self._started = False
        self._changed = trio.lowlevel.ParkingLot()

    @property
    def roster(self) -> Roster:
        """The host, then the joiners in the order in which they were let in."""
        return (self._offer.host, *(chair.seat for chair in self._chairs))

    @property
    def full(self) -> bool:
        return len(self.roster) >= self._offer.players

    def announce(self) -> None:
        """Tell everybody, the caller too, who is seated now."""
        for chair in self._chairs:
            chair.tell("seated", roster_value(self.roster))
        self._offer.on_change(self.roster)
        self._changed.unpark_all()

    async def unseat(self, key: bytes) -> None:
        """Free the seat of `key`, if it has one, and say so."""
        for chair in [chair for chair in self._chairs if chair.seat.key == key]:
            self._remove(chair)
            await _dismiss(chair, "refused")

    def _remove(self, chair: _Chair) -> None:
        if chair in self._chairs and not self._started:
            self._chairs.remove(chair)
            self.announce()

    async def greet(self, stranger: Stranger) -> None:
        """One stranger from opening to the end of its stay."""
        try:
            seat = await self._proven(stranger)
        except Turned as turned:
            await stranger.link.tell("no", turned.word)
            return
        await self._stay(seat, LiveLink(stranger.link))

    async def _proven(self, stranger: Stranger) -> Seat:
        host_key = self._offer.host.key
        if opening_kind(stranger.opening) == "link":
            raise Turned("table")
        opening = check_join(stranger.opening, host_key, stranger.nonce)
        self._check_room(opening)
        await self._admission.prove(stranger, opening)
        seat = await _introduced(stranger, opening.key)
        # Only now: at an open table anybody gets this far, and could stay here in any number.
        stranger.proven()
        return seat

    def _check_room(self, opening: JoinOpening) -> None:
        if opening.table not in ("", self._offer.table_name):
            raise Turned("table")
        if opening.key == self._offer.host.key:
            raise Turned("same-key")
        if self.full and opening.key not in [seat.key for seat in self.roster]:
            raise Turned("full")

    async def _stay(self, seat: Seat, live: LiveLink) -> None:
        chair = _Chair(seat, live)

        async def hear(payload: bytes) -> None:
            try:
                word, chair.ready = codec.fields(decode(payload, codec.STRANGER), str, bytes)
                if word != "ready":
                    raise DecodeError("something else than its readiness")
            except DecodeError as error:
                raise LinkBroken(f"it sent {error}") from None
            self._changed.unpark_all()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._let_in, chair)
            await live.run(hear)
            nursery.cancel_scope.cancel()
        self._remove(chair)

    async def _let_in(self, chair: _Chair) -> None:
        """Ask the host, then seat; whoever is not seated is told why and its link ended."""
        word = None if await self._offer.admit(chair.seat) else "refused"
        self._replace(chair.seat.key)
        if word is None and self.full:
            word = "full"
        if word is not None:
            await _dismiss(chair, word)
            return
        offer = self._offer
        self._chairs.append(chair)
        facts = [offer.secret, offer.table_name, dict(offer.rules), offer.players]
        chair.tell("welcome", *facts, roster_value(self.roster))
        self.announce()

    def _replace(self, key: bytes) -> None:
        """A person who joins again with the same key takes the place of the stale link."""
        for chair in [chair for chair in self._chairs if chair.seat.key == key]:
            chair.live.close("the same key joined again")
            self._chairs.remove(chair)

    async def agree(self, make: MakeDescription, check: CheckDescription) -> Seated:
        """Wait until full and all are ready for one description, tell them to go, return it."""
        while True:
            while not self.full:
                await self._changed.park()
            roster = self.roster
            description = make(self._offer.rules, roster)
            if len(description) > DESCRIPTION_MOST:
                raise AssertionError("the description is too long")
            order = in_order(roster, check(description, self._offer.rules, roster))
            if await self._all_ready(description, roster):
                break
        await self._go()
        return Seated(description, self._offer.secret, order)

    async def _all_ready(self, description: bytes, roster: Roster) -> bool:
        wanted = description_hash(description)
        for chair in self._chairs:
            chair.tell("start", description, roster_value(roster))
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
                chair.tell("go")
                nursery.start_soon(chair.live.leave)


async def _introduced(stranger: Stranger, key: bytes) -> Seat:
    """Name, nonce and addresses of a proven joiner. Raises Turned, DecodeError, LinkBroken."""
    value = await stranger.link.hear(codec.STRANGER)
    word, name, nonce, addresses = codec.fields(value, str, str, bytes, list)
    if word != "seat":
        raise DecodeError("something else than its name")
    try:
        return parse_seat([key, name, nonce, addresses])
    except BadName:
        raise Turned("name") from None


async def _dismiss(chair: _Chair, word: str) -> None:
    chair.tell("no", word)
    await chair.live.leave()


async def host_table(
    *,
    identity: IdentityKey,
    name: str,
    table_name: str,
    rules: Rules,
    players: int,
    listeners: Listeners,
    code: str | None,
    invite_secret: bytes,
    rng: RandomBytes,
    on_change: OnChange,
    make_description: MakeDescription,
    check_description: CheckDescription,
    admit: Admit = everyone,
    unseat: trio.MemoryReceiveChannel[bytes] | None = None,
) -> Seated:
    """Open a table for `players` (2 to 4, the host included) and return when it starts.

    `code`: None for an open table. `on_change` is called with the roster at every change.
    `admit` decides about each proven joiner (a person may take their time); keys received from
    `unseat` lose their seat. Raises BadName, BadCode for what the host typed.
    """
    if not MIN_SEATS <= players <= MAX_SEATS:
        raise AssertionError(f"a table of {players}")
    host = Seat(identity.public, check_name(name), rng(NONCE_BYTES), listeners.addresses)
    offer = _Offer(
        host, check_name(table_name), rules, players, rng(SECRET_BYTES), on_change, admit
    )
    normal = None if code is None else normal_code(code)
    lobby = _Lobby(offer, Admission(Entrance(identity.public, normal, invite_secret, rng)))
    on_change(lobby.roster)
    async with Background() as nursery:
        nursery.start_soon(Reception(identity, rng, lobby.greet).run, listeners)
        if unseat is not None:
            nursery.start_soon(_unseating, lobby, unseat)
        return await lobby.agree(make_description, check_description)


async def _unseating(lobby: _Lobby, keys: trio.MemoryReceiveChannel[bytes]) -> None:
    async for key in keys:
        await lobby.unseat(key)
