"""`allfives resume`: back to an unfinished match."""

import sys
from typing import Any

import click

from cli.commands.options import (
    chosen_seat,
    everywhere,
    link_options,
    proxy_option,
    seat_options,
)
from cli.files.home import Home
from cli.process.piped import PIPED


@click.command()
@everywhere
@click.argument("table", required=False)
@link_options
@proxy_option
@seat_options
@click.pass_obj
def resume(
    home: Home,
    /,
    table: str | None,
    bind: str | None,
    port: int | None,
    proxy: str | None,
    **flags: Any,
) -> int:
    """Go on with a match that this program, or its machine, has left unfinished.

    TABLE is its name, or the beginning of its id as `allfives history` shows it; without it the
    only unfinished match. Your bots come back with you.
    """
    seat_choice = chosen_seat(**flags)
    from cli.commands.visitor import visitor_for
    from cli.process.lines import read_lines
    from cli.table.resume import Wanted, resume_visit

    can_ask = seat_choice.auto is None and sys.stdin.isatty()
    with visitor_for(home, seat_choice, read_lines(), table == PIPED) as visitor:
        return resume_visit(visitor, Wanted(table, bind, port, can_ask, proxy))
