"""Which votes count: the right one, and each way in which one is wrong."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from support.session.tables import make_table, rules_for
from support.session.voters import ROOT, message

from p2p.session.leaving.counting import counts
from p2p.session.leaving.ground import Ground, may_go
from p2p.session.leaving.known import MAX_NAMED_A_VOTER, MAX_VOTES_A_SEAT, Known
from p2p.session.leaving.sets import choose, sets_of
from p2p.session.leaving.votes import Vote
from p2p.wire.codec import DecodeError
from p2p.wire.envelope import MAX_VOTE_ROUNDS, VOTE, Message, Place
from p2p.wire.messages import HELD_MOST, AgreeBody, VoteBody
from p2p.wire.out import Out
from p2p.wire.talk import Leave, make_word

STEP, BEFORE = 7, b"b" * 32
EVERYBODY = (0, 1, 2, 3)
GROUND = Ground(ROOT, STEP, BEFORE, EVERYBODY, EVERYBODY, (), EVERYBODY, (1, 2, 3))
TABLE, KEYS = make_table(rules_for(4), "counting")
LEAVE = make_word(KEYS[3], TABLE.id, 3, 0, Leave())


def said(
    seat: int, body: Sequence[object] = (), step: int = STEP, previous: bytes = BEFORE
) -> Message:
    return message(ROOT, step, previous, seat, "share", list(body))


SAID = said(1)


def out(seat: int = 3, reason: str = "absent", *proof: bytes) -> Out:
    return Out.read([seat, reason, sorted(proof)])


def vote(
    *outs: Out,
    seat: int = 0,
    held: tuple[bytes, ...] = (),
    reach: int = 0,
    step: int = STEP,
    previous: bytes = BEFORE,
    root: bytes = ROOT,
) -> Vote:
    body = VoteBody(1, outs or (out(),), tuple(sorted(held)), reach)
    return Vote.read(message(root, step, previous, seat, VOTE, body.value()))


def known(*messages: Message) -> Known:
    made = Known()
    for one in messages:
        made.add(one)
    return made


def test_a_vote_counts_on_its_own_step_only() -> None:
    assert counts(vote(), GROUND, known())
    for wrong in (
        vote(step=STEP + 1),
        vote(previous=bytes(32)),
        vote(root=bytes(32)),
        vote(seat=3),
        vote(out(0), seat=0),
    ):
        assert not counts(wrong, GROUND, known())


def test_who_may_go() -> None:
    assert may_go((out(),), GROUND)
    assert not may_go((), GROUND)
    assert not may_go((out(2), out(3)), GROUND), "half is not more than half"
    assert may_go((out(2, "left", bytes(32)), out(3)), GROUND)
    assert not may_go((out(),), replace(GROUND, seats=(0, 1, 2)))
    assert not may_go((out(2),), replace(GROUND, seats=(0, 2), final=(0, 2)))
    assert not may_go((out(),), replace(GROUND, sides=True))
    assert not may_go((out(),), replace(GROUND, owners=(0, 1, 3, 3)))
    assert may_go((out(2), out(3)), replace(GROUND, owners=(0, 1, 3, 3)))


def test_once_decided_only_the_winner_goes_and_for_a_fault() -> None:
    decided = replace(GROUND, winners=(3,))
    assert may_go((out(3, "fault", bytes(32)),), decided)
    for wrong in (out(3), out(3, "left", bytes(32)), out(2, "fault", bytes(32))):
        assert not may_go((wrong,), decided)


def test_half_is_counted_over_the_last_final_root() -> None:
    later = replace(GROUND, seats=(0, 1, 2), final=EVERYBODY)
    assert not may_go((out(2),), later)
    assert may_go((out(2),), replace(later, lost=(3,)))


def test_a_leave_is_proven_by_the_word_of_that_seat() -> None:
    there = known()
    leaver = vote(out(3, "left", LEAVE.id))
    assert not counts(leaver, GROUND, there)
    there.leave(LEAVE)
    assert counts(leaver, GROUND, there)
    assert not counts(vote(out(2, "left", LEAVE.id)), GROUND, there)
    assert not counts(vote(out(3, "left", bytes(32))), GROUND, there)
    assert not counts(vote(out(3, "left")), GROUND, there)
    assert not counts(vote(out(3, "absent", LEAVE.id)), GROUND, there)


def test_a_fault_is_proven_by_two_for_one_place_or_one_that_was_refused() -> None:
    one, other, elsewhere = said(3), said(3, [1]), said(3, step=STEP - 1)
    pair = vote(out(3, "fault", one.id, other.id))
    assert counts(pair, GROUND, known(one, other))
    assert not counts(pair, GROUND, known(one))
    assert not counts(vote(out(3, "fault", one.id, elsewhere.id)), GROUND, known(one, elsewhere))
    assert not counts(vote(out(2, "fault", one.id, other.id)), GROUND, known(one, other))
    assert not counts(vote(out(3, "fault")), GROUND, known(one))
    alone, there = vote(out(3, "fault", one.id)), known(one)
    assert not counts(alone, GROUND, there)
    there.refuse(one)
    assert counts(alone, GROUND, there)
    assert there.faults(3, ROOT) == [(one.id,)]
    assert there.faults(3, bytes(32)) == []
    assert known(one, other).faults(3, bytes(32)) == [tuple(sorted((one.id, other.id)))]


def test_what_a_vote_names_is_kept_though_two_others_prove_the_same() -> None:
    one, other, third = (said(3, [number]) for number in range(3))
    there = known(one, other)
    assert not there.add(third)
    named = vote(out(3, "fault", other.id, third.id))
    there.add(named.message)
    assert there.lacks
    assert there.wants(third.id)
    assert not counts(named, GROUND, there)
    assert there.add(third)
    assert counts(named, GROUND, there)
    assert not there.lacks
    assert {proof.id for proof in there.proving} == {one.id, other.id, third.id}
    assert there.faults(3, ROOT) == [tuple(sorted((one.id, other.id)))]


def test_of_one_voter_so_much_is_kept_for_what_it_names_and_a_leave_of_each_that_is_named() -> None:
    there, again = known(), make_word(KEYS[3], TABLE.id, 3, 1, Leave())
    there.leave(LEAVE)
    assert not there.leave(again)
    there.add(vote(out(3, "left", again.id), seat=1).message)
    assert there.leave(again)
    assert there.leaves == {3: LEAVE}
    assert there.named_leaves == [again]
    names = [bytes([number]) * 32 for number in range(1, MAX_NAMED_A_VOTER + 9)]
    for step, name in enumerate(names, STEP + 1):
        there.add(vote(held=(name,), step=step).message)
    assert sum(map(there.wants, names)) == MAX_NAMED_A_VOTER
    # What comes by itself makes room for another.
    there.add(vote(held=(SAID.id,), step=STEP + len(names) + 1, seat=2).message)
    assert there.wants(SAID.id)
    there.add(SAID)
    assert not there.wants(SAID.id)


def test_a_bot_goes_for_the_reason_of_its_owner() -> None:
    owned, there = replace(GROUND, owners=(0, 1, 3, 3)), known()
    there.leave(LEAVE)
    reason = ("left", LEAVE.id)
    assert counts(vote(out(2, *reason), out(3, *reason)), owned, there)
    assert not counts(vote(out(2, *reason), out(3, *reason)), GROUND, there)
    assert counts(vote(out(2), out(3)), owned, there)


def test_held_are_messages_of_that_step_that_one_has() -> None:
    holder = vote(held=(SAID.id,))
    assert counts(holder, GROUND, known(SAID))
    assert not counts(holder, GROUND, known())
    assert not counts(holder, replace(GROUND, fits=lambda one: False), known(SAID))
    for wrong in (said(0), said(1, step=STEP - 1), said(1, previous=bytes(32))):
        assert not counts(vote(held=(wrong.id,)), GROUND, known(wrong))


def test_who_votes_where_keys_are_opened_has_opened_its_own() -> None:
    opens = replace(GROUND, opens=True)
    assert not counts(vote(seat=1), opens, known(SAID))
    assert counts(vote(seat=1, held=(SAID.id,)), opens, known(SAID))


def test_idle_is_who_owes_a_decision() -> None:
    idle, person = vote(out(3, "idle")), replace(GROUND, person=True)
    answered = said(3)
    assert counts(idle, person, known())
    assert not counts(idle, GROUND, known())
    assert not counts(idle, replace(person, speakers=(1,)), known())
    spoken = vote(out(3, "idle"), held=(answered.id,))
    assert not counts(spoken, person, known(answered))


def test_a_bot_that_decides_nothing_goes_alone_and_not_for_what_its_owner_owes() -> None:
    bot, owner = out(3, "idle"), out(2, "idle")
    waits = replace(GROUND, person=True, owners=(0, 1, 2, 2), speakers=(3,))
    assert counts(vote(bot), waits, known())
    assert not counts(vote(owner, bot), waits, known())
    for_owner = replace(waits, speakers=(2,))
    assert not counts(vote(bot), for_owner, known())
    assert counts(vote(owner, bot), for_owner, known())


def test_steps_are_taken_back_only_where_two_versions_split_those_who_stay() -> None:
    one, other = said(3), said(3, [1])
    assert counts(vote(reach=STEP), GROUND, known())
    assert not counts(vote(reach=STEP + 1), GROUND, known())
    fault = out(3, "fault", one.id, other.id)
    assert counts(vote(fault, reach=STEP + 1), GROUND, known(one, other))
    earlier = said(3, step=STEP - 1), said(3, [1], STEP - 1)
    elsewhere = out(3, "fault", *(version.id for version in earlier))
    assert counts(vote(elsewhere), GROUND, known(*earlier))
    assert not counts(vote(elsewhere, reach=STEP + 1), GROUND, known(*earlier))


def ballots(*held: tuple[bytes, ...]) -> list[Message]:
    return [vote(seat=seat, held=one).message for seat, one in enumerate(held)]


def test_a_set_leaves_the_step_incomplete_and_has_one_voice_of_each_who_stays() -> None:
    mine, yours, late = said(1), said(2), said(3)
    twice = said(2, [1])
    open_ = [*ballots((mine.id,), (mine.id,), (yours.id,)), mine, yours, late, twice]
    (whole,) = sets_of(GROUND, known(*open_))
    assert whole.by == (0, 1, 2)
    assert whole.union == (mine, yours)
    assert not sets_of(GROUND, known(*open_[1:]))
    full = ballots((mine.id,), (yours.id,), (late.id,))
    assert not sets_of(GROUND, known(*full, mine, yours, late))
    both = ballots((yours.id,), (twice.id,), ())
    assert not sets_of(GROUND, known(*both, yours, twice))


def agree(root: bytes, step: int, seat: int) -> Message:
    return message(root, step, root, seat, AgreeBody.kind, [])


def final(votes: Sequence[Message], ground: Ground) -> list[Message]:
    """Votes on the step of a ground, with the agreement of all to the set that they are."""
    (one,) = sets_of(ground, known(*votes))
    return [*votes, *(agree(one.root, one.step + 1, seat) for seat in one.by)]


def test_a_set_that_all_voters_left_behind_is_dead_also_for_who_went_the_other_way() -> None:
    """Who looks on was shown an `agree` that those who play never saw. They have put its signer
    out since; what they hold there is not here."""
    ground = replace(GROUND, seats=(0, 1, 2), lost=(3,))
    here = final([vote(out(1), seat=seat, reach=STEP - 1).message for seat in (0, 2)], ground)
    there = replace(ground, step=STEP + 1, previous=bytes(32))
    held = said(2, step=STEP + 1, previous=bytes(32))
    votes = [
        vote(
            out(0), seat=seat, held=(held.id,), reach=STEP + 1, step=there.step, previous=bytes(32)
        )
        for seat in (1, 2)
    ]
    *behind, last = final([*(one.message for one in votes), held], there)
    rest = [one for one in behind if one is not held]
    few, many = ground, replace(ground, final=(0, 1, 2), lost=())
    chosen = choose(many, known(*here, *rest), {})
    assert chosen is not None, "not all have agreed to the other set"
    assert chosen.by == (0, 2)
    assert choose(many, known(*here, *rest, last), {}) is None
    assert choose(few, known(*here, *rest, last), {}) == chosen, "they may be no more than half"


def test_of_one_who_goes_two_versions_are_no_hindrance() -> None:
    one, other = sorted((said(3), said(3, [1])), key=lambda said: said.id)
    (whole,) = sets_of(GROUND, known(*ballots((one.id,), (other.id,), ()), one, other))
    assert whole.union == (one, other)


def test_votes_are_bounded() -> None:
    there = Known()
    for step in range(1, MAX_VOTES_A_SEAT + 1):
        assert there.add(vote(step=step).message)
    assert not there.add(vote(step=step + 1).message)
    assert there.add(vote(step=step + 1, seat=1).message)


def test_a_round_far_ahead_is_known_as_such() -> None:
    there = known(vote().message)
    for number, ahead in ((1, False), (2, False), (3, True), (MAX_VOTE_ROUNDS, True)):
        body = VoteBody(number, (out(),), (), 0)
        one = message(ROOT, STEP, BEFORE, 1, VOTE, body.value())
        assert there.is_ahead(one) is ahead


def test_a_third_message_for_a_place_proves_nothing_more() -> None:
    there = known(said(1), said(1, [1]))
    assert not there.add(said(1, [2]))
    assert len(there.versions(Place(ROOT, 0, STEP, 1))) == 2


@pytest.mark.parametrize(
    "body",
    [
        [],
        [1, [], []],
        [1, [[3, "absent", []]], [b"x"], 0],
        [1, [[3, "gone", []]], [], 0],
        [1, [[3, "left", [bytes(32)] * 2]], [], 0],
        [1, [[3, "absent", []]], [b"b" * 32, b"a" * 32], 0],
        [1, [[3, "absent", []]], [bytes([at]) * 32 for at in range(HELD_MOST + 1)], 0],
        [1, [[3, "absent", []]], [], -1],
        [1, [[3, "absent", []], [2, "absent", []]], [], 0],
    ],
)
def test_a_vote_says_what_a_vote_says(body: list[object]) -> None:
    with pytest.raises(DecodeError):
        VoteBody.read(body)
