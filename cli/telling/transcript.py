"""A whole match as lines: in words, as JSON, or in notation that can be pasted and read back.

In notation:

```
match Ana / Ben
rules classic target=250 ...
hand 1, Ben starts
Ana: 6-4 5-5 ...
Ben> 6-5
Ana> 5-5 L
Ben> draw 3-1
Ana> pass
end domino, scores 35 -10
```
Behind `>` stands what engine.notation reads; a drawn tile follows `draw` where it is known.
"""

from collections.abc import Iterable

from cli.telling.jsonlines import event_line
from cli.telling.phrases import tiles_text
from cli.telling.scene import Scene
from cli.telling.words import say
from engine.events import Claimed, Drawn, HandEnded, MatchEnded, Passed, Played
from engine.wording import listed
from p2p.session.state.events import HandBegan, InHand, MatchBegan, Participant, SessionEvent


def transcript(events: Iterable[SessionEvent]) -> list[str]:
    """The lines of the match that `events` tell."""
    lines: list[str] = []
    players: tuple[Participant, ...] = ()
    for event in events:
        if isinstance(event, MatchBegan):
            players = event.players
        lines += _lines(event, [player.name for player in players])
    return lines


def json_lines(events: Iterable[SessionEvent]) -> list[str]:
    """The JSON lines of the match."""
    return [line for event in events if (line := event_line(event)) is not None]


def told(events: Iterable[SessionEvent]) -> list[str]:
    """The match in words, as an onlooker who sees all hands would tell it."""
    scene = Scene()
    lines: list[str] = []
    for event in events:
        scene.apply(event)
        lines += say(event, scene)
    return lines


def _lines(event: SessionEvent, names: list[str]) -> list[str]:
    match event:
        case MatchBegan(rules=rules):
            options = " ".join(f"{name}={value}" for name, value in rules.items())
            return [f"match {' / '.join(names)}", f"rules {options}"]
        case HandBegan():
            return _hand(event, names)
        case InHand(event=Played(seat=seat, tile=tile, end=end)):
            return [f"{names[seat]}> {tile}{'' if end is None else f' {end}'}"]
        case InHand(event=Drawn(seat=seat), tile=tile):
            return [f"{names[seat]}> draw{'' if tile is None else f' {tile}'}"]
        case InHand(event=Passed(seat=seat)):
            return [f"{names[seat]}> pass"]
        case InHand(event=Claimed(seat=seat, claimed=claimed)):
            return [f"{names[seat]}> claims {claimed}"]
        case InHand(event=HandEnded(reason=reason, scores=scores)):
            return [f"end {reason}, scores {' '.join(map(str, scores))}"]
        case MatchEnded(reason=reason, winners=winners):
            won = listed([names[seat] for seat in winners]) or "nobody"
            return [f"match ends: {reason}, won by {won}"]
    return []


def _hand(event: HandBegan, names: list[str]) -> list[str]:
    known = zip(names, event.hands, strict=True)
    # Of those who are in nobody begins without a tile.
    hands = [f"{name}: {tiles_text(tiles)}" for name, tiles in known if tiles]
    return [f"hand {event.hand}, {names[event.starter]} starts", *hands]
