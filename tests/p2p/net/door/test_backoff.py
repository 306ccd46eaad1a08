"""p2p.net.door.backoff: wrong codes are slowed, and how much guessing that leaves."""

from p2p.net.door.backoff import Backoff


def after(wrong: int) -> float:
    pace = Backoff()
    for _ in range(wrong):
        pace.wrong(100.0)
    return pace.wait(100.0)


def test_five_are_free_then_two_seconds_then_slower() -> None:
    assert [after(n) for n in range(6)] == [0, 0, 0, 0, 0, 2]
    assert [after(n) for n in (9, 10, 14, 15, 20, 1000, 10**5)] == [2, 4, 4, 8, 16, 16, 16]


def test_waiting_counts_from_the_last_wrong_try() -> None:
    pace = Backoff()
    for _ in range(5):
        pace.wrong(100.0)
    assert pace.wait(101.5) == 0.5
    assert pace.wait(103.0) == 0


def test_a_day_of_guessing_hardly_dents_thirty_bits() -> None:
    pace, now, tries = Backoff(), 0.0, 0
    while now < 24 * 3600:
        now += pace.wait(now)
        pace.wrong(now)
        tries += 1
    assert tries / 2**30 < 1e-5
