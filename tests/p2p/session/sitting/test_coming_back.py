"""A seat whose program was killed takes its place again, from what its store kept."""

import copy
from functools import cache

import pytest
from support.limits import seats
from support.session.sittings import Hall, Sitter, kept_by, make_hall, played, quiet

from p2p.session.sitting.exchange import SHOW_SECONDS
from p2p.session.sitting.owner import Alone, Left, Outcome, Outdone, Pause, Pausing, Resumed, Say
from p2p.session.sitting.sitting import Sitting
from p2p.session.state.table import USUAL_GRACE
from p2p.wire.envelope import MATCH_LADDER, open_envelope
from p2p.wire.talk import Chat, Hold, Leave, Rung, Said, decode_talk, make_word


@cache
def _stood() -> Hall:
    return quiet(2)


def stood() -> Hall:
    """A table of two where somebody is to move, and nobody does."""
    hall = _stood()
    keys = (one.sitting._identity for one in hall.sitters)
    return copy.deepcopy(hall, {id(key): key for key in keys})


def signed(one: Sitter) -> list[bytes]:
    """The ids of the messages that a seat signed since it came back."""
    return [
        message.id
        for effects in one.given
        for message in effects.store.messages
        if message.seat == one.place
    ]


def told(hall: Hall, place: int) -> Sitter:
    """A seat come back with all that it had kept, and not linked to anybody."""
    dead = hall.sitters[place]
    back = hall.come_back(place, kept_by(dead.given))
    hall.start(place)
    return back


def begun(players: int) -> Hall:
    """The first leads of a hand are made."""
    hall = make_hall(players)
    hall.start()
    hall.deliver()
    for _ in range(3):
        hall.decide()
        hall.deliver()
    return hall


def test_it_shows_what_was_and_goes_on_once_all_linked_have_said_what_they_hold() -> None:
    hall = begun(3)
    past = hall.sitters[0].events
    back = told(hall, 0)
    assert back.shown(Resumed) == [Resumed(tuple(past))]
    hall.join(0, 1)
    hall.link(0, 2)
    hall.deliver()
    assert back.session.returning
    hall.link(2, 0)
    hall.play()
    assert not back.session.returning
    assert all(one.session.closed for one in hall.sitters)
    assert len({one.session.record() for one in hall.sitters}) == 1


def test_a_pause_that_was_on_is_on_again() -> None:
    hall = stood()
    mover = next(one.place for one in hall.sitters if one.session.decision() is not None)
    for place in (0, 1):
        hall.wish(place, Pause(True))
        hall.deliver()
    back = told(hall, mover)
    hall.join(mover, 1 - mover)
    hall.deliver()
    last = back.shown(Pausing)[-1]
    assert isinstance(last, Pausing)
    assert (last.wanting, last.on) == (frozenset({0, 1}), True)
    back.answer = back.decide
    assert hall.decide()
    hall.deliver()
    assert signed(back) == []
    hall.wish(1 - mover, Pause(False))
    hall.deliver()
    assert len(signed(back)) >= 1


def test_a_pause_without_who_was_not_there_is_on_from_the_first_moment() -> None:
    """Nobody is told first that others had yet to agree."""
    hall = quiet(3)
    for place in (0, 1):
        hall.part(2, place)
        hall.wish(place, Pause(True))
    hall.deliver()
    assert hall.sitters[0].sitting.waits
    back = told(hall, 0)
    assert back.shown(Pausing) == [Pausing(0, frozenset({0, 1}), on=True, was_on=False)]


