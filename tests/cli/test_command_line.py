"""What is typed wrongly: exit code 2, whole sentences, no traceback; help without weight."""

import errno
import os
import re
import shlex
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete
from support.places import ROOT

from cli import command_line
from cli.command_line import run
from cli.commands.host import host
from cli.commands.options import PACE, SeatChoice
from cli.commands.play import play
from cli.process.errors import Stop
from cli.table.host import NewTable
from p2p.net.errors import BadCode
from p2p.session.state.table import MOST_GRACE, USUAL_GRACE


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ALLFIVES_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


WRONG = [
    (
        ["host", "--players", "7"],
        "--players cannot be '7': allowed is a whole number from 2 to 4. "
        "See `allfives host --help`.",
    ),
    (
        ["host", "--port", "1e5"],
        "--port cannot be '1e5': allowed is a whole number from 0 to 65535. "
        "See `allfives host --help`.",
    ),
    (
        ["arena", "--players", "easy,easy", "--matches", "1", "--seed", "x"],
        "--seed cannot be 'x': allowed is a whole number from 0 on. See `allfives arena --help`.",
    ),
    (
        ["play", "--claim-seconds", "30"],
        "--claim-seconds cannot be '30': allowed is a number of seconds above 0 to 20. "
        "See `allfives play --help`.",
    ),
    (
        ["play", "--pace", "nan"],
        "--pace cannot be 'nan': allowed is a number of seconds from 0 to 60. "
        "See `allfives play --help`.",
    ),
    (
        ["learn", "7"],
        "[SCENE] cannot be '7': allowed is a whole number from 1 to 5. "
        "See `allfives learn --help`.",
    ),
    (
        ["play", "at", "once"],
        "There is too much on this line: at once. See `allfives play --help`.",
    ),
    (
        ["hosst"],
        "No such command 'hosst'. Did you mean 'host'? See `allfives --help`.",
    ),
    (
        ["play", "--clock", "9"],
        "No such option '--clock'. Did you mean '--turn-seconds'? See `allfives play --help`.",
    ),
    (["join", "--clock", "9"], "No such option '--clock'. See `allfives join --help`."),
    (["verify"], "No match has been played here yet. Name the file of a record."),
    (["verify", ""], "No file is named: the name of a record is empty."),
    (["replay", ""], "No file is named: the name of a record is empty."),
    (
        ["arena", "--players", "easy,easy", "--matches", "1", "--record", __file__],
        f"--record: Directory {__file__!r} is a file. See `allfives arena --help`.",
    ),
    (["arena", "--matches", "1"], "Missing option '--players'. See `allfives arena --help`."),
    (["--plain", "play"], "--plain goes behind the command. See `allfives --help`."),
    (["verify", "-", "-"], "Standard input (`-`) can be read only once; name it once."),
    (
        ["verify", "a", "b", "--evidence", "c"],
        "--evidence is for one record; check that one alone.",
    ),
    (
        ["play", "--target", "0"],
        "Target cannot be '0': allowed is a number from 1 to 1000000, or two as 250/200 (for 2, "
        "and for 3 or 4 players).",
    ),
    (
        ["play", "--bots", "1", "--partners"],
        "Two against two (partners) is for 4 players, and not for 2. Say --bots 3.",
    ),
    (
        ["play", "--set", "target"],
        "--set takes an option and its value, as spinner=none, and not 'target'. "
        "`allfives rules` lists the options.",
    ),
    (
        ["play", "--target", "100", "--set", "target=50"],
        "The option 'target' is set twice; set it once.",
    ),
    (
        ["play", "--json"],
        "--json goes with --auto: it shows what a bot sees. Leave it out to play.",
    ),
    (
        ["play", "--auto", "superb"],
        "--auto cannot be 'superb': allowed is easy, normal, hard. See `allfives play --help`.",
    ),
    (
        ["play", "--level", "nomral"],
        "--level cannot be 'nomral': did you mean 'normal'? Allowed is easy, normal, hard. "
        "See `allfives play --help`.",
    ),
    (["host", "--bots", "2"], "Of 2 players one is you, so at most 1 can be bots."),
    (
        ["host", "--open", "--code", "a-b-c"],
        "An --open table has no code; leave one of the two out.",
    ),
    (
        ["host", "--code", "!!"],
        str(BadCode()),
    ),
    (
        ["host", "--name", "a\x1b[2J", "--auto", "normal"],
        "'a\\x1b[2J' cannot be the table's name: a name has only printable characters, and no "
        "space at its ends.",
    ),
    # Before it is said what the others would call somebody.
    (
        ["host", "--plain", "--name", ""],
        "'' cannot be the table's name: a name has 1 to 24 characters.",
    ),
    (
        ["join", "allfives:abc", "code"],
        "This invite is damaged. Copy the whole line and try again.",
    ),
    (
        ["join", "127.0.0.1:99999", "code", "--auto", "easy"],
        "'127.0.0.1:99999' is no address. Give a name or an IP address, and :PORT if need be.",
    ),
    (
        ["rules", "bridge"],
        "There are no rules 'bridge': allowed is classic, online, pagat, muggins, five-up, sniff, "
        "draw, block.",
    ),
    (
        ["id", "--name", " Ana"],
        "' Ana' cannot be your name: a name has only printable characters, and no space at its "
        "ends.",
    ),
    (
        ["id", "--name", "Jürgen\u202e"],
        "'Jürgen\\u202e' cannot be your name: a name has only printable characters, and no space "
        "at its ends.",
    ),
    (
        ["id", "--name", "a" * 50],
        f"'{'a' * 40}...' cannot be your name: a name has 1 to 24 characters.",
    ),
    (["replay", "x", "--json", "--text"], "--json and --text cannot both be had; leave one out."),
    (
        ["replay", "x", "--json", "--html", "y"],
        "--json and --html cannot both be had; leave one out.",
    ),
    (
        ["replay", "x", "--text", "--advice"],
        "--text tells the moves alone, so it has no --advice; leave one out.",
    ),
    (
        ["play", "--claim-seconds", "nan"],
        "--claim-seconds cannot be 'nan': allowed is a number of seconds above 0 to 20. "
        "See `allfives play --help`.",
    ),
    (
        ["tables", "--wait", "NaN"],
        "--wait cannot be 'NaN': allowed is a number of seconds above 0 to 60. "
        "See `allfives tables --help`.",
    ),
    (["replay", "/nowhere/x"], "/nowhere/x cannot be read: No such file or directory."),
]


