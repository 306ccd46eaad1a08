"""Votes as a whole, over random schedules: nobody parts who should not, and nothing of weight is
undone. Each rule is taken away in turn, and a schedule, or a played case, finds that it is gone.

    ALLFIVES_VOTES=2000 pytest tests/p2p/session/leaving/test_model.py
"""

import os
from collections.abc import Callable

import pytest
from support.session.voters import ROOT, Voter, message, run

from p2p.session.leaving import sets
from p2p.session.leaving.known import Known
from p2p.session.leaving.sets import VoteSet
from p2p.wire.envelope import VOTE
from p2p.wire.messages import VoteBody
from p2p.wire.talk import Leave, Word

SEEDS = int(os.environ.get("ALLFIVES_VOTES", "12"))
MOST_UNDONE = 4
# Found by the schedules themselves: without the rule some honest voters part there.
NO_SPOIL = (4, 11)


@pytest.mark.parametrize(("count", "cheats"), [(3, False), (4, False), (4, True)])
def test_honest_voters_come_to_one_way(count: int, cheats: bool) -> None:
    retired = 0
    for seed in range(SEEDS):
        ended = run(count, seed, cheats)
        assert not ended.parted, seed
        assert ended.undone <= MOST_UNDONE, seed
        assert cheats or not ended.stuck, seed
        retired += ended.retired
    assert retired or SEEDS < 100, "no schedule put anybody out"


def test_without_the_rule_of_spoiled_sets_voters_part(monkeypatch: pytest.MonkeyPatch) -> None:
    count, seed = NO_SPOIL
    assert not run(count, seed, True).parted
    monkeypatch.setattr(sets, "is_spoiled", lambda one, known: False)
    assert run(count, seed, True).parted


def share(voters: list[Voter]) -> None:
    """All of them have what any has."""
    for one in voters:
        for other in voters:
            for said in list(one.known.messages.values()):
                other.known.add(said)


def pocketed() -> tuple[list[Voter], Callable[[], None]]:
    """Four voters; 1 is away, 3 keeps its `agree` back and spoils the set. Much later it shows it.
    Returns the voters as they stand before, and what shows it."""
    voters = [Voter(seat, 4) for seat in range(4)]
    three = [voters[0], voters[2], voters[3]]
    for away in ((), (1,)):
        for one in three:
            one.act(away)
        share(three)
    for one in (voters[0], voters[2]):
        assert [said.kind for said in one.act((1,))] == ["agree"]
    share([voters[0], voters[2]])
    root = voters[0].path[-1][2]
    (vote,) = (one for one in voters[3].known.votes(ROOT, 1) if one.seat == 3)
    later = VoteBody(2, vote.body.out, vote.body.held, 0)
    previous = vote.message.previous
    voters[3].known.add(message(ROOT, 1, previous, 3, VOTE, later.value()))
    share(three)
    for _ in range(8):
        for one in voters:
            one.wait()
            one.act(())
        share(voters)

    def show() -> None:
        for one in voters:
            one.known.add(message(root, 2, root, 3, "agree", []))
            one.walk()

    return voters, show


def test_an_agree_kept_back_undoes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    voters, show = pocketed()
    before = [one.path for one in voters]
    show()
    assert [one.undone for one in voters] == [0] * 4
    assert all(now.path[: len(old)] == old for now, old in zip(voters, before, strict=True))
    monkeypatch.setattr(sets, "is_dead", lambda one, known, finals: False)
    voters, show = pocketed()
    show()
    assert min(one.undone for one in voters) > MOST_UNDONE


def left_behind() -> list[Voter]:
    """Two who put 3, a bot, out with the vote of 2, which never says that it goes on from there;
    so they put it out too, and play on for long."""
    voters = [Voter(seat, 4, (0, 1, 2, 0)) for seat in range(3)]
    for away in ((), (3,)):
        for one in voters:
            one.act(away)
        share(voters)
    two = voters[:2]
    for turn in range(11):
        for one in two:
            one.act((2,) if turn == 1 else ())
        share(two)
    for one in two:
        one.walk()
    kinds = [kind for kind, _, _ in two[0].path]
    assert kinds[:3] == ["retire", "retire", "step"]
    assert len(kinds) > 3 + MOST_UNDONE
    return two


def shown_late(two: list[Voter], what: str) -> None:
    """What 2, or who has its key, can still show of the step at which it voted."""
    (vote,) = (one for one in two[0].known.votes(ROOT, 1) if one.seat == 2)
    previous, body = vote.message.previous, vote.body
    if what == "leave":
        word = Word(b"", 2, 1, Leave())
        for one in two:
            one.known.leave(word)
        return
    others = {
        "second vote": (1, VOTE, VoteBody(1, body.out, body.held, 0).value()),
        "later round": (1, VOTE, VoteBody(2, body.out, body.held, 0).value()),
        "beyond": (2, "x", []),
    }
    step, kind, said = others[what]
    for one in two:
        assert one.known.add(message(ROOT, step, previous, 2, kind, said))


@pytest.mark.parametrize("what", ["second vote", "later round", "beyond", "leave"])
def test_who_was_put_out_undoes_nothing_by_what_spoils_the_votes_before(what: str) -> None:
    two = left_behind()
    before = [one.path for one in two]
    shown_late(two, what)
    for one in two:
        one.walk()
        assert one.undone == 0
    assert [one.path for one in two] == before


def test_a_final_set_stands_though_a_voter_votes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def stands(voter: Voter) -> bool:
        voter.walk()
        return voter.path[-1][0] == "retire"

    def finalled() -> Voter:
        voters = [Voter(seat, 3) for seat in range(3)]
        two = voters[:2]
        for away in ((), (2,), (2,)):
            for one in two:
                one.act(away)
            share(two)
        (vote,) = (one for one in voters[0].known.votes(ROOT, 1) if one.seat == 0)
        again = VoteBody(2, vote.body.out, vote.body.held, 0)
        two[1].known.add(message(ROOT, 1, vote.message.previous, 0, VOTE, again.value()))
        two[1].walk()
        return two[1]

    voter = finalled()
    assert any(kind == "retire" for kind, _, _ in voter.path)

    def never(one: VoteSet, known: Known) -> bool:
        return False

    monkeypatch.setattr(sets, "is_final", never)
    assert not any(kind == "retire" for kind, _, _ in finalled().path)
