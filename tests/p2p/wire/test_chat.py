"""Lines of people without a seat, signed for one place: there and back, and every way to forge."""

import pytest
from support.session.tables import seeded

from p2p.crypto.identity import IdentityKey
from p2p.wire.chat import CHAT_CHARACTERS, NAME_MOST, lobby_id, make_remark, open_remark
from p2p.wire.codec import DecodeError, decode, encode
from p2p.wire.codec import fields as read

KEY, OTHER = (IdentityKey.generate(seeded(name)) for name in ("one", "other"))
PLACE = lobby_id(bytes(32))


def test_a_remark_comes_back() -> None:
    made = make_remark(KEY, PLACE, "Dot", 7, "well played")
    assert open_remark(made.data, PLACE) == made
    assert (made.key, made.name, made.number, made.words) == (KEY.public, "Dot", 7, "well played")
    assert lobby_id(b"\1" * 32) != PLACE


@pytest.mark.parametrize("words", ["", "x" * (CHAT_CHARACTERS + 1), "a\nb", "\u2800"])
def test_what_cannot_be_shown_is_neither_made_nor_read(words: str) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        make_remark(KEY, PLACE, "Dot", 0, words)
    payload = encode([2, PLACE, KEY.public, "Dot", 0, words])
    data = encode([KEY.sign(b"allfives remark", payload), payload])
    with pytest.raises(DecodeError):
        open_remark(data, PLACE)


def test_one_for_another_place_or_of_another_key_is_refused() -> None:
    made = make_remark(KEY, PLACE, "Dot", 0, "hi")
    signature, payload = read(decode(made.data), bytes, bytes)
    fields = decode(payload)
    assert isinstance(fields, list)
    wrong = [
        [1, *fields[1:]],
        [*fields[:2], OTHER.public, *fields[3:]],
        [*fields[:2], bytes(32), *fields[3:]],
        [*fields[:3], "D" * (NAME_MOST + 1), *fields[4:]],
        [*fields[:5], "ho"],
        fields[:-1],
        [*fields, 0],
    ]
    for one in wrong:
        with pytest.raises(DecodeError):
            open_remark(encode([signature, encode(one)]), PLACE)
        again = encode(one)
        if one[2] == KEY.public and one[5:] != ["ho"]:
            with pytest.raises(DecodeError):
                open_remark(encode([KEY.sign(b"allfives remark", again), again]), PLACE)
    for label in (b"allfives word", b"allfives message"):
        with pytest.raises(DecodeError):
            open_remark(encode([KEY.sign(label, payload), payload]), PLACE)
    with pytest.raises(DecodeError):
        open_remark(made.data, lobby_id(b"\1" * 32))
    for data in (b"", b"\xc1", made.data[:-1], encode([signature])):
        with pytest.raises(DecodeError):
            open_remark(data, PLACE)
