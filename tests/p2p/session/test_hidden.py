"""What one peer could learn from its own secrets and all traffic: nothing but what play shows.

Also: what a session holds in memory, lots that cannot be known early, and a broken random source.
"""

import dataclasses
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain, combinations

import pytest
from support.limits import seats
from support.session.tables import Game, make_table, rules_for
from support.session.told import bare

from engine.events import HandEnded, Played
from p2p.crypto.challenge import DealContext
from p2p.crypto.errors import Misuse
from p2p.crypto.group import Point, add_up, combine, decode_scalar, encode_scalar
from p2p.deck.keys import DealSecret, KeyOpening, lot
from p2p.deck.pairs import DECK_BYTES, Deck, tile_index
from p2p.session.record import decode
from p2p.session.session import Session
from p2p.session.state.events import HandBegan
from p2p.session.verify import verify_record
from p2p.wire.envelope import VERSION, Message, open_envelope


def secrets_of(game: Game, seat: int) -> dict[int, DealSecret]:
    """The secrets of a seat by deal, from what it gave to be stored."""
    kept: dict[int, DealSecret] = {}
    for output in game.outputs[seat]:
        for number, data in output.batch.secrets.items():
            kept[number] = DealSecret.from_bytes(data)
    return kept


@cache
def dealt(players: int) -> Game:
    """A table whose first hand is dealt: to be copied."""
    return Game.make(rules_for(players, target="100"), f"hidden {players}").play(moves=0)


def in_play(players: int) -> Iterator[Game]:
    """A hand as it is dealt, in its middle, and before its last move."""
    game = dealt(players).copy()
    yield game.copy()
    yield game.copy().play(moves=6)
    whole, moves = game.copy(), 0
    while not any(isinstance(event, HandEnded) for event in bare(whole.events[0])):
        whole.play(moves=1)
        moves += 1
    yield game.play(moves - 1)


def attempts(game: Game, slot: int, secrets: Mapping[int, DealSecret]) -> Iterator[Point]:
    """What is left of a slot after taking off any of the public shares and what one can make.

    The shares of that slot in every combination, with those that one can make; and all of them
    with a share of another slot.
    """
    deal = game.sessions[0].state.current.dealt
    first, second = deal.deck.pairs[slot]
    public = list(deal.shares.get(slot, {}).values())
    made = [secret.key * first for secret in secrets.values()]
    others = [share for at in deal.shares if at != slot for share in deal.shares[at].values()][::3]
    parts = [*public, *made]
    for taken in chain.from_iterable(combinations(parts, size) for size in range(len(parts) + 1)):
        yield second - add_up(taken)
    yield from (second - add_up([*parts, share]) for share in others)


def readable(game: Game, slot: int, secrets: Mapping[int, DealSecret]) -> bool:
    """Whether any attempt gives a tile."""
    for point in attempts(game, slot, secrets):
        try:
            tile_index(point)
        except Misuse:
            continue
        return True
    return False


@pytest.mark.parametrize("players", seats(3))
def test_one_peer_reads_its_own_tiles_and_those_placed_and_no_other(players: int) -> None:
    for game in in_play(players):
        hand = game.sessions[0].state.match.hand
        assert hand is not None
        spy = players - 1
        own = secrets_of(game, spy)
        placed = set(range(28)) - {slot for seat in hand.seats for slot in hand.slots(seat)}
        placed -= set(hand.boneyard)
        assert len(placed) == sum(isinstance(event, Played) for event in bare(game.events[0]))
        for slot in range(28):
            assert readable(game, slot, own) == (slot in hand.slots(spy) or slot in placed)


def test_the_attack_works_with_the_secrets_of_all() -> None:
    """Otherwise the test above would show nothing."""
    game = dealt(2)
    everything = {seat: secrets_of(game, seat)[1] for seat in (0, 1)}
    assert all(readable(game, slot, everything) for slot in range(28))


