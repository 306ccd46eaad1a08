"""The file of the store: how it is recognised, its tables, how an earlier one is carried over.

Everything here works on an open connection; what is kept when is p2p.store's.
"""

import os
import sqlite3
from pathlib import Path
from typing import Final

from p2p.private_files import FILE_MODE, close_to_others, make_folder

# "alfv": marks the file as ours (SQLite file format, section 1.3.17).
APPLICATION_ID: Final = 0x616C6676
SCHEMA_VERSION: Final = 3
_LOGS: Final = ("-wal", "-shm")
# Of pages in memory, KiB: what is written is hardly ever read again.
CACHE_KIB: Final = 256

# What a match goes on from, in addition to its row: messages by `number` in the order in which they
# were taken. `place` is the encoded Place, which only one message has that is no `evidence`.
_GOING_ON: Final = """
CREATE TABLE messages (
    number INTEGER PRIMARY KEY, match BLOB NOT NULL REFERENCES matches (id), id BLOB NOT NULL,
    place BLOB NOT NULL, evidence INTEGER NOT NULL, data BLOB NOT NULL, UNIQUE (match, id)
);
CREATE UNIQUE INDEX places ON messages (match, place) WHERE NOT evidence;
CREATE TABLE secrets (
    match BLOB NOT NULL REFERENCES matches (id), deal INTEGER NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY (match, deal)
);
CREATE TABLE words (
    match BLOB NOT NULL REFERENCES matches (id), seat INTEGER NOT NULL, kind TEXT NOT NULL,
    number INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (match, seat, kind)
);
CREATE TABLE graces (
    match BLOB NOT NULL REFERENCES matches (id), seat INTEGER NOT NULL, seconds REAL NOT NULL,
    PRIMARY KEY (match, seat)
);
CREATE TABLE finals (
    match BLOB NOT NULL REFERENCES matches (id), step INTEGER NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY (match, step)
);
CREATE TABLE ways (
    match BLOB PRIMARY KEY REFERENCES matches (id), me INTEGER NOT NULL, first BLOB NOT NULL,
    secret BLOB NOT NULL, roster BLOB NOT NULL, port INTEGER NOT NULL, notes TEXT NOT NULL
);
"""
# All tables that belong to a match that still goes on.
GOING_ON: Final = ("messages", "secrets", "words", "graces", "finals", "ways")

_NEW: Final = f"""
BEGIN IMMEDIATE;
CREATE TABLE matches (
    id BLOB PRIMARY KEY, description BLOB NOT NULL, opened TEXT NOT NULL, state TEXT NOT NULL,
    players TEXT NOT NULL, scores TEXT NOT NULL, record TEXT, name TEXT NOT NULL DEFAULT '',
    out TEXT NOT NULL DEFAULT '{{}}'
);
CREATE TABLE people (key BLOB PRIMARY KEY, name TEXT NOT NULL, met TEXT NOT NULL);
{_GOING_ON}
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {SCHEMA_VERSION};
COMMIT;
"""

# History and people stay. A match of version 1 that a killed program left cannot be gone on with:
# that program kept neither roster nor secret of the table, and spoke another version.
_OLD_GOES: Final = """
BEGIN IMMEDIATE;
ALTER TABLE matches ADD COLUMN name TEXT NOT NULL DEFAULT '';
UPDATE matches SET state = 'broken' WHERE state = 'unfinished';
DROP TABLE messages;
DROP TABLE secrets;
"""
_NEW_COMES: Final = f"""
{_GOING_ON}
PRAGMA user_version = 2;
COMMIT;
"""
# Version 2 did not note who went out of a match, and why.
_OUT_COMES: Final = f"""
BEGIN IMMEDIATE;
ALTER TABLE matches ADD COLUMN out TEXT NOT NULL DEFAULT '{{}}';
PRAGMA user_version = {SCHEMA_VERSION};
COMMIT;
"""


class StoreError(Exception):
    """The file cannot be used; the text is one or two sentences for the person."""


def opened(path: Path) -> sqlite3.Connection:
    """The store in `path`, made when it is missing. Raises StoreError."""
    try:
        _prepare_file(path)
        db = sqlite3.connect(path, isolation_level=None)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"{path} cannot be opened: {reason(error)}.") from error
    try:
        _recognise(path, db)
    except sqlite3.Error as error:
        db.close()
        raise StoreError(_unusable(path, error)) from error
    except StoreError:
        db.close()
        raise
    return db


def _recognise(path: Path, db: sqlite3.Connection) -> None:
    """Check whose file it is, make or renew its tables, set how it is written."""
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    (objects,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application != APPLICATION_ID and (application or objects):
        raise StoreError(f"{path} is a database of another program; move it away.")
    if version > SCHEMA_VERSION:
        raise StoreError(f"{path} was written by a later allfives; update this one.")
    db.execute("PRAGMA secure_delete = ON")
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA foreign_keys = ON")
    db.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
    (state,) = db.execute("PRAGMA quick_check(1)").fetchone()
    if state != "ok":
        raise StoreError(_damaged(path))
    if not objects:
        db.executescript(_NEW)
    elif version == 1:
        db.executescript(_OLD_GOES + _NEW_COMES + _OUT_COMES)
    elif version == 2:
        db.executescript(_OUT_COMES)
    # What a program that was killed has deleted stands in its log until that is emptied.
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _prepare_file(path: Path) -> None:
    """Folder and file with their modes; SQLite gives its log files the mode of the main file, but
    those that a killed program has left keep the one they have."""
    make_folder(path.parent)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, FILE_MODE))
    for file in (path, *(path.with_name(path.name + log) for log in _LOGS)):
        if file.exists():
            close_to_others(file)


def reason(error: Exception) -> str:
    """Why something failed, as the system says it."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error)


def _unusable(path: Path, error: sqlite3.Error) -> str:
    """Only what the file holds is a reason to move it away, no full disk and no lock."""
    primary = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    if primary in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return _damaged(path)
    return f"{path} cannot be opened: {reason(error)}."


def _damaged(path: Path) -> str:
    return f"{path} is damaged or no database; move it away and a new one is made."
