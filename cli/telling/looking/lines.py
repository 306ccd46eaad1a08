"""The lines of a text, taken one after another; what is refused is told with the line's number."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from engine.wording import quoted


class TextRefused(ValueError):
    """A text that tells no match; one clause, with the number of the line."""


@dataclass(frozen=True)
class Line:
    """A line that is not empty, and its number."""

    number: int
    text: str


class Lines:
    """A cursor over the lines that are not empty."""

    def __init__(self, text: str) -> None:
        rows = enumerate(text.split("\n"), 1)
        self._lines = [Line(at, row.strip()) for at, row in rows if row.strip()]
        self._at = 0

    @property
    def ended(self) -> bool:
        """Whether none is left."""
        return self._at == len(self._lines)

    def refuse(self, why: str) -> NoReturn:
        """The line that was taken last cannot be."""
        number = self._lines[max(self._at - 1, 0)].number if self._lines else 1
        raise TextRefused(f"line {number}: {why}")

    def next(self) -> Line:
        """The next one, which there has to be."""
        if self.ended:
            self.refuse("the text ends behind this line, where more has to follow")
        self._at += 1
        return self._lines[self._at - 1]

    def following(self, begin: str) -> Iterator[Line]:
        """The next ones that begin so."""
        while not self.ended and self._lines[self._at].text.startswith(begin):
            yield self.next()

    def told_of(self, name: str) -> str:
        """What stands in the next line, which is about that."""
        line = self.next()
        if not line.text.startswith(f"{name}: "):
            self.refuse(f"the tiles of {quoted(name)} have to stand here")
        return line.text.removeprefix(f"{name}: ").strip()

    def expect(self, line: Line, text: str) -> None:
        """That line says this, whatever its spaces."""
        if line.text.split() != text.split():
            self.refuse(f"{quoted(line.text)} does not follow; it would be {quoted(text)}")
