"""Coming home: the menu, what it runs, and the menu again."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import click

from cli.files.home import Home
from cli.files.settings import load_defaults
from cli.menu import lines
from cli.menu.pages import House
from cli.menu.walk import Walk
from cli.process.errors import DONE, Stop
from cli.process.output import tell

if TYPE_CHECKING:
    from cli.screen.line.look import Look
    from p2p.net.find.found import Found

LOOK_SECONDS: Final = 2.0
_GO_BACK: Final = "Enter goes back to the menu."
# The arguments go through a pipe: there may be a code among them, and those of a process show.
_INNER: Final = (
    "import json, os, sys\n"
    "with os.fdopen(int(sys.argv[1])) as pipe:\n"
    "    sys.argv[1:] = json.load(pipe)\n"
    "from cli.__main__ import main\n"
    "main()"
)


def come_home(home: Home, group: click.Group, plain: bool) -> int:
    """The menu until the person leaves it; the exit code."""
    from cli.screen.terminal import is_screen

    plain = plain or not is_screen() or _kept(home, group).get("plain") is True
    house = House(home, group, lambda: None, plain)
    walk = Walk(house.front)
    if not house.is_named:
        walk.asked = house.ask_name()
    if plain:
        house.look = lambda: _look(house)
    while True:
        if plain:
            lines.stroll(walk)
        else:
            _at_screen(walk, house)
        if walk.run is None:
            return DONE
        code = run_command(walk.run.arguments)
        # At the screen what it said would be covered at once.
        silent = code == DONE and walk.run.silent
        if not plain and not silent and not _read_on():
            return DONE
        walk.again()


def _kept(home: Home, group: click.Group) -> Mapping[str, object]:
    """The settings of a seat, which are the menu's too."""
    return load_defaults(home.config, group.commands["play"], group)


def _look_kept(kept: Mapping[str, object]) -> "Look":
    """How the screen shall look by the settings; what is no look is as if it were not set."""
    from cli.screen.line.look import THEMES, TILE_SIZES
    from cli.screen.terminal import look_for

    unicode, theme, tiles = (kept.get(name) for name in ("unicode", "theme", "tiles"))
    return look_for(
        unicode if isinstance(unicode, bool) else None,
        next((one for one in THEMES if one == theme), THEMES[0]),
        next((one for one in TILE_SIZES if one == tiles), TILE_SIZES[0]),
    )


def _read_on() -> bool:
    """Wait until the person has read; whether there is still one."""
    try:
        input(_GO_BACK)
    except EOFError:
        return False
    return True


def _at_screen(walk: Walk, house: House) -> None:
    # prompt_toolkit takes long to import, and plain lines need none of it.
    from cli.menu import screen

    async def find() -> None:
        house.found = await _tables()

    kept = _kept(house.home, house.group)
    screen.stroll(walk, _look_kept(kept), find, mouse=kept.get("mouse") is not False)


def _look(house: House) -> None:
    """Look round on the network, which takes a moment."""
    from cli.process.running import run
    from cli.table.lan import LOOKING_ROUND

    async def look() -> int:
        house.found = await _tables()
        return DONE

    tell(LOOKING_ROUND)
    run(look)


async def _tables() -> Sequence["Found"]:
    from p2p.net.errors import NetError
    from p2p.net.find.discovery import browse
    from p2p.net.find.found import merged

    try:
        return merged(await browse(LOOK_SECONDS))
    except NetError:
        import trio

        await trio.sleep(LOOK_SECONDS)
        return ()


def run_command(arguments: Sequence[str]) -> int:
    """Run a command line in a process of its own, at this terminal; its exit code.

    A process of its own, for what waits for a line when it ends would take the next one typed here.
    """
    reader, writer = os.pipe()
    with os.fdopen(writer, "w") as pipe:
        json.dump(list(arguments), pipe)
    # A Ctrl-C reaches both: it ends what runs, and the menu is there again.
    before = signal.signal(signal.SIGINT, _ignored)
    try:
        inner = [sys.executable, "-c", _INNER, str(reader)]
        with subprocess.Popen(inner, pass_fds=(reader,)) as process:  # noqa: S603
            try:
                return process.wait()
            except BaseException:
                process.terminate()
                raise
    except OSError as error:
        raise Stop(f"The command cannot be started: {error.strerror}.") from error
    finally:
        signal.signal(signal.SIGINT, before)
        os.close(reader)


def _ignored(_signum: int, _frame: object) -> None:
    """Heard, and left to what runs."""
