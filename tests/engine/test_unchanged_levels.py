"""The levels that do not search: what they decided once, they decide for ever."""

import random
import zlib

import pytest
from support.engine.dealing import play_match

from engine.match import Match
from engine.moves import Move
from engine.rules import Rules
from engine.strategy import Player, SeatView, make_player


class Noted:
    """A player whose decisions are written down."""

    def __init__(self, player: Player, notes: list[str]) -> None:
        self._player = player
        self._notes = notes

    def choose(self, view: SeatView) -> Move:
        move = self._player.choose(view)
        self._notes.append(str(move))
        return move

    def claim(self, view: SeatView) -> int:
        points = self._player.claim(view)
        self._notes.append(str(points))
        return points


def decided(preset: str, players: int, options: dict[str, str]) -> tuple[Match, int]:
    """A match of easy and normal in turn, and the check sum of all that they decided."""
    notes: list[str] = []
    rng = random.Random(f"{preset}/{players}")
    levels = ("easy", "normal", "easy", "normal")[:players]
    seated = [
        Noted(make_player(level, random.Random(at)), notes) for at, level in enumerate(levels)
    ]
    match, _ = play_match(Rules.make(preset, players, options), seated, rng)
    return match, zlib.crc32("\n".join(notes).encode())


@pytest.mark.parametrize(
    ("preset", "players", "options", "expected"),
    [
        ("classic", 2, {}, 428859983),
        ("online", 3, {}, 3465090124),
        ("pagat", 4, {"partners": "yes"}, 4081909995),
        ("five-up", 2, {"claims": "yes"}, 3713795452),
        ("block", 4, {}, 2252905350),
    ],
)
def test_easy_and_normal_decide_as_ever(
    preset: str, players: int, options: dict[str, str], expected: int
) -> None:
    match, found = decided(preset, players, options)
    assert match.result is not None
    assert found == expected
