"""Bots: players of a level, and at a table each a real peer in a process of its own."""

import os
import random
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import trio

from cli.files.home import Home
from cli.files.identity import BOT, Identity, write_identity
from cli.process.errors import DONE, Stop
from cli.process.piped import PIPED
from cli.table.auto import LEAVE_LINE
from cli.table.notes import Crew
from cli.table.thinking import ApartAdviser, MakeAdviser, make_player
from engine.seats import NORMAL
from engine.strategy import Player, SeatView
from p2p.crypto.identity import IdentityKey
from p2p.net.link.listen import ANY_PORT

NAMES: Final = tuple(BOT + name for name in ("Ada", "Bea", "Cid"))
_FOLDERS: Final = {name: name.replace(" ", "-").lower() for name in NAMES}
_PREFIX: Final = "allfives-bots-"
_END_SECONDS: Final = 3.0
# A bot that ends again and again is not started for ever.
_TRIES: Final = 5
_AGAIN_SECONDS: Final = 0.25
_HINT_TIMES: Final = 4


def player_maker(level: str, think: float) -> Callable[[SeatView], Player]:
    """Makes a player of that level; it thinks `think` seconds, at most half the turn time."""

    def make(view: SeatView) -> Player:
        return make_player(level, _rng(), think=_most(view, think), clock=time.monotonic)

    return make


def adviser_maker(think: float) -> MakeAdviser:
    """Makes who gives hints. Nobody but who asked waits for one, so on a busy machine it may think
    longer about each than a player."""
    return lambda view: ApartAdviser(_rng(), _most(view, _HINT_TIMES * think), time.monotonic)


def _most(view: SeatView, think: float) -> float:
    seconds = view.rules.turn_seconds
    return think if seconds is None else min(think, seconds / 2)


def _rng() -> random.Random:
    return random.Random(secrets.randbits(64))


@dataclass(frozen=True)
class Bots:
    """The bots of a table: how many, of which level, how long they think, how long they wait
    before a move, and, once they are started, their identity keys."""

    count: int = 0
    level: str = NORMAL
    think: float = 1.0
    pace: float = 0.0
    keys: set[bytes] = field(default_factory=set, compare=False)


@dataclass
class Going:
    """How it goes at a table, as its bots have to know: whether the match has `begun`, or is about
    to (it may turn out that it never does), and whether it `waits` now for those who go."""

    begun: bool = False
    waits: Callable[[], bool] = lambda: False


@dataclass(frozen=True)
class Work:
    """Where bots go: the address of this machine that they use, and the `invite` of the table,
    which needs no turn at the code. None: they come back to a match, as they do by themselves once
    it has begun. `tell` gets a line about one that is gone for good."""

    host: str
    invite: str | None = field(repr=False)
    going: Going
    tell: Callable[[str], None]


def hire(home: Home, bots: Bots) -> Crew:
    """Bots with keys of their own, in a folder of `home`, the host's; `bots` gets their keys."""
    folder = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=home.folder))
    crew = Crew(folder.name, NAMES[: bots.count], bots.level, bots.think, bots.pace)
    for name in crew.names:
        own, key = _home_of(home, crew, name), IdentityKey.generate()
        own.make()
        bots.keys.add(key.public)
        write_identity(own.identity_path, Identity(name, key))
    return crew


def _home_of(home: Home, crew: Crew, name: str) -> Home:
    return Home(home.folder / crew.folder / _FOLDERS[name])


@asynccontextmanager
async def at_work(home: Home, crew: Crew, work: Work) -> AsyncIterator[None]:
    """The bots sit at the table meanwhile. They leave with whoever brought them, when this block is
    left, and what they kept goes; a killed program leaves it, for its match to go on, and so does
    one whose match waits.

    One that is killed is started again. Raises Stop (in a group) if one ends by itself before the
    match has begun.
    """
    try:
        async with trio.open_nursery() as nursery:
            for name in crew.names:
                nursery.start_soon(_run_bot, _home_of(home, crew, name), crew, name, work)
            yield
            nursery.cancel_scope.cancel()
    finally:
        # Windows removes nothing that is open; what stays goes with the next start.
        if not work.going.waits():
            shutil.rmtree(home.folder / crew.folder, ignore_errors=True)


def clear_bots(home: Home, keep: Collection[str] = ()) -> None:
    """Remove what bots of a killed program have left, but for the folders of crews that come back
    (`keep`); `home` is held, so no others can be there.

    A bot that has not ended yet still holds its own folder. One such is left, and so is every
    folder that does not look like one of ours.
    """
    for left in home.folder.glob(f"{_PREFIX}*"):
        if left.name not in keep and left.is_dir() and not left.is_symlink():
            inside = list(left.iterdir())
            ours = all(one.name in _FOLDERS.values() for one in inside)
            if ours and all(Home(one).is_free() for one in inside):
                shutil.rmtree(left, ignore_errors=True)


async def _run_bot(home: Home, crew: Crew, name: str, work: Work) -> None:
    """One bot, started again while it is killed; in a match, whatever ended it."""
    for tries in range(1, _TRIES + 1):
        code = await _once(home, crew, work)
        if code == DONE and work.going.begun:
            return
        if not (work.going.begun or code < 0):
            break
        await trio.sleep(tries * _AGAIN_SECONDS)
    said = (home.folder / "errors").read_text("utf-8", "replace").split("\n")
    why = f"{name} did not stay at the table: {said[0] or 'it gave no reason'}"
    if not work.going.begun:
        raise Stop(why)
    work.tell(why)


def joins(work: Work) -> bool:
    """Whether a bot that starts now comes in by the invite, and not back to a match."""
    return work.invite is not None and not work.going.begun


async def _once(home: Home, crew: Crew, work: Work) -> int:
    """A process of a bot, to its end; the exit code. What it needs to come in goes through standard
    input: arguments are there for all to see."""
    arrives = joins(work)
    home.make()
    seat = ["--auto", crew.level, "--think", str(crew.think), "--pace", str(crew.pace)]
    seat += ["--data-dir", str(home.folder)]
    # Any port: the usual one is for tables that people look for.
    port = ["--port", str(ANY_PORT)] if arrives else []
    where = ["--bind", work.host, *port, "--", PIPED]
    with (home.folder / "errors").open("wb") as errors:
        bot = await trio.lowlevel.open_process(
            [sys.executable, "-m", "cli", "join" if arrives else "resume", *seat, *where],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            # A Ctrl-C at the terminal is for us: the bots end when we let go of them.
            start_new_session=True,
        )
    try:
        await _tell(bot, work.invite or "" if arrives else "")
        return await bot.wait()
    finally:
        await _end(bot, work.going.waits())


async def _tell(bot: trio.Process, line: str) -> None:
    if bot.stdin is None:
        raise AssertionError("a bot without a pipe")
    try:
        await bot.stdin.send_all(line.encode() + b"\n")
    except trio.BrokenResourceError:
        return


async def _end(bot: trio.Process, match_waits: bool) -> None:
    """Have a bot that still plays leave, or just end where its match waits; and wait for it."""
    with trio.CancelScope(shield=True):
        if not match_waits:
            await _tell(bot, LEAVE_LINE)
        if bot.stdin is not None:
            await bot.stdin.aclose()
        with trio.move_on_after(_END_SECONDS):
            await bot.wait()
        if bot.returncode is None:
            bot.kill()
            await bot.wait()
