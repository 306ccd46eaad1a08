"""Proofs taken one by one are checked by the functions of the deck, at once."""

from __future__ import annotations

from typing import Any
from unittest import mock

import pytest

from p2p.crypto.errors import DecodeError
from p2p.deck import checks
from p2p.deck.checks import Checks

FUNCTIONS = {
    "open_deck": "open_deck",
    "key_opening": "check_key_opening",
    "shuffle": "check_shuffle",
    "shares": "check_shares",
    "unplayable": "check_unplayable",
    "final_opening": "check_final_opening",
}
COUNTS = {
    "open_deck": 1,
    "key_opening": 4,
    "shuffle": 6,
    "shares": 7,
    "unplayable": 7,
    "final_opening": 4,
}
# What is read of bytes or of a value, and opened with what more is known of it.
OTHERS = {"read_deck", "holds", "open_all"}


@pytest.mark.parametrize("method", FUNCTIONS)
def test_every_method_is_the_function_of_its_name(method: str) -> None:
    given: list[Any] = [object() for _ in range(COUNTS[method])]
    with mock.patch.object(checks, FUNCTIONS[method]) as function:
        said = getattr(Checks(), method)(*given)
    function.assert_called_once_with(*given)
    assert said in (None, function.return_value)


def test_those_are_all() -> None:
    assert {name for name in vars(Checks) if not name.startswith("_")} == {*FUNCTIONS, *OTHERS}


def test_a_deck_is_read_held_and_opened() -> None:
    hidden, data = mock.Mock(), bytes(3)
    hidden.tile_of.return_value = 5
    assert Checks().holds(hidden, 2, 5)
    assert not Checks().holds(hidden, 2, 6)
    with mock.patch.object(checks, "open_all") as function:
        assert Checks().open_all(hidden, {0: 1}, {2: 5}, [2]) is function.return_value
    function.assert_called_once_with(hidden, {0: 1})
    with pytest.raises(DecodeError):
        Checks().read_deck(data)
