"""What a peer keeps on its own disk: one SQLite file in the data folder (p2p.schema).

A peer that crashes must say the very same again, never something else for the same step. So one
transaction (synchronous FULL) holds a message, the secrets behind it and the messages it rests on
before a byte of it is sent (`Store.commit`). What others alone have said is on the disk with the
next own message: after a power cut they say it again. Secrets go when their deal is over or dead;
SQLite keeps deleted bytes unless told otherwise, hence `secure_delete` and the truncated log. What
a match goes on from after a crash goes when it can no longer go on (`Store.finish`). The file also
keeps the history of matches and the identity keys met before.

A connection belongs to the thread that opened it; a commit costs less than a millisecond.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import astuple, dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Literal, cast

from p2p import schema
from p2p.schema import StoreError as StoreError
from p2p.session.output import Batch
from p2p.session.restoring import Kept, KeptWord
from p2p.session.state.past import Archive
from p2p.wire.codec import encode
from p2p.wire.envelope import Message, Place
from p2p.wire.talk import Leave, Word

_NORMAL = 1

State = Literal["finished", "unfinished", "broken", "left"]
"""How a match ended here; "left": the own seat left it, and the others could play on."""


class SecondVersion(AssertionError):
    """Our own mistake: another message for a place that already has one was to be kept."""


@dataclass(frozen=True)
class Past:
    """A row of the history. `when` is ISO 8601 in UTC; `record` the path of the record file; `name`
    of the table, "" if it is not known; `out` says by seat
    why who was out at the end was so, as SeatOut does."""

    table: bytes
    when: str
    state: State
    players: tuple[str, ...]
    scores: tuple[int, ...]
    record: str | None
    name: str = ""
    out: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class WayBack:
    """What a program needs to take its seat again after a crash.

    `me`: the own seat. `first`: the description of the table that the links were made for, which is
    an earlier one after another match; `secret` of its links, and the encoded `roster` of its
    people with their addresses; `port`: the own one; `notes`: what else the program notes, as JSON.
    """

    me: int
    first: bytes
    secret: bytes = field(repr=False)
    roster: bytes
    port: int
    notes: str = "{}"


@dataclass(frozen=True)
class Acquaintance:
    """An identity key met before, with the name it last bore."""

    key: bytes
    name: str


class Store:
    """The store in `path`; the file (mode 0600) and its folder (0700) are made when missing.
    A file that is there is closed to others, and one of an earlier version carried over.

    Raises StoreError when the file is damaged, not ours, of a later version, or not writable.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._db = schema.opened(path)

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; nothing is lost by not calling this."""
        self._db.close()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing, on the disk when it ends; StoreError when the disk does not take it."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
            yield self._db
            self._db.execute("COMMIT")
        except BaseException as error:
            # A full disk ends some transactions by itself, and leaves others open.
            if self._db.in_transaction:
                with suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
            if isinstance(error, sqlite3.Error):
                said = f"{self.path} cannot be written: {schema.reason(error)}."
                raise StoreError(said) from error
            raise

    @contextmanager
    def _synced_later(self) -> Iterator[None]:
        """What is committed goes to the system, and is synced by the next transaction (SQLite,
        synchronous NORMAL with a write-ahead log): nobody waits milliseconds to see a move."""
        (level,) = self._db.execute("PRAGMA synchronous").fetchone()
        self._db.execute(f"PRAGMA synchronous = {min(level, _NORMAL)}")
        try:
            yield
        finally:
            self._db.execute(f"PRAGMA synchronous = {level}")

    def open_match(
        self,
        table: bytes,
        description: bytes,
        players: Sequence[str],
        name: str = "",
        back: WayBack | None = None,
        words: Iterable[Word] = (),
    ) -> None:
        """Begin to keep the match `table` (32 bytes): its signed description, names by seat, the
        name of the table, how to come back to it, and the words of the table before that made it:
        without them who comes back takes that one for a stranger's."""
        row = (table, description, _now(), "unfinished", json.dumps(list(players)), "[]", name)
        with self._transaction() as db:
            db.execute("INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, NULL, ?, '{}')", row)
            if back is not None:
                db.execute("INSERT INTO ways VALUES (?, ?, ?, ?, ?, ?, ?)", (table, *astuple(back)))
            for word in words:
                _keep_word(db, table, word)

    def commit(self, table: bytes, batch: Batch, seat: int | None = None) -> None:
        """Keep a batch before anything of it is sent, and forget the secrets it names. `seat`: the
        own one at this table, if there is one.

        Raises SecondVersion, with nothing kept, if a place already has another message.
        """
        if batch.is_empty:
            return
        with ExitStack() as stack:
            if seat is not None and batch.is_heard(seat):
                stack.enter_context(self._synced_later())
            db = stack.enter_context(self._transaction())
            for message in batch.aside:
                set_aside = "UPDATE messages SET evidence = 1 WHERE match = ? AND id = ?"
                db.execute(set_aside, (table, message.id))
            for message in batch.messages:
                _keep(db, table, message)
            for message in batch.evidence:
                _insert(db, table, message, True)
            for word in batch.words:
                _keep_word(db, table, word)
            for deal, data in batch.secrets.items():
                db.execute("INSERT OR REPLACE INTO secrets VALUES (?, ?, ?)", (table, deal, data))
            for seat, seconds in batch.grace.items():
                db.execute("INSERT OR REPLACE INTO graces VALUES (?, ?, ?)", (table, seat, seconds))
            for step, data in batch.finals.items():
                db.execute("INSERT OR REPLACE INTO finals VALUES (?, ?, ?)", (table, step, data))
            for deal in batch.forget:
                db.execute("DELETE FROM secrets WHERE match = ? AND deal = ?", (table, deal))
        if batch.forget:
            self._erase()

    def finish(
        self,
        table: bytes,
        state: State,
        scores: Sequence[int],
        record: Path | None,
        out: Mapping[int, str] | None = None,
    ) -> None:
        """Note how a match ended, and by seat why who was `out` then was so. All that it would go
        on from goes: its secrets, and its messages, which the record holds. An "unfinished" match
        keeps that."""
        path = None if record is None else str(record)
        with self._transaction() as db:
            db.execute(
                "UPDATE matches SET state = ?, scores = ?, record = ?, out = ? WHERE id = ?",
                (state, json.dumps(list(scores)), path, json.dumps(out or {}), table),
            )
            if state != "unfinished":
                _forget(db, table)
        if state != "unfinished":
            self._erase()

    def delete(self, table: bytes) -> None:
        """Forget a match with all that is kept of it; its record is a file of its own."""
        with self._transaction() as db:
            _forget(db, table)
            db.execute("DELETE FROM matches WHERE id = ?", (table,))
        self._erase()

    def _erase(self) -> None:
        """Empty the write-ahead log, where the bytes just deleted still stand."""
        (busy, _, _) = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise StoreError(
                f"{self.path} is in use by another program, so old secrets stay in it; close that."
            )

    def kept(self, table: bytes) -> Kept:
        """All that a match goes on from."""

        def rows(columns: str, kept: str, order: str) -> sqlite3.Cursor:
            query = f"SELECT {columns} FROM {kept} WHERE match = ? ORDER BY {order}"  # noqa: S608
            return self._db.execute(query, (table,))

        return Kept(
            tuple((data, bool(no)) for data, no in rows("data, evidence", "messages", "number")),
            dict(rows("deal, data", "secrets", "deal")),
            tuple(map(KeptWord._make, rows("seat, kind, number, data", "words", "seat, kind"))),
            dict(rows("seat, seconds", "graces", "seat")),
            dict(rows("step, data", "finals", "step")),
        )

    def archive(self, table: bytes) -> Archive:
        """Where single messages of a match are read again, by any thread, while it goes on. What
        reads them raises StoreError."""
        return partial(_read, self.path, table)

    def way_back(self, table: bytes) -> WayBack | None:
        """How to come back to a match, if it can be gone on with."""
        query = "SELECT me, first, secret, roster, port, notes FROM ways WHERE match = ?"
        row = self._db.execute(query, (table,)).fetchone()
        return None if row is None else WayBack(*row)

    def description(self, table: bytes) -> bytes | None:
        """The signed description of a match, if it is known."""
        row = self._db.execute("SELECT description FROM matches WHERE id = ?", (table,)).fetchone()
        return None if row is None else cast(bytes, row[0])

    def history(self) -> list[Past]:
        """All matches, the oldest first."""
        columns = "id, opened, state, players, scores, record, name, out"
        return [
            Past(table, when, state, _items(names), _items(scores), record, name, _outs(out))
            for table, when, state, names, scores, record, name, out in self._db.execute(
                f"SELECT {columns} FROM matches ORDER BY opened, id"  # noqa: S608
            )
        ]

    def unfinished(self) -> list[Past]:
        """The matches that did not end, the oldest first."""
        return [past for past in self.history() if past.state == "unfinished"]

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


