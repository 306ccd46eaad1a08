"""What players of other games report about coming back, played here: it ends as it should.

The report of a player who makes a table ready and vanishes is played at the door, in
net/door/test_host_hostile.py; that a seat links again to a match that has begun in net/link.
"""

import copy
from functools import cache

from support.session.sittings import Hall, kept_by, make_hall, quiet, silent

from p2p.session.sitting.owner import Began
from p2p.session.state.events import SeatOut
from p2p.wire.envelope import MATCH_LADDER

FIRST, LEAVER, AWAY = range(3)


@cache
def _waiting() -> Hall:
    return quiet(3, target="5")


def waiting() -> Hall:
    """A table of three where somebody is to move."""
    hall = _waiting()
    keys = {id(one.sitting._identity): one.sitting._identity for one in hall.sitters}
    return copy.deepcopy(hall, dict(keys))


def finish(hall: Hall, *places: int) -> set[bytes]:
    """Play on to the end; the records of these."""
    for place in places:
        sitter = hall.sitters[place]
        sitter.answer = sitter.decide
    for _ in range(60):
        hall.play()
        hall.pass_time(1)
        if all(hall.sitters[place].session.closed for place in places):
            break
    assert all(hall.sitters[place].session.closed for place in places)
    return {hall.sitters[place].session.record() for place in places}


def test_a_match_that_is_come_back_to_has_its_seats_in_the_same_order() -> None:
    """A report: "A resumed game with the seats in another order". All three programs are killed,
    and come back in another order: that of the seats is what all have signed."""
    hall = waiting()
    order = [one.key for one in hall.sitters[0].session.table.people]
    tops = {one.session.referee.ladders[MATCH_LADDER].top for one in hall.sitters}
    kept = [kept_by(one.given) for one in hall.sitters]
    for place in (AWAY, FIRST, LEAVER):
        hall.come_back(place, kept[place]).answer = silent
        hall.start(place)
    for here, there in ((AWAY, LEAVER), (LEAVER, FIRST), (FIRST, AWAY)):
        hall.join(here, there)
    hall.play()
    for one in hall.sitters:
        (began,) = one.shown(Began)
        assert isinstance(began, Began)
        assert [person.key for person in began.table.people] == order
        assert began.me == one.place == one.session.seat
        assert one.session.referee.ladders[MATCH_LADDER].top in tops
    assert len(finish(hall, FIRST, LEAVER, AWAY)) == 1


def test_when_one_comes_back_the_others_are_in_the_match_too() -> None:
    """A report: "The one who came back is in, the others stay on the waiting page". Whoever is to
    move is asked, whether it was away or not, and nobody begins anew."""
    hall = waiting()
    mover = next(one.place for one in hall.sitters if one.last.ask is not None)
    other = (mover + 1) % 3
    hall.come_back(other, kept_by(hall.sitters[other].given))
    hall.start(other)
    for third in {FIRST, LEAVER, AWAY} - {other}:
        hall.join(other, third)
    hall.deliver()
    hall.pass_time(1)
    assert hall.sitters[mover].last.ask is not None
    assert [len(one.shown(Began)) for one in hall.sitters] == [1, 1, 1]
    assert len(finish(hall, FIRST, LEAVER, AWAY)) == 1


def test_who_was_away_when_one_left_finds_the_match_that_the_others_play() -> None:
    """A report: "One resigns while another is away, and the game differs when that one returns"."""
    hall = waiting()
    for other in (FIRST, LEAVER):
        hall.part(AWAY, other)
    hall.take(LEAVER, hall.sitters[LEAVER].sitting.leave(hall.now))
    hall.deliver()
    hall.part(FIRST, LEAVER)
    hall.pass_time(3)
    assert outs(hall, AWAY) == []
    hall.join(FIRST, AWAY)
    hall.deliver()
    hall.pass_time(12)
    assert outs(hall, FIRST) == outs(hall, AWAY) == [(LEAVER, "left")]
    assert len({hall.sitters[one].session.referee.root for one in (FIRST, AWAY)}) == 1
    assert len(finish(hall, FIRST, AWAY)) == 1


def outs(hall: Hall, place: int) -> list[tuple[int, str]]:
    """Who is out, as a seat was told."""
    told = (one for one in hall.sitters[place].events if isinstance(one, SeatOut))
    return [(one.seat, one.reason) for one in told]


def test_who_links_long_after_it_began_still_gets_in() -> None:
    """A report: "Nobody can rejoin because the game has started"."""
    hall = make_hall(2, None, "late", (), target="5")
    hall.start()
    hall.pass_time(20)
    hall.join(FIRST, LEAVER)
    assert len(finish(hall, FIRST, LEAVER)) == 1
