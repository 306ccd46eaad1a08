"""Looking on: all is judged from the beginning, whenever one comes, and told as it stood then; over
one link or another; from one match to the next. What no honest seat says ends the link alone."""

from dataclasses import replace

import pytest
from support.session.matches import classic
from support.session.onlookers import Looker, dealt, deliver, pass_time, play
from support.session.sittings import Hall, Sitter, kept_by, quiet
from support.session.tables import make_table, rules_for, seeded

from p2p.crypto.identity import IdentityKey
from p2p.session import course as courses
from p2p.session.onlooking.hearing import Hearing
from p2p.session.onlooking.onlooker import ASK_SECONDS, GONE_SECONDS, Onlooker
from p2p.session.onlooking.silence import SILENT_SECONDS
from p2p.session.parking import MAX_PARKED_A_SEAT
from p2p.session.sitting.effects import Collected
from p2p.session.sitting.owner import (
    Again,
    Away,
    Began,
    Chatted,
    Happened,
    Left,
    Linked,
    Outcome,
    Pause,
    Pausing,
    Refused,
    Remarked,
    Resumed,
    Say,
    Unlinked,
)
from p2p.session.sitting.owner import (
    Onlooker as Seen,
)
from p2p.session.sitting.presence import HERE_SECONDS
from p2p.session.state.events import HandBegan, InHand
from p2p.session.state.table import Terms
from p2p.session.verify import verify_record
from p2p.wire.envelope import MATCH_LADDER
from p2p.wire.talk import At, Chat, Here, Said, encode_talk

KEY = IdentityKey.generate(seeded("looker"))


def seen(hall: Hall, seat: int = 0) -> Looker:
    """Somebody looks on there, and has heard what there was."""
    looker = Looker(hall, KEY)
    looker.link(seat)
    deliver(hall, looker)
    return looker


def test_who_comes_in_the_middle_has_the_whole_record_and_follows_to_the_next_match() -> None:
    hall = dealt()
    hall.wish(1, Say("good luck"))
    deliver(hall)
    looker = seen(hall)
    began, resumed, chat = (one for one in looker.notices if not isinstance(one, Linked))
    assert began == Began(hall.sitters[0].session.table, None)
    assert isinstance(resumed, Resumed)
    assert chat == Chatted(1, "good luck")
    (hand,) = (one for one in resumed.events if isinstance(one, HandBegan))
    assert (hand.hands, hand.boneyard) == ((None, None), None)
    assert hall.sitters[0].shown(Seen) == [Seen("Dot", 1)]
    hall.wish(0, Pause(True))
    deliver(hall, looker)
    assert looker.shown(Pausing) == [Pausing(0, frozenset({0}), on=False, was_on=False)]
    hall.wish(0, Pause(False))

    play(hall, looker)
    assert looker.outcome == Outcome("finished")
    record = hall.sitters[0].session.record()
    assert looker.session.record() == record
    assert verify_record(record).ok
    told = [one for one in hall.sitters[0].events if not isinstance(one, HandBegan | InHand)]
    assert [one for one in looker.events if not isinstance(one, HandBegan | InHand)] == told

    looker.take(looker.life.offer(hall.now))
    hall.offer()
    for seat in (0, 1):
        hall.wish(seat, Again())
    deliver(hall, looker)
    hall.start()
    deliver(hall, looker)
    following = looker.last.following
    assert following is not None
    assert following.table == hall.sitters[0].session.table
    before = looker.session
    looker.take(looker.life.start(hall.now))
    deliver(hall, looker)
    assert looker.session is not before
    assert looker.notices[-1] in (Began(following.table, None), *looker.shown(Happened, Resumed))
    assert looker.session.referee.ladder(0).step == hall.sitters[0].session.referee.ladder(0).step


def test_a_link_that_breaks_is_made_to_another_seat_and_nothing_is_missed() -> None:
    hall = dealt()
    looker = seen(hall)
    looker.part()
    assert looker.shown(Unlinked) == [Unlinked(0, "gone")]
    assert hall.sitters[0].shown(Seen)[-1] == Seen("Dot", 0, "gone")
    hall.decide()
    deliver(hall)
    looker.link(1)
    deliver(hall, looker)
    assert looker.notices.count(Began(looker.session.table, None)) == 1
    play(hall, looker)
    assert looker.session.record() == hall.sitters[1].session.record()


def test_what_is_lost_on_the_way_is_asked_for() -> None:
    hall = dealt()
    looker = seen(hall)
    hall.decide()
    deliver(hall)
    hall.decide()
    deliver(hall, looker)
    assert looker.session.parked
    pass_time(hall, int(ASK_SECONDS) + 1, looker)
    assert looker.session.record() == hall.sitters[0].session.record()
    assert not looker.session.parked


