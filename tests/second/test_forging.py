"""What is held to be true of made records, and the steps of a match worked out again."""

import ast
import random
from dataclasses import replace
from functools import cache
from pathlib import Path

from second.forging.made import NOBODY, Source, breach, source_of
from second.forging.resign import Resigned
from second.game.rules import preset
from second.matches import wrong_steps
from second.play.local import LocalMatch
from second.record.rescored import rescored
from second.record.verify import check

PRODUCT = {"cli", "engine", "p2p", "support"}


@cache
def closed() -> tuple[LocalMatch, Source]:
    """A match of two, with calls and claims, that all have signed."""
    options = {"starter": "highest-double", "claims": "yes", "hand-size": "2", "target": "5"}
    match = LocalMatch.new({**preset("pagat", 2), **options}, 2, 1)
    match.play()
    return match, source_of(match.record(), closed=True)


def resigned(seed: int = 0) -> Resigned:
    """What a seat changes in it."""
    return Resigned(*closed(), random.Random(seed))


def test_nothing_of_the_product_is_imported() -> None:
    """Whatever it says, it says from protocol.md."""
    for path in Path(__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            assert not {name.split(".")[0] for name in names} & PRODUCT, path


def test_another_match_that_is_closed_is_a_breach() -> None:
    """Signatures made anew leave it the same match, if a seat may have made them."""
    made = resigned().result_anew()
    assert made.data != closed()[1].data
    verdict = check(made.data)
    assert verdict.closed
    assert breach(made, verdict) == ""
    for other in (
        replace(made, resigned=False),
        replace(made, of=()),
        replace(made, of=(replace(made.of[0], closed=False),)),
        replace(made, of=(replace(made.of[0], frames=made.of[0].frames[:-1]),)),
    ):
        assert breach(other, verdict) == "closed, and not the match that was played"


def test_who_must_be_named_and_who_must_not() -> None:
    """By what the maker knows."""
    made = resigned().wrong_within()
    verdict = check(made.data)
    assert breach(made, verdict) == ""
    seat = made.named
    assert seat is not None
    innocent = replace(made, guilty=NOBODY, named=None)
    assert breach(innocent, verdict) == f"seat {seat} is named, and did nothing"
    assert breach(replace(made, named=1 - seat), verdict) == f"seat {1 - seat} is not named"
    nobody = resigned().spelled_within()
    assert check(nobody.data).faulty
    named = replace(nobody, named=0)
    assert breach(named, check(nobody.data)) == "seat 0 is not named"


def test_each_field_of_each_step_is_compared() -> None:
    """A step that is told otherwise, or not told, is found."""
    _, source = closed()
    told = rescored(source.data)
    assert wrong_steps(source.data, told) == ""
    assert wrong_steps(source.data, told[:-1]) != ""
    first = {line["event"]: number for number, line in reversed(list(enumerate(told)))}
    assert {"match", "hand", "play", "hand_end", "match_end"} <= set(first)
    for number in first.values():
        for key in told[number]:
            changed = [*told[:number], {**told[number], key: [["?"]]}, *told[number + 1 :]]
            assert wrong_steps(source.data, changed) != "", key
