"""Another match of the same people over the same links: agreed by all, or not at all."""

import math

import pytest
from support.limits import seats
from support.session.sittings import Hall, make_hall, played
from support.session.tables import make_table, rules_for, seeded

from p2p.session.sitting.effects import Following
from p2p.session.sitting.owner import (
    Again,
    AgainWanted,
    Began,
    Linked,
    Offered,
    Outcome,
    Say,
    Unlinked,
)
from p2p.session.sitting.rematch import MAX_EARLY_A_SEAT, Rematch
from p2p.session.state.table import Table
from p2p.session.verify import verify_record
from p2p.wire.codec import encode
from p2p.wire.talk import Again as AgainTalk
from p2p.wire.talk import Done, Said, Talk, encode_talk, make_chat


def agree(hall: Hall) -> list[Table]:
    """Everybody asks; the next table, as each sees it."""
    hall.offer()
    for one in hall.sitters:
        hall.wish(one.place, Again())
    hall.deliver()
    found = [one.last.following for one in hall.sitters]
    return [following.table for following in found if following and following.table]


def nonces_said(hall: Hall) -> set[bytes]:
    """What everybody said that it wants the next table to be made of."""
    found = set()
    for one in hall.sitters:
        for effects in one.given:
            for _, payload in effects.send:
                if b"again" in payload:
                    talk = hall.sitters[0].session.understand(payload)
                    found |= {talk.nonce} if isinstance(talk, AgainTalk) else set()
    return found


@pytest.mark.parametrize("players", seats(3))
def test_three_matches_one_after_the_other(players: int) -> None:
    hall = played(players)
    first = hall.sitters[0].session.table
    ids, records = {first.id}, {hall.sitters[0].session.record()}
    for _ in range(2):
        tables = agree(hall)
        assert len(tables) == players
        assert len({table.id for table in tables}) == 1
        assert {person.key for person in tables[0].people} == {one.key for one in first.people}
        assert {person.nonce for person in tables[0].people} <= nonces_said(hall)
        assert tables[0].rules == first.rules
        hall.start()
        for one in hall.sitters:
            assert Began(one.session.table, one.session.seat) in one.last.notices
            assert one.last.following is None
        hall.play()
        assert [one.last.outcome for one in hall.sitters] == [Outcome("finished")] * players
        assert len({one.session.record() for one in hall.sitters}) == 1
        assert verify_record(hall.sitters[0].session.record()).closed
        ids.add(tables[0].id)
        records.add(hall.sitters[0].session.record())
    assert len(ids) == len(records) == 3
    assert len(nonces_said(hall)) == 2 * players


def test_seats_change_and_every_link_still_leads_to_the_same_person() -> None:
    """Over some tables people sit otherwise than before; whoever is said to be gone, or is closed
    out, is named by the seat that it has now and by the place that its link always had."""
    moved = False
    for at in range(3):
        hall = played(3, name=f"moved {at}")
        before = hall.sitters[0].session.table
        table = agree(hall)[0]
        hall.start()
        for one in hall.sitters:
            assert one.session.table.people[one.session.seat].key == before.people[one.place].key
        moved = moved or [p.key for p in before.people] != [p.key for p in table.people]
        gone = table.seat_of(before.people[2].key)
        effects = hall.hear(0, 2, b"\xc1")
        assert hall.sitters[0].closed[-1][0] == 2
        assert hall.sitters[0].shown(Unlinked) == [Unlinked(gone, hall.sitters[0].closed[-1][1])]
        assert {place for place, _ in effects.send} == {1}
        assert effects.outcome is not None
        assert effects.outcome.sentence is not None
        assert f"The link to {before.players[2].name} is gone" in effects.outcome.sentence
    assert moved


@pytest.mark.parametrize("at", range(8))
def test_partners_keep_their_sides(at: int) -> None:
    before, _ = make_table(rules_for(4, partners="yes"), f"sides {at}")
    rematch, rng = Rematch(before), seeded(f"sides {at}")
    for seat in before.seats:
        assert rematch.table() is None
        assert rematch.add(seat, rng(32))
    table = rematch.table()
    assert table is not None
    sides = [{person.key for person in one.people[::2]} for one in (before, table)]
    assert sides[1] in (sides[0], {person.key for person in before.people[1::2]})


def test_what_is_said_at_the_next_table_before_the_last_wish_is_heard_counts() -> None:
    """Seat 1 hears of seat 2's wish long after seats 0 and 2 have begun."""
    hall = played(3)
    hall.held.add((2, 1))
    assert len(agree(hall)) == 2
    hall.start(0, 2)
    hall.deliver()
    assert hall.on_the_way
    assert hall.sitters[1].last.following is None
    hall.held.clear()
    hall.deliver()
    assert hall.sitters[1].last.following is not None
    hall.start(1)
    hall.play()
    assert [one.last.outcome for one in hall.sitters] == [Outcome("finished")] * 3
    assert len({one.session.record() for one in hall.sitters}) == 1


@pytest.mark.parametrize("started", [True, False])
def test_chat_of_the_table_before_may_come_late_and_is_dropped(started: bool) -> None:
    """Seat 1 has not heard yet that all want another match; its own line, and one of seat 0 that it
    passes on, come to tables that are open."""
    hall = played(3)
    hall.held.add((2, 1))
    hall.wish(0, Say("well played"))
    agree(hall)
    starting = (0, 2)
    if started:
        hall.start(*starting)
    hall.wish(1, Say("one more?"))
    hall.deliver()
    if not started:
        hall.start(*starting)
    assert [hall.sitters[place].closed for place in starting] == [[], []]
    hall.held.clear()
    hall.deliver()
    hall.start(1)
    hall.play()
    assert [one.last.outcome for one in hall.sitters] == [Outcome("finished")] * 3


