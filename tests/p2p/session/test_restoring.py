"""Coming back after a crash: the very same again, at every message of a hand, for each seat.

`ALLFIVES_FULL=1 pytest tests/p2p/session/test_restoring.py` kills each seat at every output of a
whole hand that is stored, before and after it is; without it every seat is killed again and again
in one short hand.
"""

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path

import pytest
from support.limits import FULL
from support.session.leavers import cut, put_out, until
from support.session.matches import all_kinds, claiming
from support.session.restarts import Kill, Restarts
from support.session.tables import Game, rules_for, seeded

from engine.rules import Rules
from p2p.session.output import Output
from p2p.session.record import encode as encode_record
from p2p.session.restoring import Kept, KeptWord, NotRestorable, hear_again, restore
from p2p.session.session import Session
from p2p.session.state.state import Phase
from p2p.wire.envelope import Body, open_envelope, seal

# Every kind of message between them: calls, draws with shares, claims and their answers.
SHORT = {
    2: rules_for(2, hand_size="2", target="250"),
    3: rules_for(3, hand_size="2", target="250", claims="yes", starter="highest-double"),
}
WHOLE = {players: rules_for(players, target="250") for players in (2, 3)}


@contextmanager
def played(rules: Rules, folder: Path, kill: Kill) -> Iterator[Restarts]:
    table = Restarts.make(rules, f"restarts {rules.players}", folder, kill)
    try:
        yield table.play()
    finally:
        table.close()


def again_and_again(seat: int, number: int) -> str:
    """Each seat at another output, before or after it is stored."""
    return {0: "unsent", 4: "unstored"}.get((number + 3 * seat) % 8, "")


@pytest.mark.parametrize("players", [2, 3])
def test_seats_that_are_killed_again_and_again_play_one_hand(players: int, tmp_path: Path) -> None:
    with played(SHORT[players], tmp_path, again_and_again) as table:
        table.check()
        assert table.kills > 10


def one_of(kills: dict[tuple[int, int], str], seat: int, number: int) -> str:
    return kills.get((seat, number), "")


@pytest.mark.skipif(not FULL, reason="long: ALLFIVES_FULL=1")
@pytest.mark.parametrize("how", ["unstored", "unsent"])
@pytest.mark.parametrize(("players", "seat"), [(2, 0), (2, 1), (3, 0), (3, 1), (3, 2)])
def test_a_seat_killed_at_any_one_message_of_a_whole_hand(
    players: int, seat: int, how: str, tmp_path: Path
) -> None:
    for at in itertools.count():
        folder = tmp_path / str(at)
        with played(WHOLE[players], folder, partial(one_of, {(seat, at): how})) as table:
            table.check()
            if not table.kills:
                return


def kept_by(outputs: list[Output]) -> Kept:
    """What a store has after these outputs."""
    batch = outputs[0].batch
    for output in outputs[1:]:
        batch = batch.then(output.batch)
    secrets = {deal: data for deal, data in batch.secrets.items() if deal not in batch.forget}
    messages = [(message.data, False) for message in batch.messages]
    return Kept((*messages, *((message.data, True) for message in batch.evidence)), secrets)


def back(game: Game, seat: int, outputs: int | None = None) -> Session:
    """A seat of a game come back as it was after so many outputs, or at the end."""
    session = game.sessions[seat]
    kept = kept_by(game.outputs[seat][:outputs])
    return restore(kept, session.table, session._identity, seeded("back"))


@cache
def _dealt() -> Game:
    return Game.make(rules_for(2), "restoring").play(2)


def dealt() -> Game:
    """A hand of two in which two moves were made."""
    return _dealt().copy()


def test_a_seat_that_came_back_is_as_before() -> None:
    for kept in all_kinds():
        for seat, session in enumerate(kept.game.sessions):
            again = back(kept.game, seat)
            assert again.record() == session.record()
            assert again.past == tuple(kept.game.events[seat])
            assert again.finished


def test_in_a_hand_it_sees_what_it_saw() -> None:
    game = dealt()
    for seat, session in enumerate(game.sessions):
        again = back(game, seat)
        assert again.past == tuple(game.events[seat])
        assert again.view().hand.known == session.view().hand.known
        assert again.decision() is None
        assert again.mute
        again.speak_again()
        assert (again.decision() is None) == (session.decision() is None)


def test_it_opens_the_claim_that_it_committed_to() -> None:
    rules = rules_for(2, claims="yes", hand_size="3")
    game = Game.make(rules, "claims again")
    game.start()
    game.deliver()
    game.move()
    game.deliver()
    (claimer,) = (one for one in game.sessions if one.claim_due())
    game.take(claimer.seat, claimer.claim(15))
    said = [open_envelope(data) for data in game.outputs[claimer.seat][-1].send]
    assert [message.kind for message in said] == ["claim", "reveal"]
    *before, last = game.outputs[claimer.seat]
    claimed = Output(type(last.batch)(messages=last.batch.messages[:1]), (), ())
    again = restore(kept_by([*before, claimed]), claimer.table, claimer._identity, seeded("x"))
    assert again.state.phase is Phase.REVEAL
    (revealed,) = again.speak_again().send
    assert revealed == said[1].data


def test_nothing_new_is_signed_before_the_others_have_said_what_they_have() -> None:
    game = dealt()
    again = back(game, 0, 1)
    assert again.start().send == ()
    assert not again.claim_due()
    agreed = next(message for message in game.outputs[0][1].batch.messages if message.seat == 1)
    heard = again.receive(agreed.data)
    assert (len(heard.batch.messages), len(heard.send)) == (1, 1)
    own = game.outputs[0][0].send
    assert all(data not in own for data in heard.send)
    assert again.speak_again().send


