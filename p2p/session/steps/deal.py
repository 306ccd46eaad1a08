"""The coming deck is dealt: each seat gives its shares of all slots dealt to others."""

from collections.abc import Mapping

from engine.tiles import Tile
from p2p.crypto.group import Point
from p2p.deck.hidden import HiddenDeck
from p2p.deck.keys import lot
from p2p.session.state.errors import NotYet
from p2p.session.state.events import HandBegan
from p2p.session.state.secrets import SeatSecrets
from p2p.session.state.state import Phase, State
from p2p.session.steps.share import own_shares, proven_shares
from p2p.wire.envelope import Message, Place
from p2p.wire.messages import DealBody

FIRST_LOT = b"first"
NEXT_LOT = b"next"


def dealt_slots(state: State, seat: int) -> tuple[int, ...]:
    """The slots that are dealt to others than `seat`, in order."""
    others = [other for other in state.seats if other != seat]
    return tuple([slot for other in others for slot in state.slots(other)])


def make(own: SeatSecrets, state: State, place: Place) -> DealBody:
    """The shares of all slots dealt to others."""
    deal, label = state.coming, place.label(DealBody.kind)
    assert deal.name is not None, "a deal of no deck"
    return DealBody(deal.name, own_shares(own, deal, label, dealt_slots(state, own.seat)))


def judge(state: State, message: Message) -> Mapping[int, Point]:
    """The shares that put the tiles into the others' hands, for the deck of the named T."""
    said, deal = DealBody.read(message.body), state.coming
    if said.name != deal.name:
        raise NotYet("the deck that is named is not here")
    return proven_shares(state, deal, message, dealt_slots(state, message.seat), said.shares)


def finish(state: State, said: Mapping[int, Mapping[int, Point]]) -> None:
    """Everybody can see their tiles: the hand begins, or the highest double is called for."""
    state.deal = state.next
    state.next += 1
    state.dealt.append(state.deal)
    state.current.hidden = HiddenDeck(state.current.keys, state.current.deck)
    state.add_shares(said)
    rule = state.match.starter_rule()
    if rule == "highest-double":
        state.phase = Phase.CALL
        return
    begin_hand(state, state.match.lot_seat(_lot(state)) if isinstance(rule, str) else rule)
    state.phase = Phase.TURN


def _lot(state: State) -> int:
    """The first hand's lot in an era comes from the first coins of its deal, a later one's from the
    last coins of the deal before, which nobody could know while that hand was played."""
    deal = state.current
    if state.deal == state.first:
        return lot(deal.ctx, FIRST_LOT, [deal.openings[seat].first_coin for seat in deal.ctx.seats])
    before = state.deals[state.deal - 1]
    return lot(before.ctx, NEXT_LOT, [before.last_coins[seat] for seat in before.ctx.seats])


def begin_hand(state: State, starter: int, lead: Tile | None = None) -> None:
    """The hand begins; `lead`: the tile that must be led, if it was called for."""
    hand = state.match.begin_hand(starter, lead=lead)
    number = state.match.hand_number
    state.hands[number] = state.deal
    counts = tuple(map(hand.held_count, state.table.seats))
    hands = tuple(None if count else () for count in counts)
    state.events.append(HandBegan(number, starter, hands, counts, None))
