"""`allfives rules`: the rules in words, made from the options."""

from typing import Any

import click

from cli.commands import options
from cli.commands.completing import complete_preset
from cli.process.errors import DONE


@click.command()
@options.everywhere
@click.argument("preset", nargs=-1, metavar="[PRESET]", shell_complete=complete_preset)
@options.players_option("For how many players.")
@options.rules_changes
def rules(preset: tuple[str, ...], players: int, **flags: Any) -> int:
    """Say the rules of a preset in words; without one, which presets and options there are.

    With options they are told as changed, as at a table with the same.
    """
    from engine.rules import OPTIONS, PRESETS, describe

    # A name may be typed as it is written elsewhere: Five Up.
    choice = options.chosen_rules(rules=" ".join(preset) or "classic", **flags)
    if preset or choice.settings:
        from cli.table.seating import make_rules

        made = make_rules(choice.preset, players, choice.settings, "--players {}".format)
        print(*describe(made), sep="\n", flush=True)
        return DONE
    print("Presets (`allfives rules PRESET` says each in words):")
    for row in PRESETS.values():
        print(f"  {row.name:10} {_row(row.base, dict(row.differences))}")
    print("Options (`--set OPTION=VALUE`):")
    for option in OPTIONS:
        print(f"  {option.name:14} {option.help}: {option.allowed} [{option.default}]")
    return DONE


def _row(base: str | None, differences: dict[str, str]) -> str:
    words = [f"{name}={value}" for name, value in differences.items()]
    return " ".join([f"as {base or 'classic'}," if words else "the default", *words])
