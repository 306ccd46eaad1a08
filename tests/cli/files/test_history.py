"""The history: who sat there by key, which record is the last, export and deletion."""

from dataclasses import replace
from pathlib import Path

import pytest
from support.session.tables import make_table, rules_for

from cli.command_line import run
from cli.commands.own.past import match_words
from cli.files.history import (
    delete,
    export,
    find,
    last_record,
    left_seat,
    past_matches,
    record_named,
    record_of,
    unread,
)
from cli.files.home import Home
from cli.files.identity import Identity, write_identity
from cli.process.errors import Stop
from p2p.crypto.identity import IdentityKey
from p2p.session.state.table import Table
from p2p.store import Store

# Of each a table of its own, with the keys of who sits there.
FIRST, SECOND, THIRD = (make_table(rules_for(2), seed) for seed in ("one", "two", "three"))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Of who sits in seat 0 of the first table: it was finished, the second broken off, and the
    third is not over."""
    home = Home(tmp_path / "home")
    home.make()
    write_identity(home.identity_path, Identity("Ana", FIRST[1][0]))
    with Store(home.store) as store:
        for (table, _), name in ((FIRST, "den"), (SECOND, "yard"), (THIRD, "yard")):
            store.open_match(table.id, table.description, ["Ana", "Ben"], name)
        kept = home.record_path(FIRST[0].id)
        kept.write_bytes(b"first")
        store.finish(FIRST[0].id, "finished", (255, 120), kept)
        elsewhere = tmp_path / "mine.fives"
        elsewhere.write_bytes(b"second")
        store.finish(SECOND[0].id, "broken", (10, 20), elsewhere)
    return home


def test_a_match_tells_who_sat_there_and_who_won(home: Home) -> None:
    first, second, third = past_matches(home)
    assert [one.state for one in (first, second, third)] == ["finished", "broken", "unfinished"]
    assert [one.me for one in first.people] == [True, False]
    assert [one.winners for one in (first, second, third)] == [(0,), (), ()]
    assert first.sides == (0, 1)
    assert len(first.people[1].key) == 16
    write_identity(home.identity_path, Identity("Ana", IdentityKey.generate()))
    assert not past_matches(home)[0].people[0].me
    assert left_seat(home, FIRST[0].id.hex()) is None
    former = home.former_identity_path(first.people[0].key)
    write_identity(former, Identity("Ana", FIRST[1][0]))
    assert past_matches(home)[0].people[0].me


@pytest.mark.parametrize(
    ("reason", "beside"), [("left", "left"), ("absent", "out"), ("idle", "out"), ("fault", "out")]
)
def test_who_is_out_has_not_won_whatever_the_score(home: Home, reason: str, beside: str) -> None:
    with Store(home.store) as store:
        store.finish(FIRST[0].id, "finished", (255, 120), None, {0: reason})
    first = past_matches(home)[0]
    assert first.winners == (1,)
    assert match_words(first).endswith(f"Ana (you) 255 ({beside}), Ben 120 won")


def test_a_bot_is_known_by_what_the_table_says_and_not_by_a_name(tmp_path: Path) -> None:
    table, keys = FIRST
    ana, ben = table.people
    owned = Table.seat_people(table.rules, (ana, replace(ben, owner=ana.key)))
    home = Home(tmp_path)
    with Store(home.store) as store:
        for one, names in ((owned, ["Ana", "Ben"]), (table, ["Ana", "Bot Ben"])):
            store.open_match(one.id, one.description, names)
        store.open_match(b"1" * 32, b"of an earlier version", ["Ana", "Bot Ada"])
    told = [sum(person.bot for person in one.people) for one in past_matches(home)]
    assert (told, len(keys)) == ([1, 0, 1], 2)


def test_a_match_that_broke_off_without_a_record_cannot_be_gone_on_with(home: Home) -> None:
    with Store(home.store) as store:
        store.finish(THIRD[0].id, "broken", (), None)
    with pytest.raises(Stop) as caught:
        record_of(past_matches(home)[-1])
    assert caught.value.sentence == "That match broke off, and no record of it was kept."


def test_nothing_is_made_by_looking(tmp_path: Path) -> None:
    home = Home(tmp_path / "none")
    assert past_matches(home) == []
    with pytest.raises(Stop, match="No match has been played here yet"):
        last_record(home)
    assert not home.folder.exists()


def test_a_match_is_found_by_the_beginning_of_its_id(home: Home) -> None:
    matches = past_matches(home)
    for one in matches:
        assert find(matches, one.table[:8].upper()) == one
    assert find(matches, "last") == matches[-1]
    for text, sentence in [
        ("", "No match of a table ''"),
        ("x", "has the digits 0-9 and a-f"),
        (matches[0].table[:8] + "zz", "has the digits"),
    ]:
        with pytest.raises(Stop, match=sentence):
            find(matches, text)
    assert find(matches, " Den") == matches[0]
    with pytest.raises(Stop, match="2 matches were played at a table 'yard'; write the beginning"):
        find(matches, "yard")
    with pytest.raises(Stop, match=r"The ids of 3 tables begin with"):
        find([matches[0]] * 3, matches[0].table[0])


def test_a_match_is_found_by_the_name_of_its_table(home: Home) -> None:
    first, second, third = past_matches(home)
    den, again = replace(first, name="den"), replace(second, name="den")
    # A name goes before an id that begins so.
    named = replace(third, name=first.table[:8])
    matches = [den, second, named]
    assert find(matches, " den ") == den
    assert find(matches, first.table[:8]) == named
    assert find(matches, first.table[:9]) == den
    with pytest.raises(Stop, match="2 matches were played at a table 'den'"):
        find([den, again, named], "den")
    with Store(home.store) as store:
        table, _ = make_table(rules_for(2), "four")
        store.open_match(table.id, table.description, ["Ana", "Ben"], "attic")
    assert find(past_matches(home), "attic").table == table.id.hex()


def test_the_last_record_is_that_of_the_last_match_that_is_over(home: Home) -> None:
    last = last_record(home)
    assert last.read_bytes() == b"second"
    last.unlink()
    with pytest.raises(Stop, match="is no longer there"):
        last_record(home)


def test_a_record_is_named_by_its_file_or_by_the_beginning_of_an_id(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third = past_matches(home)
    assert record_named(home, first.table[:10].upper()) == str(first.record)
    assert record_named(home, "last") == str(second.record)
    with pytest.raises(Stop, match="That match is not over"):
        record_named(home, third.table[:10])
    for file in ("-", "match.fives", "/nowhere/abc", "0" * 9 + "feed"):
        assert record_named(home, file) == file
    monkeypatch.chdir(tmp_path)
    (tmp_path / first.table[:10]).write_bytes(b"a file goes before")
    assert record_named(home, first.table[:10]) == first.table[:10]
    with pytest.raises(Stop, match="No match has been played here yet"):
        record_named(Home(tmp_path / "empty"), "last")


def test_a_record_is_copied_to_a_new_file(home: Home, tmp_path: Path) -> None:
    first, second, third = past_matches(home)
    export(first, tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == b"first"
    with pytest.raises(Stop, match="name a new file"):
        export(second, tmp_path / "copy")
    with pytest.raises(Stop, match="That match is not over"):
        record_of(third)
    assert (tmp_path / "copy").read_bytes() == b"first"


def test_a_deleted_match_is_gone_with_its_record_unless_that_was_put_elsewhere(home: Home) -> None:
    first, second, _ = past_matches(home)
    assert delete(home, first) is None
    assert first.record is not None
    assert not first.record.exists()
    assert delete(home, second) == second.record
    assert second.record is not None
    assert second.record.exists()
    assert [one.state for one in past_matches(home)] == ["unfinished"]


def test_records_of_matches_without_a_path(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    last = last_record(home)
    for command, code in ((["verify"], 2), (["replay"], 2)):
        assert run([*command, "--data-dir", str(home.folder)]) == code
        assert capsys.readouterr().err.startswith(f"{last}: ")


def test_who_left_a_match_that_could_go_on_is_known_from_the_store(home: Home) -> None:
    table = SECOND[0].id
    assert left_seat(home, table.hex()) is None
    write_identity(home.identity_path, Identity("Ana", SECOND[1][1]))
    with Store(home.store) as store:
        store.finish(table, "left", (10, 20), None)
    assert left_seat(home, table.hex()) == 1
    assert left_seat(home, FIRST[0].id.hex()) is None
    home.store.write_bytes(b"no store at all" * 100)
    assert left_seat(home, table.hex()) is None
    home.store.unlink()
    assert left_seat(home, table.hex()) is None


def test_who_names_no_file_and_no_table_is_told_both() -> None:
    missing = FileNotFoundError(2, "No such file or directory")
    told = "cannot be read: No such file or directory"
    assert unread("zzzz", missing) == f"{told}, and no table's id begins so."
    for file in ("/nowhere/x", "match.fives"):
        assert unread(file, missing) == f"{told}."
    assert unread("zzzz", IsADirectoryError(21, "Is a directory")).endswith("Is a directory.")