def test_lines_go_both_ways_and_a_player_is_no_onlooker() -> None:
    hall = dealt()
    looker = seen(hall)
    looker.wish(Say("nice"))
    looker.wish(Say("\x07"))
    looker.wish(Pause(True))
    deliver(hall, looker)
    for one in hall.sitters:
        assert one.shown(Remarked) == [Remarked("Dot", "nice")]
    assert looker.shown(Remarked) == [Remarked("Dot", "nice")]
    first, second = looker.shown(Refused)
    assert isinstance(first, Refused)
    assert isinstance(second, Refused)
    assert "printable" in first.sentence
    assert second.sentence == "You look on: those who play decide about that."
    looker.part()
    looker.wish(Say("hello?"))
    (*_, last) = looker.shown(Refused)
    assert last == Refused("There is no link to the table now; try again in a moment.")


def left_by_one(hall: Hall) -> list[Sitter]:
    """The seat that is to move leaves for good; those who stay, who decide when they are asked."""
    for one in hall.sitters:
        one.answer = one.decide
    (gone,) = [one.place for one in hall.sitters if one.last.ask is not None]
    hall.take(gone, hall.sitters[gone].sitting.leave(hall.now))
    deliver(hall)
    stay = [one for one in hall.sitters if one.place != gone]
    for one in stay:
        hall.part(gone, one.place)
    pass_time(hall, 3)
    return stay


def test_who_comes_long_after_a_seat_went_hears_it_all() -> None:
    """The leave comes last, and until then everything waits for which there is room."""
    hall = quiet(3, target="100")
    stay = left_by_one(hall)
    for _ in range(25):
        hall.decide()
        deliver(hall)
    session = stay[0].session
    said = [one for one in session.course.known.messages.values() if one.root != session.table.id]
    assert min(sum(one.seat == two.place for one in said) for two in stay) > MAX_PARKED_A_SEAT
    looker = seen(hall, stay[0].place)
    pass_time(hall, int(3 * ASK_SECONDS), looker)
    there = looker.session.referee
    assert there.root == session.referee.root != session.table.id
    assert there.ladders[MATCH_LADDER].step == session.referee.ladders[MATCH_LADDER].step


def test_who_comes_when_the_last_go_hears_the_end_before_it_is_told_that_they_left() -> None:
    """What they said after the match is there before all of the match is."""
    hall = quiet(3, target="150")
    stay = left_by_one(hall)
    play(hall)
    assert all(one.session.closed for one in stay)
    assert stay[0].session.referee.ladders[MATCH_LADDER].step > 3 * MAX_PARKED_A_SEAT
    for one in stay:
        hall.take(one.place, one.sitting.leave(hall.now))
    deliver(hall)
    looker = seen(hall, stay[0].place)
    pass_time(hall, int(3 * ASK_SECONDS), looker)
    assert looker.outcome == Outcome("finished")
    assert looker.session.record() == stay[0].session.record()


def test_a_pause_is_of_those_who_play_still() -> None:
    """Who has left, or is away, is not one who has not agreed."""
    hall = quiet(3)
    for one in hall.sitters:
        one.answer = one.decide
    looker = seen(hall)
    hall.take(2, hall.sitters[2].sitting.leave(hall.now))
    deliver(hall, looker)
    for seat in (0, 1):
        hall.wish(seat, Pause(True))
    deliver(hall, looker)
    both = Pausing(1, frozenset({0, 1}), on=True, was_on=False)
    assert looker.shown(Pausing)[-1] == both
    hall.wish(0, Pause(False))
    deliver(hall, looker)
    assert looker.shown(Pausing)[-1] == Pausing(0, frozenset(), on=False, was_on=True)
    for seat in (0, 1):
        hall.part(2, seat)
    pass_time(hall, 3, looker)
    assert hall.sitters[0].session.state.seats == (0, 1)
    for seat in (0, 1):
        hall.wish(seat, Pause(True))
    deliver(hall, looker)
    assert looker.shown(Pausing)[-1] == both


def test_a_pause_is_of_those_who_seem_to_be_there() -> None:
    hall = quiet(3)
    looker = seen(hall)
    for seat in (0, 1):
        hall.part(2, seat)
        hall.wish(seat, Pause(True))
    pass_time(hall, int(SILENT_SECONDS), looker)
    assert looker.shown(Pausing)[-1] == Pausing(1, frozenset({0, 1}), on=False, was_on=False)
    pass_time(hall, int(HERE_SECONDS), looker)
    assert looker.shown(Away)
    assert looker.shown(Pausing)[-1] == Pausing(2, frozenset({0, 1}), on=True, was_on=False)
    for seat in (0, 1):
        hall.join(2, seat)
    pass_time(hall, int(SILENT_SECONDS), looker)
    last = looker.shown(Pausing)[-1]
    assert last == Pausing(2, frozenset({0, 1}), on=False, was_on=True)
    assert hall.sitters[0].shown(Pausing)[-1] == last


