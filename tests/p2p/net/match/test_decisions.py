"""The pump and its owner's decisions: none of them ends the match, whatever is decided."""

from dataclasses import replace

from support.net.pump_seats import make_seats, play

from engine.moves import Draw, Move, Pass, Play
from engine.strategy.view import SeatView
from p2p.net.match.pump import Chosen, Outcome
from p2p.session.verify import verify_record


def wrong_decisions(view: SeatView) -> list[Chosen]:
    """One of each kind that this view's seat may not make now."""
    if view.awaiting is not None:
        return [Chosen(None, claim=number) for number in (-1, 169, 170, 999)]
    moves: list[Move] = [Draw(0), Draw(1), Pass(1)]
    for legal in view.legal:
        if isinstance(legal, Play):
            moves += [replace(legal, claim=number) for number in (None, -1, 169, 170, 999)]
            moves += [replace(legal, slot=99), replace(legal, end="6U")]
    return [Chosen(move) for move in moves if move not in view.legal]


async def test_a_decision_that_breaks_a_rule_is_asked_for_again() -> None:
    seats = make_seats(3, claims="yes")
    wrong, given, left = seats[1], 0, list[Chosen]()
    fresh = True

    async def choose(view: SeatView) -> Chosen:
        nonlocal given, left, fresh
        if fresh:
            left = wrong_decisions(view)
            given += len(left)
        fresh = not left
        return left.pop() if left else await wrong.bot(view)

    wrong.choose = choose
    await play(seats)
    assert {seat.outcome for seat in seats} == {Outcome("finished")}
    assert verify_record(seats[0].session.record()).closed
    assert len(wrong.refusals) == given
    told = {str(refusal).partition(":")[0] for refusal in wrong.refusals}
    assert told >= {
        "a claim is a number from 0 to 168, 0 for none",
        "it is the turn of seat 1, not of seat 0",
        "slot 99 is not in the hand of seat 1",
    }
    assert not seats[0].refusals + seats[2].refusals
