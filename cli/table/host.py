"""Opening a table: how to join it, who comes and goes, the start."""

import math
import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

import trio

from cli.table.bots import Bots, Door, bots_at
from cli.table.port import Filled, HostWish, Opened, Refuse, SitWith
from cli.table.seating import check_table, describe_table, sitters, who_came_and_went
from cli.table.stay import Desk, Visit, run_visit
from cli.telling.room import Room
from cli.telling.words import plural
from engine.rules import Rules
from p2p.net.door.host import host_table
from p2p.net.find.code import make_code
from p2p.net.find.invite import Invite, make_invite_secret
from p2p.net.link.addresses import parse_address
from p2p.net.link.listen import Listeners, open_listeners
from p2p.net.link.seats import Roster, Seat, Seated

LOOPBACK = "127.0.0.1"
ANY_PORT = 0

OnSeats = Callable[[int], None]


@dataclass(frozen=True)
class Offer:
    """The table to open. `code` None: an open table. `told` says how others join."""

    name: str
    rules: Rules
    code: str | None = field(repr=False)
    bind: str | None
    port: int | None
    lan: bool
    bots: Bots
    told: bool = True


def new_code() -> str:
    """A code for a table whose host named none."""
    return make_code(os.urandom)


def host_visit(desk: Desk, offer: Offer) -> int:
    """Open the table, wait until it is full, play; returns the exit code."""
    visit = Visit(desk)
    return run_visit(visit, lambda: _open(_Hosting(desk, offer, visit)))


@dataclass
class _Hosting:
    desk: Desk
    offer: Offer
    visit: Visit
    roster: Roster = ()
    secret: bytes = field(default_factory=lambda: make_invite_secret(os.urandom), repr=False)
    on_lan: OnSeats = lambda seated: None
    partner: bytes | None = None
    refused: set[bytes] = field(default_factory=set)

    def __post_init__(self) -> None:
        # Somebody is sent away by a key press: never more than a few wait.
        self._sent_away, self.unseat = trio.open_memory_channel[bytes](math.inf)
        self.visit.host = self._want

    def on_change(self, roster: Roster) -> None:
        """Say who came and who left."""
        self.on_lan(len(roster))
        own = self.desk.identity.key.public
        for line in who_came_and_went(self.roster, roster, self.offer.rules.players, own):
            self.desk.tell(line)
        self.roster = roster
        if self.partner not in [seat.key for seat in roster]:
            self.partner = None
        self._show()

    def _show(self) -> None:
        rules, own = self.offer.rules, self.desk.identity.key.public
        guests = self.offer.bots.count < rules.players - 1
        people = sitters(self.roster)
        room = Room(people, rules.players, own, rules.partners, self.partner, True, guests)
        self.desk.seat.show(Filled(room))

    def _want(self, wish: HostWish) -> None:
        """The host's own wishes."""
        match wish:
            case SitWith(key=key):
                self.partner = key
                self._show()
            case Refuse(key=key) if key in self.offer.bots.keys:
                self.desk.tell("A bot belongs to the table as you opened it, so it stays.")
            case Refuse(key=key):
                self.refused.add(key)
                self._sent_away.send_nowait(key)

    async def admit(self, seat: Seat) -> bool:
        """Whoever was sent away once is not let in again."""
        await trio.lowlevel.checkpoint()
        return seat.key not in self.refused

    def describe(self, rules: Mapping[str, str], roster: Roster) -> bytes:
        """The description of the table, with the host's partner opposite the host."""
        own = self.desk.identity.key.public
        return describe_table(rules, roster, () if self.partner is None else (own, self.partner))


async def _open(hosting: _Hosting) -> int:
    offer = hosting.offer
    listeners = await open_listeners(offer.bind, offer.port)
    try:
        _tell_how_to_join(hosting, listeners)
        async with AsyncExitStack() as stack:
            if offer.lan:
                hosting.on_lan = await stack.enter_async_context(_announced(hosting, listeners))
            if offer.bots.count:
                door = Door(offer.bind or LOOPBACK, listeners.port, offer.code or "")
                home, begun = hosting.desk.home, hosting.visit.begun
                await stack.enter_async_context(bots_at(home, door, offer.bots, begun))
            return await hosting.visit.stay(lambda: _seated(hosting, listeners), listeners)
    finally:
        with trio.CancelScope(shield=True):
            await listeners.aclose()


@asynccontextmanager
async def _announced(hosting: _Hosting, listeners: Listeners) -> AsyncIterator[OnSeats]:
    """Announce the table on the local network; gives what to call when seats fill."""
    # Zeroconf takes long to import, and not every table wants it.
    from p2p.net.find.advert import Advert
    from p2p.net.find.discovery import announce

    offer, identity = hosting.offer, hosting.desk.identity
    rules = offer.rules
    advert = Advert(offer.name, identity.name, rules.players, 1, rules.preset, offer.code is None)
    async with announce(advert, listeners, os.urandom, hosting.desk.tell) as announcement:
        yield announcement.update


async def _seated(hosting: _Hosting, listeners: Listeners) -> Seated:
    offer, identity = hosting.offer, hosting.desk.identity
    return await host_table(
        identity=identity.key,
        name=identity.name,
        table_name=offer.name,
        rules=offer.rules.spell(),
        players=offer.rules.players,
        listeners=listeners,
        code=offer.code,
        invite_secret=hosting.secret,
        rng=os.urandom,
        on_change=hosting.on_change,
        make_description=hosting.describe,
        check_description=check_table,
        admit=hosting.admit,
        unseat=hosting.unseat,
    )


def _tell_how_to_join(hosting: _Hosting, listeners: Listeners) -> None:
    offer, identity = hosting.offer, hosting.desk.identity
    invite = Invite(identity.key.public, hosting.secret, listeners.public).line()
    hosts = tuple(parse_address(one).host for one in listeners.public)
    if offer.told:
        lines = tuple(how_to_join(offer, invite, listeners.public))
        hosting.desk.seat.show(Opened(offer.name, offer.code, invite, hosts, listeners.port, lines))


def how_to_join(offer: Offer, invite: str, addresses: tuple[str, ...]) -> list[str]:
    """The lines that tell the host what others have to type."""
    rules = offer.rules
    opened = f"{offer.name} is open: {plural(rules.players, 'player')}, {rules.title}"
    code = "" if offer.code is None else f" {offer.code}"
    # A link-local address means nothing without the other machine's name for its interface; the
    # invite has it, and the program that reads the invite tries each.
    typed = [one for one in addresses if not one.startswith("[fe80:")] or addresses
    return [
        f"{opened}, to {rules.target}. Others join with one of these:",
        *([f"  allfives join{code}  (on this network)"] if offer.lan else []),
        *(f"  allfives join {address}{code}" for address in typed),
        f"  allfives join {invite}",
        *([] if offer.code else ["There is no code: anyone who reaches this machine may sit."]),
    ]
