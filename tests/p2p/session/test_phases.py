"""The state table: what a step waits for, what a seat says by itself, which ladders are open."""

import pytest
from support.session.tables import Game, rules_for

from p2p.session.phases import PHASES, Waits
from p2p.session.referee import Awaited, Referee
from p2p.session.session import Session
from p2p.session.state.state import Phase
from p2p.wire.envelope import MATCH_LADDER, open_envelope, seal

PERSONS = {Phase.TURN, Phase.CLAIM}
ENDS = {Phase.CLOSED, Phase.ABANDONED, Phase.READY}


def test_every_phase_has_its_row() -> None:
    assert set(PHASES) == set(Phase)


def test_a_seat_speaks_by_itself_but_where_a_person_decides_or_a_ladder_has_ended() -> None:
    assert {phase for phase, row in PHASES.items() if row.make is None} == PERSONS | ENDS
    assert {phase for phase, row in PHASES.items() if not row.kinds} == ENDS


def test_one_step_waits_for_a_person_without_limit_and_one_for_the_coming_deck() -> None:
    waits = {phase: row.waits for phase, row in PHASES.items() if row.waits is not Waits.NOTHING}
    assert waits == {Phase.TURN: Waits.PERSON, Phase.DEAL: Waits.DECK}


def test_a_ladder_that_has_ended_takes_no_step() -> None:
    state = Game.make(rules_for(2)).sessions[0].state
    for phase in ENDS:
        assert PHASES[phase].speakers(state) == ()
        with pytest.raises(AssertionError):
            PHASES[phase].finish(state, {})


def begun(players: int = 3) -> Game:
    """Everybody has heard everybody's agreement, and nothing more."""
    game = Game.make(rules_for(players), "phases")
    game.start()
    agreements = [open_envelope(data) for data in game.traffic]
    for session in game.sessions:
        for message in agreements:
            if message.seat != session.seat:
                session.receive(message.data)
    return game


def test_before_the_agreement_nobody_prepares_a_deal() -> None:
    session = Game.make(rules_for(3), "phases").sessions[0]
    assert session.referee.ladders_now() == [MATCH_LADDER]
    session.start()
    assert session.referee.waiting() == Awaited((1, 2), for_person=False)


def test_what_is_said_of_the_first_deal_is_judged_while_agreements_are_missing() -> None:
    """Who has all of them runs ahead of who has not."""
    game = Game.make(rules_for(2), "phases")
    session, ahead = game.sessions
    mine, yours = session.start().send, ahead.start().send
    agreed, early = yours[0], ahead.receive(mine[0]).send[-1]
    assert open_envelope(early).ladder == 1
    output = session.receive(early)
    assert [one.data for one in output.batch.messages] == [early]
    assert session.referee.phase is Phase.AGREE
    bad = seal(
        ahead._identity, session.table.id, open_envelope(early).place, session.table.id, "x", []
    )
    fresh = Game.make(rules_for(2), "phases").sessions[0]
    fresh.start()
    fresh.receive(bad)
    assert fresh.fault is not None
    assert fresh.fault.seat == ahead.seat
    assert session.receive(agreed).batch.messages


def test_the_match_waits_for_the_coming_deck_where_it_is_to_be_dealt() -> None:
    for session in begun().sessions:
        assert session.referee.phase is Phase.DEAL
        assert session.referee.ladders_now() == [1]
        others = tuple(seat for seat in range(3) if seat != session.seat)
        assert session.referee.waiting() == Awaited(others, for_person=False)
        said = [one.kind for one in session.referee.ladder(1).open.values()]
        assert said == ["commit"]


def test_in_a_hand_the_match_waits_for_who_is_to_move_and_the_next_deck_is_made_beside_it() -> None:
    game = Game.make(rules_for(2), "phases").play(moves=0)
    (mover,) = [session.seat for session in game.sessions if session.decision() is not None]
    for session in game.sessions:
        assert session.referee.ladders_now() == [MATCH_LADDER, 2]
        assert session.referee.waiting() == Awaited((mover,), for_person=True)
        assert session.state.coming.name == session.referee.ladder(2).top


def test_when_the_match_is_decided_nothing_more_is_prepared() -> None:
    game = Game.make(rules_for(2, target="5"), "phases")
    game.play()
    for session in game.sessions:
        assert session.closed
        assert session.referee.ladders_now() == [MATCH_LADDER]
        assert session.referee.waiting() == Awaited((), for_person=False)


def test_a_deck_has_its_name_when_its_ladder_is_complete() -> None:
    game = Game.make(rules_for(2, target="5"), "phases").play()
    referee: Referee = game.sessions[0].referee
    first: Session = game.sessions[0]
    assert first.state.deals[1].name == referee.ladders[1].top
    assert len(referee.ladders[1].steps) == len(first.table.seats) + 2
