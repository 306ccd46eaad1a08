"""The joiner's side: reach the table, prove the code, be seated, wait for the start."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import trio

from engine.seats import MAX_SEATS, MIN_SEATS
from p2p.crypto.identity import IdentityKey
from p2p.crypto.randomness import NONCE_BYTES, RandomBytes
from p2p.net.door.admission import code_password, invite_password
from p2p.net.door.spake import Exchange, Tags, same_tag
from p2p.net.errors import (
    BadHostProof,
    BadTable,
    LinkBroken,
    LinkClosed,
    LinkSilent,
    NotSeated,
    TableBusy,
    TableClosed,
    TableLost,
)
from p2p.net.find.code import normal_code
from p2p.net.find.invite import Invite
from p2p.net.link.addresses import dialled, parse_address
from p2p.net.link.dial import Connect, Dialled, dial
from p2p.net.link.greeting import SECRET_BYTES, Way, make_join
from p2p.net.link.link import STAGE_SECONDS
from p2p.net.link.listen import Listeners
from p2p.net.link.live import LiveLink
from p2p.net.link.seats import (
    DESCRIPTION_MOST,
    CheckDescription,
    Roster,
    Seat,
    Seated,
    description_hash,
    in_order,
    message,
    parse_roster,
    parse_rules,
)
from p2p.session.state.table import check_name
from p2p.wire import codec
from p2p.wire.codec import DecodeError, decode, encode

# Others may be trying the code before us, each try slowed.
TURN_SECONDS = 60.0


@dataclass(frozen=True)
class Lobby:
    """What a joiner may see of a table that fills. `rules`: every option as --set spells it."""

    table_name: str
    rules: dict[str, str]
    players: int
    roster: Roster


OnLobby = Callable[[Lobby], None]


@dataclass(frozen=True)
class Ticket:
    """What a joiner brings along: `table` is the wanted table's name or "", `way` with its password
    (None at an open table)."""

    identity: IdentityKey
    table: str
    way: Way
    password: bytes | None = field(repr=False)
    rng: RandomBytes = field(repr=False)


async def prove(reached: Dialled, ticket: Ticket) -> None:
    """The joiner's side of the door, up to the host's confirmation. Raises NotSeated kinds."""
    exchange = None
    if ticket.password is not None:
        exchange = await Exchange.begin(
            joiner=True,
            password=ticket.password,
            joiner_key=ticket.identity.public,
            host_key=reached.key,
            rng=ticket.rng,
        )
    spake = exchange.message if exchange else b""
    opening = make_join(
        ticket.identity, reached.key, reached.nonce, ticket.way, ticket.table, spake
    )
    await reached.link.tell(*opening)
    tags = Tags(b"", b"")
    if exchange is not None:
        tags = await exchange.finish(await _turn(reached), reached.nonce)
    await reached.link.tell("confirm", tags.joiner)
    if not same_tag(tags.host, await _answer(reached, "confirm", STAGE_SECONDS)):
        raise BadHostProof


async def _turn(reached: Dialled) -> bytes:
    """The host's SPAKE2 message, which comes when it is this joiner's turn to try the code."""
    try:
        return await _answer(reached, "spake", TURN_SECONDS)
    except LinkSilent:
        raise TableBusy from None


async def _answer(reached: Dialled, expected: str, seconds: float) -> bytes:
    word, rest = message(await reached.link.hear(codec.STRANGER, seconds))
    if word != expected:
        raise DecodeError("something else than its part of the proof")
    (content,) = codec.fields(rest, bytes)
    return content


class Visit:
    """A joiner's stay in the lobby: judges each message of the host, remembers the outcome."""

    def __init__(
        self, seat: Seat, host_key: bytes, on_change: OnLobby, check: CheckDescription
    ) -> None:
        self._seat = seat
        self._host_key = host_key
        self._on_change = on_change
        self._check = check
        self._lobby: Lobby | None = None
        self._secret = b""
        self._agreed: Seated | None = None
        self.outcome: Seated | NotSeated | None = None

    def take(self, payload: bytes) -> bytes | None:
        """The answer to send, if any; `outcome` is set when the stay is over."""
        try:
            return self._take(*message(decode(payload)))
        except NotSeated as no:
            self.outcome = no
        except ValueError as error:
            self.outcome = BadTable(str(error))
        return None

    def _take(self, word: str, rest: list[object]) -> bytes | None:
        if word == "welcome" and self._lobby is None:
            self._welcome(rest)
        elif word == "seated" and self._lobby is not None:
            (roster,) = codec.fields(rest, list)
            self._show(self._lobby.table_name, self._lobby.rules, self._lobby.players, roster)
            self._agreed = None
        elif word == "start" and self._lobby is not None:
            return self._start(self._lobby, rest)
        elif word == "go" and not rest and self._agreed is not None:
            self.outcome = self._agreed
        else:
            raise DecodeError("a message out of turn")
        return None

    def _welcome(self, rest: list[object]) -> None:
        secret, name, rules, players, roster = codec.fields(rest, bytes, str, dict, int, list)
        self._secret = codec.octets(secret, SECRET_BYTES)
        codec.integer(players, MIN_SEATS, MAX_SEATS)
        self._show(check_name(name), parse_rules(rules), players, roster)

    def _show(self, name: str, rules: dict[str, str], players: int, roster: object) -> None:
        self._lobby = Lobby(name, rules, players, self._checked(roster, players))
        self._on_change(self._lobby)

    def _checked(self, value: object, players: int) -> Roster:
        roster = parse_roster(value)
        if self._seat not in roster:
            raise DecodeError("a roster without our seat")
        if self._host_key not in [seat.key for seat in roster]:
            raise DecodeError("a roster without the host")
        if len(roster) > players:
            raise DecodeError("a roster of too many")
        return roster

    def _start(self, lobby: Lobby, rest: list[object]) -> bytes:
        description, value = codec.fields(rest, bytes, list)
        codec.octets(description, most=DESCRIPTION_MOST)
        roster = self._checked(value, lobby.players)
        if len(roster) != lobby.players:
            raise DecodeError("a start with empty seats")
        order = in_order(roster, self._check(description, lobby.rules, roster))
        self._agreed = Seated(description, self._secret, order)
        return encode(["ready", description_hash(description)])


