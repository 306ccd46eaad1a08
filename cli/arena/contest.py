"""What bots play against each other, and who sits where."""

import random
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from pathlib import Path

from engine.rules import Rules
from engine.strategy import Player, make_player


@cache
def _orders(players: int, partners: bool) -> tuple[tuple[int, ...], ...]:
    """The orders that players can sit in around a table; partners sit opposite."""
    orders = ((0, *rest) for rest in permutations(range(1, players)))
    return tuple(order for order in orders if not partners or order[2] == 2)


@dataclass(frozen=True)
class Contest:
    """What is to be played. `levels`: one a player, players 0 and 2 being a side with partners.

    `records`: the folder for the records of real peers; they are asked for by `secure`.
    """

    rules: Rules
    levels: tuple[str, ...]
    matches: int
    seed: int
    worlds: int
    secure: bool = False
    records: Path | None = None

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The players that win together."""
        if self.rules.partners:
            return ((0, 2), (1, 3))
        return tuple((player,) for player in range(self.rules.players))

    def seat(self, number: int, player: int) -> int:
        """Where a player sits in a match: one seat further each time, and each time that all are
        through, in another order, so that everybody sits behind everybody else as often."""
        turns, shift = divmod(number, self.rules.players)
        orders = _orders(self.rules.players, self.rules.partners)
        return (orders[turns % len(orders)].index(player) + shift) % self.rules.players

    def players(self, number: int) -> list[Player]:
        """The players of a match, by seat."""
        seated: dict[int, Player] = {}
        for player, level in enumerate(self.levels):
            rng = random.Random(f"{self.seed}/{number}/{player}")
            seated[self.seat(number, player)] = make_player(level, rng, worlds=self.worlds)
        return [seated[seat] for seat in range(self.rules.players)]
