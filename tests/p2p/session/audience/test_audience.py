"""The seats' side of looking on: told part by part and then all that is new, paced, and whatever
somebody without a seat says changes nothing for those who play."""

import pytest
from support.session.onlookers import Looker, dealt, deliver, pass_time, play
from support.session.sittings import Hall
from support.session.tables import seeded

from engine.seats import MAX_SEATS
from p2p.crypto.identity import IdentityKey
from p2p.deck.checks import TrustedChecks
from p2p.session.audience import audience
from p2p.session.audience.audience import SAME_SECONDS, Audience
from p2p.session.holding import hold_of
from p2p.session.sitting.owner import Onlooker, Outcome, Remarked, Say
from p2p.session.sitting.playing import FAREWELL_SECONDS
from p2p.session.sitting.sitting import TOLD_AT_ONCE
from p2p.wire.chat import make_remark
from p2p.wire.talk import Chat, Leave, Paused, Said, encode_talk

KEY = IdentityKey.generate(seeded("looker"))
FIRST = MAX_SEATS


def test_who_lacks_much_is_told_it_part_by_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audience, "MOST_BYTES", 6000)
    hall = dealt(2)
    looker = Looker(hall, KEY)
    looker.link(0)
    deliver(hall, looker)
    assert not looker.session.state.dealt
    pass_time(hall, 4, looker)
    assert looker.session.record() == hall.sitters[0].session.record()
    assert looker.session.state.dealt


def test_who_asks_the_same_again_is_answered_seldom() -> None:
    session = dealt(2).sitters[0].session
    seats = Audience(session)
    hold = hold_of(session.referee)
    seats.hear(FIRST, hold)
    assert seats.answers(0.0) == []
    seats.come(FIRST)
    seats.hear(FIRST, hold)
    (answer,) = seats.answers(0.0)
    assert (answer.messages, answer.first, seats.whole) == ((), True, [FIRST])
    seats.hear(FIRST, hold)
    assert seats.answers(SAME_SECONDS - 0.1) == []
    (answer,) = seats.answers(SAME_SECONDS)
    assert not answer.first
    seats.go(FIRST)
    assert seats.whole == []


def _look(hall: Hall, place: int = FIRST) -> None:
    hall.take(0, hall.sitters[0].sitting.linked(place, hall.now, "Mal"))


def test_who_says_what_only_a_seat_says_loses_the_link_and_nothing_comes_of_it() -> None:
    hall = dealt(3)
    stands = hall.sitters[1].session.record()
    word = hall.word(1, Chat("I am Ben"))
    leave = hall.word(1, Leave())
    said = Said(next(iter(hall.sitters[1].session.course.taken.values())).data)
    for forged in (word, leave, said, hall.word(2, Paused(0, True))):
        _look(hall)
        hall.hear(0, FIRST, forged)
        effects = hall.sitters[0].given[-2]
        assert effects.close == ((FIRST, "it sent what only a seat says"),)
        assert effects.send == ()
        assert {type(notice) for notice in effects.notices} <= {Onlooker}
    table = hall.first.id
    posing = make_remark(hall.sitters[1].sitting._identity, table, "Mal", 0, "I am Ben")
    broken = encode_talk(make_remark(KEY, table, "Mal", 0, "hi"))[:-1] + b"\x00"
    for payload in (encode_talk(posing), broken, b"\xc1", b""):
        _look(hall)
        hall.hear(0, FIRST, payload)
        assert [place for place, _ in hall.sitters[0].given[-2].close] == [FIRST]
    assert [one.session.record() for one in hall.sitters] == [stands] * 3
    assert not any(one.session.fault for one in hall.sitters)
    assert not any(one.shown(Remarked) for one in hall.sitters)
    assert all(to == FIRST for _, to, _ in hall.on_the_way)


def test_a_flood_of_lines_is_bounded_for_everybody() -> None:
    hall = dealt(3)
    _look(hall)
    for number in range(300):
        key = IdentityKey.generate(seeded(f"key {number % 7}"))
        hall.hear(0, FIRST, make_remark(key, hall.first.id, "Mal", number, "spam"))
    deliver(hall)
    for one in hall.sitters:
        assert 0 < len(one.shown(Remarked)) <= 40
    hall.wish(1, Say("still here"))
    deliver(hall)
    assert hall.sitters[2].notices[-1] != hall.sitters[2].shown(Remarked)[-1]


def test_who_comes_and_goes_all_the_time_is_not_told_each_time() -> None:
    hall = dealt(2)
    for at in range(50):
        _look(hall, FIRST + at)
        hall.take(0, hall.sitters[0].sitting.unlinked(FIRST + at, "gone", hall.now))
    assert len(hall.sitters[0].shown(Onlooker)) == TOLD_AT_ONCE


def test_a_seat_that_is_only_a_relay_passes_lines_on() -> None:
    hall = dealt(3)
    hall.part(0, 2)
    _look(hall)
    hall.hear(0, FIRST, make_remark(KEY, hall.first.id, "Dot", 7, "nice"))
    deliver(hall)
    assert hall.sitters[2].shown(Remarked) == [Remarked("Dot", "nice")]


def test_twenty_have_the_whole_record_and_the_seats_are_told_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What each judges is shown elsewhere: here they believe, since twenty would take long."""
    hall = dealt(2)
    monkeypatch.setattr("p2p.session.referee.Checks", TrustedChecks)
    lookers = [
        Looker(hall, IdentityKey.generate(seeded(f"looker {at}")), FIRST + at) for at in range(20)
    ]
    for at, looker in enumerate(lookers):
        looker.link(at % 2)
        deliver(hall, *lookers)
    play(hall, *lookers)
    record = hall.sitters[0].session.record()
    assert [one.session.record() for one in lookers] == [record] * 20
    assert all(one.outcome == Outcome("finished") for one in lookers)
    # Of each payload: whoever plays is sent it before those who look on.
    for effects in (effects for one in hall.sitters for effects in one.given):
        looks_on: set[bytes] = set()
        for place, payload in effects.send:
            assert place >= FIRST or payload not in looks_on
            looks_on |= {payload} if place >= FIRST else set()


def test_at_the_end_who_is_still_being_told_is_waited_for_and_not_for_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(audience, "MOST_BYTES", 6000)
    monkeypatch.setattr("p2p.session.referee.Checks", TrustedChecks)
    hall = dealt(2)
    looker = Looker(hall, KEY)
    looker.link(0)
    play(hall, looker)
    assert [one.last.outcome for one in hall.sitters] == [None, Outcome("finished")]
    pass_time(hall, int(FAREWELL_SECONDS), looker)
    assert looker.outcome == Outcome("finished")
    assert hall.sitters[0].last.outcome == Outcome("finished")
    hall = dealt(2)
    looker = Looker(hall, KEY)
    looker.link(0)
    play(hall, looker)
    pass_time(hall, int(FAREWELL_SECONDS) + 1)
    assert hall.sitters[0].last.outcome == Outcome("finished")
