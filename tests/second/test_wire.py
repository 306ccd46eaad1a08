"""Values, keys, tables, messages, words, the door and links against protocol.json."""

import hashlib
from typing import Any

import pytest
from spake2 import SPAKE2_A

from second.net.code import invite_of, normal_form
from second.net.door import tag
from second.net.links import link_mac
from second.refusing import RefusedError
from second.vectors import vectors
from second.wire.ed25519 import usable, verify
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


@pytest.mark.parametrize("one", DATA["limits"], ids=lambda one: f"{one['what']} {one['taken']}")
def test_limits(one: Any) -> None:
    """At each limit and one beyond."""
    data = b"".join(H(part) * times for part, times in one["bytes"])
    limits = {"stranger": STRANGER, "message": MESSAGE}[one["limits"]]
    if one["taken"]:
        assert encode(decode(data, limits)) == data
    else:
        with pytest.raises(RefusedError):
            decode(data, limits)


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
    assert (kind, key.hex(), message.hex()) == ("join", door["joiner_key"], door["joiner_message"])
    host, nonce = H(door["host_key"]), H(door["nonce"])
    payload = encode([way, name, key, host, nonce, message])
    verify(key, "allfives join 1", payload, signature)
    run = SPAKE2_A(b"code\0" + door["code"].encode(), idA=key, idB=host, entropy_f=entropy)
    assert run.start() == message
    shared, theirs = run.finish(H(door["host_message"])), H(door["host_message"])
    transcript = encode([key, host, message, theirs, nonce])
    for side in ("joiner", "host"):
        assert tag(shared, side, transcript).hex() == door[f"{side}_tag"]


def entropy(size: int) -> bytes:
    """The joiner's random bytes, as the library asks for them."""
    return H(DATA["door"]["x_before_reduction_big_endian"])[:size]


def test_links() -> None:
    """The opening of a link and its answer."""
    one = DATA["links"]
    table_id, dialler, dialled = H(one["table"]), H(one["dialler_key"]), H(one["dialled_key"])
    secret, nonce = H(one["table_secret"]), H(one["nonce"])
    kind, named, key, run, signature, mac = decode(H(one["link"]), STRANGER)
    assert (kind, named, key, run.hex()) == ("link", table_id, dialler, one["dialler_run"])
    statement = encode([table_id, dialler, dialled, nonce, run])
    verify(key, "allfives link 1", statement, signature)
    assert mac == link_mac(secret, "link 1", statement)
    kind, run, mac = decode(H(one["linked"]), STRANGER)
    assert (kind, run.hex()) == ("linked", one["dialled_run"])
    statement = encode([table_id, dialler, dialled, nonce, run])
    assert mac == link_mac(secret, "link answer 1", statement)


def test_names() -> None:
    """3."""
    for name in ("Ana", "Ana B", "é", "李", "x" * 24):
        assert name_of(name) == name
    marks = "a" + "\u0334" * 5
    for name in ("", " a", "x" * 25, "you", "Ｙou", "Ana (you)", "e\u0301", "a\nb", "--", marks):
        with pytest.raises(RefusedError):
            name_of(name)
