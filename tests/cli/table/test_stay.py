"""A stay at a table: whatever the disk or the handles are like, the record is kept or it is said
why not. Whole stays: tests/end_to_end."""

import sqlite3
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import trio
from support.net.pump_seats import make_seats
from support.process.handles import no_handles

from cli.files.home import Home
from cli.files.identity import Identity
from cli.process.errors import Stop
from cli.table.auto import AutoSeat
from cli.table.bots import player_maker
from cli.table.port import Leave, Notice, Told, Vanish
from cli.table.stay import Visit, Visitor
from p2p.crypto.identity import IdentityKey
from p2p.net.match.pump import Pump
from p2p.session.record import MAGIC
from p2p.session.record import decode as read_record
from p2p.session.sitting.sitting import Sitting
from p2p.session.state.events import SeatOut
from p2p.store import Store, StoreError
from p2p.wire.talk import Leave as Gone
from p2p.wire.talk import Word


async def no_lines() -> AsyncIterator[str]:
    for line in list[str]():
        yield line


@pytest.fixture
def visitor(tmp_path: Path) -> Iterator[Visitor]:
    home = Home(tmp_path / "home")
    home.make()
    seat = AutoSeat(player_maker("easy", 1.0), print, None, None)
    identity = Identity("Ana", IdentityKey.generate())
    with Store(home.store) as store:
        yield Visitor(home, identity, store, seat, tmp_path / "a.fives", no_lines())


def begun(visitor: Visitor) -> Visit:
    """A visit whose match has begun."""
    visit = Visit(visitor)
    visit._begin(make_seats()[0].pump)
    return visit


