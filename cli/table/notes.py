"""What a program notes of its stay at a table, so that a later one can take the seat again."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Self

from cli.files.record import numbered


@dataclass(frozen=True)
class Crew:
    """The bots that somebody brought to a table: the folder in the data folder where each has its
    own, their names, level, how long they think, and how long they wait before a move."""

    folder: str
    names: tuple[str, ...]
    level: str
    think: float
    pace: float = 0.0


@dataclass(frozen=True)
class Door:
    """What lets people in at the host's: the code, None where the table is open, and the secret of
    the invite in hexadecimal. It is kept only while its match goes on."""

    code: str | None = field(repr=False)
    invite: str = field(repr=False)


@dataclass(frozen=True)
class Notes:
    """`table`: its name. `bind`: the address that was to be listened at, None for all. `record`:
    where the records of the stay were to go, None for the data folder; `match`: which match of the
    stay it is, from 1; `door`: of the host, for those who come to look on; `lan`: whether the
    local network is told that somebody is here."""

    table: str = ""
    bind: str | None = None
    record: str | None = None
    crew: Crew | None = None
    match: int = 1
    door: Door | None = None
    lan: bool = True

    @property
    def record_path(self) -> Path | None:
        """Where the record of this match was to go."""
        return None if self.record is None else numbered(Path(self.record), self.match)

    def text(self) -> str:
        """As JSON, for the store."""
        return json.dumps(asdict(self))

    @classmethod
    def read(cls, text: str) -> Self:
        """What `text` wrote."""
        fields = json.loads(text)
        crew = fields.pop("crew", None)
        if crew is not None:
            crew = Crew(**{**crew, "names": tuple(crew["names"])})
        door = fields.pop("door", None)
        return cls(**fields, crew=crew, door=None if door is None else Door(**door))
