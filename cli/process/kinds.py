"""The kinds of values behind options, whose refusals say what is allowed."""

import math
from collections.abc import Sequence
from typing import Any, Final

import click

from engine.wording import allowed, quoted

CLAIM_SECONDS: Final = 8
# A missing answer counts as a lost peer after 30 seconds.
MOST_CLAIM_SECONDS: Final = 20


class NotAllowed(click.BadParameter):
    """Its message goes on behind "OPTION cannot be "."""


def _refuse(
    value: object, what: str, param: click.Parameter | None, ctx: click.Context | None
) -> NotAllowed:
    return NotAllowed(f"{quoted(str(value))}: {what}", ctx, param)


class Whole(click.IntRange):
    """A whole number from `min` to `max`, or of at least `min`."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number; a refusal for what is none."""
        try:
            return int(super().convert(value, param, ctx))
        except click.BadParameter:
            to = f"from {self.min} to {self.max}" if self.max is not None else f"from {self.min} on"
            raise _refuse(value, f"allowed is a whole number {to}", param, ctx) from None


class Seconds(click.FloatRange):
    """A number of seconds; unlike its base it does not take "nan", which no bound keeps out."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number; a refusal for what is none."""
        try:
            number = float(super().convert(value, param, ctx))
        except click.BadParameter:
            number = math.nan
        if math.isnan(number):
            least = f"above {self.min:g}" if self.min_open else f"from {self.min:g}"
            to = " on" if self.max is None else f" to {self.max:g}"
            raise _refuse(value, f"allowed is a number of seconds {least}{to}", param, ctx)
        return number


class OneOf(click.Choice[str]):
    """One of some words."""

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__(words)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The word; a refusal for any other, with the one that is near."""
        try:
            return str(super().convert(value, param, ctx))
        except click.BadParameter:
            words = [str(one) for one in self.choices]
            raise _refuse(value, allowed(str(value), words), param, ctx) from None


class YesNo(click.types.BoolParamType):
    """Yes or no, as a setting says it of a flag."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> bool:
        """Which of both; a refusal for anything else."""
        try:
            return bool(super().convert(value, param, ctx))
        except click.BadParameter:
            raise _refuse(value, "allowed is yes or no", param, ctx) from None
