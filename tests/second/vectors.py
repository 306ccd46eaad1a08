"""The vectors of section 20."""

import functools
import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent.parent / "vectors"


@functools.cache
def vectors(name: str) -> Any:
    """The content of a file of vectors."""
    return json.loads((FOLDER / f"{name}.json").read_text())


@functools.cache
def records() -> dict[str, bytes]:
    """The whole records of record.json by name."""
    return {one["name"]: bytes.fromhex(one["record"]) for one in vectors("record")["whole"]}


def small_records() -> list[bytes]:
    """Those that are short."""
    return [data for data in records().values() if len(data) < 40000]
