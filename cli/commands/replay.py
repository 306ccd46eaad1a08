"""`allfives replay`: a match from its record, with all opened hands in view."""

from typing import Any

import click

from cli.commands.options import chosen_look, everywhere, look_options
from cli.files.home import Home
from cli.process.errors import DONE, Stop, usage


@click.command()
@everywhere
@click.argument("record", metavar="[RECORD]", required=False, type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="One event a line, as JSON.")
@click.option("--text", is_flag=True, help="In notation that can be pasted and read back.")
@look_options
@click.pass_obj
def replay(home: Home, /, record: str | None, as_json: bool, text: bool, **flags: Any) -> int:
    """Tell a match from its record file (`-`: standard input), all opened hands in view; without
    one, your last match.

    A faulty record is told up to its fault; `verify` says what is wrong with it.
    """
    if as_json and text:
        raise usage("--json and --text cannot both be had; leave one out.")
    from cli.commands.checking import load_record
    from cli.files.history import last_record
    from cli.telling.transcript import json_lines, told, transcript
    from p2p.session.record import RecordUnreadable
    from p2p.session.verify import replay_record

    record = record or str(last_record(home))
    try:
        events = replay_record(load_record(record))
    except RecordUnreadable as error:
        raise usage(f"{record}: {error}") from None
    if not events:
        raise Stop(f"Nothing of {record} can be told; `allfives verify` says what is wrong.")
    if not (as_json or text):
        from cli.screen.terminal import is_screen

        if is_screen():
            from cli.screen.replay import run_replay

            return run_replay(events, chosen_look(flags))
    show = transcript if text else json_lines if as_json else told
    print(*show(events), sep="\n", flush=True)
    return DONE
