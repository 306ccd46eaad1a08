"""Another match of the same people over the same links: agreed by all, or not at all."""

import pytest
from support.limits import FULL, seats
from support.session.again import agree
from support.session.sittings import Hall, Sitter, kept_by, make_hall, played
from support.session.tables import make_table, rules_for, seeded

from p2p.session.holding import hold_of
from p2p.session.output import Batch
from p2p.session.session import Session
from p2p.session.sitting.attendance import DUE_SECONDS
from p2p.session.sitting.effects import Following
from p2p.session.sitting.owner import (
    Again,
    AgainWanted,
    Began,
    Chatted,
    Linked,
    Offered,
    Outcome,
    Say,
    Unlinked,
)
from p2p.session.sitting.rematch import MAX_EARLY_A_SEAT, Rematch, no_other
from p2p.session.sitting.sitting import Sitting
from p2p.session.sitting.words import Words
from p2p.session.state.table import nonce_commitment
from p2p.session.verify import verify_record
from p2p.wire.codec import encode
from p2p.wire.talk import Bind, Chat, Here, Leave, Nonce, Saying, Talk, Word, make_word


def nonces_said(hall: Hall) -> set[bytes]:
    """What everybody said that it wants the next table to be made of."""
    said = [word.said for one in hall.sitters for word in one.said(Nonce)]
    return {one.nonce for one in said if isinstance(one, Nonce)}


def bound(hall: Hall, place: int, nonce: bytes) -> Bind:
    """What binds a seat to a nonce."""
    table = hall.sitters[place].session.table
    return Bind(nonce_commitment(table.id, table.people[place].key, nonce))


@pytest.mark.parametrize("players", seats(3))
def test_three_matches_one_after_the_other(players: int) -> None:
    hall = played(players)
    first = hall.sitters[0].session.table
    ids, records, nonces = {first.id}, {hall.sitters[0].session.record()}, set[bytes]()
    for _ in range(2):
        for one in hall.sitters:
            one.given.clear()
        before = hall.sitters[0].session
        hall.offer()
        for one in hall.sitters:
            hall.wish(one.place, Again())
            # Nothing is shown before all are bound.
            assert not nonces_said(hall)
        hall.deliver()
        shown = {
            talk.said.nonce
            for one in hall.sitters
            for effects in one.given
            for _, payload in effects.send
            if isinstance(talk := before.understand(payload), Word) and isinstance(talk.said, Nonce)
        }
        found = [one.last.following for one in hall.sitters]
        tables = [one.table for one in found if one is not None and one.table is not None]
        assert len(tables) == players
        assert len({table.id for table in tables}) == 1
        assert {person.key for person in tables[0].people} == {one.key for one in first.people}
        assert {person.nonce for person in tables[0].people} == shown
        nonces |= shown
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
    assert len(nonces) == 2 * players


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
        hall.hear(0, 2, b"\xc1")
        assert hall.sitters[0].closed[-1][0] == 2
        assert hall.sitters[0].shown(Unlinked) == [Unlinked(gone, hall.sitters[0].closed[-1][1])]
        effects = hall.wish(0, Say("still here?"))
        assert {place for place, _ in effects.send} == {1}
        assert effects.outcome is None
    assert moved


@pytest.mark.parametrize("at", range(4))
def test_partners_keep_their_sides(at: int) -> None:
    before, keys = make_table(rules_for(4, partners="yes"), f"sides {at}")
    words = Words(Session(before, keys[0], seeded("words")))
    rematch = Rematch(before, 0, words)
    for seat in before.seats:
        assert rematch.table() is None
        nonce = seeded(f"sides {at} {seat}")(32)
        bind = Bind(nonce_commitment(before.id, before.people[seat].key, nonce))
        for said in (bind, Nonce(nonce)):
            assert words.take(make_word(keys[seat], before.id, seat, 0, said), 0.0)
    table = rematch.table()
    assert table is not None
    sides = [{person.key for person in one.people[::2]} for one in (before, table)]
    assert sides[1] in (sides[0], {person.key for person in before.people[1::2]})


