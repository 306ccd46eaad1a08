"""p2p.net.link.message: which message it is, whether it is in turn, and refusals."""

import pytest

from p2p.net.errors import REFUSALS
from p2p.net.link.greeting import LinkAnswer, Use
from p2p.net.link.message import No, heard, read, whole
from p2p.wire.codec import DecodeError

RUN, MAC = b"r" * 16, b"m" * 32


def test_a_message_is_its_word_and_its_fields() -> None:
    assert whole(LinkAnswer(RUN, MAC)) == ["linked", RUN, MAC]
    assert read(["linked", RUN, MAC], Use, LinkAnswer) == LinkAnswer(RUN, MAC)
    assert whole(Use()) == ["use"]
    assert read(["use"], Use) == Use()


def test_out_of_turn() -> None:
    with pytest.raises(DecodeError, match="a message out of turn"):
        read(["use"], LinkAnswer)
    with pytest.raises(DecodeError, match="something of its own"):
        read(["use"], LinkAnswer, other="something of its own")


@pytest.mark.parametrize("value", [None, [], [1], "use", {}, [["use"]], {"use": 1}])
def test_what_is_no_message(value: object) -> None:
    with pytest.raises(DecodeError, match="something else than a message of the lobby"):
        read(value, Use)


@pytest.mark.parametrize("rest", [[], [RUN], [RUN, MAC, b""], [RUN, "m"], [None, MAC], [7, MAC]])
def test_fields_of_another_number_or_kind(rest: list[object]) -> None:
    with pytest.raises(DecodeError):
        read(["linked", *rest], LinkAnswer)
    with pytest.raises(DecodeError):
        read(["use", RUN], Use)


@pytest.mark.parametrize("word", REFUSALS)
def test_a_refusal_is_raised(word: str) -> None:
    with pytest.raises(REFUSALS[word]):
        heard(whole(No(word)))


def test_what_is_no_refusal_is_passed_on() -> None:
    for value in (["use"], ["no"], ["no", "full", 1], ["no", "linked"], ["no", ""], None, "no"):
        assert heard(value) == value
    for word in (["full"], None, 7, b"full", "x" * 33):
        with pytest.raises(DecodeError):
            heard(["no", word])
