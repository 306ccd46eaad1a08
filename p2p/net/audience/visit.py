"""Coming to look on: in by the host's door, then over a link to one seat, and another when that
breaks."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from types import TracebackType

import trio

from p2p.crypto.randomness import RandomBytes
from p2p.net import errors
from p2p.net.audience.messages import LookOn
from p2p.net.door.joiner import Target, Ticket, prove, reach, ticket_for, written
from p2p.net.link.addresses import dialled
from p2p.net.link.background import Background
from p2p.net.link.dial import Dialled, dial
from p2p.net.link.greeting import LinkAnswer, LinkSecret, LookOpening, WatchOpening
from p2p.net.link.link import STAGE_SECONDS
from p2p.net.link.live import LinkDown, LinkUp, LiveLink, MeshEvent, Received
from p2p.net.link.message import heard, read, whole
from p2p.net.link.peer import LocalPeer
from p2p.net.link.roster import Roster, at_places
from p2p.wire import codec
from p2p.wire.codec import DecodeError
from p2p.wire.framing import CAP_AFTER_PROOF

BUSY_SECONDS = 120.0
BUSY_RETRY = 2.0
# A match that has not begun is asked for again so often.
BEGIN_RETRY = 2.0
FIRST_RETRY = 0.25
LONGEST_RETRY = 4.0
# Payloads not yet judged: what comes at the end of a hand is here before the seat has gone.
EVENTS_MOST = 512


@dataclass(frozen=True)
class Admitted:
    """What the host tells who may look on: the `secret` of the links, and whom to dial."""

    secret: LinkSecret = field(repr=False)
    roster: Roster


async def come_in(
    own: LocalPeer, target: Target, code: str | None, table: str, on_wait: Callable[[str], None]
) -> Admitted:
    """Be let in at the table at `target`, as one joins it; waits until the match there has begun.

    `on_wait` is called before each pause with "busy" or "not-begun". Raises the kinds of
    errors.BadInput and errors.NotSeated.
    """
    ticket = ticket_for(target, code, table)
    until = trio.current_time() + BUSY_SECONDS
    while True:
        try:
            return await _come_in(own, target, ticket)
        except errors.NotBegun:
            on_wait("not-begun")
            await trio.sleep(BEGIN_RETRY)
            until = trio.current_time() + BUSY_SECONDS
        except errors.TableBusy:
            if trio.current_time() > until:
                raise
            on_wait("busy")
            await trio.sleep(BUSY_RETRY)


async def _come_in(own: LocalPeer, target: Target, ticket: Ticket) -> Admitted:
    reached = await reach(target, own)
    try:
        await prove(reached, own, ticket, WatchOpening)
        reached.link.allow(CAP_AFTER_PROOF)
        told = read(heard(await reached.link.hear(codec.MESSAGE, STAGE_SECONDS)), LookOn)
    except (errors.LinkBroken, DecodeError) as error:
        raise errors.TableLost(str(error)) from None
    finally:
        await reached.link.aclose()
    if reached.key not in [one.key for one in told.roster]:
        raise errors.BadTable("a table without its host")
    roster = at_places(told.roster, reached.key, written(target))
    return Admitted(LinkSecret(told.table_id, told.secret), roster)


class Looking:
    """One link at a time to a seat of the table. `async with Looking(own, admitted) as wires:`.

    `events`: LinkUp, LinkDown and Received, each with the place of the seat in the roster.
    """

    def __init__(self, own: LocalPeer, admitted: Admitted) -> None:
        self._own, self._admitted = own, admitted
        self._live: LiveLink | None = None
        self._place = 0
        self._out, self.events = trio.open_memory_channel[MeshEvent](EVENTS_MOST)
        self._background = Background()

    async def __aenter__(self) -> "Looking":
        nursery = await self._background.__aenter__()
        nursery.start_soon(self._keep_dialling)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.events.close()
        await self._background.__aexit__(kind, error, trace)

    def send(self, seat: int, payload: bytes) -> None:
        """Queue a payload for the seat, if that is the one of the link."""
        if self._live is not None and seat == self._place:
            self._live.post(payload)

    def close(self, seat: int, reason: str) -> None:
        """End the link for what came over it; another seat is dialled next."""
        if self._live is not None and seat == self._place:
            self._live.close(reason)

    async def drain(self) -> None:
        """Wait until what is queued is written."""
        if self._live is not None:
            await self._live.flush()

    async def _keep_dialling(self) -> None:
        """The seats in turn, from one drawn by lot on, so that many spread over a table. Between
        rounds the pause grows: whoever is back first is found in one."""
        seats, pause = len(self._admitted.roster), FIRST_RETRY
        place = _drawn(self._own.rng, seats)
        for tried in count(1):
            with suppress(errors.NotSeated, errors.LinkBroken, DecodeError):
                reached = await self._proven(place)
                pause = FIRST_RETRY
                await self._work(place, reached)
            place = (place + 1) % seats
            round_over = tried % seats == 0
            await trio.sleep(pause if round_over else FIRST_RETRY)
            pause = min(2 * pause, LONGEST_RETRY) if round_over else pause

    async def _proven(self, place: int) -> Dialled:
        peer = self._admitted.roster[place]
        places = [one for address in peer.addresses for one in dialled(address)]
        reached = await dial(places, peer.key, self._own.connect)
        try:
            identity, secret = self._own.identity, self._admitted.secret
            name = self._own.neighbour().name
            opening = LookOpening.make(identity, reached.key, reached.nonce, secret, name)
            await reached.link.tell(*whole(opening))
            answer = read(heard(await reached.link.hear(codec.STRANGER)), LinkAnswer)
            answer.check(secret, identity.public, reached.key, reached.nonce)
        except BaseException:
            await reached.link.aclose()
            raise
        return reached

    async def _work(self, place: int, reached: Dialled) -> None:
        async def deliver(payload: bytes) -> None:
            await self._emit(Received(place, payload))

        self._place, self._live = place, LiveLink(reached.link)
        await self._emit(LinkUp(place))
        reason = await self._live.run(deliver)
        self._live = None
        await self._emit(LinkDown(place, str(reason)))

    async def _emit(self, event: MeshEvent) -> None:
        with suppress(trio.BrokenResourceError):
            await self._out.send(event)


def _drawn(rng: RandomBytes, seats: int) -> int:
    return int.from_bytes(rng(8)) % seats
