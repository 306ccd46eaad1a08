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

    def source(self, near: Near) -> str:
        """Where it is: at the first address that is near, else at the first."""
        hosts = [parse_address(one).host for one in self.addresses]
        return network_of(next(filter(near, hosts), hosts[0]))

    def is_near(self, near: Near) -> bool:
        """Whether any of its addresses is."""
        return any(near(parse_address(one).host) for one in self.addresses)


def shared(found: Iterable[Found], near: Near) -> list[Found]:
    """The announcements to look at: few of one source, first one of each, near sources first.

    Announcements come without proof and from anybody, in any number. A host in a network of one's
    own cannot be hidden by fewer sources than that network has.
    """
    groups: dict[tuple[bool, str], list[Found]] = {}
    for one in found:
        groups.setdefault((not one.is_near(near), one.source(near)), []).append(one)
    far_last = sorted(groups, key=lambda group: group[0])
    rounds = zip_longest(*(groups[group][:FOUND_A_SOURCE] for group in far_last))
    return [one for one in chain.from_iterable(rounds) if one is not None][:FOUND_MOST]


def merged(found: Sequence[Found]) -> list[Found]:
    """One for each host key, with all addresses; those whose key is not known as they are."""
    tables: dict[object, Found] = {}
    for number, one in enumerate(found):
        same = tables.setdefault(one.key or number, one)
        addresses = dict.fromkeys((*same.addresses, *one.addresses))
        tables[one.key or number] = replace(same, addresses=tuple(addresses)[:ADDRESSES_MOST])
    return list(tables.values())
