"""Two signed messages for one step are the proof, whatever differs in them and wherever they meet.

Parked messages are bounded, and a flood of them hides nothing.
"""

import tracemalloc
from pathlib import Path

import pytest
from support.session.cheats import (
    CHEAT,
    CheatingSession,
    check_named,
    dealt,
    honest_seats,
    places,
    play_against,
)
from support.session.second_signature import sign_again
from support.session.tables import Game, rules_for

from engine.events import MatchEnded
from p2p.session.parking import MAX_PARKED_A_SEAT
from p2p.session.referee import TWO_MESSAGES
from p2p.session.state.errors import Fault
from p2p.session.state.events import Faulted
from p2p.session.verify import verify_record
from p2p.store import Store
from p2p.wire.codec import encode
from p2p.wire.envelope import MATCH_LADDER, SIGNED_LABEL, Body, Message, Place, open_envelope, seal

FUTURE = 1000


def signed(game: Game, seat: int, step: int, previous: bytes, body: Body, ladder: int = 0) -> bytes:
    """A message that `seat` signs, of a kind that no phase knows."""
    session = game.sessions[seat]
    place = Place(session.referee.root, ladder, step, seat)
    return seal(session._identity, session.table.id, place, previous, "kind", body)


def two_leads(players: int, seat: int) -> tuple[Game, bytes, bytes]:
    """A dealt table, and two good leads for its first turn, both signed by the cheat."""
    game = dealt(players, seat=seat)
    view = game.sessions[seat].decision()
    assert view is not None
    one, other = (
        game.copy().sessions[seat].act(move).send[0] for move in (view.legal[0], view.legal[1])
    )
    modified = game.sessions[seat]
    assert isinstance(modified, CheatingSession)
    modified.silent = True
    return game, one, other


def give(game: Game, seat: int, *messages: bytes) -> None:
    """Deliver messages to one seat; what it sends goes on its way."""
    for data in messages:
        game.take(seat, game.sessions[seat].receive(data))


@pytest.mark.parametrize(("players", "seat"), places(3))
def test_two_moves_to_one_peer(players: int, seat: int) -> None:
    game, one, other = two_leads(players, seat)
    give(game, honest_seats(game, seat)[0], one, other)
    game.play()
    assert check_named(game, seat) == TWO_MESSAGES


@pytest.mark.parametrize(("players", "seat"), places(3, full=(3, 4)))
def test_another_move_to_each_peer(players: int, seat: int) -> None:
    game, one, other = two_leads(players, seat)
    first, *_, last = honest_seats(game, seat)
    give(game, first, one)
    give(game, last, other)
    game.play()
    assert check_named(game, seat) == TWO_MESSAGES


@pytest.mark.parametrize(("players", "seat"), places(3))
def test_one_payload_with_two_signatures(players: int, seat: int) -> None:
    game, one, _ = two_leads(players, seat)
    payload = open_envelope(one).payload
    seed = game.sessions[seat]._identity.private_bytes()
    again = encode([sign_again(seed, SIGNED_LABEL, payload), payload])
    assert again != one
    give(game, honest_seats(game, seat)[0], one, again)
    game.play()
    assert check_named(game, seat) == TWO_MESSAGES


@pytest.mark.parametrize(("players", "seat"), places(3))
def test_a_second_message_for_a_step_long_past(players: int, seat: int) -> None:
    game = dealt(players, seat=seat)
    first = next(
        one
        for one in map(open_envelope, game.traffic)
        if (one.seat, one.kind, one.ladder) == (seat, "shuffle", 1)
    )
    second = signed(game, seat, first.step, first.previous, [], first.ladder)
    give(game, honest_seats(game, seat)[0], second)
    game.play()
    assert check_named(game, seat) == TWO_MESSAGES


@pytest.mark.parametrize(("players", "seat"), places(3))
@pytest.mark.parametrize("ladder", [0, 2, 3])
def test_two_messages_for_a_step_that_nobody_can_judge(
    players: int, seat: int, ladder: int
) -> None:
    game = dealt(players, seat=seat)
    pair = [signed(game, seat, FUTURE, bytes(32), [at], ladder) for at in (1, 2)]
    give(game, honest_seats(game, seat)[0], *pair)
    game.play()
    assert check_named(game, seat) == TWO_MESSAGES


def test_the_evidence_is_sorted_and_not_stored_with_the_messages() -> None:
    """A store keeps one message for a place; the record has the evidence."""
    game, one, other = two_leads(2, CHEAT)
    output = game.sessions[0].receive(one)
    assert output.batch.messages[0].data == one
    output = game.sessions[0].receive(other)
    assert output.batch.messages == ()
    assert sorted(output.send) == sorted((one, other))
    fault = game.sessions[0].fault
    assert fault is not None
    ids = [message.id for message in fault.messages]
    assert ids == sorted(ids)


def test_the_store_takes_every_batch_of_a_match_that_ended_so(tmp_path: Path) -> None:
    game, one, other = two_leads(2, CHEAT)
    give(game, 0, one, other)
    table = game.sessions[0].table
    with Store(tmp_path / "data" / "store.db") as store:
        store.open_match(table.id, table.description, [person.name for person in table.people])
        for output in game.outputs[0]:
            store.commit(table.id, output.batch)
        kept = store.kept(table.id)
        assert (one, False) in kept.messages
        assert (other, True) in kept.messages
        assert kept.secrets == {}


