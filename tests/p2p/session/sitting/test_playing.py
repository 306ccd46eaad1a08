"""A match among its peers: what is stored, links that come and go, who leaves, faults, the end."""

import hashlib
import math

import pytest
from support.limits import seats
from support.session.second_signature import sign_again
from support.session.sittings import Hall, Sitter, make_hall, played, quiet, silent
from support.session.tables import make_table, rules_for

from engine.events import MatchEnded
from p2p.session.holding import hold_of
from p2p.session.referee import Referee
from p2p.session.session import Session
from p2p.session.sitting.attendance import DUE_SECONDS
from p2p.session.sitting.owner import (
    Away,
    Back,
    Chatted,
    Left,
    Linked,
    Outcome,
    Say,
    Unlinked,
)
from p2p.session.sitting.parting import ROUND_SECONDS
from p2p.session.sitting.playing import FAREWELL_SECONDS
from p2p.session.state.events import Faulted, SeatOut
from p2p.session.state.table import USUAL_GRACE
from p2p.session.verify import verify_record
from p2p.wire.codec import encode
from p2p.wire.envelope import MATCH_LADDER, SIGNED_LABEL, Body, Message, Place, seal
from p2p.wire.talk import Chat, Done, Here, Leave, Said, encode_talk, make_word

STOPS = "so the match stops here, undecided. Its record so far is kept."


@pytest.mark.parametrize("players", seats(3))
def test_a_match_runs_to_its_end_for_everybody(players: int) -> None:
    hall = make_hall(players, target="5", claims="yes")
    hall.start()
    hall.play()
    assert [one.last.outcome for one in hall.sitters] == [Outcome("finished")] * players
    assert len({one.session.record() for one in hall.sitters}) == 1
    assert verify_record(hall.sitters[0].session.record()).closed
    for one in hall.sitters:
        assert isinstance(one.events[-1], MatchEnded)
        assert one.last.deadline == math.inf
        assert one.last.ask is None


def test_what_is_sent_is_stored_and_own_messages_with_the_secrets_behind_them() -> None:
    hall = make_hall()
    hall.start()
    hall.play()
    for one in hall.sitters:
        stored: set[bytes] = set()
        kept: set[int] = set()
        for effects in one.given:
            kept |= set(effects.store.secrets)
            stored |= {message.data for message in effects.store.messages}
            for message in effects.store.messages:
                if message.seat == one.session.seat and message.ladder > 0:
                    assert message.ladder in kept
            kept -= set(effects.store.forget)
            said = [one.session.understand(payload) for _, payload in effects.send]
            assert {talk.data for talk in said if isinstance(talk, Said)} <= stored
        assert not kept
        assert stored


# Lost links: they end nothing


def test_a_lost_link_ends_nothing_and_its_return_catches_up() -> None:
    hall = make_hall(3, target="5")
    hall.start()
    hall.deliver()
    hall.part(0, 1)
    hall.part(0, 2)
    assert hall.sitters[0].shown(Unlinked) == [Unlinked(1, "gone"), Unlinked(2, "gone")]
    hall.play()
    assert [one.last.outcome for one in hall.sitters] == [None] * 3
    hall.join(0, 2)
    hall.play()
    assert [one.last.outcome for one in hall.sitters] == [Outcome("finished")] * 3
    assert len({one.session.record() for one in hall.sitters}) == 1


@pytest.mark.parametrize(
    "links",
    [
        [(0, 1), (1, 2), (2, 3)],
        [(1, 3), (3, 0), (0, 2)],
        [(2, 0), (2, 1), (2, 3)],
        [(0, 1), (1, 2), (2, 3), (3, 0)],
    ],
    ids=["chain", "other chain", "star", "ring"],
)
def test_any_connected_shape_is_enough(links: list[tuple[int, int]]) -> None:
    """A match begins, is played and closed, and what is said reaches all; nobody is away."""
    hall = make_hall(4, links=links, target="5")
    hall.start()
    hall.wish(0, Say("hello from the edge"))
    for _ in range(40):
        hall.pass_time(1)
        hall.play()
    assert [one.last.outcome for one in hall.sitters] == [Outcome("finished")] * 4
    assert len({one.session.record() for one in hall.sitters}) == 1
    for one in hall.sitters:
        assert one.shown(Chatted) == [Chatted(0, "hello from the edge")]
        assert not one.shown(Away)
        assert one.closed == []


def test_the_one_cut_link_of_three_disturbs_nobody() -> None:
    hall = quiet(3, target="5")
    hall.part(1, 2)
    hall.pass_time(60)
    for one in hall.sitters:
        assert not one.shown(Away)
        one.answer = one.decide
    hall.play()
    assert [one.last.outcome for one in hall.sitters] == [Outcome("finished")] * 3


