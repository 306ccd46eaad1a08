"""p2p.crypto.identity: signatures under labels, refused keys, fingerprints."""

import hashlib
import pickle
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.session.second_signature import malleated, sign_again

from p2p.crypto import identity
from p2p.crypto.identity import BadKey, IdentityKey, check_public_key, fingerprint, verify

FIELD = 2**255 - 19
# The eight points of small order (cr.yp.to/ecdh.html gives their Montgomery forms); x signs added.
SMALL_ORDER = [
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
]


def key(seed: int = 1) -> IdentityKey:
    return IdentityKey.generate(random.Random(seed).randbytes)


def test_rfc_8032_seed_gives_the_rfc_key() -> None:
    seed = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
    public = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    assert IdentityKey.from_private_bytes(seed).public.hex() == public
    assert IdentityKey.from_private_bytes(seed).private_bytes() == seed


def test_generate_takes_its_randomness_from_the_caller() -> None:
    assert key(5).public == key(5).public != key(6).public
    assert IdentityKey.generate().public != IdentityKey.generate().public


def test_signature_is_for_one_label_payload_and_key() -> None:
    mine = key()
    signature = mine.sign(b"allfives test", b"payload")
    assert len(signature) == 64
    assert verify(mine.public, b"allfives test", b"payload", signature)
    assert not verify(mine.public, b"allfives tests", b"payload", signature)
    assert not verify(mine.public, b"allfives test", b"Payload", signature)
    assert not verify(key(2).public, b"allfives test", b"payload", signature)
    for place in range(64):
        broken = bytearray(signature)
        broken[place] ^= 1
        assert not verify(mine.public, b"allfives test", b"payload", bytes(broken))
    assert not verify(mine.public, b"allfives test", b"payload", signature[:-1])
    assert not verify(mine.public, b"allfives test", b"payload", b"")


def test_label_and_payload_cannot_be_moved_into_each_other() -> None:
    signature = key().sign(b"ab", b"c")
    assert not verify(key().public, b"a", b"bc", signature)
    assert not verify(key().public, b"abc", b"", signature)


@pytest.mark.parametrize("label", [b"", b" tls", b"0der", b"A", b"a\0b", b"a" * 64, b"a\n"])
def test_a_label_that_could_be_confused_is_our_own_mistake(label: bytes) -> None:
    with pytest.raises(AssertionError):
        key().sign(label, b"")


@pytest.mark.parametrize("encoded", SMALL_ORDER)
def test_small_order_keys_are_refused(encoded: str) -> None:
    raw = bytes.fromhex(encoded)
    with pytest.raises(BadKey, match="small order"):
        check_public_key(raw)


def test_the_forgery_that_the_small_order_check_stops() -> None:
    # With the identity as key, R = identity and S = 0 fit RFC 8032's equation for any message.
    forged = bytes.fromhex(SMALL_ORDER[0]) + bytes(32)
    assert not verify(bytes.fromhex(SMALL_ORDER[0]), b"allfives test", b"any", forged)


@pytest.mark.parametrize("y", [FIELD, FIELD + 1, FIELD + 3, 2**255 - 1])
@pytest.mark.parametrize("sign", [0, 2**255])
def test_second_encodings_are_refused(y: int, sign: int) -> None:
    with pytest.raises(BadKey, match="canonical"):
        check_public_key((y + sign).to_bytes(32, "little"))


# (y^2 - 1) / (d y^2 + 1) is no square for these y.
@pytest.mark.parametrize("y", [2, 7, 8, 12])
def test_points_off_the_curve_are_refused(y: int) -> None:
    with pytest.raises(BadKey, match="point of the curve"):
        check_public_key(y.to_bytes(32, "little"))


# 5 B and a point of order 2, 4 and 8, added.
MIXED_ORDER = [
    "003789297ce02defa2f4bc7635d1d7ce99b96d76eb91d31f905101674ddab720",
    "41484b65289d937d0b38db193f65bcf3aa3f81193d6cf9c75679b215a986e30a",
    "131604d01865fbedf9f662d25311c68a197cf286f2683724873a147fed6ada35",
]


@pytest.mark.parametrize("without", [False, True], ids=["libsodium", "without"])
@pytest.mark.parametrize("encoded", MIXED_ORDER)
def test_keys_outside_the_subgroup_are_refused(
    encoded: str, without: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if without:
        monkeypatch.setattr(identity, "ed25519_multiply", None)
    check_public_key.cache_clear()
    check_public_key(key().public)
    with pytest.raises(BadKey, match="subgroup"):
        check_public_key(bytes.fromhex(encoded))


@pytest.mark.parametrize("size", [0, 31, 33, 64])
def test_keys_of_another_length_are_refused(size: int) -> None:
    with pytest.raises(BadKey, match="32 bytes"):
        check_public_key(bytes(size))
    assert not verify(bytes(size), b"allfives test", b"", bytes(64))
    with pytest.raises(ValueError, match="32 bytes"):
        IdentityKey.from_private_bytes(bytes(size))


@settings(max_examples=50)
@given(st.binary(min_size=32, max_size=32), st.binary(max_size=200))
def test_every_generated_key_is_accepted_and_signs(seed: bytes, payload: bytes) -> None:
    mine = IdentityKey.from_private_bytes(seed)
    check_public_key(mine.public)
    assert verify(mine.public, b"allfives test", payload, mine.sign(b"allfives test", payload))


def test_a_signature_that_libsodium_refuses_is_looked_at_again() -> None:
    """With R of small order the equation may hold, and the protocol asks for nothing else."""
    mine, label, payload = key(), b"allfives test", b"any"
    signature = sign_again(mine.private_bytes(), label, payload, nonce=0)
    assert signature[:32] == bytes.fromhex(SMALL_ORDER[0])
    assert not identity._surely_signed(mine.public, label + b"\0" + payload, signature)
    assert verify(mine.public, label, payload, signature)
    assert not verify(mine.public, label, b"other", signature)


@pytest.mark.parametrize("without", [False, True], ids=["libsodium", "without"])
def test_one_verdict_with_and_without_libsodium(
    without: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if without:
        monkeypatch.setattr(identity, "ed25519_verify_detached", None)
    mine, label = key(), b"allfives test"
    signature = mine.sign(label, b"any")
    assert verify(mine.public, label, b"any", signature)
    assert verify(mine.public, label, b"any", sign_again(mine.private_bytes(), label, b"any"))
    wrong = [
        bytes([signature[at] ^ 1 if at == place else signature[at] for at in range(64)])
        for place in (0, 31, 32, 63)
    ]
    for forged in (*wrong, malleated(signature), signature[:-1], signature + b"\0", b"", bytes(64)):
        assert not verify(mine.public, label, b"any", forged)
    assert not verify(key(2).public, label, b"any", signature)
    assert not verify(mine.public, b"allfives other", b"any", signature)


def test_the_private_key_is_not_shown() -> None:
    mine = key()
    assert repr(mine) == f"<IdentityKey {fingerprint(mine.public)}>"
    assert mine.private_bytes().hex() not in repr(mine)
    with pytest.raises(TypeError):
        pickle.dumps(mine)


def test_fingerprint_is_sixteen_hex_digits_of_a_labelled_hash() -> None:
    public = key().public
    expected = hashlib.sha256(b"allfives key fingerprint\0" + public).hexdigest()[:16]
    assert fingerprint(public) == expected
    assert len({fingerprint(key(n).public) for n in range(50)}) == 50
