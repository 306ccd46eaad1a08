"""p2p.net.link.dial: addresses side by side, the expected key, the failure that says most."""

import random
import socket

import pytest
import trio
import trio.testing
from support.net.world import MemoryNetwork, key

from p2p.net.errors import NobodyThere, UnknownHost, WrongHost
from p2p.net.link.addresses import Address
from p2p.net.link.dial import dial
from p2p.net.link.reception import Reception, Stranger


async def greet(stranger: Stranger) -> None:
    stranger.proven()
    await trio.sleep_forever()


async def connect_nowhere(host: str, port: int) -> trio.abc.Stream:
    if port == 1:
        await trio.sleep_forever()
    raise ConnectionRefusedError


def serve(network: MemoryNetwork, nursery: trio.Nursery, seed: int) -> Address:
    listeners = network.listen()
    server = Reception(key(seed), random.Random(seed).randbytes, greet)
    nursery.start_soon(server.run, listeners)
    return Address("192.0.2.1", listeners.port)


async def test_the_first_with_the_right_key_wins_whatever_the_others_do(
    autojump_clock: trio.testing.MockClock,
) -> None:
    network = MemoryNetwork()
    async with trio.open_nursery() as nursery:
        wrong, right = serve(network, nursery, 1), serve(network, nursery, 2)
        silent = Address("192.0.2.1", network.listen().port)
        nobody = Address("192.0.2.1", 9)
        reached = await dial([silent, nobody, wrong, right], key(2).public, network.connect)
        assert reached.key == key(2).public
        assert len(reached.nonce) == 32
        assert trio.current_time() == 0
        await reached.link.aclose()
        with pytest.raises(WrongHost):
            await dial([silent, nobody, wrong], key(2).public, network.connect)
        with pytest.raises(NobodyThere):
            await dial([silent], None, network.connect)
        nursery.cancel_scope.cancel()


async def test_an_address_that_never_answers_is_given_up(
    autojump_clock: trio.testing.MockClock,
) -> None:
    with pytest.raises(NobodyThere, match=r"Nobody answers at 192\.0\.2\.9:1"):
        await dial([Address("192.0.2.9", 1)], None, connect_nowhere)
    assert trio.current_time() == 30


async def test_a_tcp_connection_is_given_up_sooner(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    monkeypatch.setattr(trio, "open_tcp_stream", connect_nowhere)
    with pytest.raises(NobodyThere):
        await dial([Address("192.0.2.9", 1)], None)
    assert trio.current_time() == 5


async def connect_unknown(host: str, port: int) -> trio.abc.Stream:
    await trio.lowlevel.checkpoint()
    raise socket.gaierror(-2, "Name or service not known")


async def test_a_name_that_is_unknown() -> None:
    with pytest.raises(UnknownHost) as caught:
        await dial([Address("den.invalid", 5525)], None, connect_unknown)
    assert str(caught.value) == (
        "No machine named den.invalid can be found. Check the name, or use its address."
    )
