"""`allfives watch`: look on at somebody's table."""

import sys
from pathlib import Path
from typing import Any

import click

from cli.commands.options import (
    SeatChoice,
    chosen_look,
    everywhere,
    link_options,
    onlooker_options,
    proxy_option,
    record_option,
    table_option,
)
from cli.files.home import Home


@click.command()
@everywhere
@click.argument("where", metavar="[INVITE | ADDRESS[:PORT] CODE | CODE | -]", nargs=-1)
@table_option
@link_options
@proxy_option
@record_option
@click.option("--json", "as_json", is_flag=True, help="Events as JSON lines.")
@onlooker_options
@click.pass_obj
def watch(
    home: Home,
    /,
    where: tuple[str, ...],
    table: str | None,
    bind: str | None,
    port: int | None,
    proxy: str | None,
    record: Path | None,
    as_json: bool,
    plain: bool,
    mouse: bool,
    **look: Any,
) -> int:
    """Look on at a table, without a seat: found and let in as by `join`, with the same code.

    You see what all see, and nobody's tiles; you may come in the middle. `--bind` and `--port` are
    taken as on `join`: nobody dials who looks on.
    """
    from cli.commands.visitor import visitor_for
    from cli.process.lines import read_lines
    from cli.table.join import Wanted, understand
    from cli.table.onlooking.looking import watch_visit

    place, code = understand(where)
    lines = read_lines()
    can_ask = not as_json and sys.stdin.isatty()
    choice = SeatChoice(
        record=record, plain=plain, look=chosen_look(look), mouse=mouse, as_json=as_json
    )
    with visitor_for(home, choice, lines) as visitor:
        wanted = Wanted(place, code, table, bind, port, can_ask, proxy)
        return watch_visit(visitor, wanted, visitor.lines)
