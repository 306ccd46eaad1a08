"""The five scenes: what is told, which tiles lie where, and which moves answer the question.

Nothing here says what a tile scores or where it fits: goals ask the engine about the move.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from engine.moves import Draw, Move, Pass, Play
from engine.rules import Rules
from engine.strategy import SeatView

Judge = Callable[[SeatView, Move], str]
"""Why a legal move is no answer to the question, in a sentence; "" if it is one."""


@dataclass(frozen=True)
class Task:
    """A question, and who judges the answer."""

    question: str
    judge: Judge


@dataclass(frozen=True)
class Part:
    """A position: tiles as they are written, the first ones of the boneyard in drawing order, and
    the moves made before the questions, by the other first (`led`: who leads)."""

    told: tuple[str, ...]
    mine: str
    theirs: str
    moves: str
    tasks: tuple[Task, ...]
    boneyard: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    led_by_me: bool = False


@dataclass(frozen=True)
class Scene:
    """One thing to learn."""

    title: str
    parts: tuple[Part, ...]


def any_placement(view: SeatView, move: Move) -> str:
    """Whatever fits."""
    return ""


def most_points(view: SeatView, move: Move) -> str:
    """No other placement brings more."""
    brought = _points(view, move)
    best = max(_points(view, one) for one in view.legal)
    if brought == best:
        return ""
    now = f"brings {brought}" if brought else "brings nothing"
    return f"That fits, but {now}; another move brings {best}. Add the ends up and try again."


def on_an_arm(view: SeatView, move: Move) -> str:
    """On an arm of the spinner, and with the most points that any arm brings."""
    arms = {arm for spinner in view.line.spinners() for arm in spinner.arms}
    if not isinstance(move, Play) or move.end not in arms:
        return f"That fits, but it is no arm. The arms are {', '.join(sorted(arms))}; try one."
    best = max(_points(view, one) for one in view.legal if getattr(one, "end", None) in arms)
    if _points(view, move) < best:
        return f"That is an arm, but another tile brings {best} there. Try again."
    return ""


def draws(view: SeatView, move: Move) -> str:
    """A tile of the boneyard."""
    return "" if isinstance(move, Draw) else "Nothing you hold fits, so you draw."


def passes(view: SeatView, move: Move) -> str:
    """The turn goes on."""
    return "" if isinstance(move, Pass) else "Nothing fits and nothing can be drawn, so you pass."


def _points(view: SeatView, move: Move) -> int:
    return view.points_for(move) if isinstance(move, Play) else 0


_TARGETS: Final = [Rules.make("classic", players).target for players in (2, 3)]
_MATCHING: Final = Scene(
    "Matching",
    (
        Part(
            (
                "Tiles lie in a line. Its open ends have names: L and R.",
                "In turn each player adds a tile of which one half matches an open end.",
                "The sums and points that are told with each move are what scene 2 is about.",
            ),
            mine="6-1 5-3 4-2 2-0",
            theirs="6-3 4-4 5-0 1-0",
            moves="6-3",
            tasks=(Task("Add a tile that matches an end.", any_placement),),
        ),
    ),
)
_COUNTING: Final = Scene(
    "Counting",
    (
        Part(
            (
                "After each move the open ends are added up.",
                "If the sum is 5, 10, 15, 20 ... you score just that many points.",
                "A double lies across, and at an end both its halves count: 4-4 counts 8.",
            ),
            mine="5-5 5-3 4-0 0-0",
            theirs="5-0 6-6 3-2 1-1",
            moves="5-0",
            tasks=(Task("Make the move that brings the most points.", most_points),),
        ),
    ),
)
_SPINNER: Final = Scene(
    "The spinner",
    (
        Part(
            (
                "The first double of a hand is the spinner: it is played on from all four sides.",
                "When both its sides are covered its arms open, U (up) and D (down), and itself "
                "counts no more. An arm without a tile counts nothing; with one it is an end.",
            ),
            mine="6-3 6-2 6-1 4-0",
            theirs="6-6 6-5 3-1 2-1",
            moves="6-6, 6-3 L, 6-5 R",
            tasks=(Task("Play on an arm of the spinner, and score.", on_an_arm),),
        ),
    ),
)
_DRAWING: Final = Scene(
    "Drawing and blocking",
    (
        Part(
            (
                "Who can play must play. Who cannot draws from the boneyard until a tile fits, "
                "and plays that one at once.",
            ),
            mine="6-5 4-4 1-0",
            theirs="3-2 6-6 5-1",
            boneyard="5-4 6-3",
            moves="3-2",
            tasks=(
                Task("You hold nothing that fits. Draw until something does.", draws),
                Task("Now something fits: play it.", any_placement),
            ),
        ),
        Part(
            (
                "When nothing is left to draw you pass. If nobody can play, the hand is blocked.",
                "Here nothing may be drawn from the beginning, so that you see it at once.",
                "What is lost for the tiles that are left then is what scene 5 is about.",
            ),
            mine="5-4 3-1",
            theirs="6-6 2-0",
            moves="6-6",
            options={"draws": "none"},
            tasks=(Task("Nothing fits and nothing may be drawn: pass.", passes),),
        ),
    ),
)
_ENDING: Final = Scene(
    "Ending",
    (
        Part(
            (
                "Who places their last tile goes out and ends the hand; its points count first.",
                "In the classic rules everybody then loses the pips they still hold, rounded to "
                "the nearest five. Other rules give them to who went out: `allfives rules`.",
                "Hand follows hand. In the classic rules the match ends as soon as somebody has "
                f"{_TARGETS[0]} points, or {_TARGETS[1]} where three or four play, and has won.",
            ),
            mine="4-2 5-2",
            theirs="5-4 6-3",
            moves="4-2, 5-4 L",
            led_by_me=True,
            tasks=(Task("Go out with your last tile, and score with it.", most_points),),
        ),
    ),
)
SCENES: Final = (_MATCHING, _COUNTING, _SPINNER, _DRAWING, _ENDING)
