"""A whole match as lines: in words, as JSON, or in notation that can be pasted and read back.

In notation:

```
match 3f09...                  (the table's id, 64 hex digits)
player Ana 8a88...             (one a seat: the name, the key in 64 hex digits)
rules preset=classic ...       (every option)
hand 1, Ben starts
Ana: 6-4 5-5 ...               (one a seat: tiles, "nothing", or "7 unknown")
boneyard: 3-1 4-0 ...          (in drawing order, the reserve last, or "unknown")
Ben> 6-5 =10                   (the lead; "=10": with claims, what its placer claimed)
Ana> claims nothing            (with claims, each opponent's answer)
Ana> 5-5 L (clock)             ("(clock)": the turn clock moved)
Ben> draws 3-1
Ana> passes
end domino, Ana                (the reason, and who went out or won the block)
Ana: nothing                   (one a seat: the tiles left, or "unknown")
points 10 -10, scores 45 -10
broke Ben: the proof is false  (a fault that was proven)
out Ben (left)                 (left, absent, idle or fault)
match ends: target, won by Ana
```
Behind `>` stands what engine.notation reads, `draws`, `passes` or `claims`. `reading` reads it all.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from cli.telling.jsonlines import event_fields, json_line
from cli.telling.looking.advice import Advised
from cli.telling.phrases import plural
from cli.telling.scene import Scene
from cli.telling.words import broken_off, say
from engine.events import Claimed, Drawn, HandEnded, MatchEnded, Passed, Played
from engine.tiles import Tile
from engine.wording import listed
from p2p.session.state.events import (
    DeckStep,
    Faulted,
    HandBegan,
    InHand,
    MatchBegan,
    SeatOut,
    SessionEvent,
    Settled,
)

UNKNOWN: Final = "unknown"
NOTHING: Final = "nothing"
CLOCK: Final = " (clock)"


def transcript(events: Iterable[SessionEvent]) -> list[str]:
    """The lines of the match that `events` tell."""
    lines: list[str] = []
    names: list[str] = []
    for event in events:
        if isinstance(event, MatchBegan):
            names = [player.name for player in event.players]
        lines += notation(event, names) if names else []  # a fault may come before
    return lines


def json_lines(
    events: Iterable[SessionEvent], advice: Mapping[int, Advised] | None = None
) -> list[str]:
    """The JSON lines of the match; with `advice`, by the place of the event, it stands beside each
    placement (null in hands that nobody opened)."""
    lines = []
    for at, event in enumerate(events):
        fields = event_fields(event)
        if fields is None:
            continue
        if advice is not None and isinstance(event, InHand) and isinstance(event.event, Played):
            fields["advice"] = advice[at].fields() if at in advice else None
        lines.append(json_line(fields))
    return lines


def told(
    events: Iterable[SessionEvent],
    advice: Mapping[int, Advised] | None = None,
    leaver: int | None = None,
) -> list[str]:
    """The match in words, as an onlooker who sees all hands would tell it. Advice that is what was
    played stands only in the sum behind it."""
    events = list(events)
    other, agreed = _where_other(events, advice or {})
    lines = [line for lines in told_by_event(events, other, leaver) for line in lines]
    # The result has the scores, which the end of the last hand has just told.
    lines = [
        line.removesuffix(f" {before}") if before.startswith("Scores: ") else line
        for before, line in zip(["", *lines], lines, strict=False)
    ]
    if not advice:
        return lines
    placed = plural(len(advice), "placement")
    return [*lines, f"Of {placed} hard would have played {agreed} the same."]


def _where_other(
    events: Sequence[SessionEvent], advice: Mapping[int, Advised]
) -> tuple[dict[int, Advised], int]:
    """The advice that is another placement than the one made, by place, and how many are not."""
    other = {}
    for at, one in advice.items():
        event = events[at]
        made = event.event if isinstance(event, InHand) else None
        if not isinstance(made, Played) or not one.agrees(made):
            other[at] = one
    return other, len(advice) - len(other)


def told_by_event(
    events: Iterable[SessionEvent],
    advice: Mapping[int, Advised] | None = None,
    leaver: int | None = None,
) -> list[list[str]]:
    """The same by event, with the `advice` for it, by its place, behind each placement; behind the
    last event, where the match broke off there, or the `leaver` left it."""
    scene = Scene()
    lines: list[list[str]] = []
    over = False
    for at, event in enumerate(events):
        scene.apply(event)
        lines.append(say(event, scene))
        if isinstance(event, InHand) and isinstance(event.event, Played) and at in (advice or {}):
            lines[-1].append(f"  {(advice or {})[at].words(event.event)}")
        over = over or isinstance(event, MatchEnded)
    if scene.players and not over:
        lines[-1] += broken_off(scene, leaver)
    return lines


def without_deck(
    events: Iterable[SessionEvent], advice: Mapping[int, Advised] | None = None
) -> tuple[list[SessionEvent], dict[int, Advised]]:
    """The events that change the table, and the advice by the places that they have there."""
    kept = [(at, one) for at, one in enumerate(events) if not isinstance(one, DeckStep)]
    places = {at: place for place, (at, _) in enumerate(kept)}
    return [one for _, one in kept], {places[at]: one for at, one in (advice or {}).items()}


def notation(event: SessionEvent, names: Sequence[str]) -> list[str]:
    """The lines of one event; `names` by seat."""
    match event:
        case MatchBegan(table=table, rules=rules, players=players):
            options = " ".join(f"{name}={value}" for name, value in rules.items())
            seats = [f"player {player.name} {player.key.hex()}" for player in players]
            return [f"match {table.hex()}", *seats, f"rules {options}"]
        case HandBegan():
            return _dealt(event, names)
        case InHand(event=HandEnded() as ended):
            return _ended(ended, names)
        case InHand(event=Claimed()):
            return []  # told with the answers of all
        case InHand():
            return [f"{names[event.event.seat or 0]}> {_move(event)}{CLOCK if event.auto else ''}"]
        case Settled(claims=claims):
            return [f"{names[seat]}> claims {said or NOTHING}" for seat, said in claims.items()]
        case Faulted(seat=seat, what=what):
            return [f"broke {names[seat]}: {what}"]
        case SeatOut(seat=seat, reason=reason):
            return [f"out {names[seat]} ({reason})"]
        case MatchEnded(reason=reason, winners=winners):
            won = listed([names[seat] for seat in winners]) or "nobody"
            return [f"match ends: {reason}, won by {won}"]
    return []


def _move(told: InHand) -> str:
    match told.event:
        case Played(tile=tile, end=end, claim=claim):
            where = "" if end is None else f" {end}"
            return f"{tile}{where}{'' if claim is None else f' ={claim}'}"
        case Drawn():
            return f"draws{'' if told.tile is None else f' {told.tile}'}"
        case Passed():
            return "passes"
    raise AssertionError("a hand's event that is no move")


def _dealt(event: HandBegan, names: Sequence[str]) -> list[str]:
    hands = [
        f"{name}: {f'{count} {UNKNOWN}' if tiles is None else _tiles(tiles)}"
        for name, tiles, count in zip(names, event.hands, event.counts, strict=True)
    ]
    boneyard = UNKNOWN if event.boneyard is None else _tiles(event.boneyard)
    return [
        f"hand {event.hand}, {names[event.starter]} starts",
        *hands,
        f"boneyard: {boneyard}",
    ]


def _ended(event: HandEnded, names: Sequence[str]) -> list[str]:
    left = [
        f"{name}: {UNKNOWN if tiles is None else _tiles(tiles)}"
        for name, tiles in zip(names, event.left, strict=True)
    ]
    return [end_line(event, names), *left, points_line(event)]


def end_line(event: HandEnded, names: Sequence[str]) -> str:
    """How a hand ended."""
    return f"end {event.reason}{'' if event.seat is None else f', {names[event.seat]}'}"


def points_line(event: HandEnded) -> str:
    """What its end brought, by seat."""
    points, scores = (" ".join(map(str, one)) for one in (event.points, event.scores))
    return f"points {points}, scores {scores}"


def _tiles(tiles: Iterable[Tile]) -> str:
    return " ".join(map(str, tiles)) or NOTHING
