"""The joiner's side: reach the table, prove the code, be seated, wait for the start."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import trio

from engine.errors import RulesError
from engine.rules import Rules
from p2p.crypto.randomness import NONCE_BYTES, RandomBytes
from p2p.net import errors
from p2p.net.door.admission import code_password, invite_password
from p2p.net.door.draws import OwnDraw
from p2p.net.door.messages import (
    Bound,
    Confirm,
    DrawSeats,
    Go,
    NowSeated,
    ReadyFor,
    Show,
    Shown,
    Spake,
    Spoken,
    Start,
    TakeSeat,
    Welcome,
)
from p2p.net.door.spake import Exchange, Tags, same_tag
from p2p.net.door.voice import QUIET, Conversation, Listener
from p2p.net.find.invite import Invite
from p2p.net.link.addresses import dialled, parse_address
from p2p.net.link.dial import Dialled, dial
from p2p.net.link.greeting import JoinOpening, Way
from p2p.net.link.link import STAGE_SECONDS
from p2p.net.link.live import LiveLink
from p2p.net.link.message import S, heard, read, whole
from p2p.net.link.peer import LocalPeer
from p2p.net.link.roster import Neighbour, Played, Roster, Seated
from p2p.session.state.table import USUAL_TERMS, Table, Terms
from p2p.wire import codec
from p2p.wire.codec import DecodeError, decode, encode
from p2p.wire.shape import Shape

# Others may be trying the code before us, each try slowed.
TURN_SECONDS = 60.0
# A place in the line is lost by lot when many come, so whoever keeps coming gets in.
BUSY_SECONDS = 120.0
BUSY_RETRY = 2.0


@dataclass(frozen=True)
class Gathering:
    """What a joiner may see of a table that fills."""

    table_name: str
    rules: Rules
    roster: Roster
    terms: Terms = USUAL_TERMS


OnGathering = Callable[[Gathering], None]


@dataclass(frozen=True)
class Ticket:
    """How a joiner comes in: the way with its password (None at an open table), and the wanted
    table's name or ""."""

    way: Way
    password: bytes | None = field(repr=False)
    table: str = ""


async def prove(
    reached: Dialled, own: LocalPeer, ticket: Ticket, opening: type[JoinOpening] = JoinOpening
) -> None:
    """The joiner's side of the door, up to the host's confirmation; `opening`: what it wants.
    Raises NotSeated kinds."""
    exchange = None
    if ticket.password is not None:
        exchange = await Exchange.begin(
            joiner=True,
            password=ticket.password,
            joiner_key=own.identity.public,
            host_key=reached.key,
            rng=own.rng,
        )
    spake = exchange.message if exchange else b""
    said = opening.make(own.identity, reached.key, reached.nonce, ticket.way, ticket.table, spake)
    await reached.link.tell(*whole(said))
    tags = Tags(b"", b"")
    if exchange is not None:
        tags = await exchange.finish(await _turn(reached), reached.nonce)
    await reached.link.tell(*whole(Confirm(tags.joiner)))
    try:
        answer = await _answer(reached, Confirm, STAGE_SECONDS)
    except errors.WrongCode:
        # One word of the protocol for both.
        raise errors.WrongInvite if ticket.way == "invite" else errors.WrongCode from None
    if not same_tag(tags.host, answer.tag):
        raise errors.BadHostProof


async def _turn(reached: Dialled) -> bytes:
    """The host's SPAKE2 message, which comes when it is this joiner's turn to try the code."""
    try:
        return (await _answer(reached, Spake, TURN_SECONDS)).part
    except errors.LinkSilent:
        raise errors.TableBusy from None


async def _answer(reached: Dialled, kind: type[S], seconds: float) -> S:
    value = heard(await reached.link.hear(codec.STRANGER, seconds))
    return read(value, kind, other="something else than its part of the proof")


Answer = Bound | Shown | ReadyFor


