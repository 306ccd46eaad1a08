"""Events as JSON lines, exactly as interface.md has them: keys in that order, one object a line."""

import json
from collections.abc import Iterable, Sequence

from engine.tiles import Tile
from p2p.crypto.identity import fingerprint
from p2p.session.state.events import (
    Claimed,
    Drawn,
    HandBegan,
    HandEnded,
    MatchBegan,
    MatchEnded,
    Passed,
    Played,
    SessionEvent,
)

Fields = dict[str, object]


def json_line(fields: Fields | list[Fields]) -> str:
    """JSON without spaces and without a line break; all characters are ASCII."""
    return json.dumps(fields, separators=(",", ":"))


def event_line(event: SessionEvent) -> str | None:
    """The line of an event, or None for those that are not part of the game (deck, fault)."""
    fields = _fields(event)
    return None if fields is None else json_line(fields)


def open_line(name: str, code: str | None, invite: str, addresses: Sequence[str], port: int) -> str:
    """The host's first line: how to get in."""
    where: Fields = {"addresses": list(addresses), "port": port}
    return json_line({"event": "open", "name": name, "code": code, "invite": invite, **where})


def _fields(event: SessionEvent) -> Fields | None:
    match event:
        case MatchBegan():
            return _match(event)
        case HandBegan():
            return _hand(event)
        case Played():
            return _play(event)
        case Drawn(hand=hand, seat=seat, tile=tile, auto=auto):
            drawn = None if tile is None else str(tile)
            return {"event": "draw", "hand": hand, "seat": seat, "tile": drawn, "auto": auto}
        case Passed(hand=hand, seat=seat, auto=auto):
            return {"event": "pass", "hand": hand, "seat": seat, "auto": auto}
        case Claimed():
            return _claim(event)
        case HandEnded():
            return _hand_end(event)
        case MatchEnded(reason=reason, winners=winners, scores=scores):
            ended: Fields = {"winners": list(winners), "scores": list(scores)}
            return {"event": "match_end", "reason": reason, **ended}
    return None


def _match(event: MatchBegan) -> Fields:
    players = [
        {"seat": player.seat, "name": player.name, "key": fingerprint(player.key)}
        for player in event.players
    ]
    rules = dict(event.rules)
    return {"event": "match", "table": event.table.hex(), "rules": rules, "players": players}


def _hand(event: HandBegan) -> Fields:
    return {
        "event": "hand",
        "hand": event.hand,
        "starter": event.starter,
        "hands": [tiles_or_null(tiles) for tiles in event.hands],
        "counts": list(event.counts),
        "boneyard": tiles_or_null(event.boneyard),
    }


def _play(event: Played) -> Fields:
    return {
        "event": "play",
        "hand": event.hand,
        "seat": event.seat,
        "tile": str(event.tile),
        "end": event.end,
        "count": event.count,
        "points": event.points,
        "scores": list(event.scores),
        "auto": event.auto,
    }


def _claim(event: Claimed) -> Fields:
    return {
        "event": "claim",
        "hand": event.hand,
        "seat": event.seat,
        "claimed": event.claimed,
        "points": event.points,
        "scores": list(event.scores),
    }


def _hand_end(event: HandEnded) -> Fields:
    return {
        "event": "hand_end",
        "hand": event.hand,
        "reason": event.reason,
        "seat": event.seat,
        "left": [tiles_or_null(tiles) for tiles in event.left],
        "points": list(event.points),
        "scores": list(event.scores),
    }


def tiles_or_null(tiles: Iterable[Tile] | None) -> list[str] | None:
    """Tiles as text, None (null in JSON) where they are not known."""
    return None if tiles is None else [str(tile) for tile in tiles]
