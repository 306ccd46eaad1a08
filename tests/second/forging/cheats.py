"""Messages that a seat should not say, signed with its own key."""

import random
from dataclasses import replace

from second.forging.resign import second_signature
from second.forging.wrong import WRONG
from second.match.judging import JUDGES
from second.match.match import spot_of
from second.play.local import LocalMatch
from second.play.player import Player
from second.wire.messages import Message, Place
from second.wire.values import Value

_MATCH = ("agree", "deal", "call", "rank", "play", "draw", "pass", "share", "claim", "reveal")
_OTHERS = ("open", "result", "commit", "key", "shuffle", "vote", "nothing")
KINDS = _MATCH + _OTHERS


def changed(value: Value, rng: random.Random) -> Value:
    """Another value, of the same kind mostly."""
    if rng.random() < 0.1:
        return rng.choice([None, True, 0, -1, "", b"", [], {}, 2**40])
    if type(value) is bool:
        return not value
    if type(value) is int:
        return value + rng.choice([-1, 1, 5])
    if type(value) is str:
        return rng.choice(["L", "R", "U", "D", "0U", value + "x"])
    if type(value) is bytes and value:
        at = rng.randrange(len(value))
        flipped = value[:at] + bytes([value[at] ^ 1 << rng.randrange(8)]) + value[at + 1 :]
        return rng.choice([flipped, flipped, value[:-1], value + b"\0"])
    if type(value) is list and value:
        at = rng.randrange(len(value))
        return [*value[:at], changed(value[at], rng), *value[at + 1 :]]
    return rng.choice([0, "R", b"\0", [0]])


def changed_body(body: list[Value], rng: random.Random) -> list[Value]:
    """A field more, a field less, or another value in one."""
    if not body or rng.random() < 0.1:
        return [*body, rng.choice([0, None, b"", False])]
    if rng.random() < 0.1:
        return body[:-1]
    at = rng.randrange(len(body))
    return [*body[:at], changed(body[at], rng), *body[at + 1 :]]


def due_of(player: Player) -> Message:
    """What the player is to say, or that it agrees, if nothing is."""
    return player.speak() or player.sign(player.here(), "agree", [])


def wrong_body(player: Player, rng: random.Random) -> Message:
    """What is due, with another body."""
    due = due_of(player)
    return player.sign(due.place, due.kind, changed_body(due.body, rng))


def wrong_kind(player: Player, rng: random.Random) -> Message:
    """What is due, by another name."""
    due = due_of(player)
    return player.sign(due.place, rng.choice(KINDS), due.body)


def wrong_place(player: Player, rng: random.Random) -> Message:
    """What is due, said elsewhere."""
    due = due_of(player)
    place = due.place
    others = [
        replace(place, step=place.step + rng.choice([1, 1, 7])),
        replace(place, step=max(1, place.step - 1)),
        replace(place, previous=bytes(32)),
        replace(place, root=bytes(32)),
        replace(place, ladder=place.ladder + 1),
        replace(place, ladder=rng.randrange(4)),
    ]
    return player.sign(rng.choice(others), due.kind, due.body)


def on_a_ladder(player: Player, rng: random.Random) -> Message:
    """Something on the ladder of a deal that is complete or goes on, right or not."""
    state = player.state
    if not state.ladders:
        return wrong_body(player, rng)
    ladder = state.ladders[rng.choice(sorted(state.ladders))]
    step = rng.randrange(1, ladder.step + 1)
    place = Place(ladder.root, ladder.number, step, ladder.chain[step - 1])
    return player.sign(place, rng.choice(KINDS[-5:]), [rng.randbytes(32)])


def at_a_step_before(player: Player, rng: random.Random) -> Message:
    """Something at a step of ladder 0 that is complete."""
    state = player.state
    step = rng.randrange(1, state.step + 1)
    era = [era for era in state.eras if era.step <= step][-1]
    place = Place(era.root, 0, step, state.chain[step - 1])
    return player.sign(place, rng.choice(KINDS), [])