def test_what_is_said_at_the_next_table_before_the_last_nonce_is_heard_counts() -> None:
    """Seat 1 hears what the others say long after they have begun."""
    hall = played(3)
    hall.offer()
    for one in hall.sitters:
        hall.wish(one.place, Again())
    while hall.sitters[0].last.following is None or hall.sitters[2].last.following is None:
        sender, receiver, payload = hall.on_the_way.popleft()
        if receiver == 1 and len(hall.sitters[1].session.referee.ladders) and b"nonce" in payload:
            hall.on_the_way.append((sender, receiver, payload))
            continue
        hall.hear(receiver, sender, payload)
    hall.held |= {(0, 1), (2, 1)}
    hall.start(0, 2)
    hall.deliver()
    assert hall.sitters[1].last.following is None
    hall.held.clear()
    hall.deliver()
    assert hall.sitters[1].last.following is not None
    hall.start(1)
    hall.play()
    assert [one.last.outcome for one in hall.sitters] == [Outcome("finished")] * 3
    assert len({one.session.record() for one in hall.sitters}) == 1


@pytest.mark.parametrize("killed", [False, True])
def test_a_nonce_that_is_lost_with_its_link_is_said_again_where_the_next_match_has_begun(
    killed: bool,
) -> None:
    hall = played(2)
    first = hall.sitters[0].session.table
    hall.offer()
    for one in hall.sitters:
        hall.wish(one.place, Again())
    while hall.sitters[0].last.following is None:
        sender, receiver, payload = hall.on_the_way.popleft()
        if receiver == 0 or b"nonce" not in payload:
            hall.hear(receiver, sender, payload)
    begun, agreed = len(hall.sitters[0].given), Batch(words=hall.sitters[0].sitting.agreed)
    hall.start(0)
    hall.part(0, 1)
    if killed:
        dead = hall.sitters[0]
        kept, table = kept_by(dead.given[begun:], agreed), dead.session.table
        key, rng = dead.sitting._identity, seeded("killed")
        hall.sitters[0] = Sitter(Sitting.come_back(kept, table, first, key, rng), 0)
        hall.start(0)
    hall.join(0, 1)
    hall.deliver()
    assert hall.sitters[1].last.following is not None
    hall.start(1)
    hall.pass_time(2)
    hall.play()
    assert not any(one.closed for one in hall.sitters)
    assert [one.last.outcome for one in hall.sitters] == [Outcome("finished")] * 2


@pytest.mark.parametrize("started", [True, False])
def test_what_is_of_the_table_before_may_come_late_and_is_dropped(started: bool) -> None:
    hall = played(3)
    line, held = hall.word(1, Chat("one more?"), 5), hold_of(hall.sitters[1].session.referee)
    agree(hall)
    if started:
        hall.start()
        hall.deliver()
    for talk in (line, held):
        hall.hear(0, 1, talk)
        hall.hear(0, 2, talk)
    assert hall.sitters[0].closed == []
    assert not hall.sitters[0].shown(Chatted)
    if not started:
        hall.start()
    hall.play()
    assert [one.last.outcome for one in hall.sitters] == [Outcome("finished")] * 3


def test_what_is_of_a_table_that_never_was_ends_the_link() -> None:
    hall = played(2)
    agree(hall)
    table, keys = make_table(rules_for(2), "another")
    hall.start(0)
    hall.hear(0, 1, make_word(keys[0], table.id, 0, 0, Chat("hello")))
    assert hall.sitters[0].closed == [(1, "it sent something of another table")]


def test_a_wish_waits_until_the_owner_has_the_record() -> None:
    hall = played(2)
    assert hall.wish(0, Again()).send == ()
    hall.hear(0, 1, hall.word(1, bound(hall, 1, b"a" * 32)))
    assert hall.sitters[0].last.following is None
    hall.offer(0)
    assert hall.sitters[0].shown(Offered, AgainWanted) == [AgainWanted(1), Offered(True)]
    assert [len(hall.sitters[0].said(kind)) for kind in (Bind, Nonce)] == [1, 1]
    hall.hear(0, 1, hall.word(1, Nonce(b"a" * 32)))
    assert hall.sitters[0].last.following is not None


