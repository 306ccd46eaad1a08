"""The cheap forms of moves, by options, beside the moves of a match; and what they refuse."""

import random

import pytest
from support.engine.dealing import begin

from engine.errors import EngineError, IllegalMove
from engine.hand import Hand
from engine.match import Match
from engine.moves import OPTIONS, Draw, Move, Pass, Play
from engine.rules import Rules
from engine.tiles import ALL_TILES, TILE_COUNT


def course(hand: Hand) -> tuple[object, ...]:
    """All that is public of a hand, and what is known."""
    slots = [(hand.slots(seat), hand.held_count(seat)) for seat in hand.seats]
    shown = [(hand.lacks(seat), hand.due_slots(seat)) for seat in hand.seats]
    return hand.line.placements, hand.turn, hand.over, hand.drawn, hand.boneyard, slots, shown


def follow(hand: Hand, other: Hand, rng: random.Random) -> None:
    """One step by options in `hand`, and the same by moves in `other`."""
    seat = other.turn
    assert seat is not None
    options, legal = hand.options(), other.legal_moves(seat)
    assert options == tuple(move.option for move in legal if isinstance(move, Play))
    if options:
        at = rng.randrange(len(options))
        hand.play(options[at])
        other.apply(legal[at])
        return
    hand.draw_or_pass()
    while not isinstance(other.legal_moves(seat)[0], Play):
        move = other.legal_moves(seat)[0]
        other.apply(move)
        if isinstance(move, Pass) or not other.drawable():
            break


@pytest.mark.parametrize("preset", ["classic", "online", "block", "five-up"])
@pytest.mark.parametrize("players", [2, 3])
def test_options_are_the_moves_of_a_match(preset: str, players: int) -> None:
    rules = Rules.make(preset, players, {"reserve": "2"} if preset == "classic" else {})
    for seed in range(6):
        rng = random.Random(seed)
        hand, deal = begin(Match(rules, players), rng)
        other = hand.copy()
        while hand.turn is not None:
            follow(hand, other, rng)
            assert course(hand) == course(other)
        assert hand.options() == ()
        assert hand.settle(deal) == other.settle(deal)


def started() -> Hand:
    deal = dict(enumerate(ALL_TILES))
    return Hand(Rules.make("classic", 2), (0, 1), 0, deal)


def test_only_what_was_offered_now_is_placed() -> None:
    hand = started()
    with pytest.raises(IllegalMove, match="only what the options"):
        hand.play((0, -1))
    lead = hand.options()[0]
    hand.play(lead)
    before = course(hand)
    with pytest.raises(IllegalMove):
        hand.play(lead)
    assert course(hand) == before


def test_who_can_play_may_not_draw() -> None:
    hand = started()
    before = course(hand)
    with pytest.raises(IllegalMove, match="who can play"):
        hand.draw_or_pass()
    assert course(hand) == before


def test_options_need_known_tiles() -> None:
    with pytest.raises(EngineError, match="all its tiles to be known"):
        started().seen_by(1).options()


def test_drawing_stops_at_a_tile_that_is_not_known() -> None:
    tiles = [tile for tile in ALL_TILES if 6 not in tile]  # the first 18 are held
    deal = dict(enumerate([*tiles[:9], ALL_TILES[-1], *tiles[9:17]]))
    hand = Hand(Rules.make("classic", 2), (0, 1), 1, deal)
    hand.play(next(option for option in hand.options() if option[0] == TILE_COUNT - 1))
    hand.draw_or_pass()
    assert hand.drawn == 18
    with pytest.raises(EngineError):
        hand.options()
    hand.learn(18, ALL_TILES[-2])
    assert hand.options() == ((TILE_COUNT - 2, 0),)
    assert hand.legal_moves(0)[0] == Play(0, 18, ALL_TILES[-2], "L")


def test_moves_and_options_are_shared_values() -> None:
    hand = started()
    moves: tuple[Move, ...] = hand.legal_moves(0)
    assert moves[0] is started().legal_moves(0)[0]
    assert Draw(0) not in moves
    assert OPTIONS[3][0] is OPTIONS[3][0]
    assert OPTIONS[3][5] == ((3, 0), (3, 2))
