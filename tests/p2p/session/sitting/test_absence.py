"""Who is away or late, how long that may last, whom it names, and what a sleep changes."""

import pytest
from support.session.sittings import Hall, Sitter, make_hall, quiet, with_a_bot

from p2p.session.sitting.attendance import DUE_SECONDS
from p2p.session.sitting.owner import (
    Alone,
    Away,
    Back,
    Outcome,
    Pause,
    Pausing,
    Slept,
    Waiting,
)
from p2p.session.state.table import USUAL_GRACE
from p2p.wire.talk import Done, Here, Leave, Paused, Wished


def away(hall: Hall, place: int) -> list[Away]:
    """What a seat was told of who is away."""
    return [one for one in hall.sitters[place].notices if isinstance(one, Away)]


def waits(hall: Hall, place: int) -> list[Waiting]:
    """What a seat was told of who is waited for."""
    return [one for one in hall.sitters[place].notices if isinstance(one, Waiting)]


def test_who_is_away_is_told_with_since_when_and_how_much_is_left() -> None:
    hall = quiet(2)
    hall.unlink(0, 1)
    hall.tick_on(0, 40)
    told = away(hall, 0)
    assert [one.seat for one in told] == [1] * len(told)
    assert told[0].since == pytest.approx(3.0)
    assert (told[-1].since, told[-1].left) == pytest.approx((40.0, USUAL_GRACE - 40))
    assert hall.sitters[0].sitting.playing.attendance.grace.used == pytest.approx({1: 40.0})
    hall.link(0, 1)
    hall.tick_on(0, 2)
    assert hall.sitters[0].shown(Back) == [Back(1)]
    assert len(away(hall, 0)) == len(told)


