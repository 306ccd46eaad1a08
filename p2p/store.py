"""What a peer keeps on its own disk: one SQLite file in the data folder.

A peer that crashes must say the very same again, never something else for the same step. So one
transaction (synchronous FULL) holds a message, the secrets behind it and the messages it rests on
before a byte of it is sent (`Store.commit`). Secrets go when their deal is over or dead; SQLite
keeps deleted bytes unless told otherwise, hence `secure_delete` and the truncated log. The file
also keeps the history of matches and the identity keys met before.

A connection belongs to the thread that opened it; a commit costs less than a millisecond.
"""

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from p2p.private_files import FILE_MODE, close_to_others, make_folder
from p2p.wire.envelope import Message

if TYPE_CHECKING:
    from p2p.session.session import Batch

# "alfv": marks the file as ours (SQLite file format, section 1.3.17).
APPLICATION_ID = 0x616C6676
SCHEMA_VERSION = 1
_LOGS = ("-wal", "-shm")

State = Literal["finished", "unfinished", "broken"]

_SCHEMA = f"""
BEGIN IMMEDIATE;
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
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {SCHEMA_VERSION};
COMMIT;
"""


class StoreError(Exception):
    """The file cannot be used; the text is one or two sentences for the person."""


class SecondVersion(AssertionError):
    """Our own mistake: another message for a place that already has one was to be kept."""


@dataclass(frozen=True)
class Past:
    """A row of the history. `when` is ISO 8601 in UTC; `record` the path of the record file."""

    table: bytes
    when: str
    state: State
    players: tuple[str, ...]
    scores: tuple[int, ...]
    record: str | None


@dataclass(frozen=True)
class Acquaintance:
    """An identity key met before, with the name it last bore."""

    key: bytes
    name: str


