"""Whole small records made from one published seed, with what a verifier must say of each.

Two matches are played by seats that make the first legal move and claim what the table counts. The
others are tables that got no further than a fault, and parts or altered copies of the first match.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from support.places import VECTORS
from support.session import retire_vectors
from support.session.spliced_vectors import (
    Source,
    Splice,
    after_the_decision,
    behind_the_end,
    between_play_and_reveal,
    of_ladders,
    of_the_rank,
)
from support.session.tables import Game, make_table, rules_for

from engine.moves import Move
from engine.strategy.view import SeatView
from p2p.session import record
from p2p.session.record import RecordUnreadable, pack
from p2p.session.state.table import Table
from p2p.session.verify import verify_record
from p2p.wire.envelope import MATCH_LADDER, Place, open_envelope, seal

SEED = "allfives record vectors 1"
FILE = VECTORS / "record.json"
AGREE_PLACE = (MATCH_LADDER, 1, 1)

Json = dict[str, Any]


class First:
    """A player whose moves need no explanation: the first legal one, and the true claim."""

    def choose(self, view: SeatView) -> Move:
        """The first legal move in canonical order, claiming nothing."""
        return view.legal[0]

    def claim(self, view: SeatView) -> int:
        """What the table counts."""
        return view.points_on_table()


def claims_match() -> Game:
    """Two seats: calls for the highest double, draws, claims."""
    rules = rules_for(2, "online", hand_size="2", claims="yes", target="10")
    return _played(Game.make(rules, f"{SEED}/claims"))


def passes_match() -> Game:
    """Three seats: no draws, a block, a lot over the second coins, two hands."""
    rules = rules_for(3, "block", hand_size="2", starter="lot", target="20")
    return _played(Game.make(rules, f"{SEED}/passes 2"))


def _played(game: Game) -> Game:
    game.players = [First() for _ in game.sessions]
    return game.play()


def splices(claims: Game, passes: Game) -> Iterator[Splice]:
    """What stands behind the first frames of both matches."""
    source = Source("claims", claims)
    for made in (behind_the_end, after_the_decision, of_ladders, between_play_and_reveal):
        yield from made(source)
    yield from of_the_rank(source)
    yield from after_the_decision(Source("passes", passes))


def two_messages() -> bytes:
    """A seat signed two different messages for its first step."""
    table, first, second = _two_openings()
    pair = sorted((first, second), key=lambda data: open_envelope(data).id)
    return pack([table.description, *(record.EVIDENCE_MARK + data for data in pair)])


def bad_body() -> bytes:
    """A seat agreed with a word too many."""
    table, _, second = _two_openings()
    return pack([table.description, record.EVIDENCE_MARK + second])


def no_fault() -> bytes:
    """The evidence is a message that nobody can object to."""
    table, first, _ = _two_openings()
    return pack([table.description, record.EVIDENCE_MARK + first])


def _two_openings() -> tuple[Table, bytes, bytes]:
    table, keys = make_table(rules_for(2), f"{SEED}/two")
    first, second = (
        seal(keys[1], table.id, Place(table.id, *AGREE_PLACE), table.id, "agree", body)
        for body in (list[object](), list[object]([1]))
    )
    return table, first, second


def verdict(data: bytes) -> Json:
    """What `verify` says, without the words; exit code 2 alone for what is no record."""
    try:
        report = verify_record(data)
    except RecordUnreadable:
        return {"exit": 2}
    fault = report.fault
    return {
        "exit": 0 if report.ok else 3 if report.decided else 1,
        "decided": report.decided,
        "closed": report.closed,
        "unsigned": list(report.unsigned),
        "faulty": report.problem is not None,
        "fault": fault and {"seat": fault.seat, "hand": fault.hand, "message": fault.message},
        "table": report.table.hex(),
        "absent": [[one.seat, one.hand, one.reason, list(one.by)] for one in report.absent],
        "winners": list(report.winners),
        "hands": report.hands,
        "messages": report.messages,
        "proofs": dict(report.proofs),
        "scores": list(report.scores),
    }


def _altered(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def vectors() -> Json:
    """The whole file as a value."""
    claims_game, passes_game = claims_match(), passes_match()
    claims, passes = (game.sessions[0].record() for game in (claims_game, passes_game))
    made = {
        "claims": claims,
        "passes": passes,
        "two messages for one step": two_messages(),
        "a malformed body": bad_body(),
        "evidence of nothing": no_fault(),
        "one left": retire_vectors.left(),
        "one absent": retire_vectors.absent(),
        "one at fault": retire_vectors.fault(),
        "one idle": retire_vectors.idle(),
    }
    whole = [
        {"name": name, "record": data.hex(), "verdict": verdict(data)}
        for name, data in made.items()
    ]
    cut = [
        {"of": "claims", "first_bytes": size, "verdict": verdict(claims[:size])}
        for size in (89, 200, len(claims) // 2, len(claims) - 1)
    ]
    flipped = [
        {"of": "claims", "byte_xor_1": at, "verdict": verdict(_altered(claims, at))}
        for at in (0, 60, len(claims) - 1)
    ]
    spliced = [
        {**one.value(), "verdict": verdict(one.record)} for one in splices(claims_game, passes_game)
    ]
    return {"seed": SEED, "whole": whole, "cut": cut, "altered": flipped, "spliced": spliced}


def text() -> str:
    """The file's exact text."""
    return json.dumps(vectors(), indent=1) + "\n"


__all__ = ["FILE", "SEED", "text", "vectors", "verdict"]
