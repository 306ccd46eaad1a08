"""A table in memory with one seat at a screen: what the driver of a real table does, in short.

`python tests/screen_table.py [SEED] [OPTION=VALUE ...]` plays one on this terminal.
"""

import os
import random
import sys
from collections.abc import Awaitable, Callable, Mapping

import trio
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output
from tables import Game, rules_for

from cli.prompts import only_move
from cli.screen.canvas import Look
from cli.screen_seat import ScreenSeat
from cli.seat import Leaving
from engine.strategy import SeatView, make_player

FAIR = "Every shuffle was proven; the record is here: match.fives."


def make_seat(
    environment: Mapping[str, str] = os.environ,
    terminal_in: Input | None = None,
    terminal_out: Output | None = None,
    look: Look | None = None,
) -> ScreenSeat:
    """A seat whose hints come from the normal bot."""
    return ScreenSeat(
        lambda view: make_player("normal", random.Random(1)),
        8.0,
        look or Look(),
        environment,
        terminal_in,
        terminal_out,
    )


class TableInMemory:
    """The sessions of all seats; seat 0 is at the screen, bots have the others."""

    def __init__(self, game: Game, seat: ScreenSeat) -> None:
        self.game = game
        self.seat = seat
        self._told = 0

    def main(self) -> Callable[[], Awaitable[int]]:
        """What runs in Trio: the whole match; 0 when it was finished, 1 when the person left."""

        async def run() -> int:
            async with trio.open_nursery() as nursery:
                left: list[str] = []
                nursery.start_soon(self._listen, nursery.cancel_scope, left)
                await self._play()
                self.seat.tell(FAIR)
                nursery.cancel_scope.cancel()
            return 1 if left else 0

        return run

    async def _listen(self, scope: trio.CancelScope, left: list[str]) -> None:
        try:
            await self.seat.listen()
        except Leaving as leaving:
            left.append(str(leaving))
            scope.cancel()

    async def _play(self) -> None:
        self.seat.scene.me = 0
        self.game.start()
        while not self.game.sessions[0].finished:
            await trio.to_thread.run_sync(self.game.deliver)
            self._tell()
            await self._move()
        self._tell()

    def _tell(self) -> None:
        for event in self.game.events[0][self._told :]:
            self.seat.publish(event)
        self._told = len(self.game.events[0])

    async def _move(self) -> None:
        mine = self.game.sessions[0]
        view = mine.decision()
        if view is not None:
            self.game.take(0, mine.act(await self.seat.decide(view)))
        elif mine.claim_due():
            self.game.take(0, mine.claim(await self.seat.claim(mine.view())))
        else:
            self.game.move()


def is_forced(view: SeatView) -> bool:
    """Whether only one thing can be done."""
    return only_move(view) is not None


if __name__ == "__main__":
    options = dict(setting.split("=", 1) for setting in sys.argv[2:])
    players = int(options.pop("players", "2"))
    rules = rules_for(players, options.pop("rules", "classic"), **options)
    person = make_seat(look=Look(options.get("look") != "ascii"))
    table = TableInMemory(Game.make(rules, seed=sys.argv[1] if sys.argv[1:] else "a"), person)
    sys.exit(person.run(table.main()))
