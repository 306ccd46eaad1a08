"""Who holds which slot of a deal, and what is known of the tiles in them.

Tiles lie in *slots* 0 to 27: seat by seat in seat order, then the boneyard in drawing order with
its reserve last. What lies in a slot may be unknown; everything here follows from public facts and
from the tiles that were told. Sets of tiles and of pips are bits of plain integers.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from operator import itemgetter
from typing import Final

from engine.errors import EngineError
from engine.line import Line
from engine.moves import TILE_BITS, UNKNOWN, Turns
from engine.rules import Rules
from engine.seats import turns_after
from engine.tiles import (
    ALL_TILES,
    HALVES,
    LEAD_RANKING,
    PIPS,
    TILE_COUNT,
    WHOLE_SET,
    Tile,
    indexes_in,
)

NO_SLOT: Final = -1
_SLOTS: Final = range(TILE_COUNT)
_ALL_SLOTS: Final = list(_SLOTS)
_of_all: Final[Callable[[Mapping[int, Tile]], tuple[Tile, ...]]] = itemgetter(*_SLOTS)


def deal_slots(rules: Rules, seats: Sequence[int]) -> dict[int, range]:
    """The slots dealt to each of `seats`; the boneyard is what follows, up to slot 27."""
    size = rules.hand_size_for(len(seats))
    return {seat: range(at * size, (at + 1) * size) for at, seat in enumerate(seats)}


def highest_lead(rules: Rules, seats: Sequence[int], tiles: Mapping[int, Tile]) -> tuple[int, Tile]:
    """Who starts by `highest-double`, and with which tile, from the tile of every slot."""
    dealt = deal_slots(rules, seats)
    holder = {tiles[slot]: seat for seat, slots in dealt.items() for slot in slots}
    lead = next(tile for tile in LEAD_RANKING if tile in holder)
    return holder[lead], lead


@cache
def _successors(seats: tuple[int, ...]) -> dict[int, int]:
    """The seat that moves after each seat."""
    return {seat: turns_after(seats, seat)[0] for seat in seats}


@cache
def _dealt(players: int, seats: tuple[int, ...], size: int) -> list[tuple[int, ...]]:
    """By seat of the table: the slots dealt to it, of so many to each of `seats`; not to be
    changed."""
    at = {seat: place * size for place, seat in enumerate(seats)}
    slots = tuple(_SLOTS)
    return [slots[at[seat] : at[seat] + size] if seat in at else () for seat in range(players)]


class Deal(Turns):
    """The slots of one hand beside its course. `lead` is the tile that must be led, or None."""

    __slots__ = ("_dealt", "_open", "_shown", "_where", "lead", "seats")

    order: list[int]

    def __init__(
        self,
        rules: Rules,
        seats: Sequence[int],
        starter: int,
        known: Mapping[int, Tile],
        lead: Tile | None,
    ) -> None:
        self.rules = rules
        self.seats = seats = tuple(seats)
        self.turn = starter
        self.passes = 0
        self.after = _successors(seats)
        self.line = Line(rules)
        self.lead = lead
        if lead is not None:
            self.line.fitting = 1 << lead.index
        size = rules.hand_size_for(len(seats))
        # By seat: the slots dealt to it and drawn by it.
        self._dealt = _dealt(rules.players, seats, size)[:]
        self.next = len(seats) * size
        self.stop = TILE_COUNT - rules.reserve if rules.draws == "until-fit" else self.next
        # By seat: (pips of the open ends, first slot not dealt then) of each draw and pass, which
        # shows that no tile held at that moment had one of these pips.
        self._shown: list[tuple[tuple[int, int], ...]] = [()] * rules.players
        self._take_in(known)

    def _take_in(self, known: Mapping[int, Tile]) -> None:
        at = [UNKNOWN] * TILE_COUNT  # by slot: tile index
        where = [NO_SLOT] * TILE_COUNT  # by tile index: slot
        for slot, tile in known.items():
            at[slot] = index = tile.index
            where[index] = slot
        if TILE_COUNT - where.count(NO_SLOT) < len(known):
            slot, tile = next(each for each in known.items() if where[each[1].index] != each[0])
            raise EngineError(f"{tile} in slot {where[tile.index]} contradicts what is known")
        self.order, self._where = at, where
        self._open = len(known) == TILE_COUNT
        self._note_known(self._dealt)

    def _note_known(self, slots: Sequence[Sequence[int]]) -> None:
        """Notes what is known of the tiles in the slots that each seat holds."""
        order = self.order
        self.held, self.hidden = held, hidden = [], []
        for each in slots:
            tiles = 0
            for slot in each:
                tiles |= TILE_BITS[order[slot]]
            held.append(tiles)
            hidden.append(len(each) - tiles.bit_count())

    def slots(self, seat: int) -> tuple[int, ...]:
        """The slots that `seat` holds, in the order of dealing and drawing."""
        if not self.hidden[seat]:
            if not self.held[seat]:
                return ()
            where = self._where
            return tuple(sorted([where[index] for index in indexes_in(self.held[seat])]))
        lying = self.line.tiles
        return tuple(
            [slot for slot in self._dealt[seat] if not TILE_BITS[self.order[slot]] & lying]
        )

    def held_count(self, seat: int) -> int:
        """How many tiles `seat` holds."""
        return self.held[seat].bit_count() + self.hidden[seat]

    @property
    def boneyard(self) -> tuple[int, ...]:
        """The slots still undealt, in drawing order, the reserve last."""
        return tuple(range(self.next, TILE_COUNT))

    def drawable(self) -> int:
        """How many tiles may still be drawn."""
        return max(0, self.stop - self.next)

    @property
    def known(self) -> dict[int, Tile]:
        """The tile of each slot whose tile is known."""
        return {slot: ALL_TILES[t] for slot, t in enumerate(self.order) if t != UNKNOWN}

    def learn(self, slot: int, tile: Tile) -> None:
        """Notes that `tile` lies in `slot`; raises `EngineError` if something else is known."""
        index = tile.index
        if self.order[slot] not in (UNKNOWN, index) or self._where[index] not in (NO_SLOT, slot):
            raise EngineError(f"{tile} in slot {slot} contradicts what is known")
        if self.order[slot] == UNKNOWN:
            self._reveal(slot, index)

    def _reveal(self, slot: int, index: int) -> None:
        """Notes that the tile of `index` lies in a slot whose tile was unknown."""
        self.order[slot] = index
        self._where[index] = slot
        for seat in self.seats:
            if slot in self._dealt[seat]:
                self.held[seat] |= 1 << index
                self.hidden[seat] -= 1

    def _known_tiles(self, slots: Sequence[int]) -> int:
        order = self.order
        return sum([TILE_BITS[order[slot]] for slot in slots])

    def _forget_all_but(self, seat: int | None) -> None:
        """Makes every tile unknown that is neither on the table nor held by `seat`."""
        slots = [self.slots(each) for each in range(self.rules.players)]
        self._open = False
        lying = self.line.tiles | (self.held[seat] if seat is not None else 0)
        for slot, index in enumerate(self.order):
            if index != UNKNOWN and not lying >> index & 1:
                self.order[slot] = UNKNOWN
                self._where[index] = NO_SLOT
        self._note_known(slots)

    def misfits(self) -> tuple[Tile, ...]:
        """The tiles that are not on the table and fit no open end, by index."""
        mask = self._misfit_mask()
        return tuple([tile for index, tile in enumerate(ALL_TILES) if mask >> index & 1])

    def _misfit_mask(self) -> int:
        return WHOLE_SET & ~self.line.tiles & ~self.line.fitting

    def due_slots(self, seat: int) -> tuple[int, ...]:
        """The slots of `seat` that a draw or pass now must show to fit no open end.

        Left out are those shown before against a superset of the present end values. A draw or
        pass shows every slot held at that moment, so one bound tells old slots from new.
        """
        pips = self.line.pips
        bound = max((upto for shown, upto in self._shown[seat] if not pips & ~shown), default=0)
        return tuple([slot for slot in self.slots(seat) if slot >= bound])

    def lacks(self, seat: int) -> dict[int, frozenset[int]]:
        """For each slot that `seat` holds, the pips its draws and passes showed it not to have."""
        return {slot: pips_in(self._lacking(seat, slot)) for slot in self.slots(seat)}

    def _lacking(self, seat: int, slot: int) -> int:
        lacking = 0
        for shown, upto in self._shown[seat]:
            if slot < upto:
                lacking |= shown
        return lacking

    def check_opening(self, tiles: Mapping[int, Tile]) -> None:
        """Raises `EngineError` unless `tiles` can be the opened slots, all 28, of this hand:
        every tile once, as placed and known, and as every draw, pass and lead showed."""
        try:
            opened = [tile.index for tile in _of_all(tiles)] if len(tiles) == TILE_COUNT else []
        except KeyError:
            opened = []
        if opened != self.order:  # what is known has no tile twice
            if sorted(opened) != _ALL_SLOTS:
                raise EngineError("an opened deal has every slot and every tile exactly once")
            for slot, index in enumerate(self.order):
                if index not in (UNKNOWN, opened[slot]):
                    raise EngineError(f"slot {slot} holds {ALL_TILES[index]}, not {tiles[slot]}")
        # A hand that has known every tile from the beginning has judged every draw and pass itself.
        for seat in () if self._open else self.seats:
            slot = self._contradicting(seat, opened)
            if slot != NO_SLOT:
                raise EngineError(f"slot {slot} was shown not to fit, but holds {tiles[slot]}")
        if self.lead is not None:
            self._check_lead(self.lead, tiles)

    def check_held(self, tiles: Mapping[int, Tile], seats: Sequence[int]) -> None:
        """The same of the tiles that `seats` hold, where no more is opened."""
        opened = self.order[:]
        for seat in seats:
            for slot in self.slots(seat):
                index = tiles[slot].index
                if opened[slot] not in (UNKNOWN, index):
                    raise EngineError(
                        f"slot {slot} holds {ALL_TILES[opened[slot]]}, not {tiles[slot]}"
                    )
                opened[slot] = index
        known = [index for index in opened if index != UNKNOWN]
        if len(set(known)) < len(known):
            raise EngineError("an opened deal has no tile twice")
        for seat in seats:
            slot = self._contradicting(seat, opened)
            if slot != NO_SLOT:
                raise EngineError(f"slot {slot} was shown not to fit, but holds {tiles[slot]}")

    def _contradicting(self, seat: int, opened: Sequence[int]) -> int:
        """The first slot of `seat` with an opened tile that its draws and passes showed not to be
        there, or `NO_SLOT`. Slots and what was shown are ascending, so both are gone through once.
        """
        shown, first = self._shown[seat], NO_SLOT
        lacking, later = 0, len(shown)
        for slot in reversed(self.slots(seat)) if shown else ():
            while later and shown[later - 1][1] > slot:
                later -= 1
                lacking |= shown[later][0]
            if lacking & HALVES[opened[slot]]:
                first = slot
        return first

    def _check_lead(self, lead: Tile, tiles: Mapping[int, Tile]) -> None:
        above = LEAD_RANKING[: LEAD_RANKING.index(lead)]
        for seat, slots in deal_slots(self.rules, self.seats).items():
            for slot in slots:
                if tiles[slot] in above:
                    raise EngineError(f"seat {seat} held {tiles[slot]}, which ranks above {lead}")


def pips_in(mask: int) -> frozenset[int]:
    """The pips whose bits are set."""
    return frozenset(pip for pip in PIPS if mask >> pip & 1)
