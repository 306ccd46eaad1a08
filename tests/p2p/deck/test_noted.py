"""What is noted of a deal is checked elsewhere as it would be here; every call counts."""

import io
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import pytest
from support.session.matches import passing

from p2p.crypto.joint import FRESH_BYTES, JointSum
from p2p.deck.checks import Checks
from p2p.deck.joint import JointChecks, OpenedKeys
from p2p.deck.noted import Noted, NotedChecks, holds_as_noted, keys_in
from p2p.session.judging import Judging, Unchecked
from p2p.session.verify import open_table


@cache
def noted() -> Sequence[Noted]:
    """All of the first hand in which a proof says that nothing could be played."""
    left: list[Unchecked] = []
    Judging(*open_table(io.BytesIO(passing().record)), leave=left.append).run()
    deals = [one.checks.noted for one in left]
    return next(calls for calls in deals if any(one[0] == "unplayable" for one in calls))


def true(calls: Sequence[Noted]) -> bool:
    """Whether they hold, by one sum as it is made elsewhere."""
    checks = JointChecks(JointSum(bytes(32), bytes(FRESH_BYTES)), OpenedKeys(keys_in(calls)))
    try:
        holds = holds_as_noted(calls, checks)
        checks.settle()
    except Exception:
        return False
    return holds


def test_what_an_honest_deal_leaves_holds() -> None:
    assert true(noted())
    assert holds_as_noted(noted(), Checks())


def last(data: Any) -> Any:
    """The call was given other bytes at last."""
    return (*data[:-1], data[-1][:-1] + bytes([data[-1][-1] ^ 1]))


def found_first(found: Any) -> Any:
    """The first tile that is held is another."""
    return [*found[1:], found[0]]


LIES: dict[str, Callable[[Any, Any], tuple[Any, Any]]] = {
    "read_deck": lambda given, found: ((bytes([2]) + given[0][1:],), found),
    "key_opening": lambda given, found: ((*given[:2], bytes(32), given[3]), found),
    "shuffle": lambda given, found: (last(given), found),
    "shares": lambda given, found: (last(given), found),
    "unplayable": lambda given, found: (last(given), found),
    "holds": lambda given, found: ((*given[:2], (given[2] + 1) % 28), found),
    "final_opening": lambda given, found: (last(given), found),
    "open_all": lambda given, found: (given, found_first(found)),
}


def test_these_are_all_that_an_honest_deal_leaves() -> None:
    methods = {name for name in vars(Checks) if not name.startswith("_")}
    # The open deck follows from the keys.
    assert set(LIES) == methods - {"open_deck"} == {name for name, _, _ in noted()}


@pytest.mark.parametrize("name", LIES)
def test_a_lie_in_any_of_them_is_found(name: str) -> None:
    calls = list(noted())
    at = next(at for at, one in enumerate(calls) if one[0] == name and one[1][-1] != b"")
    calls[at] = (name, *LIES[name](*calls[at][1:]))
    assert not true(calls)


def test_a_point_that_is_claimed_otherwise_is_found() -> None:
    """What was gone through is what was checked."""
    for name in ("read_deck", "shares"):
        calls = list(noted())
        one, other = [at for at, call in enumerate(calls) if call[0] == name][:2]
        calls[one] = (name, calls[one][1], calls[other][2])
        assert not true(calls)


def test_what_is_given_is_noted_in_order() -> None:
    checks = NotedChecks()
    assert checks.read_deck(bytes([4]) * 1792) is checks.noted[0][2]
    assert checks.noted[0][:2] == ("read_deck", (bytes([4]) * 1792,))
