"""Settings that a person keeps: config.toml in the data folder.

At the top stand options by their long names, for every command that has them (`level = "hard"`);
in a section named after a command, options for it alone (`[host]`, `players = 3`). What a person
has written beside them, say remarks, stays when one of them is changed.
"""

from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import click

from cli.process.errors import Stop, usage
from cli.process.kinds import NotAllowed, YesNo
from engine.wording import nearest, quoted

if TYPE_CHECKING:
    import tomlkit

# What is different every time, or means different things in different commands.
_NOT_AT_THE_TOP: Final = frozenset({"name", "code", "record", "json"})
_NEVER: Final = frozenset({"data-dir", "help", "version", "unset"})
_MEND: Final = "Mend it there, or move the file away."
_T = TypeVar("_T")


@dataclass(frozen=True)
class Setting:
    """An option for which a default may be kept; `on`: what `true` makes of a flag, for one that
    is the other side of it (`ascii`) false."""

    option: click.Option
    on: bool = True

    @property
    def name(self) -> str:
        """The name of the parameter."""
        return str(self.option.name)

    def given(self, value: object) -> object:
        """What the option is given for the value in the file."""
        return value if self.on else not value


def load_defaults(path: Path, command: click.Command, group: click.Group) -> dict[str, object]:
    """The defaults for `command` by parameter name. Raises Stop for what cannot be understood."""
    settings = _checked(path, group)
    top = {name: value for name, value in settings.items() if not isinstance(value, Mapping)}
    section = settings.get(command.name or "")
    own = settings_of(command)
    chosen = {**top, **(section if isinstance(section, Mapping) else {})}
    return {own[name].name: own[name].given(one) for name, one in chosen.items() if name in own}


