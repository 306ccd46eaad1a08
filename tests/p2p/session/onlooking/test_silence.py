"""Who seems to be away to who looks on."""

from support.session.onlookers import Looker, dealt, deliver, pass_time
from support.session.tables import seeded

from p2p.crypto.identity import IdentityKey
from p2p.session.onlooking.silence import SILENT_SECONDS, Silence
from p2p.session.sitting.owner import Away, Back


def test_where_the_seat_of_the_own_link_lacks_nobody_all_are_there() -> None:
    silence = Silence()
    for second in range(0, 60, 5):
        silence.here(1, float(second))
        assert silence.tick((0, 1, 2), 0, float(second)) == []


def test_who_says_nothing_while_all_others_lack_somebody_seems_away() -> None:
    silence, told = Silence(), list[Away | Back]()
    for second in range(30):
        if second % 10 == 0:
            silence.here(0, float(second))
            silence.here(1, float(second))
        told += silence.tick((0, 1, 2), 0, float(second))
    assert told == [Away(2, float(second), None) for second in range(int(SILENT_SECONDS), 30)]
    silence.heard(2)
    assert silence.tick((0, 1, 2), 0, 30.0) == [Back(2)]
    assert silence.tick((0, 1, 2), 0, 31.0) == []


def test_an_old_word_shows_nothing_of_now() -> None:
    silence = Silence()
    silence.here(0, 0.0)
    assert [silence.tick((0, 1), 0, float(second)) for second in range(40)] == [[]] * 40


def test_who_is_out_is_not_told_as_back() -> None:
    silence = Silence()
    for second in (0.0, 10.0, 20.0):
        silence.here(0, second)
        last = silence.tick((0, 1), 0, second)
    assert last == [Away(1, 20.0, None)]
    assert silence.tick((0,), 0, 21.0) == []


def test_at_a_table_it_is_told_who_is_cut_off_and_that_it_is_back() -> None:
    hall = dealt(3)
    looker = Looker(hall, IdentityKey.generate(seeded("looker")))
    looker.link(0)
    deliver(hall, looker)
    for other in (0, 1):
        hall.part(2, other)
    pass_time(hall, 20, looker)
    (first, *_) = looker.shown(Away)
    assert isinstance(first, Away)
    assert (first.seat, first.left) == (2, None)
    assert looker.shown(Back) == []
    for other in (0, 1):
        hall.link(2, other)
    pass_time(hall, 20, looker)
    assert looker.shown(Back) == [Back(2)]
    assert {one.seat for one in looker.shown(Away) if isinstance(one, Away)} == {2}
