"""Proofs taken one by one are checked by the functions of the deck, at once."""

from __future__ import annotations

from typing import Any
from unittest import mock

import pytest

from p2p.deck import checks
from p2p.deck.checks import Checks

FUNCTIONS = {
    "key_opening": "check_key_opening",
    "shuffle": "check_shuffle",
    "shares": "check_shares",
    "unplayable": "check_unplayable",
    "open_all": "open_all",
}
COUNTS = {"key_opening": 4, "shuffle": 6, "shares": 7, "unplayable": 7, "open_all": 2}


@pytest.mark.parametrize("method", FUNCTIONS)
def test_every_method_is_the_function_of_its_name(method: str) -> None:
    given: list[Any] = [object() for _ in range(COUNTS[method])]
    with mock.patch.object(checks, FUNCTIONS[method]) as function:
        said = getattr(Checks(), method)(*given)
    function.assert_called_once_with(*given)
    assert said in (None, function.return_value)


def test_those_are_all() -> None:
    assert {name for name in vars(Checks) if not name.startswith("_")} == set(FUNCTIONS)
