"""`allfives tables`: the tables on the local network."""

import click

from cli.commands.options import everywhere
from cli.process.errors import DONE
from cli.process.kinds import Seconds
from cli.process.output import tell


@click.command()
@everywhere
@click.option(
    "--wait",
    metavar="S",
    type=Seconds(0, 60, min_open=True),
    default=2.0,
    help="How many seconds to look around (default 2).",
)
@click.option("--json", "as_json", is_flag=True, help="As a JSON list.")
def tables(wait: float, as_json: bool) -> int:
    """List the tables on the local network."""
    from cli.process.running import run
    from cli.table.lan import NOWHERE, joining_words, table_words, tables_line
    from p2p.net.find.discovery import browse
    from p2p.net.find.found import merged
    from p2p.net.link.addresses import on_network

    async def look() -> int:
        found = merged(await browse(wait))
        if as_json:
            print(tables_line(found), flush=True)
        else:
            lines = [*map(table_words, found), *joining_words(found)]
            none = "No tables were found" + ("." if on_network() else NOWHERE)
            tell(*(lines or [none]))
        return DONE

    return run(look)
