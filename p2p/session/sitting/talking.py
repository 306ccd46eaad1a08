"""What one seat says to the others and passes on: everybody passes on what it has, so a match goes
on over any connected shape of links, and nobody can show two seats two different things unnoticed.
"""

import math
from collections.abc import Collection, Iterable

from p2p.bucket import Bucket
from p2p.session.audience.audience import Audience
from p2p.session.holding import hold_of, is_ahead, lacking
from p2p.session.output import Batch
from p2p.session.session import Session
from p2p.session.sitting.effects import Collected
from p2p.session.sitting.exchange import Exchange
from p2p.session.sitting.knowledge import Digests, Others
from p2p.session.sitting.presence import HERE_SECONDS
from p2p.session.sitting.words import Words
from p2p.session.state.errors import Suspicion
from p2p.wire.envelope import MATCH_LADDER
from p2p.wire.talk import At, Done, Here, Hold, Leave, Said, Saying, Word, encode_talk

# What others passed on sooner is known at once, and this is the rest: a message that comes before
# those it follows, and all that a peer says that came back or lost its links.
USELESS_A_SECOND = 100
USELESS_AT_ONCE = 1000
# Of what others say beside the match: who has left, and who has the whole record, is asked at the
# next start.
_KEPT = (Done, Leave)


