"""p2p.session.state.ladder: steps close in seat order, and each hash names all before it."""

from support.session.matches import small

from p2p.session.state.ladder import Ladder
from p2p.wire.envelope import step_hash


def test_steps_close_in_seat_order_and_are_found_again() -> None:
    kept = small()
    first, second = sorted(kept.messages[:2], key=lambda one: one.seat)
    ladder = Ladder(0, [kept.table.id])
    assert (ladder.step, ladder.top) == (1, kept.table.id)
    ladder.open[second.seat] = second
    assert ladder.said(1, second.seat) == second
    assert ladder.said(1, first.seat) is None
    ladder.open[first.seat] = first
    assert list(ladder.complete().values()) == [first, second]
    assert (ladder.step, ladder.open) == (2, {})
    assert ladder.top == step_hash(kept.table.id, [first.id, second.id])
    assert ladder.messages() == [first, second]
    assert [ladder.said(1, one.seat) for one in (first, second)] == [first, second]
    assert [ladder.said(step, first.seat) for step in (0, 2, 3)] == [None] * 3
