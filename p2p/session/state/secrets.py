"""What one seat alone knows of a match."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial

from engine.tiles import ALL_TILES, Tile
from p2p.crypto.challenge import DealContext
from p2p.crypto.randomness import RandomBytes
from p2p.crypto.shuffle_prover import Prepared
from p2p.deck.keys import DealSecret
from p2p.session.state.state import DealState, State


@dataclass
class SeatSecrets:
    """The secrets of `seat` by deal number, and the claim with its salt that it is bound to.

    `fresh` are the numbers of deals whose secrets were made since they were last stored. `ahead`:
    what is prepared for the shuffle of a deal; never stored, since it must not serve twice.
    """

    seat: int
    rng: RandomBytes = field(repr=False)
    deals: dict[int, DealSecret] = field(default_factory=dict, repr=False)
    fresh: list[int] = field(default_factory=list)
    claim: tuple[int, bytes] | None = field(default=None, repr=False)
    ahead: tuple[DealContext, Prepared] | None = field(default=None, repr=False)

    def forget(self, over: Iterable[int]) -> None:
        """Let go of the secrets of these deals."""
        for number in over:
            del self.deals[number]
            if self.ahead is not None and self.ahead[0].deal == number:
                self.ahead = None

    def of(self, deal: DealState) -> DealSecret:
        """Those of a deal."""
        return self.deals[deal.ctx.deal]

    def tile(self, state: State, slot: int) -> Tile:
        """The tile in an own slot whose other shares are public."""
        return ALL_TILES[state.current.dealt.own_tile(slot, self.of(state.current))]

    def sight(self, state: State, number: int) -> Callable[[int], Tile] | None:
        """What lies in the own slots of the deal of that number: it is in play, or open."""
        deal = state.deals.get(number)
        if deal is not None and deal.tiles:
            return deal.tiles.__getitem__
        here = number == state.deal and number in self.deals
        return partial(self.tile, state) if here else None

    def dealt_tiles(self, state: State) -> list[tuple[int, Tile]]:
        """The slots that this seat was dealt, with their tiles."""
        return [(slot, self.tile(state, slot)) for slot in state.slots(self.seat)]
