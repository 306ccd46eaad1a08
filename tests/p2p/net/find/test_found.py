"""p2p.net.find.found: who announces much hides nobody, what is far is not dialled, and one host is
one table."""

from p2p.net.find.advert import Advert
from p2p.net.find.found import FOUND_A_SOURCE, FOUND_MOST, Found, merged, shared
from p2p.net.link.addresses import ADDRESSES_MOST

ADVERT = Advert("den", "Ana", 3, 1, "classic", False)


def found(*hosts: str, name: str = "den", key: bytes | None = None) -> Found:
    addresses = tuple(f"[{host}]:5525" if ":" in host else f"{host}:5525" for host in hosts)
    return Found(Advert(name, "Ana", 3, 1, "classic", False), addresses, key)


def near(host: str) -> bool:
    return host.startswith(("192.0.2.", "fd00:"))


def test_five_hundred_of_one_source_take_few_places() -> None:
    lies = [found("192.0.2.66", name=f"lie {number}") for number in range(500)]
    table = found("192.0.2.7")
    assert shared([*lies, table], near) == [lies[0], table, *lies[1:FOUND_A_SOURCE]]


def test_addresses_of_one_ipv6_network_are_one_source() -> None:
    lies = [found(f"fd00::{number:x}", name=f"lie {number}") for number in range(1, 500)]
    table = found("192.0.2.7")
    assert shared([*lies, table], near)[:2] == [lies[0], table]
    assert len(shared([*lies, table], near)) == FOUND_A_SOURCE + 1


def test_what_is_far_is_not_looked_at() -> None:
    """Anybody can name any address in the world, and all here would dial it."""
    lies = [found(f"198.51.{number // 250}.{number % 250}") for number in range(500)]
    table, routed = found("192.0.2.7"), found("203.0.113.1", "192.0.2.8")
    assert shared([*lies, table, routed], near) == [table, found("192.0.2.8")]


def test_many_places_are_shared_and_no_more_are_looked_at() -> None:
    tables = [found(f"192.0.2.{number % 256}", name=f"{number}") for number in range(1000)]
    assert shared(tables, near) == tables[:FOUND_MOST]


def test_a_table_counts_where_it_is_near_whatever_else_it_names() -> None:
    lies = [found(f"198.51.100.{number}", "192.0.2.66") for number in range(250)]
    table = found("192.0.2.7")
    assert shared([*lies, table], near)[:2] == [found("192.0.2.66"), table]


def test_one_host_is_one_table() -> None:
    once = found("192.0.2.7", key=b"A")
    again = found("192.0.2.7", "192.0.2.8", key=b"A", name="lie")
    other, old = found("192.0.2.9", key=b"B"), found("192.0.2.10")
    assert merged([once, other, again, old, old]) == [
        found("192.0.2.7", "192.0.2.8", key=b"A"),
        other,
        old,
        old,
    ]
    many = [found(f"192.0.2.{number}", key=b"A") for number in range(40)]
    assert [len(one.addresses) for one in merged(many)] == [ADDRESSES_MOST]
