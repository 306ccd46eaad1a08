"""Real processes play whole matches; their records are the same bytes and verify."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from support.limits import FULL
from support.process.tables import CODE, Running, auto_table, run_here

from engine.rules import PRESETS
from p2p.session.verify import verify_record
from p2p.store import Store

# How many play, and by which rules: as README has it, in a full run also short ones with much else.
PARTNERS = ["--rules", "online", "--partners", "--set", "claims=yes", "--target", "5"]
TABLES: dict[str, tuple[int, list[str]]] = {"readme": (2, [])}
if FULL:
    TABLES |= {"partners": (4, PARTNERS), "three": (3, ["--rules", "pagat", "--target", "5"])}
KINDS = {"match", "hand", "play", "draw", "pass", "hand_end", "match_end"}


def finish(peers: list[Running]) -> list[bytes]:
    """All peers end well; their records."""
    assert [peer.end() for peer in peers] == [0] * len(peers), [peer.err for peer in peers]
    folder = peers[0].home.parent
    return [(folder / f"{number}.fives").read_bytes() for number in range(len(peers))]


def check_in_order(record: bytes, scores: list[int]) -> None:
    """As `verify` finds it, without a process for it."""
    report = verify_record(record)
    assert (report.ok, report.closed, report.unsigned) == (True, True, ())
    assert (report.fault, list(report.scores)) == (None, scores)


@dataclass(frozen=True)
class Played:
    """A match that has ended well: its peers, whose homes and records lie in `folder`."""

    folder: Path
    peers: list[Running]
    records: list[bytes]

    def told(self) -> list[list[dict[str, Any]]]:
        """What each peer said of the match."""
        return [[one for one in peer.events() if one["event"] != "open"] for peer in self.peers]

    @property
    def scores(self) -> list[int]:
        """The scores at the end."""
        scores: list[int] = self.peers[0].events()[-1]["scores"]
        return scores


@pytest.fixture(scope="module", params=TABLES)
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Played:
    """One of each kind, for all who look at it."""
    folder = tmp_path_factory.mktemp("played")
    players, flags = TABLES[request.param]
    with auto_table(folder, players, *flags) as peers:
        return Played(folder, peers, finish(peers))


def test_all_have_one_record_which_verifies_and_all_are_told_the_same(
    played: Played, tmp_path: Path
) -> None:
    assert len(set(played.records)) == 1
    public = [[public_part(event) for event in told] for told in played.told()]
    assert all(told == public[0] for told in public)
    last = public[0][-1]
    assert (last["event"], last["reason"]) == ("match_end", "target")
    check_verified(played.folder / "0.fives", tmp_path / "third", played.scores)


def check_verified(record: Path, home: Path, scores: list[int]) -> None:
    """`verify` finds the record in order, from a data folder that was never used."""
    checked = run_here("verify", "--json", str(record), home=home)
    assert checked.returncode == 0
    report = json.loads(checked.stdout)
    assert report["ok"] is True
    assert report["closed"] is True
    assert report["unsigned"] == []
    assert report["fault"] is None
    assert report["scores"] == scores
    assert not home.exists()


@pytest.mark.parametrize("played", ["readme"], indirect=True)
def test_a_match_to_250_as_the_readme_has_it(played: Played) -> None:
    opened = json.loads(played.peers[0].out[0])
    assert list(opened) == ["event", "name", "code", "invite", "addresses", "port"]
    assert opened["code"] == CODE
    assert opened["addresses"] == ["127.0.0.1"]
    events = played.peers[1].events()
    assert {event["event"] for event in events} <= KINDS
    assert events[0]["rules"]["target"] == "250"
    assert max(played.scores) >= 250
    assert events[-1]["winners"] == [played.scores.index(max(played.scores))]


@pytest.mark.parametrize("played", ["partners"] if FULL else [], indirect=True)
def test_partners_who_claim_with_the_highest_double_to_start(played: Played) -> None:
    events = played.peers[1].events()
    rules = events[0]["rules"]
    assert [rules[name] for name in ("preset", "partners", "claims", "target")] == [
        "online",
        "yes",
        "yes",
        "5",
    ]
    assert events[-1]["winners"] in ([0, 2], [1, 3])
    assert played.scores[:2] == played.scores[2:]


@pytest.mark.parametrize("preset", PRESETS if FULL else ["block"])
def test_every_preset(tmp_path: Path, preset: str) -> None:
    """With ALLFIVES_FULL=1 four peers to each preset's own target, else two and a short match."""
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


def test_replay_tells_what_the_peers_saw_with_the_tiles_of_all(
    played: Played, tmp_path: Path
) -> None:
    replayed = run_here("replay", "--json", str(played.folder / "0.fives"), home=tmp_path / "third")
    assert replayed.returncode == 0
    told = [json.loads(line) for line in replayed.stdout.splitlines()]
    for peer, live in zip(played.peers, played.told(), strict=True):
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


def test_no_seat_is_told_what_another_holds(played: Played) -> None:
    for peer in played.peers:
        events = peer.events()
        hands = [event["hands"] for event in events if event["event"] == "hand"]
        seats = {hand.index(next(one for one in hand if one)) for hand in hands}
        assert len(seats) == 1
        assert all(sum(one is not None for one in hand) == 1 for hand in hands)
        draws = [event for event in events if event["event"] == "draw"]
        assert all((event["tile"] is not None) == (event["seat"] in seats) for event in draws)


def test_secrets_are_gone_and_the_history_stays_after_a_match(played: Played) -> None:
    scores = tuple(played.scores)
    with Store(played.folder / "home-0" / "allfives.sqlite3") as store:
        (past,) = store.history()
        assert past.state == "finished"
        assert past.scores == scores
        assert past.record == str(played.folder / "0.fives")
        assert not store.kept(past.table).secrets
        assert len(store.known()) == len(played.peers) - 1
