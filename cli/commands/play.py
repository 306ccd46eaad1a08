"""`allfives play`: a table on this machine, against bots."""

from typing import Any

import click

from cli.commands import options
from cli.files.home import Home
from cli.process.kinds import Whole
from engine.seats import MAX_SEATS


@click.command()
@options.everywhere
@click.option(
    "--bots",
    metavar="N",
    type=Whole(1, MAX_SEATS - 1),
    default=1,
    help="How many (default 1, with --partners 3).",
)
@options.bot_options
@options.terms_option
@options.rules_options
@options.seat_options
@click.pass_obj
def play(home: Home, /, bots: int, level: str, **flags: Any) -> int:
    """Play against bots on this machine, each a real peer in a process of its own."""
    terms = options.chosen_terms(flags)
    rules_choice, seat_choice = options.chosen(flags)
    bots = options.counted("bots", bots, rules_choice, MAX_SEATS - 1)
    from cli.commands.visitor import tell_name, visitor_for
    from cli.process.lines import read_lines
    from cli.table.bots import Bots
    from cli.table.host import LOOPBACK, NewTable, host_visit, new_code
    from cli.table.seating import make_rules
    from p2p.net.link.listen import ANY_PORT

    rules = make_rules(
        rules_choice.preset, bots + 1, rules_choice.settings, lambda seats: f"--bots {seats - 1}"
    )
    with visitor_for(home, seat_choice, read_lines()) as visitor:
        offer = NewTable(
            name="home",
            rules=rules,
            code=new_code(),
            bind=LOOPBACK,
            port=ANY_PORT,
            lan=False,
            terms=terms,
            bots=Bots(bots, level, seat_choice.think, seat_choice.paced),
            told=False,
        )
        tell_name(visitor, seat_choice)
        return host_visit(visitor, offer)
