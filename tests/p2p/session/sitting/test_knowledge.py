"""What is known of the others: bounded, by hash, and what was forgotten does no harm."""

import tracemalloc

import pytest
from support.session.sittings import make_hall, played, silent

from p2p.session.sitting.knowledge import MAX_KNOWN_A_SEAT, Digests, Others
from p2p.session.sitting.owner import Outcome
from p2p.wire.envelope import Place, seal
from p2p.wire.talk import Said


def test_who_lacks_a_payload_is_told_it_once_on_a_link() -> None:
    others = Others((0, 2, 3))
    assert others.lacking(b"one") == []
    for seat in (3, 0, 2):
        others.link(seat)
    others.known[2].add(b"one")
    assert others.lacking(b"one") == [0, 3]
    assert others.lacking(b"one") == []
    others.lose(3)
    others.lose(3)
    assert others.lacking(b"two") == [0, 2]
    others.link(0)
    assert others.lacking(b"two") == [0]


def test_only_the_latest_are_remembered() -> None:
    known = Digests()
    for number in range(MAX_KNOWN_A_SEAT + 1):
        assert known.add(bytes([number % 256, number // 256]))
    assert len(known) == MAX_KNOWN_A_SEAT
    assert not known.add(bytes([1, 0]))
    assert known.add(bytes([0, 0]))


def test_messages_that_cannot_be_judged_yet_do_not_fill_the_memory() -> None:
    hall = make_hall()
    hall.sitters[0].answer = silent
    sender = hall.sitters[1].session
    hall.start(0)
    hall.on_the_way.clear()
    tracemalloc.start()
    for step in range(MAX_KNOWN_A_SEAT + 100):
        place = Place(sender.table.id, 0, 1000 + step, sender.seat)
        data = seal(sender._identity, sender.table.id, place, bytes(32), "play", [bytes(20_000)])
        hall.hear(0, 1, Said(data))
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 3_000_000
    assert len(hall.sitters[0].sitting.playing.others.known[1]) == MAX_KNOWN_A_SEAT


def test_nothing_is_kept_for_deals_behind_the_next_but_one() -> None:
    hall = make_hall()
    hall.start(0)
    sender = hall.sitters[1].session
    for ladder in (2, 3, 4, 99):
        place = Place(sender.table.id, ladder, 1, sender.seat)
        hall.hear(
            0, 1, Said(seal(sender._identity, sender.table.id, place, bytes(32), "commit", []))
        )
    assert {place.ladder for place in hall.sitters[0].session.parked} == {2}


def test_a_message_whose_sender_was_forgotten_is_sent_once_more_and_no_harm_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("p2p.session.sitting.knowledge.MAX_KNOWN_A_SEAT", 1)
    hall = played(3)
    assert [one.last.outcome for one in hall.sitters] == [Outcome("finished")] * 3
    assert len({one.session.record() for one in hall.sitters}) == 1
