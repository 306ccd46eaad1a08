"""A person on the way through the scenes: the engine deals, plays the moves before, and judges."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from cli.learning.scenes import SCENES, Part, Task
from cli.telling.scene import Scene
from cli.telling.words import say
from engine.deal import deal_slots
from engine.events import Drawn, Event, MatchEnded
from engine.match import Match
from engine.moves import Draw, Move, Pass
from engine.notation import move_of, parse_move, parse_tile
from engine.rules import Rules
from engine.strategy import SeatView, make_view
from engine.tiles import ALL_TILES, Tile
from p2p.session.state.events import HandBegan, InHand, MatchBegan, Participant

ME: Final = 0
OTHER: Final = 1
_OTHER_NAME: Final = "Ben"


@dataclass
class Position:
    """The table of one part, with its questions."""

    part: Part
    name: str
    scene: Scene = field(default_factory=lambda: Scene(ME))

    def __post_init__(self) -> None:
        mine, theirs = self._tiles(self.part.mine), self._tiles(self.part.theirs)
        size = {"hand-size": str(len(mine)), "target": "1000"}
        rules = Rules.make("classic", 2, {**size, **self.part.options})
        first = [*mine, *theirs, *self._tiles(self.part.boneyard)]
        self._known = dict(enumerate([*first, *(one for one in ALL_TILES if one not in first)]))
        assert [len(one) for one in deal_slots(rules, (ME, OTHER)).values()] == [len(theirs)] * 2
        self._match = Match(rules, 2)
        starter = ME if self.part.led_by_me else OTHER
        self._match.begin_hand(starter, known=self._known)
        self.log: list[str] = []
        self._tasks = list(self.part.tasks)
        people = (Participant(ME, self.name, b"me"), Participant(OTHER, _OTHER_NAME, b"other"))
        self.scene.apply(MatchBegan(bytes(32), rules.spell(), people))
        counts = (len(mine), len(theirs))
        self.scene.apply(HandBegan(1, starter, (tuple(mine), None), counts, None))
        for text in self.part.moves.split(","):
            self._apply(self._read(text))

    @staticmethod
    def _tiles(text: str) -> list[Tile]:
        return [parse_tile(word) for word in text.split()]

    def _read(self, text: str) -> Move:
        hand = self._match.hand
        assert hand is not None, "the moves end the hand"
        assert hand.turn is not None, "nobody is to move"
        return move_of(parse_move(text), hand, hand.turn)

    @property
    def task(self) -> Task | None:
        """The question now; None: all are answered."""
        return self._tasks[0] if self._tasks else None

    @property
    def view(self) -> SeatView:
        """What the person sees who is to move."""
        return make_view(self._match, ME)

    def answer(self, move: Move) -> list[str]:
        """A legal move: what came of it in lines, or why it is no answer, and nothing changes."""
        task = self.task
        assert task is not None, "nothing is asked"
        refused = task.judge(self.view, move)
        if refused:
            return [refused]
        told = [line for event in self._moves(move) for line in event]
        self._tasks.pop(0)
        return told

    def _moves(self, move: Move) -> Iterator[list[str]]:
        """Make the move; draws that the rules force go on, as in a match; a pass is answered by
        one, for nobody holds what fits, and the end of the hand follows."""
        yield self._apply(move)
        hand = self._match.hand
        while hand is not None and hand.turn == ME and isinstance(self.view.legal[0], Draw):
            yield self._apply(self.view.legal[0])
        if hand is not None and isinstance(move, Pass) and hand.turn == OTHER:
            yield self._apply(Pass(OTHER))
        if hand is not None and hand.turn is None:
            yield self._told(self._match.finish_hand(self._known))

    def _apply(self, move: Move) -> list[str]:
        return self._told(self._match.apply(move))

    def _told(self, events: tuple[Event, ...]) -> list[str]:
        lines: list[str] = []
        for event in events:
            if isinstance(event, MatchEnded):
                continue
            tile = None
            if isinstance(event, Drawn) and event.seat == ME:
                hand = self._match.hand
                assert hand is not None, "a tile is drawn in a hand"
                tile = self._known[hand.slots(ME)[-1]]
            made = InHand(1, event, tile=tile)
            self.scene.apply(made)
            lines += say(made, self.scene)
        self.log += lines
        return lines


class Lesson:
    """The scenes in their order, from `first` (0) on; `name` is the person's."""

    def __init__(self, name: str, first: int = 0) -> None:
        self._name = name
        self._at = [(scene, part) for scene, each in enumerate(SCENES) for part in each.parts]
        self._number = next(at for at, (scene, _) in enumerate(self._at) if scene == first)
        self.position = Position(self._at[self._number][1], name)

    @property
    def title(self) -> str:
        """Which scene it is."""
        scene = self._at[self._number][0]
        parts = [number for number, (of, _) in enumerate(self._at) if of == scene]
        part = f", part {parts.index(self._number) + 1} of {len(parts)}" if parts[1:] else ""
        return f"Scene {scene + 1} of {len(SCENES)}: {SCENES[scene].title}{part}"

    def next(self) -> bool:
        """On to the next part; False after the last one."""
        if self._number + 1 == len(self._at):
            return False
        self._number += 1
        self.position = Position(self._at[self._number][1], self._name)
        return True
