"""Values, keys, tables, messages, words, the door and links against protocol.json."""

import hashlib
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from second.net.code import invite_of, normal_form
from second.net.door import tag
from second.refusing import RefusedError
from second.vectors import vectors
from second.wire.ed25519 import public, sign, usable
from second.wire.messages import chained, read_message, read_word
from second.wire.table import Table, name_of, seat_order, table_of
from second.wire.values import MESSAGE, STRANGER, decode, encode

H = bytes.fromhex
DATA: Any = vectors("protocol")


def table() -> Table:
    """The table of the vectors."""
    return table_of(H(DATA["table"]["description"]))


def test_values_have_their_one_encoding() -> None:
    """Both ways."""
    for one in DATA["codec"]["values"]:
        assert encode(one["value"]).hex() == one["bytes"]
        assert decode(H(one["bytes"]), MESSAGE) == one["value"]
    for one in DATA["codec"]["bytes"]:
        assert encode(bytes(one["zeros"]))[:3] == H(one["head"])


@pytest.mark.parametrize("what", DATA["codec"]["refused"])
def test_another_encoding_is_refused(what: str) -> None:
    """Whatever msgpack says to it."""
    with pytest.raises(RefusedError):
        decode(H(DATA["codec"]["refused"][what]), MESSAGE)


def test_limits() -> None:
    """At each limit and one beyond."""
    deep: Any = []
    for _ in range(5):
        deep = [deep]
    good = [[0] * 64, {str(i): 0 for i in range(64)}, "x" * 4096, bytes(65000), deep]
    bad = [[0] * 65, {str(i): 0 for i in range(65)}, "x" * 4097, bytes(65536), [deep]]
    bad.append([[0] * 63] * 9)
    for value in good:
        assert decode(encode(value), MESSAGE) == value
    for value in [*bad]:
        with pytest.raises(RefusedError):
            decode(encode(value), MESSAGE)
    for value in ["x" * 257, bytes(1025), [[[[[]]]]], bytes(4096)]:
        with pytest.raises(RefusedError):
            decode(encode(value), STRANGER)


@pytest.mark.parametrize("what", DATA["bad_keys"])
def test_a_bad_key_is_unusable(what: str) -> None:
    """Also with the other sign."""
    key = H(DATA["bad_keys"][what])
    for data in (key, key[:31] + bytes([key[31] ^ 0x80])):
        with pytest.raises(RefusedError):
            usable(data)


def test_the_table_its_order_and_its_messages() -> None:
    """Description, id, ready hash, envelopes, ids, T, words."""
    ours, one = table(), DATA["table"]
    assert ours.id.hex() == one["table_id"]
    assert [person.key.hex() for person in ours.people] == [
        person["key"] for person in one["people_in_seat_order"]
    ]
    assert seat_order(list(reversed(ours.people))) == list(ours.people)
    ready = hashlib.sha256(b"allfives ready\0" + ours.description).hexdigest()
    assert ready == one["ready_hash"]
    messages = [read_message(ours, H(m["envelope"])) for m in DATA["messages"]["agree"]]
    assert [m.id.hex() for m in messages] == [m["id"] for m in DATA["messages"]["agree"]]
    assert chained("step", ours.id, [m.id for m in messages]).hex() == DATA["messages"]["T_1"]
    words = {kind: read_word(ours, H(data)) for kind, data in DATA["messages"]["words"].items()}
    assert all(word.kind == kind for kind, word in words.items())
    assert DATA["messages"]["word_id"] in {word.id.hex() for word in words.values()}


def test_a_message_with_another_byte_is_nobodys() -> None:
    """Each byte of an envelope."""
    ours, envelope = table(), H(DATA["messages"]["agree"][0]["envelope"])
    for at in range(0, len(envelope), 5):
        changed = envelope[:at] + bytes([envelope[at] ^ 1]) + envelope[at + 1 :]
        with pytest.raises(RefusedError):
            read_message(ours, changed)


def test_the_door() -> None:
    """Codes, the invite, the opening and the tags."""
    for code, normal in DATA["codes"].items():
        assert normal_form(code) == normal
    for code in DATA["bad_codes"]:
        with pytest.raises(RefusedError):
            normal_form(code)
    invite = invite_of(DATA["invite"]["line"])
    assert invite.secret.hex() == DATA["invite"]["secret"]
    assert list(invite.addresses) == DATA["invite"]["addresses"]
    with pytest.raises(RefusedError):
        invite_of(DATA["invite"]["line"] + "=")
    door = DATA["door"]
    kind, way, name, key, signature, message = decode(H(door["join"]), STRANGER)
    people = {one["key"]: one for one in DATA["table"]["people_in_seat_order"]}
    private = Ed25519PrivateKey.from_private_bytes(H(people[key.hex()]["private"]))
    assert (kind, public(private), message.hex()) == ("join", key, door["joiner_message"])
    hosts = [H(other) for other in people if other != key.hex()]
    payloads = [encode([way, name, key, host, H(door["nonce"]), message]) for host in hosts]
    assert signature in [sign(private, "allfives join 1", payload) for payload in payloads]
    assert len(tag(bytes(32), "joiner", b"")) == 32


def test_names() -> None:
    """3."""
    for name in ("Ana", "Ana B", "é", "李", "x" * 24):
        assert name_of(name) == name
    marks = "a" + "\u0334" * 5
    for name in ("", " a", "x" * 25, "you", "Ｙou", "Ana (you)", "e\u0301", "a\nb", "--", marks):
        with pytest.raises(RefusedError):
            name_of(name)
