"""One hand, from the deal until somebody goes out or nobody can go on.

The hand works from public facts, so a seat that knows its own tiles, a dealer who knows all, and
an onlooker who knows none run the same code.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from engine.deal import NO_SLOT, UNKNOWN, Deal, deal_slots, pips_in
from engine.errors import EngineError, IllegalMove
from engine.moves import NOTHING_FITS, Draw, Move, Pass, Play, play_tables
from engine.rules import Rules
from engine.scoring import Settlement, settle, settle_lost
from engine.seats import turns_after
from engine.tiles import ALL_TILES, FITTING, HALVES, HIGH, LOW, SET_PIPS, Tile
from engine.wording import listed

__all__ = ["Draw", "Hand", "HandOver", "Move", "Pass", "Play", "deal_slots"]


@dataclass(frozen=True, slots=True)
class HandOver:
    """How a hand ended: `domino`, `block`, `target`, `left` or `fault`, and who went out."""

    reason: str
    seat: int | None


@cache
def _successors(seats: tuple[int, ...]) -> dict[int, int]:
    """The seat that moves after each seat."""
    return {seat: turns_after(seats, seat)[0] for seat in seats}


@cache
def _over(reason: str, seat: int | None) -> HandOver:
    """The shared value: there are few, and building one costs a microsecond."""
    return HandOver(reason, seat)


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

    __slots__ = ("_after", "_claims", "_drawn", "_offered", "_passes", "_plays", "over", "turn")

    def __init__(
        self,
        rules: Rules,
        seats: Sequence[int],
        starter: int,
        known: Mapping[int, Tile] | None = None,
        lead: Tile | None = None,
    ) -> None:
        """A new deal to `seats` (ascending table seats); `known` maps slots to tiles."""
        super().__init__(rules, seats, known or {}, lead)
        if starter not in seats:
            raise EngineError(f"seat {starter} is not in this deal")
        self.turn: int | None = starter
        self.over: HandOver | None = None
        self._after = _successors(self.seats)
        self._claims = 0 if rules.claims else None  # what a play claims when it claims nothing
        self._plays = play_tables(rules.players, self._claims)
        self._drawn = NO_SLOT  # drawn in this turn: the only slot that may be played
        self._passes = 0  # passes in a row
        self._offered: tuple[Move, ...] = ()  # the legal moves, once they were asked for

    @property
    def drawn(self) -> int | None:
        """The slot drawn last in this turn, the only one that may be played now; else None."""
        return None if self._drawn == NO_SLOT else self._drawn

    def copy(self) -> "Hand":
        """An independent hand in the same state."""
        new = object.__new__(Hand)
        new.rules, new.seats, new.lead = self.rules, self.seats, self.lead
        new.turn, new.over, new.line = self.turn, self.over, self.line.copy()
        new._after, new._claims, new._drawing = self._after, self._claims, self._drawing
        new._held = [slots[:] for slots in self._held]
        new._tiles, new._hidden = self._tiles[:], self._hidden[:]
        new._at, new._where = self._at[:], self._where[:]
        new._next, new._stop, new._shown = self._next, self._stop, self._shown[:]
        new._plays = self._plays
        new._drawn, new._passes, new._offered = self._drawn, self._passes, self._offered
        return new

    def __getstate__(self) -> dict[str, object]:
        """For pickling: all but the shared plays, of which there are thousands."""
        return {name: getattr(self, name) for name in _STATE}

    def __setstate__(self, state: dict[str, object]) -> None:
        for name, value in state.items():
            setattr(self, name, value)
        self._plays = play_tables(self.rules.players, self._claims)

    def seen_by(self, seat: int | None) -> "Hand":
        """A copy that knows the tiles on the table and those of `seat` (None: of nobody)."""
        new = self.copy()
        new._offered = ()
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
        if self._offered:
            return self._offered
        if self._hidden[seat]:
            raise EngineError(f"the legal moves of seat {seat} need all its tiles to be known")
        fitting = self._tiles[seat] if self._drawn < 0 else 1 << self._at[self._drawn]
        line = self.line
        found: tuple[Move, ...] = ()
        if line.pips:
            fitting &= FITTING[line.pips]
            if not fitting:
                found = NOTHING_FITS[seat][self._drawing and self._next < self._stop]
        elif self.lead is not None:
            fitting &= 1 << self.lead.index
        masks, where, plays = line.masks, self._where, self._plays[seat]
        while fitting:
            index = fitting.bit_length() - 1
            fitting ^= 1 << index
            found += plays[index][where[index]][masks[HIGH[index]] | masks[LOW[index]]]
        self._offered = found
        return found

    def check(self, move: Move) -> None:
        """Raises `IllegalMove` with the reason if `move` breaks a rule; changes nothing."""
        if move.seat != self.turn:
            raise IllegalMove(self._say_turn(move.seat))
        if isinstance(move, Play):
            self._check_play(move)
        elif isinstance(move, Draw):
            self._check_cannot_play(move.seat, "draw")
            if not self.drawable():
                why = "left to draw" if self._drawing else "drawn in this game"
                raise IllegalMove(f"nothing is {why}: pass")
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
        if slot not in self._held[seat]:
            raise IllegalMove(f"slot {slot} is not in the hand of seat {seat}")
        reason = self.line.refusal(tile, move.end)
        if reason:
            raise IllegalMove(reason)
        index = tile.index
        held = self._at[slot]
        if held != index:
            self._check_holds(seat, slot, held, index)
        if self._drawn not in (slot, NO_SLOT):
            raise IllegalMove(f"only the tile just drawn (slot {self._drawn}) may be played now")
        if self.lead is not None and move.end is None and tile != self.lead:
            raise IllegalMove(f"{self.lead} must be led, the highest tile of this deal")
        self._check_claim(move.claim)

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
            raise IllegalMove(f"the table is empty and any tile fits: lead, do not {doing}")
        slots = self._held[seat] if self._drawn == NO_SLOT else (self._drawn,)
        fitting = self._known_tiles(slots) & FITTING[pips]
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
        for offered in self._offered:
            if offered is move:  # found legal in this very state
                break
        else:
            self.check(move)
            if isinstance(move, Play) and self._at[move.slot] == UNKNOWN:
                self._reveal(move.slot, move.tile.index)
        self._offered = ()
        seat = move.seat
        if isinstance(move, Play):
            option = move.option
            self.line.put(option)
            self._tiles[seat] ^= 1 << option[0]
            self._passes = 0
            self._drawn = NO_SLOT
            held = self._held[seat]
            held.remove(move.slot)
            if held:
                self.turn = self._after[seat]
            else:
                self.end("domino", seat)
        elif isinstance(move, Draw):
            self._draw(seat)
        else:
            self._pass(seat)

    def _draw(self, seat: int) -> None:
        self._show(seat)
        slot = self._drawn = self._next
        self._next = slot + 1
        self._held[seat].append(slot)
        if self._at[slot] == UNKNOWN:
            self._hidden[seat] += 1
        else:
            self._tiles[seat] |= 1 << self._at[slot]

    def _pass(self, seat: int) -> None:
        self._show(seat)
        self._drawn = NO_SLOT
        self._passes += 1
        if self._passes == len(self.seats):
            self.end("block")
        else:
            self.turn = self._after[seat]

    def _show(self, seat: int) -> None:
        self._shown[seat] += ((self.line.pips, self._next),)

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
        left = tuple(
            [
                tuple([tiles[slot] for slot in slots]) if seat in counted else ()
                for seat, slots in enumerate(self._held)
            ]
        )
        if self.over.seat is not None and self.over.seat not in counted:
            return settle_lost(self.rules, counted, left)
        return settle(self.rules, counted, self.over.seat, left)


_STATE = tuple(name for name in (*Deal.__slots__, *Hand.__slots__) if name != "_plays")
