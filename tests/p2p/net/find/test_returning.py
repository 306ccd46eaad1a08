"""p2p.net.find.returning: those of one match find each other, and strangers get nothing of it."""

import random

import trio
from support.limits import HANG_SECONDS
from support.net.world import key, loopback

from p2p.net.find.found import FOUND_A_SOURCE
from p2p.net.find.returning import look_out, placed, tag_of
from p2p.net.link.addresses import ADDRESSES_MOST

LOOP = ["127.0.0.1"]
SECRET, OTHER = bytes(32), bytes([1]) * 32
ANA, BEN = key(1).public, key(2).public


def test_a_tag_is_of_one_key_and_one_secret() -> None:
    tags = {tag_of(secret, one) for secret in (SECRET, OTHER) for one in (ANA, BEN)}
    assert len(tags) == 4
    assert all(len(one) == 32 and ANA.hex()[:8] not in one for one in tags)


def test_only_those_who_are_meant_are_placed_and_only_near() -> None:
    tags = {"aa": ANA, "bb": BEN}
    heard = [
        ("aa", ("10.0.0.2:5532", "192.0.2.7:5532")),
        ("cc", ("10.0.0.3:5533",)),
        ("bb", ("192.0.2.8:5534",)),
        ("aa", ("10.0.0.2:5532", "10.0.0.4:5535")),
    ]
    near = placed(heard, tags, lambda host: host.startswith("10."))
    assert near == {ANA: ("10.0.0.2:5532", "10.0.0.4:5535")}


def test_one_who_says_a_tag_again_takes_few_of_the_places() -> None:
    tags = {"aa": ANA}
    lies = [("aa", (f"10.0.0.9:{port}",)) for port in range(1000, 1100)]
    truth = ("aa", ("10.0.0.2:5532",))
    (found,) = placed([*lies, truth], tags, lambda host: True).values()
    assert len(found) == FOUND_A_SOURCE + 1
    assert found[-1] == "10.0.0.2:5532"
    many = [("aa", (f"10.0.1.{host}:5525",)) for host in range(1, 100)]
    (found,) = placed(many, tags, lambda host: True).values()
    assert len(found) == ADDRESSES_MOST


async def test_two_find_each_other_and_one_of_another_table_neither() -> None:
    found: dict[bytes, dict[bytes, tuple[str, ...]]] = {ANA: {}, BEN: {}, OTHER: {}}
    both = trio.Event()

    def note(who: bytes, one: bytes, where: tuple[str, ...]) -> None:
        found[who][one] = where
        if found[ANA] and found[BEN]:
            both.set()

    async with loopback(3) as at, trio.open_nursery() as nursery:
        ports = zip((ANA, BEN, OTHER), at, (SECRET, SECRET, OTHER), strict=True)
        for who, here, secret in ports:
            own = BEN if who == OTHER else who
            rng, others = random.Random(own + secret).randbytes, [ANA if own == BEN else BEN]

            def told(one: bytes, where: tuple[str, ...], who: bytes = who) -> None:
                note(who, one, where)

            nursery.start_soon(look_out, secret, (own, here), others, rng, told, LOOP)
        with trio.fail_after(HANG_SECONDS):
            await both.wait()
        nursery.cancel_scope.cancel()
    assert found == {ANA: {BEN: at[1].addresses}, BEN: {ANA: at[0].addresses}, OTHER: {}}
