"""`allfives history`: the matches that were played here, and what came of them."""

import sys
from pathlib import Path

import click

from cli.commands.options import everywhere
from cli.files.home import Home
from cli.process.answers import yes_or_no
from cli.process.errors import DONE, usage
from cli.process.help import Commands
from cli.process.output import ask, tell


@click.group("history", cls=Commands, invoke_without_command=True)
@everywhere
@click.option("--json", "as_json", is_flag=True, help="As a JSON list.")
@click.pass_context
def history(ctx: click.Context, as_json: bool) -> int:
    """List your matches, the latest last, and the results by opponent.

    An opponent is known by the key, whatever the name. `allfives replay` and `allfives verify`
    without a file take the last match.
    """
    if ctx.invoked_subcommand is not None:
        if as_json:
            raise usage("--json stands alone; leave out what follows.")
        return DONE
    from cli.commands.own.past import history_line
    from cli.files.history import past_matches

    home: Home = ctx.obj
    matches = past_matches(home)
    if as_json:
        print(history_line(matches), flush=True)
    else:
        tell(*history_words(home))
    return DONE


def history_words(home: Home) -> list[str]:
    """The history for people, in lines. Raises Stop."""
    from cli.commands.own.past import match_words, results, series
    from cli.files.history import past_matches

    matches = past_matches(home)
    if not matches:
        return ["No match has been played here yet. `allfives play` begins one against a bot."]
    lines = [match_words(one) for one in matches]
    against, runs = results(matches), series(matches)
    if against:
        lines += ["", "Against:", *(f"  {one.words()}" for one in against)]
    if runs:
        lines += ["", "In a row with the same people:", *(f"  {one}" for one in runs)]
    folder = home.folder / "records"
    return [*lines, "", f"Records lie here, unless --record named another place: {folder}"]


@history.command("export")
@everywhere
@click.argument("table")
@click.argument("file", type=click.Path(path_type=Path))
@click.pass_obj
def export_record(home: Home, table: str, file: Path) -> int:
    """Copy the record of a match to FILE, to give it to others.

    TABLE is the name of its table, the beginning of its id, as `allfives history` shows it, or
    `last`.
    """
    from cli.files.history import export, find, past_matches

    match = find(past_matches(home), table)
    export(match, file)
    tell(f"The record of table {match.table} is here: {file}")
    return DONE


def _agrees(question: str) -> bool:
    """Whether the person says yes."""
    try:
        return yes_or_no(ask(question)) is True
    except EOFError:
        tell("")
        return False


@history.command("delete")
@everywhere
@click.argument("table")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def delete_match(home: Home, table: str, yes: bool) -> int:
    """Forget a match and remove its record. TABLE as for `export`."""
    from cli.commands.own.past import match_words
    from cli.files.history import delete, find, past_matches

    match = find(past_matches(home), table)
    if not yes:
        if not sys.stdin.isatty():
            raise usage("There is nobody to ask; --yes deletes without a question.")
        lost = " Nobody can go on with it then." if match.state == "unfinished" else ""
        tell(match_words(match))
        if not _agrees(f"Delete this match?{lost} Type yes, or Enter to keep it."):
            tell("Nothing is deleted.")
            return DONE
    with home.locked():
        kept = delete(home, match)
    where = f" Its record stays here: {kept}" if kept else ""
    tell(f"Table {match.table} is deleted.{where}")
    return DONE
