"""A match among its peers: order of what is stored, lateness, lost links, faults, the farewell."""

import math

import pytest
from support.limits import seats
from support.session.sittings import make_hall, quiet

from engine.events import MatchEnded
from p2p.session.session import Session
from p2p.session.sitting.owner import Linked, Outcome, Unlinked
from p2p.session.sitting.playing import DUE_SECONDS, FAREWELL_SECONDS
from p2p.session.state.events import Faulted
from p2p.session.verify import verify_record
from p2p.wire.envelope import Body, Message, Place
from p2p.wire.talk import Done, Said, Stopped, encode_talk

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


# Lateness


def test_silence_where_no_person_is_needed_ends_the_wait() -> None:
    hall = make_hall()
    hall.start(0)
    assert hall.sitters[0].last.deadline == DUE_SECONDS
    assert hall.tick(0, DUE_SECONDS - 0.001).outcome is None
    name = hall.sitters[0].name(1)
    assert hall.tick(0, 0.001).outcome == Outcome(
        "broken", f"Nothing came from {name} for 30 seconds, {STOPS}"
    )


def test_each_message_begins_the_time_anew() -> None:
    hall = make_hall()
    hall.start()
    hall.held |= {(0, 1)}
    hall.now += DUE_SECONDS / 2
    hall.deliver()
    assert hall.sitters[0].last.deadline == hall.now + DUE_SECONDS
    assert hall.sitters[1].last.deadline == DUE_SECONDS


def test_an_answer_to_a_placement_is_due() -> None:
    hall = make_hall(claims="yes")
    bot = hall.sitters[0].decide
    for one in hall.sitters:
        one.answer = lambda view: bot(view) if view.awaiting is None else None
    hall.start()
    hall.play()
    (late,) = [one for one in hall.sitters if one.session.claim_due()]
    placer = 1 - late.place
    assert hall.tick(placer, DUE_SECONDS).outcome == Outcome(
        "broken", f"Nothing came from {late.name(late.place)} for 30 seconds, {STOPS}"
    )
    # The one who is late breaks nothing off by itself.
    own = hall.tick(late.place)
    assert own.outcome is None
    assert own.ask is not None
    assert own.deadline == math.inf


def test_a_person_may_take_its_time() -> None:
    hall = quiet()
    for one in hall.sitters:
        assert one.last.deadline == math.inf
        assert hall.tick(one.place, 10 * DUE_SECONDS).outcome is None
        one.answer = one.decide
    hall.play()
    assert [one.last.outcome for one in hall.sitters] == [Outcome("finished")] * 2


def test_a_tick_before_the_time_changes_nothing() -> None:
    hall = make_hall()
    hall.start(0)
    before = hall.sitters[0].last.deadline
    effects = hall.tick(0)
    assert (effects.outcome, effects.send, effects.deadline) == (None, (), before)


# Lost links


def test_a_lost_link_stops_an_undecided_match() -> None:
    hall = quiet()
    effects = hall.unlink(0, 1, "nothing was heard for 8 s")
    name = hall.sitters[0].name(1)
    assert effects.notices == (Unlinked(1, "nothing was heard for 8 s"),)
    assert effects.outcome == Outcome(
        "broken", f"The link to {name} is gone (nothing was heard for 8 s), {STOPS}"
    )
    assert not verify_record(hall.sitters[0].session.record()).ok


def test_who_stops_says_whom_it_lost_and_so_nobody_else_is_named() -> None:
    hall = quiet(3)
    names = [hall.sitters[0].name(seat) for seat in range(3)]
    hall.cut.add((0, 2))
    hall.unlink(0, 2, "the other side left")
    hall.deliver()
    assert [one.last.outcome for one in hall.sitters] == [
        Outcome("broken", f"The link to {names[2]} is gone (the other side left), {STOPS}"),
        Outcome("broken", f"{names[0]} has lost the link to {names[2]}, {STOPS}"),
        Outcome("broken", f"{names[1]} has lost the link to you, {STOPS}"),
    ]


def test_links_are_told_before_the_match_ends_and_not_after() -> None:
    hall = quiet()
    one = hall.sitters[0]
    hall.take(0, one.sitting.linked(1, hall.now))
    hall.unlink(0, 1)
    hall.take(0, one.sitting.linked(1, hall.now))
    hall.unlink(0, 1)
    assert one.shown(Linked, Unlinked) == [Linked(1), Unlinked(1, "gone")]


def test_a_decided_match_is_finished_without_who_left_before_signing() -> None:
    hall = make_hall(target="5")
    hall.start()
    one = hall.sitters[0]
    while not one.session.state.is_decided():
        assert hall.step()
    assert not one.session.finished
    assert hall.hear(0, 1, Stopped(1)).outcome is None
    assert hall.unlink(0, 1).outcome == Outcome(
        "finished", f"{one.name(1)} left before signing the result."
    )
    assert Stopped(1) not in [one.session.understand(payload) for _, payload in one.last.send]


def test_bytes_that_nobody_signed_end_the_link_and_blame_nobody() -> None:
    for payload in (b"", b"\xc1", encode_talk(Said(b"rubbish")), encode_talk(Done(b"0" * 31))):
        hall = make_hall()
        hall.start(0)
        hall.hear(0, 1, payload)
        one = hall.sitters[0]
        assert [place for place, _ in one.closed] == [1]
        assert one.closed[0][1].startswith("it sent ")
        assert one.last.outcome is not None
        assert one.last.outcome.kind == "broken"
        assert one.session.fault is None


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


def test_a_fault_ends_the_match_and_names_the_seat() -> None:
    hall = make_hall(3, {1: Careless})
    hall.start()
    hall.play()
    name = hall.sitters[0].name(1)
    for place in (0, 2):
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
    assert hall.sitters[0].session.record() == hall.sitters[2].session.record()


# The farewell


def test_whoever_is_done_says_so_and_waits_for_the_others_but_not_for_ever() -> None:
    hall = make_hall(target="5")
    one = hall.sitters[0]
    hall.start()
    while not one.session.finished:
        assert hall.step()
    said = [one.session.understand(payload) for _, payload in one.last.send]
    assert [type(talk) for talk in said][-1] is Done
    assert one.last.outcome is None
    assert one.last.deadline == FAREWELL_SECONDS
    assert hall.tick(0, FAREWELL_SECONDS - 1).outcome is None
    assert one.last.deadline == FAREWELL_SECONDS
    assert one.last.send == ()
    assert hall.tick(0, 1).outcome == Outcome("finished")


def test_the_farewell_of_all_ends_the_wait() -> None:
    hall = make_hall(3, target="5")
    one = hall.sitters[0]
    hall.cut.add((2, 0))
    hall.start()
    hall.play()
    assert one.session.finished
    assert one.last.outcome is None
    assert hall.hear(0, 2, Done(bytes(32))).outcome == Outcome("finished")
