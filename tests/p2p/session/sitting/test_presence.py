"""Who is heard, by a link or by its own word, and what a sleep changes."""

from p2p.session.sitting.presence import HEARD_SECONDS, HERE_SECONDS, RESTED_SECONDS, Presence


def test_a_seat_is_heard_by_its_link() -> None:
    presence = Presence((1, 2))
    presence.begin(5.0)
    assert presence.heard(5.0) == frozenset()
    assert presence.unheard_since(1, 7.0) == 5.0
    presence.link(1, 8.0)
    assert presence.heard(8.0) == {1}
    assert presence.unheard_since(1, 1000.0) is None
    presence.lose(1, 20.0)
    presence.lose(1, 25.0)
    assert presence.unheard_since(1, 26.0) == 20.0


def test_or_by_a_newer_word_for_a_while() -> None:
    presence = Presence((1, 2))
    presence.link(1, 0.0)
    presence.lose(1, 10.0)
    presence.here(1, 12.0)
    assert presence.heard(12.0 + HEARD_SECONDS - 0.1) == {1}
    assert presence.heard(12.0 + HEARD_SECONDS) == frozenset()
    assert presence.unheard_since(1, 12.0 + HEARD_SECONDS) == 12.0


def test_a_link_that_breaks_outweighs_what_was_said_before() -> None:
    presence = Presence((1, 2))
    presence.link(1, 0.0)
    presence.here(1, 9.0)
    presence.here(2, 9.0)
    presence.lose(1, 10.0)
    # To seat 2 there was no link: nothing is known of it but its word.
    presence.lose(2, 10.0)
    assert presence.heard(10.0) == {2}
    assert presence.unheard_since(1, 12.0) == 10.0
    presence.here(1, 13.0)
    assert presence.heard(13.0) == {1, 2}


def test_after_a_sleep_nothing_counts_until_a_link_has_lived() -> None:
    presence = Presence((1, 2))
    presence.link(1, 0.0)
    assert presence.rested(0.0)
    presence.lose(1, 1.0)
    presence.wake(100.0)
    assert presence.unheard_since(1, 101.0) == 100.0
    assert not presence.rested(1000.0)
    presence.link(2, 1000.0)
    assert not presence.rested(1000.0 + RESTED_SECONDS - 1)
    presence.lose(2, 1020.0)
    assert not presence.rested(1500.0)
    presence.link(2, 1600.0)
    assert presence.rested(1600.0 + RESTED_SECONDS)
    assert presence.rested(1601.0)


def test_a_link_that_lives_through_the_sleep_counts_from_the_waking() -> None:
    presence = Presence((1, 2))
    presence.link(1, 0.0)
    presence.here(2, 1.0)
    presence.wake(50.0)
    assert presence.heard(50.0) == {1, 2}
    assert presence.heard(50.0 + HEARD_SECONDS - HERE_SECONDS) == {1}
    assert not presence.rested(50.0 + RESTED_SECONDS - 1)
    assert presence.rested(50.0 + RESTED_SECONDS)
