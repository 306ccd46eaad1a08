"""What a seat alone knows, told as it comes to be known: for searches of what must not hold it.

A modified seat: it does what the product does, and says what it does it with.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from engine.tiles import Tile
from p2p.crypto.challenge import Challenge, DealContext
from p2p.crypto.group import Q
from p2p.crypto.nonces import Nonces
from p2p.crypto.one_of_many import Grid, SlotResponses
from p2p.crypto.one_of_many_prover import SlotSecrets
from p2p.crypto.randomness import RandomBytes
from p2p.deck.keys import DealSecret
from p2p.session.state.secrets import SeatSecrets
from p2p.session.state.state import State

Value = int | bytes | tuple[int, ...]

# Kept until the deal is over, so that a killed seat says the same again; all else is in memory.
KEPT = ("key", "second coin", "proof seed")


@dataclass(frozen=True)
class Secret:
    """One of them. `deal` is its number, 0 where it is not known of what it was made.

    - of KEPT: what the seat bound itself to for a deal
    - randomness, seed: bytes of which others are made
    - scalar: a re-encryption factor, a mask, the nonce of a proof; permutation: of a shuffle
    - shown: a mask that a one-of-many proof answers with, as it does wherever a selector is 0; who
      reads the answers cannot tell which of them those are
    - tile: (slot, index) of an own one; share: the point that opens that slot to all, its bytes
    """

    what: str
    deal: int
    value: Value

    def to_line(self) -> str:
        """A line of text."""
        value = self.value.hex() if isinstance(self.value, bytes) else self.value
        return json.dumps([self.what, self.deal, value])

    @staticmethod
    def from_line(line: str) -> "Secret":
        """What `to_line` wrote."""
        what, deal, told = json.loads(line)
        return Secret(what, deal, _read(told))


def _read(told: int | str | list[int]) -> Value:
    if isinstance(told, int):
        return told
    return bytes.fromhex(told) if isinstance(told, str) else tuple(told)


Tell = Callable[[Secret], None]


def kept_of(deal: int, secret: DealSecret) -> list[Secret]:
    """What a seat has bound itself to for a deal."""
    values: tuple[Value, ...] = (secret.key, secret.second_coin, secret.proof_seed)
    return [Secret(what, deal, value) for what, value in zip(KEPT, values, strict=True)]


@contextmanager
def telling(tell: Tell) -> Iterator[None]:
    """In this block every seat of this process tells all that it alone knows."""
    with ExitStack() as stack:
        for kind, name, made in (
            (Nonces, "__init__", _nonces),
            (Nonces, "next", _next),
            (Nonces, "permutation", _permutation),
            (DealSecret, "make", _make),
            (SlotSecrets, "responses", _responses),
            (SeatSecrets, "tile", _tile),
        ):
            stack.enter_context(patch.object(kind, name, made(getattr(kind, name), tell)))
        yield


def _nonces(usual: Callable[..., None], tell: Tell) -> Callable[..., None]:
    def made(self: Nonces, statement: Challenge, secret: bytes, rng: RandomBytes) -> None:
        usual(self, statement, secret, _heard(rng, tell))
        tell(Secret("seed", 0, self._seed))

    return made


def _heard(rng: RandomBytes, tell: Tell) -> RandomBytes:
    def drawn(size: int) -> bytes:
        data = rng(size)
        tell(Secret("randomness", 0, data))
        return data

    return drawn


def _next(usual: Callable[[Nonces], int], tell: Tell) -> Callable[[Nonces], int]:
    def made(self: Nonces) -> int:
        scalar = usual(self)
        tell(Secret("scalar", 0, scalar))
        return scalar

    return made


def _permutation(
    usual: Callable[[Nonces, int], list[int]], tell: Tell
) -> Callable[[Nonces, int], list[int]]:
    def made(self: Nonces, size: int) -> list[int]:
        order = usual(self, size)
        tell(Secret("permutation", 0, tuple(order)))
        return order

    return made


def _responses(
    usual: Callable[[SlotSecrets, Grid, int], SlotResponses], tell: Tell
) -> Callable[[SlotSecrets, Grid, int], SlotResponses]:
    def made(self: SlotSecrets, grid: Grid, c: int) -> SlotResponses:
        for bit, mask in zip(self.selectors, self.masks, strict=True):
            if not bit:
                tell(Secret("shown", 0, mask % Q))
        return usual(self, grid, c)

    return made


def _make(usual: Callable[..., DealSecret], tell: Tell) -> Any:
    def made(context: DealContext, seat: int, rng: RandomBytes) -> DealSecret:
        secret = usual(context, seat, _heard(rng, tell))
        for one in kept_of(context.deal, secret):
            tell(one)
        return secret

    return staticmethod(made)


def _tile(
    usual: Callable[[SeatSecrets, State, int], Tile], tell: Tell
) -> Callable[[SeatSecrets, State, int], Tile]:
    seen: set[tuple[int, int]] = set()

    def made(self: SeatSecrets, state: State, slot: int) -> Tile:
        tile = usual(self, state, slot)
        deal = state.current
        if (deal.ctx.deal, slot) not in seen:
            seen.add((deal.ctx.deal, slot))
            share = self.of(deal).key * deal.deck.pairs[slot][0]
            tell(Secret("tile", deal.ctx.deal, (slot, tile.index)))
            tell(Secret("share", deal.ctx.deal, share.raw))
        return tile

    return made