@pytest.mark.parametrize("players", seats(2, full=(2, 3)))
def test_all_may_go_in_a_pause_and_come_back_another_day(players: int) -> None:
    """Nobody says that it leaves; whoever stays longer, or comes back first, waits, even for who
    has no grace left."""
    hall = quiet(players)
    everybody = range(players)
    for place in everybody:
        hall.wish(place, Pause(True))
    hall.deliver()
    for one in hall.sitters:
        assert one.sitting.waits
        used = one.sitting.playing.attendance.grace.used
        used.update(dict.fromkeys(everybody, USUAL_GRACE))
    last = players - 1
    for place in range(last):
        for other in everybody:
            if other != place:
                hall.unlink(other, place)
    hall.tick_on(last, int(USUAL_GRACE) + 60)
    assert hall.sitters[last].last.outcome is None
    assert not hall.sitters[last].shown(Alone)
    back = [told(hall, place) for place in everybody]
    hall.tick_on(0, int(USUAL_GRACE) + 60)
    assert (back[0].last.outcome, back[0].sitting.waits) == (None, True)
    for place in everybody:
        for other in range(place):
            hall.join(other, place)
    hall.deliver()
    for one in back:
        # It is on from the first moment, and nobody who comes ends it.
        assert one.shown(Pausing) == [Pausing(0, frozenset(everybody), on=True, was_on=False)]
    hall.wish(last, Pause(False))
    hall.deliver()
    assert not any(one.sitting.waits for one in back)
    mover = next(one for one in back if one.last.ask is not None)
    mover.answer = mover.decide
    assert hall.decide()
    hall.deliver()
    assert signed(mover)
    assert len({one.session.record() for one in back}) == 1


def test_before_all_agree_to_a_pause_nobody_waits_for_who_goes() -> None:
    hall = quiet(2)
    hall.wish(0, Pause(True))
    hall.deliver()
    assert not any(one.sitting.waits for one in hall.sitters)
    hall.wish(1, Pause(True))
    hall.deliver()
    assert all(one.sitting.waits for one in hall.sitters)


def test_alone_it_signs_nothing() -> None:
    hall = stood()
    mover = next(one.place for one in hall.sitters if one.session.decision() is not None)
    back = told(hall, mover)
    hall.tick_on(mover, 40)
    assert back.session.returning
    assert back.last.ask is None
    hall.join(0, 1)
    hall.deliver()
    assert back.last.ask is not None


def test_alone_at_its_own_turn_it_does_not_wait_for_ever() -> None:
    hall = stood()
    mover = next(one.place for one in hall.sitters if one.session.decision() is not None)
    back = told(hall, mover)
    assert hall.tick_on(mover, int(USUAL_GRACE) - 1).outcome is None
    outcome = hall.tick_on(mover, 1).outcome
    assert outcome is not None
    assert outcome.kind == "broken"
    assert signed(back) == []


def test_an_older_copy_signs_nothing_more_and_says_so() -> None:
    hall = begun(2)
    given = hall.sitters[0].given
    own = [at for at, one in enumerate(given) if any(m.seat == 0 for m in one.store.messages)]
    copy = hall.come_back(0, kept_by(given[: own[-1]]))
    hall.start(0)
    hall.join(0, 1)
    hall.deliver()
    hall.tick_on(0, 40)
    assert copy.shown(Outdone) == [Outdone()]
    assert signed(copy) == []
    assert copy.last.ask is None
    assert not any(one.session.fault for one in hall.sitters)
    left = hall.take(0, copy.sitting.leave(hall.now))
    assert [word.said for word in left.store.words] == [Leave()]


def test_who_says_that_it_holds_what_never_comes_is_not_waited_for() -> None:
    hall = stood()
    mover = next(one.place for one in hall.sitters if one.session.decision() is not None)
    liar, back = 1 - mover, told(hall, mover)
    hall.link(mover, liar)
    referee = back.session.referee
    ladder = referee.ladder(MATCH_LADDER)
    rung = Rung(MATCH_LADDER, ((ladder.step + 5, bytes(32)), (0, ladder.hashes[0])), ())
    hall.hear(mover, liar, Hold(back.session.table.id, (rung,), ()))
    hall.tick_on(mover, int(SHOW_SECONDS) - 1)
    assert back.last.ask is None
    hall.tick_on(mover, 2)
    assert back.last.ask is not None


