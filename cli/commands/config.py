"""Defaults that a person sets: config.toml in the data folder.

At the top stand options by their long names, for every command that has them (`level = "hard"`);
in a section named after a command, options for it alone (`[host]`, `players = 3`).
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import click

from cli.process.errors import usage
from engine.wording import quoted

# What is different every time, or means different things in different commands.
_NOT_AT_THE_TOP: Final = frozenset({"name", "code", "record", "json"})
_NEVER: Final = frozenset({"data-dir", "help", "version"})


def load_defaults(path: Path, command: click.Command, group: click.Group) -> dict[str, object]:
    """The defaults for `command` by parameter name. Raises Stop for what cannot be understood."""
    import tomllib  # not at the top: `--help` is to be quick

    try:
        settings = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise usage(f"{path} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise usage(f"{path} is no proper TOML: {error}.") from None
    commands = {name: group.commands[name] for name in group.commands}
    top = {name: value for name, value in settings.items() if not isinstance(value, dict)}
    anywhere = {name: one for each in commands.values() for name, one in _options(each).items()}
    known = {name: one for name, one in anywhere.items() if name not in _NOT_AT_THE_TOP}
    _refuse_unknown(path, "", top, known)
    for name, section in settings.items():
        if isinstance(section, dict):
            if name not in commands:
                raise usage(f"{path}: there is no command {quoted(name)}.")
            _refuse_unknown(path, f"[{name}] ", section, _options(commands[name]))
    own = _options(command)
    chosen = {**top, **settings.get(command.name or "", {})}
    return {str(own[name].name): value for name, value in chosen.items() if name in own}


def _options(command: click.Command) -> dict[str, click.Option]:
    """Each option that a default may be set for, by its long name."""
    return {
        spelled[2:]: param
        for param in command.params
        if isinstance(param, click.Option) and param.name
        for spelled in param.opts
        if spelled.startswith("--") and spelled[2:] not in _NEVER
    }


def _refuse_unknown(
    path: Path, where: str, given: Mapping[str, object], known: Mapping[str, click.Option]
) -> None:
    for name, value in given.items():
        if name not in known:
            raise usage(f"{path}: {where}there is no option {quoted(name)} to set.")
        if known[name].multiple:
            if not (isinstance(value, list) and all(isinstance(one, str) for one in value)):
                raise usage(f"{path}: {where}{name} must be a list of texts.")
        elif not isinstance(value, str | int | float):
            raise usage(f"{path}: {where}{name} must be text, a number, or true or false.")
