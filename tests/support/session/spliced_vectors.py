"""What may stand behind the first frames of a whole record: faults and what is none, signed by its
seats. Each is the number of frames that stay, what follows them, and why that is there."""

from __future__ import annotations

from dataclasses import dataclass

from support.session.resigning import reseal
from support.session.tables import Game

from p2p.session.record import EVIDENCE_MARK, MESSAGE_MARK, Recording, decode, pack
from p2p.wire.envelope import MATCH_LADDER, Body, Message, Place, open_envelope, seal, step_hash

Json = dict[str, object]


@dataclass(frozen=True)
class Source:
    """A match that was played to its end, and its record."""

    name: str
    game: Game

    @property
    def parts(self) -> Recording:
        """The parts of the record."""
        return decode(self.game.sessions[0].record())

    @property
    def messages(self) -> list[Message]:
        """Its messages."""
        return [open_envelope(data) for data in self.parts.messages]

    def at(self, kind: str) -> int:
        """Where the first message of the last step of that kind stands, counted from 0."""
        found = [at for at, one in enumerate(self.messages) if one.kind == kind]
        step = self.messages[found[-1]].step
        return next(at for at in found if self.messages[at].step == step)

    def sign(self, seat: int, place: Place, previous: bytes, kind: str, body: Body) -> bytes:
        """A message of a seat of that match."""
        key = self.game.sessions[seat]._identity
        return seal(key, self.game.sessions[0].table.id, place, previous, kind, body)

    def instead(self, at: int, body: Body) -> bytes:
        """The message there with another body, signed by its seat."""
        message = self.messages[at]
        key = self.game.sessions[message.seat]._identity
        return reseal(key, message, message.previous, body).data

    def splice(self, about: str, count: int, *behind: tuple[bytes, bytes]) -> Splice:
        """The first `count` frames, and these behind them."""
        return Splice(self, about, count, behind)


@dataclass(frozen=True)
class Splice:
    """A record made of another one's first frames behind the description."""

    of: Source
    about: str
    count: int
    behind: tuple[tuple[bytes, bytes], ...]

    @property
    def record(self) -> bytes:
        """The record, its head in order."""
        parts = self.of.parts
        kept = [frame.mark + frame.data for frame in parts.frames[: self.count]]
        return pack([parts.description, *kept, *(mark + data for mark, data in self.behind)])

    def value(self) -> Json:
        """How it is made."""
        behind = [(mark + data).hex() for mark, data in self.behind]
        return {
            "of": self.of.name,
            "about": self.about,
            "first_frames": self.count,
            "then_frames": behind,
        }


def _pair(one: bytes, other: bytes) -> list[tuple[bytes, bytes]]:
    both = sorted((one, other), key=lambda data: open_envelope(data).id)
    return [(EVIDENCE_MARK, data) for data in both]


def behind_the_end(source: Source) -> list[Splice]:
    """Behind a closed match nothing is judged."""
    count, last = len(source.messages), source.messages[-1]
    ladder = source.game.sessions[0].referee.ladders[MATCH_LADDER]
    place = Place(last.root, MATCH_LADDER, ladder.step, last.seat)
    late = source.sign(last.seat, place, ladder.top, "agree", [])
    other = source.instead(count - 1, [])
    return [
        source.splice("a message behind a closed match", count, (MESSAGE_MARK, late)),
        source.splice("evidence behind a closed match", count, (EVIDENCE_MARK, late)),
        source.splice("two messages behind a closed match", count, *_pair(last.data, other)),
    ]


def after_the_decision(source: Source) -> list[Splice]:
    """Each seat signs no result where the match is decided."""
    first = source.at("result")
    return [
        source.splice(
            f"a fault of seat {seat} after the decision",
            first,
            (EVIDENCE_MARK, source.instead(first + seat, [])),
        )
        for seat in range(len(source.game.sessions))
    ]


def of_ladders(source: Source) -> list[Splice]:
    """A ladder that has ended, and places that nobody has come to."""
    dealt = source.at("deal")
    referee = source.game.sessions[0].referee
    ended = referee.ladders[1]
    root, top = source.messages[0].root, ended.top
    late = source.sign(1, Place(root, 1, ended.step, 1), top, "commit", [bytes(32)])
    far = Place(root, 7, 99, 0)
    one, other = (source.sign(0, far, bytes(32), kind, []) for kind in ("x", "y"))
    return [
        source.splice("a ladder that has ended", dealt, (MESSAGE_MARK, late)),
        source.splice("two messages of a ladder that has not begun", 0, *_pair(one, other)),
        source.splice("one of two messages", 0, _pair(one, other)[0]),
    ]


def between_play_and_reveal(source: Source) -> list[Splice]:
    """A placement with a false claim is scored, and the answers to it are not."""
    at = source.at("play")
    said = source.messages[at]
    play = open_envelope(source.instead(at, [*said.body[:4], 5, said.body[5]]))
    top = step_hash(play.previous, [play.id])
    other, root, step = 1 - play.seat, play.root, play.step + 1

    def answer(kind: str, previous: bytes, later: int, body: Body) -> bytes:
        place = Place(root, MATCH_LADDER, step + later, other)
        return source.sign(other, place, previous, kind, body)

    claim = answer("claim", top, 0, [bytes(32)])
    after = step_hash(top, [open_envelope(claim).id])
    bad_claim = EVIDENCE_MARK, answer("claim", top, 0, [])
    bad_reveal = EVIDENCE_MARK, answer("reveal", after, 1, [0, bytes(32)])
    played, claimed = (MESSAGE_MARK, play.data), (MESSAGE_MARK, claim)
    return [
        source.splice("it ends between play and claim", at, played),
        source.splice("a fault between play and claim", at, played, bad_claim),
        source.splice("a fault between claim and reveal", at, played, claimed, bad_reveal),
    ]


def of_the_rank(source: Source) -> list[Splice]:
    """Where the highest double leads: a proof that is none, and a play in its place."""
    at = source.at("rank")
    message = source.messages[at]
    play = source.sign(message.seat, message.place, message.previous, "play", [])
    empty = source.instead(at, [b""])
    return [
        source.splice("a no that is not proven", at, (MESSAGE_MARK, empty)),
        source.splice("a play before all have proven their no", at, (MESSAGE_MARK, play)),
    ]
