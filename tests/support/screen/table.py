"""A table in memory with one seat at a screen: what the driver of a real table does, in short.

`python -m support.screen.table SEED [OPTION=VALUE ...]` in tests/ plays one here; beside options
of the rules: players, rules (the preset), look (ascii, unicode), fail (where `h` fails), names
(one of `NAMES_OF`).
"""

import sys
from collections.abc import Awaitable, Callable

import trio
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent, merge_key_bindings
from support.screen.hinter import hinter
from support.session.tables import NAMES, Game, rules_for

from cli.process import signals
from cli.process.running import plain
from cli.screen.line.look import Look
from cli.screen.seat import ScreenSeat, Settings
from cli.table.port import Leave, Told, Wish
from cli.table.thinking import Adviser
from p2p.session.sitting.owner import Began, Happened

# Keys count at once: no test waits for the clock.
SETTINGS = Settings(guard=0.0)
# Hebrew, Hangul as letters that are put together, Telugu, a flag and a tone of the skin.
_HEBREW, _HANGUL = "\u05e9\u05dc\u05d5\u05dd", "\u1112\u1161\u11ab\u1100\u1173\u11af"
_TELUGU = "\u0c24\u0c46\u0c32\u0c41\u0c17\u0c41"
_FLAG = "Dot \U0001f1f9\U0001f1f7\U0001f44d\U0001f3fd"
# pyte leaves out what follows a vowel sign of class 0, as Telugu's, in what is written at once.
NAMES_OF = {
    "odd": (_HEBREW, _HANGUL, "\u9f8d\u9f8d", _FLAG),
    "odder": (_HEBREW, _HANGUL, _TELUGU, _FLAG),
}
FAIR = "Every shuffle was proven; the record is here: match.fives."


class TableInMemory:
    """The sessions of all seats; seat 0 is at the screen, bots have the others."""

    def __init__(self, game: Game, seat: ScreenSeat) -> None:
        self.game = game
        self.seat = seat
        self._told = 0

    def main(self) -> Callable[[], Awaitable[int]]:
        """What runs in Trio: the whole match; 0 when it was finished, 1 when the person left."""

        async def run() -> int:
            left: list[Leave] = []
            async with trio.open_nursery() as nursery:

                def want(wish: Wish) -> None:
                    if isinstance(wish, Leave):
                        left.append(wish)
                        nursery.cancel_scope.cancel()

                self.seat.sit(want)
                nursery.start_soon(self.seat.listen)
                await self._play()
                self.seat.show(Told(FAIR))
                nursery.cancel_scope.cancel()
            return 1 if left else 0

        return run

    async def _play(self) -> None:
        self.seat.show(Began(self.game.sessions[0].table, 0))
        self.game.start()
        while not self.game.sessions[0].finished:
            await trio.to_thread.run_sync(self.game.deliver)
            self._tell()
            await self._move()
        self._tell()

    def _tell(self) -> None:
        for event in self.game.events[0][self._told :]:
            self.seat.show(Happened(event))
        self._told = len(self.game.events[0])

    async def _move(self) -> None:
        mine = self.game.sessions[0]
        if mine.decision() is None and not mine.claim_due():
            self.game.move()
            return
        chosen = await self.seat.decide(mine.view())
        if chosen.move is None:
            self.game.take(0, mine.claim(chosen.claim))
        else:
            self.game.take(0, mine.act(chosen.move))


class FailedOnPurpose(Exception):
    """What a test makes fail."""


def fail(_: object) -> Adviser:
    """The injected failure."""
    raise FailedOnPurpose("on purpose")


def break_at(seat: ScreenSeat, where: str) -> None:
    """Make the key `h` fail at once, or make it that the next drawing fails."""
    keys = KeyBindings()

    @keys.add("h")
    def _hint(event: KeyPressEvent) -> None:
        if where == "key":
            fail(event)
        seat.app.before_render.add_handler(lambda _: _failing())

    assert seat.app.key_bindings is not None
    seat.app.key_bindings = merge_key_bindings([seat.app.key_bindings, keys])


def _failing() -> None:
    fail(None)


def play() -> int:
    """Play as the arguments say."""
    options = dict(setting.split("=", 1) for setting in sys.argv[2:])
    players, preset = int(options.pop("players", "2")), options.pop("rules", "classic")
    look, failing = Look(options.pop("look", "ascii") == "unicode"), options.pop("fail", "")
    seat = ScreenSeat(fail if failing == "trio" else hinter, SETTINGS, look)
    if failing in ("key", "draw"):
        break_at(seat, failing)
    names = NAMES_OF.get(options.pop("names", ""), NAMES)
    rules = rules_for(players, preset, **options)
    game = Game.make(rules, seed=sys.argv[1], names=names)
    return seat.run(TableInMemory(game, seat).main())


if __name__ == "__main__":
    # No handlers of the program: those of the screen are what is tested.
    try:
        code = play()
    except signals.Interrupted as interrupted:
        print(interrupted.sentence)
        code = interrupted.code
    except Exception as failure:
        print(f"Failed: {plain(failure)}")
        code = 1
    sys.exit(code)
