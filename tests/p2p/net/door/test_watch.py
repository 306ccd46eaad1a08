"""p2p.net.door.watch: the host hears of trouble at once, and then not too often."""

from p2p.net.door.watch import Watch


def test_wrong_tries_are_told_at_once_and_then_counted_for_ten_seconds() -> None:
    told: list[str] = []
    watch = Watch(told.append)
    watch.wrong("192.0.2.1", 100.0)
    assert told == ["A wrong code was tried once from 192.0.2.1, perhaps for another table."]
    for now in (101.0, 105.0, 109.9):
        watch.wrong("192.0.2.2", now)
    assert len(told) == 1
    watch.wrong("192.0.2.3", 110.0)
    watch.wrong("", 120.0)
    assert told[1:] == [
        "A wrong code was tried 5 times, at last from 192.0.2.3, perhaps for another table.",
        "A wrong code was tried 6 times, at last over a link of no address, perhaps for another "
        "table.",
    ]


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
