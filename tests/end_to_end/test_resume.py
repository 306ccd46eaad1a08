"""A bot is killed in a match, then its owner: both come back, and the match goes on."""

import json
import os
import re
import signal
from pathlib import Path

from support.process.tables import Running, bots_of, started

FLAGS = ("--auto", "easy", "--json")


def play_of(running: Running, seat: int, after: int = 0) -> None:
    """Wait until a seat has placed, drawn or passed behind so many lines."""
    move = f'"event":"(play|draw|pass)","hand":[0-9]+,"seat":{seat},'
    while not any(re.search(move, line) for line in running.out[after:]):
        running.wait_line(move)


def once(lines: list[str]) -> set[str]:
    """Those that tell what happens once in a match: a hand, and a tile that is placed in it."""
    return {line for line in lines if re.match(r'\{"event":"(hand|play)"', line)}


def another_bot(owner: Running, first: int) -> int:
    """The bot that was started in place of one that was killed."""
    while not (fresh := set(bots_of(owner)) - {first}):
        assert owner.process.poll() is None
    return fresh.pop()


def test_a_killed_bot_and_its_killed_owner_come_back(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with started("play", *FLAGS, home=home) as owner:
        match = json.loads(owner.wait_line('"event":"match"'))
        bot = next(one["seat"] for one in match["players"] if one["name"].startswith("Bot"))
        play_of(owner, bot)
        (first,) = bots_of(owner)
        os.kill(first, signal.SIGKILL)
        another_bot(owner, first)
        play_of(owner, bot, after=len(owner.out))
        owner.end(signal.SIGKILL)
        before = owner.out
    with started("resume", *FLAGS, home=home) as again:
        assert json.loads(again.wait_line('"event":"match"')) == match
        play_of(again, bot)
        assert not once(again.out[1:]) & once(before)
        assert again.end(signal.SIGTERM) == 143
    assert len(list((home / "records").iterdir())) == 1
    assert not list(home.glob("allfives-bots-*"))
