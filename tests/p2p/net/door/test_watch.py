"""p2p.net.door.watch: the host hears of trouble at once, and then not too often."""

from p2p.net.door.watch import SOURCES_MOST, Watch


def mistyped(where: str) -> str:
    return f"A wrong code was tried {where}: somebody has mistyped it, or means another table."


def guessed(times: int, where: str) -> str:
    return (
        f"A wrong code was tried {times} times {where} since the table opened: somebody may be "
        "guessing it. Nobody gets in by a wrong one."
    )


def test_of_one_source_the_first_wrong_try_is_told_and_then_what_may_be_guesses() -> None:
    told: list[str] = []
    watch = Watch(told.append)
    for number in range(20):
        watch.wrong("192.0.2.1", 100.0 + 30 * number)
    where = "from 192.0.2.1"
    assert told == [mistyped(where), guessed(4, where), guessed(8, where), guessed(16, where)]


def test_however_many_sources_try_the_host_hears_of_it_once_in_ten_seconds() -> None:
    told: list[str] = []
    watch = Watch(told.append)
    for at, now in enumerate((100.0, 101.0, 105.0, 109.9, 110.0)):
        watch.wrong(f"192.0.2.{at}", now)
    watch.wrong("192.0.2.1", 120.0)
    assert told == [mistyped(f"from 192.0.2.{at}") for at in (0, 4, 1)], "nobody is passed over"


def test_in_a_match_only_what_may_be_guesses_is_told() -> None:
    told: list[str] = []
    watch = Watch(told.append)
    for number in range(5):
        watch.wrong("192.0.2.1", 100.0 + 30 * number, in_lobby=False)
        watch.wrong(f"192.0.2.{number + 2}", 110.0 + 30 * number, in_lobby=False)
    assert told == [guessed(4, "from 192.0.2.1")]


def test_a_source_is_told_in_words() -> None:
    told: list[str] = []
    watch = Watch(told.append)
    for at, source in enumerate(("fe80::/64", "2001:db8::/64", "")):
        watch.wrong(source, 100.0 * at)
    places = ("from this network", "from the network 2001:db8::", "over a link of no address")
    assert told == [mistyped(where) for where in places]


def test_of_many_sources_the_oldest_are_forgotten() -> None:
    told: list[str] = []
    watch = Watch(told.append)
    watch.wrong("192.0.2.1", 0.0)
    for at in range(SOURCES_MOST):
        watch.wrong(f"2001:db8:0:{at:x}::/64", 1.0)
    watch.wrong("192.0.2.1", 20.0)
    assert told == [mistyped("from 192.0.2.1")] * 2


def test_a_full_line_is_told_beside_them_and_as_seldom() -> None:
    told: list[str] = []
    watch = Watch(told.append)
    watch.wrong("192.0.2.1", 100.0)
    for now in (100.0, 105.0, 110.0):
        watch.full(now)
    sentence = (
        "More people try this table's code than may wait for it. "
        "Friends still get in by the invite."
    )
    assert told[1:] == [sentence, sentence]
