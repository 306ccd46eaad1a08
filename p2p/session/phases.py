"""The state table: for each phase of a ladder who must speak, what may be said, and what it does.

This is the one place that knows all states of a match. `person` marks the phases that wait for
somebody's decision; everything else is due without one.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from p2p.session.state.state import Deal, Phase, State
from p2p.session.steps import deal_steps, hand_steps, match_steps
from p2p.wire.envelope import Message

Judge = Callable[[State, Message], Any]
Speakers = Callable[[State, Deal | None], tuple[int, ...]]
# What judges return goes to the finish of the same row.
Finish = Callable[[State, Deal | None, Mapping[int, Any]], None]


@dataclass(frozen=True)
class Row:
    """A phase: the judges by kind of message, the seats that speak, and what a whole step does."""

    kinds: Mapping[str, Judge]
    speakers: Speakers
    finish: Finish
    person: bool = False


def _everyone(state: State, deal: Deal | None) -> tuple[int, ...]:
    return state.table.seats


def _nobody(state: State, deal: Deal | None) -> tuple[int, ...]:
    return ()


def _mover(state: State, deal: Deal | None) -> tuple[int, ...]:
    hand = state.match.hand
    assert hand is not None, "a turn outside a hand"
    assert hand.turn is not None, "a turn after the end of a hand"
    return (hand.turn,)


def _all_but_drawer(state: State, deal: Deal | None) -> tuple[int, ...]:
    assert state.drawn is not None, "shares without a draw"
    return tuple(seat for seat in state.table.seats if seat != state.drawn[0])


def _claimers(state: State, deal: Deal | None) -> tuple[int, ...]:
    return tuple(sorted(state.match.awaiting_claims()))


def _shuffler(state: State, deal: Deal | None) -> tuple[int, ...]:
    assert deal is not None, "a shuffle outside a deal"
    return (deal_steps.shuffler(deal),)


def _on_match(finish: Callable[[State, Mapping[int, Any]], None]) -> Finish:
    def run(state: State, deal: Deal | None, said: Mapping[int, Any]) -> None:
        finish(state, said)

    return run


def _on_deal(finish: Callable[[State, Deal, Mapping[int, Any]], None]) -> Finish:
    def run(state: State, deal: Deal | None, said: Mapping[int, Any]) -> None:
        assert deal is not None, "a step of a deal outside one"
        finish(state, deal, said)

    return run


def _ended(state: State, deal: Deal | None, said: Mapping[int, Any]) -> None:
    raise AssertionError("a ladder that has ended takes no step")


PHASES: Mapping[Phase, Row] = {
    # The match ladder.
    Phase.AGREE: Row(
        {"agree": hand_steps.judge_agree}, _everyone, _on_match(hand_steps.finish_agree)
    ),
    Phase.DEAL: Row({"deal": hand_steps.judge_deal}, _everyone, _on_match(hand_steps.finish_deal)),
    Phase.CALL: Row({"call": hand_steps.judge_call}, _everyone, _on_match(hand_steps.finish_call)),
    Phase.TURN: Row(
        {
            "play": match_steps.judge_play,
            "draw": match_steps.judge_draw,
            "pass": match_steps.judge_pass,
        },
        _mover,
        _on_match(match_steps.finish_turn),
        person=True,
    ),
    Phase.SHARE: Row(
        {"share": match_steps.judge_share}, _all_but_drawer, _on_match(match_steps.finish_share)
    ),
    Phase.CLAIM: Row(
        {"claim": match_steps.judge_claim},
        # A person decides, but its program answers 0 for one who has said nothing in time.
        _claimers,
        _on_match(match_steps.finish_claim),
    ),
    Phase.REVEAL: Row(
        {"reveal": match_steps.judge_reveal}, _claimers, _on_match(match_steps.finish_reveal)
    ),
    Phase.OPEN: Row({"open": hand_steps.judge_open}, _everyone, _on_match(hand_steps.finish_open)),
    Phase.RESULT: Row(
        {"result": hand_steps.judge_result}, _everyone, _on_match(hand_steps.finish_result)
    ),
    Phase.CLOSED: Row({}, _nobody, _ended),
    # The ladder of a deal.
    Phase.COMMIT: Row(
        {"commit": deal_steps.judge_commit}, _everyone, _on_deal(deal_steps.finish_commit)
    ),
    Phase.KEY: Row({"key": deal_steps.judge_key}, _everyone, _on_deal(deal_steps.finish_key)),
    Phase.SHUFFLE: Row(
        {"shuffle": deal_steps.judge_shuffle}, _shuffler, _on_deal(deal_steps.finish_shuffle)
    ),
    Phase.READY: Row({}, _nobody, _ended),
}
