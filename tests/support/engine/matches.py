"""Session events of whole matches from the engine alone, for tests of what shows them."""

from dataclasses import replace
from random import Random

from engine.events import Drawn, Event, MatchEnded
from engine.match import Match
from engine.rules import Rules
from engine.strategy import make_player, make_view
from engine.tiles import ALL_TILES, Tile
from p2p.crypto.identity import IdentityKey
from p2p.session.state.events import HandBegan, InHand, MatchBegan, Participant, SessionEvent

NAMES = ("Ana", "Ben", "Cleo", "Dan")


def players(count: int) -> tuple[Participant, ...]:
    """Ana, Ben, Cleo and Dan with fixed keys."""
    keys = [IdentityKey.from_private_bytes(bytes([seat + 1]) * 32).public for seat in range(count)]
    return tuple(Participant(seat, NAMES[seat], key) for seat, key in enumerate(keys))


def play_match(seed: int, count: int, rules: Rules) -> list[SessionEvent]:
    """The events of a match of `count` easy players with tiles from `seed`."""
    rng = Random(seed)
    match = Match(rules, count)
    told: list[SessionEvent] = [MatchBegan(b"\xab" * 32, rules.spell(), players(count))]
    while match.result is None:
        told += _play_hand(match, rng)
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


def _play_hand(match: Match, rng: Random) -> list[SessionEvent]:
    tiles = dict(enumerate(rng.sample(ALL_TILES, len(ALL_TILES))))
    rule = match.starter_rule()
    starter = rule if isinstance(rule, int) else match.lot_seat(rng.randrange(12))
    hand = match.begin_hand(starter, known=tiles)
    size, seats = match.rules.hand_size, range(match.rules.players)
    hands = tuple(_dealt(tiles, seat * size, size) for seat in seats)
    boneyard = _dealt(tiles, size * len(hands), len(tiles) - size * len(hands))
    counts = tuple(len(held) for held in hands)
    number = match.hand_number
    told: list[SessionEvent] = [HandBegan(number, starter, hands, counts, boneyard)]
    player = make_player("easy", rng)
    while hand.over is None:
        seat = hand.turn
        assert seat is not None
        move = player.choose(make_view(match, seat))
        told += [_told(event, number, tiles) for event in match.apply(move)]
    return told + [_told(event, number, tiles) for event in match.finish_hand(tiles)]


def _dealt(tiles: dict[int, Tile], first: int, size: int) -> tuple[Tile, ...]:
    return tuple(tiles[slot] for slot in range(first, first + size))


def _told(event: Event, hand: int, tiles: dict[int, Tile]) -> SessionEvent:
    if isinstance(event, MatchEnded):
        return event
    return InHand(hand, event, tile=tiles[event.slot] if isinstance(event, Drawn) else None)
