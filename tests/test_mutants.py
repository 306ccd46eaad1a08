"""Every mutant can be applied: its text stands once where it says, and its tests are there."""

import pytest
from run_mutants import Mutant, load
from support.places import ROOT


@pytest.mark.parametrize("mutant", load(), ids=lambda mutant: mutant.name)
def test_it_applies(mutant: Mutant) -> None:
    assert (ROOT / mutant.file).read_text().count(mutant.old) == 1
    assert mutant.old != mutant.new
    assert mutant.tests
    for test in mutant.tests:
        assert (ROOT / test.partition("::")[0]).exists()
