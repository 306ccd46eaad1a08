"""What a seat knows of its table, from the notices, and the lines that tell them."""

import itertools

from support.engine.matches import play_match
from support.screen.notices import began

from cli.table.known import BACK, LEFT, Known
from cli.table.port import Filled, TimeIsUp, Told
from cli.telling.room import Room, Sitter
from engine.rules import Rules
from p2p.session.sitting.owner import (
    AgainWanted,
    Alone,
    Away,
    Back,
    Chatted,
    Chosen,
    Happened,
    Hushed,
    Left,
    Linked,
    Offered,
    Pausing,
    Refused,
    Resumed,
    Slept,
    Unlinked,
    Waiting,
)
from p2p.session.state.events import Faulted, HandBegan, MatchBegan

ANA, BEN = Sitter(bytes([1]) * 32, "Ana"), Sitter(bytes([2]) * 32, "Ben")
ROOM = Room((ANA, BEN), 3, ANA.key, hosts=True)


def at_table(me: int = 0) -> Known:
    """Before the first event of a match of Ana and Ben."""
    known = Known()
    known.take(began(me))
    return known


def test_lines_of_what_others_do_and_of_oneself() -> None:
    known = at_table()
    assert known.take(Told("So.")) == ["So."]
    assert known.take(Refused("That cannot be.")) == ["That cannot be."]
    assert known.take(Chatted(1, "hi")) == ["Ben: hi"]
    assert known.take(Chatted(0, "hello")) == ["You: hello"]
    assert known.take(AgainWanted(1)) == ["Ben asks for another match."]
    assert known.take(TimeIsUp(Chosen(None))) == []


def test_a_peer_may_ask_for_a_pause_or_break_the_protocol_before_the_match_begins() -> None:
    known = at_table()
    pausing = Pausing(1, frozenset({1}), on=False, was_on=False)
    assert known.take(pausing) == ["Ben asks for a pause; it begins when all agree."]
    assert known.take(Happened(Faulted(1, "a lie"))) == ["Ben broke the protocol: a lie."]
    assert known.scene.players == ()


def test_who_wants_a_pause() -> None:
    known = at_table()
    known.take(Pausing(1, frozenset({1}), on=False, was_on=False))
    assert (known.wants_pause, known.paused) == (False, False)
    known.take(Pausing(0, frozenset({0, 1}), on=True, was_on=False))
    assert (known.wants_pause, known.paused) == (True, True)


def test_who_comes_back_sees_the_table_as_it_stands() -> None:
    told = play_match(17, 2, Rules.make("classic", 2, {"target": "30"}))
    known, other = at_table(), at_table()
    lines = [other.take(Happened(event)) for event in told]
    first = max(at for at, event in enumerate(told) if isinstance(event, HandBegan))
    assert first > 1
    assert known.take(Resumed(tuple(told))) == [BACK, *itertools.chain(*lines[first:])]
    assert known.scene.scores == other.scene.scores


def test_who_is_away_is_told_at_once_and_at_full_minutes() -> None:
    known = at_table()
    assert known.take(Linked(1)) == []
    lost = known.take(Unlinked(1, "nothing was heard for 8 s"))
    assert lost == ["The link to Ben is down (nothing was heard for 8 s); it is tried again."]
    assert known.away == {}
    assert known.take(Away(1, 3.0, 297.0)) == ["Ben is away since 0:03 (4:57 left)."]
    assert known.take(Away(1, 40.9, 259.1)) == []
    assert known.away == {1: "away since 0:40 (4:19 left)"}
    assert known.take(Away(1, 60.0, 240.0)) == ["Ben is away since 1:00 (4:00 left)."]
    assert known.take(Back(1)) == ["Ben is back."]
    assert known.away == {}
    assert known.take(Back(1)) == []
    assert known.take(Away(1, 0.0, 240.0, late=True)) == ["Ben is late since 0:00 (4:00 left)."]
    known.take(Left(1))
    assert known.away == {1: LEFT}


def test_who_is_waited_for_what_was_hushed_and_a_sleep() -> None:
    known = at_table()
    assert known.take(Waiting((1,), 125.0)) == ["Waiting for Ben, 2 min."]
    known.clock = 15
    assert known.take(Waiting((1,), 60.0)) == [
        "Waiting for Ben, 1 min (the clock of this table is 15 s)."
    ]
    assert known.take(Hushed(1, 12)) == ["12 lines of Ben's were not shown."]
    assert known.take(Hushed(1, 1)) == ["1 line of Ben's was not shown."]
    assert known.take(Slept(20.0)) == ["This machine was asleep for 20 s."]
    assert known.take(Alone()) == [
        "Nobody else of this match is there; they may have ended it. q leaves, and the record so "
        "far is kept."
    ]


def test_an_offer_and_why_there_is_none() -> None:
    known = at_table()
    assert known.take(Offered(True)) == []
    assert known.offered
    assert known.take(Offered(False, "Ben has left.")) == ["Ben has left."]
    assert not known.offered
    assert known.take(Offered(False)) == []


def test_the_room_is_the_hosts_until_the_match_begins() -> None:
    known = Known()
    assert known.hosted is None
    assert known.take(Filled(ROOM)) == []
    assert known.hosted == ROOM
    known.take(began())
    assert (known.hosted, known.room) == (None, ROOM)
    guest = Known()
    guest.take(Filled(Room((ANA, BEN), 3, BEN.key)))
    assert guest.hosted is None


def test_another_match_begins_with_nothing_of_the_last() -> None:
    known = at_table()
    known.take(Happened(MatchBegan(bytes(32), Rules.make("classic", 2).spell(), known.players)))
    known.take(Pausing(0, frozenset({0, 1}), on=True, was_on=False))
    known.take(Unlinked(1, "it is gone"))
    known.take(Offered(True))
    known.take(began(1))
    fresh = at_table(1)
    assert (known.scene.me, known.scene.players) == (1, ())
    known.scene = fresh.scene
    assert known == fresh
