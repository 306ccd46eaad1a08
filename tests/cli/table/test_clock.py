"""Time that stands still in a pause: the limit itself, and what the screen shows of it."""

from dataclasses import replace

import pytest
import trio
import trio.testing
from support.screen.notices import began

from cli.table.auto import AutoSeat
from cli.table.bots import player_maker
from cli.table.clock import Clock, Timed, told_at
from cli.table.port import Notice, TimeIsUp
from engine.match import Match
from engine.moves import Draw, Pass
from engine.rules import Rules
from engine.strategy import SeatView, make_view
from engine.tiles import ALL_TILES
from p2p.session.sitting.owner import Chosen, Pausing


async def spent(clock: Clock, seconds: float | None) -> float:
    """How long a block under that limit takes if it never ends by itself."""
    begin = trio.current_time()
    with clock.limit(seconds):
        await trio.sleep(1000)
    return trio.current_time() - begin


async def test_a_limit(autojump_clock: trio.testing.MockClock) -> None:
    clock = Clock()
    assert await spent(clock, 5) == pytest.approx(5)
    assert await spent(clock, None) == pytest.approx(1000)


async def test_a_pause_lengthens_the_limit(autojump_clock: trio.testing.MockClock) -> None:
    clock = Clock()

    async def pausing() -> None:
        for _ in range(2):
            await trio.sleep(2)
            clock.pause(True)
            clock.pause(True)
            await trio.sleep(100)
            clock.pause(False)
            clock.pause(False)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(pausing)
        assert await spent(clock, 5) == pytest.approx(205)


