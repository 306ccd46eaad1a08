"""What a screen shows of a table, as frozen values: a pure function of the desk and the front.

The scene follows the session's events and knows what one seat may know; nothing else comes in, so
no view can hold a tile that only another seat holds.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from cli.screen.drawing.keys import Label
from cli.screen.drawing.panels import Panel
from cli.screen.line.tree import Tree, tree_of
from cli.telling.ask import Parting
from cli.telling.doing import NOTHING, Moment
from cli.telling.links import Absence
from cli.telling.pages import ProvenStep
from cli.telling.phrases import game_title, gone
from cli.telling.prompts import tells_counts, told_count, told_points
from cli.telling.scene import Scene
from cli.telling.words import hand_lines
from engine.events import HandEnded
from engine.line import End
from engine.moves import Move, Play
from engine.scoring import placement_points
from engine.strategy.view import SeatView, count_after
from engine.tiles import Tile


@dataclass(frozen=True, slots=True)
class Choice:
    """A placement of a tile: the end (None: the lead), what it would score, and what the ends
    would count then (None: nobody is told)."""

    end: str | None
    points: int
    count: int | None = None


@dataclass(frozen=True, slots=True)
class HandTile:
    """A tile of one's hand, and where it may be placed; while others play, where it might be if
    nothing changed."""

    tile: Tile
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class SeatLine:
    """What is shown of a player. `tiles` is None between hands, `link` is "" while all is well,
    `hand` is what is open to view, `score` None for who shares that of a partner above."""

    name: str
    tiles: int | None
    score: int | None
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
class Scroll:
    """Of the page that was drawn last: the rows that were in view, and the row from which on the
    rest of it is."""

    rows: int = 10
    last: int = 10_000


@dataclass(frozen=True, slots=True)
class Desk:
    """What a screen knows of its table, whatever is done there now.

    `links` by seat, without those that are well, `away` those who are waited for; `clock` in
    seconds, None: no clock; `log` has the latest line last, `told` are the lines since the match
    began or ended that are no events, `opened` tells while the own table fills how others come to
    it; `series` is the score in matches, in a sentence; `standing` are lines of the log that still
    hold, by seat how it is with who is away, by None a pause; `wanting` are the seats that want a
    pause, `paused` is true while all do. `hands` are the hands that have ended, `muted` the seats
    whose chat is not shown; `scroll` is how the page in view may be scrolled, `parting` what the
    own leaving would mean, `waited` without whom the match may go on some time, since they do not
    decide, `leaving` a sentence on who has left and is not out yet, `moment` what can be done.
    """

    scene: Scene
    links: Mapping[int, str] = field(default_factory=dict)
    away: Mapping[int, Absence] = field(default_factory=dict)
    clock: int | None = None
    log: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    opened: tuple[str, ...] = ()
    series: str = ""
    standing: Mapping[int | None, str] = field(default_factory=dict)
    proofs: tuple[ProvenStep, ...] = ()
    note: str = ""
    wanting: frozenset[int] = frozenset()
    paused: bool = False
    hands: tuple[HandEnded, ...] = ()
    muted: frozenset[int] = frozenset()
    scroll: Scroll = Scroll()
    parting: Parting = "ends"
    waited: frozenset[int] = frozenset()
    leaving: str = ""
    moment: Moment = NOTHING

    def stands(self, *about: int | None) -> frozenset[str]:
        """The standing lines about these seats, or a pause."""
        return frozenset(self.standing[one] for one in about if one in self.standing)


@dataclass(frozen=True, slots=True)
class Front:
    """What is done at the desk now: the sentence and the row of keys for it, and the lines that it
    `tells` in other words; whether it is the person whom all wait for; what is being written (None:
    nothing); the page over the table, from its row `top` on; and where the tiles of the hand fit
    for who has `seen` that, and the cursor.
    """

    prompt: str
    row: tuple[Label, ...]
    urgent: bool = False
    tells: frozenset[str] = frozenset()
    typed: str | None = None
    panel: Panel | None = None
    top: int = 0
    seen: SeatView | None = None
    cursor: Cursor = Cursor()


@dataclass(frozen=True, slots=True)
class TableView:
    """All that a screen shows. `ends` in canonical order, `count` None where it may not be told;
    `counting`: the ends are counted in this game. `undealt` are the tiles that nobody holds, and
    what they are called; `fresh` those placed since one's own last turn."""

    title: str
    hand_number: int
    seats: tuple[SeatLine, ...]
    tree: Tree | None
    ends: tuple[End, ...]
    count: int | None
    counting: bool
    dealt: bool
    undealt: str
    fresh: frozenset[Tile]
    clock: int | None
    paused: bool
    hand: tuple[HandTile, ...] | None
    log: tuple[str, ...]
    note: str
    front: Front


