"""What is chosen ahead in plain lines while others play: Enter plays it in the own next turn."""

from collections.abc import Callable
from typing import Final

from cli.process.answers import yes_or_no
from cli.table.known import Known
from cli.telling.doing import Deed
from cli.telling.prompts import ask_move, only_move, spelled, understood
from cli.telling.words import ends_text
from engine.errors import EngineError, NotationError
from engine.moves import Move, Play
from engine.notation import format_move, parse_move
from engine.strategy.view import SeatView
from engine.wording import sentence

HOW: Final = "Type ahead and a tile with its end, as ahead 6-4 R; ahead no gives it up."
GIVEN_UP: Final = "Nothing is chosen ahead."
# What was written is looked for in the hand when it is played.
_NO_SLOT: Final = 0


def _instead(text: str, asked: SeatView) -> str:
    """What to type in the own turn, to who still chooses ahead."""
    if not text:
        return ask_move(asked)
    try:
        return f"It is your turn now: type {format_move(understood(asked, text))}."
    except EngineError as error:
        return f"It is your turn now. {sentence(error)}"


class Ahead:
    """Takes what is chosen, which `show` tells about, and knows what Enter plays of it."""

    def __init__(self, known: Known, show: Callable[[str], None]) -> None:
        self._known, self._show = known, show
        self._wanted: Play | None = None
        self._view: SeatView | None = None
        self._move: Move | None = None

    def choose(self, text: str, asked: SeatView | None) -> None:
        """Choose what `text` writes; in the own turn, for which it comes too late, say what to
        type."""
        moment = self._known.moment(asked)
        if yes_or_no(text) is False:
            self.drop()
            self._show(GIVEN_UP)
        elif asked is not None and moment.deeds & {Deed.PLAY, Deed.DRAW, Deed.PASS}:
            self._show(_instead(text, asked))
        elif Deed.AHEAD not in moment.deeds:
            self._show(f"Nothing can be chosen ahead now. {moment.state}")
        elif not text:
            now = "" if self._wanted is None else f"{format_move(self._wanted)} is chosen ahead. "
            self._show(f"{now}{HOW}")
        else:
            self._take(text)

    def _take(self, text: str) -> None:
        try:
            self._wanted = self._written(text)
        except EngineError as error:
            self._show(sentence(error))
            return
        written = format_move(self._wanted)
        self._show(f"{written} is chosen ahead; Enter plays it when it is your turn.")

    def _written(self, text: str) -> Play:
        """A placement of a tile of the own hand."""
        scene, rules = self._known.scene, self._known.rules
        assert rules is not None, "a hand without rules"
        written = parse_move(text, rules.spinner)
        if written.tile is None:
            raise NotationError("only a tile is chosen ahead; draws and passes are asked for")
        held = [] if scene.me is None else scene.hands[scene.me] or []
        if written.tile not in held:
            raise NotationError(f"{written.tile} is not in your hand")
        if written.end is not None:
            self._check(written.end)
        return Play(scene.me or 0, _NO_SLOT, written.tile, written.end, written.claim)

    def _check(self, end: str) -> None:
        """Raises NotationError for an end that those who play before one cannot make."""
        scene = self._known.scene
        order, line = scene.seats_in, scene.table_line
        assert scene.me is not None, "who looks on chooses nothing"
        assert scene.turn is not None, "nobody is to move"
        before = (order.index(scene.me) - order.index(scene.turn)) % len(order)
        needed = line.moves_until(end)
        if needed is None or needed > before:
            when = "on this table" if needed is None else "before your next turn"
            now = f"; the ends are {ends_text(line)}" if line.lead is not None else ""
            raise NotationError(f"there is no end {end}, and none can come {when}{now}")

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
