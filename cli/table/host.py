"""Opening a table: how to join it, who comes and goes, the start."""

import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from ipaddress import ip_address

import trio

from cli.process.running import run_visit
from cli.table.bots import Bots, Work, at_work, hire
from cli.table.notes import Door, Notes
from cli.table.port import Admit, Filled, HostWish, Opened, Refuse, SitWith, Spoke
from cli.table.seating import SHORT_CODE, is_short, pretended_bots, sitters, who_came_and_went
from cli.table.stay import Visit, Visitor
from cli.telling.phrases import plural
from cli.telling.room import ADMITTED, Room, Sitter
from engine.rules import Rules
from engine.wording import quoted_name
from p2p.net.door.host import HostLobby
from p2p.net.door.offer import TableOffer
from p2p.net.find.code import make_code
from p2p.net.find.invite import Invite, make_invite_secret, printed
from p2p.net.link.addresses import ADDRESSES_MOST, on_network, parse_address, to_exchange
from p2p.net.link.listen import open_listeners, own_address
from p2p.net.link.peer import LocalPeer
from p2p.net.link.roster import Roster
from p2p.session.state.table import USUAL_TERMS, Terms

LOOPBACK = "127.0.0.1"
NO_NETWORK = "This machine is on no network, so nobody on another one can join."
LISTENS_ELSEWHERE = (
    "You can be reached elsewhere than before, so an older address or invite of this table leads "
    "nowhere. Others look on with one of these:"
)
OnSeats = Callable[[int], None]


@dataclass(frozen=True)
class NewTable:
    """The table to open. `code` None: an open table. `advertise`: a name or outer address
    that leads here. `told`: it is said how others join."""

    name: str
    rules: Rules
    code: str | None = field(repr=False)
    bind: str | None
    port: int | None
    lan: bool
    bots: Bots
    terms: Terms = USUAL_TERMS
    advertise: str | None = None
    told: bool = True


def new_code() -> str:
    """A code for a table whose host named none."""
    return make_code(os.urandom)


def host_visit(visitor: Visitor, offer: NewTable) -> int:
    """Open the table, wait until it is full, play; returns the exit code."""
    visit = Visit(visitor)
    return run_visit(visit, lambda: _open(visitor, offer, visit))


@dataclass
class _Hosting:
    visitor: Visitor
    offer: NewTable
    own: LocalPeer
    roster: Roster = ()
    on_lan: OnSeats = lambda seated: None
    refused: frozenset[bytes] = frozenset()

    def __post_init__(self) -> None:
        self.secret = make_invite_secret(os.urandom)
        offer = self.offer
        self.offered = TableOffer(
            offer.name, offer.rules, offer.code, self.secret, offer.terms, offer.bots.keys
        )
        self.lobby = HostLobby(
            self.own, self.offered, self.on_change, self.visitor.tell, self.on_line
        )

    def on_change(self, roster: Roster) -> None:
        """Say who came and who left."""
        self.on_lan(len(roster))
        own = self.visitor.identity.key.public
        players = self.offer.rules.players
        for line in who_came_and_went(self.roster, roster, players, own, self.refused):
            self.visitor.tell(line)
        self.roster = roster
        self._show()
        for key in pretended_bots(roster):
            self.visitor.tell("That is none of this table's bots, so it may not stay.")
            self.lobby.bar(key)

    def on_line(self, key: bytes, words: str) -> None:
        """Show what somebody says while the table fills."""
        self.visitor.seat.show(Spoke(key, words))

    def invite(self, addresses: tuple[str, ...]) -> str:
        """The line that lets whoever has it in, at these addresses."""
        return printed(Invite(self.own.identity.public, self.secret, addresses))

    def _show(self) -> None:
        rules, own = self.offer.rules, self.visitor.identity.key.public
        room = Room(sitters(self.roster), rules.players, own, rules.partners, rules=rules)
        bots = self.offer.bots
        guests = bots.count < rules.players - 1
        waiting = tuple(Sitter(one.key, one.name) for one in self.lobby.kept_out)
        hosted = replace(
            room,
            hosts=True,
            bots=frozenset(bots.keys),
            guests=guests,
            waiting=waiting,
            sent_away=self.lobby.sent_away,
        )
        self.visitor.seat.show(Filled(replace(hosted, partner=self.lobby.partner)))

    def want(self, wish: HostWish) -> None:
        """The host's own wishes."""
        match wish:
            case SitWith(key=key):
                self.lobby.sit_with(key)
                self._show()
            case Admit(key=key):
                names = [one.name for one in self.lobby.kept_out if one.key == key]
                self.lobby.admit(key)
                self._show()
                for name in names:
                    self.visitor.tell(ADMITTED.format(name))
            case Refuse(key=key) if key in self.offer.bots.keys:
                self.visitor.tell("A bot belongs to the table as you opened it, so it stays.")
            case Refuse(key=key):
                self.refused |= {key}
                self.lobby.refuse(key)


