"""p2p.net.find.discovery, advert: tables found by name, dead entries dropped, no multicast said."""

import random
import threading
from dataclasses import replace

import pytest
import trio
import trio.testing
import zeroconf
from support.limits import HANG_SECONDS
from support.net.world import MemoryNetwork, key, loopback
from zeroconf._dns import DNSPointer
from zeroconf._protocol.outgoing import DNSOutgoing

from p2p.net.find.advert import Advert, parse_advert
from p2p.net.find.discovery import (
    ASKED_AT_ONCE,
    SERVICE,
    Names,
    NoMulticast,
    _Browser,
    _resolved,
    announce,
    answering,
    browse,
)
from p2p.net.find.found import FOUND_A_SOURCE, Found, shared
from p2p.net.link.listen import Listeners
from p2p.net.link.reception import Reception, Stranger
from p2p.wire.codec import DecodeError

ADVERT = Advert("den", "Ana", 3, 1, "classic", False)
LOOP = ["127.0.0.1"]
# RFC 1035, section 3.2 and 4.1.1: an authoritative answer; a pointer; the Internet.
RESPONSE, TYPE_PTR, CLASS_IN = 0x8400, 12, 1
SENTENCE = (
    "Tables on the local network cannot be announced or found from this machine "
    "(no multicast). Use an address or an invite."
)


def raw(advert: Advert) -> dict[bytes, bytes | None]:
    return {name.encode(): value.encode() for name, value in advert.properties().items()}


def test_an_advert_round_trips() -> None:
    assert parse_advert(raw(ADVERT)) == ADVERT
    other = Advert("Küche", "Zoë", 4, 4, "online", True, 7)
    assert parse_advert(raw(other)) == other


@pytest.mark.parametrize(
    ("name", "value"),
    [
        (b"name", b"\x1b[2J"),
        (b"name", b"\xff"),
        (b"name", None),
        (b"host", b"x" * 25),
        (b"players", b"5"),
        (b"players", b"-2"),
        (b"players", "²".encode()),
        (b"seated", b"9999"),
        (b"open", b"yes"),
        (b"version", b""),
        (b"rules", b""),
    ],
)
def test_hostile_adverts_are_dropped(name: bytes, value: bytes | None) -> None:
    with pytest.raises(DecodeError):
        parse_advert({**raw(ADVERT), name: value})
    with pytest.raises(DecodeError):
        parse_advert({key: value for key, value in raw(ADVERT).items() if key != name})


async def greet(_: Stranger) -> None:
    await trio.lowlevel.checkpoint()


async def look(seconds: float, at: Listeners) -> list[Found]:
    """What is found of our own table: others may be open on this machine."""
    return [one for one in await browse(seconds, LOOP) if one.port == at.port]


async def until(seated: int, at: Listeners) -> list[Found]:
    """Look again and again until the table is found with so many seated."""
    found: list[Found] = []
    wait = 0.25
    while [one.advert.seated for one in found] != [seated]:
        # Longer each time: a busy machine may not be heard in less.
        found = await look(wait, at)
        wait *= 2
    return found


async def test_announced_found_updated_and_gone() -> None:
    problems: list[str] = []
    async with loopback(1) as (at,), trio.open_nursery() as nursery:
        server = Reception(key(1), random.Random(1).randbytes, greet)
        nursery.start_soon(server.run, at)
        rng = random.Random(1).randbytes
        with trio.fail_after(HANG_SECONDS):
            async with announce(ADVERT, at, rng, problems.append, LOOP) as announcement:
                (found,) = await until(1, at)
                assert found.advert == ADVERT
                assert found.addresses == at.addresses
                assert found.port == at.port
                announcement.update(2)
                (found,) = await until(2, at)
                assert found.advert.seated == 2
            assert await look(0.25, at) == []
        nursery.cancel_scope.cancel()
    assert problems == []


def announce_names(stranger: zeroconf.Zeroconf, names: list[str]) -> None:
    """Name services of our kind without saying anything else about them."""
    out = DNSOutgoing(RESPONSE)
    for name in names:
        pointer = DNSPointer(SERVICE, TYPE_PTR, CLASS_IN, 4500, f"{name}.{SERVICE}")
        out.add_answer_at_time(pointer, 0)
    stranger.send(out)


def has(found: list[Found], at: Listeners) -> bool:
    """Whether that table was found. Somebody may host another one on this machine."""
    return any(one.advert == ADVERT and one.port == at.port for one in found)


