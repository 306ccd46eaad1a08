"""Taking one's seat again after this program, or its machine, was gone."""

import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace

import trio

from cli.process.errors import Stop, usage
from cli.process.piped import PIPED
from cli.process.running import run_visit
from cli.table.bots import Work, at_work
from cli.table.host import announced, looking_on_now
from cli.table.left import LeftMatch, choose, listing, unfinished
from cli.table.stay import BEGIN_SECONDS, Visit, Visitor
from p2p.net.door.admission import Admission
from p2p.net.door.offer import TableOffer
from p2p.net.errors import NotOurAddress, PortForbidden, PortTaken
from p2p.net.link.listen import Listeners, open_listeners, own_address
from p2p.net.link.peer import LocalPeer
from p2p.session.restoring import NotRestorable
from p2p.session.sitting.effects import Setting
from p2p.session.sitting.sitting import Sitting

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True)
class Wanted:
    """The match to go on with, as it was typed; `table` "-": the first line of standard input names
    it, and its end ends a bot. `can_ask`: a person is there to choose."""

    table: str | None
    bind: str | None
    port: int | None
    can_ask: bool
    proxy: str | None = None


def resume_visit(visitor: Visitor, wanted: Wanted) -> int:
    """Choose the match, link up, go on; returns the exit code."""
    visit = Visit(visitor)
    return run_visit(visit, lambda: _resume(visit, visitor, wanted))


async def _resume(visit: Visit, visitor: Visitor, wanted: Wanted) -> int:
    left = await _chosen(visitor, wanted)
    sitting = _sitting(visitor, left)
    bind = wanted.bind or _still_ours(left.notes.bind)
    listeners = await _listeners(bind, wanted.port, left.port)
    visit.notes = replace(left.notes, record=visitor.record_text or left.notes.record)
    try:
        async with AsyncExitStack() as stack:
            if left.notes.crew is not None:
                host = own_address(bind) or LOOPBACK
                work = Work(host, None, visit.going, visitor.tell)
                await stack.enter_async_context(at_work(visitor.home, left.notes.crew, work))
            own = visitor.peer(listeners, wanted.proxy)
            if (offer := _offer(left)) is not None:
                await stack.enter_async_context(_opened(visit, visitor, left, offer, own))
            return await visit.come_back(sitting, left.seated, own, left.port)
    finally:
        with trio.CancelScope(shield=True):
            await listeners.aclose()


def _offer(left: LeftMatch) -> TableOffer | None:
    """What the host's own table was opened with; None for anybody else."""
    door = left.notes.door
    if door is None:
        return None
    secret, rules = bytes.fromhex(door.invite), left.table.rules
    return TableOffer(left.notes.table, rules, door.code, secret, left.table.terms)


@asynccontextmanager
async def _opened(
    visit: Visit, visitor: Visitor, left: LeftMatch, offer: TableOffer, own: LocalPeer
) -> AsyncIterator[None]:
    """The host's door, for those who come to look on; announced as while the table filled."""
    visit.admission = Admission(own, offer, visitor.tell)
    lan, bind = left.notes.lan, left.notes.bind
    if own.hidden or not offer.terms.watch:
        yield
        return
    if _moved(left, own.listeners):
        visit.back = tuple(looking_on_now(offer, own, _still_ours(bind), lan))
    async with AsyncExitStack() as stack:
        if lan:
            announces = announced(offer, own, offer.rules.players, visitor.tell)
            await stack.enter_async_context(announces)
        yield


def _moved(left: LeftMatch, listeners: Listeners) -> bool:
    """Whether what others know of the host leads to it no more."""
    own = left.table.people[left.me].key
    before = {one for seat in left.seated.roster if seat.key == own for one in seat.addresses}
    # Link-local ones stay what they are on any network.
    here = {one for one in listeners.public if not one.startswith("[fe80:")} or listeners.public
    return listeners.port != left.port or before.isdisjoint(here)


async def _chosen(visitor: Visitor, wanted: Wanted) -> LeftMatch:
    left = unfinished(visitor.store)
    text = await _line(visitor) or None if wanted.table == PIPED else wanted.table
    found = choose(left, text)
    if found is None and not wanted.can_ask:
        raise usage(f"There are {len(left)} unfinished matches:\n{listing(left)}")
    while found is None:
        visitor.tell(f"Which match?\n{listing(left)}")
        try:
            found = choose(left, await _line(visitor))
        except Stop as stop:
            visitor.tell(stop.sentence)
    return found


async def _line(visitor: Visitor) -> str:
    async for line in visitor.lines:
        return line.strip()
    raise Stop("No match was chosen.")


def _sitting(visitor: Visitor, left: LeftMatch) -> Sitting:
    own = visitor.identity.key
    if left.table.people[left.me].key != own.public:
        raise Stop(
            "You played this match with another key than yours now. `allfives id import` "
            "takes it back."
        )
    try:
        kept = visitor.store.kept(left.table.id)
        setting = Setting(visitor.store.archive, BEGIN_SECONDS)
        first = left.seated.table
        return Sitting.come_back(kept, left.table, first, own, os.urandom, setting)
    except NotRestorable as error:
        raise Stop(
            f"What is kept of this match is damaged ({error}), so nobody can go on with it here. "
            "`allfives history` has what was played."
        ) from None


def _still_ours(bind: str | None) -> str | None:
    """The address that was listened at, unless this machine has it no more: then all."""
    try:
        return own_address(bind)
    except NotOurAddress:
        return None


async def _listeners(bind: str | None, port: int | None, before: int) -> Listeners:
    """The port that was typed, else the one of before, where the others look, else any."""
    if port is None:
        try:
            return await open_listeners(bind, before)
        except (PortTaken, PortForbidden):
            pass
    return await open_listeners(bind, port)
