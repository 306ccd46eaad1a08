"""Peers that lie where the lead is called for: what a seat denies it has to prove.

Each way in the leader's seat (which holds 6-6 and 5-5, and leads the second) and in another's
(which denies all that it holds).
"""

import re
from collections.abc import Callable

import pytest
from support.limits import FULL
from support.session.cheats import (
    CHEAT,
    HOLDS_BOTH,
    CheatingSession,
    Twist,
    cheat,
    check_named,
    honest_seats,
    other_slot,
    places,
)
from support.session.leavers import put_out
from support.session.matches import claiming, denied_and_played, few_called
from support.session.resigning import packed
from support.session.tables import Game, rules_for
from support.session.told import bare

from engine.events import Played
from engine.moves import Move, Play
from engine.strategy.view import SeatView
from engine.tiles import tile
from p2p.deck.shares import make_shares
from p2p.deck.unplayable import make_unplayable
from p2p.session.state.state import Phase
from p2p.session.steps import rank
from p2p.session.steps.call import called_tile
from p2p.session.verify import verify_record
from p2p.wire.envelope import MATCH_LADDER, Body, open_envelope

Said = tuple[str, Body] | None
Lie = Callable[[CheatingSession], tuple[str, Body]]
# One where a tile that both denied is drawn and played: found by support.session.seeds.
DRAWN = "drawn 2"


def called(twist: Twist, players: int, seat: int = CHEAT) -> Game:
    rules = rules_for(players, "online", target="20")
    return Game.make(rules, HOLDS_BOTH[players, seat], cheats={seat: cheat(twist)}).play()


def denies_every_tile(session: CheatingSession, kind: str, body: Body) -> Said:
    return (kind, []) if kind == "call" else None


def denies_its_highest_tile(session: CheatingSession, kind: str, body: Body) -> Said:
    """Holds the tile called for, denies it, and leads with the next that it holds."""
    return (kind, []) if kind == "call" and called_tile(session.state) == tile(6, 6) else None


def leads_a_tile_it_does_not_hold(session: CheatingSession, kind: str, body: Body) -> Said:
    if kind != "call":
        return None
    called, held = called_tile(session.state), session._secrets.dealt_tiles(session.state)
    slot = next(slot for slot, one in held if one != called)
    return kind, [slot, _call_share(session, slot), None]


def leads_from_the_hand_of_another(session: CheatingSession, kind: str, body: Body) -> Said:
    slot = other_slot(session)
    return (kind, [slot, _call_share(session, slot), None]) if kind == "call" else None


def claims_with_the_lead(session: CheatingSession, kind: str, body: Body) -> Said:
    return (kind, [*body[:2], 5]) if kind == "call" and body else None


def _call_share(session: CheatingSession, slot: int) -> bytes:
    state = session.state
    label, secret = session._place(MATCH_LADDER).label("call"), session._secrets.deals[state.deal]
    deck = state.current.dealt.deck
    return make_shares(state.current.ctx, session.seat, label, secret, deck, (slot,), bytes)


TILE = r"\d-\d"
CALLS: dict[Twist, str] = {
    leads_a_tile_it_does_not_hold: rf"slot \d+ does not hold {TILE}",
    leads_from_the_hand_of_another: r"slot \d+ is not in its hand",
    claims_with_the_lead: (
        "a malformed message: a claim where the rules have none, or none where they have them"
    ),
}


@pytest.mark.parametrize(("players", "seat"), places(2))
@pytest.mark.parametrize("twist", CALLS, ids=lambda twist: twist.__name__)
def test_a_false_lead(twist: Twist, players: int, seat: int) -> None:
    assert re.fullmatch(CALLS[twist], check_named(called(twist, players, seat), seat))


# What is said in place of the proof that nothing ranks higher


def _proof(
    session: CheatingSession, label: str, slots: tuple[int, ...], candidates: set[int]
) -> bytes:
    """A proof that is well made for these slots and tiles, those in the slots among them."""
    deal, secrets = session.state.current, session._secrets
    held = {one.index for slot, one in secrets.dealt_tiles(session.state) if slot in slots}
    about = session._place(MATCH_LADDER).label(label)
    tiles = sorted(candidates | held)
    secret = secrets.of(deal)
    return make_unplayable(deal.ctx, session.seat, about, secret, deal.dealt, slots, tiles, bytes)


def proves_among_more_tiles(session: CheatingSession) -> tuple[str, Body]:
    slots, below = rank.statement(session.state, session.seat)
    return "rank", [_proof(session, "rank", slots, set(below))]


def proves_its_lower_slots(session: CheatingSession) -> tuple[str, Body]:
    slots, below = rank.statement(session.state, session.seat)
    held = dict(session._secrets.dealt_tiles(session.state))
    lower = tuple(slot for slot in slots if held[slot].index in below)
    return "rank", [_proof(session, "rank", lower, set(below))]


def proves_nothing(session: CheatingSession) -> tuple[str, Body]:
    return "rank", [b""]


def plays_the_tile_it_denied(session: CheatingSession) -> tuple[str, Body]:
    held = {one: slot for slot, one in session._secrets.dealt_tiles(session.state)}
    slot = held[tile(6, 6)]
    return "play", [slot, 27, "L", _call_share(session, slot), None, False]


