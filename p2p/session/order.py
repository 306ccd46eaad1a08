"""The one order of a record's frames: of whole steps as they are completed, and of what is behind
them.

The messages of a deal's ladder stand before the match step that names its deck. In place of a step
that votes closed stand the messages of that step that the voters have, the leaves and the evidence
that they name, and the votes. Once the match is decided the messages of the unfinished closing step
are there too.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from p2p.crypto.errors import Misuse
from p2p.deck.checks import TrustedChecks
from p2p.session.leaving.retired import Retired
from p2p.session.phases import Waits
from p2p.session.referee import Referee, Verdict
from p2p.session.state.errors import Fault
from p2p.session.state.events import SessionEvent
from p2p.wire.envelope import MATCH_LADDER, VOTE, Message, open_envelope
from p2p.wire.messages import DealBody
from p2p.wire.talk import Word

MESSAGE_MARK = b"m"
LEAVE_MARK = b"l"
EVIDENCE_MARK = b"e"


class Frame(NamedTuple):
    """A part of a record's body: what it is, and its bytes."""

    mark: bytes
    data: bytes


class Entry(NamedTuple):
    """What a frame is made of."""

    mark: bytes
    said: Message | Word

    @property
    def frame(self) -> Frame:
        """The frame."""
        return Frame(self.mark, self.said.data)


def _marked(mark: bytes, said: Iterable[Message | Word]) -> list[Entry]:
    return [Entry(mark, one) for one in said]


class Steps:
    """What stands in a record for the completed steps of ladder 0, a step at a time. Where the
    referee goes on, so does this; the referee need not keep what was given already."""

    def __init__(self, referee: Referee, since: int = 0) -> None:
        """Of the steps behind that one."""
        self._referee = referee
        self._given = since

    def __iter__(self) -> Iterator[list[Entry]]:
        steps = self._referee.ladders[MATCH_LADDER].steps
        while self._given < len(steps):
            for said in steps.between(self._given, len(steps)):
                self._given += 1
                yield self._of(self._given, list(said.values()))

    def _of(self, at: int, messages: list[Message]) -> list[Entry]:
        """The step number `at`, with what stands before it."""
        referee = self._referee
        if at in referee.retired:
            return _of_votes(referee, referee.retired[at])
        if at in referee.deals_at:
            messages = referee.ladders[referee.deals_at[at]].messages() + messages
        return _marked(MESSAGE_MARK, messages)


def _of_votes(referee: Referee, retired: Retired) -> list[Entry]:
    """Votes with all that stands before them."""
    return [
        *_marked(MESSAGE_MARK, (*needed_by(referee, retired), *retired.votes.union)),
        *_marked(LEAVE_MARK, retired.leaves),
        *_marked(EVIDENCE_MARK, retired.evidence),
        *_marked(MESSAGE_MARK, retired.ballots),
    ]


def behind(referee: Referee, evidence: Sequence[Message] = (), cut: bool = False) -> list[Message]:
    """The messages behind the completed steps. `cut`: as in a record that was cut, where the next
    deal and the open step may be there in part."""
    messages: list[Message] = []
    if cut or (evidence and _needs_deal(referee, evidence)):
        messages += _next_deal(referee, referee.state.next, cut)
    if cut or referee.state.is_decided():
        match = referee.ladders[MATCH_LADDER]
        messages += [message for _, message in sorted(match.open.items())]
    return messages


def frames_of(referee: Referee, evidence: Sequence[Message] = ()) -> list[Frame]:
    """The frames of a whole record but the evidence."""
    entries = [entry for step in Steps(referee) for entry in step]
    entries += _marked(MESSAGE_MARK, behind(referee, evidence))
    return [entry.frame for entry in entries]


def all_messages(referee: Referee, since: int = 0) -> Iterator[Message]:
    """All that counts and what is open, in the order of a record: each is judged as it comes.
    `since`: only what stands behind that step of the match."""
    for step in Steps(referee, since):
        yield from (one.said for one in step if isinstance(one.said, Message) and _counts(one))
    yield from behind(referee, cut=True)


def _counts(entry: Entry) -> bool:
    return entry.mark == MESSAGE_MARK


