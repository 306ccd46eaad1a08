"""Peers that twist one of their messages: refused by all, the right seat named, and verified.

One file a stage of the deal: this one has the moves of a hand.
"""

import re

import pytest
from support.session.cheats import (
    CHEAT,
    CheatingSession,
    Twist,
    almost_over,
    check_named,
    dealt,
    honest,
    honest_seats,
    other_slot,
    places,
    play_against,
)
from support.session.tables import rules_for

from engine.tiles import ALL_TILES
from p2p.deck.shares import make_shares
from p2p.deck.unplayable import make_unplayable
from p2p.session.record import decode, pack
from p2p.session.state.state import Phase
from p2p.session.steps.deal import dealt_slots
from p2p.session.steps.turn import prove_unplayable, unplayable_statement
from p2p.session.verify import verify_record
from p2p.wire.envelope import MATCH_LADDER, Body

Said = tuple[str, Body] | None


def _step(session: CheatingSession) -> int:
    return session.referee.ladder(MATCH_LADDER).step


def _share(session: CheatingSession, kind: str, slot: int) -> bytes:
    """A well-made share of this seat for any slot, for the open step."""
    state = session.state
    label = session._place(MATCH_LADDER).label(kind)
    secret = session._secrets.deals[state.deal]
    deck = state.current.dealt.deck
    return make_shares(state.current.ctx, session.seat, label, secret, deck, (slot,), bytes)


def _false_proof(session: CheatingSession, kind: str) -> bytes:
    """A proof, well made for the due slots, that they hold tiles of which some fit an end."""
    state, hand = session.state, session.state.match.hand
    assert hand is not None
    slots = hand.due_slots(session.seat)
    misfits = {tile.index for tile in hand.misfits()}
    candidates = sorted(misfits | {hand.known[slot].index for slot in slots})
    label = session._place(MATCH_LADDER).label(kind)
    secret = session._secrets.deals[state.deal]
    deal = state.current
    return make_unplayable(
        deal.ctx, session.seat, label, secret, deal.dealt, slots, candidates, bytes
    )


def plays_a_tile_not_held(session: CheatingSession, kind: str, body: Body) -> Said:
    if kind != "play":
        return None
    hand = session.state.match.hand
    assert hand is not None
    held = {hand.known[slot].index for slot in hand.slots(session.seat)}
    fitting = (tile for tile in ALL_TILES if tile.index not in held)
    other = next(tile for tile in fitting if hand.line.refusal(tile, _text(body[2])) is None)
    return kind, [body[0], other.index, *body[2:]]


def _text(value: object) -> str | None:
    assert value is None or isinstance(value, str)
    return value


def plays_the_slot_of_another(session: CheatingSession, kind: str, body: Body) -> Said:
    if kind != "play":
        return None
    slot = other_slot(session)
    return kind, [slot, body[1], body[2], _share(session, "play", slot), *body[4:]]


def plays_a_tile_twice(session: CheatingSession, kind: str, body: Body) -> Said:
    if kind != "play":
        return None
    slot, index = session.notes.get("slot"), session.notes.get("tile")
    if slot is None or index is None:
        session.notes = {"slot": bytes([_int(body[0])]), "tile": bytes([_int(body[1])])}
        return None
    return kind, [slot[0], index[0], body[2], _share(session, "play", slot[0]), *body[4:]]


def _int(value: object) -> int:
    assert isinstance(value, int)
    return value


def plays_a_tile_of_the_table(session: CheatingSession, kind: str, body: Body) -> Said:
    hand = session.state.match.hand
    if kind != "play" or hand is None or not hand.line.tiles:
        return None
    index = next(tile.index for tile in ALL_TILES if hand.line.tiles >> tile.index & 1)
    return kind, [body[0], index, *body[2:]]


def plays_to_no_end(session: CheatingSession, kind: str, body: Body) -> Said:
    if kind != "play" or body[2] is None:
        return None
    return kind, [*body[:2], "\x1b[2J" + "X" * 4000, *body[3:]]


def plays_without_an_end(session: CheatingSession, kind: str, body: Body) -> Said:
    if kind != "play" or body[2] is None:
        return None
    return kind, [*body[:2], None, *body[3:]]


def claims_without_claims(session: CheatingSession, kind: str, body: Body) -> Said:
    return (kind, [*body[:4], 5, body[5]]) if kind == "play" else None


def draws_with_a_fitting_tile(session: CheatingSession, kind: str, body: Body) -> Said:
    if kind != "play" or body[2] is None or not _drawable(session):
        return None
    return "draw", [_false_proof(session, "draw"), False]


