"""The state table: for each phase of a ladder who speaks, what is said, and what it does.

This is the one place that knows all phases of a match; what is due, and what is waited for, is
read from it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from p2p.session.state.secrets import SeatSecrets
from p2p.session.state.state import Phase, State
from p2p.session.steps import (
    agree,
    call,
    claim,
    commit,
    deal,
    key,
    rank,
    result,
    share,
    shuffle,
    turn,
)
from p2p.session.steps import open as opening
from p2p.wire.envelope import Message, Place
from p2p.wire.shape import Shape

Speakers = Callable[[State], tuple[int, ...]]
Judge = Callable[[State, Message], Any]
# What judges return goes to the finish of the same row.
Finish = Callable[[State, Mapping[int, Any]], None]
Make = Callable[[SeatSecrets, State, Place], Shape | None]


class Waits(Enum):
    """What a step waits for before its seats speak."""

    NOTHING = "nothing"
    PERSON = "a person"
    DECK = "the coming deck"


@dataclass(frozen=True)
class Row:
    """A phase: the seats that speak, the judges by kind of message, what a whole step does, and
    what a seat says there by itself (`make`; None, or what gives None, where a person decides)."""

    speakers: Speakers
    kinds: Mapping[str, Judge]
    finish: Finish
    make: Make | None
    waits: Waits = Waits.NOTHING


def _everyone(state: State) -> tuple[int, ...]:
    return state.seats


def _nobody(state: State) -> tuple[int, ...]:
    return ()


def _mover(state: State) -> tuple[int, ...]:
    assert state.hand.turn is not None, "a turn after the end of a hand"
    return (state.hand.turn,)


def _all_but_drawer(state: State) -> tuple[int, ...]:
    assert state.drawn is not None, "shares without a draw"
    return tuple([seat for seat in state.seats if seat != state.drawn[0]])


def _claimers(state: State) -> tuple[int, ...]:
    return tuple(sorted(state.match.awaiting_claims()))


def _shuffler(state: State) -> tuple[int, ...]:
    return (state.seats[state.coming.shuffles],)


def _ended(state: State, said: Mapping[int, Any]) -> None:
    raise AssertionError("a ladder that has ended takes no step")


TURN = {"play": turn.judge_play, "draw": turn.judge_idle, "pass": turn.judge_idle}
CLAIM, REVEAL = {"claim": claim.judge_claim}, {"reveal": claim.judge_reveal}

PHASES: Mapping[Phase, Row] = {
    # The match ladder.
    Phase.AGREE: Row(_everyone, {"agree": agree.judge}, agree.finish, agree.make),
    Phase.DEAL: Row(_everyone, {"deal": deal.judge}, deal.finish, deal.make, Waits.DECK),
    Phase.CALL: Row(_everyone, {"call": call.judge}, call.finish, call.make),
    Phase.RANK: Row(_everyone, {"rank": rank.judge}, rank.finish, rank.make),
    Phase.TURN: Row(_mover, TURN, turn.finish, None, Waits.PERSON),
    Phase.SHARE: Row(_all_but_drawer, {"share": share.judge}, share.finish, share.make),
    # A person decides, but its program answers 0 for one who has said nothing in time.
    Phase.CLAIM: Row(_claimers, CLAIM, claim.finish_claim, None),
    Phase.REVEAL: Row(_claimers, REVEAL, claim.finish_reveal, claim.make_reveal),
    Phase.OPEN: Row(_everyone, {"open": opening.judge}, opening.finish, opening.make),
    Phase.RESULT: Row(_everyone, {"result": result.judge}, result.finish, result.make),
    Phase.CLOSED: Row(_nobody, {}, _ended, None),
    Phase.ABANDONED: Row(_nobody, {}, _ended, None),
    # The ladder of the coming deal.
    Phase.COMMIT: Row(_everyone, {"commit": commit.judge}, commit.finish, commit.make),
    Phase.KEY: Row(_everyone, {"key": key.judge}, key.finish, key.make),
    Phase.SHUFFLE: Row(_shuffler, {"shuffle": shuffle.judge}, shuffle.finish, shuffle.make),
    Phase.READY: Row(_nobody, {}, _ended, None),
}