def _items(text: str) -> tuple[Any, ...]:
    return tuple(json.loads(text))


def _outs(text: str) -> dict[int, str]:
    return {int(seat): reason for seat, reason in json.loads(text).items()}


def _forget(db: sqlite3.Connection, table: bytes) -> None:
    """Delete all that a match would go on from."""
    for kept in schema.GOING_ON:
        db.execute(f"DELETE FROM {kept} WHERE match = ?", (table,))  # noqa: S608


def _keep(db: sqlite3.Connection, table: bytes, message: Message) -> None:
    """Insert one message; the same bytes again are no change, other bytes are refused."""
    query = "SELECT data FROM messages WHERE match = ? AND place = ? AND NOT evidence"
    row = db.execute(query, (table, _place(message))).fetchone()
    if row is None:
        _insert(db, table, message, False)
    elif row[0] != message.data:
        place = f"ladder {message.ladder}, step {message.step}, seat {message.seat}"
        raise SecondVersion(f"a second message for {place}")


def _insert(db: sqlite3.Connection, table: bytes, message: Message, evidence: bool) -> None:
    row = (table, message.id, _place(message), evidence, message.data)
    db.execute(
        "INSERT INTO messages VALUES (NULL, ?, ?, ?, ?, ?) ON CONFLICT (match, id) DO UPDATE "
        "SET evidence = min(evidence, excluded.evidence)",
        row,
    )


