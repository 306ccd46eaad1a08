"""The store: kept before sent, one message a place, secrets really gone, files private."""

import os
import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random
from threading import Thread

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p.crypto.identity import IdentityKey
from p2p.schema import APPLICATION_ID, SCHEMA_VERSION
from p2p.session.output import Batch
from p2p.session.restoring import KeptWord
from p2p.store import Acquaintance, Past, SecondVersion, Store, StoreError, WayBack
from p2p.wire.envelope import Message, Place, open_envelope, seal
from p2p.wire.talk import Here, Leave, Word

TABLE = b"t" * 32
ANA = IdentityKey.from_private_bytes(b"a" * 32)


def message(ladder: int, step: int, seat: int, text: str = "x") -> Message:
    return open_envelope(
        seal(ANA, TABLE, Place(TABLE, ladder, step, seat), b"p" * 32, "play", [text])
    )


def batch(
    *messages: Message, secrets: Mapping[int, bytes] | None = None, forget: tuple[int, ...] = ()
) -> Batch:
    return Batch(messages=messages, secrets=secrets or {}, forget=forget)


def messages(store: Store) -> list[bytes]:
    return [data for data, _ in store.kept(TABLE).messages]


def word(seat: int, number: int, data: bytes) -> Word:
    return Word(data, seat, number, Here())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "allfives.sqlite3"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store(path) as opened:
        opened.open_match(TABLE, b"description", ["Ana", "Ben"])
        yield opened


def on_disk(path: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(path.parent.iterdir()))


def test_what_is_committed_is_there_after_closing(path: Path, store: Store) -> None:
    first, second = message(0, 1, 0), message(1, 1, 1)
    store.commit(TABLE, batch(second, first, secrets={1: b"one", 2: b"two"}))
    store.close()
    with Store(path) as again:
        assert messages(again) == [second.data, first.data]
        assert again.kept(TABLE).secrets == {1: b"one", 2: b"two"}
        assert again.description(TABLE) == b"description"
        assert again.description(b"u" * 32) is None


def test_what_is_committed_is_synced_and_what_is_deleted_is_overwritten(store: Store) -> None:
    """SQLite, pragmas: synchronous 2 is FULL, and foreign keys hold rows to their match."""
    pragmas = {"synchronous": 2, "secure_delete": 1, "foreign_keys": 1, "journal_mode": "wal"}
    for name, value in pragmas.items():
        assert store._db.execute(f"PRAGMA {name}").fetchone() == (value,)


def test_only_what_others_alone_have_said_is_synced_with_what_comes_next(store: Store) -> None:
    """The level of synchronous at each commit: 1 is NORMAL, 2 FULL."""
    own, heard = message(0, 1, 0), message(0, 1, 1)
    batches = [
        (1, batch(heard)),
        (1, batch(message(0, 2, 1), message(0, 2, 2))),
        (2, batch(own)),
        (2, batch(message(0, 3, 1), message(0, 3, 0))),
        (2, Batch(evidence=(message(0, 1, 1, "y"),))),
        (2, Batch(words=(word(0, 3, b"leave"),))),
        (2, batch(message(0, 4, 1), secrets={1: b"one"})),
        (2, batch(message(0, 5, 1), forget=(1,))),
        (2, Batch(grace={1: 12.5})),
        (2, Batch(messages=(message(0, 6, 1),), finals={7: b"votes"})),
    ]
    for level, one in batches:
        assert levels_at_commits(store, one) == [level]
    assert store._db.execute("PRAGMA synchronous").fetchone() == (2,)
    assert len(messages(store)) == 10


def levels_at_commits(store: Store, one: Batch) -> list[int]:
    """How far each commit of a batch is synced; the own seat is 0."""
    said: list[str] = []
    (level,) = store._db.execute("PRAGMA synchronous").fetchone()
    store._db.set_trace_callback(said.append)
    store.commit(TABLE, one, 0)
    store._db.set_trace_callback(None)
    found = []
    for statement in said:
        if statement.startswith("PRAGMA synchronous = "):
            level = int(statement.split()[-1])
        elif statement == "COMMIT":
            found.append(level)
    return found


def test_the_same_message_again_is_no_change(store: Store) -> None:
    said = message(0, 1, 0)
    store.commit(TABLE, batch(said))
    store.commit(TABLE, batch(said))
    assert messages(store) == [said.data]


