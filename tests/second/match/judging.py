"""Whether a message of the open step of ladder 0 is right (12.2, 13.4)."""

import hashlib
from collections.abc import Callable

from second.deck import keys, shares, unplayable
from second.game.rules import lead_ranking
from second.match.hand import Hand, Placed
from second.match.state import State
from second.refusing import demand
from second.wire.messages import Message
from second.wire.values import Value, boolean, integer, listed, octets, text

MOST = 168


class ParkedError(Exception):
    """Not for our state: nobody is blamed."""


def step_bytes(message: Message) -> bytes:
    """The step of a proof in a message of ladder 0."""
    return f"0/{message.place.step}/{message.kind}".encode()


def agree(state: State, message: Message) -> Value:
    """Nothing."""
    listed(message.body, 0)


def deal(state: State, message: Message) -> Value:
    """The shares of all slots dealt to others, by slot."""
    name, data = listed(message.body, 2)
    octets(name, 32)
    octets(data)
    ladder = state.next_ladder()
    if ladder is None or ladder.phase != "ready" or ladder.name != name:
        raise ParkedError("another deck")
    hand = Hand(state.rules, ladder, {})
    return shares.check(
        hand.place(message.seat),
        step_bytes(message),
        hand.key_of(message.seat),
        hand.firsts(hand.foreign(message.seat)),
        data,
    )


def _placed(state: State, message: Message, end: str | None, fields: list[Value]) -> Placed:
    """A placement of the fields slot, share, tile, claim; the move itself is not looked at."""
    slot, share, tile, claim = fields
    hand = state.playing()
    demand(slot in hand.held[message.seat], "a slot that it does not hold")
    if state.rules.claims:
        integer(claim, 0, MOST)
    else:
        demand(claim is None, "a claim where there are none")
    given = shares.check(
        hand.place(message.seat),
        step_bytes(message),
        hand.key_of(message.seat),
        hand.firsts([slot]),
        octets(share, 96),
    )
    demand(hand.tile_with(slot, message.seat, given[slot]) == tile, "another tile")
    return Placed(slot, tile, end, given[slot], claim)


def call(state: State, message: Message) -> Value:
    """None for no, else the lead."""
    if not message.body:
        return None
    slot, share, claim = listed(message.body, 3)
    integer(slot, 0, 27)
    called = lead_ranking()[state.playing().calls]
    return _placed(state, message, None, [slot, share, called, claim])


def play(state: State, message: Message) -> Value:
    """What is placed."""
    slot, tile, end, share, claim, auto = listed(message.body, 6)
    integer(slot, 0, 27)
    integer(tile, 0, 27)
    boolean(auto)
    if end is not None:
        text(end)
    hand = state.playing()
    if hand.lead is not None and slot in hand.dealt[message.seat]:
        demand(tile in hand.below(), "a tile to whose call it said no")
    demand(hand.drawn is None or hand.drawn == slot, "not the tile just drawn")
    demand((tile, end) in hand.line.moves([tile]), "it does not fit there")
    return _placed(state, message, end, [slot, share, tile, claim])


def rank(state: State, message: Message) -> Value:
    """How many slots were shown to rank below the lead."""
    hand, seat = state.playing(), message.seat
    slots = {slot: hand.masked(slot, seat) for slot in hand.ranked(seat)}
    unplayable.check(
        hand.place(seat),
        step_bytes(message),
        hand.key_of(seat),
        (slots, hand.below()),
        octets(listed(message.body, 1)[0]),
    )
    return len(slots)


def _stuck(state: State, message: Message) -> Value:
    proof, auto = listed(message.body, 2)
    boolean(auto)
    hand = state.playing()
    demand(bool(hand.line.tiles), "the table is empty")
    demand(bool(hand.candidates()), "every tile fits")
    demand(hand.drawable() == (message.kind == "draw"), "not what is due")
    due = hand.due(message.seat)
    slots = {slot: hand.masked(slot, message.seat) for slot in due}
    unplayable.check(
        hand.place(message.seat),
        step_bytes(message),
        hand.key_of(message.seat),
        (slots, hand.candidates()),
        octets(proof),
    )
    return len(due)


def share(state: State, message: Message) -> Value:
    """The share of the slot just drawn."""
    hand = state.playing()
    assert hand.drawn is not None
    given = shares.check(
        hand.place(message.seat),
        step_bytes(message),
        hand.key_of(message.seat),
        hand.firsts([hand.drawn]),
        octets(listed(message.body, 1)[0], 96),
    )
    return given[hand.drawn]


def claim(state: State, message: Message) -> Value:
    """The commitment to an answer."""
    return octets(listed(message.body, 1)[0], 32)


def claim_commitment(seat: int, number: int, salt: bytes) -> bytes:
    """What binds a seat to its answer."""
    head = b"allfives claim\0" + bytes([seat]) + number.to_bytes(2, "big")
    return hashlib.sha256(head + salt).digest()


def reveal(state: State, message: Message) -> Value:
    """The answer."""
    number, salt = listed(message.body, 2)
    integer(number, 0, MOST)
    committed = state.playing().commitments[message.seat]
    fits = claim_commitment(message.seat, number, octets(salt, 32)) == committed
    demand(fits, "not the committed answer")
    return number


def open_keys(state: State, message: Message) -> Value:
    """The secret and the second coin."""
    hand, seat = state.playing(), message.seat
    opening = hand.ladder.openings[seat]
    data = octets(listed(message.body, 1)[0], 64)
    x, coin = keys.check_final(hand.place(seat), data, opening)
    demand(hand.calls < 28 or hand.begun, "it said no to every tile")
    return x, coin


def result(state: State, message: Message) -> Value:
    """Scores and winners, as they are."""
    scores, winners = listed(message.body, 2)
    demand(all(type(number) is int for number in [*listed(scores), *listed(winners)]), "no number")
    demand(scores == [state.scores[seat] for seat in sorted(state.scores)], "other scores")
    demand(winners == state.winners, "other winners")


Judge = Callable[[State, Message], Value]

JUDGES: dict[str, dict[str, Judge]] = {
    "agree": {"agree": agree},
    "deal": {"deal": deal},
    "call": {"call": call},
    "rank": {"rank": rank},
    "turn": {"play": play, "draw": _stuck, "pass": _stuck},
    "share": {"share": share},
    "claim": {"claim": claim},
    "reveal": {"reveal": reveal},
    "open": {"open": open_keys},
    "result": {"result": result},
}


def judge(state: State, message: Message) -> Value:
    """What the message says; refused if it is a fault."""
    demand(message.seat in state.speakers(), "out of turn")
    judges = JUDGES[state.phase]
    demand(message.kind in judges, "a kind that the phase does not know")
    return judges[message.kind](state, message)
