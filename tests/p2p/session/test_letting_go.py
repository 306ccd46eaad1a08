"""Hands that are long over are let go: whatever is asked of them later, the answer is the same."""

from collections.abc import Iterable, Sequence

import pytest
from support.session.leavers import deliver, play_on, put_out, until
from support.session.matches import classic
from support.session.second_signature import sign_again
from support.session.tables import Game, rules_for

from p2p.session import course as courses
from p2p.session import record
from p2p.session.course import Course
from p2p.session.holding import hold_of, lacking
from p2p.session.referee import Referee, Verdict
from p2p.session.session import Session
from p2p.session.state.errors import Fault
from p2p.session.state.events import DeckStep, MatchBegan, SessionEvent, TakenBack
from p2p.session.state.past import Archive
from p2p.session.state.state import Phase
from p2p.wire.codec import encode
from p2p.wire.envelope import MATCH_LADDER, SIGNED_LABEL, Message, Place, open_envelope, seal
from p2p.wire.messages import VoteBody
from p2p.wire.out import Out

KEPT = classic(3)
ALL = KEPT.messages
DEALS = [at for at, message in enumerate(ALL) if message.kind == "deal"][::3]
# The second hand was dealt, and something was played.
SECOND = ALL[: DEALS[1] + 6]
STORED = {message.place: message.data for message in ALL}
CHEAT, HONEST, OTHER = range(3)


def stored(places: Sequence[Place]) -> list[bytes]:
    return [STORED[place] for place in places]


