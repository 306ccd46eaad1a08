"""A thing said on a link that is not yet a match's: a word, and fields behind it."""

import dataclasses
from dataclasses import dataclass
from typing import Any, ClassVar, Self, TypeVar

from p2p.net.errors import REFUSALS
from p2p.wire import codec
from p2p.wire.codec import DecodeError, encode


@dataclass(frozen=True)
class Message:
    """One line of the tables of protocol.md, sections 5 to 7: its fields in their order."""

    WORD: ClassVar[str]

    @classmethod
    def read(cls, rest: list[object]) -> Self:
        """From the received fields behind the word. Raises DecodeError.

        As it stands here each field is a plain value of just its type, without a limit.
        """
        kinds: Any = [one.type for one in dataclasses.fields(cls)]
        return cls(*codec.fields(rest, *kinds))

    def fields(self) -> list[object]:
        """What goes over the link behind the word."""
        return [getattr(self, one.name) for one in dataclasses.fields(self)]

    def value(self) -> list[object]:
        """The whole list."""
        return [self.WORD, *self.fields()]

    def encode(self) -> bytes:
        """The bytes of a frame."""
        return encode(self.value())


M = TypeVar("M", bound=Message)


@dataclass(frozen=True)
class No(Message):
    """Instead of going on: a word of errors.REFUSALS, or of mesh for a link that is not taken."""

    WORD = "no"
    word: str

    @classmethod
    def read(cls, rest: list[object]) -> Self:
        said = super().read(rest)
        codec.text(said.word, 32)
        return said


def read(value: object, *kinds: type[M], other: str = "a message out of turn") -> M:
    """The message, which must be of one of `kinds`. Raises DecodeError, for another: `other`."""
    if type(value) is not list or not value or type(value[0]) is not str:
        raise DecodeError("something else than a message of the lobby")
    for kind in kinds:
        if value[0] == kind.WORD:
            return kind.read(value[1:])
    raise DecodeError(other)


def heard(value: object) -> object:
    """What the dialled side said, unless it is a refusal: that is raised. Raises DecodeError."""
    if type(value) is list and len(value) == 2 and value[0] == No.WORD:
        no = No.read(value[1:])
        if no.word in REFUSALS:
            raise REFUSALS[no.word]()
    return value
