"""What the shell completes, beside the options themselves."""

import re
from contextlib import suppress

import click

from engine.seats import MIN_SEATS


def complete_preset(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    """The presets that begin so, for the shell."""
    from engine.rules import PRESETS

    return [name for name in PRESETS if name.startswith(begun)]


def complete_setting(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    """The options of the rules that begin so, then the values of one, for the shell."""
    from engine.errors import RulesError
    from engine.options import BY_NAME

    name, equals, value = begun.partition("=")
    if not equals:
        return [f"{one}=" for one in BY_NAME if one.startswith(name)]
    option = BY_NAME.get(name)
    found = []
    for word in re.findall(r"[a-z0-9/-]+", option.allowed if option else ""):
        with suppress(RulesError):
            if word.startswith(value) and option:
                option.parse(word, MIN_SEATS)
                found.append(f"{name}={word}")
    return found


def complete_code(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    """The words of codes that begin as the last one that was typed, for the shell."""
    from p2p.net.find.code import words

    at = begun.rfind("-") + 1
    word = begun[at:].casefold()
    return [begun[:at] + one for one in words() if word and one.startswith(word)]
