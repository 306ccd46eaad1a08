"""`allfives replay`: a match from its record, with all opened hands in view."""

import click

from cli.errors import DONE, FAILED, usage
from cli.options import everywhere


@click.command()
@everywhere
@click.argument("record", metavar="RECORD")
@click.option("--json", "as_json", is_flag=True, help="One event a line, as JSON.")
@click.option("--text", is_flag=True, help="In notation that can be pasted and read back.")
def replay(record: str, as_json: bool, text: bool) -> int:
    """Tell a match from its record file (`-`: standard input), all opened hands in view.

    A faulty record is told up to its fault; `verify` says what is wrong with it.
    """
    if as_json and text:
        raise usage("--json and --text cannot both be had; leave one out.")
    from cli.checking import load_record
    from cli.jsonlines import event_line
    from cli.scene import Scene
    from cli.transcript import transcript
    from cli.words import say
    from p2p.session.record import RecordUnreadable
    from p2p.session.verify import replay_record

    try:
        events = replay_record(load_record(record))
    except RecordUnreadable as error:
        raise usage(f"{record}: {error}") from None
    if text:
        lines = transcript(events)
    elif as_json:
        lines = [line for event in events if (line := event_line(event)) is not None]
    else:
        scene = Scene()
        lines = []
        for event in events:
            scene.apply(event)
            lines += say(event, scene)
    print(*lines, sep="\n", flush=True)
    return DONE if events else FAILED
