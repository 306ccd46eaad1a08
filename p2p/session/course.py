"""Where a seat stands: it follows from what it has. Votes may close a step that is long past, or
be spoiled again; then the steps before are heard once more, and the match goes on from there.

Nothing is proven twice: what was judged before is only read.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial

from p2p.session.leaving.following import Step
from p2p.session.leaving.ground import Ground, rounds_for
from p2p.session.leaving.known import VERSIONS, Known
from p2p.session.leaving.retired import Retired
from p2p.session.leaving.sets import Finals, VoteSet, choose, sets_of
from p2p.session.order import feed, is_refused, rewound, stood_at, trusting
from p2p.session.referee import Referee, Verdict
from p2p.session.state.errors import Fault, Suspicion
from p2p.session.state.events import SessionEvent
from p2p.session.state.past import Archive
from p2p.session.state.table import Table
from p2p.wire.codec import DecodeError
from p2p.wire.envelope import MATCH_LADDER, VOTE, Message, Place
from p2p.wire.messages import AgreeBody, VoteBody
from p2p.wire.out import Out
from p2p.wire.talk import Word

# Hands that are here in full: what is said of a hand mostly comes while it, or the next, is played.
HANDS_HERE = 2


class Course:
    """A referee and all that is `known`; `finals` are the final sets of votes that were seen.

    `taken` are the messages that were judged and taken on any way, in order of arrival; `went` is
    set when a step was closed or opened again by votes. With an `archive`, where all that was taken
    is stored, what was said in hands that are long over is let go, and read there when it is needed
    again.
    """

    def __init__(self, table: Table, archive: Archive | None = None) -> None:
        self.referee = Referee(table)
        self._archive = archive
        self.known = Known()
        self.finals: Finals = {}
        self.taken: dict[bytes, Message] = {}
        self.went: int | None = None
        self._made: list[tuple[int, SessionEvent]] = []
        self._retold: list[tuple[int, SessionEvent]] = []
        self._kept_finals: Mapping[int, bytes] = {}
        self._fresh_finals: dict[int, bytes] = {}
        self._beside: list[Message] = []
        # Of others, since these were taken last.
        self.aside: list[Message] = []
        self._fits: dict[bytes, bool] = {}
        self._refusing: dict[bytes, bool] = {}

    def receive(self, message: Message) -> Verdict:
        """Have the referee judge a message; what was taken before is only read. Raises Fault."""
        held = self._is_held(message)
        again = message.id in self.taken
        verdict = trusting(self.referee, message) if again else self.referee.receive(message)
        if verdict is Verdict.ACCEPTED:
            self._set_aside(self.known.versions(message.place), message.id)
            self.taken[message.id] = message
            self._collect()
            self.known.add(message)
        elif not held and not self.known.agrees_elsewhere(message):
            self.known.note(message)
        elif self.known.add(message):
            self._beside.append(message)
        return verdict

    def recall(
        self, messages: Iterable[Message], leaves: Iterable[Word], finals: Mapping[int, bytes]
    ) -> None:
        """Stand where one stood: with all messages that were taken, in order of arrival, the leaves
        that were heard, and by step the roots of the final sets that were seen."""
        self._kept_finals = finals
        for message in messages:
            self.known.add(message)
            if message.kind != VOTE:
                self.taken[message.id] = message
        for word in leaves:
            self.known.leave(word)
        self._hear_again()
        while self.moves_on():
            pass
        self.forget_way()

    def forget_way(self) -> None:
        """How one came to stand here is told to nobody."""
        self.went, self._retold = None, []

    def _set_aside(self, messages: Iterable[Message], but: bytes = b"") -> None:
        """What was taken of these, but for one, is no part of the match any more."""
        gone = [one for one in messages if one.id in self.taken and one.id != but]
        self.aside += gone
        for one in gone:
            del self.taken[one.id]

    def take_beside(self) -> tuple[Message, ...]:
        """What was kept since the last call though it is no part of the match: votes name it."""
        beside, self._beside = tuple(self._beside), []
        return beside

    def _collect(self) -> None:
        step = self.referee.ladders[MATCH_LADDER].step
        self._made += [(step, event) for event in self.referee.take_events()]

    def versions(self, place: Place) -> tuple[Message, ...]:
        """What was said for a place of whatever era: two are a fault."""
        found = self.known.versions(place)
        gone = None if found else self.let_gone(place)
        return found if gone is None else (gone,)

    def let_gone(self, place: Place) -> Message | None:
        """What was said for a place of whatever era, if it was let go."""
        ladder = self.referee.ladders.get(place.ladder)
        return None if ladder is None else ladder.steps.let_gone(place)

    def take_made(self) -> list[tuple[int, SessionEvent]]:
        """What happened since the last call, each with the open step of ladder 0 by then."""
        self._collect()
        made, self._made = self._made, []
        return made

    def take_retold(self) -> list[tuple[int, SessionEvent]]:
        """The same of all that still holds after the last step back, from the beginning; once."""
        retold, self._retold = self._retold, []
        return retold

    def take_finals(self) -> dict[int, bytes]:
        """By step the roots of the final sets that were seen since the last call."""
        fresh, self._fresh_finals = self._fresh_finals, {}
        return fresh

    def _is_held(self, message: Message) -> bool:
        """Whether it is for the open step, though nobody here can judge it yet: it deals another
        deck than ours. Votes name it."""
        ladder = self.referee.ladders[MATCH_LADDER]
        here = (self.referee.root, MATCH_LADDER, ladder.step, ladder.top)
        there = (message.root, message.ladder, message.step, message.previous)
        return here == there and message.seat in self.referee.speakers(MATCH_LADDER)

    def note(self, fault: Fault) -> bool:
        """Keep what proves a fault; False if it is known, or one proof too many of that seat."""
        return self.known.prove(fault.messages)

    def held(self, step: int) -> tuple[bytes, ...]:
        """The ids of what one has of a step of the own way, ascending."""
        ground = self.ground(step)
        there = (one for seat in ground.speakers for one in self.fitting(ground, seat)[:VERSIONS])
        return tuple(sorted(message.id for message in there))

    def fitting(self, ground: Ground, seat: int) -> list[Message]:
        """What one has of a seat for a step of the own way that is no fault there."""
        said = self.known.versions(Place(ground.root, MATCH_LADDER, ground.step, seat))
        return [one for one in said if one.previous == ground.previous and ground.fits(one)]

    def take_vote(self, message: Message) -> bool:
        """Keep a vote; False if it is known, or one too many. Suspicion if it says nothing."""
        try:
            new = not self.known.is_ahead(message) and self.known.add(message)
        except DecodeError as error:
            raise Suspicion(f"a vote that says nothing: {error}") from None
        ladder = self.referee.ladders[MATCH_LADDER]
        if new and message.step <= ladder.steps.gone:
            # What was said there is weighed again.
            for said in ladder.steps[message.step - 1].values():
                self.known.add(said)
        return new

    def keep(self, message: Message) -> None:
        """Keep one more version of a place: others went on with this one."""
        if self.known.add(message, wanted=True):
            self._beside.append(message)

    def follow(self, number: int, step: int, said: Step) -> None:
        """Stand behind a completed step of the match, or of the coming deal, as others do who went
        on with this; what rests on that step is heard anew."""
        on, open_step = (self.referee.root, number), self.referee.ladders[MATCH_LADDER].step
        there = [one for one in self.taken.values() if (one.root, one.ladder) == on]
        self._set_aside(one for one in there if one.step > step)
        for one in said.values():
            self._set_aside(self.known.versions(one.place), one.id)
            self.taken[one.id] = one
        self._go_back(step if number == MATCH_LADDER else open_step)

    def ballot(
        self, seat: int, out: tuple[Out, ...], step: int | None
    ) -> tuple[Place, bytes, VoteBody] | None:
        """The next vote of a seat on a step of the own way, which is the open one unless it is
        said: place, T before it, body. None where no round is left."""
        at = self.referee.ladders[MATCH_LADDER].step if step is None else step
        ground, gone = self.ground(at), frozenset(one.seat for one in out)
        votes, last = self.known.votes(ground.root, at), rounds_for(gone, ground)
        own = max((vote.round for vote in votes if vote.seat == seat), default=0)
        alike = (vote.round for vote in votes if vote.out == gone and vote.round <= last)
        number = max(own + 1, *alike, 1)
        if number > last:
            return None
        reach = self.known.highest.get((ground.root, seat), 0)
        place = Place(ground.root, MATCH_LADDER, at, seat, number)
        return place, ground.previous, VoteBody(number, out, self.held(at), reach)

    @property
    def votes(self) -> tuple[Message, ...]:
        """All votes that one has."""
        return tuple(vote.message for vote in self.known.all_votes())

    def beside(self) -> tuple[Message, ...]:
        """What one has beside the completed steps, and others may need: proofs and votes."""
        return (*self.known.proving, *self.votes)

    def moves_on(self) -> bool:
        """Go to where the votes that one has say, one step at a time; False if one is there."""
        for named in self.known.named_alone():
            # Another message of its place was the first here, or came to others only later.
            if self.refuses(named):
                self.known.refuse(named)
        for step in self._voted():
            chosen = self._choose(self.ground(step))
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
        ground = self.referee.ground_of(step)
        if step == self.referee.ladders[MATCH_LADDER].step:
            return ground
        return replace(ground, fits=partial(self._fitted, step))

    def _fitted(self, step: int, message: Message) -> bool:
        """Whether a step that is complete would have taken a message that it has not."""
        fitting, ladder = self.referee.fitting, self.referee.ladders[MATCH_LADDER]
        if message.id not in fitting and message.id not in self._fits:
            taken = any(one.id == message.id for one in ladder.steps[step - 1].values())
            self._fits[message.id] = taken or stood_at(self.referee, step).fits(message)
        return fitting.get(message.id) or self._fits.get(message.id, False)

    def refuses(self, message: Message) -> bool:
        """Whether the state that a message names, if that is one of the own way, refuses it."""
        referee, number = self.referee, message.ladder
        ladder = referee.ladders.get(number) if message.root == referee.root else None
        if ladder is None or not ladder.first <= message.step <= ladder.step:
            return False
        if message.previous != ladder.before(message.step):
            return False
        if number == MATCH_LADDER:
            return not self.ground(message.step).fits(message)
        if message.id not in self._refusing:
            dealt = [step for step, deal in referee.deals_at.items() if deal == number]
            then, _ = rewound(referee, *(dealt or [referee.ladders[MATCH_LADDER].step]))
            before = ladder.steps[: message.step - 1]
            feed(then, [said for step in before for said in step.values()])
            self._refusing[message.id] = is_refused(then, message)
        return self._refusing[message.id]

    def _go_back(self, step: int) -> None:
        """Stand at that step again; where a set of votes closes it, behind it. All that was said
        there, and follows from it, is heard again."""
        self.went = step if self.went is None else min(step, self.went)
        if step <= self.referee.ladders[MATCH_LADDER].steps.gone:
            self._take_up()
        self.referee, self._retold = rewound(self.referee, step)
        self._made = [(at, event) for at, event in self._made if at <= step]
        # A deck that was never dealt may be what proves a fault of who made it.
        self._hear_again(match=False)
        chosen = self._choose(self.referee.ground())
        if chosen is not None:
            self.referee.retire(Retired.by(chosen, self.known, self.referee.state.next))
        self._hear_again()

    def let_go(self) -> list[Message]:
        """Let go of hands that are long over, if they are stored; what of them was here. What votes
        and proofs rest on stays."""
        referee, dealt = self.referee, self.referee.deals_at
        if self._archive is None or len(dealt) <= HANDS_HERE:
            return []
        step = sorted(dealt)[-HANDS_HERE] - 1
        if step == referee.ladders[MATCH_LADDER].steps.gone:
            return []
        voted = {at for _, at in self.known.voted()}
        gone = [
            message
            for message in referee.let_go(step, self._archive)
            if message.kind != AgreeBody.kind
            and not (message.ladder == MATCH_LADDER and message.step in voted)
            and self.known.let_go(message)
        ]
        for message in gone:
            self.taken.pop(message.id, None)
        return gone

    def take_up(self) -> None:
        """Have all that was let go here again, for good: the match is over."""
        self.referee.take_up()
        self._archive = None

    def _take_up(self) -> None:
        """Have all that was let go here again, to be heard again."""
        self.referee.take_up()
        for ladder in self.referee.ladders.values():
            for message in ladder.messages():
                self.known.add(message)
                self.taken[message.id] = message

    def _choose(self, ground: Ground) -> VoteSet | None:
        at, step = (ground.root, ground.step), ground.step
        before = self.finals.get(at)
        if before is None and step in self._kept_finals:
            kept = [
                one for one in sets_of(ground, self.known) if one.root == self._kept_finals[step]
            ]
            self.finals.update((at, one) for one in kept)
        chosen = choose(ground, self.known, self.finals)
        final = self.finals.get(at)
        if final is not None and final is not before:
            self._fresh_finals[step] = final.root
        return chosen

    def _hear_again(self, match: bool = True) -> None:
        """Have the referee hear all that was taken in its era, or only what is of its deals."""
        root, heard = self.referee.root, True
        # As often as something is taken: deals stand beside the match.
        while heard:
            taken = (one for one in self.taken.values() if one.root == root)
            there = [one for one in taken if match or one.ladder != MATCH_LADDER]
            heard = sum(map(self._hears, there)) > 0

    def _hears(self, message: Message) -> bool:
        verdict = trusting(self.referee, message)
        self._collect()
        return verdict is Verdict.ACCEPTED


def _root(chosen: VoteSet | None) -> bytes | None:
    return None if chosen is None else chosen.root
