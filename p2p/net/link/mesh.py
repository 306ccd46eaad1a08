"""Every peer linked to every other: both dial, the lower seat of a pair decides which link is used.

For each pair exactly one side has a say, so both never keep different links:
- a link that the lower seat dialled counts once it has said "use";
- a link that the higher seat dialled counts once the lower one has answered "linked".
The lower seat refuses a second link while it has one, unless the other process is a new one (its
`run` differs), or nothing has come over the old link for 3 s: a peer that came back replaces its
stale link at once, and a path that is dead is left for another before it is given up.

Who sends what no honest peer sends, or more than any table needs, is not dialled again at once, nor
taken.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType

import trio

from p2p.net.errors import LinkBroken, LinkFlooded, NotSeated
from p2p.net.link import greeting
from p2p.net.link.addresses import dialled
from p2p.net.link.background import Background
from p2p.net.link.dial import Dialled, dial
from p2p.net.link.link import Link
from p2p.net.link.live import (
    LEAVE_SECONDS,
    QUIET_SECONDS,
    LinkDown,
    LinkUp,
    LiveLink,
    MeshEvent,
    Received,
)
from p2p.net.link.message import No, heard, read, whole
from p2p.net.link.peer import LocalPeer
from p2p.net.link.reception import Beside, Gate, Reception, Stranger
from p2p.net.link.roster import Seated
from p2p.net.link.waiting import Waiting
from p2p.wire import codec
from p2p.wire.codec import DecodeError
from p2p.wire.shape import Shape

DRAIN_SECONDS = 5.0
LEAVE_MARGIN = 0.5
# The higher seat lets the lower one dial first; then both try, ever more slowly.
POLITE_SECONDS = 1.0
FIRST_RETRY = 0.25
LONGEST_RETRY = 8.0
# Beside a link that is quiet.
QUIET_RETRY = 1.0
# How long a seat is left alone whose link was ended for what came over it; then ever longer.
FIRST_SHUN = 10.0
LONGEST_SHUN = 300.0
# Payloads not yet taken by the session; beyond these the links wait, and TCP holds the peers back.
EVENTS_MOST = 64


@dataclass(frozen=True)
class _Claim:
    """The link that is, or is about to be, the one to a seat, and the process at its other end."""

    live: LiveLink
    run: bytes


class Mesh:
    """The links of one seat. `async with Mesh(own, seated) as mesh:`; all ends with the block.
    `beside` sees to those who want to look on; without it nobody may.

    `events`: LinkUp, LinkDown and Received in the order they happened. A link that breaks is
    dialled again as long as the mesh lives.
    """

    def __init__(self, own: LocalPeer, seated: Seated, beside: Beside | None = None) -> None:
        self._peer = own
        self._own_key = own.identity.public
        self._secret = greeting.LinkSecret(seated.table.id, seated.secret)
        self._roster = seated.roster
        self._own = seated.table.seat_of(self._own_key)
        self._others = [seat for seat in seated.table.seats if seat != self._own]
        self._seat_of = {self._roster[seat].key: seat for seat in self._others}
        self._run_id = own.rng(greeting.RUN_BYTES)
        self._beside = beside
        give_way = beside.give_way if beside is not None else lambda: None
        self._reception = Reception(
            own.identity, own.rng, self._greet, gate=Gate(), give_way=give_way
        )
        self._elsewhere: dict[int, tuple[str, ...]] = {}
        self._links: dict[int, LiveLink] = {}
        self._claims: dict[int, _Claim] = {}
        self._waiting = Waiting()
        self._shunned = dict.fromkeys(self._others, 0.0)
        self._shuns = dict.fromkeys(self._others, 0)
        self._locks = {seat: trio.Lock() for seat in self._others}
        self._changed = trio.lowlevel.ParkingLot()
        self._out, self.events = trio.open_memory_channel[MeshEvent](EVENTS_MOST)
        self._background = Background()
        self._nursery: trio.Nursery

    async def __aenter__(self) -> "Mesh":
        self._nursery = nursery = await self._background.__aenter__()
        nursery.start_soon(self._reception.run, self._peer.listeners)
        for seat in self._others:
            nursery.start_soon(self._keep_dialling, seat)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            # Also while being cancelled: that one leaves is the last that is said.
            with trio.move_on_after(LEAVE_SECONDS + LEAVE_MARGIN, shield=True):
                await self._leave()
        finally:
            await self._background.__aexit__(kind, error, trace)

    async def _leave(self) -> None:
        """Let every peer read all that was sent to it; nothing more is taken in."""
        self.events.close()
        async with trio.open_nursery() as nursery:
            for live in list(self._links.values()):
                nursery.start_soon(live.leave)

    @property
    def missing(self) -> tuple[int, ...]:
        """The seats without a link now."""
        return tuple(seat for seat in self._others if seat not in self._links)

    def dial_at(self, key: bytes, places: tuple[str, ...]) -> None:
        """Where the holder of a key may be too, beside where it was: in place of what was said of
        that before."""
        self._elsewhere[self._seat_of[key]] = places
        self._changed.unpark_all()

    def send(self, seat: int, payload: bytes) -> None:
        """Queue at most 64 KiB for a seat; never blocks.

        To a seat without a link it goes nowhere: after each LinkUp both sides say what they hold.
        """
        live = self._links.get(seat)
        if live is not None:
            live.post(payload)

    def close(self, seat: int, reason: str) -> None:
        """End the link to a seat, if there is one, for what came over it; `reason` is one clause.
        The seat is left alone for a while."""
        live = self._links.get(seat)
        if live is not None:
            if seat in self._shunned:
                self._shun(seat)
            live.close(reason)

    def _shun(self, seat: int) -> None:
        wait = min(FIRST_SHUN * 2 ** self._shuns[seat], LONGEST_SHUN)
        self._shuns[seat] += 1
        self._shunned[seat] = trio.current_time() + wait

    async def drain(self, seconds: float = DRAIN_SECONDS) -> None:
        """Wait until all that was queued for seats is written, or its link gone; at most
        `seconds`."""
        with trio.move_on_after(seconds):
            for live in [self._links[seat] for seat in self._others if seat in self._links]:
                await live.flush()

    async def _greet(self, stranger: Stranger) -> None:
        """The dialled side: a late joiner is told so, a seat of this table is linked."""
        tell, nonce = stranger.link.tell, stranger.nonce
        word = greeting.opening_word(stranger.opening)
        if word in (greeting.WatchOpening.kind, greeting.LookOpening.kind):
            if self._beside is None:
                await tell(*whole(No("no-watch")))
            else:
                await self._beside.greet(stranger, self._admit)
            return
        if word == greeting.JoinOpening.kind:
            read(stranger.opening, greeting.JoinOpening).check(self._own_key, nonce)
            await tell(*whole(No("started")))
            return
        opening = read(stranger.opening, greeting.LinkOpening)
        if opening.table_id != self._secret.table_id:
            await tell(*whole(No("table")))
            return
        opening.check(self._own_key, nonce, self._secret)
        seat = self._seat_of.get(opening.key)
        if seat is None:
            raise LinkBroken("its key has no seat at this table")
        if trio.current_time() < self._shunned[seat]:
            await tell(*whole(No("later")))
            return
        if self._own < seat and not self._free(seat, opening.run):
            await tell(*whole(No("linked")))
            return
        stranger.proven()
        answer = greeting.LinkAnswer.make(
            self._secret, opening.key, self._own_key, nonce, self._run_id
        )
        with self._waiting.wait(seat) as taken:
            say: Shape | None = answer
            if self._own > seat:
                await tell(*whole(answer))
                read(await stranger.link.hear(codec.STRANGER), greeting.Use)
                say = None
            claim = self._claim(seat, stranger.link, opening.run)
            await self._use(seat, stranger.link, claim, say, taken)

    async def _keep_dialling(self, seat: int) -> None:
        """While there is no link to `seat`, or a quiet one, try to make one."""
        first = POLITE_SECONDS if self._own > seat else 0.0
        pause = first
        while True:
            claim = self._claims.get(seat)
            if claim is None:
                wait = max(pause, self._shunned[seat] - trio.current_time())
                known = self._elsewhere.get(seat)
                with trio.move_on_after(wait):
                    await self._changed.park()
                    if (
                        self._elsewhere.get(seat) == known
                        or trio.current_time() < self._shunned[seat]
                    ):
                        continue
                pause = min(max(2 * pause, FIRST_RETRY), LONGEST_RETRY)
            else:
                pause = max(first, FIRST_RETRY)
                if not await self._is_quiet(seat, claim):
                    continue
            with suppress(NotSeated, LinkBroken, DecodeError):
                await self._dial(seat)
            if claim is not None:
                await trio.sleep(QUIET_RETRY)

    async def _is_quiet(self, seat: int, claim: _Claim) -> bool:
        """Wait until the link of a claim is quiet; False if it is gone before."""
        while self._claims.get(seat) is claim:
            left = QUIET_SECONDS - claim.live.quiet
            if left <= 0:
                return True
            with trio.move_on_after(left):
                await self._changed.park()
        return False

    async def _dial(self, seat: int) -> None:
        """The dialler's side: prove, be answered, and as the lower seat say which link is used.
        A link that is used works on by itself."""
        peer = self._roster[seat]
        where = dict.fromkeys((*peer.addresses, *self._elsewhere.get(seat, ())))
        places = [place for one in where for place in dialled(one)]
        reached = await dial(places, peer.key, self._peer.connect)
        try:
            run = await self._prove(reached)
        except BaseException:
            await reached.link.aclose()
            raise
        if self._own < seat and not self._free(seat, run):
            await reached.link.aclose()
            return
        claim = self._claim(seat, reached.link, run)
        say = greeting.Use() if self._own < seat else None
        self._nursery.start_soon(self._work_off, seat, reached.link, claim, say)

    async def _work_off(self, seat: int, link: Link, claim: _Claim, say: Shape | None) -> None:
        """A link that this side has dialled, to its end."""
        try:
            with suppress(LinkBroken):
                await self._use(seat, link, claim, say)
        finally:
            await link.aclose()

    async def _prove(self, reached: Dialled) -> bytes:
        """Both proofs of a dialled link; returns the other process's run."""
        nonce = reached.nonce
        identity = self._peer.identity
        opening = greeting.LinkOpening.make(
            identity, reached.key, nonce, self._secret, self._run_id
        )
        await reached.link.tell(*whole(opening))
        answer = read(heard(await reached.link.hear(codec.STRANGER)), greeting.LinkAnswer)
        answer.check(self._secret, self._own_key, reached.key, nonce)
        return answer.run

    def _free(self, seat: int, run: bytes) -> bool:
        """Whether this side, the lower seat of the pair, lets a new link take its place."""
        claim = self._claims.get(seat)
        return claim is None or claim.run != run or claim.live.quiet >= QUIET_SECONDS

    def _claim(self, seat: int, link: Link, run: bytes) -> _Claim:
        """Take `link` from this moment on."""
        claim = _Claim(LiveLink(link), run)
        stale = self._claims.get(seat)
        self._claims[seat] = claim
        if stale is not None:
            stale.live.close("a new link took its place")
        return claim

    async def _use(
        self,
        seat: int,
        link: Link,
        claim: _Claim,
        say: Shape | None = None,
        taken: Callable[[], None] = lambda: None,
    ) -> None:
        """Say to the other side that its link is taken, and work until it ends.

        `taken` is called when the work begins.
        """
        try:
            if say is not None:
                await link.tell(*whole(say))
            # The task of the stale link holds the lock until its LinkDown is out.
            async with self._locks[seat]:
                if self._claims.get(seat) is claim:
                    taken()
                    await self._work(seat, claim.live)
        finally:
            if self._claims.get(seat) is claim:
                del self._claims[seat]
            self._changed.unpark_all()

    async def _work(self, seat: int, live: LiveLink) -> None:
        reason = await self._live_off(seat, live, "")
        if isinstance(reason, LinkFlooded):
            self._shun(seat)

    async def _admit(self, place: int, name: str, live: LiveLink) -> None:
        await self._live_off(place, live, name)

    async def _live_off(self, place: int, live: LiveLink, name: str) -> LinkBroken:
        async def deliver(payload: bytes) -> None:
            await self._emit(Received(place, payload))

        self._links[place] = live
        self._changed.unpark_all()
        await self._emit(LinkUp(place, name))
        reason = await live.run(deliver)
        del self._links[place]
        await self._emit(LinkDown(place, str(reason)))
        return reason

    async def _emit(self, event: MeshEvent) -> None:
        try:
            await self._out.send(event)
        except trio.BrokenResourceError:
            # This mesh is being left: nobody listens any more.
            return
