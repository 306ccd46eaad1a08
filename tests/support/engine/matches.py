"""Session events of whole matches from the engine alone, for tests of what shows them."""

from random import Random

from engine.events import Drawn as EngineDrawn
from engine.events import Event
from engine.events import HandEnded as EngineHandEnded
from engine.events import MatchEnded as EngineMatchEnded
from engine.events import Passed as EnginePassed
from engine.match import Match
from engine.rules import Rules
from engine.strategy import make_player, make_view
from engine.tiles import ALL_TILES, Tile
from p2p.crypto.identity import IdentityKey
from p2p.session.state import events
from p2p.session.state.events import MatchBegan, Player, SessionEvent

NAMES = ("Ana", "Ben", "Cleo", "Dan")


def players(count: int) -> tuple[Player, ...]:
    """Ana, Ben, Cleo and Dan with fixed keys."""
    keys = [IdentityKey.from_private_bytes(bytes([seat + 1]) * 32).public for seat in range(count)]
    return tuple(Player(seat, NAMES[seat], key) for seat, key in enumerate(keys))


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
    if isinstance(event, events.HandBegan):
        hands = tuple(hand if at == seat else None for at, hand in enumerate(event.hands))
        return events.HandBegan(event.hand, event.starter, hands, event.counts, None)
    if isinstance(event, events.Drawn) and event.seat != seat:
        return events.Drawn(event.hand, event.seat, event.slot, None, event.auto)
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
    told: list[SessionEvent] = [events.HandBegan(number, starter, hands, counts, boneyard)]
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
    match event:
        case EngineDrawn(seat=seat, slot=slot):
            return events.Drawn(hand, seat, slot, tiles[slot], False)
        case EnginePassed(seat=seat):
            return events.Passed(hand, seat, False)
        case EngineHandEnded(reason, winner, left, points, scores):
            return events.HandEnded(hand, reason, winner, left, points, scores)
        case EngineMatchEnded(reason, winners, scores):
            return events.MatchEnded(reason, winners, scores)
    return events.played(event, hand, False)
