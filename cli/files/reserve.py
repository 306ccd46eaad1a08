"""Handles kept free for the end: what must be written then needs some, whatever peers do with the
others that this process may have."""

import os
from typing import Final

# The record and its folder, and what the store may open to note the end.
HANDLES: Final = 4


class Reserve:
    """Held from the begin of a match; who writes lets go of it first, and is not interrupted."""

    def __init__(self) -> None:
        self._handles: list[int] = []

    def hold(self) -> None:
        """Take what is not held yet, as far as there is any."""
        try:
            while len(self._handles) < HANDLES:
                self._handles.append(os.open(os.devnull, os.O_RDONLY))
        except OSError:
            return

    def release(self) -> None:
        """Let go of all."""
        while self._handles:
            os.close(self._handles.pop())
