"""From one match into the next: what holds on there of the one before, whatever happens between."""

from collections import deque
from pathlib import Path

import pytest
from support.session.again import agree
from support.session.sittings import Sitter, kept_by, make_hall, played
from support.session.tables import seeded

from p2p.session.sitting.effects import Following
from p2p.session.sitting.owner import Again, Left, Outcome, Slept
from p2p.session.sitting.playing import FAREWELL_SECONDS
from p2p.session.sitting.presence import RESTED_SECONDS
from p2p.session.sitting.sitting import Sitting
from p2p.store import Store
from p2p.wire.talk import Bind, Done, Leave, Nonce


def test_who_is_killed_as_it_sits_down_at_the_next_table_knows_the_one_before(
    tmp_path: Path,
) -> None:
    """The match is kept, and nothing yet that its start gave; the others say again over each new
    link what made that table, which is of the one before."""
    hall = played(3)
    agree(hall)
    dead = hall.sitters[0]
    table, key = dead.session.table, dead.sitting._identity
    with Store(tmp_path / "store.sqlite3") as store:
        names = [person.name for person in table.people]
        store.open_match(table.id, table.description, names, words=dead.sitting.agreed)
        kept = store.kept(table.id)
    hall.start(1, 2)
    for other in (1, 2):
        hall.part(0, other)
    hall.sitters[0] = Sitter(Sitting.come_back(kept, table, hall.first, key, seeded("killed")), 0)
    hall.start(0)
    for other in (1, 2):
        hall.join(0, other)
    hall.pass_time(2)
    assert not any(one.closed for one in hall.sitters)
    hall.play()
    assert [one.last.outcome for one in hall.sitters] == [Outcome("finished")] * 3


def test_a_last_signature_that_one_disk_alone_has_reaches_the_others_after_a_start() -> None:
    """Who is killed when it has all signatures, and has sent its own to nobody, brings it: nobody
    has said that it has the whole record."""
    hall = make_hall(2, target="5")
    hall.start()
    dead = hall.sitters[0]
    while not dead.session.closed:
        hall.on_the_way = deque(
            way for way in hall.on_the_way if way[0] == 1 or b"result" not in way[2]
        )
        assert hall.step()
    kept = kept_by(dead.given)
    assert not kept.has_whole(1)
    back = hall.come_back(0, kept)
    hall.pass_time(1)
    assert not hall.sitters[1].session.closed
    hall.start(0)
    hall.join(0, 1)
    hall.play()
    assert [one.last.outcome for one in hall.sitters] == [Outcome("finished")] * 2
    assert kept_by(back.given).has_whole(1)


@pytest.mark.parametrize("players", [2, 3])
def test_who_cannot_begin_the_next_match_says_so_to_those_who_did(players: int) -> None:
    """Its disk had no room to note that match: the others need not wait for it."""
    hall = played(players)
    agree(hall)
    others = range(1, players)
    hall.start(*others)
    hall.take(0, hall.sitters[0].sitting.leave(hall.now))
    hall.deliver()
    assert all(Left(hall.sitters[0].session.seat) in hall.sitters[one].notices for one in others)
    for other in others:
        hall.part(0, other)
    hall.pass_time(5)
    hall.play()
    outcomes = [one.last.outcome for one in hall.sitters[1:]]
    ended = "broken" if players == 2 else "finished"
    assert [outcome and outcome.kind for outcome in outcomes] == [ended] * len(outcomes)


def test_a_sleep_before_another_match_counts_in_it() -> None:
    """Who has slept counts nothing against anybody until it was linked for a while, also where the
    next match has begun meanwhile."""
    hall = played(2)
    hall.offer()
    hall.pass_time(1)
    hall.now += 20
    assert Slept(20.0 - 1.0) in hall.tick(0).notices
    assert len(agree(hall)) == 2
    hall.start()
    presence = hall.sitters[0].sitting.playing.presence
    assert not presence.rested(hall.now)
    hall.pass_time(int(RESTED_SECONDS) - 1)
    assert not presence.rested(hall.now)
    hall.pass_time(1)
    assert presence.rested(hall.now)


def test_a_sleep_long_before_another_match_does_not() -> None:
    hall = played(2)
    hall.offer()
    hall.pass_time(1)
    hall.now += 20
    hall.tick(0)
    hall.pass_time(int(RESTED_SECONDS))
    agree(hall)
    hall.start()
    assert hall.sitters[0].sitting.playing.presence.rested(hall.now)


def test_who_leaves_as_the_match_ends_says_nothing_after_it() -> None:
    """Its leave is the last that it signs at this table: no word that it has the record, and no
    wish for another match, though it was asked for."""
    hall = make_hall(2, target="5")
    hall.start()
    hall.deliver()
    one = hall.sitters[0]
    while not any(b"result" in payload for effects in one.given for _, payload in effects.send):
        assert hall.step()
    assert not one.session.finished
    hall.take(0, hall.sitters[0].sitting.leave(hall.now))
    hall.play()
    hall.pass_time(int(FAREWELL_SECONDS) + 1)
    assert [one.last.outcome for one in hall.sitters] == [Outcome("finished")] * 2
    hall.offer()
    hall.wish(0, Again())
    assert hall.sitters[0].last.following == Following(None)
    assert [len(hall.sitters[0].said(kind)) for kind in (Leave, Done, Bind)] == [1, 0, 0]


def test_who_leaves_while_another_match_is_asked_for_shows_no_nonce() -> None:
    hall = played(2)
    hall.offer()
    hall.wish(0, Again())
    left = hall.take(0, hall.sitters[0].sitting.leave(hall.now))
    assert left.following == Following(None)
    hall.wish(1, Again())
    hall.deliver()
    assert [len(hall.sitters[0].said(kind)) for kind in (Bind, Nonce)] == [1, 0]
    assert hall.sitters[1].last.following == Following(None)


def test_who_comes_back_after_it_said_that_it_has_the_record_does_not_wait_for_ever() -> None:
    """The others may have gone meanwhile, and say no more that they have it too."""
    hall = make_hall(2, target="5")
    hall.start()
    hall.deliver()
    while not hall.sitters[0].said(Done):
        assert hall.step()
    back = hall.come_back(0, kept_by(hall.sitters[0].given))
    hall.start(0)
    assert back.session.finished
    hall.tick_on(0, int(FAREWELL_SECONDS) + 1)
    assert back.last.outcome == Outcome("finished")
