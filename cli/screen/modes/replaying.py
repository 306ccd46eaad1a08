"""Stepping through a match that was played, with all opened tiles in view."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Self

from cli.screen.drawing.keys import KEYS, REPLAY_KEYS, Act, key_row
from cli.screen.drawing.panels import Panel, hand_end_panel, match_end_panel
from cli.screen.drawing.view import Desk, Front
from cli.screen.modes.base import Cover, Mode, Step
from cli.screen.modes.covers import LOG_TOPS, Text, log_step, with_page
from cli.screen.modes.wishes import Recolour
from cli.table.port import Leave
from cli.telling.looking.advice import Advised
from cli.telling.looking.transcript import told_by_event, without_deck
from cli.telling.scene import Scene
from cli.telling.words import broken_off
from engine.events import HandEnded, MatchEnded
from p2p.session.state.events import HandBegan, InHand, SessionEvent

# The log of a whole match scrolls; at each step no more than this is put together.
_LOG_LINES: Final = 1000
_JUMP: Final = re.compile(r"(s(?:tep)?)?\s*([0-9]{1,5})", re.ASCII)


@dataclass(frozen=True)
class Replaying(Mode):
    """The table after the first `at` of the `events` that change it; `words` tell each of them.
    `runs`: it plays by itself; `leaver` as for `broken_off`."""

    events: tuple[SessionEvent, ...]
    at: int
    words: tuple[tuple[str, ...], ...] = field(default=(), repr=False)
    runs: bool = False
    leaver: int | None = None
    keys = REPLAY_KEYS
    row = key_row(REPLAY_KEYS)

    @classmethod
    def begun(
        cls,
        events: Iterable[SessionEvent],
        advice: Mapping[int, Advised] | None = None,
        leaver: int | None = None,
    ) -> Self:
        """At the first deal; `advice` by the place of the event; `leaver` as for `broken_off`."""
        kept, beside = without_deck(events, advice)
        words = tuple(map(tuple, told_by_event(kept, beside, leaver)))
        steps = cls(tuple(kept), 0, words, leaver=leaver)
        return replace(steps, at=steps.hands[0])

    @property
    def hands(self) -> tuple[int, ...]:
        """Where each hand is dealt; where none is, the end."""
        began = (at for at, one in enumerate(self.events, 1) if isinstance(one, HandBegan))
        return tuple(began) or (len(self.events),)

    def desk(self) -> Desk:
        """What is known after these events."""
        scene = Scene()
        for event in self.events[: self.at]:
            scene.apply(event)
        log = [line for said in self.words[: self.at] for line in said]
        return Desk(scene, log=tuple(log[-_LOG_LINES:]))

    def front(self, desk: Desk) -> Front:
        """Which step it is, and the page of an end."""
        first, last = self.hands[0], len(self.events)
        does = "It plays by itself; space stops." if self.runs else "Home and End: first and last."
        if self.at == last and not isinstance(self.events[-1], MatchEnded):
            does = broken_off(desk.scene, self.leaver)[0]
        step = f"Step {self.at - first} of {last - first}. {does}"
        return Front(step, self.row, panel=self._panel(desk.scene))

    def _panel(self, scene: Scene) -> Panel | None:
        past = self.events[: self.at]
        inner = (one.event for one in past if isinstance(one, InHand))
        ended = [one for one in inner if isinstance(one, HandEnded)]
        match past[-1] if past else None:
            case MatchEnded() as result:
                return match_end_panel(result, ended, scene, ())
            case InHand(event=HandEnded()):
                return hand_end_panel(ended, scene)
        return None

    def act(self, act: Act, desk: Desk, char: str = "") -> Step:
        """Another step; it never goes before the first hand or behind the end. Whatever is done, it
        plays by itself no more."""
        hands, last = self.hands, len(self.events)
        stopped = replace(self, runs=False)
        match act:
            case Act.RUN:
                return Step(self._toggled())
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
            case Act.JUMP:
                return Step(Jumping(stopped))
            case Act.KEYS:
                return Step(with_page(stopped, act))
            case act if act in LOG_TOPS:
                return log_step(stopped, act)
            case Act.LEAVE:
                return Step(self, Leave())
            case Act.THEME:
                return Step(self, Recolour())
            case _:
                return Step(self)
        return Step(stopped.moved(at))

    def moved(self, at: int) -> "Replaying":
        """At that step, or at the one nearest to it that there is."""
        return replace(self, at=max(self.hands[0], min(len(self.events), at)))

    def _toggled(self) -> "Replaying":
        """From the end it plays from the beginning."""
        ended = self.at == len(self.events)
        return replace(self.moved(0) if ended and not self.runs else self, runs=not self.runs)

    def gone_on(self) -> "Replaying":
        """A step further, by itself; at the end it stops."""
        after = self.moved(self.at + 1)
        return replace(after, runs=self.runs and after.at < len(self.events))


@dataclass(frozen=True)
class Jumping(Cover, Text):
    """The number of a hand, or of a step, is written."""

    row = key_row(KEYS, Act.DO, Act.BACK, do="jump")

    def front(self, desk: Desk) -> Front:
        """The line, below the table."""
        hands = len(self._replay.hands)
        prompt = f"To which hand, 1 to {hands}? Or to which step: s and its number. Enter jumps."
        return replace(
            self.over.front(desk), prompt=prompt, row=self.row, typed=self.text, panel=None
        )

    @property
    def _replay(self) -> Replaying:
        assert isinstance(self.over, Replaying), "a jump lies over a replay"
        return self.over

    def sent(self, text: str, desk: Desk) -> Step:
        """There, if there is such a hand or step."""
        replay, found = self._replay, _JUMP.fullmatch(text.lower())
        if not text:
            return self.dropped()
        if found is not None and found[1]:
            return Step(replay.moved(replay.hands[0] + int(found[2])))
        number = int(found[2]) if found is not None else 0
        if not 1 <= number <= len(replay.hands):
            return Step(self, note=f"There is no hand {text[:20]}.")
        return Step(replay.moved(replay.hands[number - 1]))

    def dropped(self) -> Step:
        """Back to where it was."""
        return Step(self.over)