def test_its_words_are_counted_on() -> None:
    hall = stood()
    hall.wish(0, Say("one"))
    hall.wish(0, Say("two"))
    back = told(hall, 0)
    said = hall.wish(0, Say("three")).store.words
    assert [(word.said, word.number) for word in said] == [(Chat("three"), 2)]
    assert not back.session.outdone


def test_who_has_left_is_known_again() -> None:
    hall = stood()
    hall.take(1, hall.sitters[1].sitting.leave(hall.now))
    hall.deliver()
    kept = kept_by(hall.sitters[0].given)
    assert kept.has_left(1)
    dead = hall.sitters[0]
    table, key = dead.session.table, dead.sitting._identity
    back = Sitting.come_back(kept, table, table, key, dead.sitting._rng)
    assert back.playing.left == [1]


def test_used_grace_is_used_after_it() -> None:
    hall = stood()
    hall.part(0, 1)
    hall.pass_time(30)
    used = hall.sitters[0].sitting.playing.attendance.grace.used[1]
    back = told(hall, 0)
    assert used - 5 < back.sitting.playing.attendance.grace.used[1] <= used


def test_after_another_match_the_links_keep_their_places() -> None:
    hall = stood()
    dead = hall.sitters[0]
    table, key = dead.session.table, dead.sitting._identity
    turned = type(table)(table.rules, table.people[::-1])
    kept = kept_by(dead.given)
    back = Sitting.come_back(kept, table, turned, key, dead.sitting._rng)
    back.start(0.0)
    effects = back.linked(0, 0.0)
    (place, payload), *_ = effects.send
    keys = tuple(person.key for person in table.people)
    assert isinstance(decode_talk(payload, table.id, keys), Hold)
    assert place == 0


def test_what_it_had_signed_and_not_sent_is_sent_and_no_other() -> None:
    hall = make_hall(2)
    hall.start(0)
    unsent = [message.id for message in hall.sitters[0].last.store.messages]
    assert unsent
    hall.on_the_way.clear()
    back = told(hall, 0)
    hall.start(1)
    hall.join(0, 1)
    hall.deliver()
    keys = tuple(person.key for person in back.session.table.people)
    sent = [
        open_envelope(talk.data).id
        for effects in back.given
        for _, payload in effects.send
        if isinstance(talk := decode_talk(payload, back.session.table.id, keys), Said)
    ]
    assert set(unsent) <= set(sent)
    assert not any(one.session.fault for one in hall.sitters)


def test_without_anybody_to_sign_for_a_decided_match_ends() -> None:
    """The other has signed and leaves before this seat, come back, has seen what it holds."""
    hall = played(2)
    given, table = hall.sitters[0].given, hall.sitters[0].session.table
    unsigned = next(
        at
        for at, effects in enumerate(given)
        if any((one.seat, one.kind) == (0, "result") for one in effects.store.messages)
    )
    theirs = [one for effects in given for one in effects.store.messages if one.seat == 1]
    back = hall.come_back(0, kept_by(given[:unsigned]))
    hall.start(0)
    hall.link(0, 1)
    for message in theirs:
        hall.hear(0, 1, Said(message.data))
    assert back.session.state.is_decided()
    assert back.last.outcome is None
    hall.hear(0, 1, make_word(hall.sitters[1].sitting._identity, table.id, 1, 0, Leave()))
    assert back.last.outcome == Outcome(
        "finished", "All others were gone before your seat had signed the result."
    )
    assert signed(back) == []


def test_who_comes_back_is_told_once_more_who_has_left_and_is_not_out() -> None:
    hall = quiet(3)
    hall.part(1, 2)
    hall.take(0, hall.sitters[0].sitting.leave(hall.now))
    hall.deliver()
    assert 0 in hall.sitters[1].session.state.seats
    back = told(hall, 1)
    assert back.shown(Left) == [Left(0)]
