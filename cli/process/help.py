"""How `--help` tells of commands: in whole sentences, as wide as the terminal, no word cut."""

import shutil
import sys
from typing import Final

import click

from cli.process.output import columns, rows_of

# No first sentence of a command's help is longer.
_SENTENCE: Final = 200
_WIDEST: Final = 100
# Click cuts words to fit; so it gets all the room it may want, and lines are wrapped afterwards.
_ROOM: Final = 10_000
_PLAIN: Final = "plain"


class _Formatter(click.HelpFormatter):
    def __init__(self) -> None:
        super().__init__(width=_ROOM)
        self._columns = min(columns(sys.stdout) or shutil.get_terminal_size().columns, _WIDEST)

    def write_text(self, text: str) -> None:
        self.width = self._columns
        super().write_text(text)
        self.width = _ROOM

    def getvalue(self) -> str:
        lines = super().getvalue().split("\n")
        return "\n".join(row for one in lines for row in rows_of(one, self._columns))


class _Context(click.Context):
    def make_formatter(self) -> click.HelpFormatter:
        return _Formatter()


class Commands(click.Group):
    """Commands in the order in which a person meets them, what each does in a whole sentence."""

    context_class = _Context

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        """Register a command, whose help is told in the same way. One that prints lines anyway
        takes --plain too, for who types it everywhere."""
        cmd.context_class = _Context
        if all(param.name != _PLAIN for param in cmd.params):
            cmd.params.append(
                click.Option([f"--{_PLAIN}"], is_flag=True, hidden=True, expose_value=False)
            )
        super().add_command(cmd, name)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in that order."""
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Sentences are wrapped, and not cut."""
        rows = [(name, one.get_short_help_str(_SENTENCE)) for name, one in self.commands.items()]
        with formatter.section("Commands"):
            formatter.write_dl(rows)
