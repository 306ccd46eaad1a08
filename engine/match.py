"""A match: hands played one after another until a score reaches the target."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from engine.errors import EngineError, IllegalMove
from engine.events import Claimed, Drawn, Event, HandEnded, MatchEnded, Passed, Played
from engine.hand import Hand, HandOver, check_claim
from engine.moves import Draw, Move, Pass, Play
from engine.rules import Rules
from engine.scoring import Settlement, judge_claims, placement_points
from engine.seats import turns_after
from engine.tiles import Tile

StarterRule = Literal["lot", "highest-double"] | int


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a match ended (`target`, `abandoned`, `fault`) and who won it."""

    reason: str
    winners: tuple[int, ...]


class Match:
    """The state of a match for `seats_count` seats, which is the number `rules` was made for.

    `hand` is the running hand, None between hands; `result` is set as soon as the match is decided,
    which a placement that reaches the target does before its hand is finished.
    `moves` are the moves of the running hand; `seats` are the seats still in.
    """

    def __init__(self, rules: Rules, seats_count: int) -> None:
        if seats_count != rules.players:
            raise EngineError(f"these rules are for {rules.players} seats, not for {seats_count}")
        self.rules = rules
        self.scores = [0] * seats_count
        self.seats: tuple[int, ...] = tuple(range(seats_count))
        self.hand: Hand | None = None
        self.hand_number = 0
        self.moves: list[Move] = []
        self.result: MatchResult | None = None
        self._out: int | None = None  # who went out in the hand before
        self._played: Play | None = None  # the placement whose claims are awaited

    # Between hands

    def starter_rule(self) -> StarterRule:
        """Who starts the next hand: a seat, or how to find one: `lot` or `highest-double`."""
        if self._out is not None and self._out in self.seats and self.rules.next_starter == "out":
            return self._out
        return "lot" if self.rules.starter == "lot" else "highest-double"

    def lot_seat(self, lot: int) -> int:
        """The seat in the next deal that the number of a lot names."""
        return self.seats[lot % len(self.seats)]

    def begin_hand(
        self,
        starter: int,
        *,
        known: Mapping[int, Tile] | None = None,
        lead: Tile | None = None,
        seats: Sequence[int] | None = None,
    ) -> Hand:
        """Begins the next hand, of `seats` (all that are in, unless said); returns it.

        `lead` is the tile found by the rule `highest-double`, and None with any other. Raises
        `EngineError` if a hand runs, the match is decided, or `starter` or `lead` break the rule.
        """
        if self.result is not None:
            raise EngineError("the match is decided")
        if self.hand is not None:
            raise EngineError("a hand is running")
        rule = self.starter_rule()
        if isinstance(rule, int) and starter != rule:
            raise EngineError(f"seat {rule} starts this hand, not seat {starter}")
        if (lead is not None) != (rule == "highest-double"):
            raise EngineError("a lead is given exactly where the highest double starts")
        dealt = self.seats if seats is None else tuple(seats)
        self.hand = Hand(self.rules, dealt, starter, known, lead)
        self.hand_number += 1
        self.moves = []
        self._out = None
        return self.hand

    # Moves

    def check(self, move: Move) -> None:
        """Raises `IllegalMove` with the reason if `move` may not be made now."""
        hand = self._running()
        if self._played is not None:
            waiting = ", ".join(map(str, self.awaiting_claims()))
            raise IllegalMove(f"claims are open: seats {waiting} answer before anybody moves")
        hand.check(move)

    def apply(self, move: Move) -> tuple[Event, ...]:
        """Makes `move`; the points of a placement are scored at once (with claims: the placer's).

        Raises `IllegalMove` and changes nothing if it breaks a rule.
        """
        hand = self._running()
        if self._played is not None:
            self.check(move)
        hand.apply(move)
        self.moves.append(move)
        if isinstance(move, Draw):
            return (Drawn(move.seat, hand.slots(move.seat)[-1]),)
        if isinstance(move, Pass):
            return (Passed(move.seat),)
        return (self._score_play(hand, move),)

    def _score_play(self, hand: Hand, move: Play) -> Played:
        count = hand.line.count()
        points = placement_points(self.rules, count)
        if self.rules.claims:
            points, _ = judge_claims(points, move.claim or 0, ())
            self._played = move
        self._add(move.seat, points)
        if self._played is None:
            self._stop_at_target(hand)
        return Played(
            move.seat, move.slot, move.tile, move.end, count, points, self._scores(), move.claim
        )

    def _running(self) -> Hand:
        if self.hand is None:
            raise IllegalMove("no hand is running")
        return self.hand

    def _add(self, seat: int, points: int) -> None:
        for mate in self.rules.side(seat):
            self.scores[mate] += points

    def _scores(self) -> tuple[int, ...]:
        return tuple(self.scores)

    def _stop_at_target(self, hand: Hand) -> None:
        """Where the match ends at once, ends it if a score has reached the target."""
        if self.rules.match_end == "at-once":
            self._decide()
            if self.result is not None:
                hand.end("target", hand.over.seat if hand.over else None)

    # Claims

    @property
    def claimed_play(self) -> Play | None:
        """The placement whose claims are awaited, else None."""
        return self._played

    def awaiting_claims(self) -> tuple[int, ...]:
        """The seats that have to answer before play goes on, in seat order after the placer."""
        if self._played is None or self.hand is None:
            return ()
        placer = self._played.seat
        mates = self.rules.side(placer)
        return tuple(seat for seat in turns_after(self.hand.seats, placer) if seat not in mates)

    def apply_claims(self, answers: Mapping[int, int]) -> tuple[Event, ...]:
        """Judges the answer (0: none) of every awaited seat; raises `IllegalMove` for others."""
        hand, played, waiting = self._running(), self._played, self.awaiting_claims()
        if played is None:
            raise IllegalMove("no claims are open")
        if set(answers) != set(waiting):
            raise IllegalMove(
                f"exactly the seats {', '.join(map(str, waiting))} answer with a claim"
            )
        for claim in answers.values():
            check_claim(claim)
        self._played = None
        real = placement_points(self.rules, hand.line.count())
        claims = [answers[seat] for seat in waiting]
        _, brought = judge_claims(real, played.claim or 0, claims)
        events: list[Event] = []
        for seat, claim, points in zip(waiting, claims, brought, strict=True):
            if claim:
                self._add(seat, points)
                events.append(Claimed(seat, claim, points, self._scores()))
        self._stop_at_target(hand)
        return tuple(events)

    # Ends

    def finish_hand(self, tiles: Mapping[int, Tile]) -> tuple[Event, ...]:
        """Ends a hand that is over, from the tile of every slot; perhaps that ends the match.

        After `target` nothing more is scored, and slots may be missing: what is left is then None
        for a seat with an unknown tile. Raises `EngineError` if the hand is not over.
        """
        hand = self._running()
        if hand.over is None or self._played is not None:
            raise EngineError("the hand is not over")
        if self.result is not None:
            closed = self._closed(
                "target", hand.over.seat, self._left(hand, hand.known | dict(tiles))
            )
            return (closed, *self._match_ended())
        return (self._settled(hand.over, hand.settle(tiles)), *self._match_ended())

    def _settled(self, over: HandOver, settled: Settlement) -> HandEnded:
        """Scores the end of a hand, and looks at the target."""
        for seat, points in enumerate(settled.points):
            self.scores[seat] += points
        self._out = over.seat if over.seat in self.seats else None
        self.hand = None
        self._decide()
        return HandEnded(over.reason, settled.winner, settled.left, settled.points, self._scores())

    def _left(self, hand: Hand, tiles: Mapping[int, Tile]) -> tuple[tuple[Tile, ...] | None, ...]:
        return tuple(
            tuple(tiles[slot] for slot in hand.slots(seat))
            if all(slot in tiles for slot in hand.slots(seat))
            else None
            for seat in range(self.rules.players)
        )

    def _closed(
        self, reason: str, seat: int | None, left: tuple[tuple[Tile, ...] | None, ...]
    ) -> HandEnded:
        """Ends the hand without points at its end."""
        self.hand = self._played = None
        return HandEnded(reason, seat, left, (0,) * self.rules.players, self._scores())

    def _match_ended(self) -> tuple[Event, ...]:
        if self.result is None:
            return ()
        return (MatchEnded(self.result.reason, self.result.winners, self._scores()),)

    def _decide(self) -> None:
        """Sets the result if a score has reached the target and no other is level with it."""
        best = self._best(self.seats)
        if best and self.scores[best[0]] >= self.rules.target and best == self.rules.side(best[0]):
            self.result = MatchResult("target", best)

    def _best(self, seats: Sequence[int]) -> tuple[int, ...]:
        top = max((self.scores[seat] for seat in seats), default=0)
        return tuple(seat for seat in seats if self.scores[seat] == top)

    def retire(
        self,
        out: Collection[int],
        reason: str = "left",
        *,
        answers: Mapping[int, int] | None = None,
        tiles: Mapping[int, Tile] | None = None,
    ) -> tuple[Event, ...]:
        """Puts seats out: each keeps its number and score, holds nothing, and cannot win.

        What was placed is scored: of the claims that are awaited `answers` are there, others are 0.
        A hand that is over is settled where `tiles` are there, the tile of each slot held by those
        who stay; who is out has none then, and collects nothing. Every other hand dies, for
        `reason` (`left` or `fault`). A match that one of them had won is decided no more. When one
        seat remains it is abandoned.

        Raises `EngineError` if they are not in, or somebody else has won and a hand still runs.
        """
        if not set(out) <= set(self.seats):
            raise EngineError("only seats that are in can be put out")
        fell = self.result is not None and bool(set(self.result.winners) & set(out))
        if self.result is not None and not fell and self.hand is not None:
            raise EngineError("the match is decided")
        self.result = None if fell else self.result
        self.seats = tuple(seat for seat in self.seats if seat not in out)
        events = self._answer(answers or {}) if self._played is not None else ()
        if self.hand is not None:
            events += self._end_without(self.hand, reason, tiles)
        if fell:
            self._decide()
        if len(self.seats) < 2:
            self.result = MatchResult("abandoned", ())
        return (*events, *self._match_ended())

    def _answer(self, answers: Mapping[int, int]) -> tuple[Event, ...]:
        """Scores the placement whose claims are awaited with the answers that there are."""
        return self.apply_claims({seat: answers.get(seat, 0) for seat in self.awaiting_claims()})

    def _end_without(
        self, hand: Hand, reason: str, tiles: Mapping[int, Tile] | None
    ) -> tuple[Event, ...]:
        """Ends the running hand for those who are still in: settled, or dead."""
        over, left = hand.over, self._left(hand, tiles or {})
        if over is not None and over.reason in ("domino", "block") and tiles is not None:
            settled = hand.settle(tiles, self.seats)
            return (self._settled(over, settled),)
        if self.result is not None:
            return (self._closed("target", over.seat if over else None, left),)
        hand.end(reason)
        return (self._closed(reason, None, left),)

    def fault(self, seat: int) -> tuple[Event, ...]:
        """Ends the match by a proven fault of `seat`, even a decided one: points stand, and the
        best of the others (with partners: the other side) wins, several when level."""
        mates = self.rules.side(seat)
        others = [other for other in self.seats if other not in mates]
        self.result = MatchResult("fault", self._best(others))
        return self._break_off("fault")

    def _break_off(self, reason: str) -> tuple[Event, ...]:
        hand = self.hand
        if hand is None:
            return self._match_ended()
        hand.end(reason)
        return (self._closed(reason, None, self._left(hand, {})), *self._match_ended())