@pytest.mark.parametrize(("arguments", "sentence"), WRONG, ids=[" ".join(w[0][:3]) for w in WRONG])
def test_wrong_usage(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    said = capsys.readouterr()
    assert said.err == f"{sentence}\n"
    assert said.out == ""


COMMANDS = ["host", "join", "play", "verify", "replay", "id", "rules", "tables"]


@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS), ["id", "export"]])
def test_help_and_version_everywhere(
    command: list[str], capsys: pytest.CaptureFixture[str], own_home: Path
) -> None:
    assert run([*command, "--help"]) == 0
    text = capsys.readouterr().out
    assert text.startswith(" ".join(["Usage: allfives", *command]))
    assert "--data-dir DIR" in text
    assert run([*command, "--version"]) == 0
    assert capsys.readouterr().out == "allfives 0.2.0\n"
    assert not own_home.exists()


@pytest.mark.parametrize(
    ("typed", "begun", "offered"),
    [
        ([], "rep", [("plain", "replay")]),
        (["rules"], "s", [("plain", "sniff")]),
        (["play", "--rules"], "d", [("plain", "draw")]),
        (["host", "--level"], "h", [("plain", "hard")]),
        (["join"], "Guit", [("plain", "guitar")]),
        (["join", "guitar"], "orb", [("plain", "orbit")]),
        (["watch"], "guitar-orb", [("plain", "guitar-orbit")]),
        (["join"], "", []),
        (["verify"], "m", [("file", "m")]),
        (["replay"], "m", [("file", "m")]),
    ],
)
def test_the_shell_completes(typed: list[str], begun: str, offered: list[tuple[str, str]]) -> None:
    shell = ShellComplete(command_line.allfives, {}, "allfives", "_ALLFIVES_COMPLETE")
    there = shell.get_completions(typed, begun)
    assert [(one.type, one.value) for one in there] == offered


