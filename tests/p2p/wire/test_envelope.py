"""The signed envelope: its bytes, every wrong shape of each field, ids and hashes of steps."""

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.session.second_signature import malleated, sign_again

from engine.seats import MAX_SEATS
from p2p.crypto.identity import IdentityKey
from p2p.wire.codec import INT_HIGH, DecodeError, decode, encode
from p2p.wire.envelope import (
    MAX_STEP,
    MAX_VOTE_ROUNDS,
    SIGNED_LABEL,
    VERSION,
    Message,
    Place,
    open_envelope,
    open_signed,
    place_of,
    seal,
    step_hash,
)

KEY = IdentityKey.from_private_bytes(bytes(range(32)))
TABLE, ROOT, PREVIOUS = b"t" * 32, b"r" * 32, b"p" * 32
PLACE = Place(ROOT, 3, 7, 1)
BODY: list[object] = [b"share", 5, None, True]
DATA = seal(KEY, TABLE, PLACE, PREVIOUS, "play", BODY)
# version, table, root, ladder, seat, step, previous, kind, body
FIELDS: list[object] = [VERSION, TABLE, ROOT, 3, 1, 7, PREVIOUS, "play", BODY]
VOTE_FIELDS: list[object] = [VERSION, TABLE, ROOT, 0, 1, 7, PREVIOUS, "vote", [2, []]]


def signed(fields: list[object]) -> bytes:
    """An envelope around any payload, properly signed."""
    payload = encode(fields)
    return encode([KEY.sign(SIGNED_LABEL, payload), payload])


def test_what_was_sealed_is_what_is_opened() -> None:
    message = open_envelope(DATA)
    assert (message.data, message.table, message.previous) == (DATA, TABLE, PREVIOUS)
    assert message.place == PLACE
    assert (message.root, message.ladder, message.step, message.seat, message.round) == PLACE
    assert (message.kind, message.body) == ("play", BODY)
    assert message.signed_by(KEY.public)
    assert signed(FIELDS) == DATA


def test_the_bytes_are_signature_and_payload() -> None:
    """As a stranger would write them: one list of two byte strings, the second a list of nine."""
    message = open_envelope(DATA)
    assert decode(DATA) == [message.signature, message.payload]
    assert decode(message.payload) == FIELDS
    assert message.signature == KEY.sign(b"allfives message", message.payload)
    whole = b"allfives message id\0" + message.signature + message.payload
    assert message.id == hashlib.sha256(whole).digest()


def test_another_key_table_or_label_does_not_sign_it() -> None:
    message = open_envelope(DATA)
    other = IdentityKey.from_private_bytes(bytes(32))
    assert not message.signed_by(other.public)
    chat = encode([KEY.sign(b"allfives chat", message.payload), message.payload])
    assert not open_envelope(chat).signed_by(KEY.public)


@pytest.mark.parametrize(
    "key", [bytes(32), b"\x01" + bytes(31), b"\xff" * 32, b"", KEY.public[:31]]
)
def test_no_message_is_signed_by_an_unusable_key(key: bytes) -> None:
    forged = encode([b"\x01" + bytes(63), open_envelope(DATA).payload])
    for data in (DATA, forged):
        assert not open_envelope(data).signed_by(key)


@pytest.mark.parametrize("at", range(9))
def test_every_field_is_of_its_one_kind(at: int) -> None:
    values: list[object] = [None, True, -1, 2**33, INT_HIGH, b"x", b"x" * 33, "x", [], {"a": 1}]
    for value in values:
        if (at == 7 and isinstance(value, str)) or (at == 8 and isinstance(value, list)):
            continue
        with pytest.raises(DecodeError):
            open_envelope(signed([*FIELDS[:at], value, *FIELDS[at + 1 :]]))


@pytest.mark.parametrize(
    ("at", "good", "bad"),
    [
        (0, [VERSION], [0, VERSION + 1]),
        (1, [bytes(32)], [bytes(31), bytes(33)]),
        (2, [bytes(32)], [bytes(31), bytes(33)]),
        (3, [0, MAX_STEP], [-1, MAX_STEP + 1]),
        (4, [0, MAX_SEATS - 1], [-1, MAX_SEATS]),
        (5, [1, MAX_STEP], [0, -1, MAX_STEP + 1]),
        (6, [bytes(32)], [bytes(31), bytes(33)]),
    ],
)
def test_the_bounds_of_each_field(at: int, good: list[object], bad: list[object]) -> None:
    for value in good:
        assert open_envelope(signed([*FIELDS[:at], value, *FIELDS[at + 1 :]])).payload
    for value in bad:
        with pytest.raises(DecodeError):
            open_envelope(signed([*FIELDS[:at], value, *FIELDS[at + 1 :]]))


def test_another_version_is_said() -> None:
    with pytest.raises(DecodeError, match=r"^a message of protocol version 1$"):
        open_envelope(signed([1, *FIELDS[1:]]))


@pytest.mark.parametrize("count", [0, 1, 8, 10])
def test_a_payload_has_nine_fields(count: int) -> None:
    with pytest.raises(DecodeError):
        open_envelope(signed([*FIELDS, 0][:count]))


