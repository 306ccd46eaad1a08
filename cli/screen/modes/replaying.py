"""Stepping through a match that was played, with all opened tiles in view."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from cli.screen.drawing.keys import REPLAY_KEYS, Act, Key
from cli.screen.drawing.panels import Panel, hand_end_panel, match_end_panel
from cli.screen.drawing.view import Desk, TableView, make_view
from cli.telling.scene import Scene
from cli.telling.words import say
from engine.events import HandEnded, MatchEnded
from p2p.session.state.events import DeckStep, HandBegan, InHand, SessionEvent

_LOG_LINES: Final = 40


class Replay:
    """The control of a replay: shows the table after the first `at` steps of `events`.

    A step is an event that changes the table; `leave` is called when the person has seen enough.
    """

    keys: tuple[Key, ...] = REPLAY_KEYS
    typing = False
    questioned = False

    def __init__(self, events: Sequence[SessionEvent], leave: Callable[[], None]) -> None:
        self._events = tuple(one for one in events if not isinstance(one, DeckStep))
        began = [at for at, one in enumerate(self._events) if isinstance(one, HandBegan)]
        self._hands = [at + 1 for at in began] or [len(self._events)]
        self._leave = leave
        self._view = lru_cache(maxsize=8)(self._make_view)
        self.at = self._hands[0]
        self._acts: dict[Act, Callable[[], int]] = {
            Act.STEP: lambda: self.at + 1,
            Act.STEP_BACK: lambda: self.at - 1,
            Act.NEXT_HAND: lambda: min((h for h in self._hands if h > self.at), default=self._last),
            Act.PREVIOUS_HAND: lambda: max((h for h in self._hands if h < self.at), default=0),
            Act.FIRST: lambda: 0,
            Act.LAST: lambda: self._last,
        }

    @property
    def _last(self) -> int:
        return len(self._events)

    def view(self) -> TableView:
        """The table at this step."""
        return self._view(self.at)

    def _make_view(self, at: int) -> TableView:
        scene = Scene()
        log: list[str] = []
        ended: HandEnded | None = None
        for number, event in enumerate(self._events[:at], 1):
            scene.apply(event)
            if number > at - _LOG_LINES:  # an event says a line or more
                log += say(event, scene)
            if isinstance(event, InHand) and isinstance(event.event, HandEnded):
                ended = event.event
        first = self._hands[0]
        step = f"Step {at - first} of {self._last - first}. Home and End: first and last."
        panel = self._panel(at, ended, scene)
        return make_view(scene, Desk(log=tuple(log[-_LOG_LINES:]), replay=step, panel=panel))

    def _panel(self, at: int, ended: HandEnded | None, scene: Scene) -> Panel | None:
        match self._events[at - 1 : at]:
            case (InHand(event=HandEnded() as hand),):
                return hand_end_panel(hand, scene)
            case (MatchEnded() as result,):
                return match_end_panel(result, ended, scene, ())
        return None

    def act(self, act: Act) -> None:
        """One of the keys; it never goes before the first hand or behind the end."""
        if act is Act.LEAVE:
            self._leave()
        elif act in self._acts:
            self.at = max(self._hands[0], min(self._last, self._acts[act]()))

    def press(self, char: str) -> None:
        """Nothing is chosen in a replay."""

    def type(self, text: str) -> None:
        """Nothing is written in a replay."""

    def erase(self) -> None:
        """Nothing is written in a replay."""

    def answer_question(self, yes: bool) -> None:
        """A replay asks nothing."""

    def click_tile(self, number: int) -> None:
        """Nothing is chosen in a replay."""

    def click_end(self, end: str) -> None:
        """Nothing is chosen in a replay."""
