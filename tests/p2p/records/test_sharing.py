"""Several check one record: all that is left is checked, any doubt is all alone's."""

import io
import pickle
from collections.abc import Callable
from concurrent.futures import Executor
from unittest import mock

import pytest
from support.session.another import Done, Later, Pool
from support.session.matches import Kept, classic, passing
from support.session.resigning import packed, rebuild_for_all, reseal

from p2p.crypto.group import SCALAR_BYTES, Sum, decode_scalar, encode_scalar
from p2p.records import sharing
from p2p.records.sharing import Batch, checked, verify_shared
from p2p.session.judging import Judging, Unchecked
from p2p.session.verify import Report, open_table, verify_record
from p2p.wire.envelope import Body, open_envelope


def shared(data: bytes, pool: Executor | None = None) -> Report | None:
    return verify_shared(io.BytesIO(data), pool or Pool(), 1)


def test_who_is_free_checks_all_that_is_left() -> None:
    kept, pool = passing(), Pool()
    assert shared(kept.record, pool) == verify_record(kept.record)
    assert sum(pool.given) == len(kept.messages)


def test_what_others_have_no_time_for_is_checked_here() -> None:
    kept, pool = passing(), Pool(Later)
    with mock.patch.object(sharing, "checked", wraps=checked) as held:
        assert shared(kept.record, pool) == verify_record(kept.record)
    here = [one.args[0] for one in held.mock_calls]
    assert len(pool.given) == 2
    assert sum(len(batch.signed) for batch in here) == len(kept.messages)
    assert len(here) > 2


def lying(kept: Kept, kind: str, body: Callable[[Body], Body]) -> bytes:
    """The record with a lie in the last message of that kind, after which all have signed on."""
    at = max(at for at, one in enumerate(kept.messages) if one.kind == kind)
    said = kept.messages[at]
    lie = reseal(kept.keys[said.seat], said, said.previous, body(said.body))
    messages = [*kept.messages[:at], lie, *kept.messages[at + 1 :]]
    return packed(kept, rebuild_for_all(kept, messages, at))


def wrong_signature(kept: Kept) -> bytes:
    """A signature of something else, after which all have signed on."""
    first, second, *others = kept.messages
    forged = open_envelope(first.data.replace(first.signature, second.signature))
    return packed(kept, rebuild_for_all(kept, [forged, second, *others], 0))


def false_shuffle(kept: Kept) -> bytes:
    """A proof of points and scalars, which only the sum finds to be false."""

    def off(body: Body) -> Body:
        deck, proof = body
        assert isinstance(proof, bytes)
        last = encode_scalar(decode_scalar(proof[-SCALAR_BYTES:]) + 1)
        return [deck, proof[:-SCALAR_BYTES] + last]

    return lying(kept, "shuffle", off)


def no_points(kept: Kept) -> bytes:
    """What is no deck, to which nobody of those behind it comes."""
    return lying(kept, "shuffle", lambda body: [bytes([2]) + bytes(1791), body[1]])


def false_key(kept: Kept) -> bytes:
    return lying(kept, "open", lambda _: [bytes(64)])


def cut_short(kept: Kept) -> bytes:
    """A seat's fault that no proof is needed for."""
    said = next(one for one in kept.messages if one.kind == "deal")
    lie = reseal(kept.keys[said.seat], said, said.previous, [])
    return packed(kept, [*kept.messages[: kept.messages.index(said)], lie])


def out_of_order(kept: Kept) -> bytes:
    return packed(kept, [*kept.messages[1:], kept.messages[0]])


@pytest.mark.parametrize("kind", [Done, Later])
@pytest.mark.parametrize(
    "make",
    [wrong_signature, false_shuffle, no_points, false_key, cut_short, out_of_order],
)
def test_whatever_is_wrong_is_a_doubt(
    make: Callable[[Kept], bytes], kind: type[Done] | type[Later]
) -> None:
    data = make(classic(2))
    assert shared(data, Pool(kind)) is None
    report = verify_record(data)
    assert report.fault or report.problem


def test_what_only_others_have_found_is_a_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "checked", lambda _: None)
    for kind in (Done, Later):
        assert shared(classic(2).record, Pool(kind)) is None


class Blind(Later):
    """What is said to hold, whatever it is."""

    def result(self, timeout: float | None = None) -> Sum:
        return Sum()


def test_what_only_this_one_has_found_is_a_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "checked", lambda _: Sum())
    assert shared(passing().record, Pool(Blind)) is not None
    monkeypatch.setattr(sharing, "checked", lambda _: None)
    assert shared(passing().record, Pool(Blind)) is None


def wrong() -> Sum:
    """One that is not zero."""
    found = Sum()
    found.add_base(1)
    return found


def test_the_sums_of_all_together_must_be_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[Sum] = []

    def one_is_wrong(batch: Batch) -> Sum | None:
        found.append(Sum() if found else wrong())
        return found[-1]

    monkeypatch.setattr(sharing, "checked", one_is_wrong)
    for kind in (Done, Later):
        found.clear()
        assert shared(passing().record, Pool(kind)) is None
        assert len(found) > 2


def test_a_sum_of_a_deal_has_only_the_bases_of_all_deals_left() -> None:
    """Who adds them up multiplies these once."""
    left: list[Unchecked] = []
    recording, table = open_table(io.BytesIO(passing().record))
    Judging(recording, table, leave=left.append).run()
    found = [checked(Batch.of(recording.digest, deal)) for deal in left]
    for one in found[1:]:
        assert one is not None
        assert one.is_zero()
        assert len(one.points()) < 100
        assert len(pickle.dumps(one)) < 10_000


def test_what_leads_to_a_mistake_is_a_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is claimed may lead to what is no verdict at all."""

    def broken(_: object) -> None:
        raise KeyError("nothing true leads here")

    monkeypatch.setattr(Judging, "run", broken)
    assert shared(passing().record) is None
