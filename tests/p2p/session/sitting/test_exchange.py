"""When it is said what a seat holds, and what of that is sent: on a new link, and seldom after."""

from collections import Counter
from dataclasses import replace

from support.session.sittings import Sitter, quiet
from support.session.tables import make_table, rules_for

from p2p.session.holding import hold_of
from p2p.session.referee import Referee
from p2p.session.sitting.exchange import ANSWER_SECONDS, ASK_SECONDS, PATIENCE_SECONDS, Exchange
from p2p.wire.envelope import MATCH_LADDER
from p2p.wire.talk import Hold, Rung, Said, Talk

HOLD = hold_of(Referee(make_table(rules_for(2), "exchange")[0]))
MOVED = replace(HOLD, votes=(bytes([1]) * 32,))


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


def test_who_lacks_steps_asks_after_a_moment_and_ever_more_seldom() -> None:
    exchange = Exchange()
    assert not exchange.lacks(True, 10.0)
    assert not exchange.lacks(False, 10.5)
    assert not exchange.lacks(True, 20.0)
    assert exchange.lacks(True, 20.0 + PATIENCE_SECONDS)
    asked = []
    for second in range(21, 140):
        if exchange.asks(1, HOLD, True, second):
            exchange.says(1, HOLD, second)
            asked.append(second)
    assert asked == [21, 22, 24, 28, 36, 52, 82, 112]


def test_news_is_said_sooner() -> None:
    exchange = Exchange()
    for second in range(40):
        if exchange.asks(1, HOLD, True, second):
            exchange.says(1, HOLD, second)
    assert not exchange.asks(1, HOLD, True, 40.0)
    assert exchange.asks(1, MOVED, True, 40.0)
    assert exchange.replies(1, MOVED, 40.0)
    assert not exchange.replies(1, HOLD, 40.0)
    exchange.says(1, MOVED, 40.0)
    other = replace(HOLD, votes=(bytes(32),))
    assert not exchange.asks(1, other, True, 40.0 + ASK_SECONDS - 0.1)
    assert not exchange.asks(1, other, False, 40.0 + ASK_SECONDS)
    assert exchange.asks(1, other, True, 40.0 + ASK_SECONDS)


def test_what_was_sent_is_sent_again_only_when_the_hold_moved_and_ever_more_seldom() -> None:
    exchange = Exchange()
    exchange.sent(1, [b"early"])
    assert exchange.need_not(1, HOLD, 0.0) == {b"early"}
    exchange.sent(1, [b"one"])
    assert exchange.need_not(1, HOLD, 1000.0) == {b"early", b"one"}
    again = []
    for second in range(1000, 1120):
        moved = replace(HOLD, votes=(second.to_bytes(32),))
        if not exchange.need_not(1, moved, second):
            again.append(second)
            exchange.sent(1, [b"one"])
    assert again == [1000, 1001, 1003, 1007, 1015, 1031, 1061, 1091]
    exchange.begin(1)
    assert not exchange.need_not(1, HOLD, 1119.0)


def sent_by(one: Sitter, kind: type[Talk]) -> list[Talk]:
    """What of a kind a sitting has sent."""
    sent = (one.session.understand(payload) for effects in one.given for _, payload in effects.send)
    return [talk for talk in sent if isinstance(talk, kind)]


def test_one_that_stays_behind_has_nobody_send_the_match_again_and_again() -> None:
    """Each second seat 1 says that it has nothing, or that it has more than there is."""
    hall = quiet(2)
    one = hall.sitters[0]
    table = one.session.table.id
    ahead = Hold(table, (Rung(MATCH_LADDER, ((999, bytes(32)), (0, table)), ()),), ())
    before = len(one.given)
    for behind in (hold_of(Referee(one.session.table)), ahead):
        for _ in range(100):
            hall.hear(0, 1, behind)
            hall.tick(0, 1.0)
    one.given = one.given[before:]
    messages = [talk.data for talk in sent_by(one, Said) if isinstance(talk, Said)]
    assert max(Counter(messages).values()) <= 2
    assert 2 <= len(sent_by(one, Hold)) <= 10


def test_what_was_sent_of_hands_long_over_is_forgotten() -> None:
    exchange = Exchange()
    exchange.hear(1, HOLD, 0.0)
    exchange.sent(1, [b"old"])
    exchange.let_go()
    exchange.sent(1, [b"new"])
    assert exchange.need_not(1, HOLD, 0.0) == {b"old", b"new"}
    exchange.let_go()
    assert exchange.need_not(1, HOLD, 0.0) == {b"new"}
