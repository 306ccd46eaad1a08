"""`allfives replay`: a match from its record or its text, with all opened hands in view."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.commands.options import chosen_look, everywhere, onlooker_options
from cli.files.home import Home
from cli.process.errors import DONE, Stop, usage
from cli.process.kinds import Seconds
from cli.process.output import tell, tell_aside
from cli.process.waiting import unheard_keys

if TYPE_CHECKING:
    from cli.telling.looking.advice import Advised
    from cli.telling.looking.played import PlayedMatch


@click.command()
@everywhere
@click.argument("record", metavar="[RECORD]", required=False, type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="One event a line, as JSON.")
@click.option("--text", is_flag=True, help="In notation that can be pasted and read back.")
@click.option(
    "--html",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write one page for a browser there, which needs no network.",
)
@click.option("--advice", is_flag=True, help="At each move the best one by `hard`.")
@click.option(
    "--pace",
    metavar="SECONDS",
    type=Seconds(0, 60),
    default=1.0,
    help="How long a step stays while the match plays by itself (default 1).",
)
@onlooker_options
@click.pass_obj
def replay(
    home: Home,
    /,
    record: str | None,
    as_json: bool,
    text: bool,
    html: Path | None,
    advice: bool,
    plain: bool,
    pace: float,
    mouse: bool,
    **flags: Any,
) -> int:
    """Tell a match from its record (`-`: standard input; or the beginning of its table's id) or
    from the text of `--text`, all opened hands in view; without one, your last match.

    A faulty record is told up to its fault; `verify` says what is wrong with it. A text proves
    nothing, and is followed as far as the rules allow: to its end or not at all.
    """
    _check_forms(as_json, text, html, advice)
    match = _load(_named(home, record))
    beside = _advice(match, plain) if advice else None
    leaver = _leaver(home, match)
    if html is not None:
        _write_page(html, match, beside, leaver)
        return DONE
    if not (as_json or text or plain):
        from cli.screen.terminal import is_screen

        if is_screen():
            from cli.screen.replay import run_replay

            return run_replay(match.events, chosen_look(flags), beside, pace, mouse, leaver)
    if as_json or text:
        _print(match, text, beside)
    else:
        _tell(match, beside, leaver)
    return DONE


def _check_forms(as_json: bool, text: bool, html: Path | None, advice: bool) -> None:
    forms = {"--json": as_json, "--text": text, "--html": html is not None}
    wanted = [name for name, is_wanted in forms.items() if is_wanted]
    if len(wanted) > 1:
        raise usage(f"{wanted[0]} and {wanted[1]} cannot both be had; leave one out.")
    if text and advice:
        raise usage("--text tells the moves alone, so it has no --advice; leave one out.")
    if html is not None and html.exists():
        raise usage(f"{html} is there already; name a new file.")


def _named(home: Home, record: str | None) -> str:
    """The file that is meant. Raises Stop."""
    from cli.files.history import last_record, record_named

    return record_named(home, record) if record is not None else str(last_record(home))


def _leaver(home: Home, match: "PlayedMatch") -> int | None:
    """The own seat, if it left this match; a text may be of anybody's."""
    from cli.files.history import left_seat

    return None if match.report is None else left_seat(home, match.table)


def _load(name: str) -> "PlayedMatch":
    """The match of a file; who waits for the checks of a long one is told so. Raises Stop."""
    from cli.files.history import unread
    from cli.telling.looking.played import PROVES_NOTHING, Untold, read_match, read_whole

    try:
        with click.open_file(name, "rb") as file:
            data = read_whole(file)
        _say_meanwhile("Checking the match ...")
        match = read_match(data)
    except Untold as error:
        raise usage(f"{name}: {error}") from None
    except OSError as error:
        raise usage(f"{name} {unread(name, error)}") from error
    if not match.began:
        raise Stop(f"Nothing of {name} can be told; `allfives verify` says what is wrong.")
    if match.report is None:
        tell_aside(PROVES_NOTHING)
    return match


def _advice(match: "PlayedMatch", plain: bool) -> Mapping[int, "Advised"]:
    from cli.telling.looking.advice import advise_all

    _say_meanwhile("Looking at each move as `hard` would; this may take some seconds ...")
    with unheard_keys():
        return advise_all(match.events, done=_counted_in_lines if plain else _counted)


def _counted(number: int, of: int) -> None:
    """Who waits is shown how far it is, in one row that stays."""
    if sys.stderr.isatty():
        end = "\n" if number == of else ""
        print(f"\rMove {number} of {of}", end=end, file=sys.stderr, flush=True)


def _counted_in_lines(number: int, of: int) -> None:
    """The same where no row is written over: four times in all."""
    quarter = 4 * number // of
    if sys.stderr.isatty() and quarter > 4 * (number - 1) // of:
        tell_aside(f"Move {number} of {of}")


def _say_meanwhile(sentence: str) -> None:
    if sys.stderr.isatty():
        tell_aside(sentence)


def _tell(match: "PlayedMatch", advice: Mapping[int, "Advised"] | None, leaver: int | None) -> None:
    from cli.telling.looking.transcript import told

    tell(*told(match.events, advice, leaver))


def _print(match: "PlayedMatch", text: bool, advice: Mapping[int, "Advised"] | None) -> None:
    from cli.telling.looking.transcript import json_lines, transcript

    lines = transcript(match.events) if text else json_lines(match.events, advice)
    print(*lines, sep="\n", flush=True)


def _write_page(
    path: Path,
    match: "PlayedMatch",
    advice: Mapping[int, "Advised"] | None,
    leaver: int | None,
) -> None:
    """Raises Stop."""
    from cli.files import whole
    from cli.page.page import Shown, make_page
    from cli.telling.looking.played import PROVES_NOTHING, shuffles
    from cli.telling.report import report_sentences

    verdict = [PROVES_NOTHING] if match.report is None else report_sentences(match.report)
    page = make_page(Shown(match.events, advice, verdict, shuffles(match.events), leaver))
    try:
        whole.write_new(path, page.encode())
    except FileExistsError:
        raise usage(f"{path} is there already; name a new file.") from None
    except OSError as error:
        raise usage(f"{path} cannot be written: {error.strerror}.") from error
    tell(f"The match is written; open it in any browser: {path}")