@pytest.mark.parametrize("again", [False, True])
def test_a_pause_that_ended_while_there_was_no_link_is_told_before_what_was_played_then(
    again: bool,
) -> None:
    """All stop in a pause, one goes on with the match, and who looks on links late; or there is a
    pause once more by then, which comes behind it."""
    hall = quiet()
    for one in hall.sitters:
        one.answer = one.decide
    looker = seen(hall)

    def pause() -> None:
        for seat in (0, 1):
            hall.wish(seat, Pause(True))
        deliver(hall, looker)

    pause()
    kept = [kept_by(one.given) for one in hall.sitters]
    looker.part()
    for seat in (0, 1):
        hall.come_back(seat, kept[seat])
        hall.start(seat)
    hall.wish(1, Pause(False))
    hall.join(0, 1)
    deliver(hall)
    for _ in range(3):
        hall.decide()
        deliver(hall)
    if again:
        pause()
    count = len(looker.notices)
    looker.link(0)
    deliver(hall, looker)
    told = [one for one in looker.notices[count:] if not isinstance(one, Linked)]
    pauses = [one for one in told if isinstance(one, Pausing)]
    played = [one for one in told if isinstance(one, Happened)]
    assert len(played) >= 3
    assert told == ([*played, *pauses] if again else [*pauses, *played])
    assert pauses[-1].on is again


def test_who_leaves_is_told_and_with_two_that_is_the_end() -> None:
    hall = dealt()
    looker = seen(hall)
    hall.take(1, hall.sitters[1].sitting.leave(hall.now))
    deliver(hall, looker)
    assert looker.shown(Left) == [Left(1)]
    assert looker.outcome is not None
    assert looker.outcome.kind == "broken"
    assert "Its record so far is kept." in str(looker.outcome.sentence)


@pytest.mark.parametrize("begun", [False, True])
def test_when_nobody_is_there_any_more_it_ends(begun: bool) -> None:
    hall = dealt()
    looker = seen(hall) if begun else Looker(hall, KEY)
    looker.part()
    left = int(hall.first.terms.grace if begun else GONE_SECONDS)
    hall.now += left - 1
    looker.take(looker.life.tick(hall.now))
    assert looker.outcome is None
    hall.now += 1.0
    looker.take(looker.life.tick(hall.now))
    assert looker.outcome is not None
    assert looker.outcome.kind == "broken"


def test_after_the_match_it_ends_when_they_go() -> None:
    hall = dealt()
    looker = seen(hall)
    play(hall, looker)
    looker.take(looker.life.offer(hall.now))
    assert looker.last.following is None
    hall.take(0, hall.sitters[0].sitting.leave(hall.now))
    deliver(hall, looker)
    following = looker.last.following
    assert following is not None
    assert following.table is None


def _others(**changes: str) -> At:
    other, _ = make_table(rules_for(2, **changes), "others")
    return At(other.description)


def test_what_no_honest_seat_says_ends_the_link_and_names_nobody() -> None:
    hall = dealt()
    first = hall.first
    hidden = replace(first, terms=Terms(watch=False))
    wrong: list[bytes] = [
        b"\xc1",
        encode_talk(_others()),
        encode_talk(At(b"no table")),
        encode_talk(At(hidden.description)),
        encode_talk(hall.word(1, Chat("x")))[:-1] + b"y",
        encode_talk(At(bytes(16 * 1024 + 1))),
    ]
    for payload in wrong:
        looker = seen(hall)
        count = len(looker.notices)
        looker.hear(payload)
        assert [place for place, _ in looker.closed] == [0]
        assert not [one for one in looker.notices[count:] if not isinstance(one, Unlinked)]
        assert looker.session.fault is None
        deliver(hall, looker)


def test_what_is_of_another_table_is_past() -> None:
    hall = dealt()
    looker = seen(hall)
    other = quiet(2, target="5")
    looker.hear(other.word(1, Here()))
    assert looker.closed == []
    fresh = Onlooker([person.key for person in hall.first.people], KEY, "Dot")
    fresh.start(0.0)
    assert fresh.heard(0, encode_talk(hall.word(1, Here())), 0.0).close == ()
    with pytest.raises(AssertionError):
        fresh.decided(None, 0.0)  # type: ignore[arg-type]


def test_hands_that_are_long_over_are_kept_as_bytes_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(courses, "HANDS_HERE", 1)
    kept = classic(3)
    hearing = Hearing(kept.table, Collected(()))
    for message in kept.messages:
        hearing.hear(Said(message.data), 0.0)
    steps = hearing.session.referee.ladders[MATCH_LADDER].steps
    assert steps.gone
    assert hearing.outcome == Outcome("finished")
    assert hearing.session.record() == kept.record
    assert not steps.gone
