"""A pause that all agree to, and that anybody ends.

Each seat says when it wants a pause, and for which round. The pause is on while all want it. Who
no longer wants it ends the round for everybody: a wish that was on its way then counts no more.
"""

from collections.abc import Collection

from p2p.session.sitting.owner import Pausing
from p2p.session.state.errors import Suspicion
from p2p.wire.talk import MAX_ROUNDS, Paused

# Of one seat; whoever says more only wants to disturb.
MAX_WORDS_A_SEAT = 1000


class Pauses:
    """The pauses of one match, as one seat knows them. `wanting` are those who want one now."""

    def __init__(self, seats: Collection[int]) -> None:
        self._seats = frozenset(seats)
        self.wanting: frozenset[int] = frozenset()
        self._round = 0
        self._words = dict.fromkeys(seats, 0)

    @property
    def on(self) -> bool:
        """Whether everybody wants a pause now."""
        return self.wanting == self._seats

    def may_say(self, seat: int, on: bool) -> bool:
        """Whether the others will still hear that word of the owner. Somebody may begin rounds only
        to be answered by a bot; who wants a pause keeps a word to end it."""
        return self._words[seat] + on < MAX_WORDS_A_SEAT

    def say(self, seat: int, on: bool) -> tuple[Paused, Pausing]:
        """The owner's word: to be sent, and what it changes."""
        self._words[seat] += 1
        return Paused(self._round, on), self._change(seat, on, self.on)

    def hear(self, seat: int, word: Paused) -> Pausing | None:
        """Another seat's word; None if it changes nothing. Suspicion if there were too many."""
        self._words[seat] += 1
        if self._words[seat] > MAX_WORDS_A_SEAT:
            raise Suspicion("too many words about a pause")
        was_on = self.on
        if word.round > self._round:
            # Somebody has ended a round, and that word is still on its way to us.
            self._begin_round(word.round)
        known = word.on and seat in self.wanting
        return None if word.round < self._round or known else self._change(seat, word.on, was_on)

    def _change(self, seat: int, on: bool, was_on: bool) -> Pausing:
        if on:
            self.wanting |= {seat}
        else:
            self._begin_round(min(self._round + 1, MAX_ROUNDS))
        return Pausing(seat, self.wanting, self.on, was_on)

    def _begin_round(self, number: int) -> None:
        self._round, self.wanting = number, frozenset()
