"""A hand in play: who holds which slots, what is known of them, the line, the turn."""

from dataclasses import dataclass, field

from second.deck.challenge import Place
from second.deck.group import multiply, subtract, tile_of, total
from second.deck.shuffle import Pair
from second.game.line import Line
from second.game.rules import Rules, fits, lead_ranking
from second.match.ladder import BrokenError, Ladder
from second.refusing import RefusedError


@dataclass(frozen=True)
class Placed:
    """A tile that a seat puts on the table."""

    slot: int
    tile: int
    end: str | None
    share: bytes
    claim: int | None


@dataclass
class Notes:
    """What a seat showed at its draws and passes: values, first slot not drawn before."""

    seen: list[tuple[frozenset[int], int]] = field(default_factory=list)

    def bound(self, values: frozenset[int]) -> int:
        """Slots below this were shown to have none of the values."""
        return max((slot for shown, slot in self.seen if values <= shown), default=0)


class Hand:
    """The state of one deal that is in play; `shares` of slots by seat."""

    def __init__(self, rules: Rules, ladder: Ladder, shares: dict[int, dict[int, bytes]]) -> None:
        self.rules = rules
        self.ladder = ladder
        self.seats = ladder.seats
        self.deck = ladder.decks[-1]
        self.size = rules.hand_size(len(self.seats))
        self.dealt = {seat: dealt_slots(self.size, i) for i, seat in enumerate(self.seats)}
        self.held = {seat: list(slots) for seat, slots in self.dealt.items()}
        self.shares: dict[int, dict[int, bytes]] = {slot: {} for slot in range(28)}
        for seat, given in shares.items():
            for slot, share in given.items():
                self.shares[slot][seat] = share
        self.next_slot = self.size * len(self.seats)
        self.line = Line(rules)
        self.turn = self.seats[0]
        self.drawn: int | None = None
        self.notes = {seat: Notes() for seat in self.seats}
        self.passes = 0
        self.calls = 0
        self.lead: Placed | None = None
        self.begun = False
        self.placer = self.seats[0]
        self.claim, self.real = 0, 0
        self.commitments: dict[int, bytes] = {}
        self.out: int | None = None
        self.by_target = False

    def place(self, seat: int) -> Place:
        """Where a seat's proofs stand."""
        return self.ladder.place(seat)

    def after(self, seat: int) -> int:
        """The seat whose turn is next."""
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    def masked(self, slot: int, seat: int) -> Pair:
        """(a, B): the slot's pair without the shares of all seats but this one."""
        first, second = self.deck[slot]
        others = [self.shares[slot][other] for other in self.seats if other != seat]
        return first, subtract(second, total(others))

    def firsts(self, slots: list[int]) -> dict[int, bytes]:
        """The first components of slots."""
        return {slot: self.deck[slot][0] for slot in slots}

    def foreign(self, seat: int) -> list[int]:
        """The slots dealt to other seats, ascending."""
        return [s for other in self.seats if other != seat for s in self.dealt[other]]

    def tile_with(self, slot: int, seat: int, share: bytes) -> int:
        """The tile of a slot with the last share, that of its owner."""
        try:
            return tile_of(subtract(self.masked(slot, seat)[1], share))
        except RefusedError as error:
            raise BrokenError("a slot of no tile") from error

    def own_tile(self, slot: int, seat: int, x: int) -> int:
        """The tile of a slot that its owner sees with its secret."""
        return self.tile_with(slot, seat, multiply(x, self.deck[slot][0]))

    def ranked(self, seat: int) -> list[int]:
        """The dealt slots that the phase rank is about, ascending: all but that of the lead."""
        lead = self.lead.slot if self.lead is not None else None
        return [slot for slot in self.dealt[seat] if slot != lead]

    def below(self) -> list[int]:
        """The tiles below the lead in the lead ranking, ascending."""
        ranking = lead_ranking()
        assert self.lead is not None
        return sorted(ranking[ranking.index(self.lead.tile) + 1 :])

    def drawable(self) -> bool:
        """Whether there is a slot to draw."""
        some = self.next_slot < 28 - self.rules.reserve
        return some and self.rules.has("draws", "until-fit")

    def candidates(self) -> list[int]:
        """The tiles that could be held by one that cannot play."""
        values = self.line.values()
        return [
            tile
            for tile in range(28)
            if tile not in self.line.tiles and not any(fits(tile, value) for value in values)
        ]

    def due(self, seat: int) -> list[int]:
        """The slots that a draw or pass must show to be unplayable, ascending."""
        bound = self.notes[seat].bound(self.line.values())
        return sorted(slot for slot in self.held[seat] if slot >= bound)

    def note(self, seat: int) -> None:
        """A draw or pass was accepted, before anything is drawn."""
        self.notes[seat].seen.append((self.line.values(), self.next_slot))

    def opened(self, secrets: dict[int, int]) -> list[int]:
        """The tile of every slot from all secrets; all 28 once each, else broken."""
        x = sum(secrets.values())
        try:
            tiles = [tile_of(subtract(second, multiply(x, first))) for first, second in self.deck]
        except RefusedError as error:
            raise BrokenError("a slot of no tile") from error
        if sorted(tiles) != list(range(28)):
            raise BrokenError("a tile twice")
        return tiles

    def key_of(self, seat: int) -> bytes:
        """The key that a seat proved to know."""
        return self.ladder.openings[seat].key


def dealt_slots(size: int, index: int) -> list[int]:
    """The slots dealt to the seat of this index among those that are in."""
    return list(range(index * size, (index + 1) * size))