async def test_what_a_stranger_announces_hides_no_table() -> None:
    # Zeroconf has an error of its own for the last name, and waits a second for each other.
    names = [*(f"nobody-{number}" for number in range(8)), "bell\x07"]
    async with loopback(1) as (at,), trio.open_nursery() as nursery:
        nursery.start_soon(Reception(key(1), random.Random(1).randbytes, greet).run, at)
        stranger = await trio.to_thread.run_sync(lambda: zeroconf.Zeroconf(interfaces=LOOP))

        async def pester() -> None:
            while True:
                announce_names(stranger, names)
                await trio.sleep(0.1)

        nursery.start_soon(pester)
        async with announce(ADVERT, at, random.Random(1).randbytes, print, LOOP):
            found: list[Found] = []
            wait = 0.5
            with trio.fail_after(HANG_SECONDS):
                while not has(found, at):
                    # Longer each time: a busy machine may not be heard in less.
                    found = await look(wait, at)
                    wait *= 2
        nursery.cancel_scope.cancel()
    await trio.to_thread.run_sync(stranger.close)


def announce_lies(stranger: zeroconf.Zeroconf, count: int) -> None:
    """Announce so many tables at one address where there is none, with all that belongs to it."""
    out = DNSOutgoing(RESPONSE)
    for number in range(count):
        info = zeroconf.ServiceInfo(
            SERVICE,
            f"lie-{number}.{SERVICE}",
            port=1,
            properties=ADVERT.properties(),
            server=f"lie-{number}.local.",
            parsed_addresses=["127.0.0.2"],
        )
        for record in (info.dns_pointer(), info.dns_service(), info.dns_text()):
            out.add_answer_at_time(record, 0)
        for address in info.dns_addresses():
            out.add_answer_at_time(address, 0)
    stranger.send(out)


async def test_five_hundred_false_announcements_hide_no_table() -> None:
    async with loopback(1) as (at,), trio.open_nursery() as nursery:
        nursery.start_soon(Reception(key(1), random.Random(1).randbytes, greet).run, at)
        stranger = await trio.to_thread.run_sync(lambda: zeroconf.Zeroconf(interfaces=LOOP))
        browser = await trio.to_thread.run_sync(_Browser, LOOP)
        with trio.fail_after(HANG_SECONDS):
            while len(browser.names) < 500:
                announce_lies(stranger, 500)
                await trio.sleep(0.1)
            async with announce(ADVERT, at, random.Random(1).randbytes, print, LOOP):
                found: list[Found] = []
                while not has(found, at):
                    await trio.sleep(0.1)
                    announced = shared(await _resolved(browser), lambda host: True)
                    found = await answering(announced)
                assert len(announced) <= 2 * FOUND_A_SOURCE
        nursery.cancel_scope.cancel()
    await trio.to_thread.run_sync(stranger.close)
    await trio.to_thread.run_sync(browser.close)


class Crowd(_Browser):
    """Answers for no name before it was asked for all of them."""

    def __init__(self) -> None:
        self._names = Names()
        self._names.names = dict.fromkeys(f"table-{number}" for number in range(ASKED_AT_ONCE))
        self._all = threading.Barrier(ASKED_AT_ONCE, timeout=HANG_SECONDS)

    def told(self, name: str) -> Found | None:
        return None

    def resolve(self, name: str) -> Found | None:
        self._all.wait()
        return None if name == self.names[0] else Found(ADVERT, (name,))


async def test_nobody_who_does_not_answer_holds_up_the_others() -> None:
    crowd = Crowd()
    found = await _resolved(crowd)
    assert [one.addresses for one in found] == [(name,) for name in crowd.names[1:]]


async def test_entries_that_do_not_answer_are_dropped() -> None:
    async with loopback(2) as (alive, dead), trio.open_nursery() as nursery:
        await dead.aclose()
        nursery.start_soon(Reception(key(1), random.Random(1).randbytes, greet).run, alive)
        here, gone = Found(ADVERT, alive.addresses), Found(ADVERT, dead.addresses)
        with trio.fail_after(HANG_SECONDS):
            assert await answering([gone, here, gone]) == [replace(here, key=key(1).public)]
        nursery.cancel_scope.cancel()


async def test_a_silent_entry_is_dropped(autojump_clock: trio.testing.MockClock) -> None:
    network = MemoryNetwork()
    silent = network.listen()
    assert await answering([Found(ADVERT, silent.addresses)], network.connect) == []
    assert trio.current_time() > 0


class NoNetwork(zeroconf.Zeroconf):
    """Zeroconf on a machine whose kernel knows no multicast."""

    def __init__(self, interfaces: object = None, ip_version: object = None) -> None:
        raise OSError(19, "No such device")


async def test_no_multicast_is_said_and_the_table_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(zeroconf, "Zeroconf", NoNetwork)
    problems: list[str] = []
    with pytest.raises(NoMulticast) as caught:
        await browse(0)
    assert str(caught.value) == SENTENCE
    async with loopback(1) as (at,):
        said = trio.Event()

        def problem(sentence: str) -> None:
            problems.append(sentence)
            said.set()

        rng = random.Random(1).randbytes
        async with announce(ADVERT, at, rng, problem) as announcement:
            announcement.update(2)
            with trio.fail_after(HANG_SECONDS):
                await said.wait()
    assert problems == [SENTENCE]