def test_the_flags_of_the_design_are_there(capsys: pytest.CaptureFixture[str]) -> None:
    flags = {
        "host": "--players --bots --level --name --bind --port --code --open --no-lan --rules "
        "--target --hand-size --partners --turn-seconds --set --claim-seconds --auto --think "
        "--record --json --plain --unicode --ascii --pace --no-mouse --bell --notice --advertise "
        "--no-watch --grace --theme --tiles",
        "play": "--bots --level --rules --target --hand-size --partners --turn-seconds --set "
        "--claim-seconds --auto --think --record --json --plain --unicode --ascii --pace",
        "join": "--table --bind --port --auto --think --record --json --plain --unicode --ascii "
        "--pace --no-mouse --proxy --claim-seconds --theme --tiles",
        "resume": "--bind --port --proxy --claim-seconds --auto --think --record --json --plain "
        "--unicode --ascii --pace --no-mouse",
        "watch": "--table --bind --port --proxy --record --json --plain --unicode --ascii --theme "
        "--tiles --no-mouse",
        "learn": "--plain --unicode --ascii --theme --tiles --no-mouse",
        "arena": "--players --matches --seed --worlds --secure --record --json --rules --target "
        "--hand-size --partners --turn-seconds --set --grace --claim-seconds",
        "history": "--json",
        "fair": "--json",
        "verify": "--json --jobs --evidence",
        "replay": "--json --text --html --advice --plain --pace --unicode --ascii --theme --tiles "
        "--no-mouse",
        "tables": "--wait --json",
        "id": "--name --json",
    }
    for command, expected in flags.items():
        run([command, "--help"])
        text = capsys.readouterr().out
        assert [flag for flag in expected.split() if flag not in text] == []


def test_bots_wait_for_people_and_for_nobody_else() -> None:
    assert SeatChoice().paced == PACE == 0.6
    assert SeatChoice(auto="easy").paced == 0
    assert (SeatChoice(pace=0.0).paced, SeatChoice(auto="easy", pace=2.0).paced) == (0, 2)


