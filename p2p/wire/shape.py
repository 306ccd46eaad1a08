"""Lists whose fields have names: a frozen class says once what each field is and its limits.

A limit stands in the annotation, as in `tile: Annotated[int, partial(integer, high=27)]`: a check
that returns the value, or raises DecodeError.
"""

from collections.abc import Callable
from dataclasses import Field, dataclass, fields
from typing import Any, ClassVar, Self, dataclass_transform, get_args, get_origin, get_type_hints

from p2p.wire import codec

_PLAIN = (int, bool, bytes, str)


@dataclass_transform(frozen_default=True)
class Shape:
    """What a list says whose fields are those of a subclass, in order: a frozen dataclass.

    `kind` is the word that the list goes by.
    """

    kind: ClassVar[str]
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    _kinds: ClassVar[tuple[type, ...]]
    _checks: ClassVar[tuple[Callable[[Any], object], ...]]

    def __init_subclass__(cls, kind: str = "") -> None:
        dataclass(frozen=True)(cls)
        hints = get_type_hints(cls, include_extras=True)
        limits = [_kind_and_check(hints[field.name]) for field in fields(cls)]
        cls.kind = kind
        cls._kinds = tuple(kind for kind, _ in limits)
        cls._checks = tuple(check for _, check in limits)

    @classmethod
    def read(cls, value: object) -> Self:
        """What hostile data say. DecodeError: not so many fields, another kind, out of a limit."""
        make: Any = cls
        items: tuple[Any, ...] = codec.fields(value, *cls._kinds)
        made: Self = make(*[check(item) for check, item in zip(cls._checks, items, strict=True)])
        return made

    def value(self) -> list[object]:
        """The list; what has a `value()` of its own is written so."""
        return [_written(getattr(self, field.name)) for field in fields(self)]


def _written(item: Any) -> object:
    if isinstance(item, tuple):
        return [_written(one) for one in item]
    return item.value() if hasattr(item, "value") else item


def _kind_and_check(hint: Any) -> tuple[type, Callable[[Any], object]]:
    """What a field is in a list (`object` if it may be several kinds), and its limits."""
    kind, check = get_args(hint) if hasattr(hint, "__metadata__") else (hint, lambda item: item)
    if get_origin(kind) is tuple:
        return list, check
    return kind if kind in _PLAIN else object, check
