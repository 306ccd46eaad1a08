"""p2p.wire.framing: frames split, glued, truncated, oversized."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p.wire.framing import CAP_AFTER_PROOF, CAP_BEFORE_PROOF, Deframer, FrameError, frame

PAYLOADS = [b"a", b"bcd" * 100, b"\0\0\0\1", b"x" * CAP_BEFORE_PROOF]


def test_a_frame_is_a_big_endian_length_and_the_payload() -> None:
    assert frame(b"abc") == b"\0\0\0\3abc"
    assert frame(b"x" * 258)[:4] == b"\0\0\1\2"


@pytest.mark.parametrize("size", [0, CAP_AFTER_PROOF + 1])
def test_a_payload_that_fits_no_frame_is_our_own_mistake(size: int) -> None:
    with pytest.raises(AssertionError):
        frame(bytes(size))


def test_split_at_every_byte() -> None:
    stream = b"".join(frame(payload) for payload in PAYLOADS[:3])
    for cut in range(len(stream) + 1):
        deframer = Deframer()
        assert deframer.feed(stream[:cut]) + deframer.feed(stream[cut:]) == PAYLOADS[:3]
        assert len(deframer._buffer) == 0


def test_one_byte_at_a_time_and_all_glued() -> None:
    stream = b"".join(frame(payload) for payload in PAYLOADS)
    slow = Deframer()
    assert [p for byte in stream for p in slow.feed(bytes([byte]))] == PAYLOADS
    assert Deframer().feed(stream) == PAYLOADS


def test_truncated_frames_give_nothing_and_keep_little() -> None:
    deframer = Deframer()
    assert deframer.feed(frame(b"x" * 1000)[:-1]) == []
    assert len(deframer._buffer) == 1003


def test_the_cap_is_exact_and_may_grow() -> None:
    assert Deframer(10).feed(frame(b"x" * 10)) == [b"x" * 10]
    with pytest.raises(FrameError, match="a frame of 11 bytes, 10 allowed"):
        Deframer(10).feed(frame(b"x" * 11))
    deframer = Deframer(10)
    deframer.cap = 11
    assert deframer.feed(frame(b"x" * 11)) == [b"x" * 11]


@pytest.mark.parametrize(
    ("header", "what"),
    [(b"\0\0\0\0", "empty"), (b"\0\0\x10\1", "4097"), (b"\xff\xff\xff\xff", "4294967295")],
)
def test_a_bad_header_breaks_at_once_and_for_good(header: bytes, what: str) -> None:
    deframer = Deframer()
    with pytest.raises(FrameError, match=what):
        deframer.feed(header)
    assert len(deframer._buffer) == 0
    with pytest.raises(FrameError, match=what):
        deframer.feed(frame(b"fine"))
    assert len(deframer._buffer) == 0


def test_payloads_before_a_bad_header_are_still_given() -> None:
    deframer = Deframer()
    assert deframer.feed(frame(b"one") + b"\0\0\0\0" + frame(b"two")) == [b"one"]
    with pytest.raises(FrameError):
        deframer.feed(b"")


@settings(max_examples=200)
@given(st.binary(max_size=400), st.lists(st.integers(0, 400), max_size=8))
def test_random_bytes_give_the_same_however_they_are_cut(stream: bytes, cuts: list[int]) -> None:
    def run(pieces: list[bytes]) -> tuple[list[bytes], bool]:
        deframer, out = Deframer(50), list[bytes]()
        try:
            for piece in [*pieces, b""]:
                out += deframer.feed(piece)
        except FrameError:
            return out, True
        return out, False

    marks = [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    assert run([stream]) == run([stream[a:b] for a, b in pairwise(marks)])
