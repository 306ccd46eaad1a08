"""Nonces: from secret, fresh bytes and statement, each of which is enough to change them."""

from __future__ import annotations

from collections import Counter

from support.session.deck_table import seeded
from support.session.tampering import place

from p2p.crypto.group import Q
from p2p.crypto.nonces import Nonces


def stuck(size: int) -> bytes:
    """A broken random source."""
    return b"\x07" * size


def test_a_stream_is_determined_by_its_three_inputs() -> None:
    assert Nonces(place(), b"s", stuck).take(5) == Nonces(place(), b"s", stuck).take(5)


def test_another_statement_gives_other_nonces_from_a_broken_source() -> None:
    other = place()
    other.data(b"more", b"")
    first, second = Nonces(place(), b"s", stuck), Nonces(other, b"s", stuck)
    assert set(first.take(9)).isdisjoint(second.take(9))


def test_another_secret_gives_other_nonces() -> None:
    first, second = Nonces(place(), b"s", stuck), Nonces(place(), b"t", stuck)
    assert set(first.take(9)).isdisjoint(second.take(9))


def test_fresh_bytes_give_other_nonces() -> None:
    first, second = Nonces(place(), b"s", seeded("1")), Nonces(place(), b"s", seeded("2"))
    assert set(first.take(9)).isdisjoint(second.take(9))


def test_nonces_are_scalars_and_never_repeat_in_a_stream() -> None:
    drawn = Nonces(place(), b"s", stuck).take(200)
    assert len(set(drawn)) == 200
    assert all(0 <= nonce < Q for nonce in drawn)
    assert max(drawn) > Q // 2


def test_the_statement_goes_on_unchanged() -> None:
    challenge = place()
    Nonces(challenge, b"s", stuck)
    assert challenge.scalar(b"c") == place().scalar(b"c")


def test_permutations_are_permutations_and_uniform() -> None:
    nonces = Nonces(place(), b"s", seeded("permutations"))
    assert sorted(nonces.permutation(28)) == list(range(1, 29))
    assert nonces.permutation(1) == [1]
    counts = Counter(tuple(nonces.permutation(3)) for _ in range(3000))
    assert len(counts) == 6
    chi_square = sum((count - 500) ** 2 / 500 for count in counts.values())
    assert chi_square < 25.7  # 5 degrees of freedom, one in 10,000


def test_the_repr_shows_nothing() -> None:
    nonces = Nonces(place(), b"s", stuck)
    assert str(nonces.next()) not in repr(nonces)
    assert "seed" not in repr(nonces)
