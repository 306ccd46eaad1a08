"""Stepping through a match that was played, with all opened tiles in view."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, Self

from cli.screen.drawing.keys import REPLAY_KEYS, Act, key_row
from cli.screen.drawing.panels import Panel, hand_end_panel, match_end_panel
from cli.screen.drawing.view import Desk, Front
from cli.screen.modes.base import Mode, Step
from cli.screen.modes.wishes import Recolour
from cli.table.port import Leave
from cli.telling.scene import Scene
from cli.telling.words import say
from engine.events import HandEnded, MatchEnded
from p2p.session.state.events import DeckStep, HandBegan, InHand, SessionEvent

_LOG_LINES: Final = 40


@dataclass(frozen=True)
class Replaying(Mode):
    """The table after the first `at` of the `events` that change it."""

    events: tuple[SessionEvent, ...]
    at: int
    keys = REPLAY_KEYS
    row = key_row(REPLAY_KEYS)

    @classmethod
    def begun(cls, events: Iterable[SessionEvent]) -> Self:
        """At the first deal."""
        steps = cls(tuple(one for one in events if not isinstance(one, DeckStep)), 0)
        return replace(steps, at=steps.hands[0])

    @property
    def hands(self) -> tuple[int, ...]:
        """Where each hand is dealt; where none is, the end."""
        began = (at for at, one in enumerate(self.events, 1) if isinstance(one, HandBegan))
        return tuple(began) or (len(self.events),)

    def desk(self) -> Desk:
        """What is known after these events."""
        scene = Scene()
        log: list[str] = []
        for number, event in enumerate(self.events[: self.at], 1):
            scene.apply(event)
            if number > self.at - _LOG_LINES:  # an event says a line or more
                log += say(event, scene)
        return Desk(scene, log=tuple(log[-_LOG_LINES:]))

    def front(self, desk: Desk) -> Front:
        """Which step it is, and the page of an end."""
        first, last = self.hands[0], len(self.events)
        step = (
            f"Step {self.at - first} of {last - first}. Home and End: first and last. v: colours."
        )
        return Front(step, self.row, panel=self._panel(desk.scene))

    def _panel(self, scene: Scene) -> Panel | None:
        past = self.events[: self.at]
        inner = (one.event for one in past if isinstance(one, InHand))
        ended = [one for one in inner if isinstance(one, HandEnded)]
        match past[-1] if past else None:
            case MatchEnded() as result:
                return match_end_panel(result, ended[-1] if ended else None, scene, ())
            case InHand(event=HandEnded() as hand):
                return hand_end_panel(hand, scene)
        return None

    def act(self, act: Act, desk: Desk, char: str = "") -> Step:
        """Another step; it never goes before the first hand or behind the end."""
        hands, last = self.hands, len(self.events)
        match act:
            case Act.STEP:
                at = self.at + 1
            case Act.STEP_BACK:
                at = self.at - 1
            case Act.NEXT_HAND:
                at = min((one for one in hands if one > self.at), default=last)
            case Act.PREVIOUS_HAND:
                at = max((one for one in hands if one < self.at), default=0)
            case Act.FIRST | Act.LAST:
                at = 0 if act is Act.FIRST else last
            case Act.LEAVE:
                return Step(self, Leave())
            case Act.THEME:
                return Step(self, Recolour())
            case _:
                return Step(self)
        return Step(replace(self, at=max(hands[0], min(last, at))))
