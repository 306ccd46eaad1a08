"""p2p.net.door.joiner against a hostile host: each message out of shape or turn ends the stay."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.net.world import RULES, check, describe, key

from p2p.net.door.joiner import Lobby, Visit
from p2p.net.errors import BadTable, TableFull
from p2p.net.link.seats import Seat, Seated, description_hash, roster_value
from p2p.wire.codec import encode

HOST = Seat(key(1).public, "Ana", b"a" * 32, ())
ME = Seat(key(2).public, "Ben", b"b" * 32, ())
OTHER = Seat(key(3).public, "Cid", b"c" * 32, ())
SECRET = b"s" * 32
WELCOME = ["welcome", SECRET, "den", RULES, 2, roster_value((HOST, ME))]
DESCRIPTION = describe(RULES, (HOST, ME))
START = ["start", DESCRIPTION, roster_value((HOST, ME))]


def visit(*messages: object) -> tuple[Visit, list[bytes | None]]:
    stay = Visit(ME, HOST.key, lambda _: None, check)
    return stay, [stay.take(encode(message)) for message in messages]


def test_the_good_course() -> None:
    shown: list[Lobby] = []
    stay = Visit(ME, HOST.key, shown.append, check)
    assert stay.take(encode(WELCOME)) is None
    assert shown == [Lobby("den", RULES, 2, (HOST, ME))]
    assert stay.take(encode(START)) == encode(["ready", description_hash(DESCRIPTION)])
    assert stay.outcome is None
    stay.take(encode(["go"]))
    assert stay.outcome == Seated(DESCRIPTION, SECRET, (HOST, ME))


@pytest.mark.parametrize(
    "messages",
    [
        [["go"]],
        [START],
        [["seated", roster_value((HOST, ME))]],
        [WELCOME, WELCOME],
        [WELCOME, ["go"]],
        [WELCOME, ["dance"]],
        [WELCOME, START, ["seated", roster_value((HOST, ME))], ["go"]],
        [["welcome", SECRET[:31], "den", RULES, 2, roster_value((HOST, ME))]],
        [["welcome", SECRET, "\x1b", RULES, 2, roster_value((HOST, ME))]],
        [["welcome", SECRET, "den", RULES, 5, roster_value((HOST, ME))]],
        [["welcome", SECRET, "den", {"a": 1}, 2, roster_value((HOST, ME))]],
        [["welcome", SECRET, "den", RULES, 2, roster_value((HOST, OTHER))]],
        [["welcome", SECRET, "den", RULES, 2, roster_value((ME, OTHER))]],
        [["welcome", SECRET, "den", RULES, 2, roster_value((HOST, ME, OTHER))]],
        [WELCOME, ["start", DESCRIPTION, roster_value((HOST,))]],
        [WELCOME, ["start", DESCRIPTION + b"x", roster_value((HOST, ME))]],
        [WELCOME, ["start", describe(RULES, (ME, OTHER)), roster_value((HOST, ME))]],
        [WELCOME, ["start", describe({"target": "9"}, (HOST, ME)), roster_value((HOST, ME))]],
        [WELCOME, ["start", bytes(20_000), roster_value((HOST, ME))]],
        [None],
        [7],
        [WELCOME, ["no", ["full"]]],
        [WELCOME, ["seated", [[]]]],
        [WELCOME, ["start", {}, []]],
    ],
)
def test_what_does_not_hold_together(messages: list[object]) -> None:
    stay, answers = visit(*messages)
    assert isinstance(stay.outcome, BadTable)
    assert answers[-1] is None
    assert str(stay.outcome).startswith("The host sent a table that does not hold together (")


def test_another_name_of_ours_is_noticed() -> None:
    renamed = Seat(ME.key, "Bob", ME.nonce, ())
    stay, _ = visit(["welcome", SECRET, "den", RULES, 2, roster_value((HOST, renamed))])
    assert str(stay.outcome) == (
        "The host sent a table that does not hold together (a roster without our seat). "
        "Do not play there."
    )


def test_a_refusal_is_what_it_says() -> None:
    stay, _ = visit(WELCOME, ["no", "full"])
    assert isinstance(stay.outcome, TableFull)


def test_bytes_that_are_no_value() -> None:
    stay = Visit(ME, HOST.key, lambda _: None, check)
    assert stay.take(b"\xc1") is None
    assert isinstance(stay.outcome, BadTable)


LEAVES = (
    st.none() | st.booleans() | st.integers(-3, 9) | st.binary(max_size=40) | st.text(max_size=9)
)
VALUES = LEAVES | st.lists(LEAVES, max_size=4) | st.dictionaries(st.text(max_size=4), LEAVES)
WORDS = st.sampled_from(["welcome", "seated", "start", "go", "no"])


@settings(max_examples=300)
@given(WORDS, st.lists(VALUES | st.lists(VALUES, max_size=4), max_size=6), st.booleans())
def test_whatever_a_host_says_only_the_outcome_tells(
    word: str, rest: list[object], welcomed: bool
) -> None:
    stay, _ = visit(*([WELCOME] if welcomed else []), [word, *rest])
    assert isinstance(stay.outcome, BadTable)
