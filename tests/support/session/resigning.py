"""An alterer of records who repairs every hash, and re-signs with the keys of one seat."""

from collections.abc import Sequence

from support.session.matches import Kept

from p2p.crypto.identity import IdentityKey
from p2p.session.record import EVIDENCE_MARK, MESSAGE_MARK, pack
from p2p.wire.envelope import Body, Message, open_envelope, seal, step_hash


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


def rebuild(kept: Kept, seat: int, messages: Sequence[Message], altered: int = -1) -> list[Message]:
    """All messages of `seat` after number `altered` signed again to name the steps as they are now.

    A step is closed when a message of a later step of its ladder comes.
    """
    return _rebuilt(kept, (seat,), messages, altered)


def rebuild_for_all(kept: Kept, messages: Sequence[Message], altered: int) -> list[Message]:
    """The same of every seat: as if all had gone on after that message, whatever is wrong in it."""
    return _rebuilt(kept, kept.table.seats, messages, altered)


def _rebuilt(
    kept: Kept, seats: Sequence[int], messages: Sequence[Message], altered: int
) -> list[Message]:
    tops: dict[int, bytes] = {}
    steps: dict[int, tuple[int, list[bytes]]] = {}
    made: list[Message] = []
    for number, message in enumerate(messages):
        ladder = message.ladder
        step, ids = steps.get(ladder, (message.step, []))
        top = tops.setdefault(ladder, message.root)
        if message.step != step:
            top = tops[ladder] = step_hash(top, ids)
            ids = []
        if message.seat in seats and number > altered:
            body = message.body
            if message.kind == "deal":
                body = [_newest(tops, steps), *body[1:]]
            message = reseal(kept.keys[message.seat], message, top, body)
        steps[ladder] = (message.step, [*ids, message.id])
        made.append(message)
    return made


def _newest(tops: dict[int, bytes], steps: dict[int, tuple[int, list[bytes]]]) -> bytes:
    """T of the newest deal, as its ladder is now; anything where there is none."""
    newest = max(steps)
    return step_hash(tops[newest], steps[newest][1])
