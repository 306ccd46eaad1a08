"""What a screen shows of a table, as frozen values: a pure function of the scene and the desk.

The scene follows the session's events and knows what one seat may know; nothing else comes in, so
no view can hold a tile that only another seat holds.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from cli.screen.drawing.keys import Mode
from cli.screen.drawing.panels import Panel
from cli.screen.line.tree import Tree, tree_of
from cli.telling.ask import away_prompt, claim_prompt, turn_prompt, wait_prompt
from cli.telling.scene import Scene
from engine.line import End
from engine.moves import Move, Play
from engine.strategy.view import SeatView
from engine.tiles import Tile
from p2p.crypto.identity import fingerprint


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal placement of a tile: the end (None: the lead) and what it would score."""

    end: str | None
    points: int


@dataclass(frozen=True, slots=True)
class HandTile:
    """A tile of one's hand, and where it may be placed now."""

    tile: Tile
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class SeatLine:
    """What is shown of a player. `tiles` is None between hands, `link` is "" while all is well,
    `hand` is what is open to view."""

    name: str
    key: str
    tiles: int | None
    score: int
    side: str
    link: str
    me: bool
    to_move: bool
    hand: tuple[Tile, ...] | None


@dataclass(frozen=True, slots=True)
class Cursor:
    """The chosen tile of the hand, and the chosen end."""

    tile: Tile | None = None
    end: str | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """What the person at this screen is asked for now: a move, or a claim."""

    seen: SeatView

    @property
    def claim(self) -> bool:
        """Whether points are to be claimed."""
        return self.seen.awaiting is not None


@dataclass(frozen=True, slots=True)
class Desk:
    """What a screen knows beside the scene. `links` by seat; `clock` in seconds, None: no clock.

    `replay` says where in a replay one is ("": it is none).
    `typed` is what is being written ("" at first, None: nothing), a chat line or a claim; `log`
    has the latest line last. `panel` covers the table. `question` waits for yes or no; `lobby` is
    the mode before the match, `paused` a pause of all, `page` the mode of the page.
    """

    asked: Asked | None = None
    cursor: Cursor = Cursor()
    links: Mapping[int, str] = field(default_factory=dict)
    clock: int | None = None
    log: tuple[str, ...] = ()
    note: str = ""
    panel: Panel | None = None
    top: int = 0
    typed: str | None = None
    chatting: bool = False
    question: str = ""
    lobby: Mode = Mode.LOBBY
    paused: bool = False
    page: Mode = Mode.PAGE
    replay: str = ""


@dataclass(frozen=True, slots=True)
class TableView:
    """All that a screen shows. `ends` in canonical order, `count` None where it may not be told;
    `boneyard` in tiles."""

    title: str
    hand_number: int
    seats: tuple[SeatLine, ...]
    tree: Tree | None
    ends: tuple[End, ...]
    count: int | None
    dealt: bool
    boneyard: int
    clock: int | None
    paused: bool
    hand: tuple[HandTile, ...] | None
    cursor: Cursor
    log: tuple[str, ...]
    prompt: str
    urgent: bool
    note: str
    panel: Panel | None
    top: int
    typed: str | None
    mode: Mode


def make_view(scene: Scene, desk: Desk) -> TableView:
    """The view of a table."""
    line = scene.line
    return TableView(
        title=_title(scene),
        hand_number=scene.hand,
        seats=tuple(_seat(scene, desk, seat) for seat in range(len(scene.players))),
        tree=None if line is None else tree_of(line),
        ends=() if line is None else line.ends(),
        count=None if line is None or scene.unsettled else line.count(),
        dealt=scene.dealt,
        boneyard=scene.boneyard,
        clock=desk.clock,
        paused=desk.paused,
        hand=_hand(scene, desk),
        cursor=desk.cursor,
        log=desk.log,
        prompt=prompt(scene, desk),
        urgent=desk.asked is not None or bool(desk.question),
        note=desk.note,
        panel=desk.panel,
        top=desk.top,
        typed=desk.typed,
        mode=_mode(scene, desk),
    )


def _mode(scene: Scene, desk: Desk) -> Mode:
    if desk.replay:
        return Mode.REPLAY
    if desk.question:
        return Mode.QUESTION
    if desk.typed is not None:
        return Mode.TYPING
    if not scene.players:
        return desk.lobby
    if desk.panel is not None:
        return desk.page
    return Mode.TURN if desk.asked is not None else Mode.WAIT


def prompt(scene: Scene, desk: Desk) -> str:
    """What can be done now, in a sentence or two."""
    if desk.replay:
        return desk.replay
    if desk.question:
        return desk.question
    if desk.chatting:
        return "Write to the others; Enter sends it, Esc drops it."
    if desk.panel is not None and desk.asked is None:
        return desk.panel.prompt
    if desk.paused:
        return "The match is paused by all, and the clocks stand still. p goes on."
    if desk.asked is None:
        away = {scene.players[seat].name: since for seat, since in desk.links.items()}
        return away_prompt(away) if away else wait_prompt(scene)
    seen = desk.asked.seen
    if desk.panel is not None:
        return f"It is your turn. {desk.panel.prompt}"
    return claim_prompt(seen) if desk.asked.claim else turn_prompt(seen, chosen(seen, desk.cursor))


def chosen(seen: SeatView, cursor: Cursor) -> Move | None:
    """The legal move that the cursor stands on; a lone draw or pass needs no cursor."""
    for move in seen.legal:
        if not isinstance(move, Play) or (move.tile, move.end) == (cursor.tile, cursor.end):
            return move
    return None


def choices(seen: SeatView, tile: Tile) -> tuple[Choice, ...]:
    """Where a tile may be placed, in canonical order."""
    plays = (move for move in seen.legal if isinstance(move, Play) and move.tile == tile)
    return tuple(Choice(move.end, _points(seen, move)) for move in plays)


def _points(seen: SeatView, move: Play) -> int:
    return 0 if seen.rules.claims else seen.points_for(move)


def _title(scene: Scene) -> str:
    if scene.rules is None:
        return "All Fives"
    partners = ", partners" if scene.rules.partners else ""
    return f"All Fives, {scene.rules.preset}{partners}, to {scene.rules.target}"


def _seat(scene: Scene, desk: Desk, seat: int) -> SeatLine:
    player = scene.players[seat]
    held = scene.hands[seat] if scene.dealt and seat != scene.me else None
    rules = scene.rules
    return SeatLine(
        name=player.name,
        key=fingerprint(player.key),
        tiles=scene.counts[seat] if scene.dealt else None,
        score=scene.scores[seat],
        side="AB"[rules.side(seat)[0]] if rules is not None and rules.partners else "",
        link=desk.links.get(seat, ""),
        me=seat == scene.me,
        to_move=seat == scene.turn,
        hand=None if held is None else tuple(held),
    )


def _hand(scene: Scene, desk: Desk) -> tuple[HandTile, ...] | None:
    if scene.me is None or not scene.dealt:
        return None
    held = scene.hands[scene.me]
    if held is None:
        return None
    seen = desk.asked.seen if desk.asked is not None and not desk.asked.claim else None
    return tuple(HandTile(tile, choices(seen, tile) if seen else ()) for tile in held)
