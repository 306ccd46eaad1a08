"""The table that a host opens."""

from collections.abc import Collection
from dataclasses import dataclass, field

from engine.rules import Rules
from p2p.session.state.table import USUAL_TERMS, Terms


@dataclass(frozen=True)
class TableOffer:
    """What is played at the table, and what lets people in. `code` None: an open table.

    `bots`: the keys of the host's own, also of those that start later.
    """

    table_name: str
    rules: Rules
    code: str | None = field(repr=False)
    invite_secret: bytes = field(repr=False)
    terms: Terms = USUAL_TERMS
    bots: Collection[bytes] = ()