async def _open(visitor: Visitor, offer: NewTable, visit: Visit) -> int:
    listeners = await open_listeners(offer.bind, offer.port)
    try:
        hosting = _Hosting(visitor, offer, visitor.peer(listeners))
        visit.host = hosting.want
        _tell_how_to_join(hosting)
        async with AsyncExitStack() as stack:
            if offer.lan:
                announces = announced(hosting.offered, hosting.own, 1, visitor.tell)
                hosting.on_lan = await stack.enter_async_context(announces)
            crew = hire(visitor.home, offer.bots) if offer.bots.count else None
            door = Door(offer.code, hosting.secret.hex())
            record, lan = visitor.record_text, offer.lan
            visit.notes = Notes(offer.name, offer.bind, record, crew, door=door, lan=lan)
            visit.admission, visit.say = hosting.lobby.admission, hosting.lobby.say
            if crew is not None:
                host = own_address(offer.bind) or LOOPBACK
                exchanged = to_exchange([host.partition("%")[0]], listeners.port)
                work = Work(host, hosting.invite(exchanged), visit.going, visitor.tell)
                await stack.enter_async_context(at_work(visitor.home, crew, work))
            return await visit.stay(hosting.lobby.run, hosting.own)
    finally:
        with trio.CancelScope(shield=True):
            await listeners.aclose()


@asynccontextmanager
async def announced(
    offer: TableOffer, own: LocalPeer, seated: int, tell: Callable[[str], None]
) -> AsyncIterator[OnSeats]:
    """Announce the own table on the local network; gives what to call when seats fill."""
    # Zeroconf takes long to import, and not every table wants it.
    from p2p.net.find.advert import Advert
    from p2p.net.find.discovery import announce

    rules, host = offer.rules, own.neighbour().name
    no_code = offer.code is None
    advert = Advert(offer.table_name, host, rules.players, seated, rules.preset, no_code)
    async with announce(advert, own.listeners, own.rng, tell) as announcement:
        yield announcement.update


def _tell_how_to_join(hosting: _Hosting) -> None:
    offer, listeners = hosting.offer, hosting.own.listeners
    addresses = listeners.public
    if offer.advertise is not None:
        # First: it was named because the others lead nowhere for somebody.
        outer = str(parse_address(offer.advertise, listeners.port))
        addresses = (outer, *addresses)[:ADDRESSES_MOST]
    invite = hosting.invite(addresses)
    hosts = tuple(parse_address(one).host for one in addresses)
    if offer.told:
        lines = tuple(how_to_join(offer, invite, addresses))
        hosting.visitor.seat.show(
            Opened(offer.name, offer.code, invite, hosts, listeners.port, lines)
        )


def _open_to_all(offer: NewTable) -> str:
    looks_on = " or look on" if offer.terms.watch else ""
    return f"There is no code: anyone who reaches this machine may sit{looks_on}."


def _reach(bind: str | None) -> str:
    """How far away others can be who find the table by its announcement."""
    bound = (own_address(bind) or "").partition("%")[0]
    return "machine alone" if bound and ip_address(bound).is_loopback else "network"


def how_to_join(offer: NewTable, invite: str, addresses: tuple[str, ...]) -> list[str]:
    """The lines that tell the host what others have to type."""
    rules = offer.rules
    name = quoted_name(offer.name)
    opened = f"{name} is open: {plural(rules.players, 'player')}, {rules.title}"
    reach = _reach(offer.bind) if offer.lan else ""
    return [
        f"{opened}, to {rules.target}. Others join with one of these:",
        *_typed("join", offer.code, reach, invite, addresses),
        *([] if offer.code else [_open_to_all(offer)]),
        *([SHORT_CODE] if offer.code and is_short(offer.code) else []),
        *([] if offer.bind or on_network() else [NO_NETWORK]),
    ]


def _typed(
    command: str, code: str | None, reach: str, invite: str, addresses: Sequence[str]
) -> list[str]:
    """The command lines that lead to the table; by its code alone within `reach`, if it is
    announced there."""
    code = "" if code is None else f" {code}"
    # A link-local address means nothing without the other machine's name for its interface; the
    # invite has it, and the program that reads the invite tries each.
    typed = [one for one in addresses if not one.startswith("[fe80:")] or addresses
    return [
        *([f"  allfives {command}{code}  (on this {reach})"] if reach else []),
        *(f"  allfives {command} {address}{code}" for address in typed),
        f"  allfives {command} {invite}",
    ]


def looking_on_now(offer: TableOffer, own: LocalPeer, bind: str | None, lan: bool) -> list[str]:
    """The lines that tell a host who listens elsewhere than before what others have to type who
    want to look on."""
    addresses = own.listeners.public
    invite = printed(Invite(own.identity.public, offer.invite_secret, addresses))
    reach = _reach(bind) if lan else ""
    return [LISTENS_ELSEWHERE, *_typed("watch", offer.code, reach, invite, addresses)]
