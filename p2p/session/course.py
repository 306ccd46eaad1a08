"""Where a seat stands: it follows from what it has. Votes may close a step that is long past, or
be spoiled again; then the steps before are heard once more, and the match goes on from there.

Nothing is proven twice: what was judged before is only read.
"""

from p2p.deck.checks import TrustedChecks
from p2p.session.leaving.ground import Ground
from p2p.session.leaving.known import Known
from p2p.session.leaving.retired import Retired
from p2p.session.leaving.sets import Finals, VoteSet, choose
from p2p.session.referee import Referee, Verdict
from p2p.session.state.errors import Fault
from p2p.session.state.table import Table
from p2p.wire.envelope import MATCH_LADDER, Message, Place

# Of one seat: those of least ids, by which everybody names the same.
MAX_PROOFS = 8


class Course:
    """A referee and all that is `known`; `finals` are the final sets of votes that were seen.

    `taken` are the messages that were judged and taken on any way, in order of arrival; `went` is
    set when a step was closed or opened again by votes.
    """

    def __init__(self, table: Table) -> None:
        self.referee = Referee(table)
        self.known = Known()
        self.finals: Finals = {}
        self.taken: dict[bytes, Message] = {}
        self.went: int | None = None

    def receive(self, message: Message) -> Verdict:
        """Have the referee judge a message; what was taken before is only read. Raises Fault."""
        held = self._is_held(message)
        again = message.id in self.taken
        verdict = _trusting(self.referee, message) if again else self.referee.receive(message)
        if verdict is Verdict.ACCEPTED:
            self.taken[message.id] = message
        if verdict is Verdict.ACCEPTED or held:
            self.known.add(message)
        else:
            self.known.note(message)
        return verdict

    def _is_held(self, message: Message) -> bool:
        """Whether it is for the open step, though nobody here can judge it yet: it deals another
        deck than ours. Votes name it."""
        ladder = self.referee.ladders[MATCH_LADDER]
        here = (self.referee.root, MATCH_LADDER, ladder.step, ladder.top)
        there = (message.root, message.ladder, message.step, message.previous)
        return here == there and message.seat in self.referee.speakers(MATCH_LADDER)

    def note(self, fault: Fault) -> bool:
        """Keep what proves a fault; False if it is known, or one proof too many of that seat."""
        known, ids = self.known, sorted(message.id for message in fault.messages)
        proofs = known.faults(fault.seat, fault.messages[0].root)
        if tuple(ids) in proofs or (len(proofs) >= MAX_PROOFS and ids[0] > proofs[-1][0]):
            return False
        for message in fault.messages:
            known.add(message)
            known.note(message)
        if len(fault.messages) == 1:
            known.refuse(fault.messages[0])
        return True

    def held(self, step: int) -> tuple[bytes, ...]:
        """The ids of what one has of a step of the own way, ascending."""
        ground = self.ground(step)
        found = [
            message.id
            for seat in ground.speakers
            for message in self.known.versions(Place(ground.root, MATCH_LADDER, step, seat))
            if message.previous == ground.previous and ground.fits(message)
        ]
        return tuple(sorted(found))

    def moves_on(self) -> bool:
        """Go to where the votes that one has say, one step at a time; False if one is there."""
        for step in self._voted():
            chosen = choose(self.ground(step), self.known, self.finals)
            gone = self.referee.retired.get(step)
            if _root(chosen) != (None if gone is None else gone.votes.root):
                self._go_back(step)
                return True
        return False

    def _voted(self) -> list[int]:
        """The steps of the own way, up to the open one, that somebody voted on; ascending."""
        step = self.referee.ladders[MATCH_LADDER].step
        return [
            at for root, at in self.known.voted() if at <= step and self.ground(at).root == root
        ]

    def ground(self, step: int) -> Ground:
        """A step of the own way, or the open one, as it is voted on."""
        return self.referee.grounds.get(step) or self.referee.ground()

    def _go_back(self, step: int) -> None:
        """Stand at that step again; where a set of votes closes it, behind it. All that was said
        there, and follows from it, is heard again."""
        self.went = step if self.went is None else min(step, self.went)
        self.referee = rewound(self.referee, step)
        chosen = choose(self.referee.ground(), self.known, self.finals)
        if chosen is not None:
            self.referee.retire(Retired.by(chosen, self.known, self.referee.state.next))
        root, heard = self.referee.root, True
        # As often as something is taken: deals stand beside the match.
        while heard:
            there = [one for one in self.taken.values() if one.root == root]
            heard = sum(map(self._hears_again, there)) > 0

    def _hears_again(self, message: Message) -> bool:
        return _trusting(self.referee, message) is Verdict.ACCEPTED


def _root(chosen: VoteSet | None) -> bytes | None:
    return None if chosen is None else chosen.root


def _trusting(referee: Referee, message: Message) -> Verdict:
    """The verdict on a message that was judged before."""
    strict, referee.state.checks = referee.state.checks, TrustedChecks()
    try:
        return referee.receive(message)
    finally:
        referee.state.checks = strict


def rewound(referee: Referee, step: int) -> Referee:
    """A referee that stands at that step of ladder 0 as this one did, before anything was said."""
    fresh = Referee(referee.table, TrustedChecks())
    ladder, dealt = referee.ladders[MATCH_LADDER], iter(referee.state.dealt)
    for at, said in enumerate(ladder.steps[: step - 1], 1):
        if at in referee.retired:
            fresh.retire(referee.retired[at])
            continue
        if any(message.kind == "deal" for message in said.values()):
            _feed(fresh, referee.ladders[next(dealt)].messages())
        _feed(fresh, list(said.values()))
    fresh.state.checks = referee.state.checks
    fresh.fitting.update(referee.fitting)
    return fresh


def _feed(referee: Referee, messages: list[Message]) -> None:
    for message in messages:
        verdict = referee.receive(message)
        assert verdict is Verdict.ACCEPTED, "a way that was gone is gone again"
