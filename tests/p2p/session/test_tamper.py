"""Records altered in any place: never in order, never a traceback, never an innocent seat named.

By default a sample of the places; with ALLFIVES_FULL=1 in the environment every one of them.
"""

import random
from collections.abc import Callable, Iterable, Iterator

import pytest
from support.limits import FULL
from support.session.both_ways import verify_both_ways
from support.session.matches import Kept, classic, small
from support.session.resigning import packed, rebuild
from support.session.second_signature import sign_again

from p2p.session.record import FRAME_BYTES, HEAD_BYTES, MESSAGE_MARK, RecordUnreadable, pack
from p2p.session.verify import Report
from p2p.wire.codec import encode
from p2p.wire.envelope import SIGNED_LABEL, VERSION, Body, Message, open_envelope


def sample(places: Iterable[int], size: int, seed: str) -> list[int]:
    """Half as many of the places, or all of them in a full run."""
    every, size = list(places), (size + 1) // 2
    return every if FULL or len(every) <= size else random.Random(seed).sample(every, size)


def report_on(data: bytes) -> Report | None:
    """The report, or None for what is no record; anything else fails the test."""
    try:
        return verify_both_ways(data)
    except RecordUnreadable:
        return None


def refused(data: bytes, named: set[int | None] | None = None) -> None:
    """The record is not in order, and names nobody but those in `named`."""
    report = report_on(data)
    if report is not None:
        assert not report.ok
        assert not report.closed
        found = report.fault.seat if report.fault is not None else None
        assert found in (named or {None})
        assert found is not None or report.problem is not None


def flipped(data: bytes, at: int, mask: int) -> bytes:
    """The data with some bits of one byte changed."""
    return data[:at] + bytes([data[at] ^ mask]) + data[at + 1 :]


# Without repairing anything


@pytest.mark.parametrize("kept", [small, lambda: classic(4)], ids=["small", "four"])
def test_any_byte_changed(kept: Callable[[], Kept]) -> None:
    record = kept().record
    rng = random.Random("bytes")
    for at in sample(range(len(record)), 120, "bytes"):
        refused(flipped(record, at, rng.randrange(1, 256)))


def decided_after(kept: Kept) -> int:
    """How many messages stand up to the one that decides the match, itself included."""
    messages = kept.messages
    return max(
        count
        for count, message in enumerate(messages, 1)
        if message.kind not in ("open", "result") and message.ladder == 0
    )


def offsets(kept: Kept) -> list[int]:
    """Where in the record each message ends, the description's end first."""
    ends = [HEAD_BYTES + FRAME_BYTES + len(kept.table.description)]
    for message in kept.messages:
        ends.append(ends[-1] + FRAME_BYTES + len(MESSAGE_MARK + message.data))
    return ends


@pytest.mark.parametrize("size", [12])
def test_a_record_cut_anywhere(size: int) -> None:
    """In order only where nothing is missing but closing messages of a decided match."""
    kept, ends = small(), offsets(small())
    decided = ends[decided_after(kept)]
    near = {end + by for end in ends for by in (-1, 0, 1)} & set(range(len(kept.record)))
    for at in sorted({*sample(range(len(kept.record)), size, "cut"), *near}):
        if at < decided:
            refused_or_undecided(kept.record[:at])
            continue
        report = verify_both_ways(kept.record[:at])
        assert (report.ok, report.decided, report.closed) == (False, True, False)
        assert report.unsigned == ((1,) if at >= ends[-2] else (0, 1))


def refused_or_undecided(data: bytes) -> None:
    """No record, or one that shows a match without an end; nobody is named."""
    report = report_on(data)
    if report is not None:
        assert (report.ok, report.decided, report.closed) == (False, False, False)
        assert report.fault is None


def test_a_cut_whose_head_was_repaired() -> None:
    """Inside a frame it is an alteration; between two frames somebody may have stopped there."""
    kept, ends = small(), offsets(small())
    for count in range(len(kept.messages)):
        report = report_on(packed(kept, kept.messages[:count]))
        assert report is not None
        assert report.decided == (count >= decided_after(kept))
        assert not (report.ok)
        assert not (report.closed)
        assert report.fault is None
    description = kept.table.description
    for cut in (1, 100):
        refused(pack([description])[:-cut])
    assert ends[-1] == len(kept.record)


# With all hashes repaired


@pytest.mark.parametrize(
    ("kept", "size"), [(small, 30), (lambda: classic(3), 4)], ids=["small", "three"]
)
def test_any_byte_of_a_message_changed_and_the_head_repaired(
    kept: Callable[[], Kept], size: int
) -> None:
    match, rng = kept(), random.Random("repaired")
    frames = [match.table.description, *(MESSAGE_MARK + one.data for one in match.messages)]
    places = [(number, at) for number, frame in enumerate(frames) for at in range(len(frame))]
    for place in sample(range(len(places)), size, "repaired"):
        number, at = places[place]
        changed = list(frames)
        changed[number] = flipped(frames[number], at, rng.randrange(1, 256))
        refused(pack(changed))


def closing(kept: Kept) -> set[int]:
    """The numbers of the messages that sign the result: each may be missing."""
    return {number for number, one in enumerate(kept.messages) if one.kind == "result"}


@pytest.mark.parametrize(
    ("kept", "size"), [(small, 8), (lambda: classic(3), 2)], ids=["small", "three"]
)
def test_any_message_removed_or_doubled(kept: Callable[[], Kept], size: int) -> None:
    match = kept()
    messages = match.messages
    for at in sample(range(len(messages)), size, "removed"):
        less = packed(match, messages[:at] + messages[at + 1 :])
        if at in closing(match):
            report = verify_both_ways(less)
            assert (report.decided, report.closed, report.ok) == (True, False, False)
            assert report.unsigned == (messages[at].seat,)
        else:
            refused(less)
        refused(packed(match, messages[: at + 1] + messages[at:]))
        refused(packed(match, [*messages, messages[at]]))


