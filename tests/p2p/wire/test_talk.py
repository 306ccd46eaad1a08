"""What seats say over a link: messages, signed words, what they hold; and every wrong shape."""

import pytest
from support.session.matches import classic
from support.session.tables import make_table, rules_for

from p2p.session.session import Session
from p2p.wire.chat import CHAT_CHARACTERS, MAX_NUMBER
from p2p.wire.codec import DecodeError, decode, encode
from p2p.wire.envelope import SIGNED_LABEL, VERSION
from p2p.wire.out import Out
from p2p.wire.talk import (
    MAX_ROUNDS,
    WORD_LABEL,
    Bind,
    Chat,
    Done,
    Here,
    Hold,
    Leave,
    Nonce,
    Paused,
    Rung,
    Said,
    Saying,
    Wished,
    decode_talk,
    encode_talk,
    make_line,
    make_word,
    open_word,
    table_of,
)

TABLE, KEYS = make_table(rules_for(3), "talk")
PUBLIC = tuple(key.public for key in KEYS)
H = bytes(32)
SAYINGS: list[Saying] = [
    Chat("well played"),
    Paused(7, True),
    Paused(0, False),
    Done(H),
    Bind(H),
    Nonce(H),
    Leave(),
    Here(),
    Wished(H, 1, H, ()),
    Wished(H, 9, H, (Out(0, "absent", ()), Out(2, "fault", (H, b"\1" * 32)))),
]
RUNG = Rung(0, ((9, H), (8, H), (0, H)), (H,))
HOLD = Hold(TABLE.id, (RUNG, Rung(3, ((0, H),), ())), (H,))


def word_with(payload: list[object], seat: int = 1, label: bytes = WORD_LABEL) -> bytes:
    """A word with this payload, signed by a seat."""
    data = encode(payload)
    return encode([KEYS[seat].sign(label, data), data])


@pytest.mark.parametrize("said", SAYINGS, ids=lambda said: said.kind)
def test_each_word_comes_back_with_its_signer(said: Saying) -> None:
    word = make_word(KEYS[1], TABLE.id, 1, 7, said)
    assert decode_talk(encode_talk(word), TABLE.id, PUBLIC) == word
    assert (word.seat, word.number, word.said) == (1, 7, said)
    assert table_of(encode_talk(word)) == TABLE.id
    with pytest.raises(DecodeError):
        decode_talk(encode_talk(word), H, PUBLIC)


def test_messages_and_what_is_held_come_back() -> None:
    for talk in (Said(b"any bytes"), Said(b""), HOLD):
        assert decode_talk(encode_talk(talk), TABLE.id, PUBLIC) == talk
    assert table_of(encode_talk(HOLD)) == TABLE.id
    message = classic(3).game.sessions[0].referee.ladders[0].steps[0][1]
    assert table_of(encode_talk(Said(message.data))) == message.table


def test_a_session_says_words_and_understands_them() -> None:
    sessions: list[Session] = classic(3).game.sessions
    word = sessions[0].word(0, Chat("hello"))
    assert sessions[2].understand(encode_talk(word)) == word
    assert word.id != sessions[0].word(1, Chat("hello")).id


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {},
        b"",
        "message",
        [None],
        [["message"], b""],
        ["what", b""],
        ["message"],
        ["message", "text"],
        ["message", b"", b""],
        ["stopped", 1],
        ["done", H],
        ["word"],
        ["word", b""],
        ["word", b"\xc0"],
        ["hold"],
        ["hold", TABLE.id, [], []],
        ["hold", H, [RUNG.value()], []],
        ["hold", TABLE.id, [RUNG.value()], [b"short"]],
        ["hold", TABLE.id, [RUNG.value()], [H] * 65],
        ["hold", TABLE.id, [RUNG.value(), RUNG.value()], []],
        ["hold", TABLE.id, [RUNG.value()] * 3, []],
        ["hold", TABLE.id, [[-1, [[0, H]], []]], []],
        ["hold", TABLE.id, [[0, [], []]], []],
        ["hold", TABLE.id, [[0, [[1, H]], []]], []],
        ["hold", TABLE.id, [[0, [[0, H], [1, H]], []]], []],
        ["hold", TABLE.id, [[0, [[1, H], [1, H], [0, H]], []]], []],
        ["hold", TABLE.id, [[0, [[1, b""], [0, H]], []]], []],
        ["hold", TABLE.id, [[0, [[0, H]], [H] * 5]], []],
        ["hold", TABLE.id, [[0, [[step, H] for step in range(40, -1, -1)], []]], []],
    ],
)
def test_a_payload_of_no_known_shape(value: object) -> None:
    with pytest.raises(DecodeError):
        decode_talk(encode(value), TABLE.id, PUBLIC)