def says_no_again(session: CheatingSession) -> tuple[str, Body]:
    return "call", []


UNPROVEN = rf"that it was dealt no tile above {TILE} is not proven"
LIES: dict[Lie, str] = {
    proves_among_more_tiles: UNPROVEN,
    proves_its_lower_slots: UNPROVEN,
    proves_nothing: UNPROVEN,
    plays_the_tile_it_denied: "it sent 'play' out of place",
    says_no_again: "it sent 'call' out of place",
}


DENIES = (denies_its_highest_tile, denies_every_tile)
# Without a full run each lie in one of the two seats.
LIARS = [
    (lie, denies)
    for at, lie in enumerate(LIES)
    for number, denies in enumerate(DENIES)
    if FULL or at % 2 == number
]


@pytest.mark.parametrize(("players", "seat"), places(2))
@pytest.mark.parametrize(("lie", "denies"), LIARS, ids=lambda one: one.__name__)
def test_a_false_no_is_refused_before_the_hand_begins(
    lie: Lie, denies: Twist, players: int, seat: int
) -> None:
    def twist(session: CheatingSession, kind: str, body: Body) -> Said:
        return lie(session) if kind == "rank" else denies(session, kind, body)

    game = called(twist, players, seat)
    assert re.fullmatch(LIES[lie], check_named(game, seat))
    other = honest_seats(game, seat)[0]
    assert not any(isinstance(event, Played) for event in bare(game.events[other]))
    assert set(game.sessions[other].state.match.scores) == {0}


@pytest.mark.parametrize(("players", "seat"), places(3, full=(3, 4)))
@pytest.mark.parametrize("denies", DENIES if FULL else DENIES[1:])
def test_who_lied_and_says_nothing_more_is_waited_for_and_wins_nothing(
    denies: Twist, players: int, seat: int
) -> None:
    """Nor if it leaves: its hand is dead, and its lead was worth nothing."""
    game = called(denies, players, seat)
    others = honest_seats(game, seat)
    for other in others:
        referee = game.sessions[other].referee
        assert (referee.phase, referee.waiting().seats) == (Phase.RANK, (seat,))
        assert not referee.waiting().for_person
        assert referee.state.match.hand_number == 0
        assert game.sessions[other].fault is None
    put_out(game, {seat}, "left")
    (record,) = {game.sessions[other].record() for other in others}
    report = verify_record(record)
    assert (report.fault, report.problem) == (None, None)
    assert [(one.seat, one.reason) for one in report.absent] == [(seat, "left")]
    assert report.scores[seat] == 0
    placed = {one.seat for one in bare(game.events[others[0]]) if isinstance(one, Played)}
    assert seat not in placed


class Eager:
    """A player that places its 6-6 as soon as it fits."""

    def choose(self, view: SeatView) -> Move:
        """That, or the first legal move."""
        plays = (move for move in view.legal if isinstance(move, Play))
        return next((one for one in plays if one.tile == tile(6, 6)), view.legal[0])

    def claim(self, view: SeatView) -> int:
        """Nothing."""
        return 0


def test_a_denied_tile_that_is_played_is_a_fault_whatever_was_believed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def believed(*_: object) -> int:
        return 0

    def twist(session: CheatingSession, kind: str, body: Body) -> Said:
        return ("rank", [b""]) if kind == "rank" else denies_its_highest_tile(session, kind, body)

    monkeypatch.setattr(rank, "check_unplayable", believed)
    rules = rules_for(2, "online", target="100")
    game = Game.make(rules, HOLDS_BOTH[2, CHEAT], cheats={CHEAT: cheat(twist)})
    game.players[CHEAT] = Eager()
    game.play()
    assert check_named(game) == "it said that it did not hold 6-6, and played it"


def test_a_tile_that_all_denied_is_drawn_and_played() -> None:
    game = few_called(DRAWN)
    assert denied_and_played(game)
    assert all(session.fault is None for session in game.sessions)


def test_twenty_eight_noes_come_from_liars_alone_and_the_keys_say_so() -> None:
    cheats = {seat: cheat(denies_every_tile) for seat in range(3)}
    game = Game.make(rules_for(3, "online", target="20"), "noes", cheats=cheats).play()
    for session in game.sessions:
        assert session.fault is not None
        held = rf"it said that it did not hold {TILE}, and held it"
        assert re.fullmatch(held, session.fault.what)
    report = verify_record(game.sessions[0].record())
    assert report.fault is not None
    assert report.hands == 0


def test_the_slots_of_these_proofs_are_counted_but_that_of_the_lead() -> None:
    kept = claiming(3)
    last = max(at for at, one in enumerate(kept.messages, 1) if one.kind == "rank")
    report = verify_record(packed(kept, kept.messages[:last]))
    dealt = kept.table.rules.hand_size_for(3) * 3
    assert report.proofs["unplayable"] == dealt - 1


def test_where_nothing_ranks_higher_nothing_is_proven() -> None:
    """The cheat of these tables, which holds 6-6, is honest."""
    game = Game.make(rules_for(2, "online", target="20"), HOLDS_BOTH[2, CHEAT]).play(moves=0)
    assert [event.tile for event in bare(game.events[0]) if isinstance(event, Played)] == [
        tile(6, 6)
    ]
    assert not any(open_envelope(data).kind == "rank" for data in game.traffic)