def full_disk(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise StoreError(f"{store.path} cannot be written: database or disk is full.")

    monkeypatch.setattr(Store, "commit", refuse)
    monkeypatch.setattr(Store, "finish", refuse)


async def test_a_full_disk_in_the_match_leaves_it_to_be_gone_on_with(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    visit, seat = begun(visitor), make_seats()[0]
    session = visit._session
    assert session is not None

    async def play(*_: object) -> None:
        await trio.lowlevel.checkpoint()
        visit._save(session.start().batch)

    monkeypatch.setattr(Visit, "_match", play)
    with monkeypatch.context() as full:
        full_disk(visitor.store, full)
        with pytest.raises(Stop) as caught:
            await visit._sit(seat.sitting, seat.wires)
        visit._keep()
    assert caught.value.code == 1
    assert caught.value.sentence == (
        f"{visitor.store.path} cannot be written: database or disk is full. The match stops here, "
        "unfinished; `allfives resume` goes on with it once there is room. "
        f"Its record so far: {visitor.record}"
    )
    # What was not stored was not said: it is in no record, and no leave is.
    assert visitor.record is not None
    assert read_record(visitor.record.read_bytes()).messages == ()
    assert seat.wires.sent == []
    assert [past.state for past in visitor.store.history()] == ["unfinished"]


async def test_a_full_disk_before_a_match_leaves_the_table(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is kept to come back with, so whoever is there already hears a leave."""
    visit, seat = Visit(visitor), make_seats()[0]
    seat.sitting.linked(1, 0.0)

    def refuse(*_: object) -> None:
        raise StoreError(f"{visitor.store.path} cannot be written: database or disk is full.")

    monkeypatch.setattr(Store, "open_match", refuse)
    full_disk(visitor.store, monkeypatch)
    with pytest.raises(Stop) as caught:
        await visit._sit(seat.sitting, seat.wires)
    visit._keep()
    assert (caught.value.code, caught.value.sentence) == (
        1,
        f"{visitor.store.path} cannot be written: database or disk is full. "
        "So you cannot play this match, and you leave the table.",
    )
    said = [seat.session.understand(payload) for payload in seat.wires.sent]
    assert [one.said for one in said if isinstance(one, Word)] == [Gone()]
    assert visitor.record is not None
    assert not visitor.record.exists()
    assert visitor.store.history() == []


async def test_a_full_disk_at_the_end_hides_no_record(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    visit = begun(visitor)
    full_disk(visitor.store, monkeypatch)
    with pytest.raises(Stop) as caught:
        visit._keep()
    assert caught.value.code == 1
    assert caught.value.sentence == (
        f"{visitor.store.path} cannot be written: database or disk is full. "
        f"The match is over. Its record: {visitor.record}"
    )
    assert visitor.record is not None
    assert visitor.record.read_bytes().startswith(MAGIC)


@pytest.mark.parametrize(
    ("error", "state"), [(RuntimeError("a bug"), "unfinished"), (Stop("No way."), "broken")]
)
async def test_a_match_that_a_bug_ended_can_be_gone_on_with(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch, error: Exception, state: str
) -> None:
    visit, seat = begun(visitor), make_seats()[0]

    async def fail(*_: object) -> None:
        await trio.lowlevel.checkpoint()
        raise error

    monkeypatch.setattr(Visit, "_match", fail)
    with pytest.raises(type(error)):
        await visit._sit(seat.sitting, seat.wires)
    visit._keep()
    assert [past.state for past in visitor.store.history()] == [state]


async def test_who_vanishes_leaves_the_match_as_it_is(visitor: Visitor) -> None:
    visit = begun(visitor)
    visit._want(Vanish("The pipe ended."))
    visit._keep()
    assert [past.state for past in visitor.store.history()] == ["unfinished"]


async def test_who_goes_in_a_pause_leaves_nobody_and_may_come_back(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    visit, seat = begun(visitor), make_seats()[0]
    told, left = list[Notice](), list[object]()
    monkeypatch.setattr(visitor.seat, "show", told.append)
    monkeypatch.setattr(Pump, "leave", left.append)
    monkeypatch.setattr(Sitting, "waits", True)

    async def stop(*_: object) -> None:
        await trio.lowlevel.checkpoint()
        visit._want(Leave())

    monkeypatch.setattr(Visit, "_match", stop)
    await visit._sit(seat.sitting, seat.wires)
    assert visit.going.waits()
    visit._keep()
    assert (left, visit.kept) == ([], None)
    assert [past.state for past in visitor.store.history()] == ["unfinished"]
    assert visit._end() == 0
    waits = "The match waits, paused; `allfives resume` takes you back to it."
    assert told[-1] == Told(f"You stop here. {waits}")
    clause = "; the match waits, paused, and `allfives resume` takes you back to it."
    assert visit.last_words() == clause


async def test_where_no_record_can_be_written_it_is_said_that_there_is_none(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    visit = begun(visitor)
    home = visitor.home.record_path(make_seats()[0].session.table.id)

    def refuse(path: Path, data: bytes) -> None:
        raise Stop(f"The record {path} cannot be written: No space left on device.")

    monkeypatch.setattr("cli.files.record.write_whole", refuse)
    with pytest.raises(Stop) as caught:
        visit._keep()
    assert caught.value.code == 1
    assert caught.value.sentence == (
        f"The record {home} cannot be written: No space left on device. "
        "The match is over, and no record of it is kept."
    )


async def test_the_record_is_written_when_peers_have_taken_all_handles(visitor: Visitor) -> None:
    visit = begun(visitor)
    with no_handles():
        visit._keep()
    assert visit.kept == visitor.record
    assert visitor.record is not None
    assert visitor.record.exists()
    with sqlite3.connect(visitor.home.store) as db:
        assert db.execute("SELECT state FROM matches").fetchall() == [("broken",)]
    db.close()


def test_who_was_out_at_the_end_is_noted(visitor: Visitor) -> None:
    visit = begun(visitor)
    session = visit._session
    assert session is not None
    session.state.outs.append(SeatOut(1, 0, "left", (1,)))
    visit._keep()
    assert [past.out for past in visitor.store.history()] == [{0: "left"}]


@pytest.mark.parametrize("plays_on", [False, True])
def test_who_leaves_reads_whether_the_others_play_on(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch, plays_on: bool
) -> None:
    monkeypatch.setattr("cli.table.stay.plays_on", lambda *_: plays_on)
    visit = begun(visitor)
    visit._want(Leave())
    visit._keep()
    state = "left" if plays_on else "broken"
    assert [past.state for past in visitor.store.history()] == [state]
    ends, whose = ("The others play on", "Your") if plays_on else ("The match ends here", "Its")
    with pytest.raises(Stop) as caught:
        visit._end()
    assert caught.value.sentence == f"You leave. {ends}. {whose} record: {visitor.record}"
    clause = f"; {ends[0].lower()}{ends[1:]}. {whose} record: {visitor.record}"
    assert visit.last_words() == clause