def test_a_match_waits_for_who_is_not_there_yet_and_says_for_whom() -> None:
    hall = make_hall(3, links=[(0, 1)], target="5")
    hall.start()
    hall.pass_time(5)
    for place in (0, 1):
        told = hall.sitters[place].shown(Away)
        assert {one.seat for one in told if isinstance(one, Away)} == {2}
        assert hall.sitters[place].last.outcome is None
    hall.join(1, 2)
    hall.pass_time(2)
    assert hall.sitters[0].shown(Back) == [Back(2)]
    hall.play()
    assert [one.last.outcome for one in hall.sitters] == [Outcome("finished")] * 3


def test_links_are_told_before_the_match_ends_and_not_after() -> None:
    hall = quiet()
    one = hall.sitters[0]
    hall.unlink(0, 1)
    hall.link(0, 1)
    hall.hear(0, 1, hall.word(1, Leave()))
    hall.unlink(0, 1)
    assert one.shown(Linked, Unlinked) == [Unlinked(1, "gone"), Linked(1)]


def test_what_was_lost_on_the_way_is_said_again_on_the_new_link() -> None:
    """All payloads of a second are lost, again and again."""
    hall = make_hall(2, target="5")
    hall.start()
    for _ in range(60):
        for _ in range(7):
            hall.step()
        hall.on_the_way.clear()
        hall.part(0, 1)
        hall.join(0, 1)
        hall.pass_time(1)
    hall.play()
    assert [one.last.outcome for one in hall.sitters] == [Outcome("finished")] * 2


# Who leaves


def test_who_leaves_says_so_and_a_third_reads_it_too() -> None:
    hall = quiet(3)
    hall.part(0, 2)
    left = hall.take(0, hall.sitters[0].sitting.leave(hall.now))
    assert [word.said for word in left.store.words] == [Leave()]
    assert hall.take(0, hall.sitters[0].sitting.leave(hall.now)).send == ()
    hall.deliver()
    for place in (1, 2):
        one = hall.sitters[place]
        assert one.shown(Left) == [Left(0)]
        assert one.last.outcome is None
        assert [word.seat for effects in one.given for word in effects.store.words] == [0]
        assert not verify_record(one.session.record()).ok


def test_nobody_but_the_one_who_leaves_can_say_so() -> None:
    """Seat 1 lies about seat 2: with its own key, an old word, another seat's number."""
    hall = quiet(3)
    liar, key = hall.sitters[1].session, hall.sitters[1].session._identity
    table = liar.table.id
    forged = make_word(key, table, 2, 0, Leave())
    honest = hall.word(2, Here(), 3)
    altered = honest.data.replace(b"here", b"leav")
    for data in (forged.data, altered):
        hall.hear(0, 1, encode(["word", data]))
    hall.hear(0, 1, encode(["stopped", 2]))
    assert [place for place, _ in hall.sitters[0].closed] == [1] * 3
    hall.pass_time(40)
    one = hall.sitters[0]
    assert one.last.outcome is None
    assert {away.seat for away in one.shown(Away) if isinstance(away, Away)} <= {1}
    assert not one.shown(Left)


def test_a_leave_after_the_end_says_nothing_bad() -> None:
    hall = played(3)
    hall.take(0, hall.sitters[0].sitting.leave(hall.now))
    hall.deliver()
    for place in (1, 2):
        assert hall.sitters[place].last.outcome == Outcome("finished")
        assert not hall.sitters[place].shown(Left)


def test_a_leave_that_comes_with_the_last_messages_comes_after_them() -> None:
    """Seat 2 has lost its links when all sign and seat 0 leaves; seat 1 tells it all of that."""
    hall = make_hall(3, target="5")
    hall.start()
    while not hall.sitters[2].session.state.is_decided():
        assert hall.step()
    # Its own result is on its way before it hears the last one.
    while 2 in hall.sitters[0].session.referee.missing(0):
        assert hall.step()
    hall.part(0, 2)
    hall.part(1, 2)
    hall.deliver()
    hall.take(0, hall.sitters[0].sitting.leave(hall.now))
    hall.deliver()
    hall.join(1, 2)
    hall.deliver()
    assert hall.sitters[2].session.closed
    hall.pass_time(11)
    assert hall.sitters[2].last.outcome == Outcome("finished")


