"""Tables on the local network: DNS-SD (RFC 6763) over multicast DNS (RFC 6762), by `zeroconf`.

An announcement says what anybody may know; nothing in it is trusted: the door decides. Zeroconf
runs a loop and a thread of its own, so it is made, used and closed in worker threads, never
inside the event loop that hosts a guest-mode Trio. Without multicast a sentence says so, and all
else works.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

import trio
import zeroconf

from p2p.crypto.randomness import RandomBytes
from p2p.net.errors import NetError, NotSeated, OtherVersion
from p2p.net.find.advert import Advert, parse_advert
from p2p.net.find.found import Found, shared
from p2p.net.link.addresses import (
    ADDRESSES_MOST,
    dialled,
    exchanged,
    nearness,
    parse_address,
    to_exchange,
)
from p2p.net.link.background import Background
from p2p.net.link.dial import Connect, dial, direct
from p2p.net.link.listen import Listeners
from p2p.wire.codec import DecodeError

SERVICE = "_allfives._tcp.local."
# An entry that somebody left behind is tried this long before it is dropped.
ANSWER_SECONDS = 3.0
CLOSE_SECONDS = 2.0
RESOLVE_MILLISECONDS = 1000
# A network on which more names than this are announced is being flooded.
NAMES_MOST = 4096
# What is not told with the name is asked for, a second each.
ASKED_AT_ONCE = 64
# Each is dialled at up to 16 addresses at once, and handles are few.
DIALLED_AT_ONCE = 12

# What Zeroconf raises where there is no multicast.
FAILURES = (OSError, zeroconf.Error)


class NoMulticast(NetError):
    """Looking for tables is not possible here."""

    sentence = (
        "Tables on the local network cannot be announced or found from this machine "
        "(no multicast). Use an address or an invite."
    )


class Announcement:
    """A table being announced; update() may be called at any time."""

    def __init__(self, advert: Advert) -> None:
        self._advert = advert
        self._changed = trio.Event()

    def update(self, seated: int) -> None:
        """Tell the network that so many are seated now."""
        self._advert = replace(self._advert, seated=seated)
        self._changed.set()

    async def _keep(self, service: "_Service") -> None:
        while True:
            await self._changed.wait()
            self._changed = trio.Event()
            await trio.to_thread.run_sync(service.update, self._advert)


class _Service:
    """Zeroconf with one registered service. Every method blocks: call in a thread."""

    def __init__(
        self, advert: Advert, label: str, listeners: Listeners, interfaces: Sequence[str] | None
    ) -> None:
        self._label = label
        self._hosts = [parse_address(one).host for one in listeners.public]
        self._port = listeners.port
        self._zeroconf = opened(interfaces)
        try:
            self._zeroconf.register_service(self._info(advert))
        except BaseException:
            self._zeroconf.close()
            raise

    def _info(self, advert: Advert) -> zeroconf.ServiceInfo:
        return zeroconf.ServiceInfo(
            SERVICE,
            f"{self._label}.{SERVICE}",
            port=self._port,
            properties=advert.properties(),
            server=f"allfives-{self._label}.local.",
            parsed_addresses=self._hosts,
        )

    def update(self, advert: Advert) -> None:
        self._zeroconf.update_service(self._info(advert))

    def close(self) -> None:
        """Takes the service back (its neighbours are told) and ends Zeroconf's thread."""
        self._zeroconf.close()


def opened(interfaces: Sequence[str] | None) -> zeroconf.Zeroconf:
    """Multicast on these own IP addresses (None: all). Raises one of FAILURES; blocks."""
    if interfaces is not None:
        return zeroconf.Zeroconf(interfaces=list(interfaces))
    try:
        return zeroconf.Zeroconf(ip_version=zeroconf.IPVersion.All)
    except OSError:
        return zeroconf.Zeroconf(ip_version=zeroconf.IPVersion.V4Only)


@asynccontextmanager
async def announce(
    advert: Advert,
    listeners: Listeners,
    rng: RandomBytes,
    on_problem: Callable[[str], None],
    interfaces: Sequence[str] | None = None,
) -> AsyncIterator[Announcement]:
    """Announce a table for the time of the block, without holding it up.

    `interfaces`: own IP addresses to speak on (None: all). `on_problem` is called once with a
    sentence if the table cannot be announced. The service's label is random: names may repeat.
    """
    announcement = Announcement(advert)
    label = rng(8).hex()

    async def work() -> None:
        try:
            service = await trio.to_thread.run_sync(_Service, advert, label, listeners, interfaces)
        except FAILURES:
            on_problem(str(NoMulticast()))
            return
        try:
            await announcement._keep(service)
        except FAILURES:
            on_problem(str(NoMulticast()))
        finally:
            with trio.move_on_after(CLOSE_SECONDS, shield=True):
                await trio.to_thread.run_sync(service.close, abandon_on_cancel=True)

    async with Background() as nursery:
        nursery.start_soon(work)
        yield announcement


