"""Notices for seats without a table."""

from support.engine.matches import players

from engine.rules import Rules
from p2p.session.sitting.owner import Began
from p2p.session.state.table import Person, Table


def began(me: int | None = 0, count: int = 2) -> Began:
    """A classic match of Ana, Ben, Cleo and Dan begins, as the seat `me` sees it (None: nobody)."""
    people = tuple(
        Person(player.key, player.name, bytes([player.seat]) * 32) for player in players(count)
    )
    return Began(Table(Rules.make("classic", count), people), me)
