"""What is on the table, followed from the session's events: the same live and in replay.

The rules are the engine's: its match goes along with every event and knows no hidden tile.
"""

from copy import copy

from engine.events import Drawn, HandEvent, MatchEnded, Played
from engine.hand import Hand
from engine.line import Line
from engine.match import FollowedMatch
from engine.moves import Draw, Play
from engine.rules import Rules
from engine.strategy.view import SeatView
from engine.tiles import Tile
from p2p.session.state import events


class Scene:
    """`me` is the seat of who looks on, None for a replay. Lists have one entry a seat.

    `players` are known once the match has begun. `placed` is the last placement; `reached`: the
    seat that the last event has brought to the target, where nobody was before. Between hands the
    last one stays on the table. `out` says by seat how somebody was put out, in that order.
    """

    def __init__(self, me: int | None = None, players: tuple[events.Participant, ...] = ()) -> None:
        self.me, self.players = me, players
        self.scores: tuple[int, ...] = ()
        self.placed: Played | None = None
        self.reached: int | None = None
        self.out: dict[int, events.SeatOut] = {}
        self._match: FollowedMatch | None = None
        self._hand: Hand | None = None
        self._seen: list[list[Tile] | None] = []  # what came into each hand, in that order
        self._begins = False

    def apply(self, event: events.SessionEvent) -> None:
        """Take the event into account; events come in their order."""
        match event:
            case events.MatchBegan(rules=rules, players=players):
                self.players = players
                self._match = FollowedMatch(Rules.read(rules, len(players)), len(players))
            case events.HandBegan(starter=starter, hands=hands):
                self._hand = self._followed.begin(starter)
                self._seen = [None if tiles is None else list(tiles) for tiles in hands]
            case events.InHand(event=made, tile=tile):
                self._follow(made, tile)
            case events.Settled(claims=claims):
                self._followed.apply_claims(claims)
            case events.TakenBack(told=told):
                self._begin_again(told)
            case events.SeatOut(seat=seat):
                self._followed.put_out(seat)
                self.out[seat] = event
            case MatchEnded() if self._match is not None:
                # A fault at the very first step ends what has not begun.
                self._followed.follow(event)
        before, self.reached = self.scores, None
        if self._match is not None and not self.unsettled:
            self.scores = tuple(self._match.scores)
            target, best = self._match.rules.target, max(self.scores)
            if best >= target > max(before, default=0):
                self.reached = self.scores.index(best)

    def asked_about(self, view: SeatView | None) -> "Scene":
        """As it is to who is asked for that view: where points are claimed the lead that the rules
        force is asked for before the hand begins for all, and its deal is there for that seat."""
        if view is None or self.dealt or self._match is None or view.awaiting is not None:
            return self
        begun = copy(self)
        begun._hand, begun._begins = view.hand, True
        begun._seen = [None] * len(self.players)
        begun._seen[view.seat] = [tile for _, tile in view.tiles]
        return begun

    def _begin_again(self, told: tuple[events.SessionEvent, ...]) -> None:
        """Only what was `told` here holds, from the beginning."""
        self.scores, self.placed, self.out = (), None, {}
        self._match, self._hand, self._seen = None, None, []
        for event in told:
            self.apply(event)

    def _follow(self, made: HandEvent, tile: Tile | None) -> None:
        self._followed.follow(made)
        if isinstance(made, Played):
            self.placed = made
        elif isinstance(made, Drawn) and tile is not None:
            held = self._seen[made.seat]
            if held is not None:
                held.append(tile)

    @property
    def _followed(self) -> FollowedMatch:
        if self._match is None:
            raise AssertionError("a hand before the match")
        return self._match

    @property
    def rules(self) -> Rules | None:
        """The rules of the match, once it has begun."""
        return None if self._match is None else self._match.rules

    @property
    def hand(self) -> int:
        """The number of the hand, 0 before the first."""
        return 0 if self._match is None else self._match.hand_number + self._begins

    @property
    def decks(self) -> int:
        """How many decks were dealt, or given up: the one that was made ready when seats were put
        out, together by those who stayed."""
        return self.hand + len({(out.hand, out.by) for out in self.out.values()})

    @property
    def dealt(self) -> bool:
        """Whether a hand runs."""
        return self._begins or (self._match is not None and self._match.hand is not None)

    @property
    def turn(self) -> int | None:
        """The seat to move; None when nobody is."""
        return None if self._hand is None or not self.dealt else self._hand.turn

    @property
    def unsettled(self) -> bool:
        """Whether claims for the last placement are awaited: nothing tells yet what it counts."""
        return self._match is not None and self._match.claimed_play is not None

    @property
    def counts_ends(self) -> bool:
        """Whether the ends are counted in this game, and what they count may be told now."""
        fives = self.rules is not None and self.rules.play_points == "fives"
        return fives and not self.unsettled

    @property
    def draws(self) -> bool:
        """Whether tiles are drawn in this game."""
        return self.rules is not None and self.rules.draws != "none"

    @property
    def seats_in(self) -> tuple[int, ...]:
        """Who is in: nobody before the match has begun."""
        return () if self._match is None else self._match.seats

    def side(self, seat: int) -> tuple[int, ...]:
        """The seats that share a score with `seat`, itself included."""
        return (seat,) if self.rules is None else self.rules.side(seat)

    def sides(self) -> list[tuple[int, ...]]:
        """Everybody, by the score they share; in seat order."""
        return list(dict.fromkeys(self.side(player.seat) for player in self.players))

    @property
    def since_own_turn(self) -> tuple[Tile, ...]:
        """The tiles placed since one's own last turn, the last one where there is none."""
        moves = [] if self._match is None else self._match.moves
        placed: list[Tile] = []
        for move in moves:
            if move.seat == self.me and not isinstance(move, Draw):
                placed = []
            elif isinstance(move, Play):
                placed.append(move.tile)
        if not placed and self.line is not None:
            placed = [one.tile for one in self.line.placements[-1:]]
        return tuple(placed) if self.me is not None else tuple(placed[-1:])

    @property
    def line(self) -> Line | None:
        """The line of play, once a hand has begun."""
        return None if self._hand is None else self._hand.line

    @property
    def table_line(self) -> Line:
        """The line of play of the present hand."""
        if self._hand is None:
            raise AssertionError("no hand has begun")
        return self._hand.line

    @property
    def hands(self) -> list[list[Tile] | None]:
        """The tiles held, drawn ones last; None where they are not known."""
        lying = 0 if self._hand is None else self._hand.line.tiles
        return [
            None if seen is None else [tile for tile in seen if not lying >> tile.index & 1]
            for seen in self._seen
        ]

    @property
    def counts(self) -> list[int]:
        """How many tiles are held; of everybody."""
        hand = self._hand
        return [] if hand is None else [hand.held_count(one.seat) for one in self.players]

    @property
    def boneyard(self) -> int:
        """Tiles in the boneyard, its reserve too."""
        return 0 if self._hand is None else len(self._hand.boneyard)

    @property
    def drawable(self) -> int:
        """Tiles of the boneyard that may still be drawn."""
        return 0 if self._hand is None else self._hand.drawable()

    def name(self, seat: int) -> str:
        """What to call a seat: "You" for one's own."""
        return "You" if seat == self.me else self.players[seat].name
