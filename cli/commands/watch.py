"""`allfives watch`: look on at somebody's table."""

import sys
from pathlib import Path
from typing import Any

import click

from cli.commands.options import (
    SeatChoice,
    chosen_door,
    chosen_look,
    door_options,
    everywhere,
    onlooker_options,
    record_option,
)
from cli.files.home import Home


@click.command()
@everywhere
@door_options
@record_option
@click.option("--json", "as_json", is_flag=True, help="Events as JSON lines.")
@onlooker_options
@click.pass_obj
def watch(
    home: Home,
    /,
    record: Path | None,
    as_json: bool,
    plain: bool,
    mouse: bool,
    **flags: Any,
) -> int:
    """Look on at a table, without a seat: found and let in as by `join`, with the same code.

    You see what all see, and nobody's tiles; you may come in the middle. `--bind` and `--port` are
    taken as on `join`: nobody dials who looks on.
    """
    from cli.commands.visitor import visitor_for
    from cli.process.lines import read_lines
    from cli.table.onlooking.looking import watch_visit

    wanted = chosen_door(flags, not as_json and sys.stdin.isatty())
    choice = SeatChoice(
        record=record, plain=plain, look=chosen_look(flags), mouse=mouse, as_json=as_json
    )
    with visitor_for(home, choice, read_lines()) as visitor:
        return watch_visit(visitor, wanted, visitor.lines)
