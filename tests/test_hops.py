"""From a key press to the session, or to the others: how many of our modules hand it on.

A hop is a step from one module to another: along the stack of a call, and along the coroutines
through which a decision returns. A control and its modes are one, and so is the sitting.
"""

import os
import re
import sys
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from types import FrameType, FunctionType
from typing import Final

import pytest
import trio
import trio.testing
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput
from support.limits import HANG_SECONDS
from support.net.pump_seats import Seat, Wires, make_seats
from support.places import ROOT
from support.session.tables import make_table

from cli.files.home import Home
from cli.files.identity import Identity
from cli.screen.bridge import Guest
from cli.screen.line.look import Look
from cli.screen.modes.base import Mode
from cli.screen.modes.covers import Page
from cli.screen.modes.over import Another
from cli.screen.modes.playing import Turn
from cli.screen.seat import ScreenSeat, Settings
from cli.table.port import Leave, Wants, Wish
from cli.table.stay import Visit, Visitor
from cli.table.thinking import Adviser
from engine.moves import Move
from engine.strategy import SeatView
from p2p.session.output import Output
from p2p.session.session import Session
from p2p.session.sitting.owner import Chosen
from p2p.session.sitting.sitting import Sitting
from p2p.store import Store
from p2p.wire.codec import encode

MOST_HOPS: Final = 8
OURS: Final = tuple(f"{ROOT / package}{os.sep}" for package in ("p2p", "cli"))
# What a person wants is said in words of these kinds.
WORD: Final = encode(["word", 0])[:-1]
SAID: Final = tuple(encode(kind) for kind in ("chat", "pause", "bind"))
ROOMS: Final = {"cli/screen/modes/": "cli/screen/control.py", "p2p/session/sitting/": "sitting"}


def stop(path: str) -> str:
    """What a module counts as."""
    name = Path(path).relative_to(ROOT).as_posix()
    return next((room for start, room in ROOMS.items() if name.startswith(start)), name)


def stack(frame: FrameType | None) -> list[str]:
    """Our modules on a stack, the outermost first, from the loop or test that called them."""
    found: list[str] = []
    while frame is not None and (ours := frame.f_code.co_filename.startswith(OURS)) | (not found):
        found += [stop(frame.f_code.co_filename)] if ours else []
        frame = frame.f_back
    return found[::-1]


class Way:
    """The modules that the last key press has come through; `there` once it has arrived."""

    def __init__(self) -> None:
        self.stops: list[str] = []
        self.there = False

    def add(self, *stops: str) -> None:
        """More of it."""
        if not self.there:
            self.stops += stops

    def arrive(self, *stops: str) -> None:
        """The last of it."""
        self.add(*stops)
        self.there = True

    @property
    def hops(self) -> list[str]:
        """The modules, each as often as it was handed to."""
        return [one for one, _ in groupby(self.stops)]


def says_a_wish(payload: bytes) -> bool:
    """Whether a payload is a word of a person's."""
    return payload.startswith(WORD) and any(kind in payload for kind in SAID)


@pytest.fixture
def way(monkeypatch: pytest.MonkeyPatch) -> Way:
    """Notes the way at each border: into Trio, back from a decision, at the session, at a wire."""
    noted = Way()
    call, sit, decide = Guest.call, ScreenSeat.sit, ScreenSeat.decide
    act, send = Session.act, Wires.send

    def called(self: Guest, job: Callable[[], None]) -> None:
        def run() -> None:
            if isinstance(job, FunctionType):
                noted.add(stop(job.__code__.co_filename))
            job()

        noted.add(*stack(sys._getframe(1)), stop(Guest.run.__code__.co_filename))
        call(self, run)

    async def decided(self: ScreenSeat, view: SeatView) -> Chosen:
        asking = stack(sys._getframe(1))
        chosen = await decide(self, view)
        noted.add(stop(decide.__code__.co_filename), *asking[::-1])
        return chosen

    def acted(self: Session, move: Move, auto: bool = False) -> Output:
        if self.seat == 0:
            noted.arrive(*stack(sys._getframe(1)), stop(act.__code__.co_filename))
        return act(self, move, auto)

    def sent(self: Wires, seat: int, payload: bytes) -> None:
        if self.seat == 0 and says_a_wish(payload):
            noted.arrive(*stack(sys._getframe(1)))
        send(self, seat, payload)

    def sat(self: ScreenSeat, wants: Wants) -> None:
        def want(wish: Wish) -> None:
            noted.add(*stack(sys._getframe(1)))
            if isinstance(wish, Leave):
                noted.arrive(stop(Visit.stay.__code__.co_filename))
            wants(wish)

        sit(self, want)

    monkeypatch.setattr(Guest, "call", called)
    monkeypatch.setattr(ScreenSeat, "sit", sat)
    monkeypatch.setattr(ScreenSeat, "decide", decided)
    monkeypatch.setattr(Session, "act", acted)
    monkeypatch.setattr(Wires, "send", sent)
    return noted


