"""The order of a record (section 16)."""

from second.match.ladder import Ladder
from second.match.state import State, Step
from second.wire.messages import Message

Frame = bytes


def _marked(mark: bytes, messages: list[Message]) -> list[Frame]:
    return [mark + message.envelope for message in messages]


def ladder_frames(ladder: Ladder | None, until: int | None = None) -> list[Frame]:
    """The complete steps of a deal's ladder, those before a step if that is said."""
    if ladder is None:
        return []
    steps = ladder.steps if until is None else ladder.steps[: until - 1]
    return [frame for step in steps for frame in _marked(b"m", step)]


def open_frames(said: dict[int, Message]) -> list[Frame]:
    """What was said of an open step, by seat."""
    return _marked(b"m", [said[seat] for seat in sorted(said)])


def step_frames(state: State, step: Step) -> list[Frame]:
    """A step of ladder 0, with the deal's ladder before it, or the votes that closed it."""
    if not step.votes:
        before = ladder_frames(state.ladders[step.deal]) if step.phase == "deal" else []
        return before + _marked(b"m", step.messages)
    frames = proof_frames(state, step)
    frames += _marked(b"m", sorted(step.messages, key=lambda one: (one.seat, one.id)))
    frames += [b"l" + word.data for word in sorted(step.leaves, key=lambda word: word.id)]
    frames += _marked(b"e", sorted(step.evidence, key=lambda one: one.id))
    return frames + _marked(b"m", sorted(step.votes, key=lambda one: one.id))


def proof_frames(state: State, step: Step) -> list[Frame]:
    """The steps of an undealt ladder that a lone message of evidence rests on."""
    alone = lone_evidence(step)
    ladder = state.ladders.get(step.deal)
    if any(one.kind == "deal" and one.place.ladder == 0 for one in alone):
        return ladder_frames(ladder)
    steps = [one.place.step for one in alone if one.place.ladder == step.deal]
    return ladder_frames(ladder, max(steps)) if steps else []


def lone_evidence(step: Step) -> list[Message]:
    """The messages that are named alone as proof of a fault by a vote."""
    ids = {
        proof[0]
        for vote in step.votes
        for _, reason, proof in vote.body[1]
        if reason == "fault" and len(proof) == 1
    }
    return [one for one in step.evidence if one.id in ids]


def complete_frames(state: State) -> list[Frame]:
    """All complete steps of ladder 0, with their ladders."""
    return [frame for step in state.steps for frame in step_frames(state, step)]


def said_at_ladder(ladder: Ladder | None) -> list[Frame]:
    """What was said of the open step of a deal's ladder."""
    if ladder is None:
        return []
    return open_frames({seat: said.message for seat, said in ladder.said.items()})


def said_at_match(state: State) -> list[Frame]:
    """What was said of the open step of ladder 0."""
    return open_frames({seat: said.message for seat, said in state.said.items()})


def record_frames(state: State, evidence: list[Message]) -> list[Frame]:
    """A record of this state; evidence that nobody was put out for, or that ended it."""
    frames = complete_frames(state)
    ahead = any(one.place.ladder >= state.next_deal for one in evidence)
    if evidence and (ahead or state.phase == "deal"):
        frames += ladder_frames(state.next_ladder())
    if state.decided and not (evidence and state.sides):
        frames += said_at_match(state)
    return frames + _marked(b"e", evidence)
