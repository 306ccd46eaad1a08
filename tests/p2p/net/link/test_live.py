"""p2p.net.link.live and link: pings, silence, slow readers, hostile frames, a polite end.."""

import random
from collections.abc import Callable

import pytest
import trio
import trio.testing
from support.limits import HANG_SECONDS
from support.net.world import MemoryNetwork, Wire

from p2p.net.errors import LinkBroken, LinkClosed, LinkFlooded, LinkSilent
from p2p.net.link.link import Link
from p2p.net.link.live import (
    BYTES_AT_ONCE,
    FRAME_VALUES,
    FRAMES_KNOWN,
    QUEUE_BYTES,
    REPEATED_VALUES,
    VALUES_AT_ONCE,
    LiveLink,
)
from p2p.wire.codec import encode
from p2p.wire.framing import PAYLOAD_MOST, frame


class Inbox:
    """Keeps what a live link delivers."""

    def __init__(self) -> None:
        self.payloads: list[bytes] = []

    async def take(self, payload: bytes) -> None:
        await trio.lowlevel.checkpoint()
        self.payloads.append(payload)


def pair(network: MemoryNetwork | None = None) -> tuple[trio.abc.Stream, trio.abc.Stream]:
    here, there = trio.testing.memory_stream_pair()
    wires = network or MemoryNetwork()
    return Wire(here, wires), Wire(there, wires)


async def test_payloads_of_every_size_arrive_in_order() -> None:
    here, there = pair()
    one, two, inbox = LiveLink(Link(here)), LiveLink(Link(there)), Inbox()
    payloads = [b"", b"a", bytes(1000), random.Random(1).randbytes(PAYLOAD_MOST)]
    with trio.fail_after(HANG_SECONDS):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(one.run, Inbox().take)
            nursery.start_soon(two.run, inbox.take)
            for payload in payloads:
                one.post(payload)
            await one.flush()
            await one.leave()
    assert inbox.payloads == payloads
    with pytest.raises(AssertionError):
        one.post(bytes(PAYLOAD_MOST + 1))


async def test_idle_links_live_on_pings(autojump_clock: trio.testing.MockClock) -> None:
    here, there = pair()
    one, two = LiveLink(Link(here)), LiveLink(Link(there))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(one.run, Inbox().take)
        nursery.start_soon(two.run, Inbox().take)
        await trio.sleep(600)
        assert not one.ended.is_set()
        assert not two.ended.is_set()
        nursery.cancel_scope.cancel()


async def test_a_silently_cut_link_ends_after_eight_seconds(
    autojump_clock: trio.testing.MockClock,
) -> None:
    network = MemoryNetwork()
    here, there = pair(network)
    one, two, reasons = LiveLink(Link(here)), LiveLink(Link(there)), list[str]()

    async def run(live: LiveLink) -> None:
        reasons.append(str(await live.run(Inbox().take)))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(run, one)
        nursery.start_soon(run, two)
        await trio.sleep(60)
        network.cut = True
        cut = trio.current_time()
    assert 5 < trio.current_time() - cut <= 8
    assert reasons == ["nothing was heard for 8 s"] * 2


async def test_a_slow_session_is_no_silence(autojump_clock: trio.testing.MockClock) -> None:
    here, there = pair()
    one, two = LiveLink(Link(here)), LiveLink(Link(there))

    async def slow(_: bytes) -> None:
        await trio.sleep(60)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(one.run, Inbox().take)
        nursery.start_soon(two.run, slow)
        one.post(b"x")
        await trio.sleep(59)
        assert not two.ended.is_set()
        nursery.cancel_scope.cancel()