class Talking:
    """The mouth of a seat in one match; what it sends goes to `out`."""

    def __init__(self, session: Session, out: Collected) -> None:
        self.others = Others(seat for seat in session.table.seats if seat != session.seat)
        self.words = Words(session)
        self._session, self._out = session, out
        self._exchange = Exchange()
        self._audience = Audience(session)
        self.here_at = -math.inf
        self._gone = 0
        self._there = Digests()
        self._useless = {
            seat: Bucket(USELESS_A_SECOND, USELESS_AT_ONCE) for seat in self.others.known
        }

    def link(self, seat: int, now: float, first: Iterable[bytes] = ()) -> None:
        """A link to a seat: both say what they hold, behind the payloads that go first, and answer
        that."""
        self.others.link(seat)
        for payload in first:
            self._out.send(seat, payload)
        self._exchange.begin(seat)
        self._say_hold(seat, self._hold(), now)

    def tell(self, said: Saying) -> Word:
        """Say a signed word to everybody."""
        word = self.words.say(said)
        self._out.store(Batch(words=(word,)))
        self.pass_on(encode_talk(word))
        return word

    def spread(self, word: Word, payload: bytes) -> None:
        """Pass on a word of another that is new, and keep what is to be known after a start."""
        if isinstance(word.said, _KEPT):
            self._out.store(Batch(words=(word,)))
        self.pass_on(payload)

    def lose(self, seat: int) -> None:
        """The link to a seat is gone: those who hear it no more are told that this one is here."""
        self.others.lose(seat)
        self.here_at = -math.inf

    def say_here(self, now: float, heard: Collection[int]) -> None:
        """For those to whom there is no link; others pass it on. Not for who has left, nor for who
        is out and is not `heard`: that one may never come back."""
        there = {*self._session.state.seats, *heard}.intersection(self.others.known)
        listening = {seat for seat in there if not self.words.newest(seat, Leave)}
        apart = not listening.issubset(self.others.linked)
        if apart and self.others.linked and now >= self.here_at:
            self.here_at = now + HERE_SECONDS
            self.tell(Here())

    def say_all(self, messages: Iterable[bytes]) -> None:
        """Send messages, own ones and those of others, to who lacks them."""
        gone = self._session.referee.ladders[MATCH_LADDER].steps.gone
        if gone > self._gone:
            self._gone = gone
            self._exchange.let_go()
        for data in messages:
            for seat in self.pass_on(encode_talk(Said(data))):
                self._exchange.sent(seat, (data,))

    def pass_on(self, payload: bytes) -> list[int]:
        """Send a payload to every linked seat that is not known to have it, and to who looks on;
        those seats."""
        self._there.add(payload)
        seats = self.others.lacking(payload)
        for seat in seats:
            self._out.send(seat, payload)
        for place in self._audience.whole:
            self._out.send_there(place, payload)
        return seats

    def repeats(self, seat: int, payload: bytes) -> bool:
        """Whether a payload of a linked seat says what was heard or said here not long ago: then
        all that it tells is that this seat has it too."""
        if payload not in self._there:
            return False
        self.others.known[seat].add(payload)
        return True

    def useless(self, seat: int, now: float) -> None:
        """A payload of a linked seat brought nothing that is new. Raises Suspicion for one too
        many."""
        if not self._useless[seat].take(1, now):
            raise Suspicion("more than a match needs")

    # Who looks on

    def be_seen(self, place: int) -> None:
        """Somebody looks on from there: it is told what is played, and says what it holds."""
        self._audience.come(place)
        self._out.send_there(place, encode_talk(At(self._session.table.description)))

    def be_seen_no_more(self, place: int) -> None:
        """Nobody looks on from there any more."""
        self._audience.go(place)

    def show(self, place: int, hold: Hold, now: float) -> None:
        """Who looks on from there says what it holds, and is told the rest."""
        self._audience.hear(place, hold)
        self._answer_audience(now)

    def is_seen(self, now: float) -> bool:
        """Whether somebody who looks on is still being told the rest."""
        return self._audience.follows(now)

    def _answer_audience(self, now: float) -> None:
        for answer in self._audience.answers(now):
            said: list[Said | Word | Hold] = [Said(data) for data in answer.messages]
            said += self._words(answer.first)
            for one in (*said, answer.hold):
                self._out.send_there(answer.place, encode_talk(one))

    # What is held

    def _words(self, first: bool) -> Iterable[Word]:
        """What goes with an answer: the first time all words that matter, and always the leaves
        that votes name, who asks may have had others."""
        leaves = self._session.course.known.named_leaves
        return (*self.words.that_matter(), *leaves) if first else leaves

    def hear_hold(self, seat: int, hold: Hold, now: float) -> None:
        """A seat says what it holds, and is answered, soon. Raises Suspicion for one too many."""
        self.useless(seat, now)
        self._exchange.hear(seat, hold, now)
        self.answer(now)

    def answer(self, now: float) -> None:
        """Send what others lack, as they say, and then what was said beside the match: a leave
        that came before the last messages would be misunderstood."""
        self._answer_audience(now)
        referee, course = self._session.referee, self._session.course
        for seat, hold, first in self._exchange.answers(now):
            sent = self._exchange.need_not(seat, hold, now)
            found = lacking(referee, hold, course.beside(), sent=sent)
            for message in found.messages:
                self._send(seat, Said(message.data))
            self._exchange.sent(seat, (message.data for message in found.messages))
            for word in self._words(first):
                self._send(seat, word)
            mine, ahead = self._hold(), not first and is_ahead(hold, referee)
            if not found.whole or (ahead and self._exchange.replies(seat, mine, now)):
                self._say_hold(seat, mine, now)

    def all_have_shown(self, now: float) -> bool:
        """Whether each linked seat has said what it holds, and that is here; somebody is linked.

        A disk may be older than what its peer has said: a copy that was put back, a second machine.
        """
        linked, referee = self.others.linked, self._session.referee
        return bool(linked) and all(self._exchange.has_shown(one, referee, now) for one in linked)

    def ask(self, now: float) -> None:
        """Say what this seat holds, if it has long been keeping what rests on steps it lacks, or
        votes that name what it lacks, or to who has said that it has such steps."""
        if self._session.finished:
            return
        referee, known = self._session.referee, self._session.course.known
        lacks = self._exchange.lacks(bool(self._session.parked) or known.lacks, now)
        linked = self.others.linked
        seats = [one for one in linked if lacks or self._exchange.is_ahead(one, referee)]
        hold = self._hold() if seats else None
        for seat in seats:
            if hold is not None and self._exchange.asks(seat, hold, lacks, now):
                self._say_hold(seat, hold, now)

    def _send(self, seat: int, talk: Said | Word) -> None:
        payload = encode_talk(talk)
        self.others.known[seat].add(payload)
        self._out.send(seat, payload)

    def _hold(self) -> Hold:
        return hold_of(self._session.referee, self._session.course.votes)

    def _say_hold(self, seat: int, hold: Hold, now: float) -> None:
        self._exchange.says(seat, hold, now)
        self._out.send(seat, encode_talk(hold))
