"""p2p.net.door.pace: wrong codes are slowed, and how much guessing that leaves."""

import math

from p2p.net.door.pace import FREE_TRIES, SOURCES_MOST, Pace, Paces


def after(wrong: int, free: int = FREE_TRIES) -> float:
    pace = Pace(free)
    for _ in range(wrong):
        pace.wrong(100.0)
    return max(pace.ready - 100.0, 0.0)


def test_five_are_free_then_two_seconds_then_slower() -> None:
    assert [after(n) for n in range(6)] == [0, 0, 0, 0, 0, 2]
    assert [after(n) for n in (9, 10, 14, 15, 20, 1000, 10**5)] == [2, 4, 4, 8, 16, 16, 16]


def test_of_one_source_no_wrong_try_is_free() -> None:
    assert [after(n, 1) for n in (0, 1, 2, 3, 4, 5, 1000)] == [0, 2, 4, 8, 16, 16, 16]


def test_waiting_counts_from_the_last_wrong_try() -> None:
    pace = Pace(FREE_TRIES)
    for now in (100.0, 100.0, 100.0, 100.0, 103.0):
        pace.wrong(now)
    assert pace.ready == 105.0


def test_a_day_of_guessing_hardly_dents_thirty_bits() -> None:
    """From one address, and from as many as anybody wants: over all together it is as slow."""
    for sources in (1, 10**6):
        paces, now, tries = Paces(), 0.0, 0
        while now < 24 * 3600 and tries < 10**5:
            source = str(tries % sources)
            now = max(now, paces.ready(source))
            paces.wrong(source, now)
            tries += 1
        assert tries / 2**30 < 1e-5


def test_a_source_that_failed_waits_and_another_does_not() -> None:
    paces = Paces()
    paces.wrong("a", 100.0)
    assert (paces.ready("a"), paces.tries("a")) == (102.0, 1)
    assert (paces.ready("b"), paces.tries("b")) == (-math.inf, 0)
    for _ in range(4):
        paces.wrong("c", 101.0)
    assert paces.ready("b") == 103.0
    assert paces.ready("c") == 117.0


def test_few_sources_are_remembered_the_latest_ones() -> None:
    paces = Paces()
    for number in range(SOURCES_MOST):
        paces.wrong(str(number), 100.0)
    paces.wrong("0", 100.0)
    paces.wrong("new", 100.0)
    assert [paces.tries(source) for source in ("0", "1", "2", "new")] == [2, 0, 1, 1]
