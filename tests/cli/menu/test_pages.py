"""The pages of the menu: what each choice comes to, and what may be changed there."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click
import pytest
from support.session.tables import make_table, rules_for

from cli.command_line import allfives
from cli.files.home import Home
from cli.files.identity import Identity, read_identity, write_identity
from cli.files.settings import Settings
from cli.menu.pages import House
from cli.menu.walk import Walk
from engine.rules import Rules
from p2p.crypto.identity import fingerprint
from p2p.net.find.advert import Advert
from p2p.net.find.found import Found
from p2p.store import Store

TABLE, KEYS = make_table(rules_for(2), "one")


class Person:
    """Somebody in the menu of a home."""

    def __init__(self, folder: Path, *found: Found, plain: bool = True) -> None:
        self.home = Home(folder)
        self.house = House(self.home, allfives, lambda: None, plain, found)
        self.walk = Walk(self.house.front)

    def types(self, *lines: str) -> tuple[str, ...]:
        """The command line that comes of it, without the data folder; none: ()."""
        for line in lines:
            self.walk.answer(line)
        if self.walk.run is None:
            return ()
        arguments = self.walk.run.arguments
        self.walk.again()
        if arguments[0] != "--data-dir":
            return arguments
        assert arguments[1] == str(self.home.folder)
        return arguments[2:]


@pytest.fixture
def person(tmp_path: Path) -> Person:
    """Ana, who has been here before."""
    home = Home(tmp_path)
    home.make()
    write_identity(home.identity_path, Identity("Ana", KEYS[0]))
    return Person(tmp_path)


def entries(person: Person) -> Sequence[str]:
    return [one.word for one in person.walk.page.entries]


def test_the_first_page_has_everything_and_no_dead_end(person: Person) -> None:
    words = ["play", "host", "join", "records", "learn", "rules", "settings", "help", "quit"]
    assert entries(person) == words
    assert person.walk.page.lines == ("You are Ana.",)
    for word in words[:-1]:
        person.types(word)
        assert person.walk.run is None
        if person.walk.page.title != "Welcome":
            assert entries(person)[-1] == "back"
            person.types("back")
    assert person.types("learn") == ("learn", "--plain")
    person.types("quit")
    assert person.walk.over


def test_a_table_against_bots_is_planned(person: Person) -> None:
    usual = ("play", "--plain", "--rules", "classic", "--bots", "1", "--level", "normal")
    assert person.types("play", "start") == usual
    person.types("bots", "level", "rules", "pagat")
    assert person.types("start")[3:] == ("pagat", "--bots", "2", "--level", "hard")
    person.types("partners")
    assert person.types("start")[3:] == ("pagat", "--bots", "3", "--level", "hard", "--partners")
    person.types("bots")
    assert person.types("start")[5:] == ("1", "--level", "hard")
    Settings(person.home.config, allfives).keep("level", "easy")
    Settings(person.home.config, allfives).keep("play.bots", "3")
    person.types("back")
    assert person.types("play", "start")[5:] == ("3", "--level", "easy")


def test_a_table_for_others_is_planned(person: Person) -> None:
    person.types("host")
    assert "bots" not in entries(person)
    flags = ("--rules", "classic", "--bots", "0", "--level", "normal", "--players", "2")
    assert person.types("start") == ("host", "--plain", *flags)
    person.types("players", "bots", "door")
    assert person.types("start")[5:] == ("1", "--level", "normal", "--players", "3", "--open")
    person.types("partners", "door")
    assert person.types("start")[-3:] == ("--players", "4", "--partners")
    person.types("players")
    assert "--partners" not in person.types("start")


def test_options_of_the_rules_are_planned_too(person: Person) -> None:
    assert person.types("play", "options", "target") == ()
    assert person.walk.asked is not None
    assert person.walk.asked.question.startswith("target (a number from 1 to 1000000")
    person.types("none")
    assert person.walk.note.startswith("Target cannot be 'none': allowed is")
    person.types("150", "claims", "yes", "hand-size", "14", "reserve", "")
    person.types("back")
    told = [one.text for one in person.walk.page.entries if one.word == "options"]
    assert told == ["target=150, claims=yes, hand-size=14"]
    flags = ("--target", "150", "--set", "claims=yes", "--hand-size", "14")
    assert person.types("start")[-6:] == flags
    person.types("bots")  # three with 14 tiles each are more than there are
    assert person.walk.note.startswith("The options are as the rules have them again. Hand-size 14")
    person.types("options", "claims", "yes", "target", "99", "target", "usual", "back")
    assert person.types("start")[-2:] == ("--set", "claims=yes")
    for typed, text in (("n", "no"), ("Y", "yes")):
        person.types("options", "claims", typed, "back")
        assert person.types("start")[-2:] == ("--set", f"claims={text}")
    person.types("rules", "draw")
    assert "no points to claim" in person.walk.note
    assert person.types("start")[-2:] == ("--level", "normal")


@pytest.mark.parametrize("command", ["play", "host"])
def test_whatever_is_planned_there_is_such_a_table(person: Person, command: str) -> None:
    person.types(command)
    for word in ("partners", "players", "bots", "bots", "players", "partners", "bots", "players"):
        if word in entries(person):
            person.types(word)
        flags = person.types("start")[2:]
        seats = {
            name: int(flags[flags.index(name) + 1])
            for name in flags
            if name in ("--bots", "--players")
        }
        players = seats.get("--players", seats["--bots"] + 1)
        assert seats["--bots"] < players
        Rules.make("classic", players, {"partners": "yes"} if "--partners" in flags else {})


FULL = Advert("full", "Ben", 2, 2, "classic", False)


def test_tables_on_the_network_are_joined_with_their_code(tmp_path: Path) -> None:
    den = Found(Advert("den", "Ben", 2, 1, "classic", False), ("192.168.1.5:5525",), KEYS[1].public)
    salon = Found(Advert("salon", "Cem", 2, 1, "classic", True), ("192.168.1.6:5525",))
    person = Person(tmp_path, den, salon)
    person.types("join")
    assert person.walk.page.live
    named = ("join", "--plain", "--table", fingerprint(KEYS[1].public))
    assert person.types("den", "guitar orbit lunar") == (*named, "--", "guitar orbit lunar")
    assert person.types("den", "") == ()
    assert person.types("salon") == ("join", "--plain", "--table", "salon")
    assert person.types("invite", "10.0.0.7 a b c") == (
        "join",
        "--plain",
        "--",
        "10.0.0.7",
        "a",
        "b",
        "c",
    )
    assert person.types("invite", "guit\torbit lunar")[-3:] == ("guitar", "orbit", "lunar")
    assert person.types("invite", "--auto easy")[2:] == ("--", "--auto", "easy")
    assert person.types("look") == ()
    assert person.types("watch", "10.0.0.7 a b c")[:3] == ("watch", "--plain", "--")
    playing = Person(tmp_path / "other", *(replace(one, advert=FULL) for one in (den, salon)))
    playing.types("join")
    assert [one.text[:9] for one in playing.walk.page.entries[:2]] == ["look on: "] * 2
    playing.house.found = (replace(den, advert=FULL), salon)
    playing.walk.again()
    assert entries(playing)[:2] == ["salon", "full"]
    assert playing.types("full", "a b c") == ("watch", "--plain", *named[2:], "--", "a b c")


def test_a_match_that_is_not_over_comes_first_where_one_can_go_on(person: Person) -> None:
    with Store(person.home.store) as store:
        store.open_match(TABLE.id, TABLE.description, ["Ana", "Ben"])
    person.walk.again()
    there = "resume" in allfives.commands
    assert ("go on" in entries(person)) == there
    commands = {**allfives.commands, "resume": click.Command("resume")}
    person.house.group = click.Group("allfives", commands=commands)
    person.walk.again()
    assert entries(person)[0] == "go on"
    assert person.types("1") == ("resume", TABLE.id.hex())
    with person.home.locked():
        # It runs in another window.
        person.walk.again()
        assert "go on" not in entries(person)


def test_records_are_looked_at_checked_copied_and_deleted(person: Person) -> None:
    assert person.types("records") == ()
    assert entries(person) == ["back"]
    with Store(person.home.store) as store:
        store.open_match(TABLE.id, TABLE.description, ["Ana", "Ben"])
        record = person.home.record_path(TABLE.id)
        record.write_bytes(b"record")
        store.finish(TABLE.id, "finished", (255, 120), record)
    person.walk.again()
    table = TABLE.id.hex()
    assert entries(person) == [table[:8], "results", "fair", "back"]
    person.types("results")
    assert person.walk.page.lines[0].startswith("Ben [")
    person.types("back", "1")
    assert entries(person) == ["look", "advice", "check", "page", "copy", "delete", "back"]
    assert person.types("look") == ("replay", "--plain", str(record))
    assert person.types("advice") == ("replay", "--plain", str(record), "--advice")
    page = ("replay", "--plain", str(record), "--html", "m.html")
    assert person.types("page", "m.html") == page
    assert person.types("check") == ("verify", str(record))
    assert person.types("copy", "x.fives") == ("history", "export", table, "x.fives")
    assert person.types("delete", "") == ()
    assert person.walk.note == "It is kept."
    assert person.types("delete", "yes") == ("history", "delete", table, "--yes")
    record.unlink()
    person.walk.again()
    assert entries(person) == ["delete", "back"]


def test_settings_are_changed_and_given_up(person: Person) -> None:
    person.types("settings")
    settings = Settings(person.home.config, allfives)
    person.types("level")
    assert person.walk.asked is not None
    assert person.walk.asked.question.startswith("level (easy, normal, hard")
    person.types("best")
    assert person.walk.note.startswith("level cannot be 'best'")
    person.types("hard")
    assert (settings.value("level"), person.walk.note) == ("hard", "level is hard from now on.")
    person.types("level", "")
    assert settings.value("level") == "hard"
    person.types("level")
    assert person.walk.asked.question == (
        "level (easy, normal, hard)? It is hard. Enter: it stays so; usual: normal again."
    )
    person.types("usual")
    assert settings.value("level") is None
    assert person.walk.note == "level is as usual again: normal."
    # What is shown as the usual value may be typed for it, and no setting of that name is kept.
    for typed in ("socks5h://127.0.0.1:9050", "none"):
        person.types("proxy", typed)
    assert settings.value("proxy") is None
    for typed, kept in (("y", True), ("No", False), ("yes", True), ("n", False)):
        person.types("plain", typed)
        assert settings.value("plain") is kept
    assert not any(one.text.strip() == "-" for one in person.walk.page.entries)


def test_the_name_is_taken_at_the_first_start_and_changed_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: "anna")
    person = Person(tmp_path / "home")
    assert person.walk.page.lines == ()
    assert not person.house.is_named
    assert not Home(tmp_path / "other").identity().chosen
    person.walk.asked = person.house.ask_name()
    assert "(Enter: anna; q leaves)" in person.walk.asked.question
    person.types("You")
    assert "cannot be your name" in person.walk.note
    assert not person.home.folder.exists()
    person.types("")
    own = read_identity(person.home.identity_path)
    assert (own.name, own.chosen) == ("anna", True)
    assert "\n".join(person.walk.page.lines) == "You are anna."
    person.types("settings", "name", "Ana")
    renamed = read_identity(person.home.identity_path)
    assert (renamed.name, renamed.key.public) == ("Ana", own.key.public)
    person.types("name", "")
    assert read_identity(person.home.identity_path).name == "Ana"


def test_the_rules_are_told_and_help_leads_on(person: Person) -> None:
    person.types("rules", "draw")
    assert person.walk.page.lines[0].startswith("draw: the Draw game")
    person.types("back", "back", "help")
    assert person.types("doctor") == ("doctor",)
    assert person.types("commands") == ("--help",)


def test_at_the_screen_what_is_run_is_at_the_screen(person: Person) -> None:
    person.house.plain = False
    assert "--plain" not in person.types("play", "start")
