"""What is on the table, followed from the session's events: the same live and in replay."""

from dataclasses import dataclass, field

from engine.line import Line
from engine.rules import Rules
from engine.seats import turns_after
from engine.tiles import TILE_COUNT, Tile
from p2p.session.state.events import (
    Claimed,
    DeckStep,
    Drawn,
    HandBegan,
    HandEnded,
    MatchBegan,
    MatchEnded,
    Passed,
    Played,
    Player,
    SessionEvent,
)


@dataclass
class Scene:
    """`me` is the seat of who looks on, None for a replay. Lists have one entry a seat.

    `hands[seat]` is None where the tiles are not known; `counts[seat]` is known always. `seats` are
    those in the present deal, `turn` the one to move (None when nobody is). `placed` is the last
    placement; where points are claimed it is `unsettled` until all have answered, and nothing here
    tells what it counts.
    """

    me: int | None = None
    table: bytes = b""
    rules: Rules | None = None
    players: tuple[Player, ...] = ()
    scores: tuple[int, ...] = ()
    hand: int = 0
    dealt: bool = False
    line: Line | None = None
    hands: list[list[Tile] | None] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    boneyard: int = 0
    turn: int | None = None
    seats: tuple[int, ...] = ()
    placed: Played | None = None
    unsettled: bool = False

    def apply(self, event: SessionEvent) -> None:
        """Take the event into account; events come in their order."""
        if self.unsettled and self.placed is not None and not isinstance(event, DeckStep):
            self.unsettled, self.scores = False, self.placed.scores
        match event:
            case MatchBegan():
                self._begin(event)
            case HandBegan():
                self._deal(event)
            case Played():
                self._play(event)
            case Drawn():
                self._draw(event)
            case Passed(seat=seat):
                self.turn = self._after(seat)
            case HandEnded() | MatchEnded():
                self.dealt, self.turn = False, None
        if isinstance(event, Played) and self.rules is not None and self.rules.claims:
            self.unsettled = True
        elif isinstance(event, Played | Claimed | HandEnded | MatchEnded):
            self.scores = event.scores
        if self.rules and self.rules.match_end == "at-once" and self._at_target(self.rules):
            self.turn = None

    def _at_target(self, rules: Rules) -> bool:
        return max(self.scores) >= rules.target

    def _begin(self, event: MatchBegan) -> None:
        self.table, self.players = event.table, event.players
        self.rules = Rules.read(event.rules, len(event.players))
        self.scores = (0,) * len(event.players)

    def _deal(self, event: HandBegan) -> None:
        if self.rules is None:
            raise AssertionError("a hand before the match")
        self.hand, self.dealt, self.line = event.hand, True, Line(self.rules)
        self.hands = [None if tiles is None else list(tiles) for tiles in event.hands]
        self.counts = list(event.counts)
        self.boneyard = TILE_COUNT - sum(event.counts)
        self.seats = tuple(seat for seat, count in enumerate(event.counts) if count)
        self.turn = event.starter

    def _play(self, event: Played) -> None:
        self.placed = event
        self.table_line.place(event.tile, event.end)
        self.counts[event.seat] -= 1
        self.turn = self._after(event.seat) if self.counts[event.seat] else None
        held = self.hands[event.seat]
        if held is not None:
            held.remove(event.tile)

    def _draw(self, event: Drawn) -> None:
        self.boneyard -= 1
        self.counts[event.seat] += 1
        held = self.hands[event.seat]
        if held is not None and event.tile is not None:
            held.append(event.tile)

    def _after(self, seat: int) -> int:
        """The seat to move after `seat`: the next one that was dealt tiles."""
        return turns_after(self.seats, seat)[0]

    @property
    def table_line(self) -> Line:
        """The line of play of the present hand."""
        if self.line is None:
            raise AssertionError("no hand has begun")
        return self.line

    @property
    def drawable(self) -> int:
        """Tiles of the boneyard that may still be drawn."""
        return max(0, self.boneyard - (self.rules.reserve if self.rules else 0))

    def name(self, seat: int) -> str:
        """What to call a seat: "You" for one's own."""
        return "You" if seat == self.me else self.players[seat].name
