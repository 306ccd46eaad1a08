"""Playouts beside real matches: the same world, the same move, then players of both ways."""

import copy
import multiprocessing
import random
from dataclasses import replace

import pytest
from support.engine.dealing import begin
from support.limits import FULL

from engine.ends import END_KEYS
from engine.hand import Hand
from engine.match import Match
from engine.moves import Move, Pass, Play
from engine.rules import PRESETS, Rules
from engine.strategy import SeatView, make_player, make_view
from engine.strategy.normal import NormalPlayer
from engine.strategy.playout import CAREFUL, PLAIN, Way, World, random_hand, world_of
from engine.tiles import Tile

Deal = dict[int, Tile]


class CarefulPlayer(NormalPlayer):
    """Plays by the rule of thumb, found anew from what a seat sees."""

    def choose(self, view: SeatView) -> Move:
        plays = [move for move in view.legal if isinstance(move, Play)]
        if not plays:
            return view.legal[0]
        best = max(plays, key=lambda move: self.rank(view, move))
        return replace(best, claim=view.points_for(best)) if view.rules.claims else best

    def rank(self, view: SeatView, move: Play) -> int:
        double = 80 * move.tile.is_double
        if view.rules.play_points == "none":
            return 20 * move.tile.pips + double
        left = view.count_after(move)
        return 20 * view.points_for(move) - 6 * left + 3 * move.tile.pips + double


PLAYERS = (NormalPlayer(), CarefulPlayer())


def ways(rules: Rules) -> list[Way]:
    """Of every other seat the careful one."""
    return [(PLAIN, CAREFUL)[seat % 2][rules.play_points] for seat in range(rules.players)]


def played_on(match: Match, deal: Deal) -> list[int]:
    """The scores at the end of the running hand, played by players of both ways."""
    hand = match.hand
    assert hand is not None
    while hand.turn is not None or match.awaiting_claims():
        asked = match.awaiting_claims()
        if asked:
            match.apply_claims({seat: PLAYERS[0].claim(make_view(match, seat)) for seat in asked})
        elif hand.turn is not None:
            match.apply(PLAYERS[hand.turn % 2].choose(make_view(match, hand.turn)))
    match.finish_hand(deal)
    return match.scores


def after_move(world: World, move: Move) -> list[int]:
    """The scores at the end of the hand if `move` is made now; the world stays as it is."""
    changed = replace(world, line=world.line.copy(), held=world.held[:], scores=world.scores[:])
    over = False
    if isinstance(move, Play):
        over = changed.placed((move.tile.index, END_KEYS[move.end]))
    elif isinstance(move, Pass):
        over = changed.skipped()
    if not over:
        changed.finish(ways(world.rules))
    return changed.scores


def copied(match: Match) -> Match:
    """The match at the same point, to be played on differently."""
    return copy.deepcopy(match)


def compare(match: Match, deal: Deal, move: Move) -> None:
    """The playout after `move` gives the scores that the match comes to."""
    hand = match.hand
    assert hand is not None
    tiles = [deal[slot].index for slot in range(28)]
    world = world_of(hand, tiles, match.scores)
    before = hand.line.placements
    found = after_move(world, move)
    assert hand.line.placements == before
    real = copied(match)
    played = make_player("normal", random.Random(1))
    real.apply(move)
    if real.awaiting_claims():
        real.apply_claims(
            {seat: played.claim(make_view(real, seat)) for seat in real.awaiting_claims()}
        )
    assert found == played_on(real, deal)


CASES = [(preset, players, "no") for preset in PRESETS for players in (2, 3, 4)] + [
    ("online", 4, "yes"),
    ("classic", 4, "yes"),
    ("pagat", 4, "yes"),
]


@pytest.mark.parametrize(("preset", "players", "partners"), CASES)
def test_a_playout_is_the_match_of_such_players(preset: str, players: int, partners: str) -> None:
    rules = Rules.make(preset, players, {"partners": partners, "target": "60"})
    for seed in range(6 if FULL else 2):
        rng = random.Random(seed)
        match = Match(rules, players)
        while match.result is None and match.hand_number < 4:
            hand, deal = begin(match, rng)
            while hand.turn is not None:
                move = rng.choice(hand.legal_moves(hand.turn))
                if rng.random() < 0.3:
                    compare(match, deal, move)
                match.apply(move)
            match.finish_hand(deal)


def test_a_playout_after_passes() -> None:
    rules = Rules.make("block", 2)
    compared = 0
    for seed in range(200):
        match = Match(rules, 2)
        hand, deal = begin(match, random.Random(seed))
        while hand.turn is not None:
            move = hand.legal_moves(hand.turn)[0]
            if match.moves and isinstance(match.moves[-1], Pass):
                compare(match, deal, move)
                compared += 1
            match.apply(move)
    assert compared > 50


def test_a_random_hand_brings_points_by_the_rules() -> None:
    rng = random.Random(2)
    rules = Rules.make("block", 2)
    brought = [random_hand(rules, rng) for _ in range(100)]
    assert all(min(one) == 0 for one in brought)  # the winner alone collects
    assert all(0 <= max(one) <= 7 * 12 for one in brought)
    subtracting = Rules.make("classic", 3, {"match-end": "hand"})
    assert any(min(random_hand(subtracting, rng)) < 0 for _ in range(20))


def test_a_hand_goes_on_after_being_sent_to_another_process() -> None:
    match = Match(Rules.make("five-up", 2), 2)
    hand, _ = begin(match, random.Random(6))
    here, there = multiprocessing.Pipe()
    here.send(hand)
    sent: Hand = there.recv()
    while hand.turn is not None:
        assert sent.legal_moves(hand.turn) == hand.legal_moves(hand.turn)
        move = hand.legal_moves(hand.turn)[-1]
        hand.apply(move)
        sent.apply(move)
    assert sent.over == hand.over


def test_the_shared_plays_are_not_sent() -> None:
    match = Match(Rules.make("classic", 2), 2)
    hand, _ = begin(match, random.Random(6))
    assert hand.turn is not None
    assert hand.legal_moves(hand.turn)
    here, there = multiprocessing.Pipe()
    here.send(hand)
    assert len(there.recv_bytes()) < 8000