def _drawable(session: CheatingSession) -> int:
    hand = session.state.match.hand
    assert hand is not None
    return hand.drawable()


def passes_with_a_fitting_tile(session: CheatingSession, kind: str, body: Body) -> Said:
    if kind != "play" or body[2] is None:
        return None
    return "pass", [_false_proof(session, "pass"), False]


def passes_with_drawable_tiles(session: CheatingSession, kind: str, body: Body) -> Said:
    if kind != "draw":
        return None
    return "pass", [_proof_of_a_pass(session), False]


def _proof_of_a_pass(session: CheatingSession) -> bytes:
    label = session._place(MATCH_LADDER).label("pass")
    statement = unplayable_statement(session.state, session.seat)
    return prove_unplayable(session._secrets, session.state, label, statement)


def draws_with_the_proof_of_a_pass(session: CheatingSession, kind: str, body: Body) -> Said:
    if kind != "draw" or not body[0]:
        return None
    return kind, [_proof_of_a_pass(session), False]


def draws_without_proof(session: CheatingSession, kind: str, body: Body) -> Said:
    return (kind, [b"", False]) if kind == "draw" and body[0] else None


def draws_before_the_lead(session: CheatingSession, kind: str, body: Body) -> Said:
    return ("draw", [b"", False]) if kind == "play" and body[2] is None else None


def shares_another_slot(session: CheatingSession, kind: str, body: Body) -> Said:
    state = session.state
    if kind != "share" or state.drawn is None:
        return None
    return kind, [_share(session, "share", state.drawn[1] - 1)]


def shares_with_another_key(session: CheatingSession, kind: str, body: Body) -> Said:
    if kind != "share":
        return None
    return kind, [_flip(body[0], 0)]


def _flip(data: object, at: int) -> bytes:
    assert isinstance(data, bytes)
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def shares_with_a_bent_proof(session: CheatingSession, kind: str, body: Body) -> Said:
    return (kind, [_flip(body[0], 32)]) if kind == "share" else None


def plays_with_the_share_of_another_slot(session: CheatingSession, kind: str, body: Body) -> Said:
    hand = session.state.match.hand
    if kind != "play" or hand is None or len(hand.slots(session.seat)) < 2:
        return None
    other = next(slot for slot in hand.slots(session.seat) if slot != body[0])
    return kind, [*body[:3], _share(session, "play", other), *body[4:]]


def plays_with_a_share_of_another_step(session: CheatingSession, kind: str, body: Body) -> Said:
    if kind != "play":
        return None
    return kind, [*body[:3], _share(session, "share", _int(body[0])), *body[4:]]


def deals_in_another_order(session: CheatingSession, kind: str, body: Body) -> Said:
    if kind != "deal":
        return None
    data = body[1]
    assert isinstance(data, bytes)
    return kind, [body[0], data[32:64] + data[:32] + data[64:]]


def deals_shares_of_own_slots(session: CheatingSession, kind: str, body: Body) -> Said:
    """The very cheat that would leave its own tiles to be chosen later."""
    if kind != "deal":
        return None
    state, number = session.state, session.state.next
    wanted = len(dealt_slots(state, session.seat))
    own = [slot for slot in range(28) if slot not in dealt_slots(state, session.seat)][:wanted]
    slots = (*own, *dealt_slots(state, session.seat))[:wanted]
    deal, secret = state.deals[number], session._secrets.deals[number]
    label = session._place(MATCH_LADDER).label("deal")
    data = make_shares(deal.ctx, session.seat, label, secret, deal.chain[-1], slots, bytes)
    return kind, [body[0], data]


def deals_one_share_less(session: CheatingSession, kind: str, body: Body) -> Said:
    data = body[1] if kind == "deal" else None
    return (kind, [body[0], data[32:]]) if isinstance(data, bytes) else None


def speaks_out_of_place(session: CheatingSession, kind: str, body: Body) -> Said:
    return ("reveal", body) if kind == "play" else None


def signs_another_result(session: CheatingSession, kind: str, body: Body) -> Said:
    if kind != "result":
        return None
    scores = body[0]
    assert isinstance(scores, list)
    return kind, [[*scores[:-1], scores[-1] + 5], body[1]]


def signs_itself_the_winner(session: CheatingSession, kind: str, body: Body) -> Said:
    return (kind, [body[0], [0, session.seat]]) if kind == "result" else None


PIP = r"\d"
TILE = rf"{PIP}-{PIP}"
SHOWN = rf"{PIP} on [LRUD](, {PIP} on [LRUD])*"
SLOTS = r"slots? \d+(, \d+)*"

