"""The end of a hand in lines: everybody's tiles, the sums and how they are rounded, the scores."""

from collections.abc import Sequence

from cli.telling.phrases import (
    NOT_COUNTED,
    inside,
    plural,
    scores_text,
    side_does,
    signed,
    tiles_text,
    who_went,
)
from cli.telling.scene import Scene
from engine.events import HandEnded
from engine.scoring import rounded, rounds_each_hand
from engine.tiles import pips_of
from p2p.session.state.events import InHand, SessionEvent


def hand_end_lines(event: HandEnded, scene: Scene, why: bool = True) -> list[str]:
    """How it ended, and `why` where somebody went; the tiles that are left with what they count,
    the points, the new scores."""
    lines = [how_hand_ended(event, scene, why)]
    counted = event.reason in ("domino", "block")
    for seat, player in enumerate(scene.players):
        tiles = event.left[seat]
        if tiles:
            lines.append(f"{player.name}: {tiles_text(tiles)}{_worth(event, seat, scene)}.")
        elif seat in scene.out:
            continue
        elif tiles is None and counted:
            lines.append(f"{player.name}: tiles not opened.")
        elif counted or (event.reason == "target" and tiles is not None):
            lines.append(f"{player.name}: no tile left.")
    return [*lines, *(_points(event, scene) if counted else ()), f"Scores: {scores_text(scene)}."]


def how_hand_ended(event: HandEnded, scene: Scene, why: bool = True) -> str:
    """The first line about a hand that has ended, with who went for it or not."""
    start = f"Hand {scene.hand} ends: "
    seat = event.seat
    match event.reason:
        case "domino" if seat is not None:
            return f"{start}{inside(side_does(scene, [seat], 'go'))} out."
        case "block" if seat is not None:
            side = inside(side_does(scene, scene.side(seat), "hold"))
            return f"{start}nobody can play, and {side} the least."
        case "block":
            return f"{start}nobody can play."
        case "target":
            return f"{start}the target is reached; {NOT_COUNTED}."
    if went := who_went(scene, scene.hand):
        return (
            f"{start}{went}; {NOT_COUNTED}." if why else f"Hand {scene.hand} ends; {NOT_COUNTED}."
        )
    some = "a player has left" if event.reason == "left" else "somebody broke the protocol"
    return f"{start}{some}."


def _worth(event: HandEnded, seat: int, scene: Scene) -> str:
    """What the tiles that are left to a seat count, where they count: " = 8 pips, rounded 10"."""
    tiles = event.left[seat] or ()
    worth = f" = {plural(pips_of(tiles), 'pip')}"
    if event.reason not in ("domino", "block") or scene.rules is None:
        return worth
    if rounds_each_hand(scene.rules) and not (_collects(scene) and _is_winner(event, seat, scene)):
        worth += f", rounded {rounded(pips_of(tiles))}"
    return worth


def _collects(scene: Scene) -> bool:
    return scene.rules is not None and scene.rules.hand_end != "subtract-own"


def _is_winner(event: HandEnded, seat: int, scene: Scene) -> bool:
    return event.seat is not None and seat in scene.side(event.seat)


def _points(event: HandEnded, scene: Scene) -> list[str]:
    """Who gets or loses what: "Ben collects 7 + 9 = 16 pips, rounded 15: +15."."""
    if _collects(scene):
        return [_collected(event, scene)]
    lines = []
    for side in scene.sides():
        lost = [rounded(pips_of(event.left[seat] or ())) for seat in side]
        if any(lost):
            lines.append(f"{side_does(scene, side, 'lose')} {_sum(lost)}.")
    return lines


def _collected(event: HandEnded, scene: Scene) -> str:
    if event.seat is None:
        return "The fewest pips are tied, so nobody scores."
    side = scene.side(event.seat)
    points = event.points[event.seat]
    held = [pips_of(tiles) for seat, tiles in enumerate(event.left) if tiles and seat not in side]
    assert scene.rules is not None, "points without rules"
    if rounds_each_hand(scene.rules):
        text = _sum([rounded(pips) for pips in held])
        return f"{side_does(scene, side, 'collect')} {text}: {signed(points)}."
    total = sum(held)
    text = f"{_sum(held)} {'pip' if total == 1 else 'pips'}"
    if scene.rules.hand_end == "collect-sum":
        text += f", rounded {rounded(total)}"
    return f"{side_does(scene, side, 'collect')} {text}: {signed(points)}."


def ended_hand(event: SessionEvent) -> tuple[HandEnded, ...]:
    """The end of a hand, if the event is one."""
    match event:
        case InHand(event=HandEnded() as ended):
            return (ended,)
    return ()


def _sum(numbers: Sequence[int]) -> str:
    """ "7 + 9 = 16", "7" for a single one, "0" for none."""
    shown = [str(number) for number in numbers if number] or ["0"]
    return " + ".join(shown) + (f" = {sum(numbers)}" if len(shown) > 1 else "")