def needed_by(referee: Referee, retired: Retired) -> list[Message]:
    """What of a deal that was never dealt is needed to judge the evidence: the steps before it, or
    the whole deal that it names."""
    number = retired.next_deal
    ladder = referee.ladders.get(number)
    if ladder is None or number in referee.state.dealt:
        return []
    whole = len(ladder.steps)
    needed = [whole for one in retired.alone if one.kind == DealBody.kind]
    needed += [one.step - 1 for one in retired.alone if one.ladder == number]
    steps = ladder.steps[: max(needed, default=0)]
    return [one for step in steps for one in step.values()]


def _needs_deal(referee: Referee, evidence: Sequence[Message]) -> bool:
    """Whether the evidence can only be judged with the deal that no step has named yet."""
    ladder = evidence[0].ladder
    return ladder > referee.state.deal or referee.row(MATCH_LADDER).waits is Waits.DECK


def _next_deal(referee: Referee, number: int, cut: bool) -> list[Message]:
    if number not in referee.ladders:
        return []
    ladder = referee.ladders[number]
    partial = [message for _, message in sorted(ladder.open.items())] if cut else []
    return ladder.messages() + partial


class Order:
    """Whether the frames that were read are those of a record, in its order: `holds`."""

    def __init__(self, referee: Referee) -> None:
        self.holds = True
        self._steps = Steps(referee)
        self._found: deque[Frame] = deque()

    def read(self, frame: Frame) -> None:
        """The next frame."""
        if self.holds:
            self._found.append(frame)

    def go_on(self) -> None:
        """Compare what was read with the steps that were completed since."""
        for entries in self._steps:
            if self.holds:
                self.holds = self._begins_with(entries)
        if not self.holds:
            self._found.clear()

    def _begins_with(self, entries: Iterable[Entry]) -> bool:
        """Takes off the frames of those; False if others were found."""
        found = self._found
        return all(found and found.popleft() == (mark, said.data) for mark, said in entries)

    def ends_with(self, messages: list[Message], cut: bool) -> bool:
        """Whether all was in order, and behind the steps these messages were found."""
        expected = [Frame(MESSAGE_MARK, message.data) for message in messages]
        found = list(self._found)
        if cut and _is_cut_vote(found[len(expected) :]):
            # Of votes that were cut off nothing follows.
            found = found[: len(expected)]
        return self.holds and found == expected


def _is_cut_vote(rest: list[Frame]) -> bool:
    """Whether these are proofs and votes of a step that they do not close."""
    marks = (LEAVE_MARK, EVIDENCE_MARK)
    return all(frame.mark in marks or open_envelope(frame.data).kind == VOTE for frame in rest)


def rewound(referee: Referee, step: int) -> tuple[Referee, list[tuple[int, SessionEvent]]]:
    """A referee that stands at that step of ladder 0 as this one did, before anything was said; and
    what happened until then, each with the open step by then."""
    fresh = Referee(referee.table, TrustedChecks())
    ladder = referee.ladders[MATCH_LADDER]
    made: list[tuple[int, SessionEvent]] = []
    for at, said in enumerate(ladder.steps.between(0, step - 1), 1):
        if at in referee.retired:
            feed(fresh, needed_by(referee, referee.retired[at]))
            fresh.retire(referee.retired[at])
        else:
            if at in referee.deals_at:
                feed(fresh, referee.ladders[referee.deals_at[at]].messages())
            feed(fresh, list(said.values()))
        made += [(at + 1, event) for event in fresh.take_events()]
    fresh.state.checks = referee.state.checks
    fresh.fitting.update(referee.fitting)
    return fresh, made


def stood_at(referee: Referee, step: int) -> Referee:
    """A referee as it was at a step, with the deal that was dealt there."""
    then, _ = rewound(referee, step)
    if step in referee.deals_at:
        feed(then, referee.ladders[referee.deals_at[step]].messages())
    return then


def feed(referee: Referee, messages: Iterable[Message]) -> None:
    """Have a referee take messages that it took before."""
    for message in messages:
        verdict = referee.receive(message)
        assert verdict is Verdict.ACCEPTED, "a way that was gone is gone again"


def trusting(referee: Referee, message: Message) -> Verdict:
    """The verdict on a message that was judged before: its proofs are only read."""
    strict, referee.state.checks = referee.state.checks, TrustedChecks()
    try:
        return referee.receive(message)
    finally:
        referee.state.checks = strict


def is_refused(referee: Referee, message: Message) -> bool:
    """Whether the state that a message names refuses it: alone it proves a fault."""
    try:
        referee.receive(message, take=False)
    except Fault as fault:
        return len(fault.messages) == 1
    except Misuse:
        pass
    return False
