"""Every mutant can be applied: its text stands once where it says, and its tests are there."""

import pytest
from run_mutants import Mutant, load
from support.places import ROOT


@pytest.mark.parametrize("mutant", load(), ids=lambda mutant: mutant.name)
def test_it_applies(mutant: Mutant) -> None:
    text = (ROOT / mutant.file).read_text()
    assert mutant.applied(text) != text
    assert mutant.tests
    for test in mutant.tests:
        assert (ROOT / test.partition("::")[0]).exists()
