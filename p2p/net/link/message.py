"""What is said on a link beside a match's talk: a shape's word, then its fields."""

from functools import partial
from typing import Annotated, TypeVar

from p2p.net.errors import REFUSALS
from p2p.wire import codec
from p2p.wire.codec import DecodeError
from p2p.wire.shape import Shape

S = TypeVar("S", bound=Shape)


class No(Shape, kind="no"):
    """Instead of going on: a word of errors.REFUSALS, or of mesh for a link that is not taken."""

    word: Annotated[str, partial(codec.text, most=32)]


def whole(said: Shape) -> list[object]:
    """The list that goes over the link."""
    return [said.kind, *said.value()]


def read(value: object, *shapes: type[S], other: str = "a message out of turn") -> S:
    """What was said, which must be one of `shapes`. Raises DecodeError, for another: `other`."""
    if type(value) is not list or not value or type(value[0]) is not str:
        raise DecodeError("something else than a message of the lobby")
    for shape in shapes:
        if shape.kind == value[0]:
            return shape.read(value[1:])
    raise DecodeError(other)


def heard(value: object) -> object:
    """What the dialled side said, unless it is a refusal: that is raised. Raises DecodeError."""
    if type(value) is list and len(value) == 2 and value[0] == No.kind:
        no = No.read(value[1:])
        if no.word in REFUSALS:
            raise REFUSALS[no.word]()
    return value
