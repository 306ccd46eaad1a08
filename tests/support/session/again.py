"""How a whole table agrees on another match."""

from support.session.sittings import Hall

from p2p.session.sitting.owner import Again
from p2p.session.state.table import Table


def agree(hall: Hall) -> list[Table]:
    """Everybody asks; the next table, as each sees it."""
    hall.offer()
    for one in hall.sitters:
        hall.wish(one.place, Again())
    hall.deliver()
    found = [one.last.following for one in hall.sitters]
    return [following.table for following in found if following and following.table]
