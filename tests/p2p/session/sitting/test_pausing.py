"""A pause begins when all who are heard want it and ends when one does not, whatever order words
come in."""

import random

import pytest
from support.session.sittings import Hall, Sitter, make_hall, played, quiet

from engine.moves import Pass
from p2p.session.sitting.attendance import DUE_SECONDS, WAIT_WITHOUT_CLOCK
from p2p.session.sitting.owner import Away, Chosen, Outcome, Pause, Pausing, PutOut, Refused
from p2p.session.sitting.pausing import Pauses
from p2p.session.sitting.words import WORDS_AT_ONCE
from p2p.wire.talk import MAX_ROUNDS, Leave, Paused


def test_all_must_want_it_and_one_ends_it() -> None:
    pause = Pauses((0, 1, 2))
    change = pause.hear(0, Paused(0, True))
    assert change == Pausing(0, frozenset({0}), on=False, was_on=False)
    assert pause.hear(1, Paused(0, True)) == Pausing(1, frozenset({0, 1}), on=False, was_on=False)
    assert pause.hear(1, Paused(0, True)) is None
    assert not pause.on
    assert pause.hear(2, Paused(0, True)) == Pausing(2, frozenset({0, 1, 2}), on=True, was_on=False)
    assert pause.on
    assert pause.hear(2, Paused(0, False)) == Pausing(2, frozenset(), on=False, was_on=True)
    assert pause.round == 1


def test_who_is_not_heard_is_not_asked_and_is_asked_when_back() -> None:
    pause = Pauses((0, 1, 2))
    pause.hear(0, Paused(0, True))
    pause.hear(1, Paused(0, True))
    change = pause.hears({0, 1}, (0, 1, 2))
    assert change == Pausing(2, frozenset({0, 1}), on=True, was_on=False)
    assert pause.hears({0, 1}, (0, 1, 2)) is None
    assert pause.hears({0, 1, 2}, (0, 1, 2)) == Pausing(2, frozenset({0, 1}), on=False, was_on=True)
    pause.hear(2, Paused(0, True))
    assert pause.on
    assert pause.hears({0, 1}, (0, 1, 2)) is None
    assert pause.on


def test_who_is_out_is_not_asked_and_counts_no_more() -> None:
    pause = Pauses((0, 1, 2))
    pause.hear(2, Paused(0, True))
    assert pause.hears({0, 1}, (0, 1)) is None
    assert pause.wanting == frozenset()
    pause.hear(0, Paused(0, True))
    assert pause.hear(1, Paused(0, True)) == Pausing(1, frozenset({0, 1}), on=True, was_on=False)
    # Who looks on and hears nobody who plays sees no pause.
    assert pause.hears((), (0, 1)) == Pausing(0, frozenset({0, 1}), on=False, was_on=True)
    assert pause.hears((), (1,)) is None


def test_a_wish_for_a_round_that_is_over_counts_no_more() -> None:
    pause = Pauses((0, 1))
    pause.hear(0, Paused(0, True))
    pause.hear(0, Paused(0, False))
    assert pause.hear(1, Paused(0, True)) is None
    assert pause.hear(0, Paused(1, True)) == Pausing(0, frozenset({0}), on=False, was_on=False)
    assert pause.hear(1, Paused(1, False)) == Pausing(1, frozenset(), on=False, was_on=False)


def test_a_later_round_ends_the_earlier_one_and_a_pause_that_is_on() -> None:
    pause = Pauses((0, 1))
    pause.hear(0, Paused(0, True))
    pause.hear(1, Paused(0, True))
    assert pause.on
    assert pause.hear(1, Paused(1, True)) == Pausing(1, frozenset({1}), on=False, was_on=True)
    assert pause.hear(0, Paused(0, True)) is None


def test_rounds_have_an_end() -> None:
    pause = Pauses((0, 1))
    pause.hear(1, Paused(MAX_ROUNDS, True))
    pause.hear(0, Paused(MAX_ROUNDS, True))
    assert pause.on
    pause.hear(0, Paused(MAX_ROUNDS, False))
    assert pause.round == MAX_ROUNDS
    assert not pause.on


@pytest.mark.parametrize("seed", range(30))
def test_whatever_is_said_everybody_ends_with_the_same(seed: int) -> None:
    """Only the newest word of each seat comes for sure, and in any order."""
    rng = random.Random(seed)
    seats = tuple(range(rng.choice((2, 3, 4))))
    own = [Pauses(seats) for _ in seats]
    said: dict[int, list[Paused]] = {seat: [] for seat in seats}
    for _ in range(30):
        seat = rng.choice(seats)
        word = Paused(own[seat].round, rng.random() < 0.7)
        own[seat].hear(seat, word)
        said[seat].append(word)
        other, of = rng.choice(seats), rng.choice(seats)
        if said[of] and other != of:
            own[other].hear(of, said[of][-1])
    ends = set()
    for _ in range(4):
        reader = Pauses(seats)
        for seat in rng.sample(seats, len(seats)):
            for word in said[seat]:
                if rng.random() < 0.5 or word is said[seat][-1]:
                    reader.hear(seat, word)
        ends.add((reader.round, reader.wanting))
    assert len(ends) == 1


def paused() -> tuple[Hall, Sitter]:
    """A table that all have paused, and who is to move there."""
    hall = quiet()
    for one in hall.sitters:
        hall.wish(one.place, Pause(True))
    hall.deliver()
    for one in hall.sitters:
        last = one.shown(Pausing)[-1]
        assert isinstance(last, Pausing)
        assert last.on
    return hall, next(one for one in hall.sitters if one.last.ask is not None)


