"""Events as JSON lines: scripts rely on the keys and their order; one object a line."""

import json
from collections.abc import Iterable, Sequence

from engine.events import Claimed, Drawn, HandEnded, MatchEnded, Passed, Played
from engine.tiles import Tile
from p2p.crypto.identity import fingerprint
from p2p.session.state.events import HandBegan, InHand, MatchBegan, SeatOut, SessionEvent

Fields = dict[str, object]


def json_line(fields: Fields | list[Fields]) -> str:
    """JSON without spaces and without a line break; all characters are ASCII."""
    return json.dumps(fields, separators=(",", ":"))


def event_line(event: SessionEvent) -> str | None:
    """The line of an event, or None for those that are not part of the game (deck, fault)."""
    fields = event_fields(event)
    return None if fields is None else json_line(fields)


def open_line(name: str, code: str | None, invite: str, addresses: Sequence[str], port: int) -> str:
    """The host's first line: how to get in."""
    where: Fields = {"addresses": list(addresses), "port": port}
    return json_line({"event": "open", "name": name, "code": code, "invite": invite, **where})


def event_fields(event: SessionEvent) -> Fields | None:
    """What its line has, None for what is no part of the game."""
    match event:
        case MatchBegan():
            return _match(event)
        case HandBegan():
            return _hand(event)
        case InHand():
            return _in_hand(event)
        case SeatOut(hand=hand, seat=seat, reason=reason, by=by):
            out: Fields = {"hand": hand, "seat": seat, "reason": reason, "by": list(by)}
            return {"event": "out", **out}
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


def _in_hand(told: InHand) -> Fields:
    event = told.event
    where: Fields = {"hand": told.hand, "seat": event.seat}
    clock: Fields = {"auto": told.auto}
    match event:
        case Played(tile=tile, end=end, count=count):
            placed: Fields = {"tile": str(tile), "end": end, "count": count}
            return {"event": "play", **where, **placed, **_brought(event), **clock}
        case Drawn():
            drawn = None if told.tile is None else str(told.tile)
            return {"event": "draw", **where, "tile": drawn, **clock}
        case Passed():
            return {"event": "pass", **where, **clock}
        case Claimed(claimed=claimed):
            return {"event": "claim", **where, "claimed": claimed, **_brought(event)}
        case HandEnded(reason=reason, seat=seat, left=left):
            ended: Fields = {"hand": told.hand, "reason": reason, "seat": seat}
            opened = [tiles_or_null(tiles) for tiles in left]
            return {"event": "hand_end", **ended, "left": opened, **_brought(event)}


def _brought(event: Played | Claimed | HandEnded) -> Fields:
    return {"points": event.points, "scores": event.scores}


def tiles_or_null(tiles: Iterable[Tile] | None) -> list[str] | None:
    """Tiles as text, None (null in JSON) where they are not known."""
    return None if tiles is None else [str(tile) for tile in tiles]
