"""`verify` and `replay` on files: good, cut, altered, foreign; words, JSON, several, evidence."""

import json
import os
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from support.places import TESTS
from support.session.cheats import CheatingSession, play_against
from support.session.tables import Game, rules_for

from cli.command_line import run
from cli.commands import checking
from cli.telling.report import Compared, comparison_words, report_line, report_words
from p2p.records.comparing import Comparison, Parting
from p2p.session import record
from p2p.session.state.events import SeatOut
from p2p.session.verify import verify_record
from p2p.wire.envelope import open_envelope, seal

VECTORS = TESTS / "vectors"


@cache
def whole_record() -> bytes:
    """A short match of two, played in memory."""
    return Game.make(rules_for(2, target="20"), "cli").play().sessions[0].record()


@cache
def names_and_scores() -> str:
    report = verify_record(whole_record())
    pairs = zip(report.names, report.scores, strict=True)
    return ", ".join(f"{name} {score}" for name, score in pairs)


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "a.fives"
    path.write_bytes(whole_record())
    return str(path)


def cut(tmp_path: Path, dropped: int) -> str:
    """The record without its last messages."""
    parts = record.decode(whole_record())
    kept = [record.MESSAGE_MARK + one for one in parts.messages[:-dropped]]
    path = tmp_path / "cut.fives"
    path.write_bytes(record.pack([parts.description, *kept]))
    return str(path)


def unfinished(tmp_path: Path) -> str:
    """The record of a match that was broken off."""
    game = Game.make(rules_for(2, target="20"), "cli").play(moves=1)
    path = tmp_path / "unfinished.fives"
    path.write_bytes(game.sessions[0].record())
    return str(path)


