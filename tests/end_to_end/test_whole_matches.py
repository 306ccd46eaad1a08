"""Real processes play whole matches; their records are the same bytes and verify."""

import json
import os
from dataclasses import dataclass
from pathlib import Path

import pytest
from support.process.tables import CODE, Running, auto_table, run_once

from engine.rules import PRESETS
from p2p.session.verify import verify_record
from p2p.store import Store

FULL = os.environ.get("ALLFIVES_FULL") == "1"
KINDS = {"match", "hand", "play", "draw", "pass", "hand_end", "match_end"}


def finish(peers: list[Running]) -> list[bytes]:
    """All peers end well; their records."""
    assert [peer.end() for peer in peers] == [0] * len(peers), [peer.err for peer in peers]
    folder = peers[0].home.parent
    return [(folder / f"{number}.fives").read_bytes() for number in range(len(peers))]


def check_verified(record: Path, home: Path, scores: list[int]) -> None:
    """`verify` finds the record in order, from a data folder that was never used."""
    checked = run_once("verify", "--json", str(record), home=home)
    assert checked.returncode == 0
    report = json.loads(checked.stdout)
    assert report["ok"] is True
    assert report["closed"] is True
    assert report["unsigned"] == []
    assert report["fault"] is None
    assert report["scores"] == scores
    assert not home.exists()


def check_in_order(record: bytes, scores: list[int]) -> None:
    """As `verify` finds it, without a process for it."""
    report = verify_record(record)
    assert (report.ok, report.closed, report.unsigned) == (True, True, ())
    assert (report.fault, list(report.scores)) == (None, scores)


@dataclass(frozen=True)
class Short:
    """A short match that has ended well: its peers, whose homes and records lie in `folder`."""

    folder: Path
    peers: list[Running]
    records: list[bytes]


@pytest.fixture(scope="module", params=[2, 3, 4])
def short(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Short:
    """One for each number of players, for all who look at it."""
    folder = tmp_path_factory.mktemp("short")
    with auto_table(folder, request.param, "--target", "20") as peers:
        return Short(folder, peers, finish(peers))


def test_a_short_match(short: Short, tmp_path: Path) -> None:
    assert len(set(short.records)) == 1
    public = [[public_part(event) for event in peer.events()] for peer in short.peers]
    public[0] = public[0][1:]
    assert all(told == public[0] for told in public)
    last = short.peers[0].events()[-1]
    assert last["event"] == "match_end"
    assert last["reason"] == "target"
    check_verified(short.folder / "0.fives", tmp_path / "third", last["scores"])


def test_partners_who_claim_with_the_highest_double_to_start(tmp_path: Path) -> None:
    flags = ["--rules", "online", "--partners", "--set", "claims=yes", "--target", "5"]
    with auto_table(tmp_path, 4, *flags) as peers:
        records = finish(peers)
        assert len(set(records)) == 1
        events = peers[1].events()
        rules = events[0]["rules"]
        assert [rules[name] for name in ("preset", "partners", "claims", "target")] == [
            "online",
            "yes",
            "yes",
            "5",
        ]
        last = events[-1]
        assert last["winners"] in ([0, 2], [1, 3])
        assert last["scores"][:2] == last["scores"][2:]
        check_in_order(records[0], last["scores"])


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset(tmp_path: Path, preset: str) -> None:
    """With ALLFIVES_FULL=1 four peers to the preset's own target, else two and a shorter match."""
    players, shorter = (4, []) if FULL else (2, ["--target", "5"])
    with auto_table(tmp_path, players, "--rules", preset, *shorter) as peers:
        records = finish(peers)
        assert len(set(records)) == 1
        last = peers[-1].events()[-1]
        assert (last["event"], last["reason"]) == ("match_end", "target")
        check_in_order(records[0], last["scores"])


def public_part(event: dict[str, object]) -> dict[str, object]:
    """An event without what only one seat may see."""
    private = {"hand": "hands", "draw": "tile"}.get(str(event["event"]))
    return {name: value for name, value in event.items() if name != private}


def test_a_match_to_250_as_the_readme_has_it(tmp_path: Path) -> None:
    with auto_table(tmp_path, 2) as peers:
        opened = json.loads(peers[0].out[0])
        assert list(opened) == ["event", "name", "code", "invite", "addresses", "port"]
        assert opened["code"] == CODE
        assert opened["addresses"] == ["127.0.0.1"]
        records = finish(peers)
        assert len(set(records)) == 1
        events = peers[1].events()
        assert {event["event"] for event in events} <= KINDS
        assert events[0]["rules"]["target"] == "250"
        assert max(events[-1]["scores"]) >= 250
        assert events[-1]["winners"] == [events[-1]["scores"].index(max(events[-1]["scores"]))]
        check_verified(tmp_path / "0.fives", tmp_path / "third", events[-1]["scores"])
        check_replayed(tmp_path / "0.fives", tmp_path / "third", peers)


def check_replayed(record: Path, home: Path, peers: list[Running]) -> None:
    """`replay --json` tells what the peers saw, with the tiles of both."""
    replayed = run_once("replay", "--json", str(record), home=home)
    assert replayed.returncode == 0
    told = [json.loads(line) for line in replayed.stdout.splitlines()]
    for peer, seen in zip(peers, [peer.events() for peer in peers], strict=True):
        live = [event for event in seen if event["event"] != "open"]
        assert len(live) == len(told), peer.err
        for full, partial in zip(told, live, strict=True):
            assert public_part(full) | {"boneyard": None} == public_part(partial) | {
                "boneyard": None
            }
            if full["event"] == "hand":
                assert None not in full["hands"]
                own = [hand for hand in partial["hands"] if hand is not None]
                assert len(own) == 1
                assert own[0] in full["hands"]


def test_no_seat_is_told_what_another_holds(short: Short) -> None:
    for peer in short.peers:
        events = peer.events()
        hands = [event["hands"] for event in events if event["event"] == "hand"]
        seats = {hand.index(next(one for one in hand if one)) for hand in hands}
        assert len(seats) == 1
        assert all(sum(one is not None for one in hand) == 1 for hand in hands)
        draws = [event for event in events if event["event"] == "draw"]
        assert all((event["tile"] is not None) == (event["seat"] in seats) for event in draws)


def test_secrets_are_gone_and_the_history_stays_after_a_match(short: Short) -> None:
    scores = tuple(short.peers[0].events()[-1]["scores"])
    with Store(short.folder / "home-0" / "allfives.sqlite3") as store:
        (past,) = store.history()
        assert past.state == "finished"
        assert past.scores == scores
        assert past.record == str(short.folder / "0.fives")
        assert not store.kept(past.table).secrets
        assert len(store.known()) == len(short.peers) - 1
