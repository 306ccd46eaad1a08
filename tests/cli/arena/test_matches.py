"""The arena: reproducible on any number of cores, seats permuted, intervals, words, wrong usage."""

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from functools import partial
from itertools import permutations
from pathlib import Path
from types import MappingProxyType

import pexpect
import pytest
from support.limits import HANG_SECONDS
from support.process.tables import run_here, run_once

from cli.arena.contest import Contest
from cli.arena.matches import Played, Tally, interval, play_number, run_contest
from cli.command_line import run
from cli.process.signals import Interrupted
from engine.rules import Rules


def contest(
    *levels: str,
    matches: int = 6,
    preset: str = "online",
    options: Mapping[str, str] = MappingProxyType({}),
) -> Contest:
    return Contest(Rules.make(preset, len(levels), options), levels, matches, 91, 12)


@pytest.mark.parametrize(
    ("won", "of", "low", "high"),
    [(43, 60, 0.592, 0.815), (0, 10, 0.0, 0.278), (10, 10, 0.722, 1.0), (50, 100, 0.404, 0.596)],
)
def test_the_interval_of_wilson(won: int, of: int, low: float, high: float) -> None:
    assert list(interval(won, of)) == pytest.approx([low, high], abs=6e-4)


def test_everybody_sits_one_seat_further_each_time() -> None:
    three = contest("easy", "normal", "hard")
    assert [three.seat(number, 0) for number in range(4)] == [0, 1, 2, 0]
    for number in range(3):
        assert sorted(three.seat(number, player) for player in range(3)) == [0, 1, 2]
        kinds = [type(player).__name__ for player in three.players(number)]
        assert kinds[three.seat(number, 0)] == "EasyPlayer"
        assert kinds[three.seat(number, 2)] == "HardPlayer"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybody_sits_behind_everybody_else_as_often(players: int) -> None:
    all_play = contest(*["easy"] * players)
    rounds = {2: 2, 3: 6, 4: 24}[players]
    behind = Counter(
        (one, other)
        for number in range(rounds)
        for one in range(players)
        for other in range(players)
        if (all_play.seat(number, one) - all_play.seat(number, other)) % players == 1
    )
    assert behind == dict.fromkeys(permutations(range(players), 2), rounds // (players - 1))
    seats = Counter((p, all_play.seat(n, p)) for n in range(rounds) for p in range(players))
    assert set(seats.values()) == {rounds // players}


def test_partners_stay_partners() -> None:
    four = contest("hard", "normal", "hard", "easy", options={"partners": "yes"})
    assert four.sides == ((0, 2), (1, 3))
    for number in range(8):
        assert sorted(four.seat(number, player) for player in range(4)) == [0, 1, 2, 3]
        assert (four.seat(number, 0) - four.seat(number, 2)) % 4 == 2
    assert {(four.seat(number, 1) - four.seat(number, 0)) % 4 for number in range(8)} == {1, 3}
    assert Tally(four).names() == ["hard", "normal+easy"]


def test_the_same_on_one_core_and_on_two(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = []
    for cores in (1, 2):
        monkeypatch.setattr(os, "cpu_count", partial(int, cores))
        calls: list[int] = []
        tally = run_contest(contest("easy", "normal", matches=4), partial(calls.append, 1))
        assert len(calls) == tally.matches == 4
        rounds.append((tally.wins, tally.hands))
    assert rounds[0] == rounds[1]


def test_another_seed_gives_other_matches() -> None:
    one = contest("easy", "easy")
    other = Contest(one.rules, one.levels, one.matches, 92, one.worlds)
    assert [play_number(one, n) for n in range(6)] != [play_number(other, n) for n in range(6)]


def test_better_bots_win_more() -> None:
    two = contest("easy", "normal", matches=60)
    wins = [play_number(two, number).winner for number in range(two.matches)]
    assert wins.count(1) > 42


@pytest.mark.parametrize(
    ("levels", "preset", "options"),
    [
        (("normal", "easy", "normal"), "classic", {"target": "40"}),
        (("easy",) * 4, "pagat", {"target": "40", "partners": "yes", "claims": "yes"}),
        (("normal", "easy"), "block", {"target": "30"}),
    ],
)
def test_all_kinds_of_matches(
    levels: tuple[str, ...], preset: str, options: dict[str, str]
) -> None:
    some = contest(*levels, preset=preset, options=options)
    played = [play_number(some, number) for number in range(4)]
    assert all(0 <= one.winner < len(some.sides) and one.hands > 0 for one in played)


def test_the_json_line() -> None:
    tally = Tally(contest("hard", "normal", matches=60))
    for number in range(60):
        tally.add(Played(int(number >= 43), 7))
    found = json.loads(tally.line())
    assert list(found) == [
        "rules", "seed", "matches", "levels", "wins", "rate", "ci95", "hands", "seconds",
    ]  # fmt: skip
    assert found.pop("seconds") >= 0
    assert found == {
        "rules": "online",
        "seed": 91,
        "matches": 60,
        "levels": ["hard", "normal"],
        "wins": [43, 17],
        "rate": [0.717, 0.283],
        "ci95": [[0.592, 0.815], [0.185, 0.408]],
        "hands": 420,
    }
    assert tally.words()[0] == "hard: 43 of 60, 71.7% (95 %: 59.2% to 81.5%)"


def test_stopped_it_says_how_far_it_came(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 1)

    calls: list[None] = []

    def on_match() -> None:
        calls.append(None)
        if len(calls) == 2:
            raise Interrupted(signal.SIGINT)

    with pytest.raises(Interrupted) as stopped:
        run_contest(contest("easy", "normal"), on_match)
    assert stopped.value.code == 130
    assert stopped.value.sentence.startswith("Stopped by Ctrl-C after 2 of 6 matches (easy ")


BASE = ["arena", "--matches", "2"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["--players", "hard,best"],
            "--players cannot have 'best': a level is easy, normal, hard.",
        ),
        (["--players", "hard"], "--players names 1 of the 2, 3 or 4 players, as hard,normal."),
        (["--players", ",".join(["easy"] * 5)], "--players names 5 of the 2, 3 or 4 players"),
        (["--players", "easy,easy", "--rules", "foo"], "There are no rules 'foo': allowed is"),
        (["--players", "easy,easy", "--set", "arms=3"], "Arms cannot be '3': allowed is"),
        (["--players", "easy,easy", "--target", "0"], "Target cannot be '0': allowed is"),
        (
            ["--players", "easy,easy,easy", "--partners"],
            "Two against two (partners) is for 4 players, and not for 3",
        ),
        (["--players", "easy,easy", "--record", "out"], "--record goes with --secure"),
        (["--players", "easy,easy", "--worlds", "0"], "--worlds cannot be '0': allowed is"),
        (["--players", "easy,easy", "--seed", "-1"], "--seed cannot be '-1': allowed is"),
        (["--players", "easy,easy", "--secure", "--record", "{file}/x"], "The records cannot be"),
    ],
)
def test_wrong_usage_is_said_in_a_sentence(
    arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.write_text("")
    filled = [one.replace("{file}", str(file)) for one in arguments]
    assert run([*BASE, *filled, "--data-dir", str(tmp_path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(said)
    assert err.count("\n") == 1


def test_as_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flags = ["--players", "easy,normal", "--matches", "4", "--seed", "7", "--target", "50"]
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    ran = [one("arena", *flags, "--json", home=tmp_path) for one in (run_once, run_here)]
    found = [json.loads(one.stdout) for one in ran]
    for one in found:
        one.pop("seconds")
    assert found[0] == found[1]
    assert found[0]["matches"] == 4
    assert [one.stderr for one in ran] == ["", ""]


def test_two_levels_are_two_sides_of_partners(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    flags = ["--players", "easy,normal", "--partners", "--target", "30", "--json"]
    assert run([*BASE, *flags, "--data-dir", str(tmp_path)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["levels"] == ["easy", "normal"]
    assert sum(found["wins"]) == 2


def test_ctrl_c_ends_it_with_a_line(tmp_path: Path) -> None:
    flags = ["--players", "hard,hard", "--matches", "100000", "--data-dir", str(tmp_path)]
    with subprocess.Popen(
        [sys.executable, "-m", "cli", "arena", *flags],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        while len(children.read_text().split()) < min(2, os.cpu_count() or 1):
            assert process.poll() is None
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=HANG_SECONDS)
    assert process.returncode == 130
    assert out == ""
    assert err.startswith("Stopped by Ctrl-C")
    assert err.count("\n") == 1


def test_a_terminal_sees_how_far_it_is(tmp_path: Path) -> None:
    flags = ["--players", "easy,easy", "--matches", "3", "--target", "20", "--grace", "5"]
    shown = pexpect.spawn(
        sys.executable,
        ["-m", "cli", "arena", *flags, "--data-dir", str(tmp_path)],
        timeout=HANG_SECONDS,
    )
    shown.expect("Matches")
    shown.expect("100%")
    shown.expect("easy: [0-3] of 3")
    shown.expect(pexpect.EOF)
    shown.close()
    assert shown.exitstatus == 0
