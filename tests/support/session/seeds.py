"""Finds the seeds of tables on which something must happen that the lot and the deal decide.

    cd tests && python -m support.session.seeds

prints them for `cheats.SEEDS` and `HOLDS_BOTH`, `matches.PASSING` and `SMALL`, `DRAWN` of the
cheats of the call, and what else says that it was found here. Whatever changes the bytes of a table
(description, version) changes who leads and who holds what.
"""

from collections.abc import Callable, Iterator
from itertools import count

from support.session.matches import (
    denied_and_played,
    draws_and_passes,
    ends_at_once,
    few_called,
    passing,
    small,
)
from support.session.tables import Game, make_table, rules_for, seeded
from support.session.told import bare

from engine.events import Drawn
from engine.rules import Rules
from engine.tiles import Tile, tile
from p2p.crypto.challenge import DealContext
from p2p.deck.keys import DealSecret, lot
from p2p.session.steps.deal import FIRST_LOT
from p2p.wire.envelope import VERSION


def led_by(rules: Rules, seed: str) -> int:
    """Who leads the first hand of `Game.make(rules, seed)`, without playing it."""
    table, _ = make_table(rules, seed)
    context = DealContext(VERSION, table.id, 1, table.seats)
    secrets = [DealSecret.make(context, seat, seeded(f"{seed}/{seat}")) for seat in table.seats]
    return lot(context, FIRST_LOT, [one.first_coin for one in secrets]) % len(table.seats)


def drawers(rules: Rules, seed: str) -> set[int]:
    """The seats that draw in the first hand."""
    game = Game.make(rules, seed).play_hand()
    return {event.seat for event in bare(game.events[0]) if isinstance(event, Drawn)}


def plays_denied(seed: str) -> bool:
    """Whether a tile that both seats denied is drawn and played."""
    return bool(denied_and_played(few_called(seed)))


def dealt(rules: Rules, seed: str, seat: int) -> set[Tile]:
    """The tiles that a seat is dealt in the first hand."""
    game = Game.make(rules, seed)
    game.play(moves=0)
    session = game.sessions[seat]
    return {one for _, one in session._secrets.dealt_tiles(session.state)}


def seeds(rules: Rules, name: str, leader: int) -> Iterator[str]:
    """Seeds that begin with a name where that seat leads the first hand."""
    named = (f"{name} {number}" for number in count())
    return (seed for seed in named if led_by(rules, seed) == leader)


def first(found: Iterator[str], holds: Callable[[str], bool]) -> str:
    """The first of which something holds."""
    return next(seed for seed in found if holds(seed))


def main() -> None:
    """Print them."""
    named = (f"small {number}" for number in count())
    print("SMALL =", first(named, lambda seed: ends_at_once(small(seed))))
    named = (f"passes {number}" for number in count())
    print("PASSING =", first(named, lambda seed: draws_and_passes(passing(seed))))
    for players, seat in [(number, seat) for number in (2, 3, 4) for seat in range(number)]:
        rules = rules_for(players, target="100")

        def draw(seed: str, rules: Rules = rules, seat: int = seat) -> bool:
            found = drawers(rules, seed)
            return seat in found and len(found) > 1

        print(f"SEEDS[{players}, {seat}] =", first(seeds(rules, "dealt", seat), draw))
        called = rules_for(players, "online", target="20")

        def holds_both(seed: str, rules: Rules = called, seat: int = seat) -> bool:
            return {tile(6, 6), tile(5, 5)} <= dealt(rules, seed, seat)

        named = (f"online {number}" for number in count())
        print(f"HOLDS_BOTH[{players}, {seat}] =", first(named, holds_both))
    print("DRAWN =", first((f"drawn {number}" for number in count()), plays_denied))


if __name__ == "__main__":
    main()
