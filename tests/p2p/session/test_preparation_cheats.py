"""Peers that cheat while a deck is made, or when a deal is opened."""

import pytest
from support.session.cheating_shuffle import (
    Cheat,
    HiddenDuplicate,
    OpenDuplicate,
    ReplacedFirst,
    ReplacedSecond,
    ScaledPair,
)
from support.session.cheats import (
    CHEAT,
    CheatingSession,
    Twist,
    almost_over,
    cheat,
    check_named,
    other_seat,
    places,
    play_against,
)
from support.session.tables import Game, rules_for
from support.session.told import bare

from engine.events import HandEnded
from p2p.crypto.group import G, Q, decode_scalar, encode_scalar
from p2p.deck.keys import KeyOpening, commitment_to
from p2p.deck.pairs import Deck
from p2p.deck.shuffles import make_shuffle, shuffle_challenge
from p2p.session.state.state import DealState
from p2p.wire.envelope import Body

Said = tuple[str, Body] | None


def _deal(session: CheatingSession) -> DealState:
    return session.state.deals[session.state.next]


def _bytes(value: object) -> bytes:
    assert isinstance(value, bytes)
    return value


def _flip(data: object, at: int) -> bytes:
    whole = _bytes(data)
    return whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]


def swaps_two_tiles_after_the_proof(session: CheatingSession, kind: str, body: Body) -> Said:
    if kind != "shuffle":
        return None
    deck = _bytes(body[0])
    return kind, [deck[64:128] + deck[:64] + deck[128:], body[1]]


def doubles_a_ciphertext(session: CheatingSession, kind: str, body: Body) -> Said:
    if kind != "shuffle":
        return None
    deck = _bytes(body[0])
    return kind, [deck[:64] + deck[:64] + deck[128:], body[1]]


def replaces_a_ciphertext(session: CheatingSession, kind: str, body: Body) -> Said:
    """A well-made encryption of a tile of its choice in place of the first."""
    if kind != "shuffle":
        return None
    chosen = (5 * G).raw + (5 * _deal(session).deck_key + G).raw
    return kind, [chosen + _bytes(body[0])[64:], body[1]]


def passes_on_the_deck_it_got(session: CheatingSession, kind: str, body: Body) -> Said:
    if kind != "shuffle":
        return None
    return kind, [_deal(session).chain[-1].to_bytes(), body[1]]


def copies_the_shuffle_before_it(session: CheatingSession, kind: str, body: Body) -> Said:
    """Deck and proof of the seat before, as they are."""
    if kind != "shuffle":
        return None
    ladder = session.referee.ladder(session.state.next)
    return kind, list(ladder.steps[-1][session.seat - 1].body)


def shuffles_the_open_deck_again(session: CheatingSession, kind: str, body: Body) -> Said:
    """A true shuffle, but of the deck before the other seat's: that one's work undone."""
    if kind != "shuffle":
        return None
    deal = _deal(session)
    deck, proof = make_shuffle(deal.ctx, session.seat, deal.deck_key, deal.chain[0], bytes)
    return kind, [deck.to_bytes(), proof]


def proves_for_another_seat(session: CheatingSession, kind: str, body: Body) -> Said:
    if kind != "shuffle":
        return None
    deal = _deal(session)
    deck, proof = make_shuffle(deal.ctx, other_seat(session), deal.deck_key, deal.chain[-1], bytes)
    return kind, [deck.to_bytes(), proof]


def lying_prover(prover: type[Cheat]) -> Twist:
    """A shuffle whose proof lies in one equation."""

    def twist(session: CheatingSession, kind: str, body: Body) -> Said:
        if kind != "shuffle":
            return None
        deal = _deal(session)
        order = [*range(2, 29), 1]
        liar = prover(order, deal.deck_key, deal.chain[-1].pairs)
        statement, proof = liar.prove(shuffle_challenge(deal.ctx, session.seat))
        return kind, [Deck(tuple(statement.after)).to_bytes(), proof.to_bytes()]

    return twist


def opens_another_key(session: CheatingSession, kind: str, body: Body) -> Said:
    """A key made to cancel those that others opened first, which it could not commit to."""
    if kind != "key":
        return None
    ladder = session.referee.ladder(session.state.next)
    others = [KeyOpening.from_bytes(_bytes(one.body[0])).key for one in ladder.open.values()]
    biased = G
    for key in others:
        biased = biased - key
    return kind, [biased.raw + _bytes(body[0])[32:]]


def opens_another_coin(session: CheatingSession, kind: str, body: Body) -> Said:
    return (kind, [_flip(body[0], 100)]) if kind == "key" else None


def uses_a_key_twice(session: CheatingSession, kind: str, body: Body) -> Said:
    return _replay(session, session.seat, kind, body)


def copies_the_key_of_another(session: CheatingSession, kind: str, body: Body) -> Said:
    return _replay(session, other_seat(session), kind, body)


