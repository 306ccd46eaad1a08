"""`allfives config`: what is set, and setting it."""

from pathlib import Path

import pytest

from cli.command_line import run


def test_settings_are_shown_and_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def said(*words: str) -> str:
        assert run(["config", *words, "--data-dir", str(tmp_path / "home")]) == 0
        return " ".join(capsys.readouterr().out.split())

    assert said("level").startswith("level normal How well")
    assert not (tmp_path / "home").exists()
    assert said("level", "hard").startswith("level hard (set) How well")
    assert said("plain", "yes").startswith("plain yes (set)")
    assert said("host.players", "3").startswith("host.players 3 (set)")
    told = said()
    for row in (
        "level hard (set)",
        "plain yes (set)",
        "host.players 3 (set)",
        "think 1 ",
        "pace 0.6 How",
        "unicode as the terminal How",
        "bind all addresses Listen",
        "port the usual one Listen",
        "proxy none Dial",
    ):
        assert row in told
    assert str(tmp_path / "home" / "config.toml") in told
    assert said("level", "--unset").startswith("level normal")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["name", "Ana"], "Your name is kept with your key: `allfives id --name NAME` changes it."),
        (["--unset"], "--unset needs the name of the setting to forget."),
        (["level", "hard", "--unset"], "--unset forgets a setting; leave the value out."),
        (["data-dir", "/x"], "There is no option 'data-dir' to set."),
    ],
)
def test_what_is_no_setting(
    tmp_path: Path, words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["config", *words, "--data-dir", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"{sentence}\n"
