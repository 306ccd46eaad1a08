"""The proofs of many deals checked together, for who has the whole record before it.

Shuffles, proofs of unplayable slots and messages of several shares leave their equations to one
sum (p2p/crypto/joint.py). Where a key is opened further on in the record, shares and the proof of
the key are checked with it, which accepts exactly what the check without it accepts, for less; and
what the open hand shows is not multiplied again: a slot (a, b) that holds tile t has b = M_t + x a.
An opened key counts as soon as x G = X holds, wherever it came from.

Until the sum is settled a false proof may stand; what was judged after it then counts for nothing,
and all is checked again without the sum. What is refused here is refused by the check of that one
proof, which says what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import repeat

from p2p.crypto import one_of_many, schnorr, share, shuffle
from p2p.crypto.bases import product_bases, selector_bases, shuffle_bases
from p2p.crypto.challenge import DealContext
from p2p.crypto.errors import DecodeError, ProofError
from p2p.crypto.group import G, Point, ReadPoint, Sum, decode_scalar, multiply_base
from p2p.crypto.joint import JointSum
from p2p.deck import shares as dealt
from p2p.deck import shuffles, unplayable
from p2p.deck.checks import Checks
from p2p.deck.hidden import HiddenDeck
from p2p.deck.keys import (
    KeyOpening,
    check_final_coin,
    commitment_to,
    key_challenge,
    read_final_opening,
)
from p2p.deck.pairs import TILE_POINTS, TILES, Deck, deck_key, open_deck

# The equations of so many hands share the multiplications of the bases; more would save little, and
# a sum that fails has so many hands checked again.
HANDS_A_SUM = 64
# Of so many the points are kept that no other hand has.
_HANDS_A_FOLD = 4
# A grid of at most 28 candidates has 5 rows and 6 columns.
_SELECTORS = 11
# What the equations of all hands have.
_LASTING = frozenset(
    point.raw
    for points in (
        (G,),
        TILE_POINTS,
        shuffle_bases(TILES),
        selector_bases(_SELECTORS),
        product_bases(_SELECTORS),
    )
    for point in points
)
# How many hints are tried for one key: the seats open theirs one after the other.
_HINTS_A_KEY = 4

Gather = Callable[[Sum, Sequence[int]], None]
Write = Callable[[Point, Iterable[tuple[int, Point]]], None]


class Unsettled(Exception):
    """The sum says that some proof does not hold, and not which."""


class _Singly(Exception):
    """This proof is to be checked by itself."""


_SINGLY = (_Singly, DecodeError, ProofError)


class OpenedKeys:
    """Secret keys that are opened further on; each counts once it is found to fit."""

    def __init__(self, hints: Iterator[bytes]) -> None:
        """`hints`: 32 bytes each that may be secret keys, in the order of the hands."""
        self._hints = hints
        # By encoding: bytes keep their hash.
        self._secrets: dict[bytes, int] = {}

    def secret(self, public: Point) -> int | None:
        """The x with x * G = public, if one of the next hints says it."""
        for _ in range(_HINTS_A_KEY):
            if public.raw in self._secrets:
                break
            self._try(next(self._hints, b""))
        return self._secrets.get(public.raw)

    def _try(self, hint: bytes) -> None:
        with suppress(DecodeError):
            secret = decode_scalar(hint)
            self._secrets[multiply_base(secret).raw] = secret

    def forget(self, publics: Iterable[Point]) -> None:
        """These keys are not asked for any more."""
        for public in publics:
            self._secrets.pop(public.raw, None)


class JointChecks(Checks):
    """Checks whose verdicts count once `settle` was called after them.

    `settled`: how many proofs, from the first on, it left to sums that held. A second run over the
    same record without a sum takes that number as `trusted`, and checks the others one by one.
    """

    def __init__(self, joint: JointSum | None, opened: OpenedKeys, trusted: int = 0) -> None:
        self.settled = 0
        self._joint = joint
        self._read: ReadPoint = Point.decode if joint is None else joint.point
        self._opened = opened
        self._trusted = trusted
        self._put_off = 0
        # How many have ended since the last sum; of how many of them the points were multiplied.
        self._hands = self._folded = 0
        # Points of decks that were shuffled since the last hand ended, and in the hand before that:
        # when their own hand ends, some of them are written otherwise.
        self._young: set[bytes] = set()
        self._coming: set[bytes] = set()
        # Of the hand in play, and of those before it that died and were never opened: the deck,
        # slot, seat, and the component b without the others' shares.
        self._rests: list[tuple[Deck, int, int, Point]] = []

    def settle(self, hands: int = 0) -> None:
        """Check what was left to the sum, if at least so many hands have ended since the last time.

        `Unsettled` if it does not hold.
        """
        if self._joint is None:
            return
        if self._hands >= hands:
            if not self._joint.settle():
                raise Unsettled
            self._hands = self._folded = 0
            self.settled = self._put_off
        elif self._hands >= self._folded + _HANDS_A_FOLD:
            self._fold(_LASTING | self._coming)
            self._folded = self._hands

    def fold(self) -> None:
        """Compute all but what the equations of all hands have. `Unsettled` if something that was
        received is no point."""
        self._fold(_LASTING)

    def _fold(self, lasting: Container[bytes]) -> None:
        if self._joint is not None and not self._joint.fold(lasting):
            raise Unsettled

    def _leave(self, equations: int, gather: Gather) -> None:
        """Leave a proof to the sum, to which `gather` adds so many equations."""
        if self._joint is not None:
            gather(self._joint.relation, self._joint.weights(equations))
        elif self._put_off >= self._trusted:
            raise _Singly
        self._put_off += 1

    def _secret(self, public: Point) -> int:
        secret = self._opened.secret(public)
        if secret is None:
            raise _Singly
        return secret

    def read_deck(self, data: bytes) -> Deck:
        """Whether its numbers are points is left to the sum."""
        return Deck.from_bytes(data, self._read)

    def key_opening(
        self, context: DealContext, seat: int, commitment: bytes, opening: KeyOpening
    ) -> None:
        """With the secret key if it is known."""
        try:
            secret = self._secret(opening.key)
            if commitment_to(context, seat, opening) != commitment:
                raise _Singly
            challenge = key_challenge(context, seat)
            schnorr.verify_opened(challenge, secret, opening.key, opening.proof)
        except _SINGLY:
            super().key_opening(context, seat, commitment, opening)

    def shuffle(
        self,
        context: DealContext,
        seat: int,
        deck_key: Point,
        before: Deck,
        after: Deck,
        proof: bytes,
    ) -> None:
        """Left to the sum."""
        try:
            link = shuffles.Shuffled(seat, after, proof)
            claim = shuffles.claim(context, deck_key, before, link, self._read)
            self._leave(shuffle.EQUATIONS, lambda into, by: shuffle.gather(into, by, *claim))
            self._young.update([point.raw for pair in after.pairs for point in pair])
            self._young.add(deck_key.raw)
        except _SINGLY:
            super().shuffle(context, seat, deck_key, before, after, proof)

    def shares(
        self,
        context: DealContext,
        seat: int,
        step_label: bytes,
        key: Point,
        deck: Deck,
        slots: Sequence[int],
        data: bytes,
    ) -> dict[int, Point]:
        """With the secret key if it is known; what several shares leave open goes to the sum."""
        try:
            secret = self._secret(key)
            bases = dealt.bases_of(deck, slots)
            shares, proof = dealt.decode_shares(data, Point.canonical)
            if len(shares) != len(slots):
                raise _Singly
            challenge = dealt.shares_challenge(context, seat, step_label, slots)
            if len(slots) == 1:
                share.verify_opened(challenge, secret, key, bases[0], shares[0], proof)
            else:
                claim = challenge, secret, key, bases, shares, proof
                self._leave(1, lambda into, by: share.gather_opened(into, by, *claim))
        except _SINGLY:
            return super().shares(context, seat, step_label, key, deck, slots, data)
        return dict(zip(slots, shares, strict=True))

    def unplayable(
        self,
        context: DealContext,
        seat: int,
        step_label: bytes,
        hidden: HiddenDeck,
        slots: Sequence[int],
        candidates: Sequence[int],
        data: bytes,
    ) -> None:
        """Left to the sum."""
        try:
            if not slots or not candidates:
                raise _Singly
            said = context, seat, step_label, hidden, slots, candidates, data
            claim = unplayable.claim(*said, self._read)
            equations = one_of_many.equations(len(slots))
            self._leave(equations, lambda into, by: one_of_many.gather(into, by, *claim))
        except _SINGLY:
            super().unplayable(context, seat, step_label, hidden, slots, candidates, data)
        else:
            rests = (rest for _, rest in claim[1].slots)
            self._rests += zip(repeat(hidden.deck), slots, repeat(seat), rests)

    def final_opening(
        self, context: DealContext, seat: int, opening: KeyOpening, data: bytes
    ) -> tuple[int, bytes]:
        """A key that was found to fit before fits."""
        key, coin = read_final_opening(seat, data)
        if self._opened.secret(opening.key) != key:
            return super().final_opening(context, seat, opening, data)
        check_final_coin(context, seat, opening, coin)
        return key, coin

    def open_all(
        self,
        hidden: HiddenDeck,
        secrets: Mapping[int, int],
        known: Mapping[int, int],
        held: Collection[int],
    ) -> list[int]:
        """And what the open hand shows is not multiplied again."""
        tiles = super().open_all(hidden, secrets, known, held)
        if self._joint is not None:
            self._write_keys(self._joint.relation.replace, hidden.keys, secrets)
            self._write_slots(self._joint.relation.replace, hidden, secrets, tiles)
        self._rests.clear()
        self._coming, self._young = self._young, set()
        self._opened.forget(hidden.keys.values())
        self._hands += 1
        return tiles

    def _write_keys(
        self, write: Write, keys: Mapping[int, Point], secrets: Mapping[int, int]
    ) -> None:
        """Keys as multiples of G, and the open deck as tiles and such a multiple."""
        total, key = sum(secrets.values()), deck_key(keys)
        for tile, (_, second) in zip(TILE_POINTS, open_deck(key).pairs, strict=True):
            write(second, [(1, tile), (total, G)])
        write(key, [(total, G)])
        for seat, public in keys.items():
            write(public, [(secrets[seat], G)])

    def _write_slots(
        self,
        write: Write,
        hidden: HiddenDeck,
        secrets: Mapping[int, int],
        tiles: Sequence[int],
    ) -> None:
        """b = M_t + x a with the x of all seats; without the others' shares with one seat's."""
        total, pairs = sum(secrets.values()), hidden.deck.pairs
        for tile, (first, second) in zip(tiles, pairs, strict=True):
            write(second, [(1, TILE_POINTS[tile]), (total, first)])
        for deck, slot, seat, rest in self._rests:
            if deck is not hidden.deck:
                continue
            write(rest, [(1, TILE_POINTS[tiles[slot]]), (secrets[seat], pairs[slot][0])])
