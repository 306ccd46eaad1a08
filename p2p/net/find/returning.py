"""Seats of one match that find each other again on the local network.

Who comes back may listen somewhere else than before, and so may the others, so that nobody is where
anybody looks. Then each announces where it is now, by DNS-SD, under a tag of its key that only
those who share the secret of the links can make out. An announcement is hearsay: who is dialled
for it proves itself as anywhere.
"""

import hmac
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import trio
import zeroconf

from p2p.crypto.randomness import RandomBytes
from p2p.net.find.discovery import (
    CLOSE_SECONDS,
    FAILURES,
    RESOLVE_MILLISECONDS,
    Names,
    opened,
)
from p2p.net.find.found import FOUND_A_SOURCE, Near
from p2p.net.link.addresses import ADDRESSES_MOST, nearness, parse_address, to_exchange
from p2p.net.link.listen import Listeners
from p2p.net.link.source import network_of

SERVICE = "_allfives-back._tcp.local."
TAG_LABEL = b"allfives back\0"
TAG_BYTES = 16
LOOK_SECONDS = 1.0
_ASKED = 2
_TAG = b"tag"

Heard = tuple[str, tuple[str, ...]]
"""A tag, and the IP addresses and port ("host:port") that were announced with it."""


def tag_of(secret: bytes, key: bytes) -> str:
    """How the holder of `key` is announced to those who have the secret of the links: 32 hex
    digits."""
    return hmac.digest(secret, TAG_LABEL + key, "sha256")[:TAG_BYTES].hex()


def placed(
    heard: Iterable[Heard], tags: Mapping[str, bytes], near: Near
) -> dict[bytes, tuple[str, ...]]:
    """By key where those are whom `tags` name: at most 16 places each, which are near. Anybody may
    say again what was announced, so one source has a share of them."""
    found: dict[bytes, list[str]] = {}
    for tag, addresses in heard:
        if (key := tags.get(tag)) is not None:
            places = found.setdefault(key, [])
            places += [one for one in addresses if one not in places and _is_near(one, near)]
    return {key: tuple(_shared(places)) for key, places in found.items() if places}


def _is_near(address: str, near: Near) -> bool:
    return near(parse_address(address).host)


def _shared(places: Sequence[str]) -> Iterator[str]:
    counts: dict[str, int] = {}
    taken = 0
    for one in places:
        source = network_of(parse_address(one).host)
        counts[source] = counts.get(source, 0) + 1
        if counts[source] <= FOUND_A_SOURCE and taken < ADDRESSES_MOST:
            taken += 1
            yield one


class _Lookout:
    """One seat announced, and others heard of. Every method blocks: call in a thread."""

    def __init__(
        self, tag: str, listeners: Listeners, label: str, interfaces: Sequence[str] | None
    ) -> None:
        self._zeroconf = opened(interfaces)
        self._names = Names()
        try:
            self._browser = zeroconf.ServiceBrowser(self._zeroconf, SERVICE, self._names)
            self._zeroconf.register_service(
                zeroconf.ServiceInfo(
                    SERVICE,
                    f"{label}.{SERVICE}",
                    port=listeners.port,
                    properties={_TAG: tag},
                    server=f"allfives-{label}.local.",
                    parsed_addresses=[parse_address(one).host for one in listeners.public],
                )
            )
        except BaseException:
            self._zeroconf.close()
            raise

    def heard(self) -> list[Heard]:
        """What is announced now. Of what did not come with its name a little is asked for, a second
        each."""
        told = {name: self._told(name) for name in list(self._names.names)}
        for name in [name for name, one in told.items() if one is None][:_ASKED]:
            told[name] = self._told(name, RESOLVE_MILLISECONDS)
        return [one for one in told.values() if one is not None]

    def _told(self, name: str, milliseconds: float = 0) -> Heard | None:
        """The announcement of that name, waited for so long; None if it cannot be read."""
        try:
            info = zeroconf.ServiceInfo(SERVICE, name)
            if milliseconds:
                there = info.request(self._zeroconf, milliseconds)
            else:
                there = info.load_from_cache(self._zeroconf)
            return _read(info) if there else None
        except FAILURES:
            return None

    def close(self) -> None:
        self._zeroconf.close()


def _read(info: zeroconf.ServiceInfo) -> Heard | None:
    tag = (info.properties.get(_TAG) or b"").decode("ascii", "replace")
    hosts = [host.partition("%")[0] for host in info.parsed_addresses()]
    if not tag or not hosts or not info.port:
        return None
    return tag, to_exchange(hosts, info.port)


async def look_out(
    secret: bytes,
    own: tuple[bytes, Listeners],
    others: Sequence[bytes],
    rng: RandomBytes,
    found: Callable[[bytes, tuple[str, ...]], None],
    interfaces: Sequence[str] | None = None,
) -> None:
    """Until cancelled: announce where the own key listens, and say of each of the other keys where
    it is, whenever that changes. Returns at once where there is no multicast.

    `interfaces`: own IP addresses to speak on (None: all).
    """
    key, listeners = own
    tag, label = tag_of(secret, key), rng(8).hex()
    try:
        lookout = await trio.to_thread.run_sync(_Lookout, tag, listeners, label, interfaces)
    except FAILURES:
        return
    tags, known = {tag_of(secret, one): one for one in others}, dict[bytes, tuple[str, ...]]()
    try:
        while True:
            heard = await trio.to_thread.run_sync(lookout.heard, abandon_on_cancel=True)
            places = placed(heard, tags, await trio.to_thread.run_sync(nearness))
            for one, where in places.items():
                if known.get(one) != where:
                    found(one, where)
            known = places
            await trio.sleep(LOOK_SECONDS)
    finally:
        with trio.move_on_after(CLOSE_SECONDS, shield=True):
            await trio.to_thread.run_sync(lookout.close, abandon_on_cancel=True)
