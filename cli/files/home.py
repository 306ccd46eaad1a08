"""The data folder: where it is, who may use it, and what lies in it."""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from cli.process.errors import Stop, usage

if TYPE_CHECKING:
    import sqlite3

    from cli.files.identity import Identity

FOLDER_MODE = 0o700
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

    @property
    def config(self) -> Path:
        """The file with the person's defaults; it need not be there."""
        return self.folder / "config.toml"

    def make(self) -> None:
        """Make the folder, for its owner alone. Raises Stop if that cannot be."""
        try:
            self.folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        except OSError as error:
            raise usage(
                f"The data folder {self.folder} cannot be made: {error.strerror}. "
                "Name another one with --data-dir."
            ) from error

    def identity(self) -> "Identity":
        """The person's identity, made at first start."""
        from cli.files.identity import own_identity

        self.make()
        try:
            return own_identity(self.identity_path)
        except OSError as error:
            raise usage(
                f"The data folder {self.folder} cannot be written: {error.strerror}. "
                "Name another one with --data-dir."
            ) from error

    def record_path(self, table: bytes) -> Path:
        """Where the record of a match goes when no file is named: records/DAY-TABLE.fives."""
        folder = self.folder / "records"
        folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
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

    def _open_lock(self) -> "sqlite3.Connection":
        import sqlite3  # not at the top: `--help` is to be quick

        try:
            return sqlite3.connect(self.folder / "lock", timeout=0, isolation_level=None)
        except sqlite3.Error as error:
            raise self._not_locked(error) from error

    def _take(self, lock: "sqlite3.Connection") -> None:
        import sqlite3

        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise usage(
                    f"Another allfives is using the data folder {self.folder}. "
                    "Give this one a folder of its own with --data-dir."
                ) from None
            raise self._not_locked(error) from error

    def _not_locked(self, error: Exception) -> Stop:
        return usage(f"The data folder {self.folder} cannot be locked: {error}.")
