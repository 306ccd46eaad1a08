"""Looking on the local network for those of the match who are where nobody looks for them.

Each program has noted where the others were. Where some, and those who look for them, come back at
other addresses or ports, nobody would find anybody.
"""

from collections.abc import Callable
from typing import Final

import trio

from engine.wording import listed
from p2p.net.link.mesh import Mesh
from p2p.net.link.peer import LocalPeer
from p2p.net.link.roster import Seated
from p2p.session.sitting.sitting import Sitting

# Who is where it was is linked by then; links that were lost in a match come again by themselves.
BACK_SECONDS: Final = 3.0
GONE_SECONDS: Final = 20.0
# So long alone after coming back: it is said where this program listens, and what can be done.
ALONE_SECONDS: Final = 30.0
_POLL_SECONDS: Final = 0.5
_ADDRESSES_TOLD: Final = 3


class Seeking:
    """The look-out of one seat, beside its links."""

    def __init__(self, mesh: Mesh, seated: Seated, own: LocalPeer, sitting: Sitting) -> None:
        self._mesh, self._seated, self._own, self._sitting = mesh, seated, own, sitting

    def _absent(self) -> list[bytes]:
        """The keys of those people without a link who play on; their bots come with them."""
        session = self._sitting.session
        people = session.table.people
        playing = {people[seat].key for seat in session.state.match.seats}
        missing = [self._seated.roster[seat] for seat in self._mesh.missing]
        return [one.key for one in missing if one.key in playing and not one.owner]

    async def run(self, before: int, lan: bool, tell: Callable[[str], None]) -> None:
        """Until cancelled. `before`: the port of an earlier program, 0 if there was none; `lan`:
        whether the network may be spoken to; `tell` says a line to the person."""
        async with trio.open_nursery() as nursery:
            if before:
                nursery.start_soon(self._tell_alone, before, lan, tell)
            while lan:
                if await self._stays(BACK_SECONDS if before else GONE_SECONDS):
                    await self._look_out()

    async def _stays(self, seconds: float) -> bool:
        """Whether somebody is absent for so long; returns once it is known."""
        until = trio.current_time() + seconds
        while trio.current_time() < until:
            await trio.sleep(_POLL_SECONDS)
            if not self._absent():
                return False
        return True

    async def _look_out(self) -> None:
        """Announce, and dial who is found, while somebody is absent."""
        # Zeroconf takes long to import, and it is seldom needed.
        from p2p.net.find.returning import look_out

        own, others = self._own, [one.key for one in self._seated.roster if not one.owner]
        secret, here = self._seated.secret, (own.identity.public, own.listeners)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(
                look_out,
                secret,
                here,
                [one for one in others if one != own.identity.public],
                own.rng,
                self._mesh.dial_at,
            )
            absent = True
            while absent:
                await trio.sleep(_POLL_SECONDS)
                absent = bool(self._absent())
            nursery.cancel_scope.cancel()

    async def _tell_alone(self, before: int, lan: bool, tell: Callable[[str], None]) -> None:
        await trio.sleep(ALONE_SECONDS)
        people = [one for one in self._seated.roster if not one.owner]
        if len(self._absent()) == len(people) - 1:
            listeners = self._own.listeners
            where = listed(listeners.public[:_ADDRESSES_TOLD])
            tell(f"Nobody else of this match is here yet. Your program can be reached at: {where}")
            for line in what_to_do(listeners.port, before, lan, self._sitting.waits):
                tell(line)


def what_to_do(port: int, before: int, lan: bool, waits: bool) -> list[str]:
    """What is told to whom nobody has come yet, who listens at `port`, and did at `before`. `lan`:
    others on the network are found; `waits`: the match is paused, so that one may stop."""
    lines = ["The others come back with `allfives resume`, in any order."]
    if lan:
        lines.append("On this network you find each other at whatever address and port.")
    if port != before:
        again = f"`allfives resume --port {before}` takes it again"
        stop = f"; once it is free, stop here (the match waits) and {again}" if waits else ""
        lines.append(
            f"From elsewhere you are looked for at port {before}, which was taken when you came "
            f"back{stop}."
        )
    return lines
