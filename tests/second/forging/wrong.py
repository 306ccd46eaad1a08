"""Bodies that are certainly wrong where they stand, whatever the match is about: a fault (12)."""

import random
from collections.abc import Callable

from second.deck.group import Q
from second.wire.values import Value

Body = list[Value]
Wrong = Callable[[str, Body, random.Random], Body | None]
"""From a kind and the right body to a wrong one; None where there is none of that sort."""

SHARES = {"deal": 1, "call": 1, "play": 3, "share": 0}
"""Where in the body the shares stand: points, then two scalars."""

PROOFS = {"rank": 0, "draw": 0, "pass": 0}
"""Where a proof that slots are unplayable stands."""


def flipped(data: bytes, rng: random.Random) -> bytes:
    """The same with another bit."""
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]


def _with(body: Body, at: int, value: Value) -> Body:
    return [*body[:at], value, *body[at + 1 :]]


def field_more(kind: str, body: Body, rng: random.Random) -> Body | None:
    """A field behind the last."""
    return [*body, rng.choice([0, None, b"", False, "", []])]


def field_less(kind: str, body: Body, rng: random.Random) -> Body | None:
    """Without the last field. (A call without any is a no.)"""
    return body[:-1] if body else None


def other_type(kind: str, body: Body, rng: random.Random) -> Body | None:
    """A value of another kind that stands for the same."""
    if not body:
        return None
    at = rng.randrange(len(body))
    value = body[at]
    if type(value) is bool:
        others: list[Value] = [int(value), None, "yes", b"\1"]
    elif type(value) is int:
        others = [True, str(value), [value], None, bytes([value % 256])]
    elif type(value) is bytes:
        others = ["", 0, None, [value], value[:32].hex(), {}]
    elif type(value) is str:
        others = [value.encode(), [value], 0, True]
    elif type(value) is list and value and rng.random() < 0.5:
        others = [_with(value, 0, rng.choice([True, None, str(value[0]), [value[0]]]))]
    elif type(value) is list:
        others = [None, 0, {}, b"", *value[:1]]
    else:  # nil: the end of a lead, or the claim where there are none
        others = [False, 0, "", b"", []]
    return _with(body, at, rng.choice(others))


def other_value(kind: str, body: Body, rng: random.Random) -> Body | None:
    """A value of the right kind that is wrong."""
    if kind in ("commit", "claim"):
        return [rng.choice([body[0][:-1], body[0] + b"\0", b""])]
    if kind in SHARES and body:
        if kind == "play" and rng.random() < 0.6:
            return _other_move(body, rng)
        at = SHARES[kind]
        return _with(body, at, flipped(body[at], rng))
    if kind in PROOFS:
        return _with(body, 0, _other_proof(body[0], rng))
    if kind == "result":
        return _other_result(body, rng)
    if kind == "reveal" and rng.random() < 0.5:
        return [rng.choice([body[0] + 1, body[0] - 1, 169]), body[1]]
    if kind in ("key", "shuffle", "reveal", "open"):
        at = rng.randrange(len(body)) if kind != "reveal" else 1
        return _with(body, at, flipped(body[at], rng))
    return None


def _other_move(body: Body, rng: random.Random) -> Body:
    slot, tile, end, share, claim, auto = body
    bodies = [
        [(slot + rng.randrange(1, 28)) % 28, tile, end, share, claim, auto],
        [rng.choice([-1, 28, 255]), tile, end, share, claim, auto],
        [slot, (tile + rng.randrange(1, 28)) % 28, end, share, claim, auto],
        [slot, rng.choice([-1, 28]), end, share, claim, auto],
        [slot, tile, rng.choice(["", "l", "7U", "LR", "U "]), share, claim, auto],
    ]
    if claim is not None:
        bodies.append([slot, tile, end, share, rng.choice([-1, 169, 2**40]), auto])
    return rng.choice(bodies)


def _other_proof(proof: bytes, rng: random.Random) -> bytes:
    if not proof:
        return rng.choice([b"\0", bytes(32), rng.randbytes(96)])
    return rng.choice([flipped(proof, rng), flipped(proof, rng), proof[:-1], proof + b"\0", b""])


def _other_result(body: Body, rng: random.Random) -> Body:
    scores, winners = body
    at = rng.randrange(len(scores))
    return rng.choice(
        [
            [_with(scores, at, scores[at] + rng.choice([5, -5, 1])), winners],
            [scores, []],
            [scores, [*winners, winners[-1]]],
            [scores[:-1], winners],
            [scores, [seat for seat in range(len(scores)) if seat not in winners]],
        ]
    )


def another_encoding(kind: str, body: Body, rng: random.Random) -> Body | None:
    """A point or a scalar that only careless readers take for the same."""
    places = _numbers(kind, body)
    if not places:
        return None
    at, index, is_scalar = rng.choice(places)
    data = body[at]
    one = data[32 * index : 32 * index + 32]
    number = int.from_bytes(one, "little")
    if is_scalar:
        other = number + Q
    else:
        other = rng.choice([number | 1 << 255, 2**255 - 19 - number, number + 2**255 - 19])
    raw = (other % 2**256).to_bytes(32, "little")
    changed = data[: 32 * index] + raw + data[32 * index + 32 :]
    return None if changed == data else _with(body, at, changed)


def _numbers(kind: str, body: Body) -> list[tuple[int, int, bool]]:
    """Field, number in it, whether it is a scalar, of all points and scalars of a body."""
    if kind == "key":
        return [(0, 0, False), (0, 1, True), (0, 2, True)]
    if kind == "open":
        return [(0, 0, True)]
    if kind == "shuffle":
        deck = [(0, i, False) for i in range(56)]
        return [*deck, *[(1, i, i >= 8) for i in range(94)], *[(1, i, False) for i in range(8)] * 4]
    if kind in SHARES and body:
        at = SHARES[kind]
        count = len(body[at]) // 32
        return [(at, i, i >= count - 2) for i in range(count)]
    if kind in PROOFS and body[0]:
        last = len(body[0]) // 32 - 1
        return [(0, 0, False), (0, 1, False), (0, 2, False), (0, last, True), (0, last - 1, True)]
    return []


WRONG: tuple[Wrong, ...] = (
    field_more,
    field_less,
    other_type,
    other_value,
    other_value,
    another_encoding,
)