class FollowedMatch(Match):
    """A match as an onlooker follows it: from what is told of it, knowing no hidden tile.

    Turns, counts, points and claims are those of everybody's code. What only opened tiles show,
    the points at the end of a hand, is taken from the event.
    """

    def begin(
        self, starter: int, known: Mapping[int, Tile] | None = None, lead: Tile | None = None
    ) -> Hand:
        """The next hand, of which slots may be known. What a `highest-double` must lead is `lead`,
        None where it is not known before it is led."""
        self.hand = Hand(self.rules, self.seats, starter, known, lead)
        self.hand_number += 1
        self.moves = []
        self._out = None
        return self.hand

    def finish_held(self, tiles: Mapping[int, Tile]) -> tuple[Event, ...]:
        """As `finish_hand`, from the tile of every slot that is held alone: what nobody held, the
        boneyard, may stay unknown. Raises `EngineError` too if they contradict what was shown."""
        hand = self._running()
        if hand.over is None or self.result is not None or self._played is not None:
            return self.finish_hand(tiles)
        return (self._settled(hand.over, hand.settle(tiles, self.seats)), *self._match_ended())

    def put_out(self, seat: int) -> None:
        """A seat is in no more; what that does to the running hand is told. A match that it had won
        is decided no more."""
        self.seats = tuple(other for other in self.seats if other != seat)
        if self.result is not None and seat in self.result.winners:
            self.result = None

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
            case HandEnded(reason=reason, seat=seat, scores=scores):
                self._out = seat if reason == "domino" and seat in self.seats else None
                self.hand = self._played = None
                self.scores = list(scores)
            case MatchEnded(reason=reason, winners=winners, scores=scores):
                self.result = MatchResult(reason, winners)
                self.scores = list(scores)
