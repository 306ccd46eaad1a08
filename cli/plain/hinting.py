"""Hints in plain lines: what one says is chosen, so that Enter plays it."""

from collections.abc import Callable
from typing import Final

import trio

from cli.table.thinking import Hints, MakeAdviser
from cli.telling.ask import THINKING, hint_text
from engine.moves import Move, Play
from engine.strategy.view import SeatView

# Who presses Enter while a hint is thought over has not read it.
GUARD_SECONDS: Final = 0.3
_PLAYS: Final = "Enter plays it."
_CLAIMS: Final = "Type it with what you claim."
LAPSED: Final = "Other lines have come since the hint: type it, or hint once more."
TOO_SOON: Final = "That Enter came before the hint could be read; Enter plays it now."


class Hinting:
    """Gives hints, which `show` prints, and knows the last one."""

    def __init__(self, hinter: MakeAdviser, show: Callable[[str], None]) -> None:
        self._hints, self._show = Hints(hinter), show
        self._view: SeatView | None = None
        self._chosen: Move | None = None
        self._told_at = 0.0
        self._lapsed: SeatView | None = None

    async def give(self, view: SeatView, asked: Callable[[], SeatView | None]) -> None:
        """Think, and tell it if that is what is `asked` still."""
        self._show(THINKING)
        advice = await self._hints.of(view)
        if asked() is not view:
            return
        says = (_CLAIMS if view.rules.claims else _PLAYS) if isinstance(advice.move, Play) else ""
        self._show(f"{hint_text(advice, view)} {says}".rstrip())
        self._view, self._told_at = view, trio.current_time()
        self._chosen = None if view.rules.claims else advice.move

    def chosen(self, view: SeatView) -> Move | None:
        """What Enter alone plays in that view, if a hint for it was told."""
        return self._chosen if self._view is view else None

    def lapse(self) -> None:
        """Something else was typed or asked: who presses Enter then may not mean the hint."""
        self._lapsed, self._view, self._chosen = self._view or self._lapsed, None, None

    def lapsed(self, view: SeatView) -> bool:
        """Whether Enter alone would have played a hint in that view, had nothing come between."""
        return self._lapsed is view and not view.rules.claims

    def too_soon(self) -> bool:
        """Whether the hint has just been told; then says so, once."""
        if trio.current_time() - self._told_at >= GUARD_SECONDS:
            return False
        self._told_at -= GUARD_SECONDS
        self._show(TOO_SOON)
        return True
