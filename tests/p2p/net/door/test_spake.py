"""p2p.net.door.spake: equal tags only for one code, the same two keys, the same run."""

import random

import pytest

from p2p.net.door.spake import Exchange, Tags
from p2p.net.errors import LinkBroken

NONCE = b"n" * 32


async def run(
    joiner_password: bytes = b"code\0guitar",
    host_password: bytes = b"code\0guitar",
    host_key_seen_by_joiner: bytes = b"H" * 32,
    joiner_key_seen_by_host: bytes = b"J" * 32,
    nonce_of_joiner: bytes = NONCE,
) -> tuple[Tags, Tags]:
    joiner = await Exchange.begin(
        joiner=True,
        password=joiner_password,
        joiner_key=b"J" * 32,
        host_key=host_key_seen_by_joiner,
        rng=random.Random(1).randbytes,
    )
    host = await Exchange.begin(
        joiner=False,
        password=host_password,
        joiner_key=joiner_key_seen_by_host,
        host_key=b"H" * 32,
        rng=random.Random(2).randbytes,
    )
    assert len(joiner.message) == len(host.message) == 33
    return (
        await joiner.finish(host.message, nonce_of_joiner),
        await host.finish(joiner.message, NONCE),
    )


async def test_the_same_code_and_keys_give_the_same_tags() -> None:
    joiner, host = await run()
    assert joiner == host
    assert len({joiner.joiner, joiner.host}) == 2
    assert len(joiner.joiner) == len(joiner.host) == 32


@pytest.mark.parametrize(
    "change",
    [
        {"joiner_password": b"code\0guitars"},
        {"host_key_seen_by_joiner": b"M" * 32},
        {"joiner_key_seen_by_host": b"M" * 32},
        {"nonce_of_joiner": b"m" * 32},
    ],
)
async def test_any_difference_gives_different_tags(change: dict[str, bytes]) -> None:
    joiner, host = await run(**change)
    assert joiner.joiner != host.joiner
    assert joiner.host != host.host


@pytest.mark.parametrize(
    "message",
    [b"", b"B" * 34, b"A" + bytes(32), b"B" + bytes(32), b"B" + b"\xff" * 32, b"B\1" + bytes(31)],
)
async def test_hostile_messages_break_the_link_with_one_clause(message: bytes) -> None:
    exchange = await Exchange.begin(
        joiner=True, password=b"x", joiner_key=b"J", host_key=b"H", rng=random.Random(1).randbytes
    )
    with pytest.raises(LinkBroken, match="it sent a SPAKE2 message"):
        await exchange.finish(message, NONCE)


_FIELD = 2**255 - 19
_TOP = 2**255
_EIGHT = int.from_bytes(
    bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little"
)


@pytest.mark.parametrize(
    "number",
    [
        *(y + top for y in (0, 1, _FIELD - 1, _EIGHT, _FIELD - _EIGHT) for top in (0, _TOP)),
        # Second encodings: of 0, of the identity, of points beyond.
        *(_FIELD + y + top for y in range(19) for top in (0, _TOP)),
    ],
)
async def test_each_encoding_of_the_identity_and_of_small_orders_is_refused(number: int) -> None:
    """As the key check of protocol.md section 2 has it."""
    exchange = await Exchange.begin(
        joiner=True, password=b"x", joiner_key=b"J", host_key=b"H", rng=random.Random(1).randbytes
    )
    with pytest.raises(LinkBroken, match="a SPAKE2 message that is none"):
        await exchange.finish(b"B" + number.to_bytes(32, "little"), NONCE)


@pytest.mark.parametrize("tail", [b"\0", b"x", bytes(100)])
async def test_a_good_message_with_bytes_behind_it_is_refused(tail: bytes) -> None:
    """The package reads past the end of its field without a word."""
    rng = random.Random(1).randbytes
    joiner = await Exchange.begin(
        joiner=True, password=b"x", joiner_key=b"J", host_key=b"H", rng=rng
    )
    host = await Exchange.begin(
        joiner=False, password=b"x", joiner_key=b"J", host_key=b"H", rng=rng
    )
    with pytest.raises(LinkBroken, match="of another length"):
        await joiner.finish(host.message + tail, NONCE)


async def test_our_own_message_sent_back_is_refused() -> None:
    exchange = await Exchange.begin(
        joiner=True, password=b"x", joiner_key=b"J", host_key=b"H", rng=random.Random(1).randbytes
    )
    with pytest.raises(LinkBroken):
        await exchange.finish(b"B" + exchange.message[1:], NONCE)