def test_what_was_used_stays_used_and_ends_the_match_without_blame() -> None:
    hall = make_hall(2)
    hall.start(0)
    name = hall.sitters[0].name(1)
    for _ in range(3):
        hall.unlink(0, 1)
        assert hall.tick_on(0, int(USUAL_GRACE) // 4).outcome is None
        hall.link(0, 1)
        hall.tick_on(0, 3)
    hall.unlink(0, 1)
    assert hall.tick_on(0, USUAL_GRACE // 4 - 1).outcome is None
    outcome = hall.tick_on(0, 1).outcome
    assert outcome == Outcome(
        "broken",
        f"{name} was not heard for 5:00 in all, as seen from here, so the match stops here, "
        "undecided. Its record so far is kept.",
    )
    assert hall.sitters[0].session.fault is None


def own_turn(hall: Hall) -> Sitter:
    """The seat that is to decide, alone: the others owe nothing, as it sees it, and are gone."""
    (turn,) = [one for one in hall.sitters if one.last.ask is not None]
    for other in range(len(hall.sitters)):
        if other != turn.place:
            hall.unlink(turn.place, other)
            assert not turn.session.referee.owes(other)
    return turn


def test_of_two_who_is_alone_at_its_own_turn_does_not_wait_for_ever() -> None:
    """The other may have ended the match: nobody is named."""
    turn = own_turn(hall := quiet(2))
    assert hall.tick_on(turn.place, int(USUAL_GRACE) - 1).outcome is None
    assert turn.last.ask is not None
    assert hall.tick_on(turn.place, 1).outcome == Outcome(
        "broken",
        "Nobody else of this match was heard for 5:00 in all, as seen from here, so the match "
        "stops here, undecided. Its record so far is kept.",
    )
    assert not turn.shown(Alone)
    assert turn.session.fault is None


def test_at_the_own_turn_a_link_that_breaks_just_now_ends_nothing() -> None:
    turn = own_turn(hall := quiet(2))
    other = 1 - turn.place
    hall.tick_on(turn.place, int(USUAL_GRACE) - 1)
    hall.link(turn.place, other)
    hall.tick_on(turn.place, 2)
    hall.unlink(turn.place, other)
    assert hall.tick_on(turn.place, int(DUE_SECONDS) - 1).outcome is None
    assert turn.sitting.playing.attendance.grace.used[other] >= USUAL_GRACE
    assert hall.tick_on(turn.place, 1).outcome is not None


def test_of_three_who_is_alone_is_told_so_once_and_may_wait() -> None:
    turn = own_turn(hall := quiet(3))
    hall.tick_on(turn.place, int(USUAL_GRACE) - 1)
    assert not turn.shown(Alone)
    hall.tick_on(turn.place, int(USUAL_GRACE))
    assert turn.shown(Alone) == [Alone()]
    assert turn.last.outcome is None
    hall.link(turn.place, (turn.place + 1) % 3)
    hall.tick_on(turn.place, 1)
    hall.unlink(turn.place, (turn.place + 1) % 3)
    hall.tick_on(turn.place, int(USUAL_GRACE) - 1)
    assert turn.shown(Alone) == [Alone()]
    hall.tick_on(turn.place, 2)
    assert turn.shown(Alone) == [Alone()] * 2


def test_where_nobody_has_grace_left_it_is_told_soon() -> None:
    turn = own_turn(hall := quiet(3))
    others = {0, 1, 2} - {turn.place}
    turn.sitting.playing.recall((), dict.fromkeys(others, USUAL_GRACE))
    hall.tick_on(turn.place, int(DUE_SECONDS) - 1)
    assert not turn.shown(Alone)
    assert hall.tick_on(turn.place, 1).outcome is None
    assert turn.shown(Alone) == [Alone()]


def test_so_it_is_where_all_others_have_left_or_have_none() -> None:
    turn = own_turn(hall := quiet(3))
    left, spent = sorted({0, 1, 2} - {turn.place})
    turn.sitting.playing.recall((), {spent: USUAL_GRACE})
    hall.link(turn.place, left)
    hall.hear(turn.place, left, hall.word(left, Leave()))
    hall.unlink(turn.place, left)
    hall.tick_on(turn.place, int(DUE_SECONDS))
    assert turn.shown(Alone) == [Alone()]


def test_after_a_sleep_nothing_is_ended_but_it_is_told() -> None:
    """What was not counted ends nothing, of two either."""
    turn = own_turn(hall := quiet(2))
    hall.tick(turn.place, 100.0)
    assert hall.tick_on(turn.place, int(USUAL_GRACE) + 1).outcome is None
    assert turn.shown(Alone) == [Alone()]


def test_who_dies_after_a_link_was_down_is_noticed_at_once() -> None:
    """Each said that it was there while there was no link."""
    hall = quiet(3)
    hall.part(0, 1)
    hall.pass_time(2)
    hall.join(0, 1)
    assert hall.sitters[1].said(Here)
    for other in (0, 2):
        hall.part(1, other)
    hall.pass_time(4)
    assert [(one.seat, one.since) for one in away(hall, 0)] == [(1, 3.0), (1, 4.0)]


def test_nobody_says_that_it_is_there_to_who_has_left() -> None:
    hall = quiet(3)
    hall.take(2, hall.sitters[2].sitting.leave(hall.now))
    hall.deliver()
    for other in (0, 1):
        hall.part(2, other)
    hall.pass_time(30)
    assert not hall.sitters[0].said(Here)


def test_nor_to_who_is_out_and_not_heard() -> None:
    """But it is said to one who looks on, and by that one."""
    hall = quiet(3)
    (gone,) = [one.place for one in hall.sitters if one.last.ask is not None]
    one, other = {0, 1, 2} - {gone}
    for place in (one, other):
        hall.part(gone, place)
    hall.pass_time(USUAL_GRACE + 5)
    assert hall.sitters[one].session.state.seats == (one, other)
    before = len(hall.sitters[one].said(Here))
    assert before
    hall.pass_time(25)
    assert len(hall.sitters[one].said(Here)) == before
    hall.join(gone, other)
    hall.pass_time(35)
    assert len(hall.sitters[one].said(Here)) > before + 1
    assert not hall.sitters[gone].sitting.playing.gone(0.0, hall.now)


def test_a_few_of_many_count_nothing_against_the_others() -> None:
    hall = quiet(4)
    for other in (2, 3):
        hall.part(0, other)
        hall.part(1, other)
    hall.pass_time(40)
    assert all(not one.sitting.playing.attendance.grace.used for one in hall.sitters)
    assert {one.seat for one in away(hall, 0)} == {2, 3}
    hall.part(0, 1)
    hall.pass_time(40)
    assert all(not one.sitting.playing.attendance.grace.used for one in hall.sitters)


def test_more_than_half_count() -> None:
    hall = quiet(4)
    for other in (0, 1, 2):
        hall.part(3, other)
    hall.pass_time(40)
    for place in (0, 1, 2):
        assert set(hall.sitters[place].sitting.playing.attendance.grace.used) == {3}
    assert not hall.sitters[3].sitting.playing.attendance.grace.used


def test_no_grace_is_used_in_a_pause() -> None:
    hall = quiet(3)
    for other in (0, 1):
        hall.part(2, other)
    hall.pass_time(3)
    for place in (0, 1):
        hall.wish(place, Pause(True))
    hall.deliver()
    assert hall.sitters[0].shown(Pausing)[-1] == Pausing(1, frozenset({0, 1}), True, False)
    used = dict(hall.sitters[0].sitting.playing.attendance.grace.used)
    hall.pass_time(30)
    assert hall.sitters[0].sitting.playing.attendance.grace.used == used
    hall.join(1, 2)
    hall.pass_time(2)
    last = hall.sitters[0].shown(Pausing)[-1]
    assert isinstance(last, Pausing)
    assert not last.on


def test_silence_where_no_person_is_needed_is_lateness_and_ends_nothing() -> None:
    hall = make_hall()
    hall.start(0)
    assert not hall.tick_on(0, int(DUE_SECONDS) - 1).notices
    assert hall.tick_on(0, 1).outcome is None
    assert away(hall, 0)[-1] == Away(1, 0.0, USUAL_GRACE - 1, late=True)
    hall.tick_on(0, 5)
    assert away(hall, 0)[-1].late
    hall.start(1)
    hall.deliver()
    hall.tick_on(0, 2)
    assert hall.sitters[0].shown(Back) == [Back(1)]


def test_each_message_begins_the_time_anew() -> None:
    hall = make_hall()
    hall.start()
    hall.held |= {(0, 1)}
    hall.tick_on(0, 20)
    hall.deliver()
    hall.tick_on(0, 20)
    assert not away(hall, 0)
    hall.tick_on(0, 12)
    assert away(hall, 0)


def test_an_answer_to_a_placement_is_due() -> None:
    hall = make_hall(claims="yes")
    bot = hall.sitters[0].decide
    for one in hall.sitters:
        one.answer = lambda view: bot(view) if view.awaiting is None else None
    hall.start()
    hall.play()
    (late,) = [one for one in hall.sitters if one.session.claim_due()]
    placer = 1 - late.place
    hall.pass_time(int(DUE_SECONDS) + 2)
    assert away(hall, placer)[-1].late
    # The one who is late is shown nothing by itself.
    assert not away(hall, late.place)
    assert late.last.ask is not None


def test_a_person_may_take_its_time_and_is_named_as_waited_for() -> None:
    hall = quiet()
    (turn,) = [one for one in hall.sitters if one.last.ask is not None]
    other = 1 - turn.place
    hall.pass_time(185)
    waits = [one for one in hall.sitters[other].notices if isinstance(one, Waiting)]
    assert [(one.seats, int(one.since // 60)) for one in waits] == [
        ((turn.place,), minute) for minute in (1, 2, 3)
    ]
    assert not turn.shown(Waiting)
    assert not away(hall, 0) + away(hall, 1)
    for one in hall.sitters:
        one.answer = one.decide
    hall.play()
    assert [one.last.outcome for one in hall.sitters] == [Outcome("finished")] * 2


# This machine was asleep


def test_a_sleep_is_told_and_blames_nobody() -> None:
    hall = make_hall()
    hall.start(0)
    hall.tick_on(0, 25)
    hall.unlink(0, 1)
    hall.tick(0, 21.0)
    assert hall.sitters[0].shown(Slept) == [Slept(20.0)]
    assert not away(hall, 0)
    hall.tick_on(0, 200)
    assert not hall.sitters[0].sitting.playing.attendance.grace.used
    hall.link(0, 1)
    hall.tick_on(0, 29)
    assert not hall.sitters[0].sitting.playing.attendance.grace.used
    hall.tick_on(0, 2)
    hall.unlink(0, 1)
    hall.tick_on(0, 10)
    assert hall.sitters[0].sitting.playing.attendance.grace.used == pytest.approx(
        {1: 11.0}, abs=1.5
    )


def test_a_sleep_is_no_waiting_for_a_person() -> None:
    hall = quiet(3)
    (turn,) = [one.place for one in hall.sitters if one.last.ask is not None]
    sleeper, other = [one.place for one in hall.sitters if one.place != turn]
    hall.pass_time(20)
    for _ in range(46):
        hall.now += 1.0
        hall.tick(other)
    hall.tick(sleeper)
    (slept,) = hall.sitters[sleeper].shown(Slept)
    assert isinstance(slept, Slept)
    assert waits(hall, sleeper) == []
    assert waits(hall, other) == [Waiting((turn,), 60.0, 240.0)]
    hall.pass_time(60)
    (told,) = waits(hall, sleeper)
    assert (told.since, told.left) == pytest.approx((60.0, 240.0), abs=1.0)
    # What is heard after it has its own time.
    answer = hall.sitters[turn].decide
    hall.sitters[turn].answer = answer
    hall.decide()
    hall.pass_time(61)
    assert waits(hall, sleeper)[-1].since == pytest.approx(60.0, abs=1.0)


@pytest.mark.parametrize("late", [2.9, 3.0])
def test_a_timer_that_is_a_little_late_is_no_sleep(late: float) -> None:
    hall = make_hall()
    hall.start(0)
    hall.tick(0, 1.0 + late)
    assert bool(hall.sitters[0].shown(Slept)) == (late >= 3.0)


def test_a_sleep_is_noticed_by_whatever_comes_first() -> None:
    hall = make_hall()
    hall.start(0)
    hall.now += 3600.0
    hall.hear(0, 1, hall.word(1, Here()))
    (slept,) = hall.sitters[0].shown(Slept)
    assert isinstance(slept, Slept)
    assert slept.seconds == 3599.0
    assert not hall.sitters[0].sitting.playing.attendance.grace.used


# A lying seat


def test_a_lying_seat_cannot_make_an_innocent_named() -> None:
    """Seat 1 alone links 0 and 2. It says all it can sign, again and again, keeps back what it
    likes, and wishes that they go: no screen of 0 or 2 shows anything of the other but what it did
    itself."""
    hall = quiet(3)
    hall.part(0, 2)
    root = hall.sitters[1].session.table.id
    for number in range(30):
        for victim in (0, 2):
            other = 2 - victim
            hall.hear(victim, 1, hall.word(1, Wished(root, 1, root, ()), number))
            hall.hear(victim, 1, hall.word(1, Done(bytes(32)), number))
            hall.hear(victim, 1, hall.word(other, Here(), number))
            hall.hear(victim, 1, hall.word(1, Paused(number, number % 2 == 0), number))
        hall.pass_time(1)
    for place in (0, 2):
        one = hall.sitters[place]
        assert not away(hall, place)
        assert one.last.outcome is None
        assert {seat.seat for seat in one.shown(Pausing) if isinstance(seat, Pausing)} <= {1}
        assert one.closed == []


def test_a_bot_that_is_cut_off_or_hears_its_person_ends_nothing() -> None:
    hall, owners, bot = with_a_bot(3, "bot 1")
    (gone,) = {0, 1, 2} - {bot, owners[bot]}
    assert hall.sitters[gone].last.ask is not None
    hall.part(bot, gone)
    hall.part(bot, owners[bot])
    assert hall.tick_on(bot, USUAL_GRACE + 40).outcome is None
    assert not hall.sitters[bot].sitting.playing.attendance.grace.used
    hall.join(bot, owners[bot])
    assert hall.tick_on(bot, USUAL_GRACE + 40).outcome is None
    assert not hall.sitters[bot].sitting.playing.attendance.grace.left(gone)


def test_who_gets_one_link_of_many_is_heard_by_all_at_once() -> None:
    hall = quiet(3)
    hall.part(0, 1)
    hall.part(0, 2)
    hall.tick_on(0, 1)
    assert not hall.sitters[0].said(Here)
    hall.join(0, 1)
    assert hall.sitters[0].said(Here)
