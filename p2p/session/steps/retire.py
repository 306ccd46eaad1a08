"""Seats are put out by the votes of all who stay: what is left of hand, points and match.

No step of messages of its own: the votes close a step that was open, whatever it was about.
"""

from collections.abc import Mapping
from typing import Any

from engine.errors import EngineError
from engine.events import MatchEnded
from engine.tiles import ALL_TILES, Tile
from p2p.session.state.errors import Unsettled
from p2p.session.state.events import SeatOut, Settled
from p2p.session.state.state import Phase, State

FAULT = "fault"


def finish(
    state: State, root: bytes, out: Mapping[int, str], by: tuple[int, ...], said: Mapping[int, Any]
) -> None:
    """Seats are `out`, each for its reason, by the votes of those who stay; `root` names the new
    era. `said`: what the messages of the open step that all voters together have say, by seat.

    What follows is told once all who stay have agreed. Unsettled if the keys in `said` open what
    cannot be, which only all seats together bring about.
    """
    number = state.match.hand_number
    state.untold = [told for told in state.untold if not isinstance(told, MatchEnded)]
    for seat, reason in sorted(out.items()):
        owner = state.table.owners[seat]
        goes_with = owner if owner != seat and owner in out else None
        state.untold.append(SeatOut(number, seat, reason, by, goes_with))
    answers = _answers(state, said) if state.match.awaiting_claims() else None
    tiles = _held_tiles(state, by, said) if state.phase is Phase.OPEN else None
    reason = FAULT if FAULT in out.values() else "left"
    try:
        made = state.match.retire(tuple(out), reason, answers=answers, tiles=tiles)
    except EngineError as error:
        raise Unsettled(str(error)) from None
    state.untold += state.made(made)
    state.lost += tuple(seat for seat, why in out.items() if why in (FAULT, "left"))
    state.root = root
    state.next += 1
    state.first = state.next
    state.drawn, state.claims = None, {}
    state.phase = Phase.AGREE


def _answers(state: State, said: Mapping[int, Any]) -> Mapping[int, int]:
    """The claims that count: in the phase reveal those that are there, 0 for the others."""
    there = said if state.phase is Phase.REVEAL else {}
    answers = {seat: there.get(seat, 0) for seat in state.match.awaiting_claims()}
    played = state.match.claimed_play
    assert played is not None, "answers to no placement"
    state.untold.append(Settled(state.match.hand_number, played.seat, answers))
    return answers


def _held_tiles(
    state: State, stay: tuple[int, ...], said: Mapping[int, Any]
) -> Mapping[int, Tile] | None:
    """The tiles in the hands of those who stay, all of whom have opened their keys; None where no
    hand has begun."""
    hand, deal = state.match.hand, state.current
    if hand is None:
        return None
    return {
        slot: ALL_TILES[deal.dealt.tile_with(slot, {seat: said[seat][0]})]
        for seat in stay
        for slot in hand.slots(seat)
    }
