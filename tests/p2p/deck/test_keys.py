"""Keys and coins of a deal: commitment, opening, final opening, lots."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.session.deck_table import context_of, seeded
from support.session.tampering import STRANGER

from p2p.crypto.challenge import DealContext
from p2p.crypto.errors import DecodeError, Misuse
from p2p.crypto.group import Q, encode_scalar
from p2p.deck.errors import DeckFault
from p2p.deck.keys import (
    DealSecret,
    KeyOpening,
    check_final_opening,
    check_key_opening,
    commitment,
    commitment_to,
    final_opening,
    lot,
    open_key,
)

CONTEXT = context_of((0, 1, 2))
SECRET = DealSecret.make(CONTEXT, 1, seeded("secret"))
COMMITTED = commitment(CONTEXT, 1, SECRET)
OPENING = open_key(CONTEXT, 1, SECRET)
FINAL = final_opening(SECRET)


def fault_of(context: DealContext, seat: int, committed: bytes, opening: KeyOpening) -> str:
    """What the check says; the seat is the one that was checked."""
    with pytest.raises(DeckFault) as caught:
        check_key_opening(context, seat, committed, opening)
    assert caught.value.seat == seat
    return caught.value.what


def test_an_honest_opening_is_accepted() -> None:
    assert len(COMMITTED) == 32
    check_key_opening(CONTEXT, 1, COMMITTED, OPENING)
    assert check_final_opening(CONTEXT, 1, OPENING, FINAL) == (SECRET.key, SECRET.second_coin)


def test_opening_twice_gives_the_same_bytes() -> None:
    assert open_key(CONTEXT, 1, SECRET) == OPENING
    restored = DealSecret.from_bytes(SECRET.to_bytes())
    assert restored == SECRET
    assert open_key(CONTEXT, 1, restored) == OPENING
    assert commitment(CONTEXT, 1, restored) == COMMITTED


def test_openings_round_trip_in_160_bytes() -> None:
    assert len(OPENING.to_bytes()) == 160
    assert KeyOpening.from_bytes(OPENING.to_bytes()) == OPENING


def test_damaged_bytes_are_refused() -> None:
    data = OPENING.to_bytes()
    for bad in (b"", data[:-1], data + b"\x00", bytes(160), b"\xff" * 32 + data[32:]):
        with pytest.raises(DecodeError):
            KeyOpening.from_bytes(bad)
    stored = SECRET.to_bytes()
    for bad in (b"", stored[:-1], stored + b"\x00", b"\xff" * 32 + stored[32:]):
        with pytest.raises(DecodeError):
            DealSecret.from_bytes(bad)


@pytest.mark.parametrize("at", range(0, 160, 8))
def test_any_altered_byte_of_an_opening_is_refused(at: int) -> None:
    data = bytearray(OPENING.to_bytes())
    data[at] ^= 1
    try:
        opening = KeyOpening.from_bytes(bytes(data))
    except DecodeError:
        return
    assert fault_of(CONTEXT, 1, COMMITTED, opening) == ("the opened key is not the committed one")


def test_an_opening_of_another_commitment_is_refused() -> None:
    other = commitment(CONTEXT, 1, DealSecret.make(CONTEXT, 1, seeded("other")))
    assert fault_of(CONTEXT, 1, other, OPENING) == "the opened key is not the committed one"


@pytest.mark.parametrize(
    "opening",
    [
        replace(OPENING, key=STRANGER),
        replace(OPENING, proof=bytes(64)),
        replace(OPENING, proof=b"\xff" * 64),
        replace(OPENING, proof=b"short"),
    ],
)
def test_a_committed_key_without_a_proof_is_refused(opening: KeyOpening) -> None:
    fitting = commitment_to(CONTEXT, 1, opening)
    assert fault_of(CONTEXT, 1, fitting, opening) == "the knowledge of its key is not proven"


def places() -> list[tuple[DealContext, int]]:
    """Other seats, deals, tables, versions and company."""
    return [
        (CONTEXT, 0),
        (replace(CONTEXT, deal=2), 1),
        (replace(CONTEXT, root=b"x" * 32), 1),
        (replace(CONTEXT, version=2), 1),
        (replace(CONTEXT, seats=(0, 1)), 1),
    ]


@pytest.mark.parametrize(("context", "seat"), places())
def test_a_replayed_opening_is_refused(context: DealContext, seat: int) -> None:
    """Neither the commitment nor, if that is made to fit, the key's proof holds elsewhere."""
    assert "committed" in fault_of(context, seat, COMMITTED, OPENING)
    fitting = commitment_to(context, seat, OPENING)
    assert fitting != COMMITTED
    assert "not proven" in fault_of(context, seat, fitting, OPENING)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (FINAL[:-1], "the opening of its key has the wrong length"),
        (FINAL + b"\x00", "the opening of its key has the wrong length"),
        (b"", "the opening of its key has the wrong length"),
        (b"\xff" * 32 + FINAL[32:], "the opened secret key is not validly encoded"),
        (
            (SECRET.key + Q).to_bytes(32, "little") + FINAL[32:],
            "the opened secret key is not validly encoded",
        ),
        (bytes(32) + FINAL[32:], "the opened secret key does not fit its public key"),
        (
            encode_scalar(SECRET.key + 1) + FINAL[32:],
            "the opened secret key does not fit its public key",
        ),
        (FINAL[:32] + bytes(32), "the opened coin is not the committed one"),
        (FINAL[:32] + SECRET.first_coin, "the opened coin is not the committed one"),
    ],
)
def test_a_false_final_opening_is_refused(data: bytes, what: str) -> None:
    with pytest.raises(DeckFault) as caught:
        check_final_opening(CONTEXT, 1, OPENING, data)
    assert (caught.value.seat, caught.value.what) == (1, what)


