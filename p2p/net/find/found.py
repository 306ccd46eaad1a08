"""Tables that were announced: how few of them one liar can take the places of. Pure."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest

from p2p.net.find.advert import Advert
from p2p.net.link.addresses import ADDRESSES_MOST, parse_address
from p2p.net.link.source import network_of

# As many as a small network has machines: all of them may be lies but one.
FOUND_MOST = 256
# Tables at one address, or in one IPv6 network; they are dialled, so they cost time.
FOUND_A_SOURCE = 8

Near = Callable[[str], bool]
"""Whether an IP address is in a network that this machine is in."""


@dataclass(frozen=True)
class Found:
    """A table that was announced. `addresses`: "host:port" to dial. `key`: the identity key of the
    host there, once it has answered in this program's version."""

    advert: Advert
    addresses: tuple[str, ...]
    key: bytes | None = None

    @property
    def port(self) -> int:
        """The one port of all addresses."""
        return parse_address(self.addresses[0]).port

    @property
    def source(self) -> str:
        """Where it is: at its first address."""
        return network_of(parse_address(self.addresses[0]).host)

    def nearby(self, near: Near) -> "Found | None":
        """It, at those of its addresses that are near; None if none is."""
        addresses = tuple(one for one in self.addresses if near(parse_address(one).host))
        return replace(self, addresses=addresses) if addresses else None


def shared(found: Iterable[Found], near: Near) -> list[Found]:
    """The announcements to look at, where they are near: few of one source, first one of each.

    Announcements come without proof and from anybody, in any number. They are heard in one's own
    networks alone, so a table is there too; who names another place would have everybody here dial
    somebody far away. A host cannot be hidden by fewer sources than its network has.
    """
    groups: dict[str, list[Found]] = {}
    for one in found:
        if there := one.nearby(near):
            groups.setdefault(there.source, []).append(there)
    rounds = zip_longest(*(group[:FOUND_A_SOURCE] for group in groups.values()))
    return [one for one in chain.from_iterable(rounds) if one is not None][:FOUND_MOST]


def merged(found: Sequence[Found]) -> list[Found]:
    """One for each host key, with all addresses; those whose key is not known as they are."""
    tables: dict[object, Found] = {}
    for number, one in enumerate(found):
        same = tables.setdefault(one.key or number, one)
        addresses = dict.fromkeys((*same.addresses, *one.addresses))
        tables[one.key or number] = replace(same, addresses=tuple(addresses)[:ADDRESSES_MOST])
    return list(tables.values())
