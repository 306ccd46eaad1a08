"""The answers to a placement where points are claimed: committed to, then revealed."""

import hashlib
from collections.abc import Mapping

from engine.hand import MOST_CLAIMED
from p2p.deck.errors import DeckFault
from p2p.session.state import events
from p2p.session.state.secrets import SeatSecrets
from p2p.session.state.state import Phase, State
from p2p.session.steps.turn import after_move
from p2p.wire.envelope import Message, Place
from p2p.wire.messages import ClaimBody, RevealBody

CLAIM_LABEL = b"allfives claim\0"
SALT_LABEL = b"allfives claim salt\0"


def claim_commitment(seat: int, number: int, salt: bytes) -> bytes:
    """32 bytes that bind a seat to the number it claims; `salt` is 32 random bytes."""
    return hashlib.sha256(CLAIM_LABEL + bytes([seat]) + number.to_bytes(2, "big") + salt).digest()


def make_claim(own: SeatSecrets, state: State, number: int) -> ClaimBody:
    """A commitment to a claim."""
    own.claim = number, _salt(own, state, number)
    return ClaimBody(claim_commitment(own.seat, *own.claim))


def recalled(own: SeatSecrets, state: State, said: Message) -> tuple[int, bytes] | None:
    """The claim with its salt that this seat has committed to, found again from its secrets; None
    where it is opened already, and its deal perhaps over."""
    if state.current.ctx.deal not in own.deals:
        return None
    commitment = ClaimBody.read(said.body).commitment
    for number in range(MOST_CLAIMED + 1):
        salt = _salt(own, state, number)
        if claim_commitment(own.seat, number, salt) == commitment:
            return number, salt
    return None


def _salt(own: SeatSecrets, state: State, number: int) -> bytes:
    """Made of the deal's secrets, so that a peer which comes back opens what it committed to; of
    the placement and the number, since a salt that came twice would let the others read the second
    claim before it is opened."""
    about = len(state.match.moves).to_bytes(2, "big") + number.to_bytes(2, "big")
    return hashlib.sha256(SALT_LABEL + own.of(state.current).to_bytes() + about).digest()


def judge_claim(state: State, message: Message) -> bytes:
    """A commitment to a claim."""
    return ClaimBody.read(message.body).commitment


def finish_claim(state: State, said: Mapping[int, bytes]) -> None:
    """All opponents are bound: the claims may open."""
    state.claims = dict(said)
    state.phase = Phase.REVEAL


def make_reveal(own: SeatSecrets, state: State, place: Place) -> RevealBody:
    """The claim that was committed to."""
    assert own.claim is not None, "a claim was committed to"
    return RevealBody(*own.claim)


def judge_reveal(state: State, message: Message) -> int:
    """The claim that was committed."""
    said = RevealBody.read(message.body)
    if claim_commitment(message.seat, said.number, said.salt) != state.claims[message.seat]:
        raise DeckFault(message.seat, "the claim is not the one committed to")
    return said.number


def finish_reveal(state: State, said: Mapping[int, int]) -> None:
    """Score the claims; the game goes on."""
    number = state.match.hand_number
    played = state.match.claimed_play
    assert played is not None, "answers to no placement"
    made = state.match.apply_claims(said)
    state.events.append(events.Settled(number, played.seat, said))
    state.tell(made)
    state.claims = {}
    state.phase = after_move(state)