def another_move(player: Player, rng: random.Random) -> Message:
    """A tile of another seat, a pass or a draw in place of a move, or a move of no right."""
    due = due_of(player)
    if due.kind == "play":
        if rng.random() < 0.4:
            return player.sign(due.place, rng.choice(["draw", "pass"]), [b"", False])
        slot, tile, end, *rest = due.body
        other = rng.choice([[rng.randrange(28), tile, end], [slot, rng.randrange(28), end]])
        return player.sign(due.place, "play", [*other, *rest])
    if due.kind in ("draw", "pass"):
        other_kind = "pass" if due.kind == "draw" else "draw"
        return player.sign(due.place, other_kind, due.body)
    return wrong_body(player, rng)


def certainly_wrong(player: Player, rng: random.Random) -> Message | None:
    """What is due with a body that no rule lets pass, or by a name that the phase does not know."""
    due = player.speak()
    if due is None:
        return None
    if rng.random() < 0.1:
        return player.sign(due.place, rng.choice(_unknown_kinds(player, due)), due.body)
    body = rng.choice(WRONG)(due.kind, due.body, rng)
    return None if body is None else player.sign(due.place, due.kind, body)


def _unknown_kinds(player: Player, due: Message) -> list[str]:
    known = {due.kind, "vote"} if due.place.ladder else {*JUDGES[player.state.phase], "vote"}
    return [kind for kind in KINDS if kind not in known]


def false_yes(player: Player, rng: random.Random) -> Message | None:
    """Yes to a call, with a tile that is not called for."""
    due = player.say()
    if due is None or due.kind != "call" or due.body:
        return None
    hand = player.state.playing()
    slot = rng.choice(hand.dealt[player.seat])
    claim = 0 if player.state.rules.claims else None
    return player.sign(due.place, "call", [slot, player.share(hand, [slot], "call"), claim])


def false_stuck(player: Player, rng: random.Random) -> Message | None:
    """A draw or pass of a seat that can play, with the best proof that it can make."""
    due = player.say()
    if due is None or due.kind != "play" or due.body[2] is None:
        return None
    hand, tiles = player.state.playing(), player.tiles(player.state.playing())
    kind, slots = "draw" if hand.drawable() else "pass", hand.due(player.seat)
    candidates = hand.candidates()
    if rng.random() < 0.5:
        slots = [slot for slot in slots if tiles[slot] in candidates]
    else:
        candidates = sorted({*candidates, *(tiles[slot] for slot in slots)})
    proof = player.unplayable(hand, kind, slots, candidates) if slots else b""
    return player.sign(due.place, kind, [proof, False])


CERTAIN = (certainly_wrong, certainly_wrong, certainly_wrong, false_yes, false_stuck)
"""Cheats of a seat that is to speak, each of which is a fault; None where there is none now."""

CHEATS = (wrong_body, wrong_kind, wrong_place, on_a_ladder, at_a_step_before, another_move)
"""Cheats that may be none, or cannot be judged."""


def caught(match: LocalMatch, rng: random.Random) -> Message | None:
    """A word of some seat that is to speak, which is a fault for certain; None if nobody is."""
    players = [player for player in match.players if player.speak() is not None]
    for _ in range(20 if players else 0):
        message = rng.choice(CERTAIN)(rng.choice(players), rng)
        if message is not None:
            return message
    return None


def cheat(match: LocalMatch, rng: random.Random) -> Message:
    """A wrong word of some seat: mostly of one that is to speak."""
    players = match.players
    if rng.random() < 0.8:
        players = [player for player in players if player.speak() is not None] or players
    return rng.choice(CHEATS)(rng.choice(players), rng)


def two_for_a_place(match: LocalMatch, rng: random.Random) -> tuple[list[Message], bool]:
    """A message that was said, and another for its place, by id; and whether that is a fault for
    certain."""
    said = rng.choice(list(match.match.known.values()))
    player = match.players[said.seat]
    if rng.random() < 0.3:
        other = second_signature(match, said)
    else:
        other = player.sign(said.place, rng.choice([said.kind, "agree"]), [rng.randrange(9)])
    if rng.random() < 0.05:
        other = player.sign(said.place, "vote", [3, [], [], 0])
    pair = [said, other]
    assert spot_of(said)[:4] == spot_of(other)[:4]
    state = match.match.state
    certain = said.seat in state.seats and not state.over and "vote" not in (said.kind, other.kind)
    return sorted(pair, key=lambda one: one.id), certain