def test_a_decided_match_is_finished_without_who_left_before_signing() -> None:
    hall = make_hall(target="5")
    hall.start()
    one = hall.sitters[0]
    while not one.session.state.is_decided():
        assert hall.step()
    assert not one.session.finished
    hall.unlink(0, 1)
    assert one.last.outcome is None
    hall.hear(0, 1, hall.word(1, Leave()))
    assert one.last.outcome == Outcome("finished", f"{one.name(1)} left before signing the result.")


def decided_at(hall: Hall, place: int) -> Sitter:
    """The match is decided for one, who has signed all that it can and has nobody's answer."""
    hall.start()
    one = hall.sitters[place]
    while not one.session.state.is_decided():
        assert hall.step()
    assert not one.session.finished
    return one


def test_a_decided_match_waits_for_who_is_away_and_both_come_to_the_same_end() -> None:
    """The one who decides it is not heard for longer than what needs no person may take."""
    hall = make_hall(target="5")
    one = decided_at(hall, 0)
    hall.part(0, 1)
    hall.pass_time(3 * int(DUE_SECONDS))
    assert one.last.outcome is None
    told = one.shown(Away)[-1]
    assert isinstance(told, Away)
    assert (told.seat, told.left) == (1, USUAL_GRACE - 3 * DUE_SECONDS)
    hall.join(0, 1)
    hall.play()
    assert [sitter.last.outcome for sitter in hall.sitters] == [Outcome("finished")] * 2
    assert all(sitter.session.closed for sitter in hall.sitters)
    assert len({sitter.session.record() for sitter in hall.sitters}) == 1


def test_a_decided_match_ends_when_the_grace_of_all_who_are_missing_is_used_up() -> None:
    """Also where most are missing: nobody can be put out any more."""
    hall = make_hall(4, target="5")
    one = decided_at(hall, 0)
    for other in (1, 2, 3):
        hall.part(0, other)
    assert hall.tick_on(0, int(USUAL_GRACE) - 1).outcome is None
    assert {away.seat for away in one.shown(Away) if isinstance(away, Away)} == {1, 2, 3}
    missing = next(seat for seat in (1, 2, 3) if one.session.referee.owes(seat))
    assert hall.tick_on(0, 2).outcome == Outcome(
        "finished", f"{one.name(missing)} was away before signing the result."
    )
    assert hall.take(0, one.sitting.leave(hall.now)).store.words[0].said == Leave()


def test_without_who_left_a_decided_match_still_waits_for_the_third() -> None:
    hall = make_hall(3, target="5")
    one = decided_at(hall, 0)
    hall.part(0, 2)
    hall.part(1, 2)
    hall.cut |= {(1, 0)}
    hall.deliver()
    hall.hear(0, 1, hall.word(1, Leave()))
    hall.tick_on(0, 60)
    assert one.last.outcome is None
    hall.cut.clear()
    hall.join(0, 2)
    hall.deliver()
    hall.tick_on(0, 2)
    for place in (0, 2):
        name = one.name(1)
        outcome = hall.sitters[place].last.outcome
        assert outcome == Outcome("finished", f"{name} left before signing the result.")
    assert hall.sitters[0].session.record() == hall.sitters[2].session.record()


def test_a_decided_match_waits_for_who_is_heard_and_was_late_with_a_vote_alone() -> None:
    """A vote is owed to nobody any more, and what is due for the end has its own time."""
    hall = quiet(3, **{"target": "5", "match-end": "at-once"})
    (one,) = [sitter for sitter in hall.sitters if sitter.last.ask is not None]
    cheat, late = [sitter.place for sitter in hall.sitters if sitter is not one]
    said = one.session.referee.ladders[MATCH_LADDER].steps[0][cheat]
    key = hall.sitters[cheat].sitting._identity
    again = sign_again(key.private_bytes(), SIGNED_LABEL, said.payload)
    one.sitting.playing.recall((), {late: USUAL_GRACE})
    hall.hear(one.place, cheat, Said(encode([again, said.payload])))
    hall.tick_on(one.place, int(ROUND_SECONDS + DUE_SECONDS) + 2)
    assert one.sitting.playing.attendance.late(hall.now) >= {late}
    hall.on_the_way.clear()
    hall.held = {(late, one.place), (late, cheat)}
    hall.decided(one.place, one.decide(one.session.view()))
    hall.deliver()
    assert one.session.state.is_decided()
    assert one.last.outcome is None
    hall.held = set()
    hall.deliver()
    assert one.session.closed
    hall.pass_time(int(FAREWELL_SECONDS))
    assert one.last.outcome == Outcome("finished")