async def test_a_wish_for_a_pause_that_does_not_come_gives_no_time(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """While others ask for a pause, and take it back, the time runs."""
    clock = Clock()

    async def asking() -> None:
        while True:
            await trio.sleep(2)
            clock.pause(False)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(asking)
        assert await spent(clock, 5) == pytest.approx(5)
        nursery.cancel_scope.cancel()


async def test_a_limit_that_begins_in_a_pause(autojump_clock: trio.testing.MockClock) -> None:
    clock = Clock()
    clock.pause(True)

    async def going_on() -> None:
        await trio.sleep(50)
        clock.pause(False)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(going_on)
        assert await spent(clock, 5) == pytest.approx(55)
    assert await spent(clock, 5) == pytest.approx(5)


class Undecided(AutoSeat):
    """Never decides, or in vain; keeps what it is shown."""

    def __init__(self, claim_seconds: float | None = None) -> None:
        super().__init__(player_maker("easy", 1.0), print, None, None)
        self.claim_seconds = claim_seconds
        self.shown: list[Notice] = []

    def show(self, notice: Notice) -> None:
        self.shown.append(notice)

    async def decide(self, view: SeatView) -> Chosen:
        await trio.sleep_forever()
        raise AssertionError("unreachable")


def view_of(seconds: str, claims: bool = False) -> SeatView:
    """What seat 0 sees on its turn, or seat 1 when it may claim."""
    options = {"turn-seconds": seconds, "claims": "yes" if claims else "no"}
    match = Match(Rules.make("classic", 2, options), 2)
    match.begin_hand(0, known=dict(enumerate(ALL_TILES)))
    view = make_view(match, 0)
    if claims:
        match.apply(view.legal[0])
    return make_view(match, 1) if claims else view


async def test_the_turn_clock_stands_still_in_a_pause(
    autojump_clock: trio.testing.MockClock,
) -> None:
    seat, view = Undecided(), view_of("15")
    timed, begin = Timed(seat), trio.current_time()
    timed.show(Pausing(1, frozenset({0, 1}), on=True, was_on=False))

    async def go_on() -> None:
        await trio.sleep(60)
        timed.show(Pausing(1, frozenset(), on=False, was_on=True))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(go_on)
        with trio.fail_after(100):
            chosen = await timed.decide(view)
    assert chosen == Chosen(view.legal[0], auto=True)
    assert trio.current_time() - begin == pytest.approx(75)
    assert seat.shown[-1] == TimeIsUp(chosen)


async def test_a_new_match_begins_with_a_clock_that_runs(
    autojump_clock: trio.testing.MockClock,
) -> None:
    timed = Timed(Undecided())
    timed.show(Pausing(1, frozenset({0, 1}), on=True, was_on=False))
    timed.show(began())
    with trio.fail_after(16):
        assert (await timed.decide(view_of("15"))).auto


async def test_a_claim_has_the_time_of_the_seat_and_a_turn_that_of_the_rules(
    autojump_clock: trio.testing.MockClock,
) -> None:
    view, begin = view_of("15", claims=True), trio.current_time()
    with trio.fail_after(100):
        assert await Timed(Undecided(8.0)).decide(view) == Chosen(None)
    assert trio.current_time() - begin == pytest.approx(8)
    for seat, asked in ((Undecided(), view), (Undecided(8.0), view_of("none"))):
        with trio.move_on_after(10_000) as scope:
            await Timed(seat).decide(asked)
        assert scope.cancelled_caught


class Drawing(Undecided):
    """Takes two seconds for each of so many draws, and then all the time there is."""

    def __init__(self, draws: int) -> None:
        super().__init__()
        self.draws = draws

    async def decide(self, view: SeatView) -> Chosen:
        if self.draws:
            self.draws -= 1
            await trio.sleep(2)
            return Chosen(Draw(0))
        return await super().decide(view)


async def test_draws_and_decisions_that_are_asked_again_share_the_time_of_their_turn(
    autojump_clock: trio.testing.MockClock,
) -> None:
    view, timed = view_of("5"), Timed(Drawing(2))
    for draws in (0, 1):
        assert not (await timed.decide(replace(view, moves=(Draw(0),) * draws))).auto
        # What the others owe for a draw takes none of the person's time.
        await trio.sleep(60)
    begin = trio.current_time()
    for draws in (2, 3):
        assert (await timed.decide(replace(view, moves=(Draw(0),) * draws))).auto
    assert trio.current_time() - begin == pytest.approx(1)
    for later in (replace(view, moves=(Pass(0), Pass(1))), replace(view, hand_number=2)):
        begin = trio.current_time()
        await timed.decide(later)
        assert trio.current_time() - begin == pytest.approx(5)


async def test_a_new_match_begins_with_the_whole_time(
    autojump_clock: trio.testing.MockClock,
) -> None:
    timed, begin = Timed(Undecided()), trio.current_time()
    for _ in range(2):
        await timed.decide(view_of("5"))
        timed.show(began())
    assert trio.current_time() - begin == pytest.approx(10)


def _drawing_view(draws: int, hand: int = 1) -> SeatView:
    """A turn in which nothing fits, after so many draws."""
    view = view_of("none")
    return replace(view, legal=(Draw(0),), moves=(Draw(0),) * draws, hand_number=hand)


async def test_one_answer_goes_through_the_draws_that_the_rules_force(
    autojump_clock: trio.testing.MockClock,
) -> None:
    seat = Drawing(1)
    timed = Timed(seat)
    with trio.fail_after(60):
        assert (await timed.decide(_drawing_view(0))).move == Draw(0)
        for draws in (1, 2, 3):
            assert await timed.decide(_drawing_view(draws)) == Chosen(Draw(0))
    assert seat.draws == 0
    fits = replace(view_of("none"), moves=(Draw(0),) * 4)
    blocked = replace(fits, legal=(Pass(0),))
    later = _drawing_view(0, hand=2)
    for asked in (fits, blocked, later):
        with trio.move_on_after(0.01) as scope:
            await timed.decide(asked)
        assert scope.cancelled_caught, "the person is asked"


async def test_in_a_pause_no_draw_goes_on_by_itself(
    autojump_clock: trio.testing.MockClock,
) -> None:
    timed = Timed(Drawing(1))
    await timed.decide(_drawing_view(0))
    timed.show(Pausing(1, frozenset({0, 1}), on=True, was_on=False))
    with trio.move_on_after(0.01) as scope:
        await timed.decide(_drawing_view(1))
    assert scope.cancelled_caught


@pytest.mark.parametrize(
    ("seconds", "marks"), [(60, (30, 10)), (15, (7,)), (8.0, (4,)), (20, (10,)), (1, ())]
)
def test_at_what_it_is_told_how_the_time_runs(seconds: float, marks: tuple[int, ...]) -> None:
    assert told_at(seconds) == marks


async def test_how_the_time_runs_is_told_and_a_pause_stops_that_too(
    autojump_clock: trio.testing.MockClock,
) -> None:
    told: list[tuple[float, int]] = []
    clock = Clock()

    async def telling() -> None:
        for mark in (30, 10):
            await clock.until(mark)
            told.append((trio.current_time(), mark))

    begin = trio.current_time()
    async with trio.open_nursery() as nursery:
        with clock.limit(60):
            nursery.start_soon(telling)
            await trio.sleep(40)
            clock.pause(True)
            await trio.sleep(100)
            clock.pause(False)
            await trio.sleep(1000)
    assert [mark for _, mark in told] == [30, 10]
    assert [at - begin for at, _ in told] == pytest.approx([30, 150])
