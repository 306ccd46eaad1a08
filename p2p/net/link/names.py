"""Names of people and tables: labels only, but safe to print on a terminal."""

from p2p.net.errors import BadName
from p2p.session.state import table


def check_name(name: str) -> str:
    """`name` itself if it is 1 to 24 printable characters in Unicode's form C; else BadName."""
    try:
        return table.check_name(name)
    except table.TableError as error:
        raise BadName(str(error)) from None
