"""Checks that are noted while somebody goes through a deal, and made elsewhere.

Who notes takes all as it is claimed. Who makes the checks has what they were given, so it needs no
rules and no state, and each must give what was claimed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Concatenate, ParamSpec, TypeVar

from p2p.crypto.group import encode_scalar
from p2p.deck.checks import Checks, ClaimedChecks

Noted = tuple[str, tuple[Any, ...], Any]
"""A method of `Checks`, what it was given, and what it gives if all that is claimed is true."""

_Given = ParamSpec("_Given")
_Found = TypeVar("_Found")
_Method = Callable[Concatenate[Any, _Given], _Found]


def _noting(claimed: _Method[_Given, _Found]) -> _Method[_Given, _Found]:
    """This method of `ClaimedChecks`, noted."""

    def method(self: Any, /, *given: _Given.args, **named: _Given.kwargs) -> _Found:
        assert not named, "what is noted is given in order"
        found = claimed(self, *given, **named)
        self.noted.append((claimed.__name__, given, found))
        return found

    return method


class NotedChecks(ClaimedChecks):
    """Takes a deal as it is claimed; `noted`: all that is to be checked of it, in order."""

    def __init__(self) -> None:
        self.noted: list[Noted] = []

    read_deck = _noting(ClaimedChecks.read_deck)
    key_opening = _noting(ClaimedChecks.key_opening)
    shuffle = _noting(ClaimedChecks.shuffle)
    shares = _noting(ClaimedChecks.shares)
    unplayable = _noting(ClaimedChecks.unplayable)
    holds = _noting(ClaimedChecks.holds)
    final_opening = _noting(ClaimedChecks.final_opening)
    open_all = _noting(ClaimedChecks.open_all)


def keys_in(noted: Iterable[Noted]) -> Iterator[bytes]:
    """The secret keys that are opened there, 32 bytes each."""
    return (encode_scalar(found[0]) for name, _, found in noted if name == "final_opening")


def holds_as_noted(noted: Iterable[Noted], checks: Checks) -> bool:
    """Whether each of these checks gives what was claimed. Raises what they raise."""
    return all(_as_claimed(checks, *one) for one in noted)


def _as_claimed(checks: Checks, name: str, given: tuple[Any, ...], claimed: Any) -> bool:
    if name == "shuffle":
        context, seat, key, before, *rest = given
        # The open deck is no part of what is claimed.
        given = (context, seat, key, before if before.pairs else checks.open_deck(key), *rest)
    found = getattr(checks, name)(*given)
    if name == "open_all":
        # Of the other slots nothing was claimed.
        _, _, known, held = given
        return all(found[slot] == claimed[slot] for slot in {*known, *held})
    return bool(found == claimed)