def values_in(root: object) -> Iterator[object]:
    """Every value that can be reached from an object, each object once."""
    seen: dict[int, object] = {}
    waiting: list[object] = [root]
    while waiting:
        value = waiting.pop()
        if id(value) in seen or isinstance(value, type):
            continue
        seen[id(value)] = value
        yield value
        if isinstance(value, dict):
            waiting += [*value.keys(), *value.values()]
        elif isinstance(value, list | tuple | set | frozenset):
            waiting += value
        elif not isinstance(value, bytes | str | int):
            waiting.append(getattr(value, "__dict__", {}))
            names = chain.from_iterable(
                getattr(kind, "__slots__", ()) for kind in type(value).mro()
            )
            waiting += [getattr(value, name) for name in names if hasattr(value, name)]


def holds(session: Session, secret: DealSecret) -> set[str]:
    """The names of the secret's fields that can be found anywhere in a session."""
    wanted: dict[object, str] = {
        secret.key: "key",
        encode_scalar(secret.key): "key",
        secret.second_coin: "second coin",
        secret.proof_seed: "proof seed",
    }
    found = set()
    for value in values_in(session):
        if isinstance(value, int | bytes) and value in wanted:
            found.add(wanted[value])
        if isinstance(value, bytes):
            found |= {
                name for part, name in wanted.items() if isinstance(part, bytes) and part in value
            }
    return found


@pytest.mark.parametrize("players", seats(2))
def test_a_session_holds_no_secret_of_another_seat(players: int) -> None:
    game = dealt(players).copy().play(moves=4)
    for seat, session in enumerate(game.sessions):
        for other in range(players):
            for secret in secrets_of(game, other).values():
                expected = {"key", "second coin", "proof seed"} if other == seat else set()
                assert holds(session, secret) == expected


def test_a_session_forgets_its_secrets_when_the_match_is_over() -> None:
    """What was opened is public; the seed of a proof and an unused deal are gone."""
    game = Game.make(rules_for(2, target="5"), "memory").play()
    for seat, session in enumerate(game.sessions):
        for number, secret in secrets_of(game, seat).items():
            opened = bool(session.state.deals[number].secrets)
            assert holds(session, secret) == ({"key", "second coin"} if opened else set())


def before_the_last_commitment(game: Game) -> bytes:
    """All that was sent before the last seat committed to its part of the first deal."""
    firsts: dict[int, int] = {}
    for place, message in enumerate(map(open_envelope, game.traffic)):
        if (message.kind, message.ladder) == ("commit", 1):
            firsts.setdefault(message.seat, place)
    return b"".join(game.traffic[: max(firsts.values())])


@pytest.mark.parametrize("players", seats(2))
def test_no_lot_can_be_known_before_its_time(players: int) -> None:
    """First coins before the last commitment; second coins before the last placement of a hand."""
    game = Game.make(rules_for(players, target="40"), "lot").play()
    coins = {seat: secrets_of(game, seat) for seat in range(players)}
    early = before_the_last_commitment(game)
    assert not any(secrets[1].first_coin in early for secrets in coins.values())
    assert all(secrets[1].first_coin in b"".join(game.traffic) for secrets in coins.values())
    hands = game.sessions[0].state.match.hand_number
    for number in range(1, hands + 1):
        opening = _first_opening(game, number)
        before, after = b"".join(game.traffic[:opening]), b"".join(game.traffic[opening:])
        assert not any(secrets[number].second_coin in before for secrets in coins.values())
        assert all(secrets[number].second_coin in after for secrets in coins.values())


def _first_opening(game: Game, hand: int) -> int:
    """Where in the traffic the first key of a hand is opened; all its moves stand before."""
    steps = sorted({one.step for one in map(open_envelope, game.traffic) if one.kind == "open"})
    step = steps[hand - 1]
    messages = [open_envelope(data) for data in game.traffic]
    return next(place for place, one in enumerate(messages) if (one.ladder, one.step) == (0, step))


