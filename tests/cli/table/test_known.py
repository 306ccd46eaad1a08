"""What a seat knows of its table, from the notices, and the lines that tell them."""

import itertools
from dataclasses import replace

import pytest
from support.engine.matches import play_match, players
from support.screen.notices import began

from cli.table.known import Known
from cli.table.port import Filled, TimeIsUp, Told
from cli.table.seating import plays_on
from cli.telling.ask import leave_match
from cli.telling.links import BACK, LOOKING, RETURNED, WHO_HEARS
from cli.telling.room import Room, Sitter
from engine.events import HandEnded, MatchEnded
from engine.rules import Rules
from p2p.crypto.identity import fingerprint
from p2p.net.link.live import OTHER_LEFT
from p2p.session.sitting.owner import (
    AgainWanted,
    Alone,
    Away,
    Back,
    Began,
    Chatted,
    Chosen,
    Happened,
    Hushed,
    Left,
    Linked,
    Offered,
    Onlooker,
    OutWished,
    Pausing,
    Refused,
    Resumed,
    Slept,
    Unlinked,
    Waiting,
)
from p2p.session.state.events import (
    Faulted,
    HandBegan,
    InHand,
    MatchBegan,
    SeatOut,
    SessionEvent,
    TakenBack,
)
from p2p.session.state.table import Terms

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
    assert known.take(Resumed(tuple(told))) == [
        BACK,
        lines[first][0],
        *itertools.chain(*lines[first + 1 :]),
    ]
    assert known.scene.scores == other.scene.scores


def test_who_comes_back_to_an_untouched_hand_is_promised_nothing_that_happened() -> None:
    told = play_match(17, 2, Rules.make("classic", 2, {"target": "30"}))
    first = max(at for at, event in enumerate(told) if isinstance(event, HandBegan))
    lines = at_table().take(Resumed(tuple(told[: first + 1])))
    assert lines[0] == RETURNED
    assert len(lines) == 2
    onlooker = Known()
    onlooker.take(began(None))
    assert LOOKING not in onlooker.take(Resumed(tuple(told[: first + 1])))


def test_who_looks_on_is_told_who_seems_away_and_when_that_is_over() -> None:
    known = Known()
    known.take(began(None))
    known.take(Happened(MatchBegan(bytes(32), Rules.make("classic", 2).spell(), players(2))))
    assert known.take(Away(1, 15.0, None)) == ["Ben is away for 15 s, as it seems from here."]
    assert known.beside == {1: "away 0:15"}
    assert known.take(Away(1, 16.0, None)) == []
    assert known.take(Back(1)) == ["Ben is back."]
    assert known.beside == {}


def test_who_is_away_is_told_at_once_and_at_full_minutes() -> None:
    known = at_table()
    assert known.take(Linked(1)) == []
    lost = known.take(Unlinked(1, "nothing was heard for 8 s"))
    assert lost == ["The link to Ben is down (nothing was heard for 8 s); it is tried again."]
    assert known.away == {}
    assert known.take(Away(1, 3.0, 297.0)) == ["Ben is away for 3 s (may be away 4 min 57 s more)."]
    assert known.take(Away(1, 40.9, 259.1)) == []
    assert known.beside == {1: "away 0:40"}
    assert known.take(Away(1, 60.0, 240.0)) == ["Ben is away for 1 min (may be away 4 min more)."]
    assert known.take(Linked(1)) == []
    assert known.take(Back(1)) == ["Ben is back."]
    assert known.away == {}
    assert known.take(Back(1)) == []
    late = known.take(Away(1, 0.0, 240.0, late=True))
    assert late == ["Ben is late for 0 s (may be late 4 min more)."]
    known.take(Left(1))
    assert (known.away, known.beside) == ({}, {1: "left"})


def test_in_a_pause_an_absence_is_told_once_and_means_nothing() -> None:
    known = at_table()
    known.take(Happened(MatchBegan(bytes(32), Rules.make("classic", 2).spell(), known.players)))
    known.take(Pausing(1, frozenset({0, 1}), on=True, was_on=False))
    parting = [known.parting]
    away = ["Ben is away; the match is paused, and waits."]
    assert known.take(Away(1, 3.0, 300.0)) == away
    assert known.take(Away(1, 90_000.0, 300.0)) == []
    assert known.take(Back(1)) == ["Ben is back."]
    assert known.take(Away(1, 3.0, 300.0)) == away
    known.take(Pausing(0, frozenset(), on=False, was_on=True))
    assert known.take(Away(1, 60.0, 300.0)) == ["Ben is away for 1 min (may be away 5 min more)."]
    assert [*parting, known.parting] == ["waits", "ends"]


