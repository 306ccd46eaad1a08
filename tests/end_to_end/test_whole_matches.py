"""Real processes play whole matches; their records are the same bytes and verify."""

import json
import os
from pathlib import Path

import pytest
from support.process.tables import CODE, Running, auto_table, run_once

from engine.rules import PRESETS

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


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_short_match(tmp_path: Path, players: int) -> None:
    with auto_table(tmp_path, players, "--target", "30") as peers:
        records = finish(peers)
        assert len(set(records)) == 1
        public = [[public_part(event) for event in peer.events()] for peer in peers]
        public[0] = public[0][1:]
        assert all(told == public[0] for told in public)
        last = peers[0].events()[-1]
        assert last["event"] == "match_end"
        assert last["reason"] == "target"
        check_verified(tmp_path / "0.fives", tmp_path / "third", last["scores"])


def test_partners_who_claim_with_the_highest_double_to_start(tmp_path: Path) -> None:
    flags = ["--rules", "online", "--partners", "--set", "claims=yes", "--target", "30"]
    with auto_table(tmp_path, 4, *flags) as peers:
        records = finish(peers)
        assert len(set(records)) == 1
        events = peers[1].events()
        rules = events[0]["rules"]
        assert [rules[name] for name in ("preset", "partners", "claims", "target")] == [
            "online",
            "yes",
            "yes",
            "30",
        ]
        last = events[-1]
        assert last["winners"] in ([0, 2], [1, 3])
        assert last["scores"][:2] == last["scores"][2:]
        check_verified(tmp_path / "0.fives", tmp_path / "third", last["scores"])


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_with_four_peers(tmp_path: Path, preset: str) -> None:
    """To the preset's own target with ALLFIVES_FULL=1, else to the end of a shorter match."""
    shorter = [] if os.environ.get("ALLFIVES_FULL") else ["--target", "15"]
    with auto_table(tmp_path, 4, "--rules", preset, *shorter) as peers:
        records = finish(peers)
        assert len(set(records)) == 1
        last = peers[3].events()[-1]
        assert (last["event"], last["reason"]) == ("match_end", "target")
        check_verified(tmp_path / "0.fives", tmp_path / "third", last["scores"])


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


def test_no_seat_is_told_what_another_holds(tmp_path: Path) -> None:
    with auto_table(tmp_path, 3, "--target", "20") as peers:
        finish(peers)
        for peer in peers:
            events = peer.events()
            hands = [event["hands"] for event in events if event["event"] == "hand"]
            seats = {hand.index(next(one for one in hand if one)) for hand in hands}
            assert len(seats) == 1
            assert all(sum(one is not None for one in hand) == 1 for hand in hands)
            draws = [event for event in events if event["event"] == "draw"]
            assert all((event["tile"] is not None) == (event["seat"] in seats) for event in draws)


def test_secrets_are_gone_and_the_history_stays_after_a_match(tmp_path: Path) -> None:
    from p2p.store import Store

    with auto_table(tmp_path, 2, "--target", "20") as peers:
        finish(peers)
        scores = tuple(peers[0].events()[-1]["scores"])
    with Store(tmp_path / "home-0" / "allfives.sqlite3") as store:
        (past,) = store.history()
        assert past.state == "finished"
        assert past.scores == scores
        assert past.record == str(tmp_path / "0.fives")
        assert not store.secrets(past.table)
        assert len(store.known()) == 1