def _place(message: Message) -> bytes:
    return encode(list(message.place))


def _read(path: Path, table: bytes, places: Sequence[Place]) -> list[bytes]:
    query = "SELECT data FROM messages WHERE match = ? AND place = ? AND NOT evidence"
    try:
        # A connection belongs to its thread.
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
            keys = [(table, encode(list(place))) for place in places]
            rows = [db.execute(query, key).fetchone() for key in keys]
    except sqlite3.Error as error:
        raise StoreError(f"{path} cannot be read: {schema.reason(error)}.") from error
    if None in rows:
        raise StoreError(f"{path} holds no longer what was stored there.")
    return [row[0] for row in rows]


def _keep_word(db: sqlite3.Connection, table: bytes, word: Word) -> None:
    """Of each seat and kind the newest; of one number the first. Each leave that is given here is
    kept: votes name them."""
    kind = word.said.kind
    if isinstance(word.said, Leave):
        query = "SELECT data FROM words WHERE match = ? AND seat = ? AND kind = ?"
        there = db.execute(query, (table, word.seat, kind)).fetchone()
        kind = kind if there is None or there[0] == word.data else f"{kind} {word.id.hex()}"
    db.execute(
        "INSERT INTO words VALUES (?, ?, ?, ?, ?) ON CONFLICT (match, seat, kind) DO UPDATE "
        "SET number = excluded.number, data = excluded.data WHERE excluded.number > number",
        (table, word.seat, kind, word.number, word.data),
    )


def _impostor(db: sqlite3.Connection, person: Acquaintance) -> bool:
    """Whether the name belongs to others, and this key is new."""
    if db.execute("SELECT 1 FROM people WHERE key = ?", (person.key,)).fetchone():
        return False
    return bool(db.execute("SELECT 1 FROM people WHERE name = ?", (person.name,)).fetchone())


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")
