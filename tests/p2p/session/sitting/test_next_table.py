"""From one match into the next: what holds on there of the one before, whatever happens between."""

from pathlib import Path

from support.session.again import agree
from support.session.sittings import Sitter, played
from support.session.tables import seeded

from p2p.session.sitting.owner import Outcome, Slept
from p2p.session.sitting.presence import RESTED_SECONDS
from p2p.session.sitting.sitting import Sitting
from p2p.store import Store


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