def test_asking_twice_is_asking_once() -> None:
    hall = played(2)
    hall.offer(0)
    assert len(hall.wish(0, Again()).send) == 1
    assert hall.wish(0, Again()).send == ()


def test_another_match_is_agreed_where_links_between_two_are_missing() -> None:
    hall = make_hall(3, links=[(0, 1), (1, 2)], target="5")
    hall.start()
    hall.play()
    hall.pass_time(25)
    assert len(agree(hall)) == 3
    hall.start()
    hall.play()
    hall.pass_time(3)
    hall.play()
    assert [one.last.outcome for one in hall.sitters] == [Outcome("finished")] * 3


def test_whoever_leaves_makes_it_impossible() -> None:
    hall = played(3)
    one = hall.sitters[0]
    hall.offer()
    hall.wish(0, Again())
    hall.take(2, hall.sitters[2].sitting.leave(hall.now))
    hall.cut.add((2, 0))
    hall.deliver()
    why = (
        f"{one.name(2)} has left, so there is no other match at this table, which takes all who "
        "sat here. Who stays can play on at a new one that one of you opens: `allfives host`."
    )
    assert one.shown(Offered) == [Offered(True), Offered(False, why)]
    assert one.last.following == Following(None)
    assert hall.unlink(0, 1).notices == ()
    assert not one.shown(Linked, Unlinked)


def test_a_lost_link_waits_a_while_for_who_may_come_back() -> None:
    hall = played(2)
    hall.offer(0)
    hall.unlink(0, 1)
    assert hall.tick_on(0, 20).following is None
    hall.link(0, 1)
    assert hall.tick_on(0, 60).following is None
    hall.unlink(0, 1)
    assert hall.tick_on(0, 31).following == Following(None)


def test_who_has_left_before_is_not_asked() -> None:
    hall = played(3)
    one = hall.sitters[0]
    for place in (1, 2):
        hall.hear(0, place, hall.word(place, Leave()))
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


# Who says two things is named, and nobody else


@pytest.mark.parametrize("cheat", [0, 1, 2] if FULL else [1])
@pytest.mark.parametrize("kind", ["bind", "shown"])
def test_two_different_things_for_one_match_name_their_signer(kind: str, cheat: int) -> None:
    """One seat tells the two others different things; each passes on what it has heard."""
    hall = played(3)
    first, last = (place for place in range(3) if place != cheat)
    hall.offer(first, last)
    hall.wish(first, Again())
    hall.wish(last, Again())
    hall.deliver()
    right = bound(hall, cheat, b"a" * 32)
    second: tuple[int, Saying] = (last, bound(hall, cheat, b"b" * 32))
    if kind == "shown":
        second = (first, Nonce(b"b" * 32))
    said: list[tuple[int, Saying]] = [(first, right), second]
    for place, one in said:
        hall.hear(place, cheat, hall.word(cheat, one))
    hall.deliver()
    hall.pass_time(6 if kind == "shown" else 0)
    name = hall.sitters[first].name(cheat)
    for place in (first, last):
        sitter = hall.sitters[place]
        assert sitter.last.following == Following(None)
        (_, offered) = sitter.shown(Offered)
        assert isinstance(offered, Offered)
        assert not offered.possible
        assert offered.why.startswith(f"{name} said two different things for the next match")
        assert sitter.closed == []


def test_who_shows_another_nonce_beside_the_one_it_is_bound_to_splits_nobody() -> None:
    hall = played(3)
    hall.offer(0, 2)
    hall.wish(0, Again())
    hall.wish(2, Again())
    hall.deliver()
    for place in (0, 2):
        hall.hear(place, 1, hall.word(1, bound(hall, 1, b"a" * 32)))
    hall.deliver()
    hall.hear(0, 1, hall.word(1, Nonce(b"a" * 32)))
    hall.hear(2, 1, hall.word(1, Nonce(b"b" * 32)))
    assert hall.sitters[2].last.following is None
    hall.deliver()
    (one, other) = (hall.sitters[place].last.following for place in (0, 2))
    assert one == other
    assert one is not None
    assert one.table is not None


