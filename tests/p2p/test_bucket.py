"""A bucket: what comes at once, what comes in time."""

from p2p.bucket import Bucket


def test_it_holds_what_comes_at_once_and_fills_with_time() -> None:
    bucket = Bucket(rate=2, room=4)
    assert [bucket.take(1, 10.0) for _ in range(5)] == [True] * 4 + [False]
    assert not bucket.take(1, 10.4)
    assert bucket.take(1, 10.5)
    assert not bucket.take(1, 10.5)
    assert bucket.take(4, 100.0)
    assert not bucket.take(1, 100.0)


def test_what_does_not_fit_takes_nothing_and_time_never_runs_back() -> None:
    bucket = Bucket(rate=1, room=3)
    assert not bucket.take(4, 0.0)
    assert bucket.take(3, 0.0)
    assert not bucket.take(1, -50.0)
    assert not bucket.take(1, -49.5)
