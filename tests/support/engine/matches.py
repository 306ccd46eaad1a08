"""Session events of whole matches from the engine alone, for tests of what shows them."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from random import Random

from engine.deal import deal_slots, highest_lead
from engine.events import Drawn, Event, MatchEnded
from engine.hand import Hand
from engine.match import Match
from engine.rules import Rules
from engine.seats import turns_after
from engine.strategy import make_player, make_view
from engine.tiles import ALL_TILES, Tile
from p2p.crypto.identity import IdentityKey
from p2p.session.state.events import (
    HandBegan,
    InHand,
    MatchBegan,
    Participant,
    SeatOut,
    SessionEvent,
    Settled,
)

NAMES = ("Ana", "Ben", "Cleo", "Dan")


def players(count: int) -> tuple[Participant, ...]:
    """Ana, Ben, Cleo and Dan with fixed keys."""
    keys = [IdentityKey.from_private_bytes(bytes([seat + 1]) * 32).public for seat in range(count)]
    return tuple(Participant(seat, NAMES[seat], key) for seat, key in enumerate(keys))


Going = Mapping[int, tuple[int, str]]
"""By number of the decision, all hands counted: the seat that is put out before it, and why."""


def play_match(
    seed: int, count: int, rules: Rules, going: Going | None = None
) -> list[SessionEvent]:
    """The events of a match of `count` easy players with tiles from `seed`."""
    rng = Random(seed)
    match = Match(rules, count)
    told: list[SessionEvent] = [MatchBegan(b"\xab" * 32, rules.spell(), players(count))]
    dealer = _Dealer(match, rng, going or {})
    while match.result is None:
        told += dealer.play_hand()
    return told


def seen_from(told: list[SessionEvent], seat: int) -> list[SessionEvent]:
    """The same events as the peer in `seat` gets them: others' tiles are not there."""
    return [_seen(event, seat) for event in told]


def _seen(event: SessionEvent, seat: int) -> SessionEvent:
    if isinstance(event, HandBegan):
        hands = tuple(hand if at == seat else None for at, hand in enumerate(event.hands))
        return HandBegan(event.hand, event.starter, hands, event.counts, None)
    if isinstance(event, InHand) and event.event.seat != seat:
        return replace(event, tile=None)
    return event


class _Dealer:
    """Deals and plays hand after hand, and puts out who goes."""

    def __init__(self, match: Match, rng: Random, going: Going) -> None:
        self.match, self.rng, self.going = match, rng, going
        self.player = make_player("easy", rng)
        self.decisions = 0
        self.told: list[SessionEvent] = []

    def play_hand(self) -> list[SessionEvent]:
        """What is told of the next hand."""
        match, self.told = self.match, []
        tiles = dict(enumerate(self.rng.sample(ALL_TILES, len(ALL_TILES))))
        hand = self._begin(tiles)
        while match.hand is hand:
            self.decisions += 1
            if self.decisions in self.going and len(match.seats) > 1:
                self._put_out(*self.going[self.decisions], tiles)
            elif match.awaiting_claims() and match.claimed_play is not None:
                said = {seat: self._claim(seat) for seat in match.awaiting_claims()}
                self.told.append(Settled(match.hand_number, match.claimed_play.seat, said))
                self._tell(match.apply_claims(said), tiles)
            elif hand.turn is not None:
                self._tell(match.apply(self.player.choose(make_view(match, hand.turn))), tiles)
            else:
                self._tell(match.finish_hand(tiles), tiles)
        return self.told

    def _claim(self, seat: int) -> int:
        return self.player.claim(make_view(self.match, seat))

    def _begin(self, tiles: dict[int, Tile]) -> Hand:
        match, lead = self.match, None
        rule = match.starter_rule()
        if rule == "highest-double":
            starter, lead = highest_lead(match.rules, match.seats, tiles)
        else:
            starter = rule if isinstance(rule, int) else match.lot_seat(self.rng.randrange(12))
        hand = match.begin_hand(starter, known=tiles, lead=lead)
        dealt = deal_slots(match.rules, match.seats)
        hands = tuple(
            tuple(tiles[slot] for slot in dealt.get(seat, ()))
            for seat in range(match.rules.players)
        )
        boneyard = tuple(tiles[slot] for slot in hand.boneyard)
        counts = tuple(len(held) for held in hands)
        self.told.append(HandBegan(match.hand_number, starter, hands, counts, boneyard))
        return hand

    def _tell(self, made: Iterable[Event], tiles: dict[int, Tile]) -> None:
        self.told += [_told(event, self.match.hand_number, tiles) for event in made]

    def _put_out(self, seat: int, reason: str, tiles: dict[int, Tile]) -> None:
        """As p2p.session.steps.retire does, with nobody's answer there."""
        match, number = self.match, self.match.hand_number
        hand, played = match.hand, match.claimed_play
        assert hand is not None
        by = tuple(other for other in match.seats if other != seat)
        self.told.append(SeatOut(number, seat, reason, by))
        held = None
        if hand.over is not None and played is None:
            held = {slot: tiles[slot] for other in by for slot in hand.slots(other)}
        if played is not None:
            answers = dict.fromkeys(turns_after(hand.seats, played.seat)[:-1], 0)
            self.told.append(Settled(number, played.seat, answers))
        made = match.retire([seat], "fault" if reason == "fault" else "left", tiles=held)
        self._tell(made, tiles)


def _told(event: Event, hand: int, tiles: dict[int, Tile]) -> SessionEvent:
    if isinstance(event, MatchEnded):
        return event
    return InHand(hand, event, tile=tiles[event.slot] if isinstance(event, Drawn) else None)
