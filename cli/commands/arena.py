"""`allfives arena`: bots against bots."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from cli.commands import options
from cli.process.errors import DONE, usage
from cli.process.kinds import Seconds, Whole
from cli.process.output import tell
from engine.seats import LEVELS, MAX_SEATS, MIN_SEATS, NORMAL, USUAL_WORLDS
from engine.wording import quoted

if TYPE_CHECKING:
    from cli.arena.contest import Contest
    from cli.arena.matches import Tally

_SEEDS: Final = 1 << 32


# The same scripts drive `play`, `host` and `arena`; here nobody is waited for.
waiting_options = options.stack(
    *(
        click.option(
            name,
            metavar="SECONDS",
            type=Seconds(0),
            expose_value=False,
            help="Taken as on `play`; bots answer at once.",
        )
        for name in ("--claim-seconds", "--grace")
    )
)


@click.command()
@options.everywhere
@click.option(
    "--players",
    metavar="L1,L2[,L3,L4]",
    required=True,
    help="The level of each player; with partners the first and third play together.",
)
@click.option(
    "--matches",
    metavar="N",
    type=Whole(1, 1_000_000),
    required=True,
    help="How many matches; everybody sits one seat further in each.",
)
@click.option(
    "--seed",
    metavar="S",
    type=Whole(0),
    help="The same seed gives the same result (not with --secure).",
)
@click.option(
    "--worlds",
    metavar="N",
    type=Whole(1, 100_000),
    default=USUAL_WORLDS,
    help=f"Guesses of the hidden tiles for a move of level hard (default {USUAL_WORLDS}).",
)
@click.option("--secure", is_flag=True, help="Real peers with keys and a deck that all shuffle.")
@click.option(
    "--record",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="With --secure: write the record of each match there.",
)
@click.option("--json", "as_json", is_flag=True, help="The result as one JSON object.")
@waiting_options
@options.rules_options
def arena(
    players: str,
    matches: int,
    seed: int | None,
    worlds: int,
    secure: bool,
    record: Path | None,
    as_json: bool,
    **flags: Any,
) -> int:
    """Let bots play against bots, and say how sure the outcome is."""
    choice = options.chosen_rules(**flags)
    levels = read_levels(players)
    if record is not None and not secure:
        raise usage("--record goes with --secure: only real peers leave records.")
    import secrets

    from cli.arena.contest import Contest
    from cli.table.seating import make_rules

    if choice.settings.get("partners") == "yes" and len(levels) == 2:
        levels *= 2  # two sides of one level each
    rules = make_rules(choice.preset, len(levels), choice.settings, _levels_flag)
    seed = secrets.randbelow(_SEEDS) if seed is None else seed
    if record is not None:
        _make_folder(record)
    tally = _run(Contest(rules, levels, matches, seed, worlds, secure, record))
    if as_json:
        print(tally.line(), flush=True)
    else:
        tell(*tally.words())
    return DONE


def _levels_flag(seats: int) -> str:
    return f"--players {','.join([NORMAL] * seats)}"


def read_levels(text: str) -> tuple[str, ...]:
    """The levels that --players names. Stop, saying what is allowed."""
    levels = tuple(text.split(","))
    for level in levels:
        if level not in LEVELS:
            raise usage(f"--players cannot have {quoted(level)}: a level is {', '.join(LEVELS)}.")
    if not MIN_SEATS <= len(levels) <= MAX_SEATS:
        raise usage(f"--players names {len(levels)} of the 2, 3 or 4 players, as hard,normal.")
    return levels


def _make_folder(folder: Path) -> None:
    """Before anything is played: the folder is there without records, and takes files."""
    import tempfile

    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise usage(f"The records cannot be kept: {folder} cannot be written.") from error
    if any(folder.glob("*.fives")):
        raise usage(f"{folder} holds records already, which are not written over. Name a new one.")


def _run(contest: "Contest") -> "Tally":
    """Plays it, with a progress bar where somebody looks on."""
    from cli.arena.matches import run_contest

    if not sys.stderr.isatty():
        return run_contest(contest, lambda: None)
    with click.progressbar(length=contest.matches, label="Matches", file=sys.stderr) as bar:
        return run_contest(contest, lambda: bar.update(1))