def make_view(desk: Desk, front: Front) -> TableView:
    """The view of a table; a hand that one leads where that is claimed for is there before it
    begins for all."""
    scene = desk.scene.asked_about(front.seen)
    desk = replace(desk, scene=scene)
    line = scene.line
    log, note = _once(desk, front)
    # Above the end of a hand nothing is told of the next one, which may have begun.
    panel = front.panel if front.panel is not None and front.panel.ended else None
    ended = 0 if panel is None else panel.ended
    seats = [_seat(desk, seat, scene.dealt and not ended) for seat in range(len(scene.players))]
    if panel is not None:
        seats = [_at_end(seat, score) for seat, score in zip(seats, panel.scores, strict=True)]
    return TableView(
        title="allfives" if scene.rules is None else game_title(scene.rules),
        hand_number=ended or scene.hand,
        seats=tuple(seats),
        tree=None if line is None else tree_of(line),
        ends=() if line is None else line.ends(),
        count=line.count() if line is not None and scene.counts_ends else None,
        counting=scene.rules is not None and scene.rules.play_points == "fives",
        dealt=scene.dealt and not ended,
        undealt=f"{'boneyard' if scene.draws else 'not dealt'} {scene.boneyard}",
        fresh=frozenset(scene.since_own_turn),
        clock=desk.clock,
        paused=desk.paused,
        hand=hand_of(scene, front.seen),
        log=log,
        note=note,
        front=front,
    )


def _once(desk: Desk, front: Front) -> tuple[tuple[str, ...], str]:
    """The log and the note as they stand beside the table and the sentence: each fact once."""

    def is_told(line: str) -> bool:
        return line in front.tells or (bool(line) and line in front.prompt)

    note = "" if is_told(desk.note) else desk.note
    hands = hand_lines(desk.scene, desk.scene.hands) if desk.scene.dealt else []
    log = [line for line in desk.log if not (is_told(line) or line in hands)]
    return tuple(line for line in log if not note.startswith(line)), note


def chosen(seen: SeatView, cursor: Cursor) -> Move | None:
    """The legal move that the cursor stands on; a lone draw or pass needs no cursor."""
    for move in seen.legal:
        if not isinstance(move, Play) or (move.tile, move.end) == (cursor.tile, cursor.end):
            return move
    return None


def choices(seen: SeatView, tile: Tile) -> tuple[Choice, ...]:
    """Where a tile may be placed, in canonical order."""
    plays = (move for move in seen.legal if isinstance(move, Play) and move.tile == tile)
    return tuple(
        Choice(move.end, told_points(seen, move), told_count(seen, move)) for move in plays
    )


def _ahead(scene: Scene, tile: Tile) -> tuple[Choice, ...]:
    """Where a tile might be placed if it were one's turn now."""
    line, rules = scene.line, scene.rules
    if line is None or rules is None or line.lead is None or scene.unsettled:
        return ()
    if not tells_counts(rules):
        return tuple(Choice(end, 0) for end in line.fits(tile))
    counts = ((end, count_after(line, tile, end)) for end in line.fits(tile))
    return tuple(Choice(end, placement_points(rules, count), count) for end, count in counts)


def _seat(desk: Desk, seat: int, dealt: bool) -> SeatLine:
    scene = desk.scene
    player = scene.players[seat]
    rules, side = scene.rules, scene.side(seat)
    out = gone(scene.out[seat].reason) if seat in scene.out else ""
    shows = dealt and seat != scene.me and not out
    held = scene.hands[seat] if shows else None
    return SeatLine(
        name=player.name,
        tiles=scene.counts[seat] if dealt and not out else None,
        score=scene.scores[seat] if seat == side[0] else None,
        side="AB"[side[0]] if rules is not None and rules.partners else "",
        link=out or desk.links.get(seat, ""),
        me=seat == scene.me,
        to_move=seat == scene.turn,
        hand=None if held is None else tuple(held),
    )


def _at_end(seat: SeatLine, score: int) -> SeatLine:
    """The same with the score at the end of a hand, after which nobody was to move yet."""
    return replace(seat, score=None if seat.score is None else score, to_move=False)


def hand_of(scene: Scene, seen: SeatView | None) -> tuple[HandTile, ...] | None:
    """One's hand in the order in which it is shown, with where each tile fits for who has `seen`
    that (None: for who is not to move); None where there is none."""
    held = scene.hands[scene.me] if scene.me is not None and scene.dealt else None
    if held is None and seen is not None:
        held = [tile for _, tile in seen.tiles]  # the hand begins with the lead that is asked for
    if held is None:
        return None
    fits = [choices(seen, tile) if seen else _ahead(scene, tile) for tile in held]
    return tuple(HandTile(tile, where) for tile, where in zip(held, fits, strict=True))