def _checked(path: Path, group: click.Group) -> Mapping[str, object]:
    """What is in the file, everything known. Raises Stop."""
    import tomllib  # not at the top: `--help` is to be quick

    try:
        settings = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except NotADirectoryError:
        raise usage(
            f"{path.parent} is no folder. Name another data folder with --data-dir."
        ) from None
    except OSError as error:
        raise usage(f"{path} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise usage(f"{path} is no proper TOML: {error}. {_MEND}") from None
    try:
        _refuse(path, settings, group)
    except Stop as stop:
        raise usage(f"{stop.sentence} {_MEND}") from None
    return settings


def _refuse(path: Path, settings: Mapping[str, object], group: click.Group) -> None:
    """Raises Stop for what is no setting, or no value of one."""
    top = {name: value for name, value in settings.items() if not isinstance(value, Mapping)}
    _refuse_unknown(path, "", top, at_the_top(group))
    for name, section in settings.items():
        if isinstance(section, Mapping):
            command = _known(name, group.commands, f"{path}: there is no command")
            _refuse_unknown(path, f"[{name}] ", section, settings_of(command))


def at_the_top(group: click.Group) -> dict[str, Setting]:
    """What may be set for all commands that have it."""
    anywhere: dict[str, Setting] = {}
    for command in group.commands.values():
        for name, setting in _named(command):
            anywhere.setdefault(name, setting)
    return {name: one for name, one in anywhere.items() if name not in _NOT_AT_THE_TOP}


def settings_of(command: click.Command) -> dict[str, Setting]:
    """Each option of a command that a default may be set for, by its long name."""
    return dict(_named(command))


def _named(command: click.Command) -> Iterator[tuple[str, Setting]]:
    for param in command.params:
        if isinstance(param, click.Option) and param.name and not param.hidden:
            for spelled, on in [
                *((one, True) for one in param.opts),
                *((one, False) for one in param.secondary_opts),
            ]:
                if spelled.startswith("--") and spelled[2:] not in _NEVER:
                    yield spelled[2:], Setting(param, on)


def _known(name: str, known: Mapping[str, _T], refusal: str, end: str = "") -> _T:
    """What is known by that name; else a Stop, with the name that is near."""
    if name in known:
        return known[name]
    near = nearest(name, known)
    meant = "" if near is None else f" Did you mean {quoted(near)}?"
    raise usage(f"{refusal} {quoted(name)}{end}.{meant}")


def _refuse_unknown(
    path: Path, where: str, given: Mapping[str, object], known: Mapping[str, Setting]
) -> None:
    for name, value in given.items():
        option = _known(name, known, f"{path}: {where}there is no option", " to set").option
        if option.multiple:
            if not (isinstance(value, list) and all(isinstance(one, str) for one in value)):
                raise usage(f"{path}: {where}{name} must be a list of texts.")
        elif not isinstance(value, str | int | float):
            raise usage(f"{path}: {where}{name} must be text, a number, or true or false.")
        elif option.is_flag:
            try:
                YesNo().convert(value, option, None)
            except NotAllowed:
                raise usage(f"{path}: {where}{name} must be true or false.") from None


@dataclass(frozen=True)
class Settings:
    """The file at `path`, to be looked into and changed; `group` are the commands it is for."""

    path: Path
    group: click.Group

    def find(self, key: str) -> Setting:
        """What a key means: an option, or `COMMAND.OPTION`. Raises Stop."""
        command, _, name = key.rpartition(".")
        if not command:
            return _known(key, at_the_top(self.group), "There is no option", " to set")
        of = _known(command, self.group.commands, "There is no command")
        return _known(name, settings_of(of), f"The command {command} has no option", " to set")

    def value(self, key: str) -> object:
        """What is kept for a key; None: nothing. Raises Stop."""
        command, _, name = key.rpartition(".")
        kept = _checked(self.path, self.group)
        section = kept.get(command) if command else kept
        return section.get(name) if isinstance(section, Mapping) else None

    def kept(self) -> dict[str, object]:
        """All that is kept, by key. Raises Stop."""
        found: dict[str, object] = {}
        for name, value in _checked(self.path, self.group).items():
            if isinstance(value, Mapping):
                found |= {f"{name}.{inner}": one for inner, one in value.items()}
            else:
                found[name] = value
        return found

    def keep(self, key: str, text: str) -> object:
        """Keep what `text` means for a key; the value. Raises Stop if it cannot be."""
        option = self.find(key).option
        value = _meaning(option, key, text)
        document = self._document()
        command, _, name = key.rpartition(".")
        section = _section(document, command)
        # Of the two sides of a flag, say unicode and ascii, one stands there.
        for spelled in (*option.opts, *option.secondary_opts):
            if spelled != f"--{name}":
                section.pop(spelled[2:], None)
        section[name] = value
        self._write(document)
        return value

    def forget(self, key: str) -> None:
        """Let the program's own default be again, also if none was kept. Raises Stop."""
        self.find(key)
        document = self._document()
        command, _, name = key.rpartition(".")
        if _section(document, command).pop(name, None) is not None:
            self._write(document)

    def _document(self) -> "tomlkit.TOMLDocument":
        import tomlkit

        _checked(self.path, self.group)
        return tomlkit.parse(self.path.read_text("utf-8")) if self.path.exists() else _fresh()

    def _write(self, document: "tomlkit.TOMLDocument") -> None:
        import tomlkit

        from cli.files import whole

        try:
            whole.replace(self.path.resolve(), tomlkit.dumps(document).encode())
        except OSError as error:
            raise usage(f"{self.path} cannot be written: {error.strerror}.") from error


def _fresh() -> "tomlkit.TOMLDocument":
    import tomlkit

    document = tomlkit.document()
    document.add(tomlkit.comment("Settings; `allfives config` shows what may stand here."))
    return document


def _section(document: "tomlkit.TOMLDocument", command: str) -> MutableMapping[str, object]:
    """The part of the file for one command, made if it is missing; without one the whole."""
    if not command:
        return document
    section: MutableMapping[str, object] = document.setdefault(command, {})
    return section


def _meaning(option: click.Option, key: str, text: str) -> object:
    """The value of TOML that an option's text means, taken as the command line takes it."""
    if option.multiple:
        return text.split(",")
    kind = YesNo() if option.is_flag else option.type
    try:
        value = kind.convert(text, option, None)
    except NotAllowed as error:
        raise usage(f"{key} cannot be {error.message}.") from None
    except click.BadParameter as error:
        raise usage(f"{key} cannot be {quoted(text)}: {error.message}") from None
    return value if isinstance(value, bool | int | float) else text


def shown(value: object) -> str:
    """A value as it is typed behind `config KEY`."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return str(value)