async def _stay(live: LiveLink, visit: Visit) -> Seated:
    async def hear(payload: bytes) -> None:
        answer = visit.take(payload)
        if answer is not None:
            live.post(answer)
        if visit.outcome is not None:
            raise LinkClosed("the stay is over")

    end = await live.run(hear)
    if isinstance(visit.outcome, Seated):
        return visit.outcome
    if visit.outcome is not None:
        raise visit.outcome
    raise TableClosed if isinstance(end, LinkClosed) else TableLost(str(end))


async def join_table(
    *,
    identity: IdentityKey,
    name: str,
    target: Sequence[str] | Invite,
    code: str | None,
    listeners: Listeners,
    rng: RandomBytes,
    on_change: OnLobby,
    check_description: CheckDescription,
    table: str = "",
    connect: Connect = trio.open_tcp_stream,
) -> Seated:
    """Take a seat at the table at `target` (addresses as people write them, or an invite).

    `code`: None at an open table; not used with an invite. `table`: the wanted table's name, "" for
    any. Returns when the match starts. Raises BadName and the kinds of errors.BadInput and
    errors.NotSeated.
    """
    seat = Seat(identity.public, check_name(name), rng(NONCE_BYTES), listeners.addresses)
    ticket = _ticket(identity, target, code, table, rng)
    reached = await _reach(target, connect)
    try:
        await _introduce(reached, ticket, seat)
        visit = Visit(seat, reached.key, on_change, check_description)
        return await _stay(LiveLink(reached.link), visit)
    finally:
        await reached.link.aclose()


def _ticket(
    identity: IdentityKey,
    target: Sequence[str] | Invite,
    code: str | None,
    table: str,
    rng: RandomBytes,
) -> Ticket:
    if isinstance(target, Invite):
        return Ticket(identity, table, "invite", invite_password(target.secret), rng)
    if code is None:
        return Ticket(identity, table, "open", None, rng)
    return Ticket(identity, table, "code", code_password(normal_code(code)), rng)


async def _reach(target: Sequence[str] | Invite, connect: Connect) -> Dialled:
    written = target.addresses if isinstance(target, Invite) else target
    places = [place for one in written for place in dialled(str(parse_address(one)))]
    return await dial(places, target.host_key if isinstance(target, Invite) else None, connect)


async def _introduce(reached: Dialled, ticket: Ticket, seat: Seat) -> None:
    try:
        await prove(reached, ticket)
        await reached.link.tell("seat", seat.name, seat.nonce, list(seat.addresses))
    except (LinkBroken, DecodeError) as error:
        raise TableLost(str(error)) from None