async def test_a_reader_that_takes_nothing_is_dropped_and_memory_stays_bounded(
    autojump_clock: trio.testing.MockClock,
) -> None:
    here, _there = trio.testing.lockstep_stream_pair()
    live, reasons = LiveLink(Link(here)), list[LinkBroken]()

    async def run() -> None:
        reasons.append(await live.run(Inbox().take))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(run)
        await trio.testing.wait_all_tasks_blocked()
        for _ in range(QUEUE_BYTES // 50_000 + 2):
            live.post(bytes(50_000))
    assert str(reasons[0]) == "it does not read what is sent to it"
    other, _ = trio.testing.lockstep_stream_pair()
    blocked = LiveLink(Link(other))
    blocked.post(b"x")
    reason = await blocked.run(Inbox().take)
    assert isinstance(reason, LinkSilent)


@pytest.mark.parametrize(
    ("stream", "reason"),
    [
        (frame(b"\3"), "it sent a frame of no known kind"),
        (frame(b"\0\0"), "it sent a frame of no known kind"),
        (b"\0\0\0\0", "it sent an empty frame"),
        (b"\0\1\0\2", "it sent a frame of 65538 bytes, 65537 allowed"),
        (b"\xff\xff\xff\xff", "it sent a frame of 4294967295 bytes, 65537 allowed"),
        (frame(b"\2"), "the other side left"),
        (b"", "the other side closed the connection"),
        (frame(b"\1cut")[:-1], "the other side closed the connection"),
    ],
)
async def test_each_way_to_end_has_one_reason(stream: bytes, reason: str) -> None:
    here, there = pair()
    inbox = Inbox()
    await there.send_all(frame(b"\1fine") + stream)
    await there.aclose()
    with trio.fail_after(HANG_SECONDS):
        assert str(await LiveLink(Link(here)).run(inbox.take)) == reason
    assert inbox.payloads == [b"fine"]


async def test_random_bytes_end_a_link_and_never_raise(
    autojump_clock: trio.testing.MockClock,
) -> None:
    for seed in range(100):
        here, there = pair()
        await there.send_all(random.Random(seed).randbytes(300))
        assert isinstance(await LiveLink(Link(here)).run(Inbox().take), LinkBroken)


async def test_whoever_leaves_waits_for_the_other_to_close_but_not_for_ever(
    autojump_clock: trio.testing.MockClock,
) -> None:
    here, there = pair()
    one = LiveLink(Link(here))
    ends: list[LinkBroken] = []

    async def run() -> None:
        ends.append(await one.run(Inbox().take))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(run)
        await trio.testing.wait_all_tasks_blocked()
        began = trio.current_time()
        one.post(b"last")
        await one.leave()
        one.post(b"too late")
    assert trio.current_time() - began == 1
    assert isinstance(ends[0], LinkClosed)
    received = bytes(await there.receive_some(1000))
    assert received == frame(b"\1last") + frame(b"\2")


async def test_values_have_a_deadline_and_limits(autojump_clock: trio.testing.MockClock) -> None:
    here, there = pair()
    link = Link(here)
    with pytest.raises(LinkSilent, match="it said nothing for 5 s"):
        await link.hear()
    assert trio.current_time() == 5
    await there.send_all(frame(encode([(1.0).hex()]) + b"\0"))
    with pytest.raises(LinkBroken, match="it sent bytes after the value"):
        await link.hear()
    await there.send_all(frame(b"\x91" * 4000))
    with pytest.raises(LinkBroken, match="it sent "):
        await link.hear()
    await there.send_all(b"\0\0\x10\1")
    with pytest.raises(LinkBroken, match="a frame of 4097 bytes"):
        await link.hear()
    await there.aclose()
    with pytest.raises(LinkBroken):
        await link.tell("anybody there?")


def small(number: int) -> bytes:
    """A frame of many values, each of another number."""
    return b"\1" + encode(["message", encode([number, encode([[0] * 400])])])


def large(number: int) -> bytes:
    return b"\1" + number.to_bytes(2, "big") + bytes(PAYLOAD_MOST - 2)


@pytest.mark.parametrize(
    ("piece", "fits"),
    [
        (large, BYTES_AT_ONCE // PAYLOAD_MOST - 1),
        (small, VALUES_AT_ONCE // 500),
        (lambda number: b"\1" + number.to_bytes(2, "big"), VALUES_AT_ONCE // (FRAME_VALUES + 2)),
        (lambda number: small(0), VALUES_AT_ONCE // (REPEATED_VALUES + 500)),
        (lambda number: b"\0", VALUES_AT_ONCE // (REPEATED_VALUES + FRAME_VALUES + 1)),
    ],
    ids=["bytes", "values", "frames", "again", "pings"],
)
async def test_more_than_a_match_needs_ends_the_link(
    piece: Callable[[int], bytes], fits: int, autojump_clock: trio.testing.MockClock
) -> None:
    here, there = pair()
    live, reasons = LiveLink(Link(here)), list[LinkBroken]()

    async def run() -> None:
        reasons.append(await live.run(Inbox().take))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(run)
        await there.send_all(b"".join(frame(piece(number)) for number in range(fits)))
        await trio.testing.wait_all_tasks_blocked()
        assert not reasons
        more = range(fits, fits + fits // 5 + 2)
        await there.send_all(b"".join(frame(piece(number)) for number in more))
        with trio.move_on_after(1):
            await live.ended.wait()
        await there.aclose()
    assert isinstance(reasons[0], LinkFlooded)
    assert str(reasons[0]) == "it sent more than a match needs"


async def test_what_came_long_ago_is_not_held_against_anybody(
    autojump_clock: trio.testing.MockClock,
) -> None:
    here, there = pair()
    live, inbox = LiveLink(Link(here)), Inbox()
    rounds = VALUES_AT_ONCE // (FRAMES_KNOWN * (FRAME_VALUES + 2))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(live.run, inbox.take)
        for _ in range(rounds):
            numbers = range(FRAMES_KNOWN + 1)
            pieces = (frame(b"\1" + number.to_bytes(2, "big")) for number in numbers)
            await there.send_all(b"".join(pieces))
        await trio.testing.wait_all_tasks_blocked()
        assert len(inbox.payloads) == rounds * (FRAMES_KNOWN + 1)
        await there.aclose()
    assert rounds > 1
