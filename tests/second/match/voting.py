"""Votes: whether they are a set, and what comes of it (14.6, 14.7)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from second.match.effects import add_points, claim_points, settle
from second.match.judging import ParkedError, judge
from second.match.match import Match, spot_of
from second.match.state import Absent, Era, State, Step
from second.refusing import demand
from second.wire.ballots import REASONS, Ballot, Out, ballot_of
from second.wire.messages import Message, Word, chained
from second.wire.values import Value

Said = TypeVar("Said", Message, Word)


@dataclass(frozen=True)
class Vote:
    """A vote, read."""

    message: Message
    ballot: Ballot

    @property
    def out(self) -> Out:
        """Who goes, by seat."""
        return self.ballot.out


@dataclass(frozen=True)
class Ground:
    """What votes rest on: held messages of the step, leaves, evidence."""

    messages: Sequence[Message]
    leaves: Sequence[Word]
    evidence: Sequence[Message]


def read_vote(message: Message) -> Vote:
    """The vote of a message whose shape was checked as it was read."""
    return Vote(message, ballot_of(message.body))


class Voting:
    """The votes of one open step, judged against the match and what they rest on."""

    def __init__(self, match: Match, ground: Ground) -> None:
        self.match = match
        self.state = match.state
        self.ground = _once_each(ground)

    def check(self, votes: list[Vote]) -> list[int]:
        """The seats that stay; refused unless these votes are a set."""
        state, first = self.state, votes[0]
        for vote in votes:
            self._counts(vote)
        staying = [seat for seat in state.seats if seat not in first.out]
        voters = sorted(vote.message.seat for vote in votes)
        demand(voters == staying, "not one vote of each that stays")
        for vote in votes:
            demand(vote.ballot.round == first.ballot.round, "another round")
            demand(set(vote.out) == set(first.out), "another list")
        self.ground = _needed(self.ground, votes)
        self._held_together(votes, staying)
        return staying

    def _counts(self, vote: Vote) -> None:
        """Points 1, 5 and 6."""
        state, place, seat = self.state, vote.message.place, vote.message.seat
        demand(place.root == state.era.root and place.step == state.step, "another step")
        demand(place.previous == state.chain[-1], "another way")
        demand(not state.sides and len(state.seats) >= 3, "two sides never vote")
        demand(not state.over, "the match is over")
        demand(seat in state.seats and seat not in vote.out, "a voter that is out")
        demand(bool(vote.out) and set(vote.out) <= set(state.seats), "out is nobody")
        for bot in state.seats:
            if state.table.owner_of(bot) in vote.out:
                demand(bot in vote.out, "a bot without its owner")
        self._majority(vote)
        for other in vote.out:
            self._reason(vote, other)
        self._held(vote)
        if vote.ballot.reach > state.step:
            demand(any(self._twice(vote, other) for other in vote.out), "it reached further")
        if state.winners:
            demand(all(reason == "fault" for reason, _ in vote.out.values()), "it is decided")
            demand(any(other in state.winners for other in vote.out), "no winner is out")

    def _majority(self, vote: Vote) -> None:
        """Point 2."""
        blamed = {seat for seat, (reason, _) in vote.out.items() if reason in ("left", "fault")}
        base = self.state.base_voices - self.state.gone - blamed
        staying = self.state.voices() - set(vote.out)
        demand(2 * len(staying) > len(base), "too few voices")

    def _twice(self, vote: Vote, seat: int) -> bool:
        """Whether a fault by two messages of ladder 0 and this step is named."""
        _, proof = vote.out[seat]
        pair = [one for one in _all_of(self.ground) if one.id in proof]
        step = (0, self.state.step)
        return len(proof) == 2 and all((e.place.ladder, e.place.step) == step for e in pair)

    def _reason(self, vote: Vote, seat: int) -> None:
        """Point 3."""
        reason, proof = vote.out[seat]
        owner = self.state.table.owner_of(seat)
        if owner in vote.out and owner is not None:
            demand(vote.out[owner] == (reason, proof), "a bot has its owner's reason")
            return
        if reason == "left":
            leaves = [w.id for w in self.ground.leaves if (w.seat, w.kind) == (seat, "leave")]
            demand(len(proof) == 1 and proof[0] in leaves, "no word that it left")
        elif reason == "fault":
            shown = _all_of(self.ground) if len(proof) > 1 else self.ground.evidence
            pair = [one for one in shown if one.id in proof]
            demand(len(proof) >= 1 and len(pair) == len(proof), "no evidence")
            demand(all(one.seat == seat for one in pair), "evidence of another seat")
            if len(pair) == 1:
                demand(self.match.refuses(pair[0]), "no fault")
            else:
                demand(spot_of(pair[0]) == spot_of(pair[1]), "two places")
        else:
            demand(proof == (), "nothing proves absence")
        if reason == "idle":
            due = seat in self.state.speakers() and self._waits_for_a_person()
            nothing = all(one.seat != seat for one in self._held_by(vote))
            demand(due and nothing, "it was not idle")

    def _waits_for_a_person(self) -> bool:
        phase = self.state.phase
        return phase in ("turn", "claim") or (phase == "call" and self.state.rules.claims)

    def _held_by(self, vote: Vote) -> list[Message]:
        return [one for one in _all_of(self.ground) if one.id in vote.ballot.held]

    def _held(self, vote: Vote) -> None:
        """Point 4."""
        held = self._held_by(vote)
        demand(len(held) == len(vote.ballot.held), "something held is not there")
        for one in held:
            demand(one.seat in self.state.speakers(), "held of one that was not to speak")
        if self.state.phase == "open":
            demand(any(one.seat == vote.message.seat for one in held), "its own key is not held")

    def _held_together(self, votes: list[Vote], staying: list[int]) -> None:
        """What a set must not hold."""
        state, held = self.state, self.ground.messages
        seats = [one.seat for one in held]
        demand(all(seats.count(seat) <= 1 for seat in staying), "two of one that stays")
        for vote in votes:
            for seat, (reason, _) in vote.out.items():
                demand(reason != "idle" or seat not in seats, "something of an idle seat")
        if set(seats) == set(state.speakers()):
            decks = {one.body[0] for one in held} if state.phase == "deal" else set()
            demand(len(decks) > 1, "the step is complete")

    def values(self, vote: Vote) -> dict[int, Value]:
        """What the held messages say, by seat; refused if one is wrong."""
        values: dict[int, Value] = {}
        place = vote.message.place
        twice = [one.seat for one in self.ground.messages]
        for one in self.ground.messages:
            demand(one.place == place, "held of another step")
            try:
                value = judge(self.state, one)
            except ParkedError:
                continue
            if twice.count(one.seat) == 1:
                values[one.seat] = value
        return values


def _once_each(ground: Ground) -> Ground:
    return Ground(_once(ground.messages), _once(ground.leaves), _once(ground.evidence))


def _once(some: Sequence[Said]) -> list[Said]:
    return list({one.id: one for one in some}.values())


def _needed(ground: Ground, votes: Sequence[Vote]) -> Ground:
    """What these votes hold and name, under whatever mark it stands: that is a matter of order."""
    held = {one for vote in votes for one in vote.ballot.held}
    named = {one for vote in votes for _, proof in vote.out.values() for one in proof}
    return Ground(
        [one for one in _all_of(ground) if one.id in held],
        [one for one in ground.leaves if one.id in named],
        [one for one in _all_of(ground) if one.id in named],
    )


def _all_of(ground: Ground) -> list[Message]:
    return _once([*ground.messages, *ground.evidence])


def merged(lists: list[Out]) -> Out:
    """Of each seat the reason that counts, with the proof of the smallest ids."""
    return {
        seat: min((one[seat] for one in lists), key=lambda one: (REASONS.index(one[0]), one[1]))
        for seat in lists[0]
    }


def close(match: Match, ground: Ground, messages: list[Message]) -> None:
    """Close the open step by these votes; refused unless they are a set."""
    messages = _once(messages)
    votes = sorted((read_vote(one) for one in messages), key=lambda vote: vote.message.seat)
    voting, state = Voting(match, ground), match.state
    staying = voting.check(votes)
    ground = voting.ground
    values = voting.values(votes[0])
    out = merged([vote.out for vote in votes])
    phase, deal, hands = state.phase, state.next_deal, state.hands
    state.seats = staying
    _settle_what_is_left(state, values)
    state.gone |= {seat for seat, (reason, _) in out.items() if reason in ("left", "fault")}
    by = tuple(staying)
    state.pending_absent += [Absent(seat, hands, out[seat][0], by) for seat in sorted(out)]
    ballots = [vote.message for vote in votes]
    step = Step(
        list(ground.messages), phase, deal, list(ground.leaves), list(ground.evidence), ballots
    )
    state.steps.append(step)
    state.chain.append(chained("retire", state.chain[-1], [one.id for one in ballots]))
    match.speakers.append(sorted(state.scores))
    for one in (*ground.messages, *ballots):
        match.known[spot_of(one)] = one
    _next_era(state)


def _next_era(state: State) -> None:
    state.next_deal += 1
    state.eras.append(Era(state.chain[-1], state.step, state.next_deal))
    state.said, state.hand, state.coins = {}, None, None
    state.phase = "agree"
    state.begin_ladder()


def _settle_what_is_left(state: State, values: dict[int, Value]) -> None:
    """14.7; the seats are those that stay already."""
    hand = state.hand
    decided = bool(state.winners)
    if hand is None:
        if decided:
            state.look_at_target()
        return
    if hand.begun:
        state.last_out = None
    if state.phase in ("claim", "reveal"):
        answers = values if state.phase == "reveal" else {}
        add_points(state, claim_points(state, answers))
        if state.rules.has("match-end", "at-once"):
            state.look_at_target()
    elif state.phase == "open":
        if not hand.by_target:
            left = {
                seat: [hand.own_tile(slot, seat, values[seat][0]) for slot in hand.held[seat]]
                for seat in state.seats
            }
            settle(state, left, hand.out)
            state.last_out = hand.out
        state.look_at_target()
