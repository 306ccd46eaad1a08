"""p2p.net.link.addresses: what people write, what programs exchange."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.net.errors import BadAddress
from p2p.net.link import addresses
from p2p.net.link.addresses import (
    DEFAULT_PORT,
    Address,
    dialled,
    exchanged,
    invited,
    noted,
    own_hosts,
    parse_address,
    to_exchange,
)
from p2p.wire.codec import DecodeError


@pytest.mark.parametrize(
    ("written", "host", "port"),
    [
        ("192.168.1.5", "192.168.1.5", 5525),
        ("192.168.1.5:4455", "192.168.1.5", 4455),
        (" den.local:1 ", "den.local", 1),
        ("localhost", "localhost", 5525),
        ("fd00::2", "fd00::2", 5525),
        ("[fd00::2]", "fd00::2", 5525),
        ("[fd00::2]:65535", "fd00::2", 65535),
        ("[fe80::1%eth0]:4455", "fe80::1%eth0", 4455),
    ],
)
def test_what_people_write(written: str, host: str, port: int) -> None:
    assert parse_address(written) == Address(host, port)


@pytest.mark.parametrize(
    "written",
    ["", ":4455", "a:", "a:0", "a:65536", "a:-1", "a:x", "a:٣", "a b", "[fd00::2", "[fd00::2]x",
     "[a]:1", "[1.2.3.4]:1", "fd00::zz", "-a", "a..b", "a\x1b", "a/b", "a" * 64, "[]:1", "a:1:"],
)  # fmt: skip
def test_what_is_no_address(written: str) -> None:
    with pytest.raises(BadAddress) as caught:
        parse_address(written)
    assert str(caught.value) == (
        f"{written!r} is no address. Give a name or an IP address, and :PORT if need be."
    )


@given(st.ip_addresses(), st.integers(1, 65535))
def test_exchanged_addresses_round_trip(
    ip: ipaddress.IPv4Address | ipaddress.IPv6Address, port: int
) -> None:
    (written,) = to_exchange([str(ip)], port)
    assert exchanged(written) == written
    assert parse_address(written) == Address(str(ip), port)


@pytest.mark.parametrize(
    "value",
    ["den.local:5525", "1.2.3.4", "[fe80::1%eth0]:1", "1.2.3.4:01", " 1.2.3.4:1", "fd00::1", 7,
     b"1.2.3.4:1", "1.2.3.4:99999", "1" * 70, "", "[1.2.3.4]:5"],
)  # fmt: skip
def test_what_peers_may_not_name(value: object) -> None:
    with pytest.raises(DecodeError):
        exchanged(value)


def test_own_hosts_are_plain_and_end_with_loopback() -> None:
    hosts = own_hosts()
    assert "127.0.0.1" in hosts
    assert not any("%" in host for host in hosts)
    loop = [ipaddress.ip_address(host).is_loopback for host in hosts]
    assert loop == sorted(loop)
    assert len(to_exchange([f"10.0.0.{n}" for n in range(40)], 1)) == addresses.ADDRESSES_MOST


def test_link_local_is_tried_on_each_own_interface(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "_ipv6_interfaces", lambda: ["eth0", "wlan0"])
    assert [str(place) for place in dialled("[fe80::1]:7")] == [
        "[fe80::1%eth0]:7",
        "[fe80::1%wlan0]:7",
    ]
    assert dialled("[fe80::1%eth0]:7") == [Address("fe80::1%eth0", 7)]
    for other in ("[fd00::1]:7", "169.254.1.1:7", "den.local:7"):
        assert len(dialled(other)) == 1


def test_the_interface_of_an_own_address() -> None:
    assert addresses.interface_of("127.0.0.1")
    assert addresses.interface_of("203.0.113.9") == ""


def test_loopback_is_near_and_no_network() -> None:
    near = addresses.nearness()
    assert near("127.0.0.1")
    assert near("127.3.2.1")
    assert not near("203.0.113.9")


def test_whether_there_is_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    for hosts, there in ((["127.0.0.1", "::1"], False), (["fe80::1", "127.0.0.1"], True)):
        monkeypatch.setattr(addresses, "own_hosts", hosts.copy)
        assert addresses.on_network() == there


def test_the_port_where_none_is_written_may_be_another() -> None:
    for written in ("den.example", "1.2.3.4", "fd00::2", "[fd00::2]"):
        assert parse_address(written, 7000).port == 7000
        assert parse_address(written).port == DEFAULT_PORT
    assert parse_address("den.example:8000", 7000).port == 8000


def test_an_invite_may_name_a_host() -> None:
    onion = "a" * 56 + ".onion:5525"
    for good in ("den.example:5525", "1.2.3.4:5", "[fd00::2]:5", onion):
        assert invited(good) == noted(good) == good
    long = ".".join(["a" * 63] * 4) + ":5525"
    for bad in ("den.example", "den example:5", "[fe80::1%eth0]:5", "1.2.3.4:05", "", 7, long):
        with pytest.raises(DecodeError):
            invited(bad)


def test_what_a_person_typed_is_read_again_with_its_interface() -> None:
    assert noted("[fe80::1%eth0]:5") == "[fe80::1%eth0]:5"
    for bad in ("den.example", "[fe80::1%eth0]", "1.2.3.4:05", "den example:5", "", 7):
        with pytest.raises(DecodeError):
            noted(bad)
