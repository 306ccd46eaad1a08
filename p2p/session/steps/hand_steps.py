"""The steps around a hand on the match ladder: agreeing, dealing, calling, opening, the result."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.hand import MOST_CLAIMED, Play, deal_slots
from engine.tiles import ALL_TILES, LEAD_RANKING, Tile
from p2p.crypto.group import Point
from p2p.deck.errors import DeckFault
from p2p.deck.hidden import HiddenDeck
from p2p.deck.keys import check_final_opening, lot
from p2p.session.state import events
from p2p.session.state.errors import NotYet
from p2p.session.state.state import Deal, Phase, State
from p2p.session.steps.match_steps import after_move, judge_tile, step_label
from p2p.wire.codec import DecodeError, fields, integer, list_of
from p2p.wire.envelope import HASH_BYTES, Message

FIRST_LOT = b"first"
NEXT_LOT = b"next"


def judge_agree(state: State, message: Message) -> None:
    """Nothing to say: the signature covers the table id, which is the hash of the description."""
    fields(message.body)


def finish_agree(state: State, said: Mapping[int, None]) -> None:
    """All have signed the table."""
    table = state.table
    state.events.append(events.MatchBegan(table.id, table.rules.spell(), table.players))
    state.phase = Phase.DEAL


def dealt_slots(state: State, seat: int) -> tuple[int, ...]:
    """The slots that are dealt to others than `seat`, in order."""
    dealt = deal_slots(state.table.rules, state.table.seats)
    return tuple(slot for owner, slots in dealt.items() if owner != seat for slot in slots)


def judge_deal(state: State, message: Message) -> Mapping[int, Point]:
    """The shares that put the tiles into the others' hands, for the deck of the named T."""
    named, data = fields(message.body, bytes, bytes)
    if len(named) != HASH_BYTES:
        raise DecodeError("a name of a deck that is no hash")
    deal = state.deal_number(state.deal + 1)
    if deal.phase is not Phase.READY or named != state.deck_names.get(state.deal + 1):
        raise NotYet("the deck that is named is not here")
    slots = dealt_slots(state, message.seat)
    key = deal.key(message.seat)
    label = step_label(message)
    return state.checks.shares(deal.ctx, message.seat, label, key, deal.chain[-1], slots, data)


def finish_deal(state: State, said: Mapping[int, Mapping[int, Point]]) -> None:
    """Everybody can see their tiles: the hand begins, or the highest double is called for."""
    state.deal += 1
    deal = state.current
    deal.hidden = HiddenDeck(dict(_keys(deal)), deal.chain[-1])
    for seat, shares in said.items():
        deal.hidden = deal.hidden.add_shares(seat, shares)
        state.proofs["share"] += len(shares)
    rule = state.match.starter_rule()
    if rule == "highest-double":
        state.phase = Phase.CALL
        return
    starter = state.match.lot_seat(_lot(state)) if isinstance(rule, str) else rule
    state.match.begin_hand(starter)
    _announce(state, starter)
    state.phase = Phase.TURN


def _keys(deal: Deal) -> list[tuple[int, Point]]:
    return [(seat, deal.key(seat)) for seat in deal.ctx.seats]


def _lot(state: State) -> int:
    """The first hand's lot comes from the first coins of its deal, a later one's from the last
    coins of the deal before, which nobody could know while that hand was played."""
    if state.deal == 1:
        deal = state.current
        return lot(deal.ctx, FIRST_LOT, deal.first_coins())
    before = state.deals[state.deal - 1]
    return lot(before.ctx, NEXT_LOT, [before.last_coins[seat] for seat in before.ctx.seats])


def _announce(state: State, starter: int) -> None:
    size = state.table.rules.hand_size
    seats = len(state.table.seats)
    hands = (None,) * seats
    number = state.match.hand_number
    state.events.append(events.HandBegan(number, starter, hands, (size,) * seats, None))


@dataclass(frozen=True)
class Answer:
    """An answer to the call for a tile: None for no, else the lead."""

    lead: Play | None
    share: Mapping[int, Point]


def called_tile(state: State) -> Tile:
    """The tile that is called for now."""
    return LEAD_RANKING[len(state.current.denials)]


