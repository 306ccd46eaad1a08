"""A seat makes what its shuffle needs but the deck while others are at theirs, and uses it once."""

from dataclasses import replace
from unittest import mock

import pytest
from support.session.tables import Game, rules_for

from p2p.crypto import shuffle_prover
from p2p.crypto.errors import Misuse
from p2p.crypto.shuffle_prover import Prepared
from p2p.session.session import Session
from p2p.session.state.secrets import SeatSecrets
from p2p.session.steps import shuffle
from p2p.session.verify import verify_record
from p2p.wire.envelope import Message

SEATS = 3


class Eager(Session):
    """Works ahead as soon as it may, and notes for which deals it did."""

    def _take(self, message: Message) -> bool:
        taken = super()._take(message)
        work = self.ahead()
        if work is not None:
            work()
            assert self.ahead() is None
        return taken


def test_what_was_made_ahead_is_what_the_match_is_played_with() -> None:
    used: list[Prepared] = []
    use = Prepared.use

    def noted(prepared: Prepared) -> None:
        used.append(prepared)
        use(prepared)

    eager = dict.fromkeys(range(SEATS), Eager)
    game = Game.make(rules_for(SEATS, target="5"), "ahead", cheats=dict(eager))
    with (
        mock.patch.object(Prepared, "use", noted),
        mock.patch.object(shuffle_prover, "prepare", wraps=shuffle_prover.prepare) as prepared,
    ):
        game.play()
    assert verify_record(game.sessions[0].record()).closed
    # Each was used once, but for the deal that was never shuffled to its end.
    assert len(used) == len(set(map(id, used)))
    assert prepared.call_count - len(used) < SEATS
    assert all(session._secrets.ahead is None for session in game.sessions)


def waiting() -> Session:
    """A seat that waits for the deck and has worked ahead."""
    game = Game.make(rules_for(SEATS, target="5"), "ahead")
    game.start()
    last = game.sessions[-1]
    while (work := last.ahead()) is None:
        seat, data = game.queue.popleft()
        game.take(seat, game.sessions[seat].receive(data))
    work()
    return last


def test_a_second_deck_gets_masks_of_its_own() -> None:
    session = waiting()
    kept = session._secrets.ahead
    assert kept is not None
    deal = session.state.coming
    make = session.referee.row(deal.ctx.deal).make
    assert make is not None
    place = session._place(deal.ctx.deal)
    one, other = (make(session._secrets, session.state, place) for _ in range(2))
    assert kept[1]._used
    assert session._secrets.ahead is None
    assert one is not None
    assert other is not None
    assert one.value()[0] != other.value()[0]
    with pytest.raises(Misuse):
        kept[1].use()


@pytest.mark.parametrize("what", ["deal", "key"])
def test_what_was_made_for_another_deck_key_or_deal_is_not_used(what: str) -> None:
    session = waiting()
    assert session._secrets.ahead is not None
    ctx, prepared = session._secrets.ahead
    if what == "deal":
        session._secrets.ahead = replace(ctx, deal=ctx.deal + 1), prepared
    else:
        prepared.key = prepared.key + prepared.key
    deal = session.state.coming
    make = session.referee.row(deal.ctx.deal).make
    assert make is not None
    assert make(session._secrets, session.state, session._place(deal.ctx.deal)) is not None
    assert not prepared._used


def test_it_is_let_go_of_with_its_deal() -> None:
    session = waiting()
    assert session._secrets.ahead is not None
    number = session._secrets.ahead[0].deal
    session._secrets.forget([one for one in session._secrets.deals if one != number])
    assert session._secrets.ahead is not None
    session._secrets.forget([number])
    assert session._secrets.ahead is None


def test_who_shuffles_first_has_nothing_to_wait_for() -> None:
    session = waiting()
    deal = session.state.coming
    assert shuffle.ahead(SeatSecrets(1, bytes), session.state) is not None
    assert shuffle.ahead(SeatSecrets(0, bytes), session.state) is None
    deal.chain.append(deal.deck)
    assert shuffle.ahead(SeatSecrets(1, bytes), session.state) is None
    assert repr(session._secrets) == f"SeatSecrets(seat=2, fresh={session._secrets.fresh})"
