"""An alterer of records who repairs every hash, and re-signs with the keys of one seat."""

from collections.abc import Sequence

from session_matches import Kept

from p2p.crypto.identity import IdentityKey
from p2p.session.record import EVIDENCE_MARK, MESSAGE_MARK, pack
from p2p.session.speaker import Body
from p2p.wire.envelope import Message, open_envelope, seal, step_hash


def packed(kept: Kept, messages: Sequence[Message], evidence: Sequence[bytes] = ()) -> bytes:
    """A record of the match's table with these messages and all its hashes in order."""
    return pack(
        [
            kept.table.description,
            *(MESSAGE_MARK + message.data for message in messages),
            *(EVIDENCE_MARK + data for data in evidence),
        ]
    )


def reseal(key: IdentityKey, message: Message, previous: bytes, body: Body) -> Message:
    """The message signed again with another body or history."""
    data = seal(key, message.table, message.place, previous, message.kind, body)
    return open_envelope(data)


def rebuild(kept: Kept, seat: int, messages: Sequence[Message]) -> list[Message]:
    """All later messages of `seat` signed again so that they name the steps as they are now.

    A step is closed when a message of a later step of its ladder comes.
    """
    tops: dict[int, bytes] = {}
    steps: dict[int, tuple[int, list[bytes]]] = {}
    made: list[Message] = []
    for message in messages:
        ladder = message.ladder
        step, ids = steps.get(ladder, (message.step, []))
        top = tops.setdefault(ladder, kept.table.id)
        if message.step != step:
            top = tops[ladder] = step_hash(top, ids)
            ids = []
        body = message.body
        if message.kind == "deal" and ladder == 0 and message.seat == seat:
            body = [_named(tops, steps, kept, message, body[0]), *body[1:]]
        if message.seat == seat and (message.previous, message.body) != (top, body):
            message = reseal(kept.keys[seat], message, top, body)
        steps[ladder] = (message.step, [*ids, message.id])
        made.append(message)
    return made


def _named(
    tops: dict[int, bytes],
    steps: dict[int, tuple[int, list[bytes]]],
    kept: Kept,
    message: Message,
    before: object,
) -> object:
    """T of the newest deal, as its ladder is now."""
    deals = [ladder for ladder in steps if ladder != 0]
    if not deals:
        return before
    ladder = max(deals)
    return step_hash(tops[ladder], steps[ladder][1])
