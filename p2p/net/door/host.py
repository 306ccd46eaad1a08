"""The host's side of a table that fills: seats given and freed, everyone kept told, the start."""

from collections.abc import Callable, Sequence
from typing import Final

import trio

from p2p.crypto.randomness import NONCE_BYTES
from p2p.net.door.admission import Admission, Turned
from p2p.net.door.chair import Chair
from p2p.net.door.draws import commitment
from p2p.net.door.messages import (
    Bound,
    Go,
    NowSeated,
    ReadyFor,
    Show,
    Shown,
    Spoken,
    Start,
    TakeSeat,
    Welcome,
)
from p2p.net.door.offer import TableOffer
from p2p.net.door.voice import Voice
from p2p.net.door.watch import OnTrouble
from p2p.net.errors import LinkBroken
from p2p.net.link.background import Background
from p2p.net.link.greeting import SECRET_BYTES, JoinOpening, WatchOpening, opening_word
from p2p.net.link.live import LiveLink
from p2p.net.link.message import No, read, whole
from p2p.net.link.peer import LocalPeer
from p2p.net.link.reception import Reception, Stranger
from p2p.net.link.roster import Neighbour, Played, Roster, Seated
from p2p.session.state.table import BadName, Person, Table, check_name
from p2p.wire import codec
from p2p.wire.codec import DecodeError, decode
from p2p.wire.shape import Shape

READY_SECONDS = 10.0
# What a joiner who is seated may say.
_SAID: Final[tuple[type[Shape], ...]] = (Bound, Shown, ReadyFor, Spoken)

OnChange = Callable[[Roster], None]
OnLine = Callable[[bytes, str], None]
"""Gets a line of somebody in the lobby: the key, the words."""


