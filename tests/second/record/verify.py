"""The check of a whole record (17)."""

from second.match.judging import ParkedError
from second.match.ladder import BrokenError
from second.match.match import FaultError, Match, spot_of
from second.match.order import (
    complete_frames,
    ladder_frames,
    said_at_ladder,
    said_at_match,
)
from second.match.voting import Ground, close
from second.record.blocks import blocks_of, items_of
from second.record.file import File, UnreadableError, read
from second.record.verdict import Fault, Verdict
from second.refusing import RefusedError, demand
from second.wire.messages import Message


def check(data: bytes) -> Verdict:
    """The verdict on the bytes of a record."""
    try:
        return _Check(read(data)).verdict()
    except UnreadableError as error:
        return Verdict(2, str(error))


class _Check:
    def __init__(self, file: File) -> None:
        self.file = file
        self.match = Match(file.table)
        self.state = self.match.state
        self.items = items_of(file.table, file.frames)
        self.end = len(self.items)
        while self.end > 0 and self.items[self.end - 1].mark == "e":
            self.end -= 1
        bad = (i for i in range(self.end) if not self.items[i].readable)
        self.readable = next(bad, self.end)
        """Up to here; the check ends there if there is more."""
        self.blocks = blocks_of(self.items[: self.readable])
        self.fault: Fault | None = None

    def verdict(self) -> Verdict:
        """The verdict: a fault, a faulty record, or what it comes to."""
        if self.file.faulty:
            return self._report("the file was changed")
        try:
            self._take_all()
        except FaultError as error:
            self.fault = Fault(error.seat, self.state.hands, self.at + 1)
            return self._report(str(error))
        except (RefusedError, ParkedError, BrokenError) as error:
            return self._report(str(error) or "a message out of place", faulty=True)
        return self._report("")

    def _take_all(self) -> None:
        """Frames in their order, then the order itself, then the evidence at the end."""
        self.at = 0
        while self.at < self.readable:
            if self.at in self.blocks:
                if not self._take_votes():
                    return
                continue
            item = self.items[self.at]
            if item.mark == "l" and self.file.cut and self._only_leaves():
                break
            if item.mark == "m":
                self._take(item.message)
            self.at += 1  # a leave or evidence without votes: the order tells
        if self.readable < self.end:
            raise ParkedError("a frame of nobody")
        evidence = [item.message for item in self.items[self.end :]]
        demand(None not in evidence, "evidence of nobody")
        self._in_order(self.at, evidence)
        self._weigh(evidence)

    def _take(self, message: Message | None) -> None:
        if message is None or not self.match.accept(message):
            raise ParkedError("a message of nobody, or one twice")

    def _only_leaves(self) -> bool:
        return all(item.mark == "l" for item in self.items[self.at : self.end])

    def _take_votes(self) -> bool:
        """Close a step; False where a cut record ends with votes that are no set."""
        end = self.blocks[self.at]
        block = self.items[self.at : end]
        votes = [item.message for item in block if item.vote and item.message]
        others = [i.message for i in block if i.mark == "m" and not i.vote and i.message]
        leaves = [item.word for item in block if item.word]
        evidence = [item.message for item in block if item.mark == "e" and item.message]
        try:
            close(self.match, Ground(others, leaves, evidence), votes)
        except (RefusedError, BrokenError):
            if not self.file.cut:
                raise
            for message in others:
                self._take(message)
                self.at += 1
            if end < len(self.items):
                raise
            self._in_order(self.at, [])
            return False
        self.at = end
        return True

    def _in_order(self, end: int, evidence: list[Message | None]) -> None:
        """Refuse frames in another order than that of section 16."""
        frames, state = self.file.frames[:end], self.state
        base = complete_frames(state)
        ladder = ladder_frames(state.next_ladder())
        ahead = any(e and e.place.ladder >= state.next_deal for e in evidence)
        if self.file.cut:
            demand(state.phase != "closed", "closed, and cut")
            rest = said_at_ladder(state.next_ladder()) + said_at_match(state)
            demand(frames == base + ladder + rest, "frames in another order")
            return
        if evidence and (ahead or state.phase == "deal"):
            base = base + ladder
        choices = [base]
        if state.decided:
            choices = [base + said_at_match(state)] + ([base] if evidence else [])
        demand(frames in choices, "frames in another order")

    def _weigh(self, evidence: list[Message | None]) -> None:
        if not evidence:
            return
        self.at = len(self.items) - 1
        messages = [one for one in evidence if one is not None]
        demand(not self.state.over, "the match was over")
        if len(messages) == 1:
            self.match.accept(messages[0])
            raise ParkedError("evidence of nothing")
        first, second = messages
        demand(first.seat == second.seat and spot_of(first) == spot_of(second), "two places")
        demand(first.id < second.id, "evidence out of order")
        demand(first.seat in self.state.seats, "a seat that is out")
        raise FaultError(first.seat, messages, "two messages for one place")

    def _report(self, why: str, faulty: bool = False) -> Verdict:
        state, faulty = self.state, faulty or self.file.faulty
        right = self.fault is None and not faulty
        decided = state.decided and right
        closed = state.phase == "closed" and right
        winners = state.winners if state.decided and not faulty else []
        unsigned: list[int] = []
        if decided and not closed:
            unsigned = [seat for seat in state.seats if seat not in self._signed()]
        if self.fault and state.sides:
            side = state.rules.side(self.fault.seat)
            winners = [seat for seat in state.seats if state.rules.side(seat) != side]
        elif self.fault and self.fault.seat in winners:
            winners = []
        return Verdict(
            (0 if closed else 3) if decided else 1,
            why,
            table=state.table.id,
            decided=decided,
            closed=closed,
            faulty=faulty,
            unsigned=tuple(unsigned),
            fault=self.fault,
            absent=tuple(state.absent),
            winners=tuple(winners),
            scores=tuple(state.scores[seat] for seat in sorted(state.scores)),
            hands=state.hands,
            messages=len(self.items),
            proofs=state.proofs(),
        )

    def _signed(self) -> list[int]:
        return list(self.state.said) if self.state.phase == "result" else []
