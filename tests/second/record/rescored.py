"""A match worked out again from its record, step by step: who leads, every count, points, scores,
order of turns and forced draw, in the form of the program's event lines (`replay --json`).

Once the keys of a hand are open, what its proofs said is looked at in the open tiles too.
"""

import hashlib
from typing import Any

from second.deck.group import scalar
from second.game.rules import TILES, fits, lead_ranking, pips
from second.game.scoring import claimed, collector
from second.match.hand import Hand
from second.match.match import Match
from second.record.file import read
from second.refusing import demand
from second.wire.messages import Message, read_message

Told = dict[str, Any]


def rescored(data: bytes) -> list[Told]:
    """The events of a whole record in which nobody was put out. RefusedError where what is open now
    is not what was proven."""
    return _Rescorer(data).told


def name_of_tile(tile: int) -> str:
    """As in "6-4"."""
    return "{}-{}".format(*TILES[tile])


class _Rescorer:
    def __init__(self, data: bytes) -> None:
        file = read(data)
        self.match = Match(file.table)
        self.state = self.match.state
        self.told: list[Told] = [self._table()]
        self._hand_line: Told = {}
        self._drawn: list[tuple[Told, int]] = []
        self._stuck: list[tuple[list[int], frozenset[int]]] = []
        for frame in file.frames:
            self._take(read_message(file.table, frame[1:]))

    def _table(self) -> Told:
        table = self.state.table
        players = []
        for seat, person in enumerate(table.people):
            key = hashlib.sha256(b"allfives key fingerprint\0" + person.key).hexdigest()[:16]
            players.append({"seat": seat, "name": person.name, "key": key})
        rules = dict(table.rules.options)
        return {"event": "match", "table": table.id.hex(), "rules": rules, "players": players}

    def _scores(self) -> list[int]:
        return [self.state.scores[seat] for seat in self.state.seats]

    def _tell(self, event: str, seat: int, more: Told) -> Told:
        line = {"event": event, "hand": self.state.hands, "seat": seat, **more}
        self.told.append(line)
        return line

    def _take(self, message: Message) -> None:
        state = self.state
        hand, phase, hands, scores = state.hand, state.phase, state.hands, self._scores()
        if hand is not None and message.kind in ("draw", "pass"):
            self._stuck.append((list(hand.held[message.seat]), hand.line.values()))
        self.match.accept(message)
        if state.hands > hands:
            self._began(state.playing(), scores)
        elif hand is not None and message.kind == "play":
            _, tile, end, _, _, auto = message.body
            self._played(hand, (message.seat, tile, end, auto), scores)
        elif hand is not None and message.kind == "draw":
            line = self._tell("draw", message.seat, {"tile": None, "auto": message.body[1]})
            self._drawn.append((line, hand.next_slot - 1))
        elif message.kind == "pass":
            self._tell("pass", message.seat, {"auto": message.body[1]})
        elif hand is not None and phase == "reveal" and state.phase != "reveal":
            self._answered(hand, scores)
        elif hand is not None and phase == "open" and state.phase != "open":
            self._ended(hand, scores)

    def _began(self, hand: Hand, scores: list[int]) -> None:
        leader = hand.turn if hand.lead is None else hand.placer
        counts = [hand.size for _ in hand.seats]
        line: Told = {
            "event": "hand",
            "hand": self.state.hands,
            "starter": leader,
            "hands": [],
            "counts": counts,
            "boneyard": [],
        }
        self.told.append(line)
        self._hand_line = line
        if hand.lead is not None:
            self._played(hand, (leader, hand.lead.tile, None, False), scores)

    def _played(
        self, hand: Hand, placed: tuple[int, int, str | None, bool], scores: list[int]
    ) -> None:
        seat, tile, end, auto = placed
        now = self._scores()
        more: Told = {"tile": name_of_tile(tile), "end": end, "count": hand.line.count()}
        more |= {"points": now[seat] - scores[seat], "scores": now, "auto": auto}
        self._tell("play", seat, more)

    def _answered(self, hand: Hand, scores: list[int]) -> None:
        """Answer by answer, in seat order behind the placer: each beside those before it."""
        rules, seats, placer = self.state.rules, hand.seats, hand.placer
        answers = {one.seat: one.body[0] for one in self.state.steps[-1].messages}
        said = {placer: hand.claim}
        before = claimed(rules, seats, placer, hand.real, said)
        start = seats.index(placer)
        now = dict(zip(seats, scores, strict=True))
        for seat in (*seats[start + 1 :], *seats[:start]):
            if not answers.get(seat):
                continue
            said[seat] = answers[seat]
            after = claimed(rules, seats, placer, hand.real, said)
            now = {one: now[one] + after[one] - before[one] for one in seats}
            more: Told = {"claimed": said[seat], "points": after[seat] - before[seat]}
            self._tell("claim", seat, {**more, "scores": [now[one] for one in seats]})
            before = after
        demand([now[one] for one in seats] == self._scores(), "claims that add up otherwise")

    def _ended(self, hand: Hand, scores: list[int]) -> None:
        opened = self.state.steps[-1].messages
        tiles = hand.opened({one.seat: scalar(one.body[0][:32]) for one in opened})
        self._open(hand, tiles)
        left = [[tiles[slot] for slot in hand.held[seat]] for seat in hand.seats]
        now = self._scores()
        reason = "target" if hand.by_target else "block" if hand.out is None else "domino"
        line: Told = {
            "event": "hand_end",
            "hand": self.state.hands,
            "reason": reason,
            "seat": hand.out if hand.by_target else self._winner(hand, left),
            "left": [_names(some) for some in left],
            "points": [after - before for before, after in zip(scores, now, strict=True)],
            "scores": now,
        }
        self.told.append(line)
        if self.state.winners:
            ended = {"winners": self.state.winners, "scores": now}
            self.told.append({"event": "match_end", "reason": "target", **ended})

    def _winner(self, hand: Hand, left: list[list[int]]) -> int | None:
        """Who went out, or has won a block; nobody wins one where each loses what is left."""
        rules = self.state.rules
        if hand.out is None and rules.has("hand-end", "subtract-own"):
            return None
        pips_left = {seat: sum(map(pips, left[i])) for i, seat in enumerate(hand.seats)}
        tiles_left = {seat: len(left[i]) for i, seat in enumerate(hand.seats)}
        return collector(rules, pips_left, tiles_left, hand.out)

    def _open(self, hand: Hand, tiles: list[int]) -> None:
        """Tell the hidden tiles; see that all drew and passed who could not play, and that who led
        by the highest double had it."""
        dealt = [[tiles[slot] for slot in hand.dealt[seat]] for seat in hand.seats]
        self._hand_line["hands"] = [_names(some) for some in dealt]
        boneyard = tiles[hand.size * len(hand.seats) :]
        self._hand_line["boneyard"] = [name_of_tile(tile) for tile in boneyard]
        for line, slot in self._drawn:
            line["tile"] = name_of_tile(tiles[slot])
        for held, values in self._stuck:
            fit = any(fits(tiles[slot], value) for slot in held for value in values)
            demand(not fit, "a draw or pass of a seat that could play")
        if hand.lead is not None:
            highest = min((tile for some in dealt for tile in some), key=lead_ranking().index)
            demand(hand.lead.tile == highest, "a lead that is not the highest")
        self._drawn, self._stuck = [], []


def _names(tiles: list[int]) -> list[str]:
    return sorted(map(name_of_tile, tiles))
