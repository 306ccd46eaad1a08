"""One hand, from the deal until somebody goes out or nobody can go on.

The hand works from public facts, so a seat that knows its own tiles, a dealer who knows all, and
an onlooker who knows none run the same code.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from engine.deal import NO_SLOT, Deal, deal_slots, pips_in
from engine.errors import EngineError, IllegalMove
from engine.moves import NOTHING_FITS, PLAYS, TILE_BITS, UNKNOWN, Draw, Move, Option, Pass, Play
from engine.options import NO_DRAWS
from engine.rules import Rules
from engine.scoring import Settlement, settle, settle_lost
from engine.tiles import ALL_TILES, HALVES, SET_PIPS, Tile
from engine.wording import listed

__all__ = ["Draw", "Hand", "HandOver", "Move", "Pass", "Play", "deal_slots"]


@dataclass(frozen=True, slots=True)
class HandOver:
    """How a hand ended: `domino`, `block`, `target`, `left` or `fault`, and who went out."""

    reason: str
    seat: int | None


@cache
def _over(reason: str, seat: int | None) -> HandOver:
    """The shared value: there are few, and building one costs a microsecond."""
    return HandOver(reason, seat)


def why_led(tile: Tile) -> str:
    """Why a tile must be led (`starter=highest-double`): what it is among those that were dealt."""
    if tile.is_double:
        return "the highest double of this deal"
    return "the heaviest tile of this deal, in which nobody has a double"


MOST_CLAIMED = SET_PIPS
"""No count is larger: it adds halves of different tiles, and the set has 168 pips."""


def check_claim(claim: int | None) -> int:
    """The claim, if it is a number of points that can be claimed; else raises `IllegalMove`."""
    if claim is None or not 0 <= claim <= MOST_CLAIMED:
        raise IllegalMove(f"a claim is a number from 0 to {MOST_CLAIMED}, 0 for none")
    return claim


class Hand(Deal):
    """The state of one hand. `check` refuses a move with its reason, `apply` makes it.

    `turn` is the seat to move, None once the hand is `over`. `lead` is the tile that must be led
    (`starter=highest-double`), or None. `copy` is cheap, for players that look ahead.
    """

    __slots__ = ("_claims", "_drawn", "_legal", "over")

    def __init__(
        self,
        rules: Rules,
        seats: Sequence[int],
        starter: int,
        known: Mapping[int, Tile] | None = None,
        lead: Tile | None = None,
    ) -> None:
        """A new deal to `seats` (ascending table seats); `known` maps slots to tiles."""
        if starter not in seats:
            raise EngineError(f"seat {starter} is not in this deal")
        super().__init__(rules, seats, starter, known or {}, lead)
        self.over: HandOver | None = None
        self._claims = 0 if rules.claims else None  # what a play claims when it claims nothing
        self._drawn = NO_SLOT  # drawn in this turn: the only slot that may be played
        self._legal: tuple[Move, ...] = ()  # the legal moves, once they were asked for
        self.offered = ()

    @property
    def drawn(self) -> int | None:
        """The slot drawn last in this turn, the only one that may be played now; else None."""
        return None if self._drawn == NO_SLOT else self._drawn

    def copy(self) -> "Hand":
        """An independent hand in the same state."""
        new = object.__new__(Hand)
        new.rules, new.seats, new.lead = self.rules, self.seats, self.lead
        new.turn, new.over, new.line = self.turn, self.over, self.line.copy()
        new.after, new._claims, new.passes = self.after, self._claims, self.passes
        new._dealt = self._dealt[:]
        new.held, new.hidden = self.held[:], self.hidden[:]
        new.order, new._where, new._open = self.order[:], self._where[:], self._open
        new.next, new.stop, new._shown = self.next, self.stop, self._shown[:]
        new._drawn = self._drawn
        new._legal, new.offered = self._legal, self.offered
        return new

    def seen_by(self, seat: int | None) -> "Hand":
        """A copy that knows the tiles on the table and those of `seat` (None: of nobody)."""
        new = self.copy()
        new._legal = ()
        new._forget_all_but(seat)
        return new

    # Moves

    def legal_moves(self, seat: int) -> tuple[Move, ...]:
        """Every move `seat` may make, in canonical order; () if it is not its turn.

        With claims a play appears once, claiming nothing. Raises `EngineError` unless all tiles
        of `seat` are known.
        """
        if seat != self.turn:
            return ()
        if self._legal:
            return self._legal
        options = self.options()
        if options:
            where, plays = self._where, PLAYS[self._claims][seat]
            self._legal = tuple([plays[where[option[0]]][option] for option in options])
        else:
            self._legal = NOTHING_FITS[seat][self.next < self.stop]
        return self._legal

    def check(self, move: Move) -> None:
        """Raises `IllegalMove` with the reason if `move` breaks a rule; changes nothing."""
        if move.seat != self.turn:
            raise IllegalMove(self._say_turn(move.seat))
        if isinstance(move, Play):
            self._check_play(move)
        elif isinstance(move, Draw):
            if self.rules.draws == NO_DRAWS:
                raise IllegalMove("nothing is drawn in this game: who cannot play passes")
            self._check_cannot_play(move.seat, "draw")
            if not self.drawable():
                raise IllegalMove("nothing is left to draw: pass")
        else:
            self._check_cannot_play(move.seat, "pass")
            if self.drawable():
                raise IllegalMove(f"{self.drawable()} tiles can be drawn: draw before passing")

    def _say_turn(self, seat: int) -> str:
        if self.turn is None:
            return "the hand is over"
        if seat not in self.seats:
            return f"seat {seat} is not in this deal"
        return f"it is the turn of seat {self.turn}, not of seat {seat}"

    def _check_play(self, move: Play) -> None:
        seat, slot, tile = move.seat, move.slot, move.tile
        if slot not in self.slots(seat):
            raise IllegalMove(f"slot {slot} is not in the hand of seat {seat}")
        reason = self.line.refusal(tile, move.end)
        if reason:
            raise IllegalMove(reason)
        index = tile.index
        held = self.order[slot]
        if held != index:
            self._check_holds(seat, slot, held, index)
        if self._drawn not in (slot, NO_SLOT):
            raise IllegalMove(f"only the tile just drawn (slot {self._drawn}) may be played now")
        if self.lead is not None and move.end is None and tile != self.lead:
            raise IllegalMove(self._must_be_led())
        self._check_claim(move.claim)

    def _must_be_led(self) -> str:
        assert self.lead is not None, "any tile may be led"
        return f"{self.lead} must be led, {why_led(self.lead)}"

    def _check_holds(self, seat: int, slot: int, held: int, index: int) -> None:
        tile = ALL_TILES[index]
        if held != UNKNOWN:
            raise IllegalMove(f"slot {slot} holds {ALL_TILES[held]}, not {tile}")
        if self._where[index] != NO_SLOT:
            raise IllegalMove(f"{tile} lies in slot {self._where[index]}, not in slot {slot}")
        denied = pips_in(self._lacking(seat, slot) & HALVES[index])
        if denied:
            shown = " and no ".join(map(str, sorted(denied)))
            raise IllegalMove(f"slot {slot} was shown to hold no {shown}, so it is not {tile}")

    def _check_claim(self, claim: int | None) -> None:
        if self._claims is None:
            if claim is not None:
                raise IllegalMove("points are counted for you in this game: a play claims nothing")
        else:
            check_claim(claim)

    def _check_cannot_play(self, seat: int, doing: str) -> None:
        pips = self.line.pips
        if not pips:
            must = "any tile fits: lead" if self.lead is None else f"{self._must_be_led()}: lead it"
            raise IllegalMove(f"the table is empty and {must}, do not {doing}")
        slots = self.slots(seat) if self._drawn == NO_SLOT else (self._drawn,)
        fitting = self._known_tiles(slots) & self.line.fitting
        if fitting:
            index = fitting.bit_length() - 1
            ends = listed(self.line.fits(ALL_TILES[index]))
            raise IllegalMove(f"{ALL_TILES[index]} fits {ends}: who can play may not {doing}")
        if not self._misfit_mask():
            raise IllegalMove(
                f"every tile not on the table fits an open end: who can play may not {doing}"
            )

    def apply(self, move: Move) -> None:
        """Makes `move` after `check`; changes nothing if that raises `IllegalMove`."""
        for offered in self._legal:
            if offered is move:  # found legal in this very state
                break
        else:
            self.check(move)
            if isinstance(move, Play) and self.order[move.slot] == UNKNOWN:
                self._reveal(move.slot, move.tile.index)
        self._legal = ()
        if isinstance(move, Play):
            self.offered = (move.option,)
            self.play(move.option)
        elif isinstance(move, Draw):
            self._show(move.seat, self.next)
            self._drawn = self.next
            self._dealt[move.seat] += (self.next,)
            self.draw(move.seat)
        else:
            self._pass(move.seat)

    def play(self, option: Option) -> None:
        """Makes one of the placements that `options` has found in this state, as `apply` does;
        raises `IllegalMove` for any other, and changes nothing."""
        seat = self.turn
        if seat is None or option not in self.offered:
            raise IllegalMove("only what the options of this turn have can be placed so")
        self._drawn = NO_SLOT
        self._legal = self.offered = ()
        self.passes = 0
        self.line.put(option)
        held = self.held
        held[seat] = left = held[seat] ^ TILE_BITS[option[0]]
        if left or self.hidden[seat]:
            self.turn = self.after[seat]
        else:
            self.end("domino", seat)

    def draw_or_pass(self) -> None:
        """Makes all that must come next where `options` has found none: draws until a tile fits or
        none is left, else passes. Raises `IllegalMove` if something fits."""
        seat, first = self.turn, self.next
        if seat is None or self.held[seat] & self.line.fitting:
            raise IllegalMove("who can play may neither draw nor pass")
        if self.hidden[seat]:
            raise EngineError(f"what seat {seat} must do needs all its tiles to be known")
        self._legal = ()
        if first >= self.stop:
            self._pass(seat)
            return
        self.draw_until_fit(seat)
        self._drawn = last = self.next - 1
        self._dealt[seat] += tuple(range(first, self.next))
        self._show(seat, last)

    def _pass(self, seat: int) -> None:
        self._show(seat, self.next)
        self._drawn = NO_SLOT
        if self.skip(seat):
            self.end("block")

    def _show(self, seat: int, bound: int) -> None:
        """Notes that nothing fits of what a seat holds of the slots before `bound`."""
        self._shown[seat] += ((self.line.pips, bound),)

    def end(self, reason: str, seat: int | None = None) -> None:
        """Ends the hand for `reason`; a match also ends it at the target, a leaving or a fault."""
        self.over = _over(reason, seat)
        self.turn = None

    # The end

    def settle(self, tiles: Mapping[int, Tile], seats: Sequence[int] | None = None) -> Settlement:
        """The tiles left and the points of a hand that is over, from the tile of every slot.

        `seats`: those that are still in, where others were put out: then the tiles in their hands
        are enough, who is out has none left, and collects nothing.
        Raises `EngineError` unless `tiles` are the 28 tiles, agree with all that was placed and
        known, and bear out every draw and pass (of those seats).
        """
        if self.over is None or self.over.reason not in ("domino", "block"):
            raise EngineError("the hand has no end to be settled")
        if seats is None:
            self.check_opening(tiles)
        else:
            self.check_held(tiles, seats)
        counted = self.seats if seats is None else tuple(seats)
        left: list[tuple[Tile, ...]] = [()] * self.rules.players
        for seat in counted:
            slots = self.slots(seat)
            if slots:
                left[seat] = tuple([tiles[slot] for slot in slots])
        if self.over.seat is not None and self.over.seat not in counted:
            return settle_lost(self.rules, counted, tuple(left))
        return settle(self.rules, counted, self.over.seat, tuple(left))
