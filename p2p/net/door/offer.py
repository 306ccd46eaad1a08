"""The table that a host opens."""

from dataclasses import dataclass, field

from engine.rules import Rules


@dataclass(frozen=True)
class TableOffer:
    """What is played at the table, and what lets people in. `code` None: an open table."""

    table_name: str
    rules: Rules
    code: str | None = field(repr=False)
    invite_secret: bytes = field(repr=False)