def _replay(session: CheatingSession, seat: int, kind: str, body: Body) -> Said:
    """In the second deal, commit to and open what `seat` opened in the first."""
    if kind not in ("commit", "key") or session.state.deal == 0:
        return None
    opening = session.state.deals[1].openings[seat]
    if kind == "key":
        return kind, [opening.to_bytes()]
    return kind, [commitment_to(_deal(session).ctx, session.seat, opening)]


def gives_away_another_key(session: CheatingSession, kind: str, body: Body) -> Said:
    if kind != "open":
        return None
    data = _bytes(body[0])
    return kind, [encode_scalar((decode_scalar(data[:32]) + 1) % Q) + data[32:]]


def gives_away_another_coin(session: CheatingSession, kind: str, body: Body) -> Said:
    return (kind, [_flip(body[0], 40)]) if kind == "open" else None


def gives_away_too_little(session: CheatingSession, kind: str, body: Body) -> Said:
    return (kind, [_bytes(body[0])[:-1]]) if kind == "open" else None


def gives_away_an_unreduced_key(session: CheatingSession, kind: str, body: Body) -> Said:
    if kind != "open":
        return None
    data = _bytes(body[0])
    return kind, [(decode_scalar(data[:32]) + Q).to_bytes(32, "little") + data[32:]]


UNPROVEN = "its shuffle is not proven"
FIRST_DEAL: dict[Twist, str] = {
    swaps_two_tiles_after_the_proof: UNPROVEN,
    doubles_a_ciphertext: UNPROVEN,
    replaces_a_ciphertext: UNPROVEN,
    passes_on_the_deck_it_got: UNPROVEN,
    copies_the_shuffle_before_it: UNPROVEN,
    shuffles_the_open_deck_again: UNPROVEN,
    proves_for_another_seat: UNPROVEN,
    opens_another_key: "the opened key is not the committed one",
    opens_another_coin: "the opened key is not the committed one",
    uses_a_key_twice: "the knowledge of its key is not proven",
    copies_the_key_of_another: "the knowledge of its key is not proven",
}
OPENINGS: dict[Twist, str] = {
    gives_away_another_key: "the opened secret key does not fit its public key",
    gives_away_another_coin: "the opened coin is not the committed one",
    gives_away_too_little: "the opening of its key has the wrong length",
    gives_away_an_unreduced_key: "the opened secret key is not validly encoded",
}
OF_A_SHUFFLE_BEFORE = (copies_the_shuffle_before_it, shuffles_the_open_deck_again)
PROVERS = (HiddenDuplicate, OpenDuplicate, ScaledPair, ReplacedFirst, ReplacedSecond)


@pytest.mark.parametrize(("players", "seat"), places(3))
@pytest.mark.parametrize("twist", FIRST_DEAL, ids=lambda twist: twist.__name__)
def test_a_deck_made_wrongly(twist: Twist, players: int, seat: int) -> None:
    if seat == 0 and twist in OF_A_SHUFFLE_BEFORE:
        pytest.skip("nobody shuffles before the first")
    assert check_named(play_against(twist, players, seat=seat), seat) == FIRST_DEAL[twist]


@pytest.mark.parametrize("seat", [0, 2])
def test_who_cheats_in_another_seat(seat: int) -> None:
    """The others are tried in each seat in a full run."""
    game = play_against(opens_another_coin, 3, seat=seat)
    assert check_named(game, seat) == FIRST_DEAL[opens_another_coin]


@pytest.mark.parametrize("prover", PROVERS)
def test_a_shuffle_proof_that_lies_in_one_equation(prover: type[Cheat]) -> None:
    assert check_named(play_against(lying_prover(prover), 2)) == UNPROVEN


def test_the_lying_prover_is_believed_when_it_does_not_lie() -> None:
    game = Game.make(rules_for(2), "true", cheats={CHEAT: cheat(lying_prover(Cheat))})
    game.play(moves=0)
    assert game.sessions[0].fault is None
    assert game.sessions[0].decision() or game.sessions[CHEAT].decision()


@pytest.mark.parametrize(("players", "seat"), places(2))
@pytest.mark.parametrize("twist", OPENINGS, ids=lambda twist: twist.__name__)
def test_a_key_opened_wrongly(twist: Twist, players: int, seat: int) -> None:
    game = almost_over(players, twist, seat=seat).play()
    assert check_named(game, seat) == OPENINGS[twist]


def test_the_one_who_opens_wrongly_after_the_last_point_loses_the_match() -> None:
    game = play_against(gives_away_another_key, 2, rules_for(2, target="5"))
    assert check_named(game) == OPENINGS[gives_away_another_key]
    assert all(
        event.reason == "fault" for event in bare(game.events[0]) if isinstance(event, HandEnded)
    )
