"""`allfives rules`: the rules in words, made from the options."""

import click

from cli.errors import DONE, usage
from cli.options import everywhere


@click.command()
@everywhere
@click.argument("preset", required=False)
@click.option(
    "--players", metavar="N", type=click.IntRange(2, 4), default=2, help="For how many players."
)
def rules(preset: str | None, players: int) -> int:
    """Say the rules of a preset in words; without one, which presets and options there are."""
    from engine.errors import RulesError
    from engine.rules import OPTIONS, PRESETS, Rules, describe

    if preset is not None:
        try:
            print(*describe(Rules.make(preset, players)), sep="\n", flush=True)
        except RulesError as error:
            raise usage(f"{_capital(str(error))}.") from None
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


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
