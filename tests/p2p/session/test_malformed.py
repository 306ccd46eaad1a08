"""Every field of every kind of message in every wrong shape: the signer is named, nothing changes.

A referee reads a whole record. Before each first message of a kind it is offered that message in
all wrong shapes, signed by its true seat for its true place; then the true one, which must fit.
"""

from collections.abc import Iterator

import pytest
from support.session.matches import Kept, all_kinds

from engine.hand import MOST_CLAIMED
from p2p.session.referee import Referee, Verdict
from p2p.session.state.errors import Fault
from p2p.wire.codec import INT_HIGH, INT_LOW
from p2p.wire.envelope import Body, Message, open_envelope, seal

KINDS = (
    "agree",
    "commit",
    "key",
    "shuffle",
    "deal",
    "call",
    "rank",
    "play",
    "draw",
    "share",
    "pass",
    "claim",
    "reveal",
    "open",
    "result",
)
# One of each type of a value, and the largest of them that fit into a frame.
VALUES: tuple[object, ...] = (
    None,
    True,
    0,
    -1,
    INT_HIGH,
    INT_LOW,
    b"",
    b"\xff" * 60_000,
    "",
    "L",
    "\u202e\x1b[2J" * 500,
    [],
    [0] * 64,
    [[[[]]]],
    {},
    {"x": 1},
)


def shapes(body: Body) -> Iterator[Body]:
    """A body with each field replaced, missing, doubled, exchanged or bent."""
    yield from ([*body, extra] for extra in VALUES)
    for at, field in enumerate(body):
        yield from ([*body[:at], value, *body[at + 1 :]] for value in VALUES)
        yield body[:at] + body[at + 1 :]
        if isinstance(field, bytes) and field:
            bent = (field[:-1], field + b"\0", field[1:] + field[:1], bytes(len(field)))
            yield from ([*body[:at], value, *body[at + 1 :]] for value in bent)


def allowed(message: Message, body: Body) -> bool:
    """Whether another body is as good: another commitment, answer, claim or mark of the clock."""
    if body == message.body or _claims_another(message, body):
        return True
    if message.kind in ("commit", "claim"):
        return len(body) == 1 and isinstance(body[0], bytes) and len(body[0]) == 32
    if message.kind in ("play", "draw", "pass"):
        return (
            len(body) == len(message.body) and body[:-1] == message.body[:-1] and body[-1] is True
        )
    return message.kind == "call" and body == []


def _claims_another(message: Message, body: Body) -> bool:
    """Another number is claimed for a lead that was called for, or for a placement."""
    at = {"call": 2, "play": 4}.get(message.kind, len(body))
    if len(body) != len(message.body) or at >= len(body) or message.body[at] is None:
        return False
    claim = body[at]
    bounded = type(claim) is int and 0 <= claim <= MOST_CLAIMED
    return bounded and [*body[:at], *body[at + 1 :]] == [
        *message.body[:at],
        *message.body[at + 1 :],
    ]


def offer(referee: Referee, kept: Kept, message: Message) -> int:
    """Offer every wrong shape of a message; returns how many were refused."""
    refused = 0
    for body in shapes(message.body):
        if allowed(message, body):
            continue
        data = seal(
            kept.keys[message.seat],
            message.table,
            message.place,
            message.previous,
            message.kind,
            body,
        )
        if message.kind == "deal" and _names_another(message, body):
            assert referee.receive(open_envelope(data)) is Verdict.LATER
            continue
        with pytest.raises(Fault) as caught:
            referee.receive(open_envelope(data))
        assert caught.value.seat == message.seat
        assert caught.value.what.isprintable()
        assert len(caught.value.what) < 400
        refused += 1
    return refused


def _names_another(message: Message, body: Body) -> bool:
    """Another deck, in the shape of a name: somebody may have signed two, so nobody is named."""
    shaped = len(body) == 2 and isinstance(body[1], bytes)
    return (
        shaped and isinstance(body[0], bytes) and len(body[0]) == 32 and body[0] != message.body[0]
    )


def test_each_kind_of_message_in_each_wrong_shape() -> None:
    offered: dict[str, int] = dict.fromkeys(KINDS, 0)
    for kept in all_kinds():
        referee = Referee(kept.table)
        seen: set[str] = set()
        for message in kept.messages:
            first = message.kind not in seen and (message.kind != "call" or message.body)
            if first and not (message.kind in ("rank", "draw", "pass") and not message.body[0]):
                seen.add(message.kind)
                offered[message.kind] += offer(referee, kept, message)
            assert referee.receive(message) is Verdict.ACCEPTED
    assert min(offered.values()) >= len(VALUES)


def test_each_kind_is_refused_in_every_phase_but_its_own() -> None:
    """Also kinds that are none, and those of the other ladder."""
    for kept in all_kinds():
        referee = Referee(kept.table)
        for message in kept.messages:
            own = referee.row(message.ladder).kinds
            for kind in {*KINDS, "", "agree\0"} - set(own):
                data = seal(
                    kept.keys[message.seat],
                    message.table,
                    message.place,
                    message.previous,
                    kind,
                    message.body,
                )
                with pytest.raises(Fault) as caught:
                    referee.receive(open_envelope(data))
                assert (caught.value.seat, caught.value.what) == (
                    message.seat,
                    f"it sent {kind!r} out of place",
                )
            assert referee.receive(message) is Verdict.ACCEPTED
