"""What one seat alone knows of a match."""

from dataclasses import dataclass, field

from engine.tiles import ALL_TILES, Tile
from p2p.crypto.randomness import RandomBytes
from p2p.deck.keys import DealSecret
from p2p.session.state.state import DealState, State


@dataclass
class SeatSecrets:
    """The secrets of `seat` by deal number, and the claim with its salt that it is bound to.

    `fresh` are the numbers of deals whose secrets were made since they were last stored.
    """

    seat: int
    rng: RandomBytes = field(repr=False)
    deals: dict[int, DealSecret] = field(default_factory=dict, repr=False)
    fresh: list[int] = field(default_factory=list)
    claim: tuple[int, bytes] | None = field(default=None, repr=False)

    def of(self, deal: DealState) -> DealSecret:
        """Those of a deal."""
        return self.deals[deal.ctx.deal]

    def tile(self, state: State, slot: int) -> Tile:
        """The tile in an own slot whose other shares are public."""
        return ALL_TILES[state.current.dealt.own_tile(slot, self.of(state.current))]

    def dealt_tiles(self, state: State) -> list[tuple[int, Tile]]:
        """The slots that this seat was dealt, with their tiles."""
        return [(slot, self.tile(state, slot)) for slot in state.slots(self.seat)]
