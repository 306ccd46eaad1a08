"""Matches that a killed program left: which can go on, and what becomes of the others."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from support.session.left import PLACES, leave_match
from support.session.matches import classic
from support.session.tables import Game, rules_for

from cli.files.home import Home
from cli.process.errors import Stop
from cli.table.left import choose, settle, unfinished
from cli.table.notes import Notes
from engine.wording import quoted
from p2p.session.referee import Referee
from p2p.session.restoring import Kept, hear_again
from p2p.session.state.events import SeatOut
from p2p.session.state.table import Table
from p2p.session.verify import verify_record
from p2p.store import Store
from p2p.wire.envelope import Message

SOME = 12


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "home")
    made.make()
    return made


@pytest.fixture
def store(home: Home) -> Iterator[Store]:
    with Store(home.store) as opened:
        yield opened


def record_of(store: Store) -> Path:
    """The record that the only match has now."""
    (past,) = store.history()
    assert past.record is not None
    return Path(past.record)


def on_disk(home: Home) -> bytes:
    return b"".join(file.read_bytes() for file in home.folder.glob("allfives.sqlite3*"))


def test_a_match_in_the_middle_can_go_on(home: Home, store: Store) -> None:
    notes = Notes("den", None, None)
    table = leave_match(store, classic(2).game, SOME, notes.text())
    assert settle(home, store) == []
    (left,) = unfinished(store)
    assert (left.table.id, left.me, left.port, left.notes) == (table, 0, 5525, notes)
    assert left.seated.table == left.table
    assert [one.addresses for one in left.seated.roster] == [PLACES] * 2
    assert left.words().startswith(f"{table.hex()[:8]}  den, ")
    assert "s" * 32 not in repr(left)


def test_a_match_that_is_over_gets_its_record_and_its_secrets_go(home: Home, store: Store) -> None:
    leave_match(store, classic(2).game, whole=[1])
    assert unfinished(store) == []
    (line,) = settle(home, store)
    record = record_of(store)
    assert line.endswith(f" was decided. Its record: {record}")
    assert record.parent == home.folder / "records"
    assert record.read_bytes() == classic(2).record
    (past,) = store.history()
    assert (past.state, past.scores) == ("finished", verify_record(classic(2).record).scores)
    assert b"s" * 32 not in on_disk(home)
    assert settle(home, store) == []


def test_who_was_out_of_a_match_that_is_over_is_noted(
    home: Home, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def heard(kept: Kept, table: Table) -> tuple[Referee, tuple[Message, ...]]:
        referee, evidence = hear_again(kept, table)
        referee.state.outs.append(SeatOut(1, 0, "left", (1,)))
        return referee, evidence

    leave_match(store, classic(2).game, whole=[1])
    monkeypatch.setattr("cli.table.left.hear_again", heard)
    settle(home, store)
    assert [past.out for past in store.history()] == [{0: "left"}]


def test_a_match_that_is_decided_and_not_closed_is_settled(home: Home, store: Store) -> None:
    game = classic(2).game
    last = max(
        at
        for at, output in enumerate(game.outputs[0])
        if any(message.kind == "open" for message in output.batch.messages)
    )
    leave_match(store, game, last + 1, "{}", [1])
    (line,) = settle(home, store)
    assert " was decided. " in line
    report = verify_record(record_of(store).read_bytes())
    assert (report.decided, report.closed) == (True, False)


def test_a_match_that_not_all_have_signed_can_go_on(home: Home, store: Store) -> None:
    """This seat was killed between the first result and the last, at each of its outputs."""
    outputs = classic(2).game.outputs[0]
    results = [
        at
        for at, output in enumerate(outputs)
        if any(message.kind == "result" for message in output.batch.messages)
    ]
    first, last = results[0], results[-1]
    assert first < last
    leave_match(store, classic(2).game, first + 1, whole=[1])
    assert len(unfinished(store)) == 1
    assert settle(home, store) == []
    table = classic(2).game.sessions[0].table.id
    for output in outputs[first + 1 : last + 1]:
        assert len(unfinished(store)) == 1
        store.commit(table, output.batch)
    assert unfinished(store) == []


@pytest.mark.parametrize("players", [2, 3])
def test_what_this_disk_alone_may_have_of_the_end_is_brought_to_the_others(
    home: Home, store: Store, players: int
) -> None:
    """All have signed, as far as this seat knows: it was killed before it heard that all others
    know it too."""
    others = range(1, players)
    leave_match(store, classic(players).game, whole=others[1:])
    assert settle(home, store) == []
    (left,) = unfinished(store)
    store.delete(left.table.id)
    leave_match(store, classic(players).game, whole=others)
    assert unfinished(store) == []


@pytest.mark.parametrize(
    ("players", "left", "goes_on"),
    [(2, [0], False), (2, [1], False), (3, [0], False), (3, [1], True)],
)
def test_who_has_left_does_not_come_back_and_two_sides_need_both(
    home: Home, store: Store, players: int, left: list[int], goes_on: bool
) -> None:
    leave_match(
        store, Game.make(rules_for(players, hand_size="1"), "left").play(1), SOME, "{}", left
    )
    assert bool(unfinished(store)) is goes_on
    lines = settle(home, store)
    assert bool(lines) is not goes_on
    if not goes_on:
        assert " cannot go on. " in lines[0]
        # Of three two could play on.
        state = "left" if players == 3 else "broken"
        assert [past.state for past in store.history()] == [state]
        assert not verify_record(record_of(store).read_bytes()).problem


def test_the_record_goes_where_it_was_asked_for(home: Home, store: Store, tmp_path: Path) -> None:
    asked = tmp_path / "asked.fives"
    leave_match(store, classic(2).game, None, Notes(record=str(asked)).text(), whole=[1])
    settle(home, store)
    assert asked.read_bytes() == classic(2).record
    assert record_of(store) == asked


def test_a_match_without_a_way_back_gets_its_record(home: Home, store: Store) -> None:
    table = classic(2).table
    store.open_match(table.id, table.description, ["Ana", "Ben"])
    for output in classic(2).game.outputs[0][:SOME]:
        store.commit(table.id, output.batch)
    (line,) = settle(home, store)
    assert (
        line
        == f"The match of Ana and Ben that was left cannot go on. Its record: {record_of(store)}"
    )


def test_a_record_that_cannot_be_written_is_tried_again(
    home: Home, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, data: bytes) -> None:
        raise Stop("There is no room.")

    leave_match(store, classic(2).game, whole=[1])
    with monkeypatch.context() as full:
        full.setattr("cli.files.record.write_whole", refuse)
        (line,) = settle(home, store)
    assert line.endswith("that was left has no record yet. There is no room.")
    assert len(store.unfinished()) == 1
    settle(home, store)
    assert record_of(store).read_bytes() == classic(2).record


def test_what_cannot_be_read_is_told_and_not_tried_again(home: Home, store: Store) -> None:
    table = classic(2).table
    store.open_match(table.id, table.description, ["Ana", "Ben"])
    outputs = classic(2).game.outputs[0][SOME:]
    store.commit(table.id, next(one.batch for one in outputs if one.batch.messages))
    (line,) = settle(home, store)
    assert line == (
        "The match of Ana and Ben that was left cannot be read any more, so there is no record of "
        "it: a message that does not follow from those before it."
    )
    assert settle(home, store) == []


def test_which_match_is_meant(store: Store) -> None:
    first = leave_match(store, classic(2).game, SOME, Notes("den").text())
    (left,) = unfinished(store)
    assert choose([left], None) == left
    assert choose([left], first.hex()[:5]) == left
    assert choose([left], first.hex()[:5].upper()) == left
    assert choose([left], "den") == left
    other = replace(left, notes=Notes("yard"))
    assert choose([left, other], None) is None
    assert choose([left, other], "yard") == other
    for text, said in (
        ("nobody's", "No unfinished match is at a table"),
        (first.hex(), "Several unfinished matches are meant by"),
    ):
        with pytest.raises(Stop) as caught:
            choose([left, other], text)
        assert caught.value.code == 2
        assert caught.value.sentence.startswith(f"{said} {quoted(text)}:\n")
        assert left.words() in caught.value.sentence
    with pytest.raises(Stop) as none:
        choose([], None)
    assert none.value.code == 1
