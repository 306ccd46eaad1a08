"""What a turn reads in plain lines: of the scores, the tiles and the hand only what is new."""

import functools
from typing import Final

from cli.table.port import Notice
from cli.telling.doing import waits_for
from cli.telling.phrases import scores_text, tiles_text
from cli.telling.prompts import HOW_TO_CLAIM, only_move, question
from cli.telling.scene import Scene
from cli.telling.words import line_text, table_text
from engine.events import HandEnded, MatchEnded, Played
from engine.line import Line
from engine.strategy.view import SeatView
from engine.tiles import Tile
from p2p.crypto.identity import fingerprint
from p2p.session.sitting import owner
from p2p.session.state.events import HandBegan, InHand, MatchBegan

TO_MOVE: Final = "You are to move."
# No line of play has so many tiles.
_UNREAD: Final = -1


class News:
    """Knows what of a match was read last, by what it is about."""

    def __init__(self, keys_read: bool = False) -> None:
        """`keys_read`: those of the players were told as they took their seats."""
        self._read: dict[str, str] = {}
        self._line = _UNREAD
        self._keys_read = keys_read
        self._claims_told = 0
        self._placing = ""

    def unread(self, notice: Notice, lines: list[str], scene: Scene) -> list[str]:
        """The lines of a notice, the result of a match without scores that have just been read;
        what they read of the rest is known then."""
        # What is asked about a placement need not tell it again, if nothing came between.
        self._placing = "" if lines else self._placing
        match notice:
            case owner.Happened(event=InHand(event=Played())) if scene.unsettled:
                self._placing = lines[0]
            case owner.Happened(event=MatchBegan(players=players)) if self._keys_read:
                keys = [f" [{fingerprint(player.key)}]" for player in players]
                return [functools.reduce(_without, keys, line) for line in lines]
            case owner.Happened(event=HandBegan()):
                self._read = _lines(scene) | {"scores": self._read.get("scores", "")}
                self._line = _UNREAD
            case owner.Happened(event=InHand(event=HandEnded())):
                self._read["scores"] = _lines(scene)["scores"]
            case owner.Happened(event=MatchEnded()) if scene.rules is not None:
                if self._read.get("scores") == _lines(scene)["scores"]:
                    return [line.removesuffix(f" Scores: {scores_text(scene)}.") for line in lines]
        return lines

    def line_read(self, line: Line) -> None:
        """The line of play has been read, with a question about it."""
        self._line = line.tiles

    def line(self, scene: Scene) -> list[str]:
        """The line of play to whose turn it is, unless it was read just now. What it counts was
        told by what was played last."""
        line = scene.table_line
        return [] if line.tiles == self._line else line_text(line, counted=False)

    def question(self, view: SeatView, seconds: float, scene: Scene, begins: bool) -> list[str]:
        """What is asked, in a turn that `begins` or goes on, with how points are claimed once a
        hand."""
        asked = question(view, seconds, scene, begins)
        if view.awaiting is not None and self._placing:
            placing, self._placing = self._placing, ""
            return [line.removeprefix(f"{placing} ") for line in asked]
        if view.awaiting is not None or not view.rules.claims or only_move(view) is not None:
            return asked
        told, self._claims_told = self._claims_told == view.hand_number, view.hand_number
        return asked if told else [*asked, HOW_TO_CLAIM]

    def standing(self, scene: Scene) -> list[str]:
        """How it stands, to who comes into a match; in the own turn too, which may be asked about
        much later: others have to be there, or it is paused."""
        table: list[str] = []
        if scene.dealt:
            table = line_text(scene.table_line, counted=scene.counts_ends)
            self.line_read(scene.table_line)
        own = scene.dealt and scene.turn is not None and scene.turn == scene.me
        turn = TO_MOVE if own and not scene.unsettled else waits_for(scene, looks="")
        return [*table, *self.fresh(scene), turn]

    def fresh(self, scene: Scene) -> list[str]:
        """The lines that are others than when they were read last; they are read now."""
        lines = _lines(scene)
        new = [line for about, line in lines.items() if self._read.get(about) != line]
        self._read = lines
        return new


def _without(line: str, part: str) -> str:
    return line.replace(part, "")


def _lines(scene: Scene) -> dict[str, str]:
    scores, *counts = table_text(scene)
    held = hand_text(scene)
    told = (("scores", scores), *(("counts", line) for line in counts), ("hand", held))
    return {about: line for about, line in told if line}


def hand_text(scene: Scene) -> str:
    """The own tiles in a line; "" where there are none."""
    held = _held(scene) if scene.dealt else None
    return f"Your hand: {tiles_text(held)}" if held else ""


def held_text(scene: Scene) -> str:
    """The same to who asks for it, where there may be none now: then what was held last."""
    held = _held(scene)
    if scene.dealt or held is None or scene.me in scene.out:
        return hand_text(scene) or "You have no tiles now."
    last = f"held {tiles_text(held)}" if held else "had no tile left"
    return f"You have no tiles now; at the end of hand {scene.hand} you {last}."


def _held(scene: Scene) -> list[Tile] | None:
    return scene.hands[scene.me] if scene.me is not None and scene.hand else None
