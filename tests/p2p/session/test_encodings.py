"""A point and a scalar have one encoding each, wherever a message holds one: any other is refused
as it is decoded, and its signer is named, by every peer and by whoever verifies the record.

A decoder that ignores the top bit of a point reads two encodings as one point, and the identity
where none may be; what such a peer says is honest otherwise, its proofs too.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from support.session.cheats import (
    HOLDS_BOTH,
    CheatingSession,
    Twist,
    cheat,
    check_named,
    honest_seats,
    places,
    play_against,
)
from support.session.matches import Kept, all_kinds
from support.session.resigning import reseal
from support.session.tables import Game, rules_for
from support.session.tampering import FIELD, with_top_bit

from p2p.crypto import schnorr, share, shuffle, shuffle_prover
from p2p.crypto.errors import DecodeError
from p2p.crypto.group import IDENTITY, Point, Q, pack
from p2p.deck.keys import KeyOpening, commitment_to, key_challenge, open_key
from p2p.deck.pairs import TILES, Deck
from p2p.deck.shares import shares_challenge
from p2p.deck.shuffles import shuffle_challenge
from p2p.session.referee import Referee, Verdict
from p2p.session.state.errors import Fault
from p2p.session.state.events import Faulted
from p2p.session.state.state import DealState
from p2p.session.steps import rank
from p2p.session.steps.deal import dealt_slots
from p2p.session.steps.turn import unplayable_statement
from p2p.session.verify import replay_record
from p2p.wire.envelope import MATCH_LADDER, Body, Message

Said = tuple[str, Body] | None
BAD_POINT, BAD_SCALAR = "a point is not validly encoded", "a scalar is not validly encoded"
HOLDERS = {"key", "shuffle", "deal", "call", "rank", "play", "draw", "share", "pass", "open"}
# What the proofs of unplayable slots are about, by kind of message.
STATEMENTS = {"rank": rank.statement, "draw": unplayable_statement, "pass": unplayable_statement}


def second(point: Point) -> Point:
    """The same point to whoever ignores the top bit, in bytes that nobody may send."""
    return Point(with_top_bit(point.raw))


# Every field of every message


def encodings(referee: Referee, message: Message) -> Iterator[tuple[int, int, int]]:
    """Which field of the body holds encodings, and how many points and then scalars."""
    if message.kind == "key":
        yield 0, 1, 0  # the scalars of its proof are read once it is found to be the committed one
    elif message.kind == "shuffle":
        yield 0, 2 * TILES, 0
        yield 1, shuffle.POINTS, shuffle.scalars_for(TILES)
    elif message.kind in ("deal", "call", "play", "share"):
        at = {"deal": 1, "call": 1, "play": 3, "share": 0}[message.kind]
        yield at, len(_bytes(message.body[at])) // FIELD - 2, 2
    elif message.kind in STATEMENTS:
        slots, _ = STATEMENTS[message.kind](referee.state, message.seat)
        points = 2 + 4 * len(slots)
        yield 0, points, len(_bytes(message.body[0])) // FIELD - points
    elif message.kind == "open":
        yield 0, 0, 1


def others(referee: Referee, message: Message) -> Iterator[tuple[Body, str]]:
    """The body with each point and scalar in another encoding, and why that one is refused."""
    for at, points, scalars in encodings(referee, message):
        data = _bytes(message.body[at])
        for place in range(points + scalars):
            start, end = place * FIELD, (place + 1) * FIELD
            number = int.from_bytes(data[start:end], "little")
            if place < points:
                why = BAD_POINT
                values = [with_top_bit(data[start:end]), with_top_bit(bytes(FIELD)), bytes(FIELD)]
                negative = 2**255 - 19 - number  # the square root of the other sign
                values.append(negative.to_bytes(FIELD, "little"))
            else:
                why, values = BAD_SCALAR, [(number + Q).to_bytes(FIELD, "little")]
            for value in values:
                changed = data[:start] + value + data[end:]
                yield [*message.body[:at], changed, *message.body[at + 1 :]], why


def _bytes(value: object) -> bytes:
    assert isinstance(value, bytes)
    return value


def reason(error: BaseException | None) -> str:
    """What the decoder said, at the bottom of a fault; "" if something else refused it."""
    while error is not None and not isinstance(error, DecodeError):
        error = error.__cause__ or error.__context__
    return str(error) if error is not None else ""


def offer(referee: Referee, kept: Kept, message: Message) -> int:
    """Offer the message in every other encoding; returns how many there were."""
    count = 0
    for body, why in others(referee, message):
        altered = reseal(kept.keys[message.seat], message, message.previous, body)
        with pytest.raises(Fault) as caught:
            referee.receive(altered)
        assert caught.value.seat == message.seat
        assert reason(caught.value) == why, (message.kind, caught.value.what)
        count += 1
    return count


def is_empty(message: Message) -> bool:
    """A call that says no, or a proof of no slot."""
    return not message.body or (message.kind in STATEMENTS and not message.body[0])


def test_each_point_and_scalar_of_each_message_in_another_encoding() -> None:
    offered: dict[str, int] = {}
    for kept in all_kinds():
        referee = Referee(kept.table)
        for message in kept.messages:
            if message.kind not in offered and not is_empty(message):
                count = offer(referee, kept, message)
                offered |= {message.kind: count} if count else {}
            assert referee.receive(message) is Verdict.ACCEPTED
    assert set(offered) == HOLDERS


# Peers whose proofs are made over the second encoding


def _deal(session: CheatingSession, kind: str) -> DealState:
    before_it = kind in ("commit", "key", "shuffle", "deal")
    return session.state.deals[session.state.deal + before_it]


def opens(change: Callable[[Point], Point]) -> Twist:
    """Commits to, and opens, another encoding of a key, with a proof for that one."""

    def twist(session: CheatingSession, kind: str, body: Body) -> Said:
        if kind not in ("commit", "key"):
            return None
        deal = _deal(session, kind)
        secret = session._secrets.deals[deal.ctx.deal]
        key = change(secret.public)
        proof = schnorr.prove(key_challenge(deal.ctx, session.seat), secret.key, key, bytes)
        opening = KeyOpening(key, proof, secret.first_coin, bytes(32))
        bound = commitment_to(deal.ctx, session.seat, opening)
        return kind, [opening.to_bytes() if kind == "key" else bound]

    return twist


def opens_an_unreduced_proof(session: CheatingSession, kind: str, body: Body) -> Said:
    """Commits to, and opens, the proof of its key with a scalar in another encoding."""
    if kind not in ("commit", "key"):
        return None
    deal = _deal(session, kind)
    honest = open_key(deal.ctx, session.seat, session._secrets.deals[deal.ctx.deal])
    number = int.from_bytes(honest.proof[FIELD:], "little") + Q
    proof = honest.proof[:FIELD] + number.to_bytes(FIELD, "little")
    opening = replace(honest, proof=proof)
    said = opening.to_bytes() if kind == "key" else commitment_to(deal.ctx, session.seat, opening)
    return kind, [said]


def shuffles(change: Callable[[Point], Point]) -> Twist:
    """Passes on a deck with another encoding in its first pair, and a proof for that deck."""

    def twist(session: CheatingSession, kind: str, body: Body) -> Said:
        if kind != "shuffle":
            return None
        deal = _deal(session, kind)
        key, before = deal.deck_key, deal.chain[-1]
        challenge = shuffle_challenge(deal.ctx, session.seat)
        prepared = shuffle_prover.prepare(challenge.fork(b"prepare"), key, TILES, bytes)
        (first, second_part), *rest = shuffle_prover.apply(before.pairs, prepared)
        after = Deck(((change(first), second_part), *rest))
        statement = shuffle.Statement(key, before.pairs, after.pairs)
        proof = shuffle_prover.prove(challenge, statement, prepared, bytes)
        return kind, [after.to_bytes(), proof.to_bytes()]

    return twist


def shares(kind: str, at: int, change: Callable[[Point], Point]) -> Twist:
    """Another encoding of the first share of a message, with a proof for those shares."""

    def twist(session: CheatingSession, said: str, body: Body) -> Said:
        if said != kind or not body:
            return None
        deal = _deal(session, kind)
        secret, slots = session._secrets.deals[deal.ctx.deal], _slots(session, kind, body)
        label = session._place(MATCH_LADDER).label(kind)
        bases = [deal.chain[-1].pairs[slot][0] for slot in slots]
        first, *rest = [secret.key * base for base in bases]
        points = [change(first), *rest]
        challenge = shares_challenge(deal.ctx, session.seat, label, slots)
        proof = share.prove(challenge, secret.key, secret.public, bases, points, bytes)
        return kind, [*body[:at], pack(points, []) + proof, *body[at + 1 :]]

    return twist


def _slots(session: CheatingSession, kind: str, body: Body) -> tuple[int, ...]:
    state = session.state
    if kind == "deal":
        return dealt_slots(state, session.seat)
    if kind == "share":
        assert state.drawn is not None
        return (state.drawn[1],)
    assert isinstance(body[0], int)
    return (body[0],)


def draws_with_it(session: CheatingSession, kind: str, body: Body) -> Said:
    """R_0 of the proof is the identity to whoever ignores the bit."""
    if kind not in ("draw", "pass"):
        return None
    return kind, [with_top_bit(bytes(FIELD)) + _bytes(body[0])[FIELD:], *body[1:]]


def identity(point: Point) -> Point:
    """The identity to whoever ignores the top bit."""
    return second(IDENTITY)


MALFORMED = f"a malformed message: {BAD_POINT}"


@pytest.mark.parametrize(("players", "seat"), places(2, full=(2, 3)))
@pytest.mark.parametrize("change", [second, identity])
@pytest.mark.parametrize("make", [opens, shuffles])
def test_a_deck_made_with_it(
    make: Callable[[Callable[[Point], Point]], Twist],
    change: Callable[[Point], Point],
    players: int,
    seat: int,
) -> None:
    assert named(play_against(make(change), players, seat=seat), seat) == MALFORMED


@pytest.mark.parametrize(("players", "seat"), places(2))
def test_the_proof_of_a_key_with_an_unreduced_scalar(players: int, seat: int) -> None:
    game = play_against(opens_an_unreduced_proof, players, seat=seat)
    assert named(game, seat).endswith("not proven")


@pytest.mark.parametrize("change", [second, identity])
@pytest.mark.parametrize(("players", "seat"), places(2))
@pytest.mark.parametrize(("kind", "at"), [("deal", 1), ("play", 3), ("share", 0)])
def test_shares_with_it(
    kind: str, at: int, change: Callable[[Point], Point], players: int, seat: int
) -> None:
    game = play_against(shares(kind, at, change), players, seat=seat)
    assert named(game, seat).endswith("not proven")


@pytest.mark.parametrize(("players", "seat"), places(2))
@pytest.mark.parametrize("change", [second, identity])
def test_a_lead_that_was_called_with_it(
    change: Callable[[Point], Point], players: int, seat: int
) -> None:
    cheats = {seat: cheat(shares("call", 1, change))}
    rules = rules_for(players, "online", target="20")
    game = Game.make(rules, HOLDS_BOTH[players, seat], cheats=cheats)
    assert named(game.play(), seat).endswith("not proven")


@pytest.mark.parametrize(("players", "seat"), places(2))
def test_a_draw_with_it(players: int, seat: int) -> None:
    game = play_against(draws_with_it, players, seat=seat)
    assert named(game, seat).endswith("not proven")


def named(game: Game, seat: int) -> str:
    """As `check_named`; the events of a replay name the cheat too."""
    what = check_named(game, seat)
    other = honest_seats(game, seat)[0]
    assert Faulted(seat, what) in replay_record(game.sessions[other].record())
    return what
