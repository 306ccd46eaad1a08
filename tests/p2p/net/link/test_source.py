"""p2p.net.link.source: what counts as one source at the door."""

import pytest
import trio
import trio.testing
from support.net.world import loopback

from p2p.net.link.source import network_of, source_of


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::9", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
    ],
)
def test_a_machine_is_one_however_many_addresses_it_takes(host: str, network: str) -> None:
    assert network_of(host) == network


def test_what_is_no_address() -> None:
    with pytest.raises(ValueError, match="does not appear"):
        network_of("ana")


async def test_the_source_of_a_connection() -> None:
    async with loopback(1) as (at,):
        here = await trio.open_tcp_stream("127.0.0.1", at.port)
        async with here, await at.sockets[0].accept() as there:
            assert source_of(there) == "127.0.0.1"
        assert source_of(there) == ""


async def test_a_stream_of_no_network_has_none() -> None:
    for stream in trio.testing.memory_stream_pair():
        assert source_of(stream) == ""
        await stream.aclose()