MOVES: dict[Twist, str] = {
    plays_a_tile_not_held: rf"slot \d+ does not hold {TILE}",
    plays_the_slot_of_another: r"slot \d+ is not in the hand of seat \d",
    plays_a_tile_twice: r"slot \d+ is not in the hand of seat \d",
    plays_a_tile_of_the_table: rf"slot \d+ does not hold {TILE}",
    plays_to_no_end: rf"there is no open end '\\x1b\[2JX* \(open: {SHOWN}\)",
    plays_without_an_end: rf"{TILE} needs an end: open are {SHOWN}",
    claims_without_claims: r"points are counted for you in this game: a play claims nothing",
    draws_with_a_fitting_tile: rf"that {SLOTS} cannot be played is not proven",
    passes_with_drawable_tiles: r"\d+ tiles can be drawn: draw before passing",
    draws_with_the_proof_of_a_pass: rf"that {SLOTS} cannot be played is not proven",
    draws_without_proof: rf"that {SLOTS} cannot be played is not proven",
    draws_before_the_lead: r"the table is empty and any tile fits: lead, do not draw",
    shares_another_slot: r"the share for slot \d+ is not proven",
    shares_with_another_key: r"the share for slot \d+ is not proven",
    shares_with_a_bent_proof: r"the share for slot \d+ is not proven",
    plays_with_the_share_of_another_slot: r"the share for slot \d+ is not proven",
    plays_with_a_share_of_another_step: r"the share for slot \d+ is not proven",
    deals_in_another_order: rf"the shares for {SLOTS} are not proven",
    deals_shares_of_own_slots: rf"the shares for {SLOTS} are not proven",
    deals_one_share_less: rf"it sent no \d+ shares for {SLOTS}",
    speaks_out_of_place: r"it sent 'reveal' out of place",
}
ENDS: dict[Twist, str] = {
    signs_another_result: "it signed another result than the moves give",
    signs_itself_the_winner: "it signed another result than the moves give",
}


@pytest.mark.parametrize(("players", "seat"), places(3))
@pytest.mark.parametrize("twist", MOVES, ids=lambda twist: twist.__name__)
def test_every_honest_peer_and_every_record_names_the_cheat(
    twist: Twist, players: int, seat: int
) -> None:
    begin = almost_over if twist.__name__.startswith("deals") else dealt
    assert re.fullmatch(MOVES[twist], check_named(begin(players, twist, seat=seat).play(), seat))


@pytest.mark.parametrize(("players", "seat"), places(2))
@pytest.mark.parametrize("twist", ENDS, ids=lambda twist: twist.__name__)
def test_a_false_result_is_refused(twist: Twist, players: int, seat: int) -> None:
    game = almost_over(players, twist, target="5", seat=seat).play()
    assert check_named(game, seat) == ENDS[twist]


@pytest.mark.parametrize(("players", "seat"), places(2))
def test_without_its_evidence_a_record_is_never_in_order(players: int, seat: int) -> None:
    """Where all was decided but for the last signature, and before."""
    for game in (
        almost_over(players, signs_another_result, target="5", seat=seat).play(),
        dealt(players, plays_to_no_end, seat).play(),
    ):
        for other in honest_seats(game, seat):
            parts = decode(game.sessions[other].record())
            assert parts.evidence
            kept = [frame.mark + frame.data for frame in parts.frames]
            report = verify_record(pack([parts.description, *kept]))
            assert not report.ok
            assert not report.closed
            assert report.fault is None


@pytest.mark.parametrize(("players", "seat"), places(2))
def test_a_pass_with_a_fitting_tile_is_refused_where_nothing_is_drawn(
    players: int, seat: int
) -> None:
    rules = rules_for(players, "block", starter="lot", target="30")
    game = play_against(passes_with_a_fitting_tile, players, rules, seat)
    expected = rf"that {SLOTS} cannot be played is not proven"
    assert re.fullmatch(expected, check_named(game, seat))


@pytest.mark.parametrize(("players", "seat"), places(2))
def test_without_a_twist_the_modified_peer_plays_clean(players: int, seat: int) -> None:
    game = play_against(honest, players, rules_for(players, target="5"), seat)
    assert all(session.closed for session in game.sessions)
    assert len({session.record() for session in game.sessions}) == 1


def test_whoever_names_another_deck_is_not_judged_but_waited_for() -> None:
    """Somebody may have signed two decks for the named one: that would be the proof."""

    def twist(session: CheatingSession, kind: str, body: Body) -> Said:
        return (kind, [bytes(32), body[1]]) if kind == "deal" else None

    game = play_against(twist, 2)
    assert game.sessions[0].fault is None
    assert game.sessions[0].referee.waiting().seats == (CHEAT,)
    assert game.sessions[0].referee.phase is Phase.DEAL
