"""p2p.net.link.greeting: a proof is good for one link, table, pair and nonce."""

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.net.world import key

from p2p.net.errors import LinkBroken
from p2p.net.link.greeting import (
    Hello,
    JoinOpening,
    LinkAnswer,
    LinkOpening,
    LinkSecret,
    LookOpening,
    WatchOpening,
    opening_word,
)
from p2p.net.link.message import read, whole
from p2p.wire.codec import DecodeError
from p2p.wire.envelope import VERSION

ME, HOST, OTHER = key(2), key(1), key(3)
NONCE, RUN = b"n" * 32, b"r" * 16
TABLE = LinkSecret(b"t" * 32, b"s" * 32)
LINK = LinkOpening.make(ME, HOST.public, NONCE, TABLE, RUN)
JOIN = JoinOpening.make(ME, HOST.public, NONCE, "code", "den", b"s" * 33)
WATCH = WatchOpening.make(ME, HOST.public, NONCE, "code", "den", b"s" * 33)
LOOK = LookOpening.make(ME, HOST.public, NONCE, TABLE.of_watching, "Dot")


def test_hello() -> None:
    assert Hello.read(["allfives", VERSION, NONCE]) == Hello(VERSION, NONCE)
    assert Hello.read(["allfives", 3, {"any": "thing"}, 7]) == Hello(3, b"")
    bad: list[object] = [
        None,
        [],
        ["allfives"],
        ["other", VERSION, NONCE],
        ["allfives", True, NONCE],
    ]
    bad += [["allfives", VERSION, NONCE, 0], ["allfives", VERSION, b"short"], ["allfives", -1, b""]]
    for value in bad:
        with pytest.raises(DecodeError):
            Hello.read(value)


def test_good_openings() -> None:
    assert read(whole(LINK), LinkOpening) == LINK
    assert (LINK.table_id, LINK.key, LINK.run) == (TABLE.table_id, ME.public, RUN)
    LINK.check(HOST.public, NONCE, TABLE)
    assert read(whole(JOIN), JoinOpening) == JOIN
    assert (JOIN.way, JOIN.table, JOIN.key, JOIN.spake) == ("code", "den", ME.public, b"s" * 33)
    JOIN.check(HOST.public, NONCE)
    assert (opening_word(whole(LINK)), opening_word(whole(JOIN))) == ("link", "join")


def test_a_proof_is_of_no_use_elsewhere() -> None:
    with pytest.raises(LinkBroken):
        LINK.check(OTHER.public, NONCE, TABLE)
    with pytest.raises(LinkBroken):
        LINK.check(HOST.public, b"m" * 32, TABLE)
    for table in (LinkSecret(TABLE.table_id, b"x" * 32), LinkSecret(b"u" * 32, TABLE.secret)):
        with pytest.raises(LinkBroken, match="secret"):
            LINK.check(HOST.public, NONCE, table)
    for host, nonce in ((OTHER.public, NONCE), (HOST.public, b"m" * 32)):
        with pytest.raises(LinkBroken, match="signature"):
            JOIN.check(host, nonce)


def test_the_right_secret_with_another_key() -> None:
    """A third party that knows the table secret cannot speak as a seat."""
    signed_by_other = LinkOpening.make(OTHER, HOST.public, NONCE, TABLE, RUN)
    with pytest.raises(LinkBroken, match="signature"):
        replace(signed_by_other, key=ME.public, mac=LINK.mac).check(HOST.public, NONCE, TABLE)


@pytest.mark.parametrize("opening", [LINK, JOIN, WATCH, LOOK])
def test_every_altered_field_is_refused(opening: LinkOpening | JoinOpening | LookOpening) -> None:
    def check(value: list[object]) -> None:
        if opening is LINK:
            said = read(value, LinkOpening)
            if said.table_id != TABLE.table_id:
                # Of another table: it is answered, not blamed.
                raise LinkBroken("of another table")
            said.check(HOST.public, NONCE, TABLE)
        elif opening is LOOK:
            looks = read(value, LookOpening)
            looks.check(HOST.public, NONCE, replace(TABLE.of_watching, table_id=looks.table_id))
        else:
            kind = WatchOpening if opening is WATCH else JoinOpening
            read(value, kind).check(HOST.public, NONCE)

    good = whole(opening)
    check(good)
    for place, field in enumerate(good[1:], 1):
        others: list[object] = [None, 0, [], b"", "", b"x" * 32]
        if isinstance(field, bytes):
            others += [bytes([field[0] ^ 1]) + field[1:], field[:-1], field + b"\0"]
        for other in others:
            with pytest.raises((LinkBroken, DecodeError)):
                check([*good[:place], other, *good[place + 1 :]])
    for wrong in (good[:-1], [*good, 0]):
        with pytest.raises(DecodeError):
            check(wrong)


