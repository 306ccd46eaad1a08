"""Settings that are kept: read for a command, changed without what a person wrote beside them."""

from pathlib import Path

import pytest

from cli.command_line import allfives, run
from cli.files.settings import Settings, load_defaults, shown
from cli.process.errors import Stop


def test_defaults_from_the_settings_file(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('level = "hard"\nplain = true\n[host]\nplayers = 3\nname = "den"\n')
    host, join = allfives.commands["host"], allfives.commands["join"]
    assert load_defaults(path, host, allfives) == {
        "level": "hard",
        "plain": True,
        "players": 3,
        "name": "den",
    }
    assert load_defaults(path, join, allfives) == {"plain": True}
    assert load_defaults(tmp_path / "none.toml", host, allfives) == {}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("level =", "is no proper TOML: "),
        ('colour = "red"', "there is no option 'colour' to set."),
        ('levle = "hard"', "there is no option 'levle' to set. Did you mean 'level'?"),
        ('name = "Ana"', "there is no option 'name' to set."),
        ('data-dir = "/x"', "there is no option 'data-dir' to set."),
        ("[hoist]\nplayers = 3", "there is no command 'hoist'. Did you mean 'host'?"),
        ("[join]\nplayers = 3", "[join] there is no option 'players' to set."),
        (
            "[host]\nplayers = 2020-01-01",
            "[host] players must be text, a number, or true or false.",
        ),
        (
            '[host]\nrecord = ["a"]',
            "[host] record must be text, a number, or true or false.",
        ),
        ('set = "target=50"', "set must be a list of texts."),
        ("set = [5]", "set must be a list of texts."),
    ],
)
def test_settings_that_cannot_be_understood(
    tmp_path: Path, text: str, problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "config.toml").write_text(text)
    assert run(["host", "--data-dir", str(tmp_path)]) == 2
    assert problem in capsys.readouterr().err


def test_a_default_is_used_and_what_is_typed_wins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "config.toml").write_text("[rules]\nplayers = 4\n")
    home = ["--data-dir", str(tmp_path)]
    assert run(["rules", "classic", *home]) == 0
    assert "4 players" in capsys.readouterr().out
    assert run(["rules", "classic", "--players", "3", *home]) == 0
    assert "3 players" in capsys.readouterr().out
    (tmp_path / "config.toml").write_text("[rules]\nplayers = 9\n")
    assert run(["rules", "classic", *home]) == 2
    # What was not typed is told with the file in which it stands.
    config = tmp_path / "config.toml"
    assert capsys.readouterr().err == (
        "--players cannot be '9': allowed is a whole number from 2 to 4. "
        f"It stands in {config}. See `allfives rules --help`.\n"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("level = [1", "is no proper TOML: "),
        ("xyz = 1", "there is no option 'xyz' to set."),
        ("[hots]", "there is no command 'hots'. Did you mean 'host'?"),
        ("plain = 'perhaps'", "plain must be true or false."),
        ("set = 'target=5'", "set must be a list of texts."),
    ],
)
def test_a_file_that_cannot_be_understood_is_named_with_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    (tmp_path / "config.toml").write_text(text)
    assert run(["history", "--data-dir", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert str(tmp_path / "config.toml") in error
    assert said in error
    assert error.endswith(" Mend it there, or move the file away.\n")


def test_a_data_folder_that_is_a_file_is_called_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert run(["history", "--data-dir", str(file)]) == 2
    said = f"{file} is no folder. Name another data folder with --data-dir.\n"
    assert capsys.readouterr().err == said


MINE = """# mine
level = "easy"  # for the children
ascii = true

[host]
# three
players = 3
"""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Those of a person who writes remarks."""
    path = tmp_path / "config.toml"
    path.write_text(MINE)
    return Settings(path, allfives)


def test_what_a_person_wrote_beside_a_setting_stays(settings: Settings) -> None:
    assert settings.keep("level", "hard") == "hard"
    assert settings.keep("host.players", "4") == 4
    assert settings.path.read_text() == MINE.replace("easy", "hard").replace("= 3", "= 4")
    settings.forget("level")
    settings.forget("host.players")
    assert settings.path.read_text() == "# mine\nascii = true\n\n[host]\n# three\n"
    settings.forget("level")
    assert settings.kept() == {"ascii": True}


def test_a_setting_counts_where_its_option_is(settings: Settings) -> None:
    host = allfives.commands["host"]
    assert load_defaults(settings.path, host, allfives)["unicode"] is False
    settings.keep("unicode", "yes")
    assert settings.kept() == {"level": "easy", "unicode": True, "host.players": 3}
    assert load_defaults(settings.path, host, allfives)["unicode"] is True
    settings.keep("set", "spinner=none,target=50")
    assert settings.value("set") == ["spinner=none", "target=50"]
    settings.keep("join.table", "den")
    assert "table" not in load_defaults(settings.path, host, allfives)
    assert load_defaults(settings.path, allfives.commands["join"], allfives)["table"] == "den"


def test_a_file_is_begun_when_it_is_needed(tmp_path: Path) -> None:
    settings = Settings(tmp_path / "config.toml", allfives)
    settings.forget("think")
    assert not settings.path.exists()
    settings.keep("think", "2.5")
    assert settings.value("think") == 2.5
    assert settings.path.read_text().startswith("# Settings; ")


@pytest.mark.parametrize(
    ("key", "text", "refused"),
    [
        ("levle", "hard", "There is no option 'levle' to set. Did you mean 'level'?"),
        ("colour", "red", "There is no option 'colour' to set."),
        ("code", "a-b-c", "There is no option 'code' to set."),
        ("host.plyers", "3", "The command host has no option 'plyers' to set. Did you mean"),
        ("hots.players", "3", "There is no command 'hots'. Did you mean 'host'?"),
        ("level", "best", "level cannot be 'best': allowed is easy, normal, hard."),
        ("think", "nan", "think cannot be 'nan': allowed is a number of seconds above 0"),
        ("port", "99999", "port cannot be '99999': allowed is a whole number from 0 to 65535."),
        ("plain", "perhaps", "plain cannot be 'perhaps': allowed is yes or no."),
    ],
)
def test_what_cannot_be_kept(settings: Settings, key: str, text: str, refused: str) -> None:
    with pytest.raises(Stop) as caught:
        settings.keep(key, text)
    assert caught.value.code == 2
    assert caught.value.sentence.startswith(refused)
    assert settings.path.read_text() == MINE


def test_a_file_that_is_none_is_not_written_over(settings: Settings) -> None:
    settings.path.write_text("level =")
    with pytest.raises(Stop, match="is no proper TOML"):
        settings.keep("level", "hard")
    assert settings.path.read_text() == "level ="


def test_values_are_shown_as_they_are_typed() -> None:
    assert [shown(one) for one in (True, False, 2.0, 2.5, 3, "x", ["a", "b"])] == [
        *("yes", "no", "2", "2.5", "3", "x", "a,b")
    ]