class Names(zeroconf.ServiceListener):
    """Collects the names of announced services; called from Zeroconf's thread."""

    def __init__(self) -> None:
        self.names: dict[str, None] = {}

    def add_service(self, zc: zeroconf.Zeroconf, type_: str, name: str) -> None:
        if len(self.names) < NAMES_MOST:
            self.names[name] = None

    def update_service(self, zc: zeroconf.Zeroconf, type_: str, name: str) -> None:
        self.add_service(zc, type_, name)

    def remove_service(self, zc: zeroconf.Zeroconf, type_: str, name: str) -> None:
        self.names.pop(name, None)


class _Browser:
    """One look around. Every method blocks: call in a thread."""

    def __init__(self, interfaces: Sequence[str] | None) -> None:
        self._zeroconf = opened(interfaces)
        self._names = Names()
        self._browser = zeroconf.ServiceBrowser(self._zeroconf, SERVICE, self._names)

    @property
    def names(self) -> list[str]:
        """What was announced so far, in order of arrival."""
        return list(self._names.names)

    def told(self, name: str) -> Found | None:
        """The announcement of that name, as far as it came with the name; waits for nothing."""
        try:
            info = zeroconf.ServiceInfo(SERVICE, name)
            return _read(info) if info.load_from_cache(self._zeroconf) else None
        except (*FAILURES, DecodeError):
            return None

    def resolve(self, name: str) -> Found | None:
        """The announcement of that name; None if it cannot be had or read, whatever is in it."""
        try:
            info = self._zeroconf.get_service_info(SERVICE, name, RESOLVE_MILLISECONDS)
            return None if info is None else _read(info)
        except (*FAILURES, DecodeError):
            return None

    def close(self) -> None:
        self._zeroconf.close()


def _read(info: zeroconf.ServiceInfo) -> Found:
    hosts = [host.partition("%")[0] for host in info.parsed_addresses()]
    if not hosts or not info.port:
        raise DecodeError("an announcement without an address")
    addresses = to_exchange(hosts[:ADDRESSES_MOST], info.port)
    return Found(parse_advert(info.properties), tuple(exchanged(one) for one in addresses))


async def browse(
    wait: float,
    interfaces: Sequence[str] | None = None,
    connect: Connect = direct,
) -> list[Found]:
    """The tables announced within `wait` seconds whose hosts answer. Raises NoMulticast."""
    try:
        browser = await trio.to_thread.run_sync(_Browser, interfaces)
    except FAILURES:
        raise NoMulticast from None
    try:
        await trio.sleep(wait)
        announced = await _resolved(browser)
        near = await trio.to_thread.run_sync(nearness)
    finally:
        with trio.move_on_after(CLOSE_SECONDS, shield=True):
            await trio.to_thread.run_sync(browser.close, abandon_on_cancel=True)
    return await answering(shared(announced, near), connect)


async def _resolved(browser: _Browser) -> list[Found]:
    """What came with the names, and then some of the rest, asked for side by side: one that does
    not answer takes its second, and must not hold up the others."""
    names = browser.names
    told = await trio.to_thread.run_sync(lambda: {name: browser.told(name) for name in names})
    found = {name: one for name, one in told.items() if one is not None}

    async def resolve(name: str) -> None:
        one = await trio.to_thread.run_sync(browser.resolve, name, limiter=limiter)
        if one is not None:
            found[name] = one

    limiter = trio.CapacityLimiter(ASKED_AT_ONCE)
    async with trio.open_nursery() as nursery:
        for name in [name for name in names if name not in found][:ASKED_AT_ONCE]:
            nursery.start_soon(resolve, name)
    return [found[name] for name in names if name in found]


async def answering(announced: Sequence[Found], connect: Connect = direct) -> list[Found]:
    """Those whose host says hello (of any version), with its key, in the order given."""
    alive: dict[int, Found] = {}
    few = trio.CapacityLimiter(DIALLED_AT_ONCE)

    async def try_one(number: int, found: Found) -> None:
        async with few:
            with trio.move_on_after(ANSWER_SECONDS), suppress(NotSeated):
                alive[number] = await _answered(found, connect)

    async with trio.open_nursery() as nursery:
        for number, found in enumerate(announced):
            nursery.start_soon(try_one, number, found)
    return [alive[number] for number in sorted(alive)]


async def _answered(found: Found, connect: Connect) -> Found:
    """It, with its host's key if that speaks our version. Raises NotSeated."""
    places = [place for one in found.addresses for place in dialled(one)]
    try:
        reached = await dial(places, None, connect)
    except OtherVersion:
        return found
    await reached.link.aclose()
    return replace(found, key=reached.key)
