"""p2p.net.link.greeting: a proof is good for one link, table, pair and nonce."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.net.world import key

from p2p.net.errors import LinkBroken
from p2p.net.link.greeting import (
    Hello,
    Table,
    check_answer,
    check_join,
    check_link,
    make_answer,
    make_join,
    make_link,
    opening_kind,
    parse_hello,
)
from p2p.wire.codec import DecodeError

ME, HOST, OTHER = key(2), key(1), key(3)
NONCE, RUN = b"n" * 32, b"r" * 16
TABLE = Table(b"t" * 32, b"s" * 32)
LINK = make_link(ME, HOST.public, NONCE, TABLE, RUN)
JOIN = make_join(ME, HOST.public, NONCE, "code", "den", b"s" * 33)


def test_hello() -> None:
    assert parse_hello(["allfives", 1, NONCE]) == Hello(1, NONCE)
    assert parse_hello(["allfives", 2, {"any": "thing"}, 7]) == Hello(2, b"")
    bad: list[object] = [None, [], ["allfives"], ["other", 1, NONCE], ["allfives", True, NONCE]]
    bad += [["allfives", 1, NONCE, 0], ["allfives", 1, b"short"], ["allfives", -1, b""]]
    for value in bad:
        with pytest.raises(DecodeError):
            parse_hello(value)


def test_good_openings() -> None:
    link = check_link(LINK, HOST.public, NONCE, TABLE)
    assert link is not None
    assert (link.key, link.run) == (ME.public, RUN)
    join = check_join(JOIN, HOST.public, NONCE)
    assert (join.way, join.table, join.key, join.spake) == ("code", "den", ME.public, b"s" * 33)
    assert (opening_kind(LINK), opening_kind(JOIN)) == ("link", "join")


def test_a_proof_is_of_no_use_elsewhere() -> None:
    with pytest.raises(LinkBroken):
        check_link(LINK, OTHER.public, NONCE, TABLE)
    with pytest.raises(LinkBroken):
        check_link(LINK, HOST.public, b"m" * 32, TABLE)
    with pytest.raises(LinkBroken, match="secret"):
        check_link(LINK, HOST.public, NONCE, Table(TABLE.id, b"x" * 32))
    assert check_link(LINK, HOST.public, NONCE, Table(b"u" * 32, TABLE.secret)) is None
    for host, nonce in ((OTHER.public, NONCE), (HOST.public, b"m" * 32)):
        with pytest.raises(LinkBroken, match="signature"):
            check_join(JOIN, host, nonce)


def test_the_right_secret_with_another_key() -> None:
    """A third party that knows the table secret cannot speak as a seat."""
    signed_by_other = make_link(OTHER, HOST.public, NONCE, TABLE, RUN)
    claimed = [*signed_by_other]
    claimed[2] = ME.public
    claimed[5] = LINK[5]
    with pytest.raises(LinkBroken, match="signature"):
        check_link(claimed, HOST.public, NONCE, TABLE)


@pytest.mark.parametrize("opening", [LINK, JOIN])
def test_every_altered_field_is_refused(opening: list[object]) -> None:
    def check(value: list[object]) -> object:
        if opening is LINK:
            return check_link(value, HOST.public, NONCE, TABLE)
        return check_join(value, HOST.public, NONCE)

    for place, field in enumerate(opening[1:], 1):
        others: list[object] = [None, 0, [], b"", "", b"x" * 32]
        if isinstance(field, bytes):
            others += [bytes([field[0] ^ 1]) + field[1:], field[:-1], field + b"\0"]
        for other in others:
            try:
                assert check([*opening[:place], other, *opening[place + 1 :]]) is None
                assert place == 1  # another table id is answered, not blamed
            except (LinkBroken, DecodeError):
                continue
    for wrong in (opening[:-1], [*opening, 0]):
        with pytest.raises(DecodeError):
            check(wrong)


@pytest.mark.parametrize("value", [None, [], "join", ["watch"], [["join"]], [7], {"join": 1}])
def test_what_is_no_opening(value: object) -> None:
    with pytest.raises(DecodeError):
        opening_kind(value)


def test_the_answer_proves_the_secret_for_this_pair_and_nonce() -> None:
    word, *rest = make_answer(TABLE, ME.public, HOST.public, NONCE, RUN)
    assert word == "linked"
    assert check_answer(rest, TABLE, ME.public, HOST.public, NONCE) == RUN
    stranger = Table(TABLE.id, b"x" * 32)
    wrong = [
        (rest, stranger, ME.public, HOST.public, NONCE),
        (rest, TABLE, OTHER.public, HOST.public, NONCE),
        (rest, TABLE, ME.public, OTHER.public, NONCE),
        (rest, TABLE, ME.public, HOST.public, b"m" * 32),
        ([b"q" * 16, rest[1]], TABLE, ME.public, HOST.public, NONCE),
        ([rest[0], bytes(32)], TABLE, ME.public, HOST.public, NONCE),
    ]
    for fields, table, dialler, dialled, nonce in wrong:
        with pytest.raises(LinkBroken):
            check_answer(fields, table, dialler, dialled, nonce)


def test_the_table_secret_is_not_shown() -> None:
    assert TABLE.secret.hex() not in repr(TABLE)
    assert repr(TABLE.secret) not in repr(TABLE)


LEAVES = st.none() | st.booleans() | st.integers() | st.binary(max_size=70) | st.text(max_size=9)
FIELDS = st.lists(LEAVES | st.lists(LEAVES, max_size=3), max_size=7)


@settings(max_examples=300)
@given(st.sampled_from(["join", "link", "linked", "allfives"]), FIELDS)
def test_random_openings_are_refused_and_nothing_else(word: str, rest: list[object]) -> None:
    value: list[object] = [word, *rest]
    for check in (
        lambda: check_join(value, HOST.public, NONCE),
        lambda: check_answer(rest, TABLE, ME.public, HOST.public, NONCE),
    ):
        with pytest.raises((DecodeError, LinkBroken)):
            check()
    with suppress(DecodeError, LinkBroken):
        assert check_link(value, HOST.public, NONCE, TABLE) is None
    with suppress(DecodeError):
        opening_kind(value)
    with suppress(DecodeError):
        assert parse_hello(value).version >= 0
