"""What a seat holds, and what of that another one lacks: whoever lacks something gets just that."""

import random
from itertools import pairwise

import pytest
from support.session.matches import classic
from support.session.second_signature import sign_again

from p2p.session.holding import hold_of, is_ahead, lacking, locator
from p2p.session.referee import Referee, Verdict
from p2p.session.state.errors import Fault
from p2p.wire.codec import encode
from p2p.wire.envelope import SIGNED_LABEL, Message, open_envelope
from p2p.wire.talk import LOCATOR_MOST, Hold, Rung, decode_talk, encode_talk

KEPT = classic(3)
ALL = KEPT.messages
# Nothing here changes it.
FULL = KEPT.game.sessions[0].referee


def referee_of(messages: list[Message]) -> Referee:
    """A referee that has taken these."""
    referee = Referee(KEPT.table)
    for message in messages:
        assert referee.receive(message) is Verdict.ACCEPTED
        referee.take_events()
    return referee


def test_a_locator_goes_back_by_ever_longer_strides() -> None:
    hashes = [bytes([step]) * 32 for step in range(40)]
    steps = [step for step, _ in locator(hashes)]
    assert steps == [39, 38, 37, 35, 31, 23, 7, 0]
    assert [name for _, name in locator(hashes)] == [hashes[step] for step in steps]
    assert locator(hashes[:1]) == ((0, hashes[0]),)
    assert locator(hashes[:2]) == ((1, hashes[1]), (0, hashes[0]))
    strides = [before - after for before, after in pairwise(steps)]
    assert strides[:-1] == sorted(strides[:-1])


def test_the_longest_locator_and_every_hold_go_over_a_link() -> None:
    class Endless(list[bytes]):
        def __len__(self) -> int:
            return 2**32

        def __getitem__(self, step: object) -> bytes:  # type: ignore[override]
            return bytes(32)

    marks = locator(Endless())
    assert len(marks) <= LOCATOR_MOST
    hold = Hold(KEPT.table.id, (Rung(0, marks, ()), Rung(7, marks, ())), ())
    keys = [person.key for person in KEPT.table.people]
    assert decode_talk(encode_talk(hold), KEPT.table.id, keys) == hold


@pytest.mark.parametrize("seed", range(2))
def test_whoever_has_a_part_gets_the_rest_in_an_order_in_which_it_can_be_judged(seed: int) -> None:
    full = FULL
    count = random.Random(seed).randrange(len(ALL))
    other = referee_of(ALL[:count])
    found = lacking(full, hold_of(other))
    assert found.whole
    assert is_ahead(hold_of(full), other)
    assert not is_ahead(hold_of(other), full)
    for message in found.messages:
        assert other.receive(message) in (Verdict.ACCEPTED, Verdict.KNOWN)
    assert other.ladders[0].top == full.ladders[0].top
    assert lacking(full, hold_of(other)).messages == ()
    assert not is_ahead(hold_of(full), other)


def test_what_is_sent_for_one_hold_is_bounded_and_the_rest_follows() -> None:
    full, other, rounds = FULL, Referee(KEPT.table), 0
    while True:
        found = lacking(full, hold_of(other), most=8_000)
        assert sum(len(message.data) for message in found.messages) <= 8_000
        for message in found.messages:
            other.receive(message)
        rounds += 1
        if found.whole:
            break
        assert is_ahead(hold_of(full), other)
    assert rounds > 2
    assert other.ladders[0].top == full.ladders[0].top


def test_of_an_open_step_only_what_is_lacking_is_sent() -> None:
    deals = [place for place, message in enumerate(ALL) if message.kind == "deal"]
    full, other = referee_of(ALL[: deals[1] + 1]), referee_of(ALL[: deals[0] + 1])
    assert {message.seat for message in full.ladders[0].open.values()} == {0, 1}
    found = lacking(full, hold_of(other)).messages
    assert [(one.ladder, one.seat) for one in found] == [(0, 1)]
    assert is_ahead(hold_of(full), other)


def test_two_versions_of_one_step_meet_and_prove_their_signer() -> None:
    """Somebody has signed the same twice; each of two seats has gone on with another one."""
    last = ALL[-1]
    key = KEPT.keys[last.seat]
    second = encode([sign_again(key.private_bytes(), SIGNED_LABEL, last.payload), last.payload])
    one = FULL
    other = referee_of([*ALL[:-1], open_envelope(second)])
    found = lacking(one, hold_of(other)).messages
    (message,) = [each for each in found if each.place == last.place]
    with pytest.raises(Fault) as caught:
        other.receive(message)
    assert caught.value.seat == last.seat


def test_evidence_goes_with_what_is_lacking() -> None:
    full = FULL
    evidence = (ALL[0], ALL[1])
    assert lacking(full, hold_of(full), evidence).messages == evidence


def test_what_nobody_holds_asks_for_everything_and_harms_nothing() -> None:
    full = FULL
    strange = Hold(KEPT.table.id, (Rung(99, ((5, bytes(32)), (0, bytes(32))), (bytes(32),)),), ())
    assert {*ALL} <= {*lacking(full, strange).messages}
    assert is_ahead(strange, full)
