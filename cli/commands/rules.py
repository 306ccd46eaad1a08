"""`allfives rules`: the rules in words, made from the options."""

from typing import Any

import click

from cli.commands import options
from cli.commands.completing import complete_preset
from cli.process.errors import DONE
from cli.process.output import tell
from engine.seats import MAX_SEATS


@click.command()
@options.everywhere
@click.argument("preset", nargs=-1, metavar="[PRESET]", shell_complete=complete_preset)
@options.players_option("For how many players (default 2, with --partners 4).")
@options.rules_changes
def rules(preset: tuple[str, ...], players: int, **flags: Any) -> int:
    """Say the rules of a preset in words; without one, which presets and options there are.

    With options they are told as changed, as at a table with the same.
    """
    from engine.rules import OPTIONS, PRESETS, describe

    # A name may be typed as it is written elsewhere: Five Up.
    choice = options.chosen_rules(rules=" ".join(preset) or "classic", **flags)
    players = options.counted("players", players, choice, MAX_SEATS)
    if preset or choice.settings:
        from cli.table.seating import make_rules

        made = make_rules(choice.preset, players, choice.settings, "--players {}".format)
        tell(*describe(made))
        return DONE
    presets = [
        f"  {row.name:10} {_row(row.base, dict(row.differences))}" for row in PRESETS.values()
    ]
    rows = [f"  {one.name:14} {one.help}: {one.allowed} [{one.default}]" for one in OPTIONS]
    tell("Presets (`allfives rules PRESET` says each in words):", *presets)
    tell("Options (`--set OPTION=VALUE`):", *rows)
    return DONE


def _row(base: str | None, differences: dict[str, str]) -> str:
    words = [f"{name}={value}" for name, value in differences.items()]
    return " ".join([f"as {base or 'classic'}," if words else "the default", *words])
