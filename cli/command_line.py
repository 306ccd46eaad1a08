"""The commands together; everything that can go wrong becomes a sentence and an exit code."""

import os
import sys
from collections.abc import Sequence
from typing import Final

import click

from cli.commands.arena import arena
from cli.commands.fair import fair
from cli.commands.host import host
from cli.commands.join import join
from cli.commands.options import everywhere
from cli.commands.own.config import config
from cli.commands.own.doctor import doctor
from cli.commands.own.history import history
from cli.commands.own.id import identity
from cli.commands.own.learn import learn
from cli.commands.play import play
from cli.commands.replay import replay
from cli.commands.resume import resume
from cli.commands.rules import rules
from cli.commands.tables import tables
from cli.commands.verify import verify
from cli.commands.watch import watch
from cli.files.home import Home
from cli.process.errors import FAILED, WRONG_USAGE, Stop
from cli.process.help import Commands
from cli.process.kinds import NotAllowed
from cli.process.output import tell_aside
from engine.wording import nearest


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["--help"]},
)
@everywhere
@click.option("--plain", is_flag=True, help="Without a command: the menu in lines of text.")
@click.pass_context
def allfives(ctx: click.Context, plain: bool) -> int:
    """The dominoes game All Fives, peer to peer: no server, no dealer, no trust.

    Without a command: a menu on a terminal, this help elsewhere.
    """
    if ctx.invoked_subcommand is not None:
        if plain:
            raise click.UsageError("--plain goes behind the command.", ctx)
        return 0
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        click.echo(ctx.get_help())
        return 0
    from cli.menu.home import come_home  # not at the top: `--help` is to be quick

    return come_home(ctx.obj, allfives, plain)


_TABLES = (play, host, join, watch, resume, tables)
_RECORDS = (history, replay, verify, fair)
for _command in (learn, *_TABLES, rules, *_RECORDS, identity, config, doctor, arena):
    allfives.add_command(_command)


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code. Raises only `Interrupted` of signals."""
    try:
        code = allfives.main(list(arguments), prog_name="allfives", standalone_mode=False)
        sys.stdout.flush()
        return int(code or 0)
    except click.UsageError as error:
        return say(_usage(error, arguments), WRONG_USAGE)
    except click.ClickException as error:
        return say(error.format_message(), WRONG_USAGE)
    except click.Abort:
        return say("Stopped by Ctrl-C.", 130)
    except Stop as stop:
        return say(stop.sentence, stop.code)
    except BrokenPipeError:
        _close_output()
        return FAILED
    except OSError as error:
        code = say(f"The system refused to go on: {error.strerror or 'no reason'}.", FAILED)
        _end_output()
        return code
    except Exception as error:
        return _last_resort(error)


def say(sentence: str, code: int) -> int:
    """Print the sentence where errors go; a closed terminal changes nothing about the code."""
    try:
        tell_aside(sentence)
    except OSError:
        _close_output()
    return code


def _end_output() -> None:
    """Let out what can be let out; the output itself may be what was refused."""
    try:
        sys.stdout.flush()
    except OSError:
        _close_output()


def _close_output() -> None:
    """Nobody reads any more: what is still buffered must not fail once more at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())


# How click begins to say so (`Parser.parse_args` of 8.x).
_TOO_MANY: Final = "Got unexpected extra argument"


def _usage(error: click.UsageError, arguments: Sequence[str]) -> str:
    message = error.format_message()
    if isinstance(error, click.MissingParameter):
        pass
    elif isinstance(error, NotAllowed) and error.param is not None:
        message = f"{_called(error.param)} cannot be {error.message}{_kept(error)}"
    elif isinstance(error, click.BadParameter) and error.param is not None:
        message = f"{_called(error.param)}: {error.message}"
    if message.startswith(_TOO_MANY):
        words = message[len(_TOO_MANY) :].partition("(")[2].rpartition(")")[0]
        message = f"There is too much on this line: {words}"
    if isinstance(error, click.NoSuchOption) and error.ctx is not None:
        options = (name[2:] for one in error.ctx.command.params for name in one.opts)
        near = nearest(error.option_name.removeprefix("--"), options)
        if near is not None:
            message = f"{error.message} Did you mean '--{near}'?"
    text = " ".join(message.split())
    stop = "" if text.endswith((".", "?", "?)")) else "."
    command = error.ctx.command_path if error.ctx else _path(arguments)
    return f"{text}{stop} See `{command} --help`."


def _called(param: click.Parameter) -> str:
    """What a parameter is called on a command line."""
    return param.opts[0] if isinstance(param, click.Option) else str(param.metavar or param.name)


def _kept(error: NotAllowed) -> str:
    """Where a value stands that was not typed, as a sentence behind the refusal."""
    if error.ctx is None or error.param is None:
        return ""
    source = error.ctx.get_parameter_source(str(error.param.name))
    if source is not click.core.ParameterSource.DEFAULT_MAP:
        return ""
    home: Home = error.ctx.find_root().obj
    return f". It stands in {home.config}"


def _path(arguments: Sequence[str]) -> str:
    """The command that was meant, where click does not say: its parser knows only options."""
    path, inner = ["allfives"], dict[str, click.Command](allfives.commands)
    for word in arguments:
        if command := inner.get(word):
            path.append(word)
            inner = dict(command.commands) if isinstance(command, click.Group) else {}
    return " ".join(path)


def _last_resort(error: Exception) -> int:
    from p2p.crypto.errors import LibraryUnusable  # not at the top: `--help` is to be quick

    if isinstance(error, LibraryUnusable):
        # Not FAILED: of `verify` that says something about a record.
        return say(str(error), WRONG_USAGE)
    return say(_unexpected(error), FAILED)


def _unexpected(error: Exception) -> str:
    """The error's own text may hold anything, so only its kind and place show."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = "" if trace is None else f" in {os.path.basename(trace.tb_frame.f_code.co_filename)}"
    line = "" if trace is None else f", line {trace.tb_lineno}"
    return (
        f"Something in allfives itself is wrong ({type(error).__name__}{place}{line}). "
        "Please report it with what you did."
    )
