"""Checking a match from its record alone: the player's own referee on the record's bytes."""

import io
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import BinaryIO

from engine.deal import deal_slots
from engine.events import Drawn
from engine.tiles import Tile
from p2p.session.judging import FoundFault as FoundFault
from p2p.session.judging import Judging
from p2p.session.record import Recording, RecordUnreadable, open_record
from p2p.session.referee import Referee
from p2p.session.state.events import HandBegan, InHand, SeatOut, SessionEvent
from p2p.session.state.state import Phase
from p2p.session.state.table import Table, TableError
from p2p.wire.envelope import MATCH_LADDER

PROOFS = ("shuffle", "share", "unplayable", "key")


@dataclass(frozen=True)
class Report:
    """What a record shows. `problem` is one clause if it is faulty and no seat can be named.

    `ok`: closed, and nobody broke a rule without being put out for it. `unsigned` are the seats
    that did not sign the result; `absent` those that were put out by votes, in that order.
    `opened`: the keys of the hand that decided the match are open.
    """

    ok: bool
    decided: bool
    closed: bool
    unsigned: tuple[int, ...]
    table: bytes
    rules: Mapping[str, str]
    names: tuple[str, ...]
    hands: int
    messages: int
    plays: int
    proofs: Mapping[str, int]
    fault: FoundFault | None
    problem: str | None
    absent: tuple[SeatOut, ...]
    winners: tuple[int, ...]
    opened: bool
    scores: tuple[int, ...]


def verify_record(data: bytes) -> Report:
    """Check every byte of a record. RecordUnreadable if it is none; never any other error."""
    return verify_file(io.BytesIO(data))


def verify_file(file: BinaryIO) -> Report:
    """The same of a file that can be read from any place. RecordUnreadable, OSError."""
    return report_of(Judging.of(*open_table(file)))


def replay_record(data: bytes) -> list[SessionEvent]:
    """All events of a record with every opened tile in them. RecordUnreadable if it is none.

    A faulty record gives the events up to its fault: verify_record says what is wrong.
    """
    return judge_record(data)[1]


def judge_record(data: bytes) -> tuple[Report, list[SessionEvent]]:
    """Report and events both: every check is made once. RecordUnreadable if it is none."""
    judged = Judging.of(*open_table(io.BytesIO(data)), keeps=True)
    return report_of(judged), [_with_tiles(judged.referee, event) for event in judged.events]


def open_table(file: BinaryIO) -> tuple[Recording, Table]:
    """A record that can be read, and the table that it describes. RecordUnreadable, OSError."""
    recording = open_record(file)
    try:
        return recording, Table.decode(recording.description)
    except TableError as error:
        raise RecordUnreadable(f"The record describes no table: {error}.") from None


def report_of(judged: Judging) -> Report:
    """What a record shows that was gone through."""
    recording, referee = judged.recording, judged.referee
    fault, problem, state = judged.fault, judged.problem, referee.state
    proper = fault is None and problem is None
    decided = proper and state.is_decided()
    closed = decided and referee.phase is Phase.CLOSED
    signed = referee.ladders[MATCH_LADDER].open if referee.phase is Phase.RESULT else {}
    unsigned = () if closed else tuple(seat for seat in state.seats if seat not in signed)
    return Report(
        ok=closed,
        decided=decided,
        closed=closed,
        unsigned=unsigned if decided else (),
        table=referee.table.id,
        rules=referee.table.rules.spell(),
        names=tuple(player.name for player in referee.table.players),
        hands=state.match.hand_number,
        messages=recording.count + len(recording.evidence),
        plays=judged.plays,
        proofs={name: state.proofs[name] for name in PROOFS},
        fault=fault,
        problem=problem,
        absent=tuple(state.outs),
        opened=referee.phase is not Phase.OPEN,
        winners=_winners(referee, fault) if problem is None else (),
        scores=tuple(state.match.scores),
    )


def _winners(referee: Referee, fault: FoundFault | None) -> tuple[int, ...]:
    """Who has won by what is proven: nobody yet while votes or a fault may still undo it."""
    result = referee.state.match.result
    ended = referee.state.is_decided() or (result is not None and result.reason == "fault")
    if result is None or not ended or (fault is not None and fault.seat in result.winners):
        return ()
    return result.winners


def _with_tiles(referee: Referee, event: SessionEvent) -> SessionEvent:
    """The event with what the opened keys show."""
    if not isinstance(event, HandBegan | InHand):
        return event
    deal = referee.state.deals[referee.state.hands[event.hand]]
    tiles = deal.tiles
    if not tiles:
        return event
    if isinstance(event, InHand):
        drawn = event.event
        return replace(event, tile=tiles[drawn.slot]) if isinstance(drawn, Drawn) else event
    slots = deal_slots(referee.table.rules, deal.ctx.seats)
    dealt = (slots.get(seat, range(0)) for seat in referee.table.seats)
    hands = tuple(_sorted(tiles[own.start : own.stop]) for own in dealt)
    return replace(event, hands=hands, boneyard=tiles[sum(map(len, hands)) :])


def _sorted(tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
    return tuple(sorted(tiles, reverse=True))
