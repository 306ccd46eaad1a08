"""A pause begins when all want it and ends when one does not, whatever order words come in."""

import random

import pytest
from support.session.sittings import Hall, Sitter, make_hall, played, quiet

from engine.moves import Pass
from p2p.session.sitting.owner import Chosen, Outcome, Pause, Pausing, Refused
from p2p.session.sitting.pausing import MAX_WORDS_A_SEAT, Pauses
from p2p.session.sitting.playing import DUE_SECONDS
from p2p.session.state.errors import Suspicion
from p2p.wire.talk import MAX_ROUNDS, Paused


def test_all_must_want_it_and_one_ends_it() -> None:
    pause = Pauses((0, 1, 2))
    word, change = pause.say(0, True)
    assert word == Paused(0, True)
    assert change == Pausing(0, frozenset({0}), on=False, was_on=False)
    assert pause.hear(1, Paused(0, True)) == Pausing(1, frozenset({0, 1}), on=False, was_on=False)
    assert pause.hear(1, Paused(0, True)) is None
    assert not pause.on
    assert pause.hear(2, Paused(0, True)) == Pausing(2, frozenset({0, 1, 2}), on=True, was_on=False)
    assert pause.on
    assert pause.hear(2, Paused(0, False)) == Pausing(2, frozenset(), on=False, was_on=True)
    assert pause.say(0, True)[0] == Paused(1, True)


def test_a_wish_for_a_round_that_is_over_counts_no_more() -> None:
    pause = Pauses((0, 1))
    pause.say(0, True)
    assert pause.say(0, False)[0] == Paused(0, False)
    assert pause.hear(1, Paused(0, True)) is None
    assert pause.hear(1, Paused(0, False)) is None
    assert pause.say(0, True)[1].wanting == {0}
    assert pause.hear(1, Paused(1, False)) == Pausing(1, frozenset(), on=False, was_on=False)


def test_a_later_round_ends_the_earlier_one() -> None:
    pause = Pauses((0, 1, 2))
    pause.say(0, True)
    pause.hear(1, Paused(0, True))
    assert pause.hear(2, Paused(1, True)) == Pausing(2, frozenset({2}), on=False, was_on=False)
    assert pause.hear(1, Paused(0, True)) is None
    assert pause.say(0, True)[0] == Paused(1, True)


def test_a_later_round_ends_a_pause_that_is_on() -> None:
    pause = Pauses((0, 1))
    pause.say(0, True)
    pause.hear(1, Paused(0, True))
    assert pause.on
    assert pause.hear(1, Paused(1, True)) == Pausing(1, frozenset({1}), on=False, was_on=True)


def test_rounds_and_words_have_an_end() -> None:
    pause = Pauses((0, 1))
    pause.hear(1, Paused(MAX_ROUNDS, True))
    pause.say(0, True)
    assert pause.on
    assert pause.say(0, False)[0] == Paused(MAX_ROUNDS, False)
    assert not pause.on
    for _ in range(MAX_WORDS_A_SEAT - 1):
        pause.hear(1, Paused(0, True))
    with pytest.raises(Suspicion, match="too many words about a pause"):
        pause.hear(1, Paused(0, True))


@pytest.mark.parametrize("seed", range(60))
def test_whatever_is_said_everybody_ends_with_the_same(seed: int) -> None:
    """Words between each two come in order, those of different people in any."""
    rng = random.Random(seed)
    seats = tuple(range(rng.choice((2, 3, 4))))
    pauses = [Pauses(seats) for _ in seats]
    wires: dict[tuple[int, int], list[Paused]] = {(a, b): [] for a in seats for b in seats}
    said = 0
    while said < 30 or any(wires.values()):
        ready = [pair for pair, words in wires.items() if words]
        if said < 30 and (not ready or rng.random() < 0.4):
            seat = rng.choice(seats)
            word, _ = pauses[seat].say(seat, rng.random() < 0.7)
            for other in seats:
                if other != seat:
                    wires[seat, other].append(word)
            said += 1
        else:
            sender, receiver = rng.choice(ready)
            pauses[receiver].hear(sender, wires[sender, receiver].pop(0))
    known = {(one._round, one.wanting) for one in pauses}
    assert len(known) == 1


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
    assert hall.unlink(turn.place, 1 - turn.place).outcome is not None
    effects = hall.wish(turn.place, Pause(False))
    assert effects.store.messages == ()
    assert effects.ask is None


def test_nobody_is_late_in_a_pause() -> None:
    hall = make_hall()
    hall.start(0)
    hall.now += DUE_SECONDS / 2
    hall.wish(0, Pause(True))
    hall.hear(0, 1, Paused(0, True))
    assert hall.tick(0, 10 * DUE_SECONDS).outcome is None
    begin = hall.now
    assert hall.wish(0, Pause(False)).deadline == begin + DUE_SECONDS
    assert hall.tick(0, DUE_SECONDS / 2).outcome is None
    outcome = hall.tick(0, DUE_SECONDS / 2).outcome
    assert outcome is not None
    assert outcome.kind == "broken"


def test_time_runs_again_when_a_word_of_a_later_round_ends_the_pause() -> None:
    hall = make_hall()
    hall.start(0)
    hall.wish(0, Pause(True))
    hall.hear(0, 1, Paused(0, True))
    assert hall.hear(0, 1, Paused(1, True)).deadline == DUE_SECONDS


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
    assert hall.hear(0, 1, Paused(0, True)).notices == ()
    assert not hall.sitters[0].shown(Pausing)


def test_too_many_words_end_the_link() -> None:
    hall = make_hall()
    hall.start(0)
    hall.hear(0, 1, *[Paused(0, True)] * (MAX_WORDS_A_SEAT + 1))
    assert hall.sitters[0].closed == [(1, "it sent too many words about a pause")]


def test_nobody_is_made_to_say_too_much() -> None:
    """Seat 1 begins round after round for seat 0 alone, whose owner agrees to each, as bots do; to
    seat 2 seat 0 has said no more than it may, its own word to end a pause included."""
    hall = make_hall(3)
    hall.start()
    hall.wish(0, Pause(True))
    for number in range(1, MAX_WORDS_A_SEAT + 1):
        hall.hear(0, 1, Paused(number, True))
        hall.wish(0, Pause(True))
    assert hall.sitters[0].last.notices == (
        Refused("Too much was said about pauses in this match."),
    )
    assert hall.wish(0, Pause(False)).send
    assert hall.wish(0, Pause(False)).send == ()
    hall.cut |= {(1, 0), (1, 2)}
    hall.deliver()
    assert hall.sitters[0].closed == hall.sitters[2].closed == []
