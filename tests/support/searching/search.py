"""Searches memory and disks for many things at once (Linux: /proc)."""

import os
import re
import signal
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from support.searching.forms import Forms

_WORD = 8
# Where so many bytes lie, a whole word of theirs lies at a multiple of eight.
_HAS_A_WORD = 2 * _WORD - 1
_PAGE = 4096
_ZEROS = bytes(_PAGE)


class Forbidden(Exception):
    """The kernel does not let us read that memory."""


class Search:
    """Finds those of some forms that stand in blocks of bytes, whatever lies around them.

    Each block is gone through once, word by word, and then searched only for that of which a word
    is there: 0.2 s for the memory of a seat, however many forms there are.
    """

    def __init__(self, forms: Forms) -> None:
        self.forms = forms
        self._short = {name for name, data in forms.items() if len(data) < _HAS_A_WORD}
        self._words: dict[int, set[str]] = {}
        for name in forms.keys() - self._short:
            for first in range(_WORD):
                word = forms[name][first : first + _WORD]
                self._words.setdefault(int.from_bytes(word, sys.byteorder), set()).add(name)
        self._wanted = set(self._words)

    def found_in(self, blocks: Iterable[bytes]) -> set[str]:
        """The names of the forms that are there."""
        found = set[str]()
        for block in blocks:
            whole = memoryview(block)[: len(block) // _WORD * _WORD].cast("Q")
            there = self._wanted.intersection(whole)
            named = self._short.union(*(self._words[word] for word in there))
            found |= {name for name in named - found if self.forms[name] in block}
        return found


def memory_of(pid: int) -> list[bytes]:
    """All memory of a child that it may write to, but for pages of zeros; it is stopped meanwhile.
    What can only be read came from files: the program and its libraries. Raises Forbidden."""
    os.kill(pid, signal.SIGSTOP)
    try:
        os.waitid(os.P_PID, pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        return list(_written(Path(f"/proc/{pid}")))
    except PermissionError as error:
        raise Forbidden(str(error)) from error
    finally:
        os.kill(pid, signal.SIGCONT)


def _written(process: Path) -> Iterator[bytes]:
    with (process / "mem").open("rb", buffering=0) as memory:
        for line in (process / "maps").read_text().splitlines():
            start, end, rights = re.split("[- ]", line, maxsplit=3)[:3]
            if rights.startswith("rw"):
                memory.seek(int(start, 16))
                yield from _filled(memory.read(int(end, 16) - int(start, 16)))


def _filled(mapping: bytes) -> Iterator[bytes]:
    """The pages that are not all zeros, those that lie side by side as one. To search zeros for
    addresses, which end in them, would take longer than all else."""
    first = 0
    for at in range(0, len(mapping), _PAGE):
        if mapping.startswith(_ZEROS, at):
            if first < at:
                yield mapping[first:at]
            first = at + _PAGE
    yield mapping[first:]


def files_in(*folders: Path) -> Iterator[bytes]:
    """What stands in all files of some folders and of those below."""
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            # Some go while we look.
            with suppress(FileNotFoundError):
                if stat.S_ISREG(path.lstat().st_mode):
                    yield path.read_bytes()


def open_files_of(pid: int) -> Iterator[bytes]:
    """What stands in the files that a process has open, also where no folder names them."""
    for handle in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):
            if stat.S_ISREG(handle.stat().st_mode):
                yield handle.read_bytes()