def test_chat_of_a_table_that_never_was_ends_the_link() -> None:
    hall = played(2)
    agree(hall)
    table, keys = make_table(rules_for(2), "another")
    line = make_chat(keys[0], table.id, 0, 0, "hello")
    hall.start(0)
    hall.hear(0, 1, line)
    assert hall.sitters[0].closed == [(1, "it sent chat of another table or version")]


def test_a_wish_waits_until_the_owner_has_the_record() -> None:
    hall = played(2)
    assert hall.wish(0, Again()).send == ()
    hall.hear(0, 1, AgainTalk(b"a" * 32))
    assert hall.sitters[0].last.following is None
    hall.offer(0)
    assert hall.sitters[0].shown(Offered, AgainWanted) == [AgainWanted(1), Offered(True)]
    assert hall.sitters[0].last.following is not None
    assert len(hall.sitters[0].last.send) == 1


def test_asking_twice_is_asking_once() -> None:
    hall = played(2)
    hall.offer(0)
    assert len(hall.wish(0, Again()).send) == 1
    assert hall.wish(0, Again()).send == ()
    assert hall.sitters[0].last.deadline == math.inf


def test_whoever_leaves_makes_it_impossible() -> None:
    hall = played(3)
    one = hall.sitters[0]
    hall.offer()
    hall.wish(0, Again())
    hall.take(0, one.sitting.linked(1, hall.now))
    why = f"{one.name(2)} has left, so there is no other match at this table."
    effects = hall.unlink(0, 2, "the other side left")
    assert effects.notices == (Offered(False, why),)
    assert effects.following == Following(None)
    assert hall.unlink(0, 1).notices == ()
    assert not one.shown(Linked, Unlinked)


def test_without_links_nobody_is_asked() -> None:
    hall = played(3)
    one = hall.sitters[0]
    hall.unlink(0, 1)
    hall.unlink(0, 2)
    hall.offer(0)
    why = f"{one.name(1)} and {one.name(2)} have left, so there is no other match at this table."
    assert one.last.notices == (Offered(False, why),)
    assert one.last.following == Following(None)
    assert hall.wish(0, Again()).send == ()


def test_a_match_that_nobody_closed_has_no_other() -> None:
    hall = make_hall(2)
    hall.start()
    hall.offer(0)
    why = "It ended early, so there is no other match at this table."
    assert hall.sitters[0].last.notices == (Offered(False, why),)


def test_a_match_that_broke_off_has_no_other() -> None:
    hall = make_hall(2)
    hall.start()
    hall.unlink(0, 1)
    hall.offer(0)
    name = hall.sitters[0].name(1)
    assert hall.sitters[0].last.notices == (
        Offered(False, f"{name} has left, so there is no other match at this table."),
    )


def test_who_is_gone_when_all_have_asked_ends_the_next_match() -> None:
    hall = played(2)
    agree(hall)
    hall.unlink(0, 1)
    hall.start(0)
    outcome = hall.sitters[0].last.outcome
    assert outcome is not None
    assert outcome.kind == "broken"


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ([AgainTalk(b"a" * 32), AgainTalk(b"b" * 32)], "a second nonce"),
        ([encode(["again", b"short"])], "it sent"),
        ([b"\xc1"], "it sent"),
        (
            [AgainTalk(b"a" * 32), *(Said(bytes([n])) for n in range(MAX_EARLY_A_SEAT + 1))],
            "too much before",
        ),
        ([AgainTalk(b"a" * 32), *[b"\xc1"] * (MAX_EARLY_A_SEAT + 1)], "too much before"),
    ],
)
def test_wrong_things_end_the_link(said: list[bytes | Talk], why: str) -> None:
    hall = played(3)
    hall.offer(0)
    hall.hear(0, 1, *said[:-1])
    assert hall.sitters[0].closed == []
    hall.hear(0, 1, said[-1])
    assert [(place, why in reason) for place, reason in hall.sitters[0].closed] == [(1, True)]


def test_before_it_starts_a_table_keeps_little_too() -> None:
    hall = make_hall(2)
    hall.hear(0, 1, *[Said(b"early")] * MAX_EARLY_A_SEAT)
    assert hall.sitters[0].closed == []
    hall.hear(0, 1, Said(b"one too many"))
    assert hall.sitters[0].closed == [(1, "it sent too much before the next match was open")]


def test_a_wish_before_the_end_ends_the_link() -> None:
    hall = make_hall(2)
    hall.start(0)
    hall.hear(0, 1, AgainTalk(b"a" * 32))
    assert hall.sitters[0].closed == [
        (1, "it sent a wish for another match before this one was closed")
    ]
    assert not hall.sitters[0].shown(AgainWanted)


def test_a_wish_in_the_farewell_is_heard() -> None:
    hall = make_hall(2, target="5")
    one = hall.sitters[0]
    hall.start()
    while not one.session.closed:
        assert hall.step()
    assert one.last.outcome is None
    hall.hear(0, 1, AgainTalk(b"a" * 32))
    assert one.shown(AgainWanted) == [AgainWanted(1)]


def test_wishes_are_told_once_and_what_is_old_disturbs_nothing() -> None:
    hall = played(2)
    hall.offer(0)
    again, old = AgainTalk(b"a" * 32), Said(b"of the match that is over")
    hall.hear(0, 1, old, again, again, encode_talk(Done(bytes(32))))
    one = hall.sitters[0]
    assert one.shown(AgainWanted) == [AgainWanted(1)]
    assert one.closed == []
    assert one.sitting._early.take() == []