def test_what_is_set_aside_is_evidence_and_another_is_taken_for_its_place(store: Store) -> None:
    one, other = message(0, 1, 0), message(0, 1, 0, "y")
    store.commit(TABLE, batch(one))
    store.commit(TABLE, Batch((other,), aside=(one,)))
    assert store.kept(TABLE).messages == ((one.data, True), (other.data, False))
    with pytest.raises(SecondVersion):
        store.commit(TABLE, batch(one))


def test_another_message_for_the_same_place_is_refused_with_all_of_its_batch(store: Store) -> None:
    said = message(0, 1, 0)
    store.commit(TABLE, batch(said, secrets={1: b"one"}))
    with pytest.raises(SecondVersion, match=r"^a second message for ladder 0, step 1, seat 0$"):
        store.commit(TABLE, batch(message(0, 2, 0), message(0, 1, 0, "y"), secrets={2: b"two"}))
    assert messages(store) == [said.data]
    assert store.kept(TABLE).secrets == {1: b"one"}


def test_evidence_stands_beside_what_was_taken(store: Store) -> None:
    said, other = message(0, 1, 0), message(0, 1, 0, "y")
    store.commit(TABLE, batch(said))
    store.commit(TABLE, Batch(evidence=(said, other)))
    assert store.kept(TABLE).messages == ((said.data, False), (other.data, True))


def test_of_words_the_newest_of_each_seat_and_kind_is_kept_and_of_one_number_the_first(
    store: Store,
) -> None:
    first, newer = word(0, 3, b"first"), word(0, 4, b"newer")
    leaves = Word(b"leaves", 1, 0, Leave())
    store.commit(TABLE, Batch(words=(leaves, first, word(0, 3, b"second"))))
    assert {one.data for one in store.kept(TABLE).words} == {b"leaves", b"first"}
    store.commit(TABLE, Batch(words=(newer, word(0, 2, b"older"))))
    kept = store.kept(TABLE)
    assert set(kept.words) == {KeptWord(0, "here", 4, b"newer"), KeptWord(1, "leave", 0, b"leaves")}
    assert kept.has_left(1)
    again = Word(b"leaves again", 1, 1, Leave())
    store.commit(TABLE, Batch(words=(leaves, again, again)))
    assert {one.data for one in store.kept(TABLE).words} == {b"newer", b"leaves", again.data}


def test_grace_and_final_sets_are_kept(store: Store) -> None:
    store.commit(TABLE, Batch(grace={1: 12.5}, finals={7: b"votes"}))
    store.commit(TABLE, Batch(grace={1: 13.5}))
    kept = store.kept(TABLE)
    assert (kept.grace, kept.finals) == ({1: 13.5}, {7: b"votes"})


def test_the_way_back_is_kept_till_the_match_can_no_longer_go_on(path: Path) -> None:
    back = WayBack(1, b"first", b"the secret of the links", b"roster", 5525, '{"record": null}')
    with Store(path) as store:
        store.open_match(TABLE, b"description", ["Ana", "Ben"], "den", back)
        assert store.way_back(TABLE) == back
        assert store.way_back(b"u" * 32) is None
        assert "secret" not in repr(back)
        assert [past.name for past in store.unfinished()] == ["den"]
        assert back.secret in on_disk(path)
        store.finish(TABLE, "finished", [250, 40], None)
        assert store.way_back(TABLE) is None
        assert store.unfinished() == []
        assert back.secret not in on_disk(path)


VERSION_1 = """
CREATE TABLE matches (
    id BLOB PRIMARY KEY, description BLOB NOT NULL, opened TEXT NOT NULL, state TEXT NOT NULL,
    players TEXT NOT NULL, scores TEXT NOT NULL, record TEXT
);
CREATE TABLE messages (
    match BLOB NOT NULL REFERENCES matches (id), ladder INTEGER NOT NULL, step INTEGER NOT NULL,
    seat INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (match, ladder, step, seat)
);
CREATE TABLE secrets (
    match BLOB NOT NULL REFERENCES matches (id), deal INTEGER NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY (match, deal)
);
CREATE TABLE people (key BLOB PRIMARY KEY, name TEXT NOT NULL, met TEXT NOT NULL);
PRAGMA application_id = 1634494070;
PRAGMA user_version = 1;
INSERT INTO matches VALUES (x'01', x'aa', '2026-01-02', 'finished', '["Ana", "Ben"]', '[250, 40]',
    '/records/one.fives');
INSERT INTO matches VALUES (x'02', x'bb', '2026-01-03', 'unfinished', '["Ana", "Ben"]', '[]', NULL);
INSERT INTO messages VALUES (x'02', 0, 1, 0, x'cc');
INSERT INTO secrets VALUES (x'02', 1, CAST('the secret of deal 1' AS BLOB));
INSERT INTO people VALUES (x'62', 'Ben', '2026-01-02');
"""


