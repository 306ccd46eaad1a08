"""`allfives join`: take a seat at somebody's table."""

import sys
from typing import Any

import click

from cli.commands.options import chosen_door, chosen_seat, door_options, everywhere, seat_options
from cli.files.home import Home
from cli.process.piped import PIPED


@click.command()
@everywhere
@door_options
@seat_options
@click.pass_obj
def join(home: Home, /, **flags: Any) -> int:
    """Take a seat at a table: by its invite, its address and code, or on the local network.

    A code may be typed as it is spoken: several words, in any case. On a terminal a missing one is
    asked for. `-` in place of it, or alone: the code or the invite is the first line of standard
    input, where no list of processes shows it.
    """
    wanted = chosen_door(flags, sys.stdin.isatty() and flags["auto"] is None)
    seat_choice = chosen_seat(**flags)
    from cli.commands.visitor import tell_name, visitor_for
    from cli.process.lines import read_lines
    from cli.table.joining.join import join_visit

    with visitor_for(home, seat_choice, read_lines(), wanted.code == PIPED) as visitor:
        tell_name(visitor, seat_choice)
        return join_visit(visitor, wanted, visitor.lines)