def judge_call(state: State, message: Message) -> Answer:
    """No, or yes with slot, share and proof (and the claim that rides on every placement)."""
    if not message.body:
        return Answer(None, {})
    slot, data, claim = fields(message.body, int, bytes, object)
    claimed = None if claim is None else integer(claim, high=MOST_CLAIMED)
    if (claimed is not None) != state.table.rules.claims:
        raise DecodeError("a claim where the rules have none, or none where they have them")
    if slot not in deal_slots(state.table.rules, state.table.seats)[message.seat]:
        raise DeckFault(message.seat, f"slot {slot} is not in its hand")
    tile = called_tile(state)
    share = judge_tile(state, message, slot, tile, data)
    return Answer(Play(message.seat, slot, tile, None, claimed), share)


def finish_call(state: State, said: Mapping[int, Answer]) -> None:
    """The first yes is the lead; without one the next tile in rank is called for."""
    deal = state.current
    tile = called_tile(state)
    deal.denials.append((tile, tuple(seat for seat, one in said.items() if one.lead is None)))
    lead = next((one for one in said.values() if one.lead is not None), None)
    if lead is not None and lead.lead is not None:
        _begin_with(state, lead.lead, lead.share)
    elif len(deal.denials) == len(ALL_TILES):
        # Somebody denied a tile it holds: the keys tell who.
        state.phase = Phase.OPEN


def _begin_with(state: State, lead: Play, share: Mapping[int, Point]) -> None:
    state.match.begin_hand(lead.seat, lead=lead.tile)
    _announce(state, lead.seat)
    made = state.match.apply(lead)
    state.current.hidden = state.current.dealt.add_shares(lead.seat, share)
    state.proofs["share"] += len(share)
    number = state.match.hand_number
    state.events.extend(events.played(one, number, False) for one in made)
    state.phase = after_move(state)


@dataclass(frozen=True)
class Opening:
    """A seat's deal key and its second coin."""

    secret: int
    coin: bytes


def judge_open(state: State, message: Message) -> Opening:
    """The opened key fits the public one, and the seat held no tile that it denied."""
    (data,) = fields(message.body, bytes)
    deal = state.current
    secret, coin = check_final_opening(deal.ctx, message.seat, deal.openings[message.seat], data)
    _judge_denials(state, message.seat, secret)
    return Opening(secret, coin)


def _judge_denials(state: State, seat: int, secret: int) -> None:
    deal = state.current
    denied = {tile.index: tile for tile, seats in deal.denials if seat in seats}
    for slot in deal_slots(state.table.rules, state.table.seats)[seat] if denied else ():
        index = deal.dealt.tile_with(slot, {seat: secret})
        if index in denied:
            raise DeckFault(seat, f"it said that it did not hold {denied[index]}, and held it")


def finish_open(state: State, said: Mapping[int, Opening]) -> None:
    """Every tile is known: count the pips; then the next deal, or the result."""
    deal = state.current
    deal.secrets = {seat: opening.secret for seat, opening in said.items()}
    deal.last_coins = {seat: opening.coin for seat, opening in said.items()}
    indices = state.checks.open_all(deal.dealt, deal.secrets)
    deal.tiles = tuple(ALL_TILES[index] for index in indices)
    number = state.match.hand_number
    made = state.match.finish_hand(dict(enumerate(deal.tiles)))
    state.events.extend(events.ended(one, number) for one in made)
    state.phase = Phase.RESULT if state.match.result is not None else Phase.DEAL


def judge_result(state: State, message: Message) -> None:
    """The scores and winners, which everybody knows, under this seat's signature."""
    scores, winners = fields(message.body, list, list)
    result = state.match.result
    assert result is not None, "a result before the end"
    said = list_of(scores, _number), list_of(winners, _number)
    if said != (list(state.match.scores), list(result.winners)):
        raise DeckFault(message.seat, "it signed another result than the moves give")


def _number(value: object) -> int:
    return integer(value, low=-(2**63), high=2**63 - 1)


def finish_result(state: State, said: Mapping[int, None]) -> None:
    """All have signed: the match is closed."""
    state.phase = Phase.CLOSED
