"""Shapes beside the lines that they stand for, over hands of random play in every preset."""

import gc
import random
from collections.abc import Iterator

import pytest
from support.engine.dealing import begin

from engine.line import Line
from engine.match import Match
from engine.rules import PRESETS, Rules
from engine.scoring import placement_points
from engine.strategy.ahead import shapes
from engine.strategy.ahead.shapes import Shapes, Way
from engine.tiles import WHOLE_SET


def lines(rules: Rules, hands: int) -> Iterator[Line]:
    """Each line of some hands of random play."""
    for seed in range(hands):
        rng = random.Random(seed)
        match = Match(rules, rules.players)
        hand, _ = begin(match, rng)
        while hand.turn is not None:
            match.apply(rng.choice(hand.legal_moves(hand.turn)))
            yield hand.line


@pytest.mark.parametrize("preset", PRESETS)
def test_a_shape_knows_what_its_line_leads_to(preset: str) -> None:
    rules = Rules.make(preset, 2)
    known = Shapes(rules)
    scored = 0
    for line in lines(rules, 6):
        shape = known.of(line)
        assert shape.fitting == line.fitting
        assert shape.points == placement_points(rules, line.total)
        scores = 0
        after: dict[int, set[object]] = {}
        for index, key, count in line.outcomes(WHOLE_SET):
            then = line.copy()
            then.put((index, key))
            assert known.after(line, (index, key)) is known.of(then)
            after.setdefault(1 << index, set()).add(known.of(then))
            scores |= (placement_points(rules, count) > 0) << index
        assert shape.scoring == scores
        scored += scores > 0
        for bit, reached in after.items():
            assert set(shape.after(bit)) == reached
            assert len(shape.after(bit)) == len(reached)
    assert (scored > 20) == (rules.play_points == "fives")


def test_which_line_was_met_first_does_not_matter() -> None:
    """Of a line and its mirror one object is kept; what is chosen there must be the same."""
    rules, way = Rules.make("online", 2), Way(points=13, pip=1)
    tied = 0
    for line in lines(rules, 12):
        chosen = []
        for backwards in (False, True):
            known = Shapes(rules)
            one, other = Line(rules), Line(rules)
            for placed in line.placements:
                end = placed.end
                one.place(placed.tile, end)
                swapped = {"L": "R", "R": "L", "U": "D", "D": "U"}.get(end or "", end)
                if swapped not in (None, *other.fits(placed.tile)):
                    swapped = end
                if swapped not in (None, *other.fits(placed.tile)):
                    break
                other.place(placed.tile, swapped)
            if one.shape() != other.shape():
                break
            shape = known.of(other if backwards else one)
            names = [[after.name for after in shape.after(1 << at)] for at in range(28)]
            names += [[shape.choose(way, shape.fitting, 0, WHOLE_SET)[1].name]]
            chosen.append(names)
        if len(chosen) == 2:
            assert chosen[0] == chosen[1]
            tied += 1
    assert tied > 10


def test_those_of_some_rules_are_not_kept_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shapes, "_MOST_SHAPES", 20)
    rules = Rules.make("online", 2)
    known = Shapes(rules)
    for line in lines(rules, 3):
        shape = known.of(line)
        assert known.of(line) is shape
        assert known.size <= 20


def test_what_is_forgotten_is_gone_though_nobody_collects_circles(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shapes, "_MOST_SHAPES", 20)
    rules = Rules.make("online", 2)
    known = Shapes(rules)
    gc.collect()
    gc.disable()
    try:
        for line in lines(rules, 4):
            for index in range(28):
                known.of(line).after(1 << index)
        every = [one for one in gc.get_objects() if isinstance(one, shapes.Shape)]
        left = sum(one._kept is known for one in every)
    finally:
        gc.enable()
    assert left < 200


def test_a_way_looks_at_what_it_leaves() -> None:
    """6-5 on 6-1 counts 6: with the 5 open, many of what others may hold score."""
    rules = Rules.make("muggins", 2)
    known = Shapes(rules)
    line = Line(rules)
    line.put((22, -1))  # 6-1
    shape = known.of(line)
    assert shape.fitting.bit_count() == 13
    held = 1 << 26 | 1 << 23  # 6-5, 6-2
    greedy = shape.choose(Way(points=1, pip=1), held, held, WHOLE_SET)
    assert greedy[0] == 1 << 26
    for bit in (1 << 26, 1 << 23):
        others = shape.after(bit)[0].scoring & ~held  # all of them would score after this one
        chosen, _ = shape.choose(Way(points=1, pip=1, offers=-50), held, held, others)
        assert chosen != bit