def test_a_decision_in_a_pause_waits_for_its_end() -> None:
    hall, turn = paused()
    assert turn.last.ask is not None
    chosen = turn.decide(turn.last.ask)
    effects = hall.decided(turn.place, chosen)
    assert (effects.store.messages, effects.send) == ((), ())
    # It is not asked for again meanwhile.
    assert effects.ask is None
    other = 1 - turn.place
    hall.wish(other, Pause(False))
    hall.deliver()
    assert any(message.seat == turn.place for message in turn.last.store.messages)
    for one in hall.sitters:
        one.answer = one.decide
    hall.play()
    assert {one.last.outcome for one in hall.sitters} == {Outcome("finished")}


def test_a_wrong_decision_in_a_pause_is_refused_at_its_end() -> None:
    hall, turn = paused()
    hall.decided(turn.place, Chosen(Pass(1 - turn.place)))
    effects = hall.wish(turn.place, Pause(False))
    assert isinstance(effects.notices[-1], Refused)
    assert effects.ask is not None


def test_a_decision_in_a_pause_is_dropped_when_the_match_ends() -> None:
    hall, turn = paused()
    assert turn.last.ask is not None
    hall.decided(turn.place, turn.decide(turn.last.ask))
    other = 1 - turn.place
    assert hall.hear(turn.place, other, hall.word(other, Leave())).outcome is not None
    effects = hall.wish(turn.place, Pause(False))
    assert effects.store.messages == ()
    assert effects.ask is None


def test_who_is_out_and_looks_on_has_no_part_in_a_pause() -> None:
    hall = quiet(3)
    (gone,) = [one.place for one in hall.sitters if one.last.ask is not None]
    one, other = {0, 1, 2} - {gone}
    hall.pass_time(int(WAIT_WITHOUT_CLOCK) + 1)
    for place in (one, other):
        hall.wish(place, PutOut(gone))
    hall.pass_time(12)
    assert hall.sitters[gone].session.state.seats == (one, other)
    refused = hall.wish(gone, Pause(True))
    assert refused.notices == (
        Refused("You are out of this match: those who play decide about a pause."),
    )
    assert refused.send == ()
    assert hall.hear(one, gone, hall.word(gone, Paused(0, True))).notices == ()
    for place in (one, other):
        hall.wish(place, Pause(True))
    hall.deliver()
    for sitter in hall.sitters:
        told = sitter.shown(Pausing)[-1]
        assert isinstance(told, Pausing)
        assert told.wanting == {one, other}
        assert told.on
        assert sitter.sitting.waits == (sitter.place != gone)
    assert hall.hear(one, gone, hall.word(gone, Paused(0, False), 1)).notices == ()


def test_nobody_is_late_in_a_pause() -> None:
    hall = make_hall()
    hall.start(0)
    hall.wish(0, Pause(True))
    hall.hear(0, 1, hall.word(1, Paused(0, True)))
    hall.tick_on(0, int(2 * DUE_SECONDS))
    assert not hall.sitters[0].shown(Away)
    hall.wish(0, Pause(False))
    hall.tick_on(0, int(DUE_SECONDS) - 1)
    assert not hall.sitters[0].shown(Away)
    hall.tick_on(0, 2)
    assert hall.sitters[0].shown(Away)


def test_time_runs_again_when_a_word_of_a_later_round_ends_the_pause() -> None:
    hall = make_hall()
    hall.start(0)
    hall.wish(0, Pause(True))
    hall.hear(0, 1, hall.word(1, Paused(0, True)))
    hall.hear(0, 1, hall.word(1, Paused(1, True), 1))
    hall.tick_on(0, int(DUE_SECONDS) + 1)
    assert hall.sitters[0].shown(Away)


def test_a_pause_reaches_whom_its_signer_does_not_and_only_the_signer_is_named() -> None:
    hall = quiet(3)
    hall.part(0, 2)
    hall.wish(0, Pause(True))
    hall.deliver()
    assert hall.sitters[2].shown(Pausing) == [Pausing(0, frozenset({0}), on=False, was_on=False)]


def test_wanting_a_pause_twice_is_wanting_it_once() -> None:
    hall = quiet()
    assert hall.wish(0, Pause(True)).notices
    again = hall.wish(0, Pause(True))
    assert (again.notices, again.send) == ((), ())
    assert hall.wish(0, Pause(False)).send
    assert hall.wish(0, Pause(True)).send


def test_after_the_end_nothing_is_paused() -> None:
    hall = played()
    assert hall.wish(0, Pause(True)).send == ()
    assert hall.hear(0, 1, hall.word(1, Paused(0, True))).notices == ()
    assert not hall.sitters[0].shown(Pausing)


def test_nobody_is_made_to_say_too_much() -> None:
    """Seat 1 begins round after round, and the owner of seat 0 agrees to each, as bots do: it says
    no more than the others will take, and no link is closed."""
    hall = quiet(3)
    for number in range(100):
        hall.hear(0, 1, hall.word(1, Paused(number, True), number))
        hall.wish(0, Pause(True))
    assert len({word.number for word in hall.sitters[0].said(Paused)}) <= WORDS_AT_ONCE
    hall.deliver()
    assert hall.sitters[0].closed == hall.sitters[2].closed == []
