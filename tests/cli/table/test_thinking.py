"""A bot that thinks in a process of its own: its moves, its time, its end."""

import gc
import os
import random
import signal
import subprocess
import sys
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import cast

import pytest
from support.engine.dealing import begin
from support.limits import HANG_SECONDS
from support.places import ROOT

from cli.table.thinking import ApartAdviser, Thinker, answer, make_player
from engine.match import Match
from engine.moves import Move, Play
from engine.rules import Rules
from engine.strategy import SeatView, make_view
from engine.strategy.hard import HardPlayer
from engine.strategy.normal import NormalPlayer


def view_of(seed: int, **options: str) -> SeatView:
    match = Match(Rules.make("classic", 2, dict(options)), 2)
    hand, _ = begin(match, random.Random(seed))
    assert hand.turn is not None
    return make_view(match, hand.turn)


def test_only_who_looks_ahead_has_a_process() -> None:
    normal = make_player("normal", random.Random(1), think=1.0, clock=time.monotonic)
    assert isinstance(normal, NormalPlayer)
    assert not isinstance(normal, Thinker)


def test_it_answers_every_view_with_a_legal_move() -> None:
    player = make_player("hard", random.Random(1), think=0.05, clock=time.monotonic)
    assert isinstance(player, Thinker)
    for seed in range(3):
        view = view_of(seed)
        assert player.choose(view) in view.legal


def test_it_claims_like_normal() -> None:
    view = view_of(3, claims="yes")
    player = make_player("hard", random.Random(1), think=0.01, clock=time.monotonic)
    move = player.choose(view)
    assert isinstance(move, Play)
    assert move.claim == view.points_for(Play(move.seat, move.slot, move.tile, move.end))
    assert player.claim(view) == 0  # nothing is awaited


def test_circles_are_collected_between_moves_and_not_while_it_thinks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Collecting takes long, at moments that nobody sees coming."""
    view = view_of(1)
    seen: list[object] = []

    class Pipe:
        def recv(self) -> SeatView:
            if seen.count("sent") == 2:
                raise EOFError
            return view

        def send(self, answer: object) -> None:
            seen.append("sent")

    def choose(self: HardPlayer, view: SeatView) -> Move:
        seen.append("thinks, collecting" if gc.isenabled() else "thinks")
        return view.legal[0]

    monkeypatch.setattr(HardPlayer, "choose", choose)
    monkeypatch.setattr(gc, "collect", lambda: seen.append("collects"))
    try:
        answer(cast(Connection, Pipe()), "hard", random.Random(1), 1.0, time.monotonic)
    finally:
        gc.enable()
    assert seen == ["thinks", "sent", "collects"] * 2


def test_without_its_process_it_plays_on_like_normal() -> None:
    player = make_player("hard", random.Random(1), think=0.01, clock=time.monotonic)
    assert isinstance(player, Thinker)
    player.process.kill()
    player.process.join()
    for seed in range(2):
        view = view_of(seed)
        assert player.choose(view) == NormalPlayer().choose(view)


def test_advice_comes_from_a_process_and_without_it_all_the_same() -> None:
    adviser, view = ApartAdviser(random.Random(1), 0.02, time.monotonic), view_of(1)
    for _ in range(2):
        advice = adviser.advise(view)
        assert advice.move in view.legal
        assert set(advice.expected) == set(view.legal)
        adviser.process.kill()
        adviser.process.join()


STARTER = """
import random, sys, time
sys.path.insert(0, sys.argv[1])
from cli.table.thinking import make_player
if __name__ == "__main__":
    player = make_player("hard", random.Random(1), think=1.0, clock=time.monotonic)
    print(player.process.pid, flush=True)
    sys.stdin.read()
"""


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize("signum", [signal.SIGKILL, signal.SIGTERM])
def test_the_process_ends_with_the_one_that_started_it(
    signum: signal.Signals, tmp_path: Path
) -> None:
    script = tmp_path / "starter.py"
    script.write_text(STARTER)
    checkout = str(ROOT)
    with subprocess.Popen(
        [sys.executable, str(script), checkout], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as starter:
        assert starter.stdout is not None
        pid = int(starter.stdout.readline())
        assert alive(pid)
        starter.send_signal(signum)
        starter.wait(HANG_SECONDS)
    until = time.monotonic() + HANG_SECONDS
    try:
        while alive(pid):
            assert time.monotonic() < until, "the process that thinks was left behind"
    finally:
        if alive(pid):
            os.kill(pid, signal.SIGKILL)
