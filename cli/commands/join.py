"""`allfives join`: take a seat at somebody's table."""

import sys
from typing import Any

import click

from cli.commands.options import (
    chosen_seat,
    everywhere,
    link_options,
    proxy_option,
    seat_options,
    table_option,
)
from cli.files.home import Home


@click.command()
@everywhere
@click.argument("where", metavar="[INVITE | ADDRESS[:PORT] CODE | CODE | -]", nargs=-1)
@table_option
@link_options
@proxy_option
@seat_options
@click.pass_obj
def join(
    home: Home,
    /,
    where: tuple[str, ...],
    table: str | None,
    bind: str | None,
    port: int | None,
    proxy: str | None,
    **flags: Any,
) -> int:
    """Take a seat at a table: by its invite, its address and code, or on the local network.

    A code may be typed as it is spoken: several words, in any case. On a terminal a missing one is
    asked for. `-` in place of it, or alone: the code or the invite is the first line of standard
    input, where no list of processes shows it.
    """
    seat_choice = chosen_seat(**flags)
    from cli.commands.visitor import tell_name, visitor_for
    from cli.process.lines import read_lines
    from cli.table.join import PIPED_CODE, Wanted, join_visit, understand

    place, code = understand(where)
    lines = read_lines()
    can_ask = seat_choice.auto is None and sys.stdin.isatty()
    with visitor_for(home, seat_choice, lines, code == PIPED_CODE) as visitor:
        tell_name(visitor, seat_choice)
        return join_visit(
            visitor, Wanted(place, code, table, bind, port, can_ask, proxy), visitor.lines
        )