def test_help_imports_nothing_heavy() -> None:
    program = (
        "import sys\n"
        "from cli.command_line import run\n"
        "for command in (['--help'], ['host', '--help'], ['verify', '--help']):\n"
        "    assert run(command) == 0\n"
        "heavy = {'trio', 'prompt_toolkit', 'cryptography', 'p2p', 'engine.tiles', 'sqlite3'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ended.stderr == "[]\n"


def test_a_mistake_of_ours_is_one_sentence_without_its_text(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object, **__: object) -> int:
        raise RuntimeError("the secret is 1234")

    monkeypatch.setattr(command_line.allfives, "main", broken)
    assert run([]) == 1
    said = capsys.readouterr().err
    assert said.startswith(
        "Something in allfives itself is wrong (RuntimeError in test_command_line.py, line "
    )
    assert said.endswith("). Please report it with what you did.\n")
    assert "1234" not in said


def test_a_stop_gives_its_sentence_and_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(*_: object, **__: object) -> int:
        raise Stop("Nobody is there.", 1)

    monkeypatch.setattr(command_line.allfives, "main", stopped)
    assert run([]) == 1
    assert capsys.readouterr().err == "Nobody is there.\n"


def test_a_reader_that_goes_away_is_no_traceback(tmp_path: Path) -> None:
    script = f"{sys.executable} -m cli rules | true; echo ${{PIPESTATUS[0]}}"
    ended = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert ended.stdout in ("0\n", "1\n")
    assert ended.stderr == ""


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("command", [["rules"], []])
def test_streams_that_were_closed_before_the_start(closed: str, command: list[str]) -> None:
    script = " ".join([sys.executable, "-m", "cli", *command, closed])
    ended = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_what_the_system_refuses_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(*_: object, **__: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/a/path")

    monkeypatch.setattr(command_line.allfives, "main", refused)
    assert run([]) == 1
    sentence = "The system refused to go on: No space left on device.\n"
    assert capsys.readouterr().err == sentence


def test_rules_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules"]) == 0
    listed = capsys.readouterr().out
    assert all(f"  {name} " in listed for name in ("classic", "online", "hand-size", "target"))
    assert run(["rules", "classic", "--players", "3"]) == 0
    said = capsys.readouterr().out
    assert "With 3 players each takes 7 tiles; the rest is the boneyard. [hand-size=9/7/5]" in said
    assert "The match is to 200 points. [target=200]" in said


def test_rules_by_the_names_that_people_know(capsys: pytest.CaptureFixture[str]) -> None:
    for words, name in ((["Five", "Up"], "five-up"), (["fives"], "classic"), (["DRAW"], "draw")):
        assert run(["rules", *words]) == 0
        assert capsys.readouterr().out.startswith(f"{name}: ")
    assert run(["rules", "clasic"]) == 2
    assert "did you mean 'classic'? Allowed is" in capsys.readouterr().err


def test_the_help_names_every_command_in_whole_sentences(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert run(["--help"]) == 0
    told = capsys.readouterr().out.partition("Commands:")[2]
    assert [name for name in command_line.allfives.commands if f"\n  {name} " not in told] == []
    assert "..." not in told


README = (ROOT / "README.md").read_text("utf-8")
# Blocks of code, and what stands in a sentence.
TYPED = sorted(
    {*re.findall("(?m)^    (allfives.*)$", README), *re.findall("`(allfives .*?)`", README)}
)


@pytest.mark.parametrize("line", TYPED)
def test_what_the_readme_has_people_type_is_understood(line: str) -> None:
    """Each is read, and nothing run."""
    command: click.Command = command_line.allfives
    above, words = click.Context(command), shlex.split(line)[1:]
    while isinstance(command, click.Group) and words and words[0] in command.commands:
        command = command.commands[words.pop(0)]
    with suppress(click.exceptions.Exit):  # --help and --version
        command.make_context(None, words, above)


@pytest.mark.parametrize(
    ("begun", "found"),
    [
        ("sp", ["spinner="]),
        ("spinner=", ["spinner=first", "spinner=none", "spinner=every"]),
        ("spinner=e", ["spinner=every"]),
        ("partners=", ["partners=no"]),
        ("nothing=", []),
    ],
)
def test_options_of_the_rules_are_completed(begun: str, found: list[str]) -> None:
    play = command_line.allfives.commands["play"]
    setting = next(param for param in play.params if param.name == "settings")
    completed = setting.shell_complete(click.Context(play), begun)
    assert [one.value for one in completed][: len(found) or 1] == found


def test_rules_in_words_as_changed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "pagat", "--target", "150", "--set", "spinner=none"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("pagat: ")
    assert "The match is to 150 points. [target=150]" in said
    assert "There is no spinner: the line has two ends, L and R. [spinner=none]" in said
    assert run(["rules", "--players", "4", "--partners"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("classic: ")
    assert "[partners=yes]" in said
    assert run(["rules", "--set", "claims=yes", "--turn-seconds", "20"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert (
        "An opponent's claim has a clock of its own, which each player sets: claim-seconds." in said
    )
    assert "who has none draws, or passes where nothing is left to draw. [turn-seconds=20]" in said
    assert run(["rules", "--set", "spiner=none"]) == 2
    assert capsys.readouterr().err.startswith("There is no option 'spiner': did you mean ")


@pytest.mark.parametrize(
    ("typed", "flag"),
    [
        ("play --bots 2", "--bots 3"),
        ("host --players 2", "--players 4"),
        ("rules --players 3", "--players 4"),
        ("arena --players easy,easy,easy --matches 1", "--players normal,normal,normal,normal"),
    ],
)
def test_partners_name_the_flag_that_makes_four(
    typed: str, flag: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*typed.split(), "--partners"]) == 2
    refusal = capsys.readouterr().err
    assert refusal.startswith("Two against two (partners) is for 4 players, and not for ")
    assert refusal.endswith(f". Say {flag}.\n")


@pytest.mark.parametrize("partners", ["--partners", "--set partners=yes"])
@pytest.mark.parametrize(("command", "bots"), [("play", 3), ("host", 0), ("rules", None)])
def test_partners_alone_make_a_table_of_four(
    command: str,
    bots: int | None,
    partners: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    opened: list[NewTable] = []

    def visit(visitor: object, offer: NewTable) -> int:
        opened.append(offer)
        return 0

    monkeypatch.setattr("cli.table.host.host_visit", visit)
    assert run(["--data-dir", str(tmp_path / "home"), command, *partners.split()]) == 0
    said = capsys.readouterr().out
    if bots is None:
        assert "4 players" in said
    else:
        assert [(one.rules.players, one.bots.count) for one in opened] == [(4, bots)]
        assert "`allfives id --name NAME` changes that" in " ".join(said.split())


@pytest.mark.parametrize("command", ["replay --html", "history delete --yes=no", "play --bots"])
def test_a_usage_error_names_the_help_of_its_command(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(command.split()) == 2
    path = command.partition(" --")[0]
    assert capsys.readouterr().err.endswith(f"See `allfives {path} --help`.\n")


@pytest.mark.parametrize("command", [host, play], ids=["host", "play"])
def test_the_grace_is_that_of_the_table(command: click.Command) -> None:
    """Said again there: a table's module takes long to import."""
    (grace,) = [one for one in command.params if one.name == "grace"]
    assert isinstance(grace.type, click.IntRange)
    assert (grace.default, grace.type.max) == (USUAL_GRACE, MOST_GRACE)


def test_plain_may_stand_behind_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["id"], ["history"], ["history", "export"], ["rules", "draw"], ["config"]):
        run([*command, "--plain"])
        assert "No such option" not in capsys.readouterr().err
    assert run(["id", "--plain"]) == 0
