"""Taking a seat at somebody's table."""

from collections.abc import AsyncIterator, Callable

import trio

from cli.process.running import run_visit
from cli.table.joining.trying import first_of
from cli.table.joining.ways import Joining, Wanted, Way, ways_to
from cli.table.notes import Notes
from cli.table.stay import Visit, Visitor
from p2p.net.door.joiner import Gathering, join_table
from p2p.net.errors import NotSeated, SentAway, TableClosed
from p2p.net.link.listen import open_listeners
from p2p.net.link.peer import LocalPeer
from p2p.net.link.roster import Seated

# How long the host is waited for who goes back to its door, since a match never began; and how
# often it is tried.
BACK_SECONDS = 40.0
BACK_RETRY = 1.0


def join_visit(visitor: Visitor, wanted: Wanted, lines: AsyncIterator[str]) -> int:
    """Find the table, take a seat, play; returns the exit code."""
    visit = Visit(visitor)
    return run_visit(visit, lambda: _join(Joining(visitor, wanted, lines), visit))


async def _join(joining: Joining, visit: Visit) -> int:
    ways = await ways_to(joining)
    wanted = joining.wanted
    listeners = await open_listeners(wanted.bind, wanted.port)
    try:
        own = joining.visitor.peer(listeners, wanted.proxy)

        visit.say = lambda words: joining.say(words)

        async def take_seat() -> Seated:
            seated = await _seated_again(joining, own, ways)
            record = joining.visitor.record_text
            visit.notes = Notes(joining.table_name, wanted.bind, record)
            return seated

        return await visit.stay(take_seat, own)
    finally:
        with trio.CancelScope(shield=True):
            await listeners.aclose()


async def _seated_again(joining: Joining, own: LocalPeer, ways: list[Way]) -> Seated:
    """A seat; where one had it already, the host needs a moment to be at its door again."""
    if not joining.table_name:
        return await _seated(joining, own, ways)
    joining.roster = ()
    until = trio.current_time() + BACK_SECONDS
    while True:
        try:
            return await _seated(joining, own, ways)
        except NotSeated as failure:
            # The door is not there at once; what comes of a seat that was given is told.
            if joining.roster or isinstance(failure, SentAway):
                raise
            if trio.current_time() > until:
                raise TableClosed from None
            await trio.sleep(BACK_RETRY)


async def _seated(joining: Joining, own: LocalPeer, ways: list[Way]) -> Seated:
    async def attempt(way: Way, right: Callable[[], None]) -> Seated:
        def on_change(gathering: Gathering) -> None:
            right()
            joining.on_change(gathering)

        code = joining.wanted.code
        return await join_table(own, way.target, code, way.table, on_change, joining)

    return await first_of(joining, ways, attempt)
