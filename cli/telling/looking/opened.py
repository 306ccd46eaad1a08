"""A match followed with every tile that was opened, so that each seat's view of each moment can be
had again: what it held, and nothing that it could not see."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from engine.deal import deal_slots, highest_lead
from engine.errors import EngineError, IllegalMove
from engine.events import Drawn, HandEvent, Played
from engine.hand import Hand
from engine.match import FollowedMatch
from engine.rules import Rules
from engine.tiles import Tile
from p2p.session.state import events

_HIGHEST: Final = "highest-double"


class OpenedMatch(FollowedMatch):
    """`begin_opened` deals a hand as it was opened; slots are in the order of what is told then,
    which is not that of the hidden deck."""

    @classmethod
    def of(cls, began: events.MatchBegan) -> "OpenedMatch":
        """The match that begins. Raises `RulesError` for rules that cannot be."""
        seats = len(began.players)
        return cls(Rules.read(began.rules, seats), seats)

    def begin_opened(self, dealt: events.HandBegan) -> Hand:
        """The next hand. Raises `EngineError` if a tile is there twice or somebody else starts."""
        known = self._slots(dealt)
        rule, lead = self.starter_rule(), None
        mine = [slot for slots in deal_slots(self.rules, self.seats).values() for slot in slots]
        if rule == _HIGHEST and all(slot in known for slot in mine):
            rule, lead = highest_lead(self.rules, self.seats, known)
        if isinstance(rule, int) and rule != dealt.starter:
            raise EngineError(f"seat {rule} starts this hand, not seat {dealt.starter}")
        return self.begin(dealt.starter, known, lead)

    def _slots(self, dealt: events.HandBegan) -> dict[int, Tile]:
        """The tile of each slot that is open to view."""
        known: dict[int, Tile] = {}
        for seat, slots in deal_slots(self.rules, self.seats).items():
            known |= zip(slots, dealt.hands[seat] or (), strict=False)
        bottom = len(self.seats) * self.rules.hand_size_for(len(self.seats))
        return known | dict(enumerate(dealt.boneyard or (), bottom))

    @property
    def dealt(self) -> Hand:
        """The hand that runs."""
        if self.hand is None:
            raise IllegalMove("no hand is running")
        return self.hand

    def slot_of(self, seat: int, tile: Tile) -> int:
        """The slot from which a seat plays a tile: where it is known to lie, or else the first one
        that can hold it. Draws show less of later slots, so the first leaves the others most."""
        hand = self.dealt
        known = hand.known
        slots = hand.slots(seat)
        lies = [slot for slot in slots if known.get(slot) == tile]
        lacks = hand.lacks(seat)
        free = [slot for slot in slots if slot not in known and not lacks[slot] & set(tile)]
        drawn = [slot for slot in free if slot == hand.drawn]
        found = [*lies, *drawn, *free]
        if not found:
            raise IllegalMove(f"{tile} is not in that hand")
        return found[0]

    def follow_told(self, event: events.SessionEvent) -> None:
        """Do what a session tells has happened, in these slots."""
        match event:
            case events.HandBegan():
                self.begin_opened(event)
            case events.InHand(event=made, tile=tile):
                self.follow(self.placed_here(made))
                self.learn_drawn(made, tile)
            case events.Settled(claims=claims):
                self.apply_claims(claims)
            case events.SeatOut(seat=seat):
                self.put_out(seat)

    def placed_here(self, made: HandEvent) -> HandEvent:
        """The event with the slot that its tile has here."""
        if isinstance(made, Played):
            return replace(made, slot=self.slot_of(made.seat, made.tile))
        return made

    def learn_drawn(self, made: HandEvent, tile: Tile | None) -> None:
        """Note what was drawn, where that is told. Raises `EngineError` if it lies elsewhere."""
        if isinstance(made, Drawn) and tile is not None:
            self.dealt.learn(self.dealt.slots(made.seat)[-1], tile)

    def held(self, left: Mapping[int, tuple[Tile, ...]]) -> dict[int, Tile]:
        """The tile of each slot that is held, from the tiles `left` to seats. Raises `EngineError`
        if they are too many or too few, or others than those that are known."""
        found: dict[int, Tile] = {}
        known = self.dealt.known
        for seat, tiles in left.items():
            slots, lacks = self.dealt.slots(seat), self.dealt.lacks(seat)
            if len(slots) != len(tiles):
                raise EngineError(f"seat {seat} holds {len(slots)} tiles, not {len(tiles)}")
            lying = {slot: known[slot] for slot in slots if slot in known}
            if not set(lying.values()) <= set(tiles):
                other = next(iter(set(lying.values()) - set(tiles)))
                raise EngineError(f"seat {seat} holds {other}")
            rest = [tile for tile in tiles if tile not in lying.values()]
            free = [slot for slot in slots if slot not in lying]
            # What was shown of a slot was shown of all before it.
            rest.sort(key=lambda one: sum(bool(lacks[at] & set(one)) for at in free))
            found |= lying | dict(zip(free, rest, strict=True))
        return found
