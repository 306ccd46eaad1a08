"""`allfives host`: open a table for others."""

from typing import Any

import click

from cli.commands import options
from cli.files.home import Home
from cli.process.errors import usage
from cli.process.kinds import Whole
from engine.seats import MAX_SEATS


@click.command()
@options.everywhere
@options.players_option("Seats in all, you and bots included (default 2, with --partners 4).")
@click.option(
    "--bots", metavar="K", type=Whole(0, MAX_SEATS - 1), default=0, help="Bots among them."
)
@options.bot_options
@click.option("--name", metavar="TABLE", help="The name of the table; yours is `id --name`'s.")
@options.link_options
@click.option(
    "--advertise",
    metavar="NAME[:PORT]",
    help="A name or outer address that leads here; the invite has it too.",
)
@click.option("--code", metavar="WORDS", help="The code to join with (default: made up).")
@click.option("--open", "is_open", is_flag=True, help="No code: anyone who reaches it may sit.")
@click.option("--no-watch", is_flag=True, help="Nobody may look on.")
@options.terms_option
@click.option("--no-lan", is_flag=True, help="Do not announce the table on the local network.")
@options.rules_options
@options.seat_options
@click.pass_obj
def host(
    home: Home,
    /,
    players: int,
    bots: int,
    level: str,
    name: str | None,
    bind: str | None,
    port: int | None,
    advertise: str | None,
    code: str | None,
    is_open: bool,
    no_lan: bool,
    **flags: Any,
) -> int:
    """Open a table, wait until all seats are taken, play."""
    terms, (rules_choice, seat_choice) = options.chosen_terms(flags), options.chosen(flags)
    players = _checked(players, bots, rules_choice, is_open and code is not None)
    from cli.commands.visitor import tell_name, visitor_for
    from cli.process.lines import read_lines
    from cli.table.bots import Bots
    from cli.table.host import NewTable, host_visit, new_code
    from cli.table.seating import checked_code, checked_table_name, make_rules

    rules = make_rules(rules_choice.preset, players, rules_choice.settings, "--players {}".format)
    table_code = None if is_open else checked_code(code) if code is not None else new_code()
    with visitor_for(home, seat_choice, read_lines()) as visitor:
        offer = NewTable(
            name=checked_table_name(name, visitor.identity.name),
            rules=rules,
            code=table_code,
            bind=bind,
            port=port,
            lan=not no_lan,
            advertise=advertise,
            terms=terms,
            bots=Bots(bots, level, seat_choice.think, seat_choice.paced),
        )
        tell_name(visitor, seat_choice)
        return host_visit(visitor, offer)


def _checked(players: int, bots: int, rules: options.RulesChoice, open_with_code: bool) -> int:
    """How many play. Raises Stop for what does not go together."""
    players = options.counted("players", players, rules, MAX_SEATS)
    if bots >= players:
        raise usage(f"Of {players} players one is you, so at most {players - 1} can be bots.")
    if open_with_code:
        raise usage("An --open table has no code; leave one of the two out.")
    return players
