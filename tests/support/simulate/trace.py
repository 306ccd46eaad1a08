"""What happened in a simulated match, in order: hashed, and kept if somebody reads it."""

import hashlib


class Trace:
    """Lines with their time. Two runs of one seed give the same `digest` in any process."""

    def __init__(self, keep: bool = False) -> None:
        self._hash = hashlib.sha256()
        self._keep = keep
        self.lines: list[str] = []

    def add(self, now: float, what: str, data: bytes = b"") -> None:
        """Note what happened; `data` is named by its hash."""
        shown = f" {hashlib.sha256(data).hexdigest()[:12]}" if data else ""
        line = f"{now:10.3f}  {what}{shown}"
        self._hash.update(line.encode() + b"\n")
        if self._keep:
            self.lines.append(line)

    @property
    def digest(self) -> str:
        """64 hex digits that name all lines."""
        return self._hash.hexdigest()