def test_who_is_waited_for_what_was_hushed_and_a_sleep() -> None:
    known = at_table()
    assert known.take(Waiting((1,), 125.0)) == ["Waiting for Ben, 2 min."]
    known.clock = 15
    assert known.take(Waiting((1,), 60.0)) == [
        "Waiting for Ben, 1 min (the clock of this table is 15 s)."
    ]
    assert known.waited == frozenset()
    known.clock = None
    assert known.take(Waiting((1,), 240.0, 60.0)) == [
        "Waiting for Ben, 4 min. In 1 min you may choose to go on without Ben."
    ]
    assert known.take(Waiting((1,), 300.0, 0.0)) == [
        "Waiting for Ben, 5 min. You may choose to go on without Ben."
    ]
    assert known.waited == {1}
    assert known.take(OutWished(1, (0,))) == [
        "Ben wants to go on without you; it does when all others want that, unless you decide."
    ]
    assert known.take(OutWished(1, (1,))) == ["Ben wants to go on without Ben."]
    assert known.take(OutWished(0, (1,))) == [
        "You want to go on without Ben; it does when all others want it too."
    ]
    assert known.take(OutWished(1, ())) == ["Ben wants to wait on."]
    assert known.take(Waiting((0,), 240.0, 60.0)) == [
        "The others wait for you; in 1 min they may go on without you."
    ]
    assert known.take(Waiting((0, 1), 300.0, 0.0)) == [
        "Waiting for Ben, 5 min. You may choose to go on without Ben.",
        "The others wait for you; they may now go on without you.",
    ]
    assert known.waited == {1}
    assert known.take(Waiting((0,), 300.0)) == []
    assert known.waited == frozenset()
    assert known.take(Hushed(1, 12)) == ["12 lines of Ben's were not shown."]
    assert known.take(Hushed(1, 1)) == ["1 line of Ben's was not shown."]
    assert known.take(Slept(20.0)) == ["This machine was asleep for 20 s."]
    assert known.take(Alone()) == [
        "Nobody else of this match is there; they may have ended it. You may leave; the record "
        "so far is kept."
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


def three(me: int | None = 0) -> Known:
    """In a match of Ana, Ben and Cleo."""
    known = Known()
    known.take(began(me, 3))
    known.take(Happened(MatchBegan(bytes(32), Rules.make("classic", 3).spell(), known.players)))
    return known


@pytest.mark.parametrize("me", [0, None])
def test_that_somebody_has_left_is_told_at_once_and_whom_the_others_wait_for(
    me: int | None,
) -> None:
    known = three(me)
    soon = "Ben has left; the match goes on without Ben as soon as the others' programs agree."
    assert known.take(Left(1)) == [soon]
    assert known.leaving == soon
    known.take(Away(2, 5.0, None if me is None else 295.0))
    assert known.leaving == (
        "Ben has left; the match goes on without Ben as soon as Cleo is heard."
    )
    known.take(Back(2))
    assert known.leaving == soon
    known.take(Happened(SeatOut(1, 1, "left", (0, 2))))
    assert known.leaving == ""


def test_where_the_match_cannot_go_on_without_who_leaves_it_is_not_said_to() -> None:
    known = at_table()
    known.take(Happened(MatchBegan(bytes(32), Rules.make("classic", 2).spell(), known.players)))
    assert known.take(Left(1)) == []
    both = three()
    both.take(Left(1))
    assert both.take(Left(2)) == []
    assert both.leaving == ""


@pytest.mark.parametrize("me", [0, None])
def test_a_leave_is_told_once_and_then_what_follows_from_it(me: int | None) -> None:
    rules = Rules.make("classic", 3)
    known = Known()
    known.take(began(me, 3))
    known.take(Happened(MatchBegan(bytes(32), rules.spell(), known.players)))
    dealt = HandBegan(1, 0, (None, None, None), (7, 7, 7), None)
    known.take(Happened(dealt))
    told = known.take(Left(2)) + known.take(Unlinked(2, OTHER_LEFT))
    told += known.take(Unlinked(2, "nothing was heard for 8 s"))
    told += known.take(Happened(SeatOut(1, 2, "left", (0, 1))))
    ended = HandEnded("left", None, (None, None, None), (0, 0, 0), (0, 0, 0))
    told += known.take(Happened(InHand(1, ended)))
    assert told == [
        "Cleo has left; the match goes on without Cleo as soon as the others' programs agree.",
        "The match goes on without Cleo.",
        "Hand 1 ends; the tiles still in the hands are not counted.",
        "Scores: Ana 0, Ben 0, Cleo 0 (left).",
    ]
    # By whose link it is that one looks on again is news.
    assert known.take(Linked(1)) == (
        [] if me is not None else ["You look on again, by the link to Ben."]
    )


def test_who_has_left_is_not_waited_for_as_who_thinks_is() -> None:
    known = three()
    known.take(Waiting((1,), 60.0, 30.0))
    assert known.waited == {1}
    known.take(Left(1))
    assert known.waited == frozenset()
    assert known.take(Waiting((1,), 120.0, 0.0)) == []
    assert known.waited == frozenset()
    assert known.take(Waiting((1, 2), 120.0, 0.0)) == [
        "Waiting for Cleo, 2 min. You may choose to go on without Cleo."
    ]
    assert known.waited == {2}


@pytest.mark.parametrize("reason", ["left", "absent", "idle", "fault"])
def test_who_is_out_is_away_no_more(reason: str) -> None:
    known = three()
    known.take(Away(1, 40.0, 260.0))
    known.take(Away(2, 1.0, 260.0))
    known.take(Happened(SeatOut(1, 1, reason, (0, 2))))
    assert list(known.away) == [2]
    assert known.scene.out[1].reason == reason
    assert known.take(Away(1, 60.0, 240.0)) == []
    assert list(known.away) == [2]


def test_what_leaving_means() -> None:
    two, known = at_table(), three()
    two.take(Happened(MatchBegan(bytes(32), Rules.make("classic", 2).spell(), two.players)))
    assert (two.parting, known.parting) == ("ends", "without")
    # Nobody else is there where only one's own bots play.
    two.owners = (0, 0)
    assert two.parting == "alone"
    told = leave_match(two.parting, pause="the word pause")
    assert "everybody" not in told
    assert "a pause (the word pause), to which your bots agree." in told
    known.take(Happened(SeatOut(1, 1, "left", (0, 2))))
    assert known.parting == "ends"
    put_out = three(1)
    put_out.take(Happened(SeatOut(1, 1, "absent", (0, 2))))
    assert put_out.parting == "looking"


@pytest.mark.parametrize(
    ("partners", "seats", "owners", "goes_on"),
    [
        ("no", (0, 1), (0, 1, 2, 3), False),
        ("no", (0, 1, 3), (0, 1, 2, 3), True),
        ("no", (0, 1, 2), (0, 0, 2, 3), False),
        ("no", (0, 1, 2), (0, 1, 1, 3), True),
        ("no", (0, 1), (1, 1, 2, 3), False),
        ("no", (1, 2), (0, 1, 2, 3), True),
        ("yes", (0, 1, 2, 3), (0, 1, 2, 3), False),
    ],
)
def test_a_match_goes_on_without_one(
    partners: str, seats: tuple[int, ...], owners: tuple[int, ...], goes_on: bool
) -> None:
    rules = Rules.make("classic", 4, {"partners": partners})
    assert plays_on(rules, seats, owners, 0) == goes_on


def test_who_is_at_the_table() -> None:
    assert Known().who() == ("You are at no table yet.",)
    lobby = Known(room=ROOM)
    assert lobby.who()[-1] == "1 seat still free"
    resumed = three()
    keys = [fingerprint(one.key) for one in resumed.players]
    resumed.take(Happened(SeatOut(1, 1, "absent", (0, 2))))
    resumed.take(Left(2))
    assert resumed.who() == (
        f"1 Ana (you)  key {keys[0]}",
        f"2 Ben  key {keys[1]}, out",
        f"3 Cleo  key {keys[2]}, left",
        WHO_HEARS,
    )


def test_a_link_that_was_down_for_a_moment_is_told_as_there_again() -> None:
    known = at_table()
    known.take(Unlinked(1, "nothing was heard for 8 s"))
    assert known.take(Linked(1)) == ["The link to Ben is there again."]
    assert known.take(Linked(1)) == []


def test_a_link_that_the_other_side_ended_is_not_tried_again() -> None:
    known = three()
    assert known.take(Unlinked(1, OTHER_LEFT)) == ["The link to Ben is down (the other side left)."]
    known.take(Happened(SeatOut(1, 2, "left", (0, 1))))
    assert known.take(Unlinked(2, OTHER_LEFT)) == []


def test_who_goes_in_a_pause_has_stopped_for_today() -> None:
    known = at_table()
    known.take(Pausing(1, frozenset({0, 1}), on=True, was_on=False))
    stopped = "Ben has stopped for today; the match is paused, and waits."
    assert known.take(Unlinked(1, OTHER_LEFT)) == [stopped]
    assert known.take(Away(1, 3.0, 300.0)) == []
    assert known.standing[1] == stopped
    assert known.take(Back(1)) == ["Ben is back."]
    assert known.take(Unlinked(1, "nothing was heard for 8 s")) == [
        "The link to Ben is down (nothing was heard for 8 s); it is tried again."
    ]


def test_who_looks_on_by_a_link_to_here_is_told_as_that_and_stands_in_who() -> None:
    known = at_table()
    assert known.take(Onlooker("Dot", 1)) == ["Dot looks on."]
    assert known.take(Onlooker("Eve", 2)) == ["Eve looks on."]
    assert known.who()[-3:] == (
        "Dot looks on, by a link to you.",
        "Eve looks on, by a link to you.",
        WHO_HEARS,
    )
    known.take(began())
    assert known.onlookers.names == ("Dot", "Eve")
    assert known.take(Onlooker("Dot", 1, "nothing was heard for 8 s")) == []
    assert "Dot looks on, by a link to you." not in known.who()
    # Dot's link has moved, of which was told who it is.
    assert known.take(Onlooker("Dot", 2)) == []
    assert "Dot looks on, by a link to you." in known.who()
    assert known.take(Onlooker("Dot", 1, OTHER_LEFT)) == ["Dot looks on no more."]
    assert known.take(Onlooker("Dot", 2)) == ["Dot looks on."]
    assert known.take(Onlooker("Eve", 0, OTHER_LEFT)) == ["Eve looks on no more."]
    assert not any("Eve" in line or "Dot" in line for line in known.who())


def test_where_nobody_may_or_can_look_on_who_says_nothing_of_it() -> None:
    known = Known()
    begun = began()
    known.take(began(None))
    assert known.who()[-1] == WHO_HEARS
    people = begun.table.people
    bots = (people[0], replace(people[1], owner=people[0].key))
    for table in (
        replace(begun.table, terms=Terms(watch=False)),
        replace(begun.table, people=bots),
    ):
        known.take(Began(table, 0))
        assert WHO_HEARS not in known.who()


def test_a_hand_whose_end_is_taken_back_is_not_on_the_sheet() -> None:
    known = at_table()
    told = play_match(17, 2, Rules.make("classic", 2, {"target": "30"}))
    ends = [at for at, one in enumerate(told, 1) if _ends_hand(one)]
    assert len(ends) > 1
    for event in told[: ends[1]]:
        known.take(Happened(event))
    first, second = known.hands
    assert first != second
    known.take(Happened(TakenBack(tuple(told[: ends[1] - 1]))))
    assert known.hands == (first,)


def _ends_hand(event: SessionEvent) -> bool:
    return isinstance(event, InHand) and isinstance(event.event, HandEnded)


def test_a_fault_at_the_very_first_step_ends_what_has_no_scores() -> None:
    known = Known()
    known.take(began(me=1))
    known.take(Happened(Faulted(0, "it sent something else")))
    said = known.take(Happened(MatchEnded("fault", (1,), (0, 0))))
    assert list(said) == ["You win the match."]
