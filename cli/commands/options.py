"""The flags, each defined once. Nothing here imports more than click."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from cli.commands.completing import complete_code, complete_preset, complete_setting
from cli.files.home import Home, find_folder
from cli.files.settings import load_defaults
from cli.process.errors import usage
from cli.process.kinds import CLAIM_SECONDS, MOST_CLAIM_SECONDS, OneOf, Seconds, Whole
from cli.screen.line.look import THEMES, TILE_SIZES, Look
from cli.screen.terminal import look_for
from engine.seats import HARD, LEVELS, MAX_SEATS, MIN_SEATS, NORMAL
from engine.wording import quoted

PACE: Final = 0.6
if TYPE_CHECKING:
    from cli.table.joining.ways import Wanted
    from p2p.session.state.table import Terms

F = TypeVar("F", bound=Callable[..., Any])


def _remember_home(ctx: click.Context, _param: click.Parameter, named: str | None) -> None:
    """Find the data folder first: the defaults of all other options may be set in it."""
    root = ctx.find_root()
    if named or ctx.obj is None:
        root.obj = ctx.obj = Home(find_folder(named))
    group = root.command
    if isinstance(group, click.Group) and ctx.command is not group:
        ctx.default_map = load_defaults(ctx.obj.config, ctx.command, group)
        if ctx.default_map:
            ctx.obj.check()


def _show_version(ctx: click.Context, _param: click.Parameter, wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        click.echo(f"allfives {version('allfives')}")
        ctx.exit()


def stack(*decorators: Callable[[F], F]) -> Callable[[F], F]:
    """Several decorators as one, the first on top."""

    def apply(command: F) -> F:
        for decorate in reversed(decorators):
            command = decorate(command)
        return command

    return apply


everywhere: Callable[[F], F] = stack(
    click.option(
        "--data-dir",
        metavar="DIR",
        is_eager=True,
        expose_value=False,
        callback=_remember_home,
        help="Where your key, records and settings are (or ALLFIVES_HOME).",
    ),
    click.option(
        "--version",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_show_version,
        help="Show the version and exit.",
    ),
)


rules_changes: Callable[[F], F] = stack(
    click.option("--target", metavar="N", help="The score that wins the match."),
    click.option("--hand-size", metavar="N", help="Tiles each player takes."),
    click.option("--partners", is_flag=True, help="Four players, two against two."),
    click.option("--turn-seconds", metavar="N", help="Seconds a person has for a move."),
    click.option(
        "--set",
        "settings",
        metavar="OPTION=VALUE",
        multiple=True,
        shell_complete=complete_setting,
        help="Any option of the rules; may be given several times.",
    ),
)


rules_options: Callable[[F], F] = stack(
    click.option(
        "--rules",
        metavar="PRESET",
        default="classic",
        shell_complete=complete_preset,
        help="The rules; see `rules`.",
    ),
    rules_changes,
)

look_options: Callable[[F], F] = stack(
    click.option(
        "--unicode/--ascii", "unicode", default=None, help="How the full screen draws tiles."
    ),
    click.option(
        "--theme",
        type=OneOf(THEMES),
        default=THEMES[0],
        help=f"The colours of the full screen (default {THEMES[0]}: the terminal's own).",
    ),
    click.option(
        "--tiles",
        type=OneOf(TILE_SIZES),
        default=TILE_SIZES[0],
        help=f"How large tiles are (default {TILE_SIZES[0]}: as there is room).",
    ),
)
"""How the full screen looks; taken out of the flags by `chosen_look`."""
plain_option: Callable[[F], F] = click.option(
    "--plain", is_flag=True, help="Lines of text instead of the full screen."
)
mouse_option: Callable[[F], F] = click.option(
    "--mouse/--no-mouse", default=True, help="Whether the screen takes clicks."
)
record_option: Callable[[F], F] = click.option(
    "--record",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write the record of the match there, however it ends.",
)
onlooker_options: Callable[[F], F] = stack(plain_option, mouse_option, look_options)

seat_options: Callable[[F], F] = stack(
    click.option("--auto", type=OneOf(LEVELS), help="A bot plays your seat."),
    click.option(
        "--think",
        metavar="SECONDS",
        type=Seconds(0, 3600, min_open=True),
        default=1.0,
        help=f"How long a bot of level {HARD} thinks about a move (default 1).",
    ),
    record_option,
    click.option("--json", "as_json", is_flag=True, help="With --auto: events as JSON lines."),
    plain_option,
    click.option(
        "--claim-seconds",
        metavar="N",
        type=Seconds(0, MOST_CLAIM_SECONDS, min_open=True),
        default=float(CLAIM_SECONDS),
        help=f"Seconds you have to claim points (default {CLAIM_SECONDS}, at most "
        f"{MOST_CLAIM_SECONDS}).",
    ),
    click.option(
        "--pace",
        metavar="SECONDS",
        type=Seconds(0, 60),
        default=None,
        help=f"How long your bots wait before a move (default {PACE:g}; 0 with --auto).",
    ),
    click.option("--bell/--no-bell", default=False, help="Ring the bell on your turn."),
    click.option(
        "--notice/--no-notice",
        default=False,
        help="A desktop notice on your turn, from the full screen.",
    ),
    mouse_option,
    look_options,
)

bot_options: Callable[[F], F] = click.option(
    "--level",
    type=OneOf(LEVELS),
    default=NORMAL,
    help=f"How well the bots play (default {NORMAL}).",
)


def players_option(told: str) -> Callable[[F], F]:
    """For how many a table or its rules are; `told` is the help."""
    places = Whole(MIN_SEATS, MAX_SEATS)
    return click.option("--players", metavar="N", type=places, default=2, help=told)


def counted(name: str, count: int, choice: "RulesChoice", four: int) -> int:
    """How many, by the option of that name: who has not said it and wants partners means as many as
    make `four` of all."""
    source = click.get_current_context().get_parameter_source(name)
    unsaid = source is click.core.ParameterSource.DEFAULT
    return four if unsaid and choice.settings.get("partners") == "yes" else count


link_options: Callable[[F], F] = stack(
    click.option("--bind", metavar="ADDR", help="Listen only on this address of this machine."),
    click.option(
        "--port",
        metavar="N",
        type=Whole(0, 65535),
        help="Listen on this port (0: any that is free).",
    ),
)

proxy_option: Callable[[F], F] = click.option(
    "--proxy",
    metavar="socks5h://HOST:PORT",
    help="Dial through this proxy (Tor, ssh -D); your own address is told to nobody.",
)


door_options: Callable[[F], F] = stack(
    click.argument(
        "where",
        metavar="[INVITE | ADDRESS[:PORT] CODE | CODE | -]",
        nargs=-1,
        shell_complete=complete_code,
    ),
    click.option(
        "--table",
        metavar="TABLE",
        help="Only the table of this name, or of the host whose key has this fingerprint.",
    ),
    link_options,
    proxy_option,
)
"""Which table, and the way to it; taken out of the flags by `chosen_door`."""

terms_option: Callable[[F], F] = click.option(
    "--grace",
    metavar="SECONDS",
    type=Whole(0, 24 * 60 * 60),
    default=300,
    help="How long each player may be away in all, in a match (default 300).",
)


@dataclass(frozen=True)
class RulesChoice:
    """What was said about the rules: a preset, and options set otherwise as `--set` spells them."""

    preset: str
    settings: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class SeatChoice:
    """What was said about one's own seat."""

    auto: str | None = None
    think: float = 1.0
    record: Path | None = None
    as_json: bool = False
    plain: bool = False
    look: Look = field(default_factory=Look)
    claim_seconds: float = CLAIM_SECONDS
    pace: float | None = None
    bell: bool = False
    notice: bool = False
    mouse: bool = True

    @property
    def paced(self) -> float:
        """Seconds before a move of a bot of this owner. People need them to follow; where a bot
        plays the own seat, nobody looks on."""
        if self.pace is not None:
            return self.pace
        return PACE if self.auto is None else 0.0