@pytest.mark.parametrize(
    "payload",
    [
        [VERSION + 1, TABLE.id, 1, 7, "leave", []],
        [VERSION - 1, TABLE.id, 1, 7, "leave", []],
        [True, TABLE.id, 1, 7, "leave", []],
        [VERSION, H, 1, 7, "leave", []],
        [VERSION, TABLE.id, 3, 7, "leave", []],
        [VERSION, TABLE.id, -1, 7, "leave", []],
        [VERSION, TABLE.id, True, 7, "leave", []],
        [VERSION, TABLE.id, 1, -1, "leave", []],
        [VERSION, TABLE.id, 1, MAX_NUMBER + 1, "leave", []],
        [VERSION, TABLE.id, 1, True, "leave", []],
        [VERSION, TABLE.id, 1, 7, "what", []],
        [VERSION, TABLE.id, 1, 7, b"leave", []],
        [VERSION, TABLE.id, 1, 7, "leave", [0]],
        [VERSION, TABLE.id, 1, 7, "leave", {}],
        [VERSION, TABLE.id, 1, 7, "leave"],
        [VERSION, TABLE.id, 1, 7, "leave", [], 0],
        [VERSION, TABLE.id, 1, 7, "here", [1]],
        [VERSION, TABLE.id, 1, 7, "done", [bytes(31)]],
        [VERSION, TABLE.id, 1, 7, "bind", [bytes(33)]],
        [VERSION, TABLE.id, 1, 7, "nonce", ["0" * 32]],
        [VERSION, TABLE.id, 1, 7, "pause", [-1, True]],
        [VERSION, TABLE.id, 1, 7, "pause", [MAX_ROUNDS + 1, True]],
        [VERSION, TABLE.id, 1, 7, "pause", [0, 1]],
        [VERSION, TABLE.id, 1, 7, "pause", [True, True]],
        [VERSION, TABLE.id, 1, 7, "wish", [H, 0, H, []]],
        [VERSION, TABLE.id, 1, 7, "wish", [H, 1, H, [[0, "tired", []]]]],
        [VERSION, TABLE.id, 1, 7, "chat", [""]],
        [VERSION, TABLE.id, 1, 7, "chat", [b"x"]],
        [VERSION, TABLE.id, 1, 7, "chat", ["x" * (CHAT_CHARACTERS + 1)]],
        [VERSION, TABLE.id, 1, 7, "chat", ["\x1b[2J"]],
        [VERSION, TABLE.id, 1, 7, "chat", ["two\nlines"]],
        [VERSION, TABLE.id, 1, 7, "chat", ["\u202eturned"]],
        [VERSION, TABLE.id, 1, 7, "chat", ["\u3164"]],
    ],
)
def test_a_word_in_a_wrong_shape_is_refused_though_it_is_signed(payload: list[object]) -> None:
    with pytest.raises(DecodeError):
        open_word(word_with(payload), TABLE.id, PUBLIC)


def test_a_word_of_another_seat_or_label_is_refused() -> None:
    good: list[object] = [VERSION, TABLE.id, 1, 7, "here", []]
    assert open_word(word_with(good), TABLE.id, PUBLIC).said == Here()
    for data in (word_with(good, seat=2), word_with(good, label=SIGNED_LABEL)):
        with pytest.raises(DecodeError, match="wrong signature"):
            open_word(data, TABLE.id, PUBLIC)


def test_the_signature_is_checked_before_the_body_is_read() -> None:
    payload = encode([VERSION, TABLE.id, 1, 7, "chat", [[[[[]]]]]])
    with pytest.raises(DecodeError, match="wrong signature"):
        open_word(encode([bytes(64), payload]), TABLE.id, PUBLIC)


def test_every_altered_byte_of_a_word_is_noticed() -> None:
    data = make_word(KEYS[1], TABLE.id, 1, 7, Chat("well played")).data
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 1
        with pytest.raises(DecodeError):
            open_word(bytes(changed), TABLE.id, PUBLIC)
    signed = decode(data)
    assert isinstance(signed, list)
    assert len(signed) == 2


@pytest.mark.parametrize("words", ["", "x" * (CHAT_CHARACTERS + 1), "two\nlines", "\x1b[2J", "!?"])
def test_a_line_that_cannot_be_sent_has_a_sentence(words: str) -> None:
    with pytest.raises(ValueError, match=r"line.*\.$"):
        make_line(words)
