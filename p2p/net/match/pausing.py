"""A pause that all agree to, and that anybody ends.

Each seat says when it wants a pause, and for which round. The pause is on while all want it. Who
no longer wants it ends the round for everybody: a wish that was on its way then counts no more.
"""

from collections.abc import Collection
from dataclasses import dataclass

import trio

from p2p.session.state.errors import Suspicion
from p2p.wire.talk import MAX_ROUNDS, Paused

# Of one seat; whoever says more only wants to disturb.
MAX_WORDS_A_SEAT = 1000


@dataclass(frozen=True)
class Pausing:
    """What `seat` changed: who wants a pause now, whether it is on, and whether it was before."""

    seat: int
    wanting: frozenset[int]
    on: bool
    was_on: bool


class Pause:
    """The pauses of one match, as one seat knows them."""

    def __init__(self, seats: Collection[int]) -> None:
        self._seats = frozenset(seats)
        self._wanting: frozenset[int] = frozenset()
        self._round = 0
        self._words = dict.fromkeys(seats, 0)
        self._over = trio.Event()

    @property
    def on(self) -> bool:
        """Whether everybody wants a pause now."""
        return self._wanting == self._seats

    async def over(self) -> None:
        """Wait while the pause is on."""
        while self.on:
            await self._over.wait()

    def say(self, seat: int, on: bool) -> tuple[Paused, Pausing]:
        """The owner's word: to be sent, and what it changes."""
        word = Paused(self._round, on)
        return word, self._change(seat, on)

    def hear(self, seat: int, word: Paused) -> Pausing | None:
        """Another seat's word; None if it changes nothing. Suspicion if there were too many."""
        self._words[seat] += 1
        if self._words[seat] > MAX_WORDS_A_SEAT:
            raise Suspicion("too many words about a pause")
        if word.round > self._round:
            # Somebody has ended a round, and that word is still on its way to us.
            self._begin_round(word.round)
        known = word.on and seat in self._wanting
        return None if word.round < self._round or known else self._change(seat, word.on)

    def _change(self, seat: int, on: bool) -> Pausing:
        before = self.on
        if on:
            self._wanting |= {seat}
        else:
            self._begin_round(min(self._round + 1, MAX_ROUNDS))
        return Pausing(seat, self._wanting, self.on, before)

    def _begin_round(self, number: int) -> None:
        self._round, self._wanting = number, frozenset()
        self._over.set()
        self._over = trio.Event()
