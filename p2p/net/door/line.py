"""The line for the code: who may try it next, and who has to come again."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import trio

from p2p.crypto.randomness import RandomBytes
from p2p.net.door.pace import Paces
from p2p.net.door.watch import Watch

# Who may wait for a try of the code, beside the one that tries it.
LINE_MOST = 8
# Waiting and trying together. What comes through one proxy or forward counts as one source.
PLACES_A_SOURCE = 2


class OutOfLine(Exception):
    """Somebody else has got the place in the line."""


@dataclass(eq=False)
class _Waiter:
    source: str


class Line:
    """One try at a time, slowed after wrong ones. Nobody holds a place against the others.

    Where there is none left for a newcomer, one drawn by lot of those who wait loses its own: among
    those of the same source if that has all its places. The next to try is drawn too, among those
    whose sources have tried in vain the fewest times.
    """

    def __init__(self, rng: RandomBytes, watch: Watch) -> None:
        self._rng = rng
        self._watch = watch
        self._paces = Paces()
        self._waiting: list[_Waiter] = []
        self._trying: _Waiter | None = None
        self._changed = trio.lowlevel.ParkingLot()

    @asynccontextmanager
    async def turn(self, source: str, in_lobby: bool = True) -> AsyncIterator[None]:
        """Wait for one's turn, which is the block: left by an error it was a wrong try. `in_lobby`:
        for a seat. Raises OutOfLine.
        """
        waiter = self._enter(source)
        try:
            await self._called(waiter)
            try:
                yield
            except BaseException:
                # Also a try that was broken off has told the other side nothing but was one.
                self._paces.wrong(source, trio.current_time())
                self._watch.wrong(source, trio.current_time(), in_lobby)
                raise
        finally:
            self._leave(waiter)

    def _enter(self, source: str) -> _Waiter:
        mine = [one for one in self._waiting if one.source == source]
        trying = self._trying is not None and self._trying.source == source
        if len(mine) + trying >= PLACES_A_SOURCE:
            self._waiting.remove(self._drawn(mine))
        elif len(self._waiting) >= LINE_MOST:
            self._watch.full(trio.current_time())
            self._waiting.remove(self._drawn(self._waiting))
        waiter = _Waiter(source)
        self._waiting.append(waiter)
        self._changed.unpark_all()
        return waiter

    def _drawn(self, among: list[_Waiter]) -> _Waiter:
        return among[int.from_bytes(self._rng(8)) % len(among)]

    async def _called(self, waiter: _Waiter) -> None:
        while self._trying is not waiter:
            if waiter not in self._waiting:
                raise OutOfLine
            self._call()
            if self._trying is not waiter:
                with trio.move_on_at(self._ready()):
                    await self._changed.park()

    def _call(self) -> None:
        """Let the next one try, if nobody does and the time has come for one."""
        now = trio.current_time()
        ready = [one for one in self._waiting if self._paces.ready(one.source) <= now]
        if self._trying is not None or not ready:
            return
        fewest = min(self._paces.tries(one.source) for one in ready)
        ready = [one for one in ready if self._paces.tries(one.source) == fewest]
        self._trying = self._drawn(ready)
        self._waiting.remove(self._trying)
        self._changed.unpark_all()

    def _ready(self) -> float:
        """When the next one may be called, as far as the time alone says."""
        if self._trying is not None:
            return float("inf")
        return min(self._paces.ready(one.source) for one in self._waiting)

    def _leave(self, waiter: _Waiter) -> None:
        if self._trying is waiter:
            self._trying = None
        elif waiter in self._waiting:
            self._waiting.remove(waiter)
        self._changed.unpark_all()
