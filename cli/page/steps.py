"""What the page shows at each step, as plain values for its script.

The steps are those of the replay at the terminal: one for each event from the first deal on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from cli.page.drawing import NARROW, WIDE, Drawing, draw_line
from cli.telling.jsonlines import tiles_or_null
from cli.telling.looking.advice import Advised
from cli.telling.looking.transcript import told_by_event, without_deck
from cli.telling.scene import Scene
from cli.telling.words import line_text
from engine.line import End, Line
from p2p.session.state.events import HandBegan, MatchBegan, SessionEvent

Values = dict[str, Any]
# Around a name: whatever the direction of its letters, those beside it keep theirs (UAX 9).
_ISOLATE: Final = "\u2068{}\u2069"


@dataclass(frozen=True)
class _Moment:
    """The table after an event: the number of the hand among those told, -1 before the first."""

    hand: int
    placed: int
    ends: tuple[End, ...]
    values: Values


def page_steps(
    events: Sequence[SessionEvent], advice: Mapping[int, Advised] | None
) -> tuple[list[str], list[Values], list[Values]]:
    """The words before the first deal, the hands with their drawings, and the steps."""
    kept, beside = without_deck(events, advice)
    shown = [_isolated(one) for one in kept]
    words = told_by_event(shown, beside)
    scene, lines, deals, moments = Scene(), list[Line](), list[HandBegan](), list[_Moment]()
    for event, said in zip(shown, words, strict=True):
        scene.apply(event)
        if isinstance(event, HandBegan):
            lines.append(scene.table_line)
            deals.append(event)
        moments.append(_moment(scene, len(lines) - 1, said))
    drawn = [(draw_line(line, WIDE), draw_line(line, NARROW)) for line in lines]
    hands = [_hand(deal, *pair) for deal, pair in zip(deals, drawn, strict=True)]
    first = next((n for n, one in enumerate(shown) if isinstance(one, HandBegan)), len(shown) - 1)
    before = [line for said in words[:first] for line in said]
    steps = [_step(moment, lines, drawn) for moment in moments[first:]]
    return before, hands, steps


def _isolated(event: SessionEvent) -> SessionEvent:
    """The event with each name kept apart from what stands beside it."""
    if not isinstance(event, MatchBegan):
        return event
    players = (replace(one, name=_ISOLATE.format(one.name)) for one in event.players)
    return replace(event, players=tuple(players))


def _moment(scene: Scene, hand: int, said: Sequence[str]) -> _Moment:
    line = scene.line
    ends = line.ends() if line is not None else ()
    counted = line is not None and scene.counts_ends
    values: Values = {
        "words": list(said),
        "turn": scene.turn,
        "scores": list(scene.scores),
        "held": [tiles_or_null(tiles) for tiles in scene.hands],
        "counts": scene.counts,
        "undealt": scene.boneyard,
        "count": line.count() if line is not None and counted else None,
        "table": line_text(line, counted) if line is not None else [],
        "out": sorted(scene.out),
    }
    placed = len(line.placements) if line is not None else 0
    return _Moment(hand, placed, ends, values)


def _hand(deal: HandBegan, wide: Drawing, narrow: Drawing) -> Values:
    return {
        "number": deal.hand,
        "boneyard": tiles_or_null(deal.boneyard),
        "wide": _drawing(wide),
        "narrow": _drawing(narrow),
    }


def _drawing(drawing: Drawing) -> Values:
    tiles = [
        [one.rect.x, one.rect.y, int(one.stands), one.first, one.second] for one in drawing.tiles
    ]
    return {"width": drawing.width, "height": drawing.height, "tiles": tiles}


def _step(
    moment: _Moment, lines: Sequence[Line], drawn: Sequence[tuple[Drawing, Drawing]]
) -> Values:
    if moment.hand < 0:
        return {"hand": -1, "placed": 0, "ends": [], **moment.values}
    line = lines[moment.hand]
    ends = [
        [
            end.name,
            end.value,
            *(
                list(drawing.next_place(line, end.name, moment.placed))
                for drawing in drawn[moment.hand]
            ),
        ]
        for end in moment.ends
    ]
    return {"hand": moment.hand, "placed": moment.placed, "ends": ends, **moment.values}
