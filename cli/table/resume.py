"""Taking one's seat again after this program, or its machine, was gone."""

import os
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace

import trio

from cli.process.errors import Stop, usage
from cli.process.piped import PIPED
from cli.process.running import run_visit
from cli.table.bots import Work, at_work
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
            visit.admission = _admission(own, left, visitor)
            return await visit.come_back(sitting, left.seated, own, left.port)
    finally:
        with trio.CancelScope(shield=True):
            await listeners.aclose()


def _admission(own: LocalPeer, left: LeftMatch, visitor: Visitor) -> Admission | None:
    """The host's door, for those who come to look on."""
    door = left.notes.door
    if door is None:
        return None
    secret, rules = bytes.fromhex(door.invite), left.table.rules
    offer = TableOffer(left.notes.table, rules, door.code, secret, left.table.terms)
    return Admission(own, offer, visitor.tell)


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