class JoinerLobby:
    """A joiner's stay at a table that fills: judges each message of the host, notes the outcome.

    `own`: how the host is to name us; `rng` gives our nonces.
    """

    def __init__(
        self,
        own: Neighbour,
        host_key: bytes,
        rng: RandomBytes,
        on_change: OnGathering,
        conversation: Conversation | None = None,
    ) -> None:
        self._own = own
        self._host_key = host_key
        self._rng = rng
        self._on_change, self._conversation = on_change, conversation
        self._gathering: Gathering | None = None
        self._secret = b""
        self._draw: OwnDraw | None = None
        self._agreed: Seated | None = None
        self.outcome: Seated | errors.NotSeated | None = None

    def take(self, payload: bytes) -> Answer | None:
        """The answer to send, if any; `outcome` is set when the stay is over."""
        try:
            value = heard(decode(payload))
            if self._gathering is None:
                self._welcomed(read(value, Welcome))
                return None
            return self._take(self._gathering, read(value, *self._in_turn, Spoken))
        except errors.NotSeated as no:
            self.outcome = no
        except ValueError as error:
            self.outcome = errors.BadTable(str(error))
        return None

    @property
    def _in_turn(self) -> list[type[Shape]]:
        if self._agreed is not None:
            return [NowSeated, DrawSeats, Go]
        if self._draw is None:
            return [NowSeated, DrawSeats]
        return [NowSeated, DrawSeats, Start if self._draw.shown else Show]

    def _take(self, gathering: Gathering, said: Shape) -> Answer | None:
        match said:
            case NowSeated(roster):
                self._draw = self._agreed = None
                players = gathering.rules.players
                self._show(replace(gathering, roster=self._checked(roster, players)))
            case DrawSeats():
                return self._bind(gathering, said)
            case Show() if self._draw is not None:
                return self._draw.show(said, gathering.roster, self._host_key)
            case Start() if self._draw is not None:
                return self._start(gathering, said, self._draw)
            case Go():
                self.outcome = self._agreed
            case Spoken() if self._conversation is not None:
                self._conversation.hear(said, [one.key for one in gathering.roster])
        return None

    def _bind(self, gathering: Gathering, said: DrawSeats) -> Bound:
        if len(gathering.roster) != gathering.rules.players:
            raise DecodeError("a draw with empty seats")
        self._draw, self._agreed = OwnDraw(said, self._own.key, self._rng(NONCE_BYTES)), None
        return self._draw.bind()

    def _welcomed(self, said: Welcome) -> None:
        roster = self._checked(said.roster, said.players)
        try:
            rules = Rules.read(said.rules, said.players)
        except RulesError as error:
            raise errors.UnplayableRules(str(error)) from None
        self._secret = said.secret
        if self._conversation is not None:
            self._conversation.begin(said.secret)
        self._show(Gathering(said.table_name, rules, roster, said.terms))

    def _show(self, gathering: Gathering) -> None:
        self._gathering = gathering
        self._on_change(gathering)

    def _checked(self, roster: Roster, players: int) -> Roster:
        if self._own not in roster:
            raise DecodeError("a roster without our seat")
        if self._host_key not in [one.key for one in roster]:
            raise DecodeError("a roster without the host")
        if len(roster) > players:
            raise DecodeError("a roster of too many")
        return roster

    def _start(self, gathering: Gathering, said: Start, draw: OwnDraw) -> ReadyFor:
        table, played = Table.decode(said.description), Played(gathering.rules, gathering.terms)
        draw.check(table)
        self._agreed = Seated.check(table, played, gathering.roster, self._secret)
        return ReadyFor.of(said.description)


async def _stay(live: LiveLink, lobby: JoinerLobby) -> Seated:
    async def hear(payload: bytes) -> None:
        answer = lobby.take(payload)
        if answer is not None:
            live.post(encode(whole(answer)))
        if lobby.outcome is not None:
            raise errors.LinkClosed("the stay is over")

    end = await live.run(hear)
    if isinstance(lobby.outcome, Seated):
        return lobby.outcome
    if lobby.outcome is not None:
        raise lobby.outcome
    raise errors.TableClosed if isinstance(end, errors.LinkClosed) else errors.TableLost(str(end))


Target = Sequence[str] | Invite
"""Where a table is: addresses as people write them, or an invite."""


async def join_table(
    own: LocalPeer,
    target: Target,
    code: str | None,
    table: str,
    on_change: OnGathering,
    listener: Listener = QUIET,
) -> Seated:
    """Take a seat at the table at `target`; returns when the match starts.

    `code`: None at an open table; not used with an invite. `table`: the wanted table's name, "" for
    any. Where too many try the code it is tried again for two minutes; `listener` hears of that,
    and what is said there. Raises BadName and the kinds of errors.BadInput and errors.NotSeated.
    """
    ticket = ticket_for(target, code, table)
    until = trio.current_time() + BUSY_SECONDS
    while True:
        try:
            return await _join(own, target, ticket, on_change, listener)
        except errors.TableBusy:
            if trio.current_time() > until:
                raise
            listener.busy()
            await trio.sleep(BUSY_RETRY)


async def _join(
    own: LocalPeer, target: Target, ticket: Ticket, on_change: OnGathering, listener: Listener
) -> Seated:
    me = own.neighbour()
    reached = await reach(target, own)
    try:
        await _introduce(reached, own, ticket, me)
        me = replace(me, owner=reached.key) if own.bot else me
        live = LiveLink(reached.link)
        conversation = Conversation(own, lambda said: live.post(encode(whole(said))), listener)
        lobby = JoinerLobby(me, reached.key, own.rng, on_change, conversation)
        seated = await _stay(live, lobby)
        return seated.reached(reached.key, written(target))
    finally:
        await reached.link.aclose()


def ticket_for(target: Target, code: str | None, table: str) -> Ticket:
    """How to come in at a target, with that code or none. Raises BadCode."""
    if isinstance(target, Invite):
        return Ticket("invite", invite_password(target.secret), table)
    if code is None:
        return Ticket("open", None, table)
    return Ticket("code", code_password(code), table)


def written(target: Target) -> tuple[str, ...]:
    """The addresses of a target, each with its port. Raises BadAddress."""
    places = target.addresses if isinstance(target, Invite) else target
    return tuple(str(parse_address(one)) for one in places)


async def reach(target: Target, own: LocalPeer) -> Dialled:
    """Dial a target. Raises the kinds of NotSeated that `dial` does."""
    places = [place for one in written(target) for place in dialled(one)]
    return await dial(places, target.host_key if isinstance(target, Invite) else None, own.connect)


async def _introduce(reached: Dialled, own: LocalPeer, ticket: Ticket, me: Neighbour) -> None:
    try:
        await prove(reached, own, ticket)
        said = TakeSeat(me.name, me.addresses)
        await reached.link.tell(*whole(said))
    except (errors.LinkBroken, DecodeError) as error:
        raise errors.TableLost(str(error)) from None