@pytest.mark.parametrize("value", [None, [], "join", ["play"], [["join"]], [7], {"join": 1}])
def test_what_is_no_opening(value: object) -> None:
    with pytest.raises(DecodeError):
        opening_word(value)


def test_who_looks_on_proves_no_seat_and_a_seat_no_looking_on() -> None:
    """The secret of watching comes from that of the table, and tells nothing of it."""
    assert TABLE.of_watching == replace(TABLE, secret=TABLE.of_watching.secret)
    assert TABLE.of_watching.secret != TABLE.secret
    for secret in (TABLE, LinkSecret(b"u" * 32, TABLE.secret).of_watching):
        with pytest.raises(LinkBroken):
            LOOK.check(HOST.public, NONCE, secret)
    linked = LinkOpening.make(ME, HOST.public, NONCE, TABLE.of_watching, RUN)
    with pytest.raises(LinkBroken, match="secret"):
        linked.check(HOST.public, NONCE, TABLE)
    for made, kind in ((JOIN, WatchOpening), (WATCH, JoinOpening)):
        value = [kind.kind, *whole(made)[1:]]
        with pytest.raises(LinkBroken, match="signature"):
            read(value, kind).check(HOST.public, NONCE)


def test_the_answer_proves_the_secret_for_this_pair_and_nonce() -> None:
    answer = LinkAnswer.make(TABLE, ME.public, HOST.public, NONCE, RUN)
    assert read(whole(answer), LinkAnswer) == answer
    assert answer.run == RUN
    answer.check(TABLE, ME.public, HOST.public, NONCE)
    stranger = LinkSecret(TABLE.table_id, b"x" * 32)
    wrong = [
        (answer, stranger, ME.public, HOST.public, NONCE),
        (answer, TABLE, OTHER.public, HOST.public, NONCE),
        (answer, TABLE, ME.public, OTHER.public, NONCE),
        (answer, TABLE, ME.public, HOST.public, b"m" * 32),
        (LinkAnswer(b"q" * 16, answer.mac), TABLE, ME.public, HOST.public, NONCE),
        (LinkAnswer(RUN, bytes(32)), TABLE, ME.public, HOST.public, NONCE),
        (LinkAnswer(RUN, answer.mac[:31]), TABLE, ME.public, HOST.public, NONCE),
    ]
    for said, table, dialler, dialled, nonce in wrong:
        with pytest.raises(LinkBroken):
            said.check(table, dialler, dialled, nonce)
    with pytest.raises(DecodeError):
        read(["linked", RUN[:15], answer.mac], LinkAnswer)


def test_the_table_secret_is_not_shown() -> None:
    assert TABLE.secret.hex() not in repr(TABLE)
    assert repr(TABLE.secret) not in repr(TABLE)


LEAVES = st.none() | st.booleans() | st.integers() | st.binary(max_size=70) | st.text(max_size=9)
FIELDS = st.lists(LEAVES | st.lists(LEAVES, max_size=3), max_size=7)


@settings(max_examples=300)
@given(st.sampled_from(["join", "link", "linked", "allfives"]), FIELDS)
def test_random_openings_are_refused_and_nothing_else(word: str, rest: list[object]) -> None:
    value: list[object] = [word, *rest]
    with pytest.raises((DecodeError, LinkBroken)):
        read(value, JoinOpening).check(HOST.public, NONCE)
    with pytest.raises((DecodeError, LinkBroken)):
        read(value, LinkOpening).check(HOST.public, NONCE, TABLE)
    with pytest.raises((DecodeError, LinkBroken)):
        read(value, LinkAnswer).check(TABLE, ME.public, HOST.public, NONCE)
    with suppress(DecodeError):
        opening_word(value)
    with suppress(DecodeError):
        assert Hello.read(value).version >= 0
