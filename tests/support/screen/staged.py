"""Scenes for screens: hands played by the engine from a seeded deal, as one seat sees them."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from cli.telling.scene import Scene
from cli.telling.words import say
from engine.deal import deal_slots
from engine.events import Drawn, HandEnded, MatchEnded
from engine.match import Match
from engine.moves import Move, Play
from engine.rules import Rules
from engine.strategy.view import SeatView, make_view
from engine.tiles import ALL_TILES, Tile
from p2p.session.state.events import (
    HandBegan,
    InHand,
    MatchBegan,
    Participant,
    SessionEvent,
    Settled,
)

NAMES = ("Ana", "Ben", "Cem", "Dot")
Policy = Callable[[Sequence[Move], random.Random], Move]


def any_move(legal: Sequence[Move], rng: random.Random) -> Move:
    """A legal move by chance."""
    return rng.choice(legal)


def spread(legal: Sequence[Move], rng: random.Random) -> Move:
    """Doubles first, then the end named last: many arms."""
    return max(legal, key=lambda move: _spreading(move, rng))


def _spreading(move: Move, rng: random.Random) -> tuple[bool, bool, float]:
    if not isinstance(move, Play):
        return (False, False, 0.0)
    return (move.tile.is_double, (move.end or "")[-1:] in ("U", "D"), rng.random())


@dataclass
class Staged:
    """A hand in play as `me` sees it, who `heard` these events; `match` knows every tile."""

    match: Match
    scene: Scene
    tiles: dict[int, Tile]
    log: list[str] = field(default_factory=list)
    ended: list[SessionEvent] = field(default_factory=list)
    heard: list[SessionEvent] = field(default_factory=list)

    def tell(self, event: SessionEvent) -> None:
        """An event that the seat hears."""
        self.heard.append(event)
        self.scene.apply(event)
        self.log += say(event, self.scene)

    def seen(self) -> SeatView | None:
        """What the seat sees if it is to move, or to claim."""
        hand, me = self.match.hand, self.scene.me
        if hand is None or me is None:
            return None
        waits = self.match.awaiting_claims() or (hand.turn,)
        return make_view(self.match, me) if me in waits else None

    def known(self) -> set[Tile]:
        """The tiles that this seat may know now."""
        hand, me = self.match.hand, self.scene.me
        assert hand is not None
        assert me is not None
        table = {placed.tile for placed in hand.line.placements}
        return table | {self.tiles[slot] for slot in hand.slots(me)}

    def step(self, policy: Policy, rng: random.Random) -> bool:
        """One move of whoever is to move; False once the hand is over."""
        match = self.match
        hand = match.hand
        if hand is None or hand.turn is None:
            return False
        turn = hand.turn
        if match.awaiting_claims():
            answers = dict.fromkeys(match.awaiting_claims(), 0)
            assert match.claimed_play is not None
            placer = match.claimed_play.seat
            match.apply_claims(answers)
            self.tell(Settled(match.hand_number, placer, answers))
            return True
        for event in match.apply(policy(hand.legal_moves(turn), rng)):
            assert not isinstance(event, MatchEnded)
            seen = isinstance(event, Drawn) and turn == self.scene.me
            tile = self.tiles[hand.slots(turn)[-1]] if seen else None
            self.tell(InHand(match.hand_number, event, tile=tile))
        return True

    def finish(self) -> None:
        """The end of a hand that is over."""
        number = self.match.hand_number
        for event in self.match.finish_hand(self.tiles):
            told = event if isinstance(event, MatchEnded) else InHand(number, event)
            self.tell(told)
            self.ended.append(told)

    def deal(self, rng: random.Random) -> None:
        """The next hand of the match, led by who went out, or else by chance."""
        match, tiles = self.match, list(ALL_TILES)
        rng.shuffle(tiles)
        self.tiles = dict(enumerate(tiles))
        ended = self.ended[-1]
        assert isinstance(ended, InHand)
        out = ended.event.seat if isinstance(ended.event, HandEnded) else None
        starter = rng.choice(match.seats) if out is None else out
        self.begin(starter)

    def begin(self, starter: int) -> None:
        """Begin a hand of the tiles, and tell it."""
        match, me = self.match, self.scene.me
        hand = match.begin_hand(starter, known=self.tiles)
        slots = deal_slots(match.rules, match.seats)
        dealt = [
            tuple(sorted((self.tiles[at] for at in slots[seat]), reverse=True))
            for seat in match.seats
        ]
        hands = tuple(one if me in (None, seat) else None for seat, one in enumerate(dealt))
        counts = tuple(hand.held_count(seat) for seat in match.seats)
        self.tell(HandBegan(match.hand_number, starter, hands, counts, None))


def staged(rules: Rules, seed: str, me: int | None = 0) -> Staged:
    """A first hand dealt from a seed, seen by `me`; None sees all tiles, as a replay does."""
    rng = random.Random(seed)
    tiles = list(ALL_TILES)
    rng.shuffle(tiles)
    known = dict(enumerate(tiles))
    match = Match(rules, rules.players)
    starter = rng.randrange(rules.players)
    names = NAMES[: rules.players]
    players = tuple(
        Participant(seat, name, bytes([seat + 1]) * 32) for seat, name in enumerate(names)
    )
    made = Staged(match, Scene(me), known)
    made.tell(MatchBegan(bytes(32), rules.spell(), players))
    made.begin(starter)
    return made


def play_until(
    stage: Staged, rng: random.Random, done: Callable[[Staged], bool], policy: Policy = any_move
) -> bool:
    """Play on until `done`; False if the hand ended before."""
    while not done(stage):
        if not stage.step(policy, rng):
            return False
    return True