def test_the_lot_of_a_later_hand_comes_from_the_coins_opened_after_the_one_before() -> None:
    """And that of the first hand from the coins opened with its keys."""
    game = Game.make(rules_for(2, target="200", next_starter="starter"), "lots").play()
    begun = [event for event in game.events[0] if isinstance(event, HandBegan)]
    coins = {seat: secrets_of(game, seat) for seat in (0, 1)}
    table = game.sessions[0].table
    for event in begun:
        number = max(event.hand - 1, 1)
        label = b"first" if event.hand == 1 else b"next"
        drawn = [
            coins[seat][number].first_coin if event.hand == 1 else coins[seat][number].second_coin
            for seat in (0, 1)
        ]
        context = DealContext(VERSION, table.id, number, table.seats)
        assert event.starter == lot(context, label, drawn) % 2
    assert len(begun) > 3


# A random source that always gives the same


def constant(size: int) -> bytes:
    """No randomness at all."""
    return b"\x07" * size


def constant_game(players: int, **options: str) -> Game:
    """A match whose sessions have a constant random source."""
    game = Game.make(rules_for(players, **options), "constant")
    table, keys = make_table(rules_for(players, **options), "constant")
    game.sessions = [Session(table, key, constant) for key in keys]
    return game.play()


@dataclasses.dataclass
class Commitments:
    """All points by which proofs of a match commit to their nonces, and all first components."""

    keys: dict[tuple[int, int], Point] = dataclasses.field(default_factory=dict)
    points: list[bytes] = dataclasses.field(default_factory=list)

    def add(self, message: Message, deal: int) -> None:
        """Those of one message; `deal` is the deal in play."""
        if message.kind == "key":
            opening = KeyOpening.from_bytes(_bytes(message.body[0]))
            self.keys[message.ladder, message.seat] = opening.key
            self._schnorr(opening.proof, opening.key)
        elif message.kind == "shuffle":
            deck, proof = _bytes(message.body[0]), _bytes(message.body[1])
            self.points += [first.raw for first, _ in Deck.from_bytes(deck[:DECK_BYTES]).pairs]
            self.points += [proof[at : at + 32] for at in range(0, 8 * 32, 32)]
        elif message.kind in ("deal", "play", "share", "call") and message.body:
            data = _bytes(message.body[{"deal": 1, "play": 3, "share": 0, "call": 1}[message.kind]])
            self._schnorr(data[-64:], self.keys[deal, message.seat])
        elif message.kind in ("draw", "pass"):
            self.points += [_bytes(message.body[0])[:32]] if message.body[0] else []

    def _schnorr(self, proof: bytes, key: Point) -> None:
        c, z = decode_scalar(proof[:32]), decode_scalar(proof[32:])
        self.points.append(combine([-c], [key], z).raw)


def _bytes(value: object) -> bytes:
    assert isinstance(value, bytes)
    return value


@pytest.mark.parametrize("players", seats(2))
def test_with_a_constant_random_source_no_nonce_comes_twice(players: int) -> None:
    game = constant_game(players, target="60")
    assert verify_record(game.sessions[0].record()).closed
    found, deal = Commitments(), 0
    for message in map(open_envelope, decode(game.sessions[0].record()).messages):
        deal += message.kind == "deal" and message.seat == 0
        found.add(message, deal)
    assert len(found.points) > 100
    assert len(set(found.points)) == len(found.points)


def test_with_a_constant_random_source_no_claim_can_be_read_early() -> None:
    game = constant_game(3, target="10", claims="yes")
    assert verify_record(game.sessions[0].record()).closed
    said = {data: open_envelope(data) for data in game.traffic}
    salts = [one.body[1] for one in said.values() if one.kind == "reveal"]
    assert len(salts) > 3
    assert len(set(map(bytes, map(_bytes, salts)))) == len(salts)