class Store:
    """The store in `path`; the file (mode 0600) and its folder (0700) are made when missing.
    A file that is there is closed to others.

    Raises StoreError when the file is damaged, not ours, of a later version, or not writable.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            _prepare_file(path)
            self._db = sqlite3.connect(path, isolation_level=None)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"{path} cannot be opened: {_reason(error)}.") from error
        try:
            self._open()
        except sqlite3.Error as error:
            self._db.close()
            raise StoreError(_unusable(path, error)) from error
        except StoreError:
            self._db.close()
            raise

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; nothing is lost by not calling this."""
        self._db.close()

    def _open(self) -> None:
        """Recognise the file, make its tables when it is new, set how it is written."""
        (application,) = self._db.execute("PRAGMA application_id").fetchone()
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        (objects,) = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if application != APPLICATION_ID and (application or objects):
            raise StoreError(f"{self.path} is a database of another program; move it away.")
        if version > SCHEMA_VERSION:
            raise StoreError(f"{self.path} was written by a later allfives; update this one.")
        self._db.execute("PRAGMA secure_delete = ON")
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute("PRAGMA foreign_keys = ON")
        if not objects:
            self._db.executescript(_SCHEMA)
        (state,) = self._db.execute("PRAGMA quick_check(1)").fetchone()
        if state != "ok":
            raise StoreError(_damaged(self.path))

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing, on the disk when it ends; StoreError when the disk does not take it."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            raise StoreError(f"{self.path} cannot be written: {_reason(error)}.") from error

    def open_match(self, table: bytes, description: bytes, players: Sequence[str]) -> None:
        """Begin to keep the match `table` (32 bytes): its signed description and names by seat."""
        row = (table, description, _now(), "unfinished", json.dumps(list(players)), "[]")
        with self._transaction() as db:
            db.execute("INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, NULL)", row)

    def commit(self, table: bytes, batch: "Batch") -> None:
        """Keep a batch before anything of it is sent, and forget the secrets it names.

        Raises SecondVersion, with nothing kept, if a place already has another message.
        """
        if not (batch.messages or batch.secrets or batch.forget):
            return
        with self._transaction() as db:
            for message in batch.messages:
                _keep(db, table, message)
            db.executemany(
                "INSERT OR REPLACE INTO secrets VALUES (?, ?, ?)",
                [(table, deal, data) for deal, data in batch.secrets.items()],
            )
            db.executemany(
                "DELETE FROM secrets WHERE match = ? AND deal = ?",
                [(table, deal) for deal in batch.forget],
            )
        if batch.forget:
            self._erase()

    def finish(
        self, table: bytes, state: State, scores: Sequence[int], record: Path | None
    ) -> None:
        """Note how a match ended. Its secrets go; so do its messages, which the record holds.

        An "unfinished" match keeps both: they are what it goes on from.
        """
        path = None if record is None else str(record)
        with self._transaction() as db:
            db.execute(
                "UPDATE matches SET state = ?, scores = ?, record = ? WHERE id = ?",
                (state, json.dumps(list(scores)), path, table),
            )
            if state != "unfinished":
                db.execute("DELETE FROM secrets WHERE match = ?", (table,))
                db.execute("DELETE FROM messages WHERE match = ?", (table,))
        if state != "unfinished":
            self._erase()

    def delete(self, table: bytes) -> None:
        """Forget a match with all that is kept of it; its record is a file of its own."""
        with self._transaction() as db:
            for kept in ("secrets", "messages"):
                db.execute(f"DELETE FROM {kept} WHERE match = ?", (table,))  # noqa: S608
            db.execute("DELETE FROM matches WHERE id = ?", (table,))
        self._erase()

    def _erase(self) -> None:
        """Empty the write-ahead log, where the bytes just deleted still stand."""
        (busy, _, _) = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise StoreError(
                f"{self.path} is in use by another program, so old secrets stay in it; close that."
            )

    def messages(self, table: bytes) -> list[bytes]:
        """The messages kept of a match, by ladder, step and seat."""
        query = "SELECT data FROM messages WHERE match = ? ORDER BY ladder, step, seat"
        return [data for (data,) in self._db.execute(query, (table,))]

    def secrets(self, table: bytes) -> Mapping[int, bytes]:
        """The secrets kept of a match, by deal number."""
        return dict(self._db.execute("SELECT deal, data FROM secrets WHERE match = ?", (table,)))

    def description(self, table: bytes) -> bytes | None:
        """The signed description of a match, if it is known."""
        row = self._db.execute("SELECT description FROM matches WHERE id = ?", (table,)).fetchone()
        return None if row is None else cast(bytes, row[0])

    def history(self) -> list[Past]:
        """All matches, the oldest first."""
        query = "SELECT id, opened, state, players, scores, record FROM matches ORDER BY opened, id"
        return [
            Past(table, when, state, tuple(json.loads(names)), tuple(json.loads(scores)), record)
            for table, when, state, names, scores, record in self._db.execute(query)
        ]

    def meet(self, people: Iterable[Acquaintance]) -> list[Acquaintance]:
        """Remember people; those returned bear a name that another key bore at an earlier meeting.

        A key already known may come with a new name: the name is only a label.
        """
        here = list(people)
        with self._transaction() as db:
            strangers = [person for person in here if _impostor(db, person)]
            for person in here:
                row = (person.key, person.name, _now())
                db.execute("INSERT OR REPLACE INTO people VALUES (?, ?, ?)", row)
        return strangers

    def known(self) -> list[Acquaintance]:
        """Everybody met before, the first first."""
        rows = self._db.execute("SELECT key, name FROM people ORDER BY met, key")
        return [Acquaintance(key, name) for key, name in rows]


def _prepare_file(path: Path) -> None:
    """Folder and file with their modes; SQLite gives its log files the mode of the main file, but
    those that a killed program has left keep the one they have."""
    make_folder(path.parent)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, FILE_MODE))
    for file in (path, *(path.with_name(path.name + log) for log in _LOGS)):
        if file.exists():
            close_to_others(file)


def _keep(db: sqlite3.Connection, table: bytes, message: Message) -> None:
    """Insert one message; the same bytes again are no change, other bytes are refused."""
    place = (table, *message.place)
    query = "SELECT data FROM messages WHERE match = ? AND ladder = ? AND step = ? AND seat = ?"
    row = db.execute(query, place).fetchone()
    if row is None:
        db.execute("INSERT INTO messages VALUES (?, ?, ?, ?, ?)", (*place, message.data))
    elif row[0] != message.data:
        raise SecondVersion("a second message for ladder {}, step {}, seat {}".format(*place[1:]))


def _impostor(db: sqlite3.Connection, person: Acquaintance) -> bool:
    """Whether the name belongs to others, and this key is new."""
    if db.execute("SELECT 1 FROM people WHERE key = ?", (person.key,)).fetchone():
        return False
    return bool(db.execute("SELECT 1 FROM people WHERE name = ?", (person.name,)).fetchone())


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error)


def _unusable(path: Path, error: sqlite3.Error) -> str:
    """Only what the file holds is a reason to move it away, no full disk and no lock."""
    primary = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    if primary in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return _damaged(path)
    return f"{path} cannot be opened: {_reason(error)}."


def _damaged(path: Path) -> str:
    return f"{path} is damaged or no database; move it away and a new one is made."
