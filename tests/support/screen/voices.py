"""A voice that nobody hears, for seats without a table."""

from typing import Final

from cli.table.seat import Voice


def _nothing(_: object) -> None:
    """Nobody hears it."""


SILENT: Final = Voice(_nothing, _nothing)