@pytest.mark.parametrize(
    ("kept", "size"), [(small, 10), (lambda: classic(3), 2)], ids=["small", "three"]
)
def test_any_two_messages_swapped(kept: Callable[[], Kept], size: int) -> None:
    match = kept()
    messages = match.messages
    pairs = [(one, other) for other in range(len(messages)) for one in range(other)]
    neighbours = [place for place, (one, other) in enumerate(pairs) if other == one + 1]
    for place in {*sample(range(len(pairs)), size, "swap"), *sample(neighbours, size, "next")}:
        one, other = pairs[place]
        swapped = list(messages)
        swapped[one], swapped[other] = swapped[other], swapped[one]
        refused(packed(match, swapped))


def test_messages_of_another_match_put_in() -> None:
    kept, other = small(), classic(2)
    for at in range(len(kept.messages)):
        mixed = list(kept.messages)
        mixed[at] = other.messages[at]
        refused(packed(kept, mixed))
        refused(packed(other, kept.messages))


# Signed again with one seat's own keys


def bodies(message: Message) -> Iterator[Body]:
    """The body with each field altered in several ways."""
    yield [*message.body, b""]
    for at, field in enumerate(message.body):
        before, after = message.body[:at], message.body[at + 1 :]
        values: list[object] = [None, b"", b"\xff" * 32, 0, True, "L", []]
        if isinstance(field, bytes):
            values += [flipped(field, place, 1) for place in {0, len(field) // 2, len(field) - 1}]
        elif isinstance(field, bool):
            values.append(not field)
        elif isinstance(field, int):
            values += [field + 1, max(field - 1, 0)]
        yield from ([*before, value, *after] for value in values if value != field)
        yield [*before, *after]


def signed_again(kept: Kept, seat: int, message: Message) -> Iterator[Message]:
    """The message with every field altered in turn and the seat's true signature on it."""
    key = kept.keys[seat]

    def sealed(**changes: object) -> Message:
        fields = {name: changes.get(name, getattr(message, name)) for name in FIELDS}
        payload = encode([VERSION, *fields.values()])
        return open_envelope(encode([key.sign(SIGNED_LABEL, payload), payload]))

    yield from (sealed(body=body) for body in bodies(message))
    yield from (
        sealed(kind=kind) for kind in ("", "play", "pass", "commit") if kind != message.kind
    )
    yield from (sealed(step=message.step + by) for by in (1, 1000))
    yield from (sealed(ladder=ladder) for ladder in (0, 1, 2, 9) if ladder != message.ladder)
    yield from (sealed(previous=bytes(32)), sealed(table=bytes(32)), sealed(root=bytes(32)))
    yield sealed(seat=1 - seat if seat < 2 else 0)


FIELDS = ("table", "root", "ladder", "seat", "step", "previous", "kind", "body")


@pytest.mark.parametrize(
    ("kept", "size"), [(small, 10), (lambda: classic(3), 2)], ids=["small", "three"]
)
def test_messages_of_one_seat_altered_and_signed_again(kept: Callable[[], Kept], size: int) -> None:
    """With the others of that seat as they are, and with all its later ones made anew."""
    match = kept()
    for seat in range(len(match.keys)):
        every = [
            (number, altered)
            for number, message in enumerate(match.messages)
            if message.seat == seat
            for altered in signed_again(match, seat, message)
        ]
        for place in sample(range(len(every)), size, f"again {seat}"):
            number, altered = every[place]
            messages = list(match.messages)
            messages[number] = altered
            refused(packed(match, messages), {None, seat})
            refused(packed(match, rebuild(match, seat, messages, number)), {None, seat})


def test_rebuilding_an_unaltered_record_gives_that_record() -> None:
    for kept in (small(), classic(3)):
        for seat in range(len(kept.keys)):
            assert packed(kept, rebuild(kept, seat, kept.messages)) == kept.record


def test_an_altered_last_placement_leaves_nobody_elses_signature_on_the_result() -> None:
    """Who alters its own decisive placement has to drop all that others signed after it."""
    kept = small()
    count = decided_after(kept)
    last = kept.messages[count - 1]
    marked = [*last.body[:-1], True]
    altered = next(
        one
        for one in signed_again(kept, last.seat, last)
        if one.body == marked and one.step == last.step
    )
    report = verify_both_ways(packed(kept, [*kept.messages[: count - 1], altered]))
    assert (report.decided, report.closed, report.unsigned) == (True, False, (0, 1))
    refused(packed(kept, [*kept.messages[: count - 1], altered, *kept.messages[count:]]))


def test_a_second_signature_breaks_everything_that_was_signed_after_it() -> None:
    """But for the last step: there it makes another record, and both together prove it."""
    kept = small()
    for number, message in enumerate(kept.messages):
        seed = kept.keys[message.seat].private_bytes()
        again = sign_again(seed, SIGNED_LABEL, message.payload)
        messages = list(kept.messages)
        messages[number] = open_envelope(encode([again, message.payload]))
        if number in closing(kept):
            assert verify_both_ways(packed(kept, messages)).closed
            pair = sorted((message, messages[number]), key=lambda one: one.id)
            before = [one for one in kept.messages if one.step < message.step or one.ladder]
            report = verify_both_ways(packed(kept, before, [one.data for one in pair]))
            assert report.fault is not None
            assert report.fault.seat == message.seat
        else:
            refused(packed(kept, messages))
            refused(packed(kept, rebuild(kept, message.seat, messages, number)))
