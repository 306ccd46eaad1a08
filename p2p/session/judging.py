"""The player's own referee on the frames of a record, from the first to the last.

It goes through a record of any length with the memory that some hands take: what is past is let go
of, and the few things that look back find it in the file again. Proofs and signatures can be left
to others, a deal at a time: then rules, hashes and order are gone through as if they held.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from engine.events import Played
from p2p.crypto.errors import Misuse
from p2p.crypto.group import SCALAR_BYTES
from p2p.crypto.joint import FRESH_BYTES, JointSum
from p2p.deck.joint import HANDS_A_SUM, JointChecks, OpenedKeys
from p2p.deck.joint import Unsettled as SumFailed
from p2p.deck.keys import FINAL_BYTES
from p2p.deck.noted import NotedChecks
from p2p.session.leaving.votes import Vote
from p2p.session.order import EVIDENCE_MARK, LEAVE_MARK, MESSAGE_MARK, Frame, Order, behind
from p2p.session.parts import Part, Piece, parts_of, retired_by
from p2p.session.record import MAX_EVIDENCE, Recording
from p2p.session.referee import Referee, Verdict, two_messages
from p2p.session.state.errors import Fault, Suspicion, Unsettled
from p2p.session.state.events import InHand, SessionEvent
from p2p.session.state.state import Phase
from p2p.session.state.table import Table
from p2p.wire.codec import DecodeError, encode
from p2p.wire.envelope import MATCH_LADDER, VOTE, Message, open_envelope
from p2p.wire.messages import DealBody
from p2p.wire.talk import Leave, open_word

# What stands before the secrets in a message that opens a key.
_OPENING = encode("open") + encode([bytes(FINAL_BYTES)])[:-FINAL_BYTES]


@dataclass(frozen=True)
class Unchecked:
    """What of a deal is left to others: messages, each with the key that it must be signed with,
    and the checks of its proofs."""

    signed: list[tuple[bytes, Message]] = field(default_factory=list)
    checks: NotedChecks = field(default_factory=NotedChecks)


LeaveTo = Callable[[Unchecked], None]


@dataclass(frozen=True)
class FoundFault:
    """A seat's provable fault: in which hand (0 before the first), by which message (from 1)."""

    seat: int
    name: str
    hand: int
    message: int
    what: str


class _Refused(Exception):
    """A record that is faulty, where nobody can be named; one clause."""