@pytest.mark.parametrize(
    "outer",
    [
        [],
        [bytes(64)],
        [bytes(63), b""],
        [bytes(65), b""],
        [bytes(64), ""],
        ["", b""],
        [bytes(64), b"", b""],
        {"signature": bytes(64)},
        b"",
        None,
    ],
)
def test_an_envelope_is_a_signature_and_a_payload(outer: object) -> None:
    with pytest.raises(DecodeError):
        open_envelope(encode(outer))


def test_a_payload_in_another_encoding_is_refused_though_it_is_signed() -> None:
    payload = open_envelope(DATA).payload
    longer = b"\xdc\x00\x09" + payload[1:]
    assert payload[0] == 0x99
    for other in (longer, payload + b"\0", payload[:-1], b""):
        with pytest.raises(DecodeError):
            open_envelope(encode([KEY.sign(SIGNED_LABEL, other), other]))


def test_two_signatures_of_one_payload_have_two_ids() -> None:
    message = open_envelope(DATA)
    again = sign_again(KEY.private_bytes(), SIGNED_LABEL, message.payload)
    other = open_envelope(encode([again, message.payload]))
    assert other.signed_by(KEY.public)
    assert other.id != message.id
    assert other.place == message.place


def test_nobody_but_the_owner_can_make_a_second_signature_of_the_first() -> None:
    message = open_envelope(DATA)
    other = open_envelope(encode([malleated(message.signature), message.payload]))
    assert not other.signed_by(KEY.public)


def test_the_hash_of_a_step_names_all_its_messages_in_order_and_all_before() -> None:
    one, other = b"1" * 32, b"2" * 32
    top = step_hash(PREVIOUS, [one, other])
    assert top == hashlib.sha256(b"allfives step\0" + PREVIOUS + one + other).digest()
    others = {
        step_hash(PREVIOUS, [other, one]),
        step_hash(PREVIOUS, [one]),
        step_hash(PREVIOUS, []),
        step_hash(TABLE, [one, other]),
    }
    assert len(others | {top}) == 5


@settings(max_examples=150)
@given(st.data())
def test_any_byte_changed_is_refused_or_not_signed(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(DATA) - 1))
    mask = data.draw(st.integers(1, 255))
    changed = DATA[:at] + bytes([DATA[at] ^ mask]) + DATA[at + 1 :]
    try:
        message = open_envelope(changed)
    except DecodeError:
        return
    assert not message.signed_by(KEY.public)


@settings(max_examples=150)
@given(st.binary(max_size=300))
def test_any_bytes_are_a_message_or_a_decode_error(data: bytes) -> None:
    told = "a message"
    try:
        opened: Message | None = open_envelope(data)
    except DecodeError as error:
        opened, told = None, str(error)
    assert opened is None or opened.data == data
    assert told.isprintable()


@given(st.integers(0, MAX_STEP), st.integers(1, MAX_STEP), st.integers(0, MAX_SEATS - 1), st.text())
def test_any_place_and_kind_come_back(ladder: int, step: int, seat: int, kind: str) -> None:
    if len(kind.encode("utf-8", "replace")) > 4000:
        return
    place = Place(ROOT, ladder, step, seat)
    message = open_envelope(seal(KEY, TABLE, place, PREVIOUS, kind, []))
    assert (message.place, message.kind) == (place, kind)


def test_the_round_of_a_vote_is_part_of_its_place() -> None:
    for number in (1, 2, MAX_VOTE_ROUNDS):
        fields = [*VOTE_FIELDS[:-1], [number, []]]
        assert open_envelope(signed(fields)).place == Place(ROOT, 0, 7, 1, number)
    wrong: list[object] = [0, MAX_VOTE_ROUNDS + 1, True, "1", None]
    bodies: list[list[object]] = [[], *([round_] for round_ in wrong)]
    for fields in (
        *([*VOTE_FIELDS[:-1], body] for body in bodies),
        [*VOTE_FIELDS[:3], 1, *VOTE_FIELDS[4:]],
    ):
        with pytest.raises(DecodeError):
            open_envelope(signed(fields))


def test_the_place_is_read_before_anything_is_checked() -> None:
    assert place_of(DATA) == (TABLE, PLACE)
    for wrong in (
        [VERSION, "t", ROOT, 3, 1, 7],
        [VERSION, TABLE, ROOT, 3, 1],
        [1, TABLE, ROOT, 3, 1, 7],
    ):
        with pytest.raises(DecodeError):
            place_of(signed([*wrong]))


def test_the_signature_is_checked_before_the_body_is_read() -> None:
    keys = [bytes(32), KEY.public]
    assert open_signed(DATA, keys).data == DATA
    with pytest.raises(DecodeError, match="a seat that this table does not have"):
        open_signed(DATA, keys[:1])
    with pytest.raises(DecodeError, match="wrong signature"):
        open_signed(DATA, [KEY.public, keys[0]])
    unread = encode([*FIELDS[:-1], "no list"])
    with pytest.raises(DecodeError, match="wrong signature"):
        open_signed(encode([bytes(64), unread]), keys)
    with pytest.raises(DecodeError, match="at place 8"):
        open_signed(signed([*FIELDS[:-1], "no list"]), keys)
