"""Whose lines of chat are not shown: the only other one at a key, else the one of that number."""

from dataclasses import dataclass

from cli.screen.drawing.keys import KEYS, Act, key_row
from cli.screen.drawing.view import Desk, Front
from cli.screen.modes.base import Cover, Mode, Step
from cli.screen.modes.wishes import Mute


@dataclass(frozen=True)
class Muting(Cover):
    """The question whose."""

    row = key_row(KEYS, Act.BACK, back="back")

    def front(self, desk: Desk) -> Front:
        """The question, above what is seen meanwhile."""
        scene = desk.scene
        shown = [
            f"{one.seat + 1} {one.name}{' (not shown now)' if one.seat in desk.muted else ''}"
            for one in scene.players
            if one.seat != scene.me
        ]
        prompt = f"Whose lines shall not be shown, or be shown again? {'  '.join(shown)}"
        below = self.over.front(desk)
        return Front(prompt, self.row, seen=below.seen, cursor=below.cursor, panel=below.panel)

    def act(self, act: Act, desk: Desk, char: str = "") -> Step:
        """The answer."""
        others = [one.seat for one in desk.scene.players if one.seat != desk.scene.me]
        if act is Act.TILE and int(char) - 1 in others:
            return Step(self.over, Mute(int(char) - 1), note=None)
        return Step(self.over if act is Act.BACK else self, note=None)


def mute_step(mode: Mode, desk: Desk) -> Step:
    """Where one other sits at the table, nobody has to say whose."""
    others = [one.seat for one in desk.scene.players if one.seat != desk.scene.me]
    return Step(mode, Mute(others[0]), note=None) if len(others) == 1 else Step(Muting(mode))