def chosen_look(flags: dict[str, Any]) -> Look:
    """The flags of `look_options` as one value; they are taken out."""
    return look_for(**{name: flags.pop(name) for name in ("unicode", "theme", "tiles")})


def chosen_terms(flags: dict[str, Any]) -> "Terms":
    """The flags of `terms_option`, and `--no-watch` where there is one, as one value."""
    from p2p.session.state.table import Terms

    return Terms(flags.pop("grace"), not flags.pop("no_watch", False))


def chosen_door(flags: dict[str, Any], can_ask: bool) -> "Wanted":
    """The flags of `door_options` as one value. Raises Stop."""
    from cli.table.joining.ways import Wanted
    from cli.table.seating import understand

    named = {name: flags.pop(name) for name in ("table", "bind", "port", "proxy")}
    return Wanted(*understand(flags.pop("where")), can_ask=can_ask, **named)


def chosen(flags: dict[str, Any]) -> tuple[RulesChoice, SeatChoice]:
    """The flags of `rules_options` and `seat_options` as two values. Raises Stop."""
    names = ("rules", "target", "hand_size", "partners", "turn_seconds", "settings")
    said = {name: flags.pop(name) for name in names}
    return chosen_rules(**said), chosen_seat(**flags)


def chosen_rules(
    rules: str,
    target: str | None,
    hand_size: str | None,
    partners: bool,
    turn_seconds: str | None,
    settings: tuple[str, ...],
) -> RulesChoice:
    """The flags about rules as one value; Stop when an option is set twice or not at all."""
    flags = {"target": target, "hand-size": hand_size, "turn-seconds": turn_seconds}
    chosen = {name: str(value) for name, value in flags.items() if value is not None}
    if partners:
        chosen["partners"] = "yes"
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not (name and equals):
            raise usage(
                f"--set takes an option and its value, as spinner=none, and not {quoted(setting)}. "
                "`allfives rules` lists the options."
            )
        if chosen.get(name, value) != value:
            raise usage(f"The option {quoted(name)} is set twice; set it once.")
        chosen[name] = value
    return RulesChoice(rules, chosen)


def chosen_seat(**flags: Any) -> SeatChoice:
    """The flags about the seat as one value; Stop when they do not go together."""
    seat = SeatChoice(look=chosen_look(flags), **flags)
    if seat.as_json and seat.auto is None:
        raise usage("--json goes with --auto: it shows what a bot sees. Leave it out to play.")
    return seat
