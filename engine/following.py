"""A match as an onlooker follows it: from what is told of it, knowing no hidden tile."""

from engine.events import Drawn, Event, HandEnded, MatchEnded, Passed, Played
from engine.hand import Hand
from engine.match import Match, MatchResult
from engine.moves import Draw, Pass, Play


class FollowedMatch(Match):
    """Turns, counts, points and claims are those of everybody's code. What only opened tiles show,
    the points at the end of a hand, is taken from the event."""

    def begin(self, starter: int) -> Hand:
        """The next hand. What a `highest-double` must lead is not known before it is led."""
        self.hand = Hand(self.rules, self.seats, starter)
        self.hand_number += 1
        self.moves = []
        return self.hand

    def follow(self, event: Event) -> None:
        """Does what has happened; raises `IllegalMove` if a rule forbids it.

        A `Claimed` does nothing: it tells what `apply_claims` brought.
        """
        match event:
            case Played(seat=seat, slot=slot, tile=tile, end=end, claim=claim):
                self.apply(Play(seat, slot, tile, end, claim))
            case Drawn(seat=seat):
                self.apply(Draw(seat))
            case Passed(seat=seat):
                self.apply(Pass(seat))
            case HandEnded(scores=scores):
                self.hand = self._played = None
                self.scores = list(scores)
            case MatchEnded(reason=reason, winners=winners, scores=scores):
                self.result = MatchResult(reason, winners)
                self.scores = list(scores)
