"""Playouts beside real matches: the same world, the same move, then players of both ways."""

import copy
import multiprocessing
import random
from dataclasses import replace
from typing import Any

import pytest
from support.engine.dealing import begin
from support.limits import FULL

from engine.hand import Hand
from engine.match import Match
from engine.moves import Move, Pass, Play
from engine.rules import PRESETS, Rules
from engine.scoring import placement_points
from engine.strategy import SeatView, make_player, make_view
from engine.strategy.ahead.shapes import Way, shapes_of
from engine.strategy.normal import NormalPlayer
from engine.strategy.playout import CAREFUL, PLAIN, World, random_hand, world_of
from engine.tiles import ALL_TILES, WHOLE_SET, Tile

Deal = dict[int, Tile]


def shape_after(view: SeatView, move: Play) -> tuple[Any, ...]:
    """Tells the ends that a tile is as well placed on apart, whatever their names are."""
    after = view.line.copy()
    after.place(move.tile, move.end)
    return after.shape()


class PlainPlayer(NormalPlayer):
    """Plays like `normal`, but for the ends that a tile is as well placed on."""

    def choose(self, view: SeatView) -> Move:
        usual = super().choose(view)
        if not isinstance(usual, Play):
            return usual
        points = view.points_for(usual)
        plays = [move for move in view.legal if isinstance(move, Play) and move.tile == usual.tile]
        equal = [move for move in plays if view.points_for(move) == points]
        return replace(
            min(equal, key=lambda move: shape_after(view, move)),
            claim=usual.claim,
        )


class CarefulPlayer(NormalPlayer):
    """Plays by the rule of thumb, found anew from what a seat sees."""

    def choose(self, view: SeatView) -> Move:
        plays = [move for move in view.legal if isinstance(move, Play)]
        if not plays:
            return view.legal[0]
        way = CAREFUL[view.rules.play_points]
        own = {tile for _, tile in view.tiles}
        others = set(ALL_TILES) - own - {placed.tile for placed in view.line.placements}
        best: dict[Tile, tuple[float, Play]] = {}  # of each tile, judged as if no other was seen
        for move in sorted(plays, key=lambda move: shape_after(view, move)):
            value = self.value(view, move, set(ALL_TILES))
            if move.tile not in best or value > best[move.tile][0]:
                best[move.tile] = value, move

        def rank(move: Play) -> float:
            tile, fits = move.tile, self.fits(view, move)
            value = way.pip * tile.pips + way.double * tile.is_double
            value += way.keeps * len((own - {tile}) & set(fits))
            return value + self.value(view, move, others)

        chosen = max([move for _, move in best.values()], key=lambda m: (rank(m), m.tile.index))
        return replace(chosen, claim=view.points_for(chosen)) if view.rules.claims else chosen

    def value(self, view: SeatView, move: Play, seen: set[Tile]) -> float:
        way, fits = CAREFUL[view.rules.play_points], self.fits(view, move)
        share = 1 / max(1, len(seen))
        value = way.points * view.points_for(move)
        value += way.opens * share * len(seen & set(fits))
        return value + way.offers * share * len([t for t in seen & set(fits) if fits[t]])

    def fits(self, view: SeatView, move: Play) -> dict[Tile, bool]:
        """The tiles that fit after a move, and whether they can score."""
        after = view.line.copy()
        after.place(move.tile, move.end)
        found: dict[Tile, bool] = {}
        for index, _, count in after.outcomes(WHOLE_SET):
            scores = placement_points(view.rules, count) > 0
            found[ALL_TILES[index]] = found.get(ALL_TILES[index], False) or scores
        return found


PLAYERS = (PlainPlayer(), CarefulPlayer())


def ways(rules: Rules) -> list[Way]:
    """Of every other seat the careful one."""
    return [(PLAIN, CAREFUL[rules.play_points])[seat % 2] for seat in range(rules.players)]


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
    changed = world.copy()
    over = False
    if isinstance(move, Play):
        after = shapes_of(world.rules).after(world.line, move.option)
        over = changed.placed(1 << move.tile.index, after)
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