def test_a_message_once_more_is_no_second_message() -> None:
    game, one, _ = two_leads(2, CHEAT)
    give(game, 0, one, one, *game.traffic)
    assert game.sessions[0].fault is None


def test_parked_messages_are_bounded() -> None:
    game = dealt(3)
    for step in range(FUTURE, FUTURE + 200):
        give(game, 0, signed(game, CHEAT, step, bytes(32), [b"x" * 60_000]))
    assert len(game.sessions[0].parked) == MAX_PARKED_A_SEAT
    give(game, 0, signed(game, 2, FUTURE, bytes(32), []))
    assert len(game.sessions[0].parked) == MAX_PARKED_A_SEAT + 1


def test_parked_messages_take_no_more_memory_than_their_bytes() -> None:
    game = dealt(2)
    flood = [
        signed(game, CHEAT, step, bytes(32), [*[[[]] * 60] * 7, bytes(2000)])
        for step in range(FUTURE, FUTURE + 3)
    ]
    tracemalloc.start()
    give(game, 0, *flood)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(game.sessions[0].parked) == len(flood)
    assert kept < 4 * sum(map(len, flood))


def test_a_flood_of_one_seat_does_not_displace_the_messages_of_another() -> None:
    game = dealt(3)
    parked = signed(game, 2, FUTURE, bytes(32), [])
    give(game, 0, parked)
    for step in range(FUTURE, FUTURE + 50):
        give(game, 0, signed(game, CHEAT, step, bytes(32), []))
    assert parked in {message.data for message in game.sessions[0].parked}


def test_a_flooded_peer_still_takes_the_evidence_that_another_passes_on() -> None:
    game = dealt(3)
    for step in range(FUTURE, FUTURE + 50):
        give(game, 0, signed(game, CHEAT, step, bytes(32), []))
    pair = [signed(game, CHEAT, FUTURE + 100, bytes(32), [at]) for at in (1, 2)]
    give(game, 2, *pair)
    game.play()
    assert check_named(game) == TWO_MESSAGES


def test_a_parked_message_is_taken_out_once_it_is_judged() -> None:
    game, one, _ = two_leads(3, CHEAT)
    lead = open_envelope(one)
    later = seal(
        game.sessions[2]._identity,
        game.sessions[2].table.id,
        Place(lead.root, MATCH_LADDER, lead.step + 1, 2),
        bytes(32),
        "kind",
        [],
    )
    give(game, 0, later)
    assert len(game.sessions[0].parked) == 1
    give(game, 0, one)
    assert [message.data for message in game.sessions[0].parked] == [later]
    assert game.sessions[0].fault is None


def _held_back(game: Game) -> tuple[bytes, bytes]:
    """All seats' first messages reach seat 0 but the last seat's, which is returned with T_1."""
    outputs = [session.start() for session in game.sessions]
    agreed = [output.send[0] for output in outputs]
    onlooker = game.sessions[1]
    for data in agreed:
        onlooker.receive(data)
    for data in agreed[1:-1]:
        game.sessions[0].receive(data)
    return agreed[-1], onlooker.referee.ladder(MATCH_LADDER).top


def test_two_cheats_found_in_one_go_are_both_named() -> None:
    game = Game.make(rules_for(4), "two")
    missing, top = _held_back(game)
    bad = [signed(game, seat, 2, top, []) for seat in (1, 2)]
    for data in bad:
        assert game.sessions[0].receive(data).events == ()
    output = game.sessions[0].receive(missing)
    ends = [event for event in output.events if isinstance(event, Faulted | MatchEnded)]
    assert [type(event) for event in ends] == [Faulted, Faulted]
    assert set(bad) <= set(output.send)
    assert not game.sessions[0].finished
    report = verify_record(game.sessions[0].record())
    assert report.fault is not None
    assert report.fault.seat == 1


def test_after_the_end_nothing_more_is_judged() -> None:
    game = dealt(2)
    pair = [signed(game, CHEAT, FUTURE, bytes(32), [at]) for at in (1, 2)]
    give(game, 0, *pair)
    before = game.sessions[0].record()
    late = signed(game, CHEAT, FUTURE + 1, bytes(32), [])
    output = game.sessions[0].receive(late)
    assert (output.send, output.events, output.batch.messages) == ((), (), ())
    assert game.sessions[0].record() == before


def test_speaking_at_a_step_where_one_has_nothing_to_say() -> None:
    """Judged when the step is open, and as well when it is over."""
    for late in (False, True):
        game = dealt(3)
        session = game.sessions[CHEAT]
        step, top = session.referee.ladder(MATCH_LADDER).step, session.referee.ladder(0).top
        if late:
            game.play(moves=3)
        word = signed(game, 2, step, top, [])
        game.take(0, game.sessions[0].receive(word))
        game.deliver()
        fault = game.sessions[0].fault
        assert isinstance(fault, Fault)
        assert (fault.seat, fault.what) == (2, "it spoke when it was not its turn")
        report = verify_record(game.sessions[0].record())
        assert report.fault is not None
        assert (report.fault.seat, report.fault.what) == (2, fault.what)


def test_the_evidence_of_a_refused_message_is_that_message() -> None:
    game = play_against(lambda _, kind, body: ("x", body) if kind == "agree" else None, 2)
    assert check_named(game) == "it sent 'x' out of place"
    fault = game.sessions[0].fault
    assert fault is not None
    assert [type(message) for message in fault.messages] == [Message]
    assert fault.messages[0].data in game.traffic