class Playing:
    """A person at a screen, and the keys that they press."""

    def __init__(self, screen: ScreenSeat, keys: PipeInput, way: Way) -> None:
        self.screen, self.keys, self.way = screen, keys, way
        self.ways: dict[str, list[str]] = {}

    async def press(self, what: str, keys: str) -> None:
        """Press keys; keeps the way of the last, once it has arrived."""
        self.way.stops, self.way.there = [], False
        self.keys.send_text(keys)
        await self.until(lambda: self.way.there)
        self.ways[what] = self.way.hops

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds."""
        while not holds():
            await trio.testing.wait_all_tasks_blocked(0.01)

    async def play(self) -> None:
        """A match, with a line of chat and a pause, and the wish for another."""
        assert await self.turn()
        await self.press("say", "chello\r")
        await self.press("pause", "p")
        await self.press("go on", "p")
        while await self.turn():
            await self.press("decide", "\r")
        await self.press("again", "a")
        await self.press("leave", "q")

    async def turn(self) -> bool:
        """Wait for the person's turn, closing pages; False when the match is over."""
        while True:
            await self.until(lambda: isinstance(self.mode, Turn | Page | Another))
            if not isinstance(self.mode, Page):
                return isinstance(self.mode, Turn)
            # Enter would leave, if the page of a match that is over takes this one's place.
            self.keys.send_text("\x1b")
            await self.until(lambda: not isinstance(self.mode, Page))

    @property
    def mode(self) -> Mode:
        """What the screen is about."""
        return self.screen.control.mode


def play(home: Home, way: Way, rival: Seat, mine: Seat) -> dict[str, list[str]]:
    """A match of a person at a screen against a bot, over wires in memory."""
    with create_pipe_input() as keys, Store(home.store) as store:
        screen = ScreenSeat(hinter, Settings(guard=0.0), Look(False), {}, keys, DummyOutput())
        key = make_table(mine.session.table.rules, "hops")[1][0]
        identity = Identity("Ana", key)
        sitting = Sitting(mine.session.table, key, os.urandom)
        visit = Visit(Visitor(home, identity, store, screen, None, screen.lines(), screen.run))
        playing = Playing(screen, keys, way)

        async def main() -> int:
            with trio.fail_after(HANG_SECONDS):
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(rival.run)
                    nursery.start_soon(visit._sit, sitting, mine.hub.wires[0])
                    await playing.play()
                    nursery.cancel_scope.cancel()
            return 0

        assert screen.run(main) == 0
        return playing.ways


def hinter(view: SeatView) -> Adviser:
    """No hint is asked for."""
    raise AssertionError("a hint")


def listed() -> dict[str, str]:
    """The ways as ARCHITECTURE.md lists them."""
    page = (ROOT / "ARCHITECTURE.md").read_text()
    rows = re.findall(r"^([a-z ]+?) {2,}(cli/screen/app > .*)$", page, re.MULTILINE)
    return {what: re.sub(r"(/\w+)(?= >|$)", r"\1.py", way) for what, way in rows}


def test_a_key_press_comes_through_few_modules(tmp_path: Path, way: Way) -> None:
    home = Home(tmp_path)
    mine, rival = make_seats(2, name="hops")
    ways = play(home, way, rival, mine)
    assert {what: " > ".join(stops) for what, stops in ways.items()} == listed()
    for what, stops in ways.items():
        assert stops[0] == "cli/screen/app.py", what
        assert len(stops) - 1 <= MOST_HOPS, f"{what}: {' > '.join(stops)}"
    assert ways["decide"][-1] == "p2p/session/session.py"
