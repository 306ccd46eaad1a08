"""The best that two sides can do with the rest of a hand whose tiles are all known, by trying
everything: plain minimax over the points of the hand, to be compared with the engine's search.

It shares no code with engine/: the table and the moves are those of `slow_dominoes`, the points
are written once more from the words of the rules. Positions that come again are looked up.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from support.engine.slow_dominoes import Game, Pair, Table, pips

Move = tuple[Pair, str | None] | str


@dataclass(frozen=True)
class Scoring:
    """The options that bring points, and which seats share them."""

    play_points: str
    hand_end: str
    block_winner: str
    partners: bool


def rounded(pips_left: int) -> int:
    """To the nearest five."""
    return 5 * ((pips_left + 2) // 5)


@dataclass
class Minimax:
    """Values are what the even side (seat 0, with partners 2 too) makes more than the other."""

    scoring: Scoring
    seen: dict[object, int] = field(default_factory=dict)

    def best(self, game: Game) -> int:
        """What comes of the hand from here, without the points made so far."""
        if game.over:
            return self.hand_end(game)
        place = _place(game)
        if place not in self.seen:
            values = [self.after(game, move) for move in game.moves()]
            self.seen[place] = min(values) if game.turn % 2 else max(values)
        return self.seen[place]

    def after(self, game: Game, move: Move) -> int:
        """What comes of the hand if the seat to move makes `move`, its points among it."""
        then = game.copy()
        then.make(move)
        made = 0
        if not isinstance(move, str) and self.scoring.play_points == "fives":
            count = then.table.count()
            made = count if count % 5 == 0 else 0
        return (-made if game.turn % 2 else made) + self.best(then)

    def hand_end(self, game: Game) -> int:
        """The points for the tiles left: what the even side gets more than the other."""
        hands = game.hands
        if self.scoring.hand_end == "subtract-own":
            return sum(rounded(pips(hand)) * (1 if seat % 2 else -1) for seat, hand in _by(hands))
        out = [seat for seat, hand in _by(hands) if not hand]
        odd = out[0] % 2 if out else self._block_winner(hands)
        if odd is None:
            return 0
        lost = [pips(hand) for seat, hand in _by(hands) if seat % 2 != odd]
        points = {
            "collect-each": sum(map(rounded, lost)),
            "collect-sum": rounded(sum(lost)),
            "collect-raw": sum(lost),
        }[self.scoring.hand_end]
        return -points if odd else points

    def _block_winner(self, hands: Sequence[Sequence[Pair]]) -> int | None:
        """Which side has fewer pips, where the rules say so then fewer tiles: 0, 1 or neither."""
        ranks = []
        for odd in (0, 1):
            held = [pair for seat, hand in _by(hands) if seat % 2 == odd for pair in hand]
            by_tiles = len(held) if self.scoring.block_winner == "pips-tiles" else 0
            ranks.append((pips(held), by_tiles))
        return None if ranks[0] == ranks[1] else int(ranks[1] < ranks[0])


def _by(hands: Sequence[Sequence[Pair]]) -> list[tuple[int, Sequence[Pair]]]:
    return list(enumerate(hands))


def _place(game: Game) -> object:
    """All that what follows depends on: the tiles and ends, not the order they came in."""
    return (
        tuple(tuple(sorted(hand)) for hand in game.hands),
        tuple(game.boneyard),
        game.turn,
        game.passes,
        game.drawn,
        _ends(game.table),
    )


def _ends(table: Table) -> object:
    covered = tuple((pip, table.sides_covered(pip)) for pip in table.spinners())
    return tuple(table.ends()), covered
