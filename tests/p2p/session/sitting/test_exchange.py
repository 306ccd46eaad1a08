"""When it is said what a seat holds: on a new link, and seldom after."""

from support.session.tables import make_table, rules_for

from p2p.session.holding import hold_of
from p2p.session.referee import Referee
from p2p.session.sitting.exchange import ANSWER_SECONDS, ASK_SECONDS, PATIENCE_SECONDS, Exchange

HOLD = hold_of(Referee(make_table(rules_for(2), "exchange")[0]))


def test_the_first_of_a_link_is_answered_at_once_and_the_next_after_a_while() -> None:
    exchange = Exchange()
    exchange.hear(1, HOLD, 0.0)
    assert exchange.answers(5.0) == [(1, HOLD, True)]
    for _ in range(100):
        exchange.hear(1, HOLD, 0.0)
        assert exchange.answers(5.0) == []
    exchange.hear(2, HOLD, 0.0)
    assert exchange.answers(5.5) == [(2, HOLD, True)]
    assert exchange.answers(5.0 + ANSWER_SECONDS) == [(1, HOLD, False)]
    assert exchange.answers(100.0) == []
    exchange.begin(1)
    exchange.hear(1, HOLD, 0.0)
    assert exchange.answers(100.0) == [(1, HOLD, True)]


def test_what_was_said_on_an_old_link_is_past() -> None:
    exchange = Exchange()
    exchange.hear(1, HOLD, 0.0)
    exchange.answers(0.0)
    exchange.hear(1, HOLD, 0.0)
    exchange.begin(1)
    assert exchange.answers(10.0) == []


def test_who_lacks_steps_asks_after_a_moment_and_seldom() -> None:
    exchange = Exchange()
    assert not exchange.asks(True, 10.0)
    assert not exchange.asks(False, 10.5)
    assert not exchange.asks(True, 20.0)
    assert exchange.asks(True, 20.0 + PATIENCE_SECONDS)
    assert not exchange.asks(True, 20.0 + PATIENCE_SECONDS + ASK_SECONDS - 0.1)
    assert exchange.asks(True, 20.0 + PATIENCE_SECONDS + ASK_SECONDS)