def test_the_same_again_is_no_second_thing() -> None:
    hall = played(3)
    hall.offer(0)
    for number in range(3):
        hall.hear(0, 1, hall.word(1, bound(hall, 1, b"a" * 32), number))
    assert hall.sitters[0].shown(AgainWanted) == [AgainWanted(1)]
    assert hall.sitters[0].last.following is None


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ([encode(["again", b"a" * 32])], "it sent"),
        ([b"\xc1"], "it sent"),
    ],
)
def test_wrong_things_end_the_link(said: list[bytes | Talk], why: str) -> None:
    hall = played(3)
    hall.offer(0)
    hall.hear(0, 1, *said)
    assert [(place, why in reason) for place, reason in hall.sitters[0].closed] == [(1, True)]


def test_before_it_starts_a_table_keeps_little() -> None:
    hall = make_hall(2)
    early = hall.word(1, Here())
    hall.hear(0, 1, *[early] * MAX_EARLY_A_SEAT)
    assert hall.sitters[0].closed == []
    hall.hear(0, 1, early)
    assert hall.sitters[0].closed == [(1, "it sent too much before the next match was open")]


def test_who_has_shown_its_nonce_may_say_a_little_of_the_next_table() -> None:
    hall = played(3)
    table, keys = make_table(rules_for(2), "another")
    early = make_word(keys[0], table.id, 0, 0, Chat("hello"))
    for talk in (hall.word(1, bound(hall, 1, b"a" * 32)), hall.word(1, Nonce(b"a" * 32))):
        hall.hear(0, 1, talk)
    hall.hear(0, 1, *[early] * MAX_EARLY_A_SEAT)
    assert hall.sitters[0].closed == []
    hall.hear(0, 1, early)
    assert hall.sitters[0].closed == [(1, "it sent too much before the next match was open")]


def test_a_wish_before_the_end_waits_for_it() -> None:
    """It may be passed on by somebody who has all messages, before these."""
    hall = make_hall(2, target="5")
    one = hall.sitters[0]
    hall.start()
    hall.hear(0, 1, hall.word(1, bound(hall, 1, b"a" * 32)))
    assert not one.shown(AgainWanted)
    while not one.session.closed:
        assert hall.step()
    assert one.last.outcome is None
    assert one.shown(AgainWanted) == [AgainWanted(1)]
    assert one.closed == []


def test_who_is_only_not_heard_has_not_left() -> None:
    ends = "so there is no other match at this table."
    assert no_other(["Ben"], [], 1) == f"Ben has left, {ends}"
    assert no_other([], ["Ben", "Cem"], 1) == f"Ben and Cem are not there, {ends}"
    assert no_other(["Ana"], ["Ben"], 1) == f"Ana has left and Ben is not there, {ends}"
    assert no_other([], [], 3) == f"It ended early, {ends}"
    assert "`allfives host`" in no_other([], ["Ben"], 2)


@pytest.mark.parametrize("comes", [True, False])
def test_who_was_cut_off_at_the_end_may_come_back_for_another_match(comes: bool) -> None:
    """And nobody waits for it for long."""
    hall = played(3)
    for other in (0, 1):
        hall.part(2, other)
    hall.now += 2 * DUE_SECONDS
    hall.offer()
    hall.pass_time(int(DUE_SECONDS) - 1)
    assert [one.last.following for one in hall.sitters] == [None] * 3
    if comes:
        hall.join(2, 0)
        assert len(agree(hall)) == 3
    else:
        hall.pass_time(2)
        assert [one.last.following for one in hall.sitters] == [Following(None)] * 3
        refused = hall.sitters[0].shown(Offered)[-1]
        assert isinstance(refused, Offered)
        assert "is not there" in refused.why