def test_a_store_of_version_1_is_carried_over(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as old:
        old.execute("PRAGMA journal_mode = WAL")
        old.executescript(VERSION_1)
    assert b"the secret of deal 1" in on_disk(path)
    with Store(path) as store:
        one, two = store.history()
        assert one == Past(
            b"\1", "2026-01-02", "finished", ("Ana", "Ben"), (250, 40), "/records/one.fives"
        )
        assert (two.table, two.state, two.record) == (b"\2", "broken", None)
        assert [person.name for person in store.known()] == ["Ben"]
        assert b"the secret of deal 1" not in on_disk(path)
        store.open_match(TABLE, b"description", ["Ana", "Ben"])
        store.commit(TABLE, batch(message(0, 1, 0)))
    with Store(path) as again:
        assert [past.table for past in again.unfinished()] == [TABLE]


@pytest.mark.parametrize("place", [(1, 1, 0), (0, 2, 0), (0, 1, 1)])
def test_a_place_is_ladder_step_and_seat(store: Store, place: tuple[int, int, int]) -> None:
    store.commit(TABLE, batch(message(0, 1, 0), message(*place, "y")))
    assert len(messages(store)) == 2


def test_a_batch_of_an_unknown_match_is_refused(store: Store) -> None:
    with pytest.raises(StoreError, match="FOREIGN KEY"):
        store.commit(b"u" * 32, batch(message(0, 1, 0)))


def test_an_empty_batch_writes_nothing(path: Path, store: Store) -> None:
    before = on_disk(path)
    store.commit(TABLE, batch())
    assert on_disk(path) == before


@settings(max_examples=15)
@given(seed=st.integers(0, 2**32), sizes=st.lists(st.integers(16, 9000), min_size=1, max_size=12))
def test_no_byte_of_a_forgotten_secret_is_left(
    tmp_path_factory: pytest.TempPathFactory, seed: int, sizes: list[int]
) -> None:
    rng, path = Random(seed), tmp_path_factory.mktemp("s") / "data" / "allfives.sqlite3"
    secrets = {deal: rng.randbytes(size) for deal, size in enumerate(sizes, 1)}
    with Store(path) as store:
        store.open_match(TABLE, b"description", ["Ana", "Ben"])
        for deal, secret in secrets.items():
            store.commit(TABLE, batch(message(deal, 1, 0), secrets={deal: secret[:8]}))
            store.commit(TABLE, batch(message(deal, 2, 0), secrets={deal: secret}))
        assert all(secret[:16] in on_disk(path) for secret in secrets.values())
        gone = set(rng.sample(sorted(secrets), rng.randint(1, len(secrets))))
        for deal in gone:
            store.commit(TABLE, batch(message(deal, 3, 0), forget=(deal,)))
        assert set(store.kept(TABLE).secrets) == set(secrets) - gone
        left = on_disk(path)
        for deal in gone:
            windows = range(0, len(secrets[deal]) - 15, 16)
            assert not any(secrets[deal][at : at + 16] in left for at in windows)


def test_single_messages_are_read_again_in_the_order_asked_for(path: Path, store: Store) -> None:
    one, other, refused = message(0, 1, 0), message(0, 1, 1), message(0, 1, 1, "y")
    store.commit(TABLE, Batch(messages=(one, other), evidence=(refused,)))
    archive = store.archive(TABLE)
    assert archive([other.place, one.place]) == [other.data, one.data]
    assert archive([]) == []
    # Whoever reads is in another thread than whoever writes.
    found: list[bytes] = []
    thread = Thread(target=lambda: found.extend(archive([one.place])))
    thread.start()
    thread.join()
    assert found == [one.data]
    for missing in (message(0, 2, 0).place, one.place._replace(root=b"r" * 32)):
        with pytest.raises(StoreError, match="holds no longer"):
            archive([one.place, missing])
    store.finish(TABLE, "finished", (), None)
    with pytest.raises(StoreError, match="holds no longer"):
        archive([one.place])
    with pytest.raises(StoreError, match="cannot be read"):
        _Nowhere(path.parent).archive(TABLE)([one.place])


class _Nowhere(Store):
    """A store whose file is gone."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "gone? #1.sqlite3"


@pytest.mark.parametrize("state", ["finished", "broken"])
def test_an_ended_match_keeps_neither_secrets_nor_messages(
    path: Path, store: Store, state: str
) -> None:
    secret = b"the secret of deal 1"
    store.commit(TABLE, batch(message(0, 1, 0, "said at step 1"), secrets={1: secret}))
    assert secret in on_disk(path)
    store.finish(TABLE, "finished" if state == "finished" else "broken", [250, 40], Path("r"))
    assert messages(store) == []
    assert store.kept(TABLE).secrets == {}
    assert secret not in on_disk(path)
    assert b"said at step 1" not in on_disk(path)


def test_an_unfinished_match_keeps_what_it_goes_on_from(store: Store) -> None:
    store.commit(TABLE, batch(message(0, 1, 0), secrets={1: b"one"}))
    store.finish(TABLE, "unfinished", [5, 0], None)
    assert len(messages(store)) == 1
    assert store.kept(TABLE).secrets == {1: b"one"}
    (past,) = store.history()
    assert (past.state, past.scores, past.record) == ("unfinished", (5, 0), None)


def test_a_store_that_did_not_note_who_was_out_is_carried_over(path: Path, store: Store) -> None:
    store.commit(TABLE, batch(message(0, 1, 0)))
    store.close()
    with closing(sqlite3.connect(path)) as older:
        older.execute("ALTER TABLE matches DROP COLUMN out")
        older.execute("PRAGMA user_version = 2")
        older.commit()
    with Store(path) as now:
        (past,) = now.history()
        assert (past.state, past.out) == ("unfinished", {})
        assert len(messages(now)) == 1, "it goes on"
        now.finish(TABLE, "finished", [250, 40], None, {0: "left"})
        assert now.history()[0].out == {0: "left"}


def test_history_tells_every_match(store: Store) -> None:
    store.open_match(b"u" * 32, b"other", ["Ana", "Cleo", "Dan"])
    store.finish(TABLE, "finished", [250, 40], Path("/records/one.fives"), {1: "idle"})
    first, second = store.history()
    names = ("Ana", "Ben")
    assert first == Past(
        TABLE, first.when, "finished", names, (250, 40), "/records/one.fives", "", {1: "idle"}
    )
    assert second == Past(b"u" * 32, second.when, "unfinished", ("Ana", "Cleo", "Dan"), (), None)
    assert first.when < second.when


def test_a_deleted_match_leaves_no_byte_of_its_secrets(path: Path, store: Store) -> None:
    store.commit(TABLE, batch(message(0, 1, 0), secrets={1: b"a secret of the deal"}))
    store.open_match(b"u" * 32, b"another", ["Ana", "Cem"])
    store.delete(TABLE)
    assert [one.table for one in store.history()] == [b"u" * 32]
    kept = store.kept(TABLE)
    assert (kept.messages, kept.secrets) == ((), {})
    assert b"a secret of the deal" not in on_disk(path)


def test_another_key_under_a_known_name_is_told(store: Store) -> None:
    ben, double, renamed = (
        Acquaintance(b"b" * 32, "Ben"),
        Acquaintance(b"c" * 32, "Ben"),
        Acquaintance(b"b" * 32, "Benjamin"),
    )
    assert store.meet([ben, Acquaintance(b"d" * 32, "Dan")]) == []
    assert store.meet([ben]) == []
    assert store.meet([renamed]) == []
    assert store.meet([ben]) == []
    assert store.meet([double]) == [double]
    assert store.meet([double]) == []
    assert {person.key for person in store.known()} == {b"b" * 32, b"c" * 32, b"d" * 32}


def test_two_of_one_name_at_a_first_meeting_are_no_double(store: Store) -> None:
    ben, other, third = (Acquaintance(key * 32, "Ben") for key in (b"b", b"c", b"d"))
    assert store.meet(iter([ben, other])) == []
    assert store.meet([ben, other, third]) == [third]


def test_files_are_the_owners_alone(path: Path, store: Store) -> None:
    store.commit(TABLE, batch(message(0, 1, 0)))
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    assert set(modes.values()) == {0o600}
    assert "allfives.sqlite3-wal" in modes
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_files_with_loose_modes_are_closed_to_others(path: Path, store: Store) -> None:
    store.commit(TABLE, batch(message(0, 1, 0)))
    loose = list(path.parent.iterdir())
    assert {file.name.removeprefix(path.name) for file in loose} == {"", "-wal", "-shm"}
    for file in loose:
        file.chmod(0o644)
    Store(path).close()
    assert {stat.S_IMODE(file.stat().st_mode) for file in loose} == {0o600}


def test_a_folder_that_is_there_keeps_its_mode(path: Path) -> None:
    path.parent.mkdir()
    path.parent.chmod(0o755)
    Store(path).close()
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o755


def refusal(path: Path) -> str:
    with pytest.raises(StoreError) as caught:
        Store(path)
    return str(caught.value)


def test_a_file_of_other_bytes_is_refused_and_left_alone(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database at all, and long enough" * 100)
    said = refusal(path)
    assert said == f"{path} is damaged or no database; move it away and a new one is made."
    assert path.read_bytes().startswith(b"no database")


def test_a_damaged_file_is_refused(path: Path, store: Store) -> None:
    secrets = dict.fromkeys(range(40), b"s" * 3000)
    store.commit(TABLE, batch(message(0, 1, 0), secrets=secrets))
    store.close()
    data = bytearray(path.read_bytes())
    data[4096 * 3 : -4096] = b"\xa5" * (len(data) - 4096 * 4)
    path.write_bytes(bytes(data))
    said = refusal(path)
    assert said == f"{path} is damaged or no database; move it away and a new one is made."


def test_a_lock_is_not_called_damage(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store(path).close()
    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, timeout=0))
    with sqlite3.connect(path, isolation_level=None) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        other.execute("INSERT INTO people VALUES (x'00', 'Ana', '')")
        said = refusal(path)
        other.execute("ROLLBACK")
    other.close()
    assert said == f"{path} cannot be opened: database is locked."


def test_a_database_of_another_program_is_refused(path: Path) -> None:
    path.parent.mkdir()
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE notes (text TEXT)")
    other.close()
    assert refusal(path) == f"{path} is a database of another program; move it away."


def test_a_later_version_is_refused(path: Path) -> None:
    Store(path).close()
    with sqlite3.connect(path) as later:
        assert later.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        later.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    later.close()
    assert refusal(path) == f"{path} was written by a later allfives; update this one."


def test_a_path_that_cannot_be_a_file_is_refused(path: Path) -> None:
    path.mkdir(parents=True)
    assert refusal(path) == f"{path} cannot be opened: Is a directory."


KILLED_AFTER_COMMIT = """
import os, signal, sys
from pathlib import Path
from p2p.session.output import Batch
from p2p.session.restoring import KeptWord
from p2p.store import Store
from p2p.wire.envelope import open_envelope
store = Store(Path(sys.argv[1]))
store.open_match(b"t" * 32, b"description", ["Ana", "Ben"])
said = open_envelope(bytes.fromhex(sys.argv[2]))
store.commit(b"t" * 32, Batch(messages=(said,), secrets={1: b"one"}, forget=()))
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_peer_killed_before_sending_still_holds_what_it_would_have_sent(path: Path) -> None:
    said = message(0, 1, 0)
    arguments = [sys.executable, "-c", KILLED_AFTER_COMMIT, str(path), said.data.hex()]
    ended = subprocess.run(arguments, check=False, env={**os.environ, "PYTHONPATH": "."})
    assert ended.returncode == -signal.SIGKILL
    with Store(path) as again:
        assert messages(again) == [said.data]
        assert again.kept(TABLE).secrets == {1: b"one"}
        with pytest.raises(SecondVersion):
            again.commit(TABLE, batch(message(0, 1, 0, "something else")))


def test_a_writer_that_dies_within_a_transaction_leaves_nothing_of_it(path: Path) -> None:
    with Store(path) as store:
        store.open_match(TABLE, b"description", ["Ana", "Ben"])
        with pytest.raises(SecondVersion):
            store.commit(TABLE, batch(message(0, 1, 0), message(0, 1, 0, "y"), secrets={1: b"o"}))
    with Store(path) as again:
        assert messages(again) == []
        assert again.kept(TABLE).secrets == {}


def test_secrets_that_could_not_be_erased_are_told(path: Path, store: Store) -> None:
    store.commit(TABLE, batch(message(0, 1, 0), secrets={1: b"one"}))
    reader = sqlite3.connect(path)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM secrets").fetchall()
    store._db.execute("PRAGMA busy_timeout = 0")  # it would wait for the reader in real time
    with pytest.raises(StoreError, match="is in use by another program"):
        store.commit(TABLE, batch(message(0, 2, 0), forget=(1,)))
    reader.close()