def altered(tmp_path: Path) -> str:
    data = bytearray(whole_record())
    data[len(data) // 2] ^= 1
    path = tmp_path / "altered.fives"
    path.write_bytes(bytes(data))
    return str(path)


def test_a_good_record(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", file]) == 0
    said = capsys.readouterr()
    assert said.out.startswith(
        "The match is decided, without fault, and its result signed by all. Checked: "
    )
    assert said.out.endswith(f"Scores: {names_and_scores()}.\n")
    assert said.err == ""


def test_the_json_object_has_the_keys_of_the_design_in_their_order(
    file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["verify", "--json", file]) == 0
    report = json.loads(capsys.readouterr().out)
    keys = "ok decided closed unsigned table hands messages proofs fault absent winners scores"
    assert list(report) == keys.split()
    assert list(report["proofs"]) == ["shuffle", "share", "unplayable", "key"]
    assert report["ok"] is report["decided"] is report["closed"] is True
    assert report["unsigned"] == report["absent"] == []
    assert len(report["winners"]) == 1
    assert report["table"] == verify_record(whole_record()).table.hex()
    assert report["messages"] == len(record.decode(whole_record()).messages)


def test_a_decided_match_that_not_all_have_signed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = cut(tmp_path, 1)
    assert run(["verify", path]) == 3
    assert run(["verify", path, path]) == 3
    assert run(["verify", path, altered(tmp_path)]) == 1
    capsys.readouterr()
    assert run(["verify", path]) == 3
    report = verify_record(Path(path).read_bytes())
    (seat,) = report.unsigned
    assert capsys.readouterr().out.startswith(
        "The match is decided and without fault; not signed at the end by "
        f"{report.names[seat]}. Checked: "
    )


def test_a_decided_match_whose_last_keys_are_not_open(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = cut(tmp_path, 2 * len(verify_record(whole_record()).names))
    assert run(["verify", path]) == 3
    assert "The keys of the last hand are not open, so not all is checked." in (
        capsys.readouterr().out
    )


def out(seat: int, reason: str, hand: int = 2) -> SeatOut:
    return SeatOut(hand, seat, reason, (0,))


@pytest.mark.parametrize(
    ("one", "words"),
    [
        (out(1, "left"), "left in hand 2, by its own word."),
        (out(1, "fault"), "broke the protocol in hand 2 and was put out for it, with proof."),
        (out(1, "absent", 0), "was away before hand 1 as {0} say, which nothing proves."),
        (out(1, "idle"), "was waited for too long in hand 2 as {0} say, which nothing proves."),
    ],
)
def test_who_was_put_out_is_told_with_what_proves_it(one: SeatOut, words: str) -> None:
    report = replace(verify_record(whole_record()), absent=(one,))
    told = f"{report.names[1]} {words.format(report.names[0])}"
    assert told in report_words(report)
    # Nobody is said to have been out where nobody was.
    assert "as far as they were in" in report_words(report)
    assert "its result signed by all who stayed." in report_words(report)
    assert "as far as" not in report_words(replace(report, absent=()))
    (line,) = json.loads(report_line(report))["absent"]
    assert line == {
        "seat": 1,
        "name": report.names[1],
        "hand": one.hand,
        "reason": one.reason,
        "by": [0],
    }


def test_an_undecided_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", unfinished(tmp_path)]) == 1
    assert capsys.readouterr().out.startswith(
        "The record is in order as far as it goes, but the match is not decided in it. Checked: "
    )


def test_an_altered_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = altered(tmp_path)
    assert run(["verify", path]) == 1
    assert capsys.readouterr().out.startswith(
        "The record is faulty, and nobody can be named: "
        "the file was changed or damaged after it was written. Checked: "
    )
    assert run(["verify", "--json", path]) == 1
    said = capsys.readouterr()
    assert json.loads(said.out)["ok"] is False
    assert said.err == f"{path}: the file was changed or damaged after it was written.\n"


def test_what_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    foreign = tmp_path / "foreign"
    foreign.write_bytes(b"GIF89a")
    for path, reason in [
        (foreign, "The file is no record of an allfives match."),
        (tmp_path / "none", "The file cannot be read: No such file or directory."),
        (tmp_path, "The file cannot be read: Is a directory."),
    ]:
        for flags in ([], ["--json"]):
            assert run(["verify", str(path), *flags]) == 2
            said = capsys.readouterr()
            assert said.err == f"{path}: {reason}\n"
            assert said.out == ""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_several_records_in_order_and_the_worst_code(
    tmp_path: Path, file: str, jobs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    undecided = unfinished(tmp_path)
    assert run(["verify", "--jobs", jobs, file, undecided, file]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[::2] == [file, undecided, file]
    if jobs == "1":
        assert run(["verify", file, str(tmp_path), undecided]) == 2
        assert run(["verify", file, file]) == 0


@pytest.fixture
def fresh_input() -> Iterator[None]:
    """Standard input is read once a program, and here anew."""
    checking._input.cache_clear()
    yield
    checking._input().close()
    checking._input.cache_clear()


@pytest.mark.usefixtures("fresh_input")
def test_standard_input(
    file: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Path(file).open() as given:
        monkeypatch.setattr("sys.stdin", given)
        assert run(["verify", file, "-"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[::2] == [file, "standard input"]


def test_one_record_by_two_processes(
    tmp_path: Path, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, code in ((file, 0), (altered(tmp_path), 1)):
        assert run(["verify", "--json", name]) == code
        alone = capsys.readouterr().out
        assert run(["verify", "--json", "--jobs", "2", name]) == code
        assert capsys.readouterr().out == alone


def test_what_only_one_can_read_is_not_shared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(whole_record(),))
    writer.start()
    assert run(["verify", "--jobs", "2", str(pipe)]) == 0
    writer.join()
    assert capsys.readouterr().out.startswith("The match is decided, without fault")


def test_a_helper_that_dies_leaves_all_to_this_process(
    file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    dead = Future[bool]()
    dead.set_exception(BrokenProcessPool("gone"))
    monkeypatch.setattr(ProcessPoolExecutor, "submit", lambda *_: dead)
    checked = checking.check_together(file, 2)
    assert checked == checking.check(file)


def short_opening(
    _: CheatingSession, kind: str, body: list[object]
) -> tuple[str, list[object]] | None:
    """Leaves out a part of what opens the keys of a hand."""
    return (kind, body[:-1]) if kind == "open" else None


@pytest.mark.usefixtures("fresh_input")
def test_a_stream_without_end_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(record, "MAX_RECORD_BYTES", 10_000)
    long = tmp_path / "long"
    long.write_bytes(record.MAGIC + bytes(20_000))
    with long.open() as endless:
        monkeypatch.setattr("sys.stdin", endless)
        assert run(["verify", "-", str(long), "/dev/zero"]) == 2
    assert capsys.readouterr().err == (
        "standard input: The file is too long for a record.\n"
        f"{long}: The file is too long for a record.\n"
        "/dev/zero: The file is no record of an allfives match.\n"
    )


def faulty_record(game: Game) -> bytes:
    return next(session.record() for session in game.sessions if session.fault)


def test_a_fault_is_told_and_its_evidence_stands_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = play_against(short_opening, 2, rules_for(2, target="20"))
    path, evidence = tmp_path / "f.fives", tmp_path / "evidence"
    path.write_bytes(faulty_record(game))
    assert run(["verify", str(path), "--evidence", str(evidence)]) == 1
    fault = verify_record(path.read_bytes()).fault
    assert fault is not None
    whole = capsys.readouterr()
    said = whole.out
    assert whole.err == (
        f"{evidence} proves by itself that {fault.name} (seat {fault.seat + 1}) broke the "
        f"protocol: {fault.what}. Anybody can check it: allfives verify {evidence}\n"
    )
    assert said.startswith(
        f"{fault.name} (seat {fault.seat + 1}) broke the protocol in hand {fault.hand}, message "
        f"{fault.message}: {fault.what}. Checked: "
    )
    capsys.readouterr()
    assert run(["verify", str(path), "--evidence", str(path)]) == 2
    assert capsys.readouterr().err.endswith(f"{path} is there already; name a new file.\n")
    assert run(["verify", "--json", str(evidence)]) == 1
    found = json.loads(capsys.readouterr().out)["fault"]
    assert list(found) == ["seat", "name", "hand", "message", "what"]
    assert found["seat"] == fault.seat
    assert found["what"] == fault.what


def test_no_evidence_without_a_fault(
    tmp_path: Path, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["verify", file, "--evidence", str(tmp_path / "e")]) == 0
    assert capsys.readouterr().err == "No seat is at fault, so no evidence is written.\n"
    assert not (tmp_path / "e").exists()


def test_two_records_of_one_table_are_compared(
    tmp_path: Path, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    short = cut(tmp_path, 1)
    assert run(["verify", file, short]) == 3
    assert capsys.readouterr().out.endswith(
        f". {file} and {short} are records of one match and agree, as far as both go.\n"
    )
    game = Game.make(rules_for(2, target="20"), "cli").play(moves=1)
    own = next(one for one in game.sessions[0].referee.ladders[0].steps[2].values())
    key = game.sessions[own.seat]._identity
    parts = record.decode(game.sessions[0].record())
    at = parts.messages.index(own.data)
    assert open_envelope(parts.messages[at]).ladder == 0
    before = parts.messages[:at]
    other = seal(key, own.table, own.place, own.previous, own.kind, [])
    path = tmp_path / "two.fives"
    path.write_bytes(
        record.pack([parts.description, *(record.MESSAGE_MARK + one for one in [*before, other])])
    )
    assert run(["verify", "--json", file, str(path)]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert "compared" not in lines[0]
    assert lines[1]["compared"] == {
        "same": False,
        "first": {"ladder": 0, "step": own.step},
        "both_signed": [own.seat],
        "stands": None,
    }
    assert run(["verify", file, str(path)]) == 1
    assert capsys.readouterr().out.endswith(
        f". {file} and {path} part at step {own.step} of the match. "
        f"{game.sessions[0].table.players[own.seat].name} signed both ways. "
        "Neither stands before the other.\n"
    )


def test_a_comparison_says_which_stands() -> None:
    parted = Compared(Comparison(Parting(3, 2), (), 1), "a", "b")
    assert comparison_words(parted, ["Ana", "Ben"]) == (
        "a and b part at step 2 of preparing deal 3. Nobody signed both ways. "
        "b stands: all who voted in the other went on in it."
    )
    line = report_line(verify_record(whole_record()), parted)
    assert json.loads(line)["compared"]["stands"] == "b"


def test_a_replay_in_words_json_and_notation(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay", file]) == 0
    words = capsys.readouterr().out.splitlines()
    assert words[0].startswith("The match begins: ")
    # They are told once, at the end of the last hand.
    assert words[-2] == f"Scores: {names_and_scores()}."
    assert words[-1].endswith(" the match.")
    assert run(["replay", "--json", file]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert events[0]["event"] == "match"
    assert events[-1]["event"] == "match_end"
    assert all(None not in one["hands"] for one in events if one["event"] == "hand")
    assert run(["replay", "--text", file]) == 0
    assert capsys.readouterr().out.startswith("match ")


def test_who_waits_for_a_replay_is_told_so(
    file: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert run(["replay", file, "--text"]) == 0
    assert capsys.readouterr().err == "Checking the match ...\n"


def test_a_replay_of_an_altered_record_says_where_to_look(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = altered(tmp_path)
    for how in ([], ["--json"], ["--text"]):
        assert run(["replay", *how, name]) == 1
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err == (
            f"Nothing of {name} can be told; `allfives verify` says what is wrong.\n"
        )


def test_a_replay_of_no_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    foreign = tmp_path / "foreign"
    foreign.write_bytes(b"GIF89a")
    assert run(["replay", str(foreign)]) == 2
    assert capsys.readouterr().err == (f"{foreign}: The file is no record of an allfives match.\n")


def test_a_text_is_replayed_as_its_record_and_said_to_prove_nothing(
    tmp_path: Path, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = tmp_path / "a.txt"
    assert run(["replay", "--text", file]) == 0
    written = capsys.readouterr().out
    text.write_text(written)
    for how in (["--json"], ["--plain"]):
        assert run(["replay", *how, file]) == 0
        told = capsys.readouterr()
        assert told.err == ""
        assert run(["replay", *how, str(text)]) == 0
        again = capsys.readouterr()
        # No text tells who shuffled.
        lines = [line for line in told.out.splitlines() if " shuffles the tiles" not in line]
        assert again.out.splitlines() == lines
        assert again.err == (
            "This is the text of a match, held to the rules alone: it proves nothing about who "
            "played it.\n"
        )
    assert run(["replay", "--text", str(text)]) == 0
    assert capsys.readouterr().out == written
    lines = written.splitlines()
    wrong = next(at for at, line in enumerate(lines) if line.startswith("points "))
    text.write_text("\n".join([*lines[:wrong], f"{lines[wrong]}9", *lines[wrong + 1 :]]))
    assert run(["replay", str(text)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"{text}: The text cannot be followed: line {wrong + 1}: 'points ")


def test_a_text_or_a_record_may_come_on_standard_input(
    file: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    text = tmp_path / "a.txt"
    assert run(["replay", "--text", file]) == 0
    text.write_text(f"\n\n{capsys.readouterr().out}")
    told = []
    for path in (file, str(text)):
        with Path(path).open() as given:
            monkeypatch.setattr("sys.stdin", given)
            assert run(["replay", "--json", "-"]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]
    assert run(["replay", "/dev/zero"]) == 2
    assert capsys.readouterr().err.startswith("/dev/zero: The file is no record")


def test_a_text_that_is_too_long_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("cli.telling.looking.played.MAX_TEXT_BYTES", 1000)
    text = tmp_path / "a.txt"
    text.write_text("match " + "x" * 2000)
    assert run(["replay", str(text)]) == 2
    assert capsys.readouterr().err == f"{text}: The text is too long for a match.\n"


def test_a_match_that_never_began_is_not_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    vectors = json.loads((VECTORS / "record.json").read_text())
    records = {one["name"]: bytes.fromhex(one["record"]) for one in vectors["whole"]}
    path = tmp_path / "early.fives"
    path.write_bytes(records["two messages for one step"])
    for how in ([], ["--json"], ["--text"], ["--html", str(tmp_path / "page.html")]):
        assert run(["replay", str(path), *how]) == 1
        assert capsys.readouterr().err == (
            f"Nothing of {path} can be told; `allfives verify` says what is wrong.\n"
        )


def test_the_page_of_a_match_has_its_verdict_and_who_shuffled(
    tmp_path: Path, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "match.html"
    assert run(["replay", file, "--html", str(page)]) == 0
    assert capsys.readouterr().out == f"The match is written; open it in any browser: {page}\n"
    written = page.read_text("utf-8")
    assert f"<li>Scores: {names_and_scores()}.</li>" in written
    names = verify_record(whole_record()).names
    assert f"<li>Deal 1: shuffled by {names[0]}, then {names[1]}; proven.</li>" in written
    assert run(["replay", file, "--html", str(page)]) == 2
    assert capsys.readouterr().err == f"{page} is there already; name a new file.\n"
    assert run(["replay", file, "--html", str(tmp_path / "none" / "x.html")]) == 2
    assert "cannot be written: No such file or directory." in capsys.readouterr().err
    assert page.read_text("utf-8") == written


def test_the_page_of_a_text_says_that_it_proves_nothing(
    tmp_path: Path, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text, page = tmp_path / "a.txt", tmp_path / "match.html"
    assert run(["replay", "--text", file]) == 0
    text.write_text(capsys.readouterr().out)
    assert run(["replay", str(text), "--html", str(page)]) == 0
    assert "it proves nothing about who played it.</li>" in page.read_text("utf-8")


def test_advice_comes_with_json_and_words(
    file: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    assert run(["replay", "--advice", "--json", file]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    plays = [one for one in told if one["event"] == "play"]
    for one in plays:
        assert list(one["advice"]) == ["tile", "end", "points", "leaves", "better"]
    same = sum(
        (one["advice"]["tile"], one["advice"]["end"]) == (one["tile"], one["end"]) for one in plays
    )
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert run(["replay", "--advice", "--plain", file]) == 0
    words, aside = capsys.readouterr()
    # Where it agrees stands in the sum alone, and no line is written over.
    assert words.count("  hard would have played ") == len(plays) - same
    assert "hard would have played the same." not in words
    placed = "1 placement" if len(plays) == 1 else f"{len(plays)} placements"
    assert words.endswith(f"Of {placed} hard would have played {same} the same.\n")
    assert "\r" not in words + aside
    assert aside.endswith(f"Move {len(plays)} of {len(plays)}\n")
