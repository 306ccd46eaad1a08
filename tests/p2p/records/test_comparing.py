"""Two records of one table: of one match, or parted, and then where, by whom, and which stands."""

from collections.abc import Sequence
from functools import cache

import pytest
from support.session.leavers import deliver, play_on, put_out, until
from support.session.matches import classic
from support.session.resigning import packed, reseal
from support.session.tables import Game, rules_for

from p2p.crypto.identity import IdentityKey
from p2p.records.comparing import Comparison, Parting, compare
from p2p.session.record import Frame, Recording, decode, pack
from p2p.session.state.state import Phase
from p2p.session.state.table import Table
from p2p.session.verify import verify_record
from p2p.wire.envelope import VOTE, Message, Place, open_envelope, seal

KEPT = classic(2)
SAME = Comparison(None, (), None)


def compared(one: bytes, other: bytes, table: Table = KEPT.table) -> Comparison:
    """The comparison; turned round, it says the same."""
    found = compare(decode(one), decode(other), table)
    turned = compare(decode(other), decode(one), table)
    assert (turned.first, turned.both_signed) == (found.first, found.both_signed)
    assert turned.stands == (None if found.stands is None else 1 - found.stands)
    return found


def signed_again(one: Message, key: IdentityKey | None = None) -> Message:
    return reseal(key or KEPT.keys[one.seat], one, one.previous, [])


def of_kind(kind: str, number: int = 0) -> Message:
    return [one for one in KEPT.messages if one.kind == kind][number]


def up_to(*last: Message, without: Sequence[Message] = ()) -> bytes:
    """The record until the last of these comes, and they."""
    at = min(at for at, one in enumerate(KEPT.messages) if one.place == last[0].place)
    return packed(KEPT, [*(one for one in KEPT.messages[:at] if one not in without), *last])


def test_one_that_ends_earlier_is_of_the_same_match() -> None:
    results = [one for one in KEPT.messages if one.kind == "result"]
    others = [one for one in KEPT.messages if one.kind != "result"]
    assert compared(KEPT.record, KEPT.record) == SAME
    for messages in (others, [*others, results[0]], KEPT.messages[:20]):
        assert compared(KEPT.record, packed(KEPT, messages)) == SAME
    first, last = (packed(KEPT, [*others, one]) for one in results)
    assert compared(first, last) == SAME
    assert compared(KEPT.record, KEPT.record[:3000]) == SAME


@pytest.mark.parametrize("kind", ["play", "deal", "shuffle"])
def test_two_messages_for_one_place_name_who_signed_them(kind: str) -> None:
    one = of_kind(kind)
    found = compared(KEPT.record, up_to(signed_again(one)))
    assert found == Comparison(Parting(one.ladder, one.step), (one.seat,), None)


def test_what_nobody_of_the_table_signed_names_nobody() -> None:
    one = of_kind("play")
    forged = signed_again(one, KEPT.keys[1 - one.seat])
    assert compared(KEPT.record, up_to(forged)) == SAME


def test_evidence_behind_a_record_is_signed_too() -> None:
    one = of_kind("play", 1)
    before = KEPT.messages[: KEPT.messages.index(one)]
    proof = packed(KEPT, before, [signed_again(one).data])
    assert compared(KEPT.record, proof).both_signed == (one.seat,)


@cache
def ways() -> tuple[Table, bytes, bytes, bytes]:
    """A table of three at a turn: all go on; the last two are put out, each by the others."""
    game = Game.make(rules_for(3, "pagat", target="1", hand_size="2", draws="none"), "ways")
    until(game, Phase.TURN)
    deliver(game, ())
    records = []
    for gone in (None, 2, 0):
        copied = game.copy()
        if gone is None:
            copied.play()
        else:
            put_out(copied, {gone})
            play_on(copied, {gone})
        records.append(copied.sessions[1].record())
        assert verify_record(records[-1]).closed
    table = game.sessions[0].table
    return table, records[0], records[1], records[2]


def test_where_all_who_voted_went_on_the_other_stands() -> None:
    table, went_on, voted, _ = ways()
    found = compared(went_on, voted, table)
    assert (found.stands, found.both_signed) == (0, ())
    assert found.first is not None
    assert found.first.ladder == 0


def test_of_two_sets_of_votes_neither_stands_and_who_is_in_both_is_named() -> None:
    table, _, without_last, without_first = ways()
    found = compared(without_last, without_first, table)
    assert (found.stands, found.both_signed) == (None, (1,))


def test_where_one_who_voted_did_not_go_on_neither_stands() -> None:
    table, went_on, voted, _ = ways()
    one, other = decode(went_on), decode(voted)
    parted = next(
        at
        for at, pair in enumerate(zip(one.frames, other.frames, strict=False))
        if len(set(pair)) > 1
    )
    voters = {vote.seat for vote in map(message, other.frames) if vote.kind == VOTE}
    step = message(other.frames[parted]).step
    beyond = (
        at
        for at, frame in enumerate(one.frames)
        if at > parted and message(frame).step > step and message(frame).seat in voters
    )
    at = next(beyond)
    found = compared(until_frame(one, at), voted, table)
    assert found == Comparison(Parting(0, step), (message(one.frames[at]).seat,), None)


def test_votes_that_nobody_went_on_from_part_nothing() -> None:
    table, went_on, voted, _ = ways()
    parts = decode(voted)
    kinds = [message(frame).kind for frame in parts.frames]
    last = len(kinds) - 1 - kinds[::-1].index(VOTE)
    assert compared(went_on, until_frame(parts, last), table) == SAME


def test_votes_that_say_nothing_part_nothing() -> None:
    """With something of another era behind them, as votes that were gone on from have."""
    play = of_kind("play")
    key, seat = KEPT.keys[play.seat], play.seat
    vote, behind = (
        open_envelope(seal(key, play.table, place, play.previous, kind, body))
        for place, kind, body in (
            (Place(play.root, 0, play.step, seat), VOTE, [1, [], []]),
            (Place(bytes(32), 0, play.step + 1, seat), "agree", []),
        )
    )
    assert compared(KEPT.record, up_to(play, vote, behind)) == SAME


def message(frame: Frame) -> Message:
    return open_envelope(frame.data)


def until_frame(parts: Recording, last: int) -> bytes:
    """The record up to that frame."""
    return pack([parts.description, *(mark + data for mark, data in parts.frames[: last + 1])])
