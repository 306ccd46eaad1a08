"""Every mutant can be applied: its text stands once where it says, and its tests are there."""

from run_mutants import Mutant, load
from support.places import ROOT


def wrong(mutant: Mutant) -> str | None:
    """What is wrong with an entry; None if it applies."""
    text = (ROOT / mutant.file).read_text()
    try:
        changed = mutant.applied(text)
    except ValueError as error:
        return str(error)
    gone = [one for one in mutant.tests if not (ROOT / one.partition("::")[0]).exists()]
    if gone:
        return f"there is no {gone[0]}"
    return None if mutant.tests and changed != text else "it changes nothing, or has no test"


def test_each_applies() -> None:
    found = {mutant.name: wrong(mutant) for mutant in load()}
    assert len(found) > 100
    assert {name: why for name, why in found.items() if why} == {}


def test_what_does_not_apply_is_found() -> None:
    one = load()[0]
    assert wrong(Mutant("x", one.file, "no such text at all", "", one.tests)) is not None
    assert wrong(Mutant("x", one.file, one.old, one.old, one.tests, one.function)) is not None
    assert wrong(Mutant("x", one.file, one.old, one.new, (), one.function)) is not None
    gone = ("tests/test_gone.py",)
    assert wrong(Mutant("x", one.file, one.old, one.new, gone, one.function)) is not None
