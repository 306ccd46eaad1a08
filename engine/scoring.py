"""Points: for a placement, for a claim, and for the tiles left at the end of a hand."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.rules import Rules
from engine.tiles import Tile, pips_of

Left = tuple[tuple[Tile, ...], ...]
"""By seat of the table: the tiles left in hand."""


def rounded(pips: int) -> int:
    """`pips` to the nearest five: 7 -> 5, 8 -> 10, 12 -> 10, 13 -> 15."""
    return (pips + 2) // 5 * 5


def placement_points(rules: Rules, count: int) -> int:
    """What a count of the ends scores: itself if it is a multiple of five above zero."""
    return count_points(rules.play_points, count)


def count_points(play_points: str, count: int) -> int:
    """The same, from that option alone."""
    return count if play_points == "fives" and count % 5 == 0 else 0


def rounds_each_hand(rules: Rules) -> bool:
    """Whether the pips of each hand are rounded by themselves: not their sum, nor not at all."""
    return rules.hand_end in ("subtract-own", "collect-each")


class Settlement(NamedTuple):
    """The end of a hand. Lists have an entry for each seat of the table.

    `winner` is who went out, the winner of a block (of a side: its lower seat), or None.
    """

    winner: int | None
    left: Left
    points: tuple[int, ...]


def settle(rules: Rules, seats: Sequence[int], out: int | None, left: Left) -> Settlement:
    """The points for the tiles `left` to each seat of the table, where `seats` were in the deal;
    `out` went out, None: a block."""
    pips = [pips_of(tiles) if tiles else 0 for tiles in left]
    winner = out
    if rules.hand_end == "subtract-own":
        points = [-rounded(own) for own in pips]
        if rules.partners:
            points = [sum([points[mate] for mate in rules.side(seat)]) for seat in range(4)]
    else:
        points = [0] * rules.players
        if winner is None:
            winner = _block_winner(rules, seats, left)
        if winner is not None:
            side = rules.side(winner)
            collected = _collected(rules, [pips[seat] for seat in seats if seat not in side])
            for mate in side:
                points[mate] = collected
    return Settlement(winner, left, tuple(points))


def settle_lost(rules: Rules, seats: Sequence[int], left: Left) -> Settlement:
    """The same where who went out is in no more: nobody collects."""
    if rules.hand_end == "subtract-own":
        return settle(rules, seats, None, left)
    return Settlement(None, left, (0,) * rules.players)


def _collected(rules: Rules, pips: Sequence[int]) -> int:
    if rounds_each_hand(rules):
        return sum(map(rounded, pips))
    return rounded(sum(pips)) if rules.hand_end == "collect-sum" else sum(pips)


def _block_winner(rules: Rules, seats: Sequence[int], left: Left) -> int | None:
    """The lowest seat of the side with the fewest pips (then tiles), None if sides are level."""
    standing: dict[int, tuple[int, int]] = {}
    for seat in seats:
        lead = rules.side(seat)[0]
        pips, tiles = standing.get(lead, (0, 0))
        if rules.block_winner == "pips-tiles":
            tiles += len(left[seat])
        standing[lead] = (pips + pips_of(left[seat]), tiles)
    best = min(standing.values())
    winners = [seat for seat, value in standing.items() if value == best]
    return winners[0] if len(winners) == 1 else None


def judge_claims(real: int, placer_claim: int, answers: Sequence[int]) -> tuple[int, list[int]]:
    """What claims bring: to the placer, and to each answer in seat order after the placer.

    `real` is what the count scores. A right number not claimed before scores, one claimed by an
    earlier opponent brings nothing, and any other number above zero costs its claimer as much.
    """
    placer = placer_claim if placer_claim == real else -placer_claim
    open_points = real if placer <= 0 else 0
    taken = False
    brought: list[int] = []
    for claim in answers:
        if claim and claim == open_points:
            brought.append(0 if taken else claim)
            taken = True
        else:
            brought.append(-claim)
    return placer, brought
