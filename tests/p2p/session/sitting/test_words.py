"""Signed words: each taken once, the newest stands, what matters is said again."""

import pytest
from support.session.tables import make_table, rules_for, seeded

from p2p.session.session import Session
from p2p.session.sitting.words import LINES_KEPT, WORDS_A_SECOND, WORDS_AT_ONCE, Words
from p2p.wire.talk import (
    Bind,
    Chat,
    Done,
    Here,
    Leave,
    Nonce,
    Paused,
    Saying,
    Wished,
    Word,
    make_word,
)

TABLE, KEYS = make_table(rules_for(3), "words")
ONE, TWO = b"\1" * 32, b"\2" * 32


def words() -> Words:
    return Words(Session(TABLE, KEYS[0], seeded("words")))


def word(said: Saying, number: int = 0, seat: int = 1) -> Word:
    return make_word(KEYS[seat], TABLE.id, seat, number, said)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Paused(0, True), Paused(1, True)),
        (Here(), Here()),
        (Done(ONE), Done(TWO)),
        (Wished(ONE, 1, ONE, ()), Wished(ONE, 2, ONE, ())),
    ],
)
def test_of_these_the_newest_counts_and_is_said_again(one: Saying, other: Saying) -> None:
    kept = words()
    assert kept.take(word(one, 3), 0.0)
    assert not kept.take(word(one, 3), 0.0)
    assert not kept.take(word(other, 3), 0.0)
    assert not kept.take(word(other, 2), 0.0)
    assert kept.newest(1, type(one)) == word(one, 3)
    assert kept.take(word(other, 9), 0.0)
    assert kept.newest(1, type(one)) == word(other, 9)
    assert list(kept.that_matter()) == [word(other, 9)]
    assert kept.newest(2, type(one)) is None


def test_who_leaves_leaves_once() -> None:
    kept = words()
    assert kept.take(word(Leave()), 0.0)
    assert not kept.take(word(Leave(), 1), 0.0)
    assert list(kept.that_matter()) == [word(Leave())]


def test_of_what_binds_the_first_stands_and_a_second_is_kept_as_proof() -> None:
    kept = words()
    for said in (Bind(ONE), Bind(TWO)):
        assert kept.take(word(said), 0.0)
        assert not kept.take(word(said, 1), 0.0)
    assert not kept.take(word(Bind(b"\3" * 32)), 0.0)
    assert kept.take(word(Nonce(ONE), 5), 0.0)
    assert [one.said for one in kept.all_of(1, Bind)] == [Bind(ONE), Bind(TWO)]
    assert [one.said for one in kept.that_matter()] == [Bind(ONE), Bind(TWO), Nonce(ONE)]
    assert kept.all_of(2, Nonce) == ()


def test_lines_come_in_any_order_and_the_last_are_kept() -> None:
    kept = words()
    for number in (5, 3, 4, 30):
        assert kept.take(word(Chat("hello"), number), 0.0)
    assert not kept.take(word(Chat("hello"), 30), 0.0)
    assert not kept.take(word(Chat("hello"), 30 - LINES_KEPT), 0.0)
    for number in range(31, 31 + LINES_KEPT):
        assert kept.take(word(Chat("hello"), number), number)
    numbers = [one.number for one in kept.that_matter()]
    assert numbers == list(range(31, 31 + LINES_KEPT))


def test_who_says_too_much_is_not_heard_for_a_while_and_the_others_are() -> None:
    kept = words()
    taken = [kept.take(word(Here(), number), 0.0) for number in range(2 * WORDS_AT_ONCE)]
    assert taken == [True] * WORDS_AT_ONCE + [False] * WORDS_AT_ONCE
    assert kept.take(word(Here(), seat=2), 0.0)
    assert kept.take(word(Here(), 999), 1.0 / WORDS_A_SECOND)
    assert not kept.take(word(Here(), 1000), 1.0 / WORDS_A_SECOND)


def test_a_seat_that_comes_back_goes_on_counting_where_it_was() -> None:
    """Its own words come back to it from the others."""
    kept = words()
    assert kept.say(Here()).number == 0
    assert kept.say(Here()).number == 1
    assert kept.take(word(Here(), 17, seat=0), 0.0)
    assert kept.say(Here()).number == 18
    assert kept.say(Chat("hello")).number == 0
