"""Bots: players of a level, and at a table each a real peer in a process of its own."""

import os
import random
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import trio

from cli.files.home import Home
from cli.files.identity import BOT, Identity, write_identity
from cli.process.errors import Stop
from cli.table.thinking import make_player
from engine.seats import NORMAL
from engine.strategy import Player, SeatView
from p2p.crypto.identity import IdentityKey
from p2p.net.link.listen import ANY_PORT

NAMES: Final = tuple(BOT + name for name in ("Ada", "Bea", "Cid"))
_FOLDERS: Final = {name: name.replace(" ", "-").lower() for name in NAMES}
_PREFIX: Final = "allfives-bots-"
_END_SECONDS: Final = 3.0


def player_maker(level: str, think: float) -> Callable[[SeatView], Player]:
    """Makes a player of that level; it thinks `think` seconds, at most half the turn time."""

    def make(view: SeatView) -> Player:
        seconds = view.rules.turn_seconds
        most = think if seconds is None else min(think, seconds / 2)
        rng = random.Random(secrets.randbits(64))
        return make_player(level, rng, think=most, clock=time.monotonic)

    return make


@dataclass(frozen=True)
class Bots:
    """The bots of a table: how many, of which level, how long they think, and, once they are
    started, their identity keys."""

    count: int = 0
    level: str = NORMAL
    think: float = 1.0
    keys: set[bytes] = field(default_factory=set, compare=False)


@dataclass(frozen=True)
class Door:
    """Where bots come in: the address of this machine that they use, and their invite: it needs no
    turn at the code."""

    host: str
    invite: str = field(repr=False)


@asynccontextmanager
async def bots_at(home: Home, door: Door, bots: Bots, begun: trio.Event) -> AsyncIterator[None]:
    """The bots join the table meanwhile. They end with the match, or when this block is left.

    What they keep lies in a folder of `home`, the host's, till then. Raises Stop (in a group) if
    one ends before the match has `begun`.
    """
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(_folder_in(home))
        nursery = await stack.enter_async_context(trio.open_nursery())
        for name in NAMES[: bots.count]:
            nursery.start_soon(_run_bot, door, bots, name, folder, begun)
        yield
        nursery.cancel_scope.cancel()


@contextmanager
def _folder_in(home: Home) -> Iterator[Path]:
    # Windows removes nothing that is open; what stays goes with the next start.
    with tempfile.TemporaryDirectory(
        prefix=f"{_PREFIX}{os.getpid()}-", dir=home.folder, ignore_cleanup_errors=True
    ) as folder:
        yield Path(folder)


def clear_bots(home: Home) -> None:
    """Remove what bots of a killed program have left; `home` is held, so no others can be there.

    A bot that has not ended yet still holds its own folder. One such is left, and so is every
    folder that does not look like one of ours.
    """
    for left in home.folder.glob(f"{_PREFIX}*"):
        if left.is_dir() and not left.is_symlink():
            inside = list(left.iterdir())
            ours = all(one.name in _FOLDERS.values() for one in inside)
            if ours and all(Home(one).is_free() for one in inside):
                shutil.rmtree(left, ignore_errors=True)


async def _run_bot(door: Door, bots: Bots, name: str, folder: Path, begun: trio.Event) -> None:
    """One bot. Its invite goes through standard input: arguments are there for all to see."""
    home = Home(folder / _FOLDERS[name])
    home.make()
    key = IdentityKey.generate()
    bots.keys.add(key.public)
    write_identity(home.identity_path, Identity(name, key))
    seat = ["--auto", bots.level, "--think", str(bots.think), "--data-dir", str(home.folder)]
    # Any port: the usual one is for tables that people look for.
    where = ["--bind", door.host, "--port", str(ANY_PORT), "--", "-"]
    with (home.folder / "errors").open("wb") as errors:
        bot = await trio.lowlevel.open_process(
            [sys.executable, "-m", "cli", "join", *seat, *where],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            # A Ctrl-C at the terminal is for us: the bots end when we let go of them.
            start_new_session=True,
        )
    try:
        await _tell(bot, door.invite)
        await bot.wait()
        if not begun.is_set():
            said = (home.folder / "errors").read_text("utf-8", "replace").split("\n")
            raise Stop(f"{name} did not stay at the table: {said[0] or 'it said nothing'}")
    finally:
        await _end(bot)


async def _tell(bot: trio.Process, invite: str) -> None:
    if bot.stdin is None:
        raise AssertionError("a bot without a pipe")
    try:
        await bot.stdin.send_all(invite.encode() + b"\n")
    except trio.BrokenResourceError:
        return


async def _end(bot: trio.Process) -> None:
    """Close the pipe, which ends a bot that still plays, and wait for it."""
    with trio.CancelScope(shield=True):
        if bot.stdin is not None:
            await bot.stdin.aclose()
        with trio.move_on_after(_END_SECONDS):
            await bot.wait()
        if bot.returncode is None:
            bot.kill()
            await bot.wait()
