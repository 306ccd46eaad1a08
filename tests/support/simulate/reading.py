"""What is said over a link, for whoever looks on."""

from functools import lru_cache

from p2p.wire.codec import DecodeError, decode
from p2p.wire.envelope import Message, open_envelope
from p2p.wire.talk import Said


@lru_cache(maxsize=4096)
def signed_in(payload: bytes) -> Message | None:
    """The signed message that a payload of a link brings, if it does."""
    try:
        value = decode(payload)
        if isinstance(value, list) and value[:1] == [Said.kind]:
            return open_envelope(value[1])
    except DecodeError:
        return None
    return None


def named(payload: bytes) -> str:
    """What a payload is, for people: the message with its place, or the kind of word."""
    message = signed_in(payload)
    if message is not None:
        return f"{message.kind} {message.ladder}/{message.step} of seat {message.seat}"
    try:
        value = decode(payload)
    except DecodeError:
        return "noise"
    return str(value[0])[:16] if isinstance(value, list) and value else "noise"
