"""Scenes for tests of a match: chosen deals, a first hand, placements by name."""

from collections.abc import Mapping
from typing import Final

from engine.events import Event
from engine.hand import Hand, Play
from engine.match import Match
from engine.notation import parse_tile
from engine.rules import Rules
from engine.tiles import ALL_TILES, Tile


def deal_of(*hands: str, boneyard: str = "") -> dict[int, Tile]:
    """A whole deal from texts of tiles; what is not named follows in the boneyard."""
    named = [parse_tile(text) for part in (*hands, boneyard) for text in part.split()]
    return dict(enumerate(named + [tile for tile in ALL_TILES if tile not in named]))


def first_hand(
    tiles: Mapping[int, Tile], players: int = 2, preset: str = "classic", **options: str
) -> tuple[Match, Hand]:
    """A match at its first hand, started by seat 0, with hands of two unless said otherwise."""
    named = {"hand-size": "2", "starter": "lot"}
    overrides = named | {name.replace("_", "-"): value for name, value in options.items()}
    match = Match(Rules.make(preset, players, overrides), players)
    return match, match.begin_hand(0, known=tiles)


def place(match: Match, text: str, end: str | None = None, claim: int | None = None) -> Event:
    """The seat to move places a tile it holds."""
    hand = match.hand
    assert hand is not None
    assert hand.turn is not None
    tile = parse_tile(text)
    slot = next(slot for slot in hand.slots(hand.turn) if hand.known[slot] == tile)
    (event,) = match.apply(Play(hand.turn, slot, tile, end, claim))
    return event


def set_scores(match: Match, *scores: int) -> None:
    """Gives a match a past."""
    match.scores[:] = scores


FIVES: Final = deal_of("6-4 5-1", "4-0 5-5", boneyard="0-0 1-1")
