"""`allfives config`: what a person has set, and keeping it."""

from typing import Final

import click

from cli.commands.options import PACE, everywhere
from cli.files.home import Home
from cli.files.settings import Setting, Settings, at_the_top, shown
from cli.process.errors import DONE, usage
from cli.process.output import tell

# What people look for first, in this order; the rest of the options may be set as well.
_FIRST: Final = (
    "level",
    "pace",
    "plain",
    "unicode",
    "theme",
    "tiles",
    "bell",
    "notice",
    "mouse",
    "claim-seconds",
    "think",
    "bind",
    "port",
    "proxy",
)


def _complete_key(ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    """The keys that begin so, for the shell."""
    group = ctx.find_root().command
    known = at_the_top(group) if isinstance(group, click.Group) else {}
    return [name for name in known if name.startswith(begun)]


# What counts where an option says nothing of it but in its help.
_UNSAID: Final = {
    "pace": shown(PACE),
    **dict.fromkeys(("unicode", "ascii"), "as the terminal"),
    **dict.fromkeys(("target", "hand-size", "turn-seconds", "set"), "as the rules say"),
    "bind": "all addresses",
    "port": "the usual one",
}
_NONE: Final = "none"
_SHOWN: Final = (str, float, int)
# Typed for whatever is the usual value.
USUAL: Final = "usual"


@click.command("config")
@everywhere
@click.argument("key", required=False, shell_complete=_complete_key)
@click.argument("value", required=False)
@click.option("--unset", is_flag=True, help="Forget KEY, so that the usual value counts again.")
@click.pass_context
def config(ctx: click.Context, key: str | None, value: str | None, unset: bool) -> int:
    """Show your settings, or keep VALUE as the usual one of the option KEY.

    A setting counts for every command that has the option; `host.players` only for `host`. They
    stand in config.toml in the data folder, where you may write remarks too.
    """
    home: Home = ctx.obj
    group = ctx.find_root().command
    assert isinstance(group, click.Group), "the program is a group of commands"
    settings = Settings(home.config, group)
    if key is None:
        if unset:
            raise usage("--unset needs the name of the setting to forget.")
        tell(*_told(settings))
        return DONE
    if key == "name":
        raise usage("Your name is kept with your key: `allfives id --name NAME` changes it.")
    if unset and value is not None:
        raise usage("--unset forgets a setting; leave the value out.")
    setting = settings.find(key)
    if unset:
        settings.forget(key)
    elif value is not None:
        home.make()
        take(settings, key, value)
    tell(_row(_fields(key, setting, settings.value(key))))
    return DONE


def take(settings: Settings, key: str, text: str) -> object:
    """Keep what is typed for a setting; the value, None if that is the usual one again: by the word
    for it, or as it is shown where nothing else says it. Raises Stop."""
    setting = settings.find(key)
    unsaid = not isinstance(setting.option.default, _SHOWN) and text == usual(key, setting)
    if text == USUAL or unsaid:
        settings.forget(key)
        return None
    return settings.keep(key, text)


def settings_rows(settings: Settings) -> list[tuple[str, str, str]]:
    """What people look for and what else is set: the key, its value or the usual one, what it is
    for."""
    known, kept = at_the_top(settings.group), settings.kept()
    first = [name for name in _FIRST if name in known]
    further = [name for name in kept if name not in first]
    return [_fields(name, settings.find(name), kept.get(name)) for name in [*first, *further]]


def _told(settings: Settings) -> list[str]:
    """All settings in lines."""
    return [
        *map(_row, settings_rows(settings)),
        "`allfives config KEY VALUE` keeps another value, --unset forgets it. KEY may be any "
        "option of a command, or COMMAND.OPTION for one command alone.",
        f"They are kept here: {settings.path}",
    ]


def _fields(key: str, setting: Setting, value: object) -> tuple[str, str, str]:
    now = usual(key, setting) if value is None else f"{shown(value)} (set)"
    return key, now, setting.option.help or ""


def _row(fields: tuple[str, str, str]) -> str:
    key, now, text = fields
    return f"{key:14} {now:16} {text}".rstrip()


def usual(key: str, setting: Setting) -> str:
    """What counts where nothing is set."""
    option = setting.option
    value = False if option.is_flag and not option.secondary_opts else option.default
    if isinstance(value, _SHOWN):
        return shown(setting.given(value))
    return _UNSAID.get(key.rpartition(".")[2], _NONE)
