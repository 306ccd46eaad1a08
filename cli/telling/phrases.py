"""Small words that every sentence is made of: who does what, tiles, numbers, scores."""

from collections.abc import Iterable, Sequence
from typing import Final

from cli.telling.scene import Scene
from engine.rules import Rules
from engine.tiles import Tile
from engine.wording import listed
from p2p.session.state.events import SeatOut

NO_TILES: Final = "nothing"
LEFT: Final = "left"
# The deal, who starts and the clock show these options.
_SHOWN: Final = frozenset({"hand-size", "starter", "turn-seconds"})
_OUT: Final = "out"
NOT_COUNTED: Final = "the tiles still in the hands are not counted"


def game_title(rules: Rules) -> str:
    """What is played: "All Fives, classic, partners, to 200"; of other options than these a preset
    is told as changed."""
    game = rules.game.removeprefix("the ")
    named = {"partners": ", partners", "claims": ", claims"}
    further = "".join(word for name, word in named.items() if getattr(rules, name))
    changed = " (changed)" if rules.changed.keys() - named.keys() - _SHOWN else ""
    preset = "" if rules.preset in game.lower() else f", {rules.preset}"
    return f"{game}{preset}{changed}{further}, to {rules.target}"


def does(scene: Scene, seat: int, verb: str) -> str:
    """Who does something: "You play", "Ben plays", "Ben passes", "Ben goes"."""
    if seat == scene.me:
        return f"You {verb}"
    ending = "es" if verb.endswith(("s", "o")) else "s"
    return f"{scene.name(seat)} {verb}{ending}"


def side_does(scene: Scene, side: Sequence[int], verb: str) -> str:
    """The same of all who share a score: "You and Cem lose", "Ben and Dot lose"."""
    if len(side) == 1:
        return does(scene, side[0], verb)
    others = [scene.name(seat) for seat in side if seat != scene.me]
    return f"{listed([*(['You'] if scene.me in side else []), *others])} {verb}"


def who_went(scene: Scene, hand: int) -> str:
    """Who was put out in hand number `hand`: "Ana has left and Ben is out"; "" for nobody."""
    outs = [out for out in scene.out.values() if out.hand == hand]
    return listed([_went(scene, out) for out in outs]) if outs else ""


def _went(scene: Scene, out: SeatOut) -> str:
    me = out.seat == scene.me
    who = "you" if me else scene.name(out.seat)
    if out.reason == "left" and out.owner is None:
        return f"{who} {'have' if me else 'has'} left"
    if out.reason == "fault" and out.owner is None:
        return f"{who} broke the protocol"
    return f"{who} {'are' if me else 'is'} out"


def inside(text: str) -> str:
    """ "You go" within a sentence: "you go"."""
    return "y" + text[1:] if text.startswith("You ") else text


def signed(points: int) -> str:
    """Points with their sign: "+15", "-10", "no points"."""
    return f"{points:+d}" if points else "no points"


def plural(number: int, thing: str) -> str:
    """ "1 tile", "2 tiles"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def tiles_text(tiles: Iterable[Tile]) -> str:
    """Tiles in canonical order, the highest first; "nothing" for none."""
    return " ".join(str(tile) for tile in sorted(tiles, reverse=True)) or NO_TILES


def side_name(scene: Scene, side: Sequence[int]) -> str:
    """Those who share a score, by their names: "Ana", "Ana and Cem"."""
    return listed([scene.players[seat].name for seat in side])


def gone(reason: str) -> str:
    """How it is with who is in the match no more, for a reason of SeatOut: beside the name."""
    return LEFT if reason == "left" else _OUT


def score_told(name: str, score: int, out: SeatOut | None) -> str:
    """A name and its score, which who is out keeps and cannot win with: "Cem 20 (left)"."""
    return f"{name} {score}" + ("" if out is None else f" ({gone(out.reason)})")


def scores_text(scene: Scene) -> str:
    """ "Ana 35, Ben -10, Cem 20 (left)"; partners have one score: "Ana and Cem 35, Ben and Dot
    20"."""
    return ", ".join(
        score_told(side_name(scene, side), scene.scores[side[0]], scene.out.get(side[0]))
        for side in scene.sides()
    )


def bell_told(on: bool) -> str:
    """What is said of the bell on one's turn when it is set otherwise, and how that is kept."""
    now, kept = ("on", "yes") if on else ("off", "no")
    return f"The bell on your turn is {now}. `allfives config bell {kept}` keeps it so."