@pytest.mark.parametrize(("context", "seat"), places())
def test_a_coin_is_bound_to_its_place(context: DealContext, seat: int) -> None:
    with pytest.raises(DeckFault, match="coin"):
        check_final_opening(context, seat, OPENING, FINAL)


COINS = [b"a" * 32, b"b" * 32, b"c" * 32]


def test_a_lot_depends_on_every_coin_their_order_the_label_and_the_deal() -> None:
    values = [
        lot(CONTEXT, b"starter", COINS),
        lot(CONTEXT, b"starter", COINS[::-1]),
        lot(CONTEXT, b"ties", COINS),
        lot(replace(CONTEXT, deal=2), b"starter", COINS),
        lot(replace(CONTEXT, root=b"x" * 32), b"starter", COINS),
        *(lot(CONTEXT, b"starter", [*COINS[:at], bytes(32), *COINS[at + 1 :]]) for at in range(3)),
    ]
    assert len(set(values)) == len(values)
    assert lot(CONTEXT, b"starter", COINS) == values[0]
    assert all(0 <= value < 2**512 for value in values)


def test_equal_coins_do_not_cancel() -> None:
    """A hash, never an XOR: two seats with one coin still leave the third's coin its say."""
    assert lot(CONTEXT, b"s", [COINS[0]] * 3) != lot(CONTEXT, b"s", [COINS[0], *[COINS[1]] * 2])


@pytest.mark.parametrize("count", [0, 2, 4])
def test_a_lot_needs_a_coin_of_every_seat(count: int) -> None:
    with pytest.raises(Misuse):
        lot(CONTEXT, b"starter", (COINS * 2)[:count])


def test_a_stuck_source_gives_other_secrets_in_another_deal() -> None:
    made = [DealSecret.make(context, seat, bytes) for context, seat in [(CONTEXT, 1), *places()]]
    values = [(s.key, s.first_coin, s.second_coin, s.proof_seed) for s in made]
    assert len({value for fields in values for value in fields}) == 4 * len(made)


def test_secrets_are_not_shown() -> None:
    shown = f"{SECRET!r} {SECRET}"
    for secret in (SECRET.key, SECRET.first_coin.hex(), SECRET.second_coin.hex()):
        assert str(secret) not in shown
    assert repr(SECRET.first_coin)[2:-1] not in shown


def test_the_commitment_hides_key_and_coins() -> None:
    """Nothing of the opening is in the commitment, and the coin alone changes it."""
    other = replace(SECRET, first_coin=bytes(32))
    assert commitment(CONTEXT, 1, other) != COMMITTED
    last = replace(SECRET, second_coin=bytes(32))
    assert commitment(CONTEXT, 1, last) != COMMITTED
    assert OPENING.key.raw != COMMITTED
    assert SECRET.second_coin not in OPENING.to_bytes()