@pytest.fixture(autouse=True)
def one_hand_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the first hand is let go when the second is dealt."""
    monkeypatch.setattr(courses, "HANDS_HERE", 1)


def again(message: Message, nonce: int | None = None) -> Message:
    """The same with another signature, as only its seat can make it: a second version."""
    key = KEPT.keys[message.seat].private_bytes()
    signature = sign_again(key, SIGNED_LABEL, message.payload, nonce)
    return open_envelope(encode([signature, message.payload]))


def course(archive: Archive | None = stored, messages: Iterable[Message] = SECOND) -> Course:
    """A seat that has taken these; with an archive, and without its first hand."""
    made = Course(KEPT.table, archive)
    made.recall(messages, (), {})
    made.take_made()
    made.let_go()
    return made


def gone(made: Course) -> int:
    return made.referee.ladders[MATCH_LADDER].steps.gone


def test_a_hand_that_is_over_is_held_no_more() -> None:
    less, full = course(), course(None)
    assert gone(less) == ALL[DEALS[1]].step - 1
    assert gone(full) == 0
    assert full.taken.keys() == {one.id for one in SECOND}
    here = [one for one in SECOND if one.ladder > 1 or (one.step > gone(less) and one.ladder == 0)]
    # An agreement may make a set of votes final later.
    agrees = [one for one in SECOND if one.kind == "agree"]
    assert less.taken.keys() == less.known.messages.keys() == {one.id for one in agrees + here}
    assert less.referee.fitting.keys() == {one.id for one in here}
    assert less.referee.ladders[1].steps.gone == len(full.referee.ladders[1].steps)
    assert less.referee.state.deals[1].hidden is None
    assert less.referee.state.deals[1].tiles == full.referee.state.deals[1].tiles
    assert less.let_go() == []


def test_nothing_is_let_go_that_is_stored_nowhere_or_not_over() -> None:
    assert course(None).let_go() == []
    first = course(stored, ALL[: DEALS[1]])
    assert first.let_go() == []
    assert gone(first) == 0


def test_a_late_seat_gets_all_of_it_and_a_record_has_it() -> None:
    less, full = course(), course(None)
    late = Referee(KEPT.table)
    for message in lacking(less.referee, hold_of(late)).messages:
        assert late.receive(message) in (Verdict.ACCEPTED, Verdict.KNOWN)
    assert late.ladders[MATCH_LADDER].top == full.referee.ladders[MATCH_LADDER].top
    assert record.encode(less.referee) == record.encode(full.referee)
    assert gone(less) > 0


def test_a_seat_that_has_the_first_hand_gets_the_rest_and_nothing_is_read() -> None:
    def unread(places: Sequence[Place]) -> list[bytes]:
        raise AssertionError("read")

    later = course(None, ALL[: DEALS[1]])
    found = lacking(course(unread).referee, hold_of(later.referee))
    assert found.messages == tuple(SECOND[DEALS[1] :])


def test_an_old_message_is_known_and_another_version_of_it_a_fault() -> None:
    less = course()
    old = next(one for one in ALL if one.seat == CHEAT and one.step > 1)
    assert less.receive(old) is Verdict.KNOWN
    assert less.referee.known(old.place) == old
    with pytest.raises(Fault) as found:
        less.receive(again(old))
    assert (found.value.seat, len(found.value.messages)) == (CHEAT, 2)


def test_who_spoke_out_of_turn_in_an_old_step_is_told_from_who_had_to() -> None:
    less, full = course(), course(None)
    turn = next(one for one in ALL if one.kind == "play")
    other = (turn.seat + 1) % 3
    place = turn.place._replace(seat=other)
    said = open_envelope(seal(KEPT.keys[other], KEPT.table.id, place, turn.previous, "pass", [0]))
    for one in (less, full):
        with pytest.raises(Fault, match="not its turn"):
            one.receive(said)


def test_what_a_seat_once_said_itself_is_still_its_own() -> None:
    """Nobody else seems to have its key because it has let go of what it said."""
    me = KEPT.game.sessions[HONEST]._identity
    session = Session(KEPT.table, me, bytes, course())
    own = [one for one in SECOND if one.seat == HONEST]
    session.come_back({}, (one.id for one in own), ())
    session.course.let_go()
    session.receive(own[0].data)
    assert not session.outdone
    assert gone(session.course) > 0
    session.receive(again(own[1]).data)
    assert session.outdone


def test_at_the_end_all_of_it_is_here_again() -> None:
    session = Session(KEPT.table, KEPT.keys[HONEST], bytes, course(stored, ALL))
    assert gone(session.course) > 0
    assert session.record() == KEPT.record
    assert gone(session.course) == 0
    assert session.course.let_go() == []


def ballots(made: Course, number: int = 1) -> list[Message]:
    """Two seats put out the third, which signed two things at an old step at which all spoke."""
    step = next(one.step for one in ALL if one.kind == "deal")
    first = next(one for one in ALL if one.place == Place(KEPT.table.id, 0, step, CHEAT))
    second = again(first)
    with pytest.raises(Fault) as found:
        made.receive(second)
    made.note(found.value)
    out = (Out(CHEAT, "fault", tuple(sorted(one.id for one in (first, second)))),)
    held = tuple(sorted(one.id for one in (*ALL, second) if (one.ladder, one.step) == (0, step)))
    sealed = []
    for seat in (HONEST, OTHER):
        reach = max(one.step for one in SECOND if one.seat == seat and one.ladder == 0)
        body = VoteBody(number, out, held, reach)
        place = Place(KEPT.table.id, 0, step, seat, number)
        data = seal(KEPT.keys[seat], KEPT.table.id, place, first.previous, "vote", body.value())
        sealed.append(open_envelope(data))
    return sealed


def settled(made: Course) -> list[bytes]:
    """T of all steps, once it stands where its votes say."""
    while made.moves_on():
        pass
    return made.referee.ladders[MATCH_LADDER].hashes


def test_votes_on_an_old_step_take_back_what_was_let_go() -> None:
    """Whoever has let go of it goes where everybody goes, and comes back as they do."""
    ends = []
    for made in (course(), course(None)):
        before = made.referee.ladders[MATCH_LADDER].hashes
        both = ballots(made)
        later = ballots(course(None), 2)[0]
        assert all(map(made.take_vote, both))
        out = settled(made)
        assert (made.went, made.referee.state.seats) == (both[0].step, (HONEST, OTHER))
        # A voter thinks again: the set is spoiled, and the match goes on as it was.
        assert made.take_vote(later)
        assert settled(made) == before
        ends.append((out, before))
    assert ends[0] == ends[1]


def test_a_vote_on_an_old_step_that_comes_to_nothing_changes_nothing() -> None:
    made = course()
    vote = ballots(made)[0]
    assert made.take_vote(vote)
    assert not made.moves_on()
    assert gone(made) > 0
    there = [one for one in ALL if (one.ladder, one.step) == (0, vote.step)]
    assert all(one.id in made.known.messages for one in there)


def test_what_proves_a_fault_stays() -> None:
    made = course(None)
    old = next(one for one in ALL if one.seat == CHEAT and one.step > 1)
    with pytest.raises(Fault) as found:
        made.receive(again(old))
    made.note(found.value)
    made._archive = stored
    made.let_go()
    assert gone(made) > 0
    assert len(made.known.versions(old.place)) == 2


def taken_back(archive: Archive | None) -> list[SessionEvent]:
    """What a seat tells when votes take it back into its first hand."""
    made = Course(KEPT.table, archive)
    made.recall(SECOND, (), {})
    session = Session(KEPT.table, KEPT.keys[HONEST], bytes, made)
    session.come_back({}, (one.id for one in SECOND if one.seat == HONEST), ())
    session.course.let_go()
    session.receive(SECOND[-1].data)
    first, second = ballots(course(None))
    cheat = next(one for one in ALL if one.place == Place(KEPT.table.id, 0, first.step, CHEAT))
    session.receive(again(cheat).data)
    session.receive(second.data)
    return list(session.vote(VoteBody.read(first.body).out, first.step).events)


def test_what_still_holds_is_told_from_the_beginning() -> None:
    told = []
    for archive in (stored, None):
        back = next(one for one in taken_back(archive) if isinstance(one, TakenBack))
        told.append([one for one in back.told if not isinstance(one, DeckStep)])
    assert told[0] == told[1]
    assert isinstance(told[0][0], MatchBegan)


def test_what_was_said_before_a_seat_went_is_known_though_it_was_let_go() -> None:
    """It neither fills the memory as if it were of a later time, nor seems somebody else's."""
    game, gone_seats = Game.make(rules_for(3, target="200"), "gone"), {2}
    until(game, Phase.TURN)
    deliver(game, ())
    said: dict[Place, bytes] = {}
    me, other = game.sessions[0], game.sessions[1]
    me.course._archive = lambda places: [said[place] for place in places]
    put_out(game, gone_seats)
    while me.state.match.hand_number < 3:
        for output in game.outputs[0]:
            said.update((message.place, message.data) for message in output.batch.messages)
        play_on(game, gone_seats, moves=1)
    assert gone(me.course) >= min(me.referee.retired)
    assert me.course.referee.ladders[MATCH_LADDER].top == other.referee.ladders[MATCH_LADDER].top
    old = [one for one in map(open_envelope, said.values()) if one.root == me.table.id]
    for message in old:
        me.receive(message.data)
    assert not me.outdone
    assert not len(me.parked)
    first = next(one for one in old if one.seat == 1 and one.id not in me.course.known.messages)
    key = other._identity.private_bytes()
    twice = encode([sign_again(key, SIGNED_LABEL, first.payload), first.payload])
    me.receive(twice)
    assert me.course.known.proving


@pytest.mark.parametrize("archive", [stored, None])
def test_a_third_version_proves_no_more_and_is_neither_kept_nor_passed_on(
    archive: Archive | None,
) -> None:
    made = course(archive)
    session = Session(KEPT.table, KEPT.keys[HONEST], bytes, made)
    session.come_back({}, (one.id for one in SECOND if one.seat == HONEST), ())
    old = next(one for one in ALL if one.seat == CHEAT and one.step > 1)
    first = session.receive(again(old).data)
    assert (len(first.send), len(first.batch.evidence)) == (2, 2)
    for nonce in range(3, 9):
        more = session.receive(again(old, nonce).data)
        assert (more.send, more.batch.evidence) == ((), ())
    assert len(made.known.versions(old.place)) == 2