def test_bytes_that_nobody_signed_end_the_link_and_blame_nobody() -> None:
    rubbish = [b"", b"\xc1", encode_talk(Said(b"rubbish")), encode(["done", bytes(32)])]
    for payload in rubbish:
        hall = make_hall()
        hall.start(0)
        hall.hear(0, 1, payload)
        one = hall.sitters[0]
        assert [place for place, _ in one.closed] == [1]
        assert one.closed[0][1].startswith("it sent ")
        assert one.last.outcome is None
        assert one.session.fault is None


def test_what_is_of_another_table_ends_the_link_and_names_nobody() -> None:
    table, keys = make_table(rules_for(2), "another")
    word = make_word(keys[0], table.id, 0, 0, Chat("hello"))
    message = seal(keys[0], table.id, Place(table.id, 0, 1, 0), table.id, "agree", [])
    for talk in (word, Said(message), hold_of(Referee(table))):
        hall = make_hall()
        hall.start(0)
        hall.hear(0, 1, talk)
        one = hall.sitters[0]
        assert one.closed == [(1, "it sent something of another table")]
        assert one.session.fault is None
        assert not one.shown(Left, Chatted)


# Faults


class Careless(Session):
    """Gives shares of the deal that are not proven, and sends what its own referee refuses."""

    def _sign(self, place: Place, kind: str, body: Body) -> bytes:
        if kind == "deal":
            name, data = body
            assert isinstance(data, bytes)
            body = [name, data[:-1] + bytes([data[-1] ^ 1])]
        return super()._sign(place, kind, body)

    def _hear_own(self, message: Message) -> None:
        try:
            super()._hear_own(message)
        except AssertionError:
            self._accepted.append(message)
            self._send.append(message.data)
            self.referee.ladder(message.ladder).open[message.seat] = message


def test_a_fault_among_three_puts_its_seat_out_and_the_others_play_on() -> None:
    hall = make_hall(3, {1: Careless})
    for one in hall.sitters:
        one.answer = silent
    hall.start()
    hall.play()
    hall.pass_time(3)
    for place in (0, 2):
        one = hall.sitters[place]
        assert one.last.outcome is None
        assert [(out.seat, out.reason) for out in one.events if isinstance(out, SeatOut)] == [
            (1, "fault")
        ]
    assert hall.sitters[0].session.record() == hall.sitters[2].session.record()


def test_a_fault_between_two_ends_the_match_and_names_the_seat() -> None:
    hall = make_hall(2, {1: Careless})
    hall.start()
    hall.play()
    name = hall.sitters[0].name(1)
    for place in (0,):
        outcome = hall.tick(place, FAREWELL_SECONDS).outcome
        assert outcome is not None
        assert outcome.kind == "fault"
        assert outcome.sentence is not None
        assert outcome.sentence.startswith(f"{name} broke the protocol: the shares for slots")
        assert outcome.sentence.endswith(". The record proves it.")
        events = hall.sitters[place].events
        assert any(isinstance(event, Faulted) and event.seat == 1 for event in events)
        found = verify_record(hall.sitters[place].session.record()).fault
        assert found is not None
        assert found.seat == 1


# The farewell


def nearly_closed(hall: Hall) -> Sitter:
    """The one who has the whole record first."""
    hall.start()
    while not any(one.session.finished for one in hall.sitters):
        assert hall.step()
    return next(one for one in hall.sitters if one.session.finished)


def test_whoever_is_done_says_so_and_waits_for_the_others_but_not_for_ever() -> None:
    hall = make_hall(target="5")
    one = nearly_closed(hall)
    (done,) = one.said(Done)
    assert done.said == Done(hashlib.sha256(one.session.record()).digest())
    assert one.last.outcome is None
    assert hall.tick_on(one.place, int(FAREWELL_SECONDS) - 1).outcome is None
    assert len(one.said(Done)) == 1
    assert hall.tick_on(one.place, 1).outcome == Outcome("finished")


def test_the_farewell_of_all_ends_the_wait_also_through_others() -> None:
    hall = make_hall(3, links=[(0, 1), (1, 2)], target="5")
    hall.start()
    hall.play()
    assert [one.last.outcome for one in hall.sitters] == [Outcome("finished")] * 3
    assert hall.now == 0.0
    hall = make_hall(3, target="5")
    one = nearly_closed(hall)
    other, third = (sitter.place for sitter in hall.sitters if sitter is not one)
    hall.hear(one.place, other, hall.word(other, Done(bytes(32))))
    assert one.last.outcome is None
    hall.hear(one.place, other, hall.word(third, Done(bytes(32))))
    assert one.last.outcome == Outcome("finished")