class HostLobby:
    """A table that fills, as its host keeps it. `run` opens it and returns when it starts;
    `admission` proves strangers, later too those who come to look on.

    `on_change` is called with the roster at every change: the host, then the joiners in the order
    in which they were let in; `on_line` with what is said there,
    `on_trouble` with a sentence when somebody tries the code in vain.
    Raises BadName, BadCode for what the host typed.
    """

    def __init__(
        self,
        host: LocalPeer,
        offer: TableOffer,
        on_change: OnChange,
        on_trouble: OnTrouble,
        on_line: OnLine = lambda key, words: None,
    ) -> None:
        check_name(offer.table_name)
        self._host = host
        self._offer = offer
        self._on_change = on_change
        self._me = host.neighbour()
        self._secret = host.rng(SECRET_BYTES)
        self.admission = Admission(host, offer, on_trouble)
        self._on_trouble, self._on_line = on_trouble, on_line
        self._voice = Voice(host, self._secret)
        self._draws = 0
        self._chairs: list[Chair] = []
        self._refused: set[bytes] = set()
        self._kept_out: dict[bytes, Neighbour] = {}
        # From the first nonce that is shown till all go somebody may know the order of the seats.
        self._is_shown = self._started = False
        self._changed = trio.lowlevel.ParkingLot()
        self.partner: bytes | None = None

    async def run(self) -> Seated:
        """Wait until all seats are taken and all are ready for one table; that table. Again, with
        nobody seated, where its match never began."""
        self._chairs, self._is_shown, self._started = [], False, False
        self._on_change(self.roster)
        reception = Reception(self._host.identity, self._host.rng, self._greet)
        async with Background() as nursery:
            nursery.start_soon(reception.run, self._host.listeners)
            return await self._agree()

    def refuse(self, key: bytes) -> None:
        """Send the holder of a key away, now and whenever it comes again, till it is admitted."""
        for chair in self._chairs_of(key):
            self._kept_out[key] = chair.sitter
        self.bar(key)

    def bar(self, key: bytes) -> None:
        """As `refuse`, for good: nobody is asked about it."""
        self._refused.add(key)
        for chair in self._chairs_of(key):
            chair.sent_away.set()

    def admit(self, key: bytes) -> None:
        """Let somebody sit again who was kept out."""
        if self._kept_out.pop(key, None):
            self._refused.discard(key)

    @property
    def kept_out(self) -> Roster:
        """Who was sent away, or went when the order of the seats could be known: so nobody has it
        drawn till it suits. They sit again only if the host says so."""
        return tuple(self._kept_out.values())

    @property
    def sent_away(self) -> frozenset[bytes]:
        """The keys of those of them who were sent away."""
        return frozenset(self._refused & self._kept_out.keys())

    def sit_with(self, key: bytes | None) -> None:
        """Where partners play: who of the roster sits opposite the host; None: by lot."""
        self.partner = key if key in [one.key for one in self.roster] else None

    def say(self, words: str) -> None:
        """A line of the host to everybody. ValueError (one sentence) if it cannot be sent."""
        self._pass_on(self._voice.say(words), None)
        self._on_line(self._me.key, words)

    def _pass_on(self, spoken: Spoken, but: Chair | None) -> None:
        for chair in self._chairs:
            if chair is not but:
                chair.tell(spoken)

    def _hear(self, chair: Chair, spoken: Spoken) -> None:
        """A line of a joiner. Raises DecodeError unless that one has signed it."""
        heard = self._voice.hear(spoken, [chair.sitter.key])
        if heard is not None and chair in self._chairs:
            self._pass_on(spoken, chair)
            self._on_line(*heard)

    @property
    def roster(self) -> Roster:
        """Who is seated now."""
        return (self._me, *(chair.sitter for chair in self._chairs))

    @property
    def _full(self) -> bool:
        return len(self.roster) >= self._offer.rules.players

    def _chairs_of(self, key: bytes) -> list[Chair]:
        return [chair for chair in self._chairs if chair.sitter.key == key]

    def _announce(self) -> None:
        """Tell everybody, the host too, who is seated now."""
        for chair in self._chairs:
            chair.tell(NowSeated(self.roster))
        # A partner who has left is none any more, not even after coming again.
        self.sit_with(self.partner)
        self._on_change(self.roster)
        self._changed.unpark_all()

    def _remove(self, *chairs: Chair) -> None:
        gone = [chair for chair in chairs if chair in self._chairs and not self._started]
        for chair in gone:
            self._chairs.remove(chair)
            self._keep_out(chair.sitter)
        if gone:
            self._is_shown = False
            self._announce()

    def _keep_out(self, sitter: Neighbour) -> None:
        """Somebody has gone; see `kept_out`. The host's own bots are started again by it."""
        if self._is_shown and not sitter.owner and sitter.key not in self._refused:
            self._kept_out[sitter.key] = sitter
            self._on_trouble(
                f"{sitter.name} went while the seats were drawn, when their order could be known. "
                "That key sits here again only if you say so."
            )

    async def _greet(self, stranger: Stranger) -> None:
        """One stranger from opening to the end of its stay."""
        try:
            sitter = await self._proven(stranger)
        except Turned as turned:
            await stranger.link.tell(*whole(No(turned.word)))
            return
        await self._stay(Chair(sitter, LiveLink(stranger.link)))

    async def _proven(self, stranger: Stranger) -> Neighbour:
        word = opening_word(stranger.opening)
        if word == WatchOpening.kind:
            raise Turned("not-begun" if self._offer.terms.watch else "no-watch")
        if word != JoinOpening.kind:
            raise Turned("table")
        opening = read(stranger.opening, JoinOpening)
        opening.check(self._me.key, stranger.nonce)
        self._check_room(opening)
        await self.admission.prove(stranger, opening)
        owner = self._me.key if opening.key in self._offer.bots else b""
        sitter = await _introduced(stranger, opening.key, owner)
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

    async def _stay(self, chair: Chair) -> None:
        async def hear(payload: bytes) -> None:
            try:
                said = read(decode(payload, codec.STRANGER), *_SAID)
                if isinstance(said, Spoken):
                    self._hear(chair, said)
                else:
                    chair.take(said)
            except DecodeError as error:
                raise LinkBroken(f"it sent {error}") from None
            self._changed.unpark_all()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._seat, chair)
            await chair.live.run(hear)
            nursery.cancel_scope.cancel()
        self._remove(chair)

    async def _seat(self, chair: Chair) -> None:
        """Seat a joiner until it is sent away; whoever may not stay is told why."""
        word = self._take_place(chair)
        if word is None:
            await chair.sent_away.wait()
            self._remove(chair)
            word = "refused"
        chair.tell(No(word))
        await chair.live.leave()

    def _take_place(self, chair: Chair) -> str | None:
        """Seat a joiner, or a word why not."""
        # A person who joins again with the same key takes the place of the stale link.
        for stale in self._chairs_of(chair.sitter.key):
            stale.live.close("the same key joined again")
            if self._is_shown:
                self._remove(stale)
            else:
                self._chairs.remove(stale)
        if chair.sitter.key in {*self._refused, *self._kept_out}:
            return "refused"
        if self._full:
            return "full"
        self._chairs.append(chair)
        name, rules, terms = self._offer.table_name, self._offer.rules, self._offer.terms
        spelled, players = rules.spell(), rules.players
        chair.tell(Welcome(self._secret, name, spelled, players, terms, self.roster))
        self._announce()
        return None

    async def _agree(self) -> Seated:
        """Wait until full and all are ready for one table, tell them to go, return it."""
        while True:
            while not self._full:
                await self._changed.park()
            roster, self._is_shown = self.roster, False
            nonces = await self._drawn(roster)
            if nonces is None:
                continue
            seated = self._seated(roster, nonces)
            if await self._all_ready(seated.table.description, roster):
                break
        await self._go()
        return seated

    async def _drawn(self, roster: Roster) -> Sequence[bytes] | None:
        """The nonces of all of the roster, each bound before any was shown; None: start again."""
        self._draws += 1
        number, nonce = self._draws, self._host.rng(NONCE_BYTES)
        for chair in self._chairs:
            chair.draw(number)
        if not await self._all(roster, lambda chair: bool(chair.bound)):
            return None
        own = commitment(number, self._me.key, nonce)
        show = Show(number, (own, *(chair.bound for chair in self._chairs)), nonce)
        self._is_shown = True
        for chair in self._chairs:
            chair.tell(show)
        if not await self._all(roster, lambda chair: bool(chair.nonce)):
            return None
        return (nonce, *(chair.nonce for chair in self._chairs))

    def _seated(self, roster: Roster, nonces: Sequence[bytes]) -> Seated:
        """The table of these people, judged as every joiner will judge it."""
        offer = self._offer
        people = tuple(
            Person(one.key, one.name, nonce, one.owner)
            for one, nonce in zip(roster, nonces, strict=True)
        )
        side = () if self.partner is None else (self._me.key, self.partner)
        table = Table.seat_people(offer.rules, people, side, offer.terms)
        played = Played(offer.rules, offer.terms)
        return Seated.check(Table.decode(table.description), played, roster, self._secret)

    async def _all_ready(self, description: bytes, roster: Roster) -> bool:
        wanted = ReadyFor.of(description).hash
        for chair in self._chairs:
            chair.tell(Start(description))
        return await self._all(roster, lambda chair: chair.ready == wanted)

    async def _all(self, roster: Roster, said: Callable[[Chair], bool]) -> bool:
        """Wait until every joiner has `said` what it was asked for. False: the roster changed.

        Who does not say it in time loses the seat, and the host hears who that was.
        """
        with trio.move_on_after(READY_SECONDS):
            while self.roster == roster:
                if all(map(said, self._chairs)):
                    return True
                await self._changed.park()
            return False
        silent = [chair for chair in self._chairs if not said(chair)]
        for chair in silent:
            self._on_trouble(
                f"{chair.sitter.name} did not answer while the seats were drawn, so that seat is "
                "free again; all draw anew."
            )
            chair.live.close("it was not ready in time")
        self._remove(*silent)
        return False

    async def _go(self) -> None:
        """From here on a joiner that leaves is absent, not unseated."""
        self._started = True
        async with trio.open_nursery() as nursery:
            for chair in self._chairs:
                chair.tell(Go())
                nursery.start_soon(chair.live.leave)


async def _introduced(stranger: Stranger, key: bytes, owner: bytes) -> Neighbour:
    """Who a proven joiner is. Raises Turned, DecodeError, LinkBroken."""
    said = read(await stranger.link.hear(codec.STRANGER), TakeSeat)
    try:
        return Neighbour(key, check_name(said.name), owner, said.addresses)
    except BadName:
        raise Turned("name") from None
