"""`allfives id`: the person's name and key, and moving them to another machine."""

from pathlib import Path

import click

from cli.commands.options import everywhere
from cli.files.home import Home
from cli.process.errors import DONE, usage
from cli.process.help import Commands
from cli.process.output import tell


@click.group("id", cls=Commands, invoke_without_command=True)
@everywhere
@click.option("--name", metavar="PERSON", help="Take this name from now on.")
@click.option("--json", "as_json", is_flag=True, help="As a JSON object.")
@click.pass_context
def identity(ctx: click.Context, name: str | None, as_json: bool) -> int:
    """Show your name and the fingerprint of your key."""
    if ctx.invoked_subcommand is not None:
        if name is not None or as_json:
            raise usage("--name and --json stand alone; leave out what follows.")
        return DONE
    home: Home = ctx.obj
    own = home.identity()
    if name is not None:
        from cli.files.identity import Identity, checked_person, write_identity

        own = Identity(checked_person(name), own.key)
        write_identity(home.identity_path, own)
    if as_json:
        from cli.telling.jsonlines import json_line

        print(json_line({"name": own.name, "key": own.fingerprint}), flush=True)
    else:
        tell(f"{own.name}, key {own.fingerprint}")
    return DONE


@identity.command("export")
@everywhere
@click.argument("file", type=click.Path(path_type=Path))
@click.pass_obj
def export_file(home: Home, file: Path) -> int:
    """Copy name and key to FILE. Whoever has it can play as you: keep it to yourself."""
    from cli.files.identity import export_identity

    own = home.identity()
    export_identity(own, file)
    tell(f"{own.name}, key {own.fingerprint}. Keep the file that has both to yourself: {file}")
    return DONE


@identity.command("import")
@everywhere
@click.argument("file", type=click.Path(path_type=Path))
@click.pass_obj
def import_file(home: Home, file: Path) -> int:
    """Take name and key from FILE; the key that was here before is kept beside it."""
    from cli.files.identity import read_identity, write_identity

    new = read_identity(file)
    with home.locked():
        old = home.identity() if home.identity_path.exists() else None
        if old is not None and old.key.public != new.key.public:
            write_identity(home.former_identity_path(old.fingerprint), old)
        write_identity(home.identity_path, new)
    tell(f"You are {new.name}, key {new.fingerprint}.")
    return DONE
