"""What people are told of a table: whole sentences, and what a peer or a person wrote as it is."""

from string import Formatter

import pytest

from p2p.net import errors
from p2p.net.errors import REFUSALS, LinkBroken, NetError, OtherVersion

KINDS = [one for one in vars(errors).values() if isinstance(one, type)]


@pytest.mark.parametrize("kind", [one for one in KINDS if issubclass(one, NetError)])
def test_every_place_in_a_sentence_is_filled_as_it_is(kind: type[NetError]) -> None:
    places = [place for _, place, _, _ in Formatter().parse(kind.sentence) if place is not None]
    values = (1, 2) if kind is OtherVersion else ("{0} {x}", "}{", "{2}")[: len(places)]
    told = str(kind(*values))
    assert all(str(value) in told for value in values)
    assert told.endswith(".") or issubclass(kind, LinkBroken) or kind.sentence == "{}"


def test_a_refusal_is_a_sentence_by_itself() -> None:
    assert all("{" not in str(refusal()) for refusal in REFUSALS.values())


@pytest.mark.parametrize(("theirs", "ours"), [(1, 2), (2, 1)])
def test_the_older_program_is_named(theirs: int, ours: int) -> None:
    older = "This program" if ours < theirs else "The table's program"
    assert f"{older} is the older one" in str(OtherVersion(theirs, ours))
