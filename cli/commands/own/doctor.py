"""`allfives doctor`: what works on this machine, and what to do about what does not."""

import os
import shutil
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from cli.commands.options import everywhere
from cli.files.home import Home
from cli.process.errors import DONE, FAILED, Stop
from cli.process.output import tell

_LOOK_SECONDS: Final = 0.5
# Of a long match the record takes a megabyte, and room for it is held.
_ROOM_BYTES: Final = 16 * 2**20
_DAY_SECONDS: Final = 86_400.0


@dataclass(frozen=True)
class Finding:
    """Something that was looked at; `advice` is what to do about it ("": it works)."""

    what: str
    told: str
    advice: str = ""

    def line(self) -> str:
        """In a line or two."""
        mark = "--" if self.advice else "ok"
        do = f"\n{'':15}{self.advice}" if self.advice else ""
        return f"{mark}  {self.what:9}  {self.told}{do}"


@click.command("doctor")
@everywhere
@click.pass_obj
def doctor(home: Home) -> int:
    """Look at terminal, addresses, ports, multicast, clock and data folder: what works, what to do.

    Exit code 1 if something does not work.
    """
    code = DONE
    for finding in findings(home):
        tell(finding.line())
        code = FAILED if finding.advice else code
    return code


def findings(home: Home) -> Iterator[Finding]:
    """Everything that is looked at, one by one."""
    yield _program()
    yield terminal(os.environ, sys.stdout.encoding, sys.stdin.isatty() and sys.stdout.isatty())
    yield data_folder(home)
    yield clock(time.time(), _newest(home))
    yield addresses()
    yield port()
    yield multicast()


def _program() -> Finding:
    from importlib import import_module
    from importlib.metadata import version

    told = f"allfives {version('allfives')}, Python {sys.version.split()[0]}"
    from p2p.crypto.errors import LibraryUnusable

    try:
        import_module("p2p.crypto.group")
    except LibraryUnusable as error:
        return Finding("program", told, str(error))
    return Finding("program", told)


def terminal(environment: Mapping[str, str], encoding: str, is_terminal: bool) -> Finding:
    """Whether the full screen can be shown, and how tiles are drawn."""
    from cli.screen.drawing.render import SMALLEST, fits
    from cli.screen.terminal import prefers_unicode

    if not is_terminal:
        return Finding("terminal", "none: lines are read and printed, as with --plain")
    size = shutil.get_terminal_size()
    kind = environment.get("TERM", "")
    tiles = "Unicode" if prefers_unicode(environment, encoding) else "ASCII"
    told = f"{size.columns}x{size.lines}, {kind or 'of no name'}, tiles in {tiles}"
    if kind in ("", "dumb"):
        return Finding("terminal", told, "It cannot show the full screen; --plain plays in lines.")
    if not fits(size.columns, size.lines):
        least = f"{SMALLEST[0]}x{SMALLEST[1]}"
        return Finding("terminal", told, f"The full screen needs {least}: enlarge it, or --plain.")
    return Finding("terminal", told)


def data_folder(home: Home) -> Finding:
    """Whether the folder can be used and has room."""
    there = home.folder if home.folder.exists() else _nearest_parent(home.folder)
    free = shutil.disk_usage(there).free
    told = f"{home.folder} has {free // 2**20} MB free"
    try:
        if home.folder.exists():
            home.check()
            held = "" if home.is_free() else ", in use by another allfives"
            told += held
        else:
            told += ", made when it is needed"
    except Stop as stop:
        return Finding("folder", told, stop.sentence)
    if not os.access(there, os.W_OK):
        return Finding("folder", told, "It cannot be written; name another one with --data-dir.")
    if free < _ROOM_BYTES:
        return Finding("folder", told, "Make room, or name a folder elsewhere with --data-dir.")
    return Finding("folder", told)


def _nearest_parent(path: Path) -> Path:
    return next(one for one in path.parents if one.exists())


def _newest(home: Home) -> float:
    """When something here was last written, as seconds since 1970: the clock was there already."""
    files = [home.store, home.identity_path, Path(__file__)]
    return max(one.stat().st_mtime for one in files if one.exists())


def clock(now: float, newest: float) -> Finding:
    """Whether the clock stands behind what was written by it; games do not rest on it, the names
    of records and the history do."""
    told = time.strftime("%Y-%m-%d %H:%M %z", time.localtime(now))
    if now < newest - _DAY_SECONDS:
        return Finding("clock", told, "It stands behind files that were written here; set it.")
    return Finding("clock", told)


def addresses() -> Finding:
    """Where others can reach this machine."""
    from p2p.net.link.addresses import on_network, own_hosts

    if not on_network():
        return Finding("network", "none", "Only bots can be played with; connect this machine.")
    others = [one for one in own_hosts() if not one.startswith(("127.", "::1", "fe80:"))]
    return Finding("network", ", ".join(others) or "only link-local addresses")


def port() -> Finding:
    """Whether tables can be opened, and at which port."""
    from p2p.net.errors import NetError
    from p2p.net.link.addresses import DEFAULT_PORT
    from p2p.net.link.listen import open_listeners

    async def try_it() -> int:
        listeners = await open_listeners()
        await listeners.aclose()
        return listeners.port

    try:
        found = _run(try_it)
    except NetError as error:
        return Finding("port", "none to be had", str(error))
    usual = "" if found == DEFAULT_PORT else f", as {DEFAULT_PORT} is taken"
    return Finding("port", f"{found}{usual}; a firewall must let others in there to join")


def multicast() -> Finding:
    """Whether tables can be found on the local network."""
    from p2p.net.errors import NetError
    from p2p.net.find.discovery import browse

    async def look() -> int:
        return len(await browse(_LOOK_SECONDS))

    try:
        found = _run(look)
    except NetError as error:
        return Finding("multicast", "does not work", f"{error} An invite or an address works.")
    seen = f"{found or 'no'} {'table' if found in (0, 1) else 'tables'} seen"
    return Finding("multicast", f"works, {seen}")


def _run(main: Callable[[], Awaitable[int]]) -> int:
    import trio

    return trio.run(main)
