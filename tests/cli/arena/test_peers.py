"""Matches of the arena between real peers: records that verify, seats as the contest says."""

from pathlib import Path

import pytest

from cli.arena.contest import Contest
from cli.arena.matches import play_number
from cli.arena.peers import play_peers
from cli.command_line import run
from engine.rules import Rules
from p2p.session.record import decode
from p2p.session.state.table import Table
from p2p.session.verify import verify_record


@pytest.mark.parametrize(
    ("levels", "options"),
    [
        (("normal", "easy"), {}),
        (("normal", "easy", "easy"), {"claims": "yes"}),
        (("easy", "normal") * 2, {"partners": "yes"}),
    ],
)
def test_the_records_verify(
    levels: tuple[str, ...], options: dict[str, str], tmp_path: Path
) -> None:
    rules = Rules.make("online", len(levels), {"hand-size": "3", "target": "5", **options})
    contest = Contest(rules, levels, 2, 1, 6, True, tmp_path)
    for number in range(2 if len(levels) == 2 else 1):
        played = play_number(contest, number)
        data = (tmp_path / f"000{number + 1}.fives").read_bytes()
        report = verify_record(data)
        assert report.ok
        assert report.hands == played.hands
        table = Table.decode(decode(data).description)
        for player, level in enumerate(levels):
            assert table.people[contest.seat(number, player)].name == f"{level} {player + 1}"
        best = max(range(len(levels)), key=lambda seat: report.scores[seat])
        winners = {contest.seat(number, player) for player in contest.sides[played.winner]}
        assert best in winners


def test_without_a_folder_there_is_no_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rules = Rules.make("block", 2, {"hand-size": "2", "target": "5"})
    match = play_peers(Contest(rules, ("easy", "easy"), 1, 1, 1, True), 0)
    assert match.result is not None
    assert list(tmp_path.iterdir()) == []


def test_as_a_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "new" / "records"
    flags = ["--rules", "block", "--hand-size", "2", "--target", "5", "--secure"]
    players = ["--players", "easy,normal", "--matches", "1", "--record", str(folder)]
    assert run(["arena", *players, *flags, "--data-dir", str(tmp_path)]) == 0
    assert "of 1" in capsys.readouterr().out
    records = [str(path) for path in folder.iterdir()]
    assert len(records) == 1
    assert run(["verify", *records, "--data-dir", str(tmp_path)]) == 0
    assert run(["arena", *players, *flags, "--data-dir", str(tmp_path)]) == 2
    assert "holds records already, which are not written over." in capsys.readouterr().err
