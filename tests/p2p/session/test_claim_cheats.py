"""Claims: a number committed to first, then opened by all; nobody copies, nobody changes it."""

import itertools

import pytest
from support.session.cheats import (
    CHEAT,
    SEEDS,
    CheatingSession,
    Twist,
    cheat,
    check_named,
    honest,
    places,
)
from support.session.tables import Game, rules_for
from support.session.told import bare

from engine.events import Claimed, Played
from engine.hand import Move
from engine.strategy import Player
from engine.strategy.view import SeatView
from p2p.session.state.events import InHand, SessionEvent, Settled
from p2p.session.state.state import Phase
from p2p.session.steps.claim import claim_commitment
from p2p.session.verify import replay_record, verify_record
from p2p.wire.envelope import MATCH_LADDER, Body

Said = tuple[str, Body] | None


def claimed(twist: Twist, players: int, seat: int) -> Game:
    """A match with claims against a peer with that twist."""
    rules = rules_for(players, target="15", claims="yes")
    return Game.make(rules, f"claims {players}", cheats={seat: cheat(twist)}).play()


def reveals_another_number(session: CheatingSession, kind: str, body: Body) -> Said:
    """It waits for what the others open, and then wishes to have said something else."""
    return (kind, [_other(body[0]), body[1]]) if kind == "reveal" else None


def _other(number: object) -> int:
    assert isinstance(number, int)
    return (number + 5) % 100


def reveals_another_salt(session: CheatingSession, kind: str, body: Body) -> Said:
    return (kind, [body[0], bytes(32)]) if kind == "reveal" else None


def commits_to_nothing(session: CheatingSession, kind: str, body: Body) -> Said:
    return (kind, [bytes(32)]) if kind == "claim" else None


def copies_the_claim_of_another(session: CheatingSession, kind: str, body: Body) -> Said:
    """The very commitment of another seat, and later the very opening, once that one is known."""
    said = session.referee.ladder(MATCH_LADDER).open
    others = [message for seat, message in said.items() if seat != session.seat]
    if kind not in ("claim", "reveal") or not others:
        return None
    return kind, list(others[0].body)


def claims_what_nobody_can(session: CheatingSession, kind: str, body: Body) -> Said:
    if kind == "claim":
        return kind, [claim_commitment(session.seat, 169, bytes(32))]
    return (kind, [169, bytes(32)]) if kind == "reveal" else None


def plays_without_a_claim(session: CheatingSession, kind: str, body: Body) -> Said:
    return (kind, [*body[:4], None, body[5]]) if kind == "play" else None


NOT_COMMITTED = "the claim is not the one committed to"
CLAIMS: dict[Twist, str] = {
    reveals_another_number: NOT_COMMITTED,
    reveals_another_salt: NOT_COMMITTED,
    commits_to_nothing: NOT_COMMITTED,
    claims_what_nobody_can: "a malformed message: a number outside 0 to 168",
    plays_without_a_claim: "a claim is a number from 0 to 168, 0 for none",
}


@pytest.mark.parametrize(("players", "seat"), places(2))
@pytest.mark.parametrize("twist", CLAIMS, ids=lambda twist: twist.__name__)
def test_a_false_claim_names_its_seat(twist: Twist, players: int, seat: int) -> None:
    assert check_named(claimed(twist, players, seat), seat) == CLAIMS[twist]


@pytest.mark.parametrize(("players", "seat"), places(3, full=(3, 4)))
def test_a_copied_commitment_cannot_be_opened(players: int, seat: int) -> None:
    if seat == 0:
        pytest.skip("at these tables the first seat commits first")
    game = claimed(copies_the_claim_of_another, players, seat)
    assert check_named(game, seat) == NOT_COMMITTED


class Greedy:
    """Plays like another player and claims five points whenever it can."""

    def __init__(self, player: Player) -> None:
        self.player = player

    def choose(self, view: SeatView) -> Move:
        return self.player.choose(view)

    def claim(self, view: SeatView) -> int:
        return 5


def test_without_a_twist_the_claims_count() -> None:
    rules = rules_for(3, target="15", claims="yes")
    game = Game.make(rules, "claims 3", cheats={CHEAT: cheat(honest)})
    game.players[2] = Greedy(game.players[2])
    game.play(moves=400)
    assert all(session.closed for session in game.sessions)
    assert len({session.record() for session in game.sessions}) == 1
    claims = [event for event in bare(game.events[0]) if isinstance(event, Claimed)]
    assert {(event.seat, event.claimed) for event in claims} == {(2, 5)}
    told = [event for event in game.events[0] if _is_of_a_placement(event)]
    for event, following in itertools.pairwise([*told, None]):
        match event, following:
            case InHand(hand=hand, event=Played(seat=seat)), _:
                answers = {other: 5 if other == 2 else 0 for other in range(3) if other != seat}
                assert following == Settled(hand, seat, answers)
            case _, InHand(event=Claimed()):
                assert isinstance(event, Settled | InHand)
    assert replay_record(game.sessions[0].record())[-1] == game.events[0][-1]


def _is_of_a_placement(event: SessionEvent) -> bool:
    (made,) = bare([event])
    return isinstance(made, Played | Settled | Claimed)


class Quiet(CheatingSession):
    """Withholds what it has to say in one phase."""

    withheld = Phase.CLAIM

    def _speak(self) -> bool:
        return self.referee.phase is not self.withheld and super()._speak()

    def claim_due(self) -> bool:
        return self.referee.phase is not self.withheld and super().claim_due()


class QuietReveal(Quiet):
    """The same, one step later."""

    withheld = Phase.REVEAL


class QuietShare(Quiet):
    """Withholds its share of a drawn tile."""

    withheld = Phase.SHARE


class QuietOpening(Quiet):
    """Withholds its key at the end of a hand."""

    withheld = Phase.OPEN


@pytest.mark.parametrize("quiet", [Quiet, QuietReveal, QuietShare, QuietOpening])
def test_whoever_withholds_what_is_due_is_waited_for_and_not_named(quiet: type[Quiet]) -> None:
    claims = "yes" if quiet in (Quiet, QuietReveal) else "no"
    rules = rules_for(3, target="100", claims=claims)
    game = Game.make(rules, SEEDS[3, CHEAT], cheats={CHEAT: quiet}).play()
    for seat in (0, 2):
        session = game.sessions[seat]
        assert session.fault is None
        assert session.referee.phase is quiet.withheld
        assert session.referee.waiting().seats == (CHEAT,)
        report = verify_record(session.record())
        assert (report.ok, report.fault, report.problem) == (False, None, None)
