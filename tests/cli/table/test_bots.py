"""Bots that are killed are started again; what those of a killed program have left goes with the
next start, unless their match can go on, and nothing else does."""

import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import trio
import trio.testing

from cli.files.home import Home
from cli.process.errors import Stop
from cli.table import bots
from cli.table.bots import Bots, Going, Work, at_work, clear_bots, hire, joins
from cli.table.notes import Crew


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "home")
    made.make()
    return made


def left_behind(home: Home, name: str = "allfives-bots-17-abc") -> tuple[Home, Home]:
    """The homes of two bots whose program was killed."""
    bots = Home(home.folder / name / "bot-ada"), Home(home.folder / name / "bot-bea")
    for bot in bots:
        with bot.locked():
            bot.identity()
    return bots


def test_what_was_left_goes(home: Home) -> None:
    left_behind(home)
    (home.folder / "allfives-bots-18-none").mkdir()
    home.config.touch()
    clear_bots(home)
    assert list(home.folder.iterdir()) == [home.config]


def test_bots_of_a_match_that_can_go_on_keep_their_folder(home: Home) -> None:
    kept, _ = left_behind(home)
    left_behind(home, "allfives-bots-18-def")
    clear_bots(home, ["allfives-bots-17-abc"])
    assert [one.name for one in home.folder.iterdir()] == ["allfives-bots-17-abc"]
    assert kept.identity_path.exists()


def test_a_bot_that_has_not_ended_keeps_its_folder(home: Home) -> None:
    ada, bea = left_behind(home)
    with bea.locked():
        clear_bots(home)
        assert ada.identity_path.exists()
        assert bea.identity_path.exists()
    clear_bots(home)
    assert list(home.folder.iterdir()) == []


def test_what_somebody_else_put_there_stays(home: Home, tmp_path: Path) -> None:
    elsewhere = Home(tmp_path / "elsewhere")
    left_behind(elsewhere)
    (home.folder / "allfives-bots-1-link").symlink_to(elsewhere.folder / "allfives-bots-17-abc")
    (home.folder / "allfives-bots-2-file").touch()
    mixed, _ = left_behind(home, "allfives-bots-3-mixed")
    (mixed.folder.parent / "notes").mkdir()
    before = sorted(tmp_path.rglob("*"))
    clear_bots(home)
    assert sorted(tmp_path.rglob("*")) == before
    assert mixed.identity_path.exists()


class Ends:
    """In place of a bot's process: it ends with these codes, and then not at all. `joined` says of
    each whether it came in by the invite."""

    def __init__(self, work: Work, *codes: int) -> None:
        self.work, self.codes, self.joined = work, list(codes), list[bool]()

    async def once(self, home: Home, crew: Crew, work: Work) -> int:
        self.joined.append(joins(work))
        (home.folder / "errors").write_text("It says why.\n")
        if not self.codes:
            await trio.sleep_forever()
        return self.codes.pop(0)


@pytest.fixture
def working(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Awaitable[tuple[Ends, list[str]]]]:
    """Has a bot work for a while whose processes end so, in the lobby or once the match has begun;
    what was told."""

    async def run(*codes: int, begun: bool, waits: bool = False) -> tuple[Ends, list[str]]:
        told = list[str]()
        work = Work("127.0.0.1", "invite", Going(begun, lambda: waits), told.append)
        ends = Ends(work, *codes)
        monkeypatch.setattr(bots, "_once", ends.once)
        team = Bots(1)
        crew = hire(home, team)
        assert len(team.keys) == 1
        async with at_work(home, crew, work):
            await trio.sleep(60)
        assert (home.folder / crew.folder).exists() == waits
        return ends, told

    return run


Clock = trio.testing.MockClock
Run = Callable[..., Awaitable[tuple[Ends, list[str]]]]
KILLED = -signal.SIGKILL


async def test_a_bot_killed_in_the_lobby_is_started_again(
    working: Run, autojump_clock: Clock
) -> None:
    ends, told = await working(KILLED, KILLED, begun=False)
    assert (ends.joined, told) == ([True] * 3, [])


async def test_a_bot_that_ends_by_itself_in_the_lobby_ends_the_table(
    working: Run, autojump_clock: Clock
) -> None:
    with pytest.RaisesGroup(pytest.RaisesExc(Stop, match="Bot Ada did not stay")):
        await working(1, begun=False)


@pytest.mark.parametrize("code", [KILLED, 1])
async def test_a_bot_that_ends_in_a_match_comes_back_to_it(
    working: Run, autojump_clock: Clock, code: int
) -> None:
    ends, told = await working(code, begun=True)
    assert (ends.joined, told) == ([False] * 2, [])


async def test_a_bot_that_is_done_is_not_started_again(working: Run, autojump_clock: Clock) -> None:
    ends, _ = await working(0, begun=True)
    assert len(ends.joined) == 1


async def test_a_bot_that_ends_again_and_again_is_told_of(
    working: Run, autojump_clock: Clock
) -> None:
    ends, told = await working(*[KILLED] * 9, begun=True)
    assert told == ["Bot Ada did not stay at the table: It says why."]
    assert len(ends.joined) == 5


async def test_what_bots_keep_stays_where_their_match_waits(
    working: Run, autojump_clock: Clock
) -> None:
    await working(0, begun=True, waits=True)


@pytest.mark.parametrize(("waits", "told"), [(True, b""), (False, b"leave\n")])
async def test_a_bot_is_told_to_leave_unless_its_match_waits(waits: bool, told: bytes) -> None:
    echo = [sys.executable, "-c", "import sys; sys.stdout.write(sys.stdin.read())"]
    bot = await trio.lowlevel.open_process(echo, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    await bots._end(bot, waits)
    assert bot.stdout is not None
    async with bot.stdout:
        assert await bot.stdout.receive_some() == told
