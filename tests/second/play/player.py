"""What a seat says when it is to speak (12); it keeps secrets, and no connection."""

import os
import random
from collections.abc import Callable

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from second.deck import keys, shares, shuffling, unplayable
from second.deck.keys import Secret
from second.game.line import Line
from second.game.rules import lead_ranking
from second.match.hand import Hand
from second.match.judging import claim_commitment
from second.match.ladder import Ladder
from second.match.match import Match
from second.match.state import State
from second.wire.messages import Message, Place, read_message, write_message
from second.wire.values import Value

Move = tuple[int, str | None]
Choose = Callable[[Line, list[Move]], Move]


def first_move(line: Line, moves: list[Move]) -> Move:
    """The simplest choice."""
    return moves[0]


def any_move(rng: random.Random) -> Choose:
    """A choice by a seeded generator."""
    return lambda line, moves: rng.choice(moves)


class Player:
    """A seat of a match; `match` may be its own or one that several share."""

    def __init__(
        self, match: Match, seat: int, private: Ed25519PrivateKey, choose: Choose = first_move
    ) -> None:
        self.match = match
        self.seat = seat
        self.private = private
        self.choose = choose
        self.secrets: dict[int, Secret] = {}
        self.answers: dict[int, tuple[int, bytes]] = {}
        self.signed: dict[Place, Message] = {}

    @property
    def state(self) -> State:
        """The state of the match."""
        return self.match.state

    def speak(self) -> Message | None:
        """The next thing that is due of this seat, not taken yet; None if nothing is. What is said
        for a place is said once."""
        return self.prepare() or self.say()

    def prepare(self) -> Message | None:
        """What is due on the ladder of the next deal."""
        state, ladder = self.state, self.state.next_ladder()
        prepares = state.phase != "agree" and not state.winners and not state.over
        if ladder is None or not prepares or not self._due(ladder):
            return None
        place = Place(ladder.root, ladder.number, ladder.step, ladder.chain[-1])
        if place not in self.signed:
            self.signed[place] = self.sign(place, ladder.phase, self._prepare(ladder))
        return self.signed[place]

    def say(self) -> Message | None:
        """What is due at the open step of ladder 0."""
        state, ladder = self.state, self.state.next_ladder()
        if self.seat not in state.speakers() or self.seat in state.said:
            return None
        if state.phase == "deal" and (ladder is None or ladder.phase != "ready"):
            return None
        if self.here() not in self.signed:
            kind, body = self._say()
            self.signed[self.here()] = self.sign(self.here(), kind, body)
        return self.signed[self.here()]

    def here(self) -> Place:
        """The open step of ladder 0."""
        return Place(self.state.era.root, 0, self.state.step, self.state.chain[-1])

    def sign(self, place: Place, kind: str, body: list[Value]) -> Message:
        """A message of this seat."""
        table = self.state.table
        envelope = write_message(table, self.private, place, self.seat, (kind, body))
        return read_message(table, envelope, any_vote=True)

    def _due(self, ladder: Ladder) -> bool:
        return self.seat in ladder.speakers() and self.seat not in ladder.said

    def _prepare(self, ladder: Ladder) -> list[Value]:
        place = ladder.place(self.seat)
        if ladder.phase == "commit":
            self.secrets[ladder.number] = keys.make(place)
            return [self.secrets[ladder.number].commitment]
        if ladder.phase == "key":
            return [self.secrets[ladder.number].opening]
        return list(shuffling.make(place, ladder.key, ladder.decks[-1]))

    def _secret(self, hand: Hand) -> Secret:
        return self.secrets[hand.ladder.number]

    def _step(self, kind: str) -> bytes:
        return f"0/{self.state.step}/{kind}".encode()

    def share(self, hand: Hand, slots: list[int], kind: str) -> bytes:
        """The shares of these slots, proven."""
        x = self._secret(hand).x
        return shares.prove(hand.place(self.seat), self._step(kind), x, hand.firsts(slots))

    def tiles(self, hand: Hand) -> dict[int, int]:
        """The tile of each slot that this seat holds."""
        x = self._secret(hand).x
        return {slot: hand.own_tile(slot, self.seat, x) for slot in hand.held[self.seat]}

    def _say(self) -> tuple[str, list[Value]]:
        state = self.state
        if state.phase == "agree":
            return "agree", []
        if state.phase == "result":
            return "result", [[state.scores[s] for s in sorted(state.scores)], state.winners]
        if state.phase == "deal":
            ladder = state.ladders[state.next_deal]
            hand = Hand(state.rules, ladder, {})
            return "deal", [ladder.name, self.share(hand, hand.foreign(self.seat), "deal")]
        hand = state.playing()
        if state.phase == "call":
            return "call", self._call(hand)
        if state.phase == "rank":
            proof = self.unplayable(hand, "rank", hand.ranked(self.seat), hand.below())
            return "rank", [proof]
        if state.phase == "turn":
            return self._turn(hand)
        if state.phase == "share" and hand.drawn is not None:
            return "share", [self.share(hand, [hand.drawn], "share")]
        if state.phase == "claim":
            answer = (0 if hand.claim == hand.real else hand.real, os.urandom(32))
            self.answers[state.step] = answer
            return "claim", [claim_commitment(self.seat, *answer)]
        if state.phase == "reveal":
            return "reveal", list(self.answers[state.step - 1])
        return "open", [self._secret(hand).final]

    def _call(self, hand: Hand) -> list[Value]:
        called = lead_ranking()[hand.calls]
        for slot, tile in self.tiles(hand).items():
            if tile == called:
                return [slot, self.share(hand, [slot], "call"), self._claim(hand, tile, None)]
        return []

    def _claim(self, hand: Hand, tile: int, end: str | None) -> int | None:
        if not self.state.rules.claims:
            return None
        line = Line(self.state.rules)
        line.copy(hand.line)
        return line.place(tile, end)

    def _turn(self, hand: Hand) -> tuple[str, list[Value]]:
        tiles = self.tiles(hand)
        playable = {hand.drawn: tiles[hand.drawn]} if hand.drawn is not None else tiles
        moves = hand.line.moves(list(playable.values()))
        if moves:
            tile, end = self.choose(hand.line, moves)
            slot = next(slot for slot, held in playable.items() if held == tile)
            claim = self._claim(hand, tile, end)
            return "play", [slot, tile, end, self.share(hand, [slot], "play"), claim, False]
        kind = "draw" if hand.drawable() else "pass"
        due = hand.due(self.seat)
        return kind, [self.unplayable(hand, kind, due, hand.candidates()), False]

    def unplayable(self, hand: Hand, kind: str, slots: list[int], candidates: list[int]) -> bytes:
        """The proof that these slots hold some of the candidates."""
        tiles = self.tiles(hand)
        statement = ({slot: hand.masked(slot, self.seat) for slot in slots}, candidates)
        held = [tiles[slot] for slot in slots]
        place, x = hand.place(self.seat), self._secret(hand).x
        return unplayable.prove(place, self._step(kind), x, statement, held)
