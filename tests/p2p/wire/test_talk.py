"""What seats say over a link: messages, word of the end, signed chat; and every wrong shape."""

import pytest
from support.session.matches import classic
from support.session.tables import make_table, rules_for

from p2p.session.session import Session
from p2p.wire.codec import DecodeError, decode, encode
from p2p.wire.envelope import SIGNED_LABEL, VERSION
from p2p.wire.talk import (
    CHAT_CHARACTERS,
    CHAT_LABEL,
    MAX_CHATS,
    MAX_ROUNDS,
    Again,
    Chat,
    Done,
    Paused,
    Said,
    Stopped,
    decode_talk,
    encode_talk,
    make_chat,
    open_chat,
)

TABLE, KEYS = make_table(rules_for(3), "talk")
PUBLIC = tuple(key.public for key in KEYS)
CHAT = make_chat(KEYS[1], TABLE.id, 1, 7, "well played")


def chat_with(payload: list[object], seat: int = 1, label: bytes = CHAT_LABEL) -> bytes:
    """A line with this payload, signed by a seat."""
    data = encode(payload)
    return encode([KEYS[seat].sign(label, data), data])


def test_each_thing_said_comes_back() -> None:
    asked = (Done(bytes(32)), Again(bytes(32)), Paused(7, True), Paused(0, False), Stopped(2))
    for talk in (Said(b"any bytes"), Said(b""), *asked, CHAT):
        assert decode_talk(encode_talk(talk), TABLE.id, PUBLIC) == talk


def test_a_session_chats_and_understands() -> None:
    sessions: list[Session] = classic(3).game.sessions
    line = sessions[0].chat(0, "hello")
    assert sessions[2].understand(encode_talk(line)) == line
    assert (line.seat, line.number, line.words) == (0, 0, "hello")


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {},
        b"",
        "done",
        [None],
        ["what", b""],
        ["message"],
        ["message", "text"],
        ["message", b"", b""],
        ["done", bytes(31)],
        ["done", bytes(33)],
        ["done"],
        ["again", bytes(31)],
        ["again", bytes(33)],
        ["again", "0" * 32],
        ["again"],
        ["pause", -1, True],
        ["pause", MAX_ROUNDS + 1, True],
        ["pause", 0, 1],
        ["pause", True, True],
        ["pause", 0],
        ["stopped"],
        ["stopped", -1],
        ["stopped", 3],
        ["stopped", True],
        ["stopped", 0, 0],
        ["chat"],
        ["chat", b""],
        ["chat", b"\xc0"],
        [["done"], bytes(32)],
    ],
)
def test_a_payload_of_no_known_shape(value: object) -> None:
    with pytest.raises(DecodeError):
        decode_talk(encode(value), TABLE.id, PUBLIC)


@pytest.mark.parametrize(
    "payload",
    [
        [VERSION + 1, TABLE.id, 1, 7, "x"],
        [VERSION, bytes(32), 1, 7, "x"],
        [VERSION, TABLE.id, 3, 7, "x"],
        [VERSION, TABLE.id, -1, 7, "x"],
        [VERSION, TABLE.id, 1, -1, "x"],
        [VERSION, TABLE.id, 1, MAX_CHATS + 1, "x"],
        [VERSION, TABLE.id, 1, True, "x"],
        [VERSION, TABLE.id, 1, 7, ""],
        [VERSION, TABLE.id, 1, 7, b"x"],
        [VERSION, TABLE.id, 1, 7, "x" * (CHAT_CHARACTERS + 1)],
        [VERSION, TABLE.id, 1, 7, "\x1b[2J"],
        [VERSION, TABLE.id, 1, 7, "two\nlines"],
        [VERSION, TABLE.id, 1, 7, "\u202eturned"],
        [VERSION, TABLE.id, 1, 7],
        [VERSION, TABLE.id, 1, 7, "x", 0],
    ],
)
def test_chat_in_a_wrong_shape_is_refused_though_it_is_signed(payload: list[object]) -> None:
    with pytest.raises(DecodeError):
        open_chat(chat_with(payload), TABLE.id, PUBLIC)


def test_chat_of_another_seat_label_or_table_is_refused() -> None:
    good: list[object] = [VERSION, TABLE.id, 1, 7, "x"]
    assert open_chat(chat_with(good), TABLE.id, PUBLIC).words == "x"
    for data in (chat_with(good, seat=2), chat_with(good, label=SIGNED_LABEL)):
        with pytest.raises(DecodeError, match=r"^chat with a wrong signature$"):
            open_chat(data, TABLE.id, PUBLIC)
    with pytest.raises(DecodeError, match=r"^chat of another table or version$"):
        open_chat(CHAT.data, bytes(32), PUBLIC)


def test_any_changed_byte_of_chat_is_refused() -> None:
    for at in range(len(CHAT.data)):
        changed = CHAT.data[:at] + bytes([CHAT.data[at] ^ 1]) + CHAT.data[at + 1 :]
        with pytest.raises(DecodeError):
            open_chat(changed, TABLE.id, PUBLIC)


@pytest.mark.parametrize("words", ["", "x" * (CHAT_CHARACTERS + 1), "\n", "\x07"])
def test_words_that_cannot_be_sent(words: str) -> None:
    with pytest.raises(ValueError, match=r"^A line of chat has 1 to 300 printable characters\.$"):
        make_chat(KEYS[0], TABLE.id, 0, 0, words)


def test_a_line_is_signature_and_payload() -> None:
    signature, payload = _pair(decode(CHAT.data))
    assert decode(payload) == [VERSION, TABLE.id, 1, 7, "well played"]
    assert signature == KEYS[1].sign(b"allfives chat", payload)
    assert Chat(CHAT.data, 1, 7, "well played") == CHAT


def _pair(value: object) -> tuple[bytes, bytes]:
    assert isinstance(value, list)
    one, other = value
    assert isinstance(one, bytes)
    assert isinstance(other, bytes)
    return one, other