class Judging:
    """A record and what became of it: `fault`, or `problem` (one clause) where nobody can be named,
    the `referee` as it stood then, and how many `plays` there were. `events` are all that were
    told, if they are kept."""

    def __init__(
        self,
        recording: Recording,
        table: Table,
        keeps: bool = False,
        settled: int | None = None,
        leave: LeaveTo | None = None,
    ) -> None:
        """`settled`: nothing is left to a sum; but of the proofs that may be, so many have been
        checked. `leave`: is given what is not checked here, when a deal is past; without it all is
        checked here."""
        self.recording = recording
        self.fault: FoundFault | None = None
        self.problem: str | None = None
        self.plays = 0
        self.events: list[SessionEvent] = []
        self._keeps, self._leave = keeps, leave
        # By the number of the deal.
        self._unchecked: dict[int, Unchecked] = {}
        opened = OpenedKeys(self._hints())
        if settled is None:
            joint = JointSum(recording.digest, os.urandom(FRESH_BYTES))
            self._checks = JointChecks(joint, opened)
        else:
            self._checks = JointChecks(None, opened, trusted=settled)
        self.referee = Referee(table, self._checks, looks_back=False)
        self._order = Order(self.referee)
        # The number of the frame that is taken now.
        self._at = 1
        # The number of the last of votes that are no set, in a record that was cut.
        self._cut_votes = 0
        self._past = (0, self.referee.root)
        self._seen: tuple[tuple[bytes, int, int], dict[int, Message]] | None = None

    @classmethod
    def of(cls, recording: Recording, table: Table, keeps: bool = False) -> Judging:
        """The judgement of a whole record: if a sum fails, what was not settled by then is checked
        singly, message by message."""
        jointly = cls(recording, table, keeps)
        try:
            jointly.run()
        except SumFailed:
            singly = cls(recording, table, keeps, jointly._checks.settled)
            singly.run()
            return singly
        return jointly

    def run(self) -> None:
        """Raises SumFailed if it says nothing, because a proof that was left to a sum is false."""
        try:
            self.fault = self._replay()
        except _Refused as refused:
            self.problem = str(refused)
        except SumFailed:
            raise
        except Exception:
            # A false proof that was left to the sum may lead to what no true ones lead to.
            self._checks.settle()
            raise
        self._checks.settle()
        self._leave_before(None)
        if self._keeps:
            self.events += self.referee.take_events()

    def _hints(self) -> Iterator[bytes]:
        """What may be secret keys that are opened behind what was taken: 32 bytes each."""
        for at, frame in enumerate(self.recording.read(), 1):
            if at >= self._at and frame.mark == MESSAGE_MARK:
                key = _opened_key(frame.data)
                if key:
                    yield key

    def _replay(self) -> FoundFault | None:
        """Feed the record to the referee; the fault it proves, if any. Raises _Refused."""
        recording = self.recording
        if recording.altered:
            raise _Refused("the file was changed or damaged after it was written")
        for part in parts_of(self._pieces()):
            if self.referee.finished:
                # What all have signed is final: nothing behind it is judged.
                raise _Refused(f"message {part.last} stands behind the end of the match")
            self._refuse_cut_votes()
            self._at = part.messages[0][0] if part.messages else part.last
            try:
                self._take(part)
            except Fault as fault:
                return self._found(fault, self._at)
            self._go_on()
        if recording.evidence:
            self._refuse_cut_votes()
        first = self._at = recording.count + 1
        evidence = [self._signed(data, at) for at, data in enumerate(recording.evidence, first)]
        self._check_order(evidence)
        if evidence and self.referee.finished:
            raise _Refused("its evidence stands behind the end of the match")
        return self._judge_evidence(evidence, first) if evidence else None

    def _go_on(self) -> None:
        """A part was taken: check what is left to the sum, and let go of what is past."""
        self._checks.settle(HANDS_A_SUM)
        self._order.go_on()
        events = self.referee.take_events()
        for event in events:
            self.plays += isinstance(event, InHand) and isinstance(event.event, Played)
        if self._keeps:
            self.events += events
        now = (self.referee.state.deal, self.referee.root)
        if now != self._past:
            self._past = now
            self.referee.forget(self._said, tiles=self._keeps)
            self._leave_before(self.referee.state.deal)

    def _leave_before(self, deal: int | None) -> None:
        """Give away what is left to others of the deals before that one, or of all."""
        for number in [one for one in self._unchecked if deal is None or one < deal]:
            assert self._leave is not None, "something is left to others"
            self._leave(self._unchecked.pop(number))

    def _unchecked_of(self, message: Message) -> Unchecked | None:
        """What of the deal of a message is left to others; None if all is checked here."""
        if self._leave is None:
            return None
        return self._unchecked.setdefault(self._deal_of(message), Unchecked())

    def _said(self, ladder: int, step: int) -> dict[int, Message]:
        """What was said at a completed step of this era, as it stands further up in the record."""
        wanted = (self.referee.root, ladder, step)
        if self._seen is None or self._seen[0] != wanted:
            before = zip(range(1, self._at), self.recording.read(), strict=False)
            said = (open_envelope(one.data) for _, one in before if one.mark == MESSAGE_MARK)
            there = [one for one in said if (one.root, one.ladder, one.step) == wanted]
            self._seen = (wanted, {one.seat: one for one in there if one.kind != VOTE})
        return self._seen[1]

    def _pieces(self) -> Iterator[Piece]:
        for at, frame in enumerate(self.recording.read(), 1):
            self._order.read(frame)
            yield self._read(frame, at)

    def _read(self, frame: Frame, number: int) -> Piece:
        if frame.mark != LEAVE_MARK:
            proves = frame.mark == EVIDENCE_MARK
            return Piece(number, self._signed(frame.data, number), proves)
        keys = tuple(person.key for person in self.referee.table.people)
        try:
            word = open_word(frame.data, self.referee.table.id, keys)
        except DecodeError as error:
            raise _Refused(f"message {number}: {error}") from None
        if not isinstance(word.said, Leave):
            raise _Refused(f"message {number}: a word that is no leave")
        return Piece(number, word, True)

    def _signed(self, data: bytes, number: int) -> Message:
        try:
            message = open_envelope(data, keep_body=True)
            unchecked = self._unchecked_of(message)
            if unchecked is None:
                self.referee.check_signed(message)
            else:
                unchecked.signed.append((self.referee.key_of(message), message))
            if message.kind == VOTE:
                Vote.read(message)
        except (DecodeError, Suspicion) as error:
            raise _Refused(f"message {number}: {error}") from None
        return message

    def _deal_of(self, message: Message) -> int:
        """The number of the deal that a message belongs to: it is prepared, dealt or played."""
        if message.ladder != MATCH_LADDER:
            return message.ladder
        state = self.referee.state
        return state.next if message.kind == DealBody.kind else state.deal

    def _take(self, part: Part) -> None:
        """The messages of a step, or votes that closed it. Raises Fault and _Refused."""
        self.referee.state.checks = self._checks
        votes = retired_by(self.referee, part) if part.votes else None
        if votes is not None:
            try:
                self.referee.retire(votes)
            except Unsettled as error:
                raise _Refused(f"message {part.last}: {error}") from None
        else:
            self._cut_votes = part.last if part.votes else 0
            if not self.recording.cut:
                self._refuse_cut_votes()
            for self._at, message in part.messages:
                unchecked = self._unchecked_of(message)
                self.referee.state.checks = unchecked.checks if unchecked else self._checks
                if self._receive(message, self._at) is not Verdict.ACCEPTED:
                    raise _Refused(f"message {self._at} does not follow from what stands before it")

    def _refuse_cut_votes(self) -> None:
        """Votes that are no set may only be the last of a record that was cut."""
        if self._cut_votes:
            raise _Refused(f"the votes up to message {self._cut_votes} put nobody out")

    def _receive(self, message: Message, number: int) -> Verdict:
        try:
            return self.referee.receive(message)
        except Misuse as error:
            # Only all seats together can bring this about, say with keys that cancel out.
            raise _Refused(f"message {number}: {error}") from None

    def _check_order(self, evidence: list[Message]) -> None:
        """A record has one order; one that was cut is the beginning of it."""
        cut = self.recording.cut
        if not self._order.ends_with(behind(self.referee, evidence, cut), cut):
            raise _Refused("its messages are not in the order of a record")
        if cut and self.referee.phase is Phase.CLOSED:
            raise _Refused("its head names more than a whole match")

    def _judge_evidence(self, messages: list[Message], first: int) -> FoundFault:
        self.referee.state.checks = self._checks
        last = first + len(messages) - 1
        if len(messages) == MAX_EVIDENCE:
            one, other = messages
            playing = one.seat in self.referee.state.seats
            if not playing or one.place != other.place or one.id >= other.id:
                raise _Refused("its evidence proves nothing")
            return self._found(two_messages(one, other), last)
        try:
            self._receive(messages[0], last)
        except Fault as fault:
            return self._found(fault, last)
        raise _Refused("its evidence proves nothing")

    def _found(self, fault: Fault, number: int) -> FoundFault:
        name = self.referee.table.players[fault.seat].name
        hand = self.referee.state.match.hand_number
        self.referee.find(fault)
        return FoundFault(fault.seat, name, hand, number, fault.what)


def _opened_key(data: bytes) -> bytes:
    """Where a message ends as one that opens a key does: the secret key, or what may be one."""
    start = len(data) - FINAL_BYTES
    fits = data.endswith(_OPENING, 0, max(start, 0))
    return data[start : start + SCALAR_BYTES] if fits else b""
