"""What is chosen ahead in plain lines while others play: Enter plays it in the own next turn."""

from collections.abc import Callable
from typing import Final

from cli.process.answers import yes_or_no
from cli.table.known import Known
from cli.telling.doing import Deed
from cli.telling.prompts import only_move, spelled, understood
from engine.errors import EngineError, NotationError
from engine.moves import Move, Play
from engine.notation import format_move, parse_move
from engine.strategy.view import SeatView
from engine.wording import sentence

HOW: Final = "Type ahead and a tile with its end, as ahead 6-4 R; ahead no gives it up."
GIVEN_UP: Final = "Nothing is chosen ahead."
# What was written is looked for in the hand when it is played.
_NO_SLOT: Final = 0


class Ahead:
    """Takes what is chosen, which `show` tells about, and knows what Enter plays of it."""

    def __init__(self, known: Known, show: Callable[[str], None]) -> None:
        self._known, self._show = known, show
        self._wanted: Play | None = None
        self._view: SeatView | None = None
        self._move: Move | None = None

    def choose(self, text: str, asked: SeatView | None) -> None:
        """Choose what `text` writes; in the own turn, for which it may come too late, for that."""
        moment = self._known.moment(asked)
        if yes_or_no(text) is False:
            self.drop()
            self._show(GIVEN_UP)
        elif not moment.deeds & {Deed.AHEAD, Deed.PLAY}:
            self._show(f"Nothing can be chosen ahead now. {moment.state}")
        elif not text:
            now = "" if self._wanted is None else f"{format_move(self._wanted)} is chosen ahead. "
            self._show(f"{now}{HOW}")
        else:
            self._take(text, asked)

    def _take(self, text: str, asked: SeatView | None) -> None:
        try:
            self._wanted = self._written(text)
        except EngineError as error:
            self._show(sentence(error))
            return
        if asked is None:
            written = format_move(self._wanted)
            self._show(f"{written} is chosen ahead; Enter plays it when it is your turn.")
        else:
            self.begin(asked)

    def _written(self, text: str) -> Play:
        """A placement of a tile of the own hand."""
        scene, written = self._known.scene, parse_move(text)
        if written.tile is None:
            raise NotationError("only a tile is chosen ahead; draws and passes are asked for")
        held = [] if scene.me is None else scene.hands[scene.me] or []
        if written.tile not in held:
            raise NotationError(f"{written.tile} is not in your hand")
        return Play(scene.me or 0, _NO_SLOT, written.tile, written.end, written.claim)

    def begin(self, view: SeatView) -> None:
        """In the own turn: say what becomes of what was chosen, if anything was."""
        wanted, self._wanted = self._wanted, None
        if wanted is None:
            return
        chosen = f"You chose {format_move(wanted)} ahead"
        try:
            move = understood(view, format_move(wanted))
        except EngineError as error:
            self._show(f"{chosen}. {sentence(error)}")
            return
        if view.rules.claims and wanted.claim is None:
            self._show(f"{chosen}; type it with what you claim.")
            return
        self._view, self._move = view, move
        # Of the only move the question has said so already.
        if isinstance(move, Play) and move != only_move(view):
            on = spelled(move) if wanted.end is None else "it"
            self._show(f"{chosen}; Enter plays {on}.")

    def chosen(self, view: SeatView) -> Move | None:
        """What Enter alone plays in that view, if it was chosen ahead."""
        return self._move if self._view is view else None

    def drop(self) -> None:
        """Nothing is chosen any more."""
        self._wanted, self._view, self._move = None, None, None
