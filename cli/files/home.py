"""The data folder: where it is, who may use it, and what lies in it."""

import os
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from cli.process.errors import Stop, usage
from cli.process.output import tell_aside

if TYPE_CHECKING:
    import sqlite3

    from cli.files.identity import Identity

VARIABLE = "ALLFIVES_HOME"


def find_folder(named: str | None) -> Path:
    """The folder of `--data-dir`, else of ALLFIVES_HOME, else where programs keep data here."""
    if named or os.environ.get(VARIABLE):
        return Path(named or os.environ[VARIABLE]).expanduser().absolute()
    from platformdirs import user_data_path

    return user_data_path("allfives", appauthor=False)


@dataclass(frozen=True)
class Home:
    """A data folder, and the names of the files in it. Nothing is made before it is needed."""

    folder: Path

    @property
    def store(self) -> Path:
        """The SQLite file of p2p.store."""
        return self.folder / "allfives.sqlite3"

    @property
    def identity_path(self) -> Path:
        """The file with the person's name and key."""
        return self.folder / "identity.json"

    def former_identity_path(self, fingerprint: str) -> Path:
        """The file that keeps an identity which another one has replaced."""
        return self.folder / f"identity-{fingerprint}.json"

    @property
    def config(self) -> Path:
        """The file with the person's defaults; it need not be there."""
        return self.folder / "config.toml"

    def check(self) -> None:
        """Stop if the folder is there and others could put a key or settings of theirs in it.

        That others may look into it is their owner's choice: what is secret is in closed files.
        """
        try:
            found = self.folder.stat()
        except OSError:
            return  # What is not there, or out of reach, is told by who makes it.
        if not hasattr(os, "geteuid"):
            return  # Windows keeps neither owners nor modes like these.
        if found.st_mode & stat.S_IWOTH:
            why = "can be written by everybody on this machine, so your key would not be safe there"
        elif found.st_uid != os.geteuid():
            why = "belongs to somebody else, so your key would not be safe there"
        else:
            return
        raise usage(
            f"The data folder {self.folder} {why}. Name a folder of your own with --data-dir."
        )

    def make(self) -> None:
        """Make the folder, for its owner alone; one that is there keeps its mode.

        Raises Stop if that cannot be, and as `check` does.
        """
        from p2p.private_files import make_folder  # not at the top: `--help` is to be quick

        try:
            make_folder(self.folder)
        except OSError as error:
            raise usage(
                f"The data folder {self.folder} cannot be made: {error.strerror}. "
                "Name another one with --data-dir."
            ) from error
        self.check()

    def identity(self) -> "Identity":
        """The person's identity, made at first start."""
        from cli.files.identity import own_identity

        self.make()
        try:
            self._close_keys()
            return own_identity(self.identity_path)
        except OSError as error:
            raise usage(
                f"The data folder {self.folder} cannot be written: {error.strerror}. "
                "Name another one with --data-dir."
            ) from error

    def _close_keys(self) -> None:
        """Keys that came here with loose modes, say by a copy, are their owner's alone again."""
        from p2p.crypto.identity import FINGERPRINT_DIGITS
        from p2p.private_files import close_to_others

        former = self.former_identity_path("[0-9a-f]" * FINGERPRINT_DIGITS).name
        for path in (self.identity_path, *self.folder.glob(former)):
            if path.exists() and close_to_others(path):
                told = f"{path} holds your key and was open to others; now only you can read it."
                tell_aside(told)

    def record_path(self, table: bytes) -> Path:
        """Where the record of a match goes when no file is named: records/DAY-TABLE.fives."""
        from p2p.private_files import make_folder

        folder = self.folder / "records"
        make_folder(folder)
        return folder / f"{datetime.now(UTC):%Y-%m-%d}-{table.hex()[:16]}.fives"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the folder: Stop if another process does.

        The lock is an open SQLite transaction on a file of its own: the system drops it however
        the process ends, on Linux, macOS and Windows alike.
        """
        self.make()
        with closing(self._open_lock()) as lock:
            self._take(lock)
            yield

    def is_free(self) -> bool:
        """Whether no process holds the folder."""
        try:
            with self.locked():
                return True
        except Stop:
            return False

    @property
    def lock_path(self) -> Path:
        """The file that is locked; it holds nothing."""
        return self.folder / "lock"

    def _open_lock(self) -> "sqlite3.Connection":
        import sqlite3  # not at the top: `--help` is to be quick

        try:
            return sqlite3.connect(self.lock_path, timeout=0, isolation_level=None)
        except sqlite3.Error as error:
            raise self._not_locked(error) from error

    def _take(self, lock: "sqlite3.Connection") -> None:
        import sqlite3

        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise usage(
                    f"Another allfives uses the data folder {self.folder} now. "
                    "Give this one a folder of its own with --data-dir."
                ) from None
            raise self._not_locked(error) from error

    def _not_locked(self, error: "sqlite3.Error") -> Stop:
        import sqlite3

        what = f"The data folder {self.folder} cannot be locked: {error}."
        if error.sqlite_errorcode in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            return usage(
                f"{what} Remove {self.lock_path} when no other allfives uses the folder; it holds "
                "nothing."
            )
        return usage(f"{what} Name another one with --data-dir.")