def test_a_message_of_the_own_key_that_is_not_on_the_disk_makes_it_mute() -> None:
    game = dealt()
    later = [data for data in game.traffic if open_envelope(data).seat == 0][-1]
    again = back(game, 0, 1)
    assert not again.outdone
    known = game.outputs[0][0].send[0]
    again.receive(known)
    assert not again.outdone
    again.receive(later)
    again.speak_again()
    assert again.outdone
    assert again.fault is None
    for data in game.traffic:
        assert all(open_envelope(one).seat != 0 for one in again.receive(data).send)


def test_a_fault_that_was_found_is_found_again() -> None:
    game = dealt()
    other = back(game, 1)
    other.speak_again()
    twice = next(data for data in game.outputs[1][0].send if open_envelope(data).ladder == 0)
    message = open_envelope(twice)
    forged = other._sign(message.place, message.kind, [*message.body, 1])
    game.take(0, game.sessions[0].receive(forged))
    fault = game.sessions[0].fault
    assert fault is not None
    again = back(game, 0)
    assert again.fault is not None
    assert (again.fault.seat, again.fault.what) == (1, fault.what)
    assert again.record() == game.sessions[0].record()


def at_deal_or_turn(phase: Phase) -> Game:
    """A hand of three before anybody speaks in that phase."""
    game = Game.make(rules_for(3, hand_size="2"), "restoring three")
    until(game, phase)
    return game


def says_what_nobody_takes(game: Game, seat: int, kind: str, body: Body) -> None:
    """A message of a seat for its place at the open step, heard by the others alone."""
    session = game.sessions[seat]
    message = session._sign(session._place(0), kind, body)
    for other in set(range(len(game.sessions))) - {seat}:
        game.take(other, game.sessions[other].receive(message))


@pytest.mark.parametrize("what", ["another deck", "a fault"])
def test_behind_votes_that_name_what_is_no_part_of_the_match_it_stands_where_it_stood(
    what: str,
) -> None:
    game = at_deal_or_turn(Phase.DEAL if what == "another deck" else Phase.TURN)
    hand = game.sessions[0].state.match.hand
    gone = 2 if hand is None or hand.turn is None else hand.turn
    cut(game, {gone})
    if what == "another deck":
        says_what_nobody_takes(game, gone, "deal", [b"d" * 32, b"shares"])
    else:
        says_what_nobody_takes(game, gone, "play", ["nothing"])
    put_out(game, {gone}, "absent" if what == "another deck" else "fault")
    session = game.sessions[0 if gone else 1]
    assert session.state.seats == tuple(seat for seat in range(3) if seat != gone)
    kept = kept_by(game.outputs[session.seat])
    again = restore(kept, session.table, session._identity, seeded("back"))
    assert again.referee.root == session.referee.root
    assert again.record() == session.record() == encode_record(*hear_again(kept, session.table))


def test_a_closed_match_has_no_evidence_behind_it() -> None:
    """Of three, one that has not won was at fault before the last had signed: closed is final."""
    match = claiming(3)
    said = next(one for one in match.messages if one.kind == "agree" and one.seat == 1)
    other = seal(match.keys[1], said.table, said.place, said.previous, said.kind, [1])
    kept = kept_by(match.game.outputs[0])
    with_evidence = Kept((*kept.messages, (other, True)), kept.secrets)
    assert encode_record(*hear_again(with_evidence, match.table)) == match.record
    before = Kept((*kept.messages[:-1], (other, True)), kept.secrets)
    assert len(hear_again(before, match.table)[1]) == 2


def test_after_it_proofs_are_checked_again() -> None:
    game = dealt()
    kept = [output for output in game.outputs[0] if output.batch.messages]
    shuffled = next(
        at
        for at, output in enumerate(kept)
        if any((one.kind, one.seat) == ("shuffle", 1) for one in output.batch.messages)
    )
    again = restore(
        kept_by(kept[:shuffled]), game.sessions[0].table, game.sessions[0]._identity, seeded("y")
    )
    other = game.sessions[1]
    shuffle = next(one for one in kept[shuffled].batch.messages if one.seat == 1)
    deck, proof = shuffle.body
    assert isinstance(proof, bytes)
    place, false = shuffle.place, [deck, bytes(len(proof))]
    sealed = seal(other._identity, again.table.id, place, shuffle.previous, "shuffle", false)
    again.receive(sealed)
    assert again.fault is not None
    assert again.fault.seat == 1


def test_what_does_not_hold_together_is_refused() -> None:
    game = dealt()
    session, kept = game.sessions[0], kept_by(game.outputs[0])
    messages = kept.messages
    for broken in (
        Kept(messages[1:], kept.secrets),
        Kept((*messages, messages[0]), kept.secrets),
        Kept(((b"no message", False),), kept.secrets),
        Kept(messages, {1: b"no secret"}),
    ):
        with pytest.raises(NotRestorable):
            restore(broken, session.table, session._identity, seeded("broken"))


def test_who_has_said_that_it_leaves() -> None:
    kept = Kept((), words=(KeptWord(0, "leave", 0, b"signed"), KeptWord(1, "here", 0, b"signed")))
    assert kept.has_left(0)
    assert not kept.has_left(1)
