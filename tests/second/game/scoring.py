"""Points for claims and at the end of a hand, and who has won (13.5 to 13.7)."""

from collections.abc import Mapping, Sequence

from second.game.rules import Rules


def rounded(number: int) -> int:
    """round(p) of 13.6."""
    return (number + 2) // 5 * 5


def side_of(rules: Rules, seat: int, seats: Sequence[int]) -> list[int]:
    """The seats of a seat's side among these."""
    return [other for other in seats if rules.side(other) == rules.side(seat)]


def claimed(
    rules: Rules, seats: Sequence[int], placer: int, real: int, said: Mapping[int, int]
) -> dict[int, int]:
    """The points of each seat; said: the placer's claim and the answers that count, by seat."""
    points = dict.fromkeys(seats, 0)

    def give(seat: int, amount: int) -> None:
        for other in side_of(rules, seat, seats):
            points[other] += amount

    own = said[placer]
    give(placer, own if own == real else -own)
    taken = own == real
    start = list(seats).index(placer)
    for seat in (*seats[start + 1 :], *seats[:start]):
        answer = said.get(seat, 0)
        if answer == 0 or rules.side(seat) == rules.side(placer):
            continue
        if answer == real and own != real:
            give(seat, 0 if taken else answer)
            taken = True
        else:
            give(seat, -answer)
    return points


def collector(
    rules: Rules, pips: Mapping[int, int], tiles: Mapping[int, int], out: int | None
) -> int | None:
    """A seat of the side that collects, None if nobody does."""
    if out is not None:
        return out
    seats = sorted(pips)

    def fewest(candidates: list[int], what: Mapping[int, int]) -> list[int]:
        sums = {seat: sum(what[o] for o in side_of(rules, seat, seats)) for seat in candidates}
        return [seat for seat in candidates if sums[seat] == min(sums.values())]

    best = fewest(seats, pips)
    if rules.has("block-winner", "pips-tiles"):
        best = fewest(best, tiles)
    return best[0] if len({rules.side(seat) for seat in best}) == 1 else None


def settled(
    rules: Rules, pips: Mapping[int, int], tiles: Mapping[int, int], out: int | None
) -> dict[int, int]:
    """The points of each seat at the end of a hand, from the pips and tiles that seats hold."""
    seats = sorted(pips)
    if rules.has("hand-end", "subtract-own"):
        return {
            seat: -sum(rounded(pips[other]) for other in side_of(rules, seat, seats))
            for seat in seats
        }
    winner = collector(rules, pips, tiles, out)
    if winner is None:
        return dict.fromkeys(seats, 0)
    lost = [pips[seat] for seat in seats if rules.side(seat) != rules.side(winner)]
    won = {
        "collect-each": sum(rounded(number) for number in lost),
        "collect-sum": rounded(sum(lost)),
        "collect-raw": sum(lost),
    }[rules.options["hand-end"]]
    return {seat: won if rules.side(seat) == rules.side(winner) else 0 for seat in seats}


def winners(rules: Rules, scores: Mapping[int, int]) -> list[int]:
    """The seats that have won, none if it goes on; `scores` of the seats that are in."""
    best = max(scores.values())
    top = sorted(seat for seat, score in scores.items() if score == best)
    alone = len({rules.side(seat) for seat in top}) == 1
    return top if best >= rules.target and alone else []
