"""A match that is only steps and votes: some voters, random schedules, one who may lie.

Steps carry nothing: at some all speak, at the others one. The votes are the product's; so is what
becomes of them. Rules are taken away one at a time to see that a schedule finds each.
"""

import random
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field

from p2p.session.leaving.ground import Ground
from p2p.session.leaving.known import Known
from p2p.session.leaving.sets import Finals, VoteSet, choose
from p2p.wire.codec import encode
from p2p.wire.envelope import MATCH_LADDER, VOTE, Body, Message, step_hash
from p2p.wire.messages import VoteBody
from p2p.wire.out import Out

ROOT = b"r" * 32
ALL_SPEAK_EVERY = 4


def message(root: bytes, step: int, previous: bytes, seat: int, kind: str, body: Body) -> Message:
    """A message of ladder 0; nobody signs here."""
    payload = encode([root, step, previous, seat, kind, body])
    number = body[0] if kind == VOTE else 0
    assert isinstance(number, int)
    place = ROOT, root, MATCH_LADDER, seat, step, previous
    return Unsigned(payload, b"", payload, *place, kind, number, own=body)


@dataclass(unsafe_hash=True)
class Unsigned(Message):
    """A message with its body beside it."""

    own: Body = field(default_factory=list)

    @property
    def body(self) -> Body:
        """As it was given."""
        return self.own


@dataclass(frozen=True)
class Position:
    """Where a voter stands: era, who is in, the open step and T before it, the era's first step."""

    root: bytes
    seats: tuple[int, ...]
    step: int
    previous: bytes
    first: int

    @property
    def speakers(self) -> tuple[int, ...]:
        """Who must speak at the open step."""
        alone = self.step != self.first and self.step % ALL_SPEAK_EVERY
        return (self.seats[self.step % len(self.seats)],) if alone else self.seats

    def ground(self, owners: tuple[int, ...], final: tuple[int, ...]) -> Ground:
        """The open step as it is voted on."""
        return Ground(
            self.root, self.step, self.previous, self.seats, final, (), owners, self.speakers
        )


class Voter:
    """One seat: what it has, and the way that follows from that."""

    def __init__(self, seat: int, count: int, owners: tuple[int, ...] = ()) -> None:
        """`owners`: by seat whose bot it is; all are persons if it is left out."""
        self.seat, self.owners = seat, owners or tuple(range(count))
        self.known = Known()
        self.finals: Finals = {}
        self.path: list[tuple[str, int, bytes]] = []
        self.undone = 0
        self.patience: set[tuple[bytes, int, int]] = set()

    def walk(self) -> Position:
        """Its position: from the beginning, each time."""
        everybody = tuple(range(len(self.owners)))
        at, final, path = Position(ROOT, everybody, 1, ROOT, 1), everybody, list(self.path[:0])
        while True:
            if at.step == at.first:
                settled = self.finals.get((at.previous, at.step)) or at.root == ROOT
                final = at.seats if settled else final
            chosen = self._chosen(at, final)
            if chosen is not None:
                path.append(("retire", at.step, chosen.root))
                at = Position(chosen.root, chosen.by, at.step + 1, chosen.root, at.step + 1)
                continue
            said = self.step_said(at)
            if any(seat not in said for seat in at.speakers):
                break
            top = step_hash(at.previous, [said[seat].id for seat in at.speakers])
            path.append(("step", at.step, top))
            final = at.seats if at.step == at.first else final
            at = Position(at.root, at.seats, at.step + 1, top, at.first)
        self._note(path)
        return at

    def _chosen(self, at: Position, final: tuple[int, ...]) -> VoteSet | None:
        if not self.known.votes(at.root, at.step):
            return None
        return choose(at.ground(self.owners, final), self.known, self.finals)

    def step_said(self, at: Position) -> dict[int, Message]:
        """What the speakers of an open step said first, of that T."""
        said: dict[int, Message] = {}
        for one in self.known.messages.values():
            here = (one.root, one.step, one.previous) == (at.root, at.step, at.previous)
            if here and one.kind != VOTE and one.seat in at.speakers:
                said.setdefault(one.seat, one)
        return said

    def _note(self, path: list[tuple[str, int, bytes]]) -> None:
        """How many steps of the way that was taken before are undone."""
        same = 0
        while same < min(len(path), len(self.path)) and path[same] == self.path[same]:
            same += 1
        lost = [one for one in self.path[same:] if one[0] == "step"]
        self.undone = max(self.undone, len(lost))
        self.path = path

    def act(self, away: Collection[int]) -> list[Message]:
        """What its program says by itself; `away`: those it does not hear."""
        at = self.walk()
        if self.seat not in at.seats:
            return []
        said = self.step_said(at)
        own = self.known.highest.get((at.root, self.seat), 0)
        spoke = self.seat in said
        new: list[Message] = []
        if self.seat in at.speakers and not spoke and not self._spoke_else(at):
            kind = "agree" if at.step == at.first else "x"
            new = [message(at.root, at.step, at.previous, self.seat, kind, [])]
        else:
            new = self._vote(at, said, own, away)
        for one in new:
            assert self.known.add(one), "an honest voter says one thing for a place"
        return new

    def _spoke_else(self, at: Position) -> bool:
        """Whether it has said something there after another T."""
        mine = (one for one in self.known.messages.values() if one.seat == self.seat)
        return any((one.root, one.step) == (at.root, at.step) and one.kind != VOTE for one in mine)

    def _vote(
        self, at: Position, said: dict[int, Message], reach: int, away: Collection[int]
    ) -> list[Message]:
        owe = [seat for seat in at.speakers if seat not in said]
        out = sorted(seat for seat in owe if seat in away)
        stay = [seat for seat in at.seats if seat not in out]
        right = out and 2 * len(stay) > len(at.seats) and not set(stay) & set(away)
        votes = self.known.votes(at.root, at.step)
        top = max((one.round for one in votes), default=0)
        mine = max((one.round for one in votes if one.seat == self.seat), default=0)
        number = max(mine + 1, top)
        waits = (at.root, at.step, mine) not in self.patience and mine and top <= mine
        if not right or reach > at.step or number > 16 or waits:
            return []
        held = tuple(sorted(one.id for one in said.values()))
        outs = tuple(Out(seat, "absent", ()) for seat in out)
        body = VoteBody(number, outs, held, reach)
        return [message(at.root, at.step, at.previous, self.seat, VOTE, body.value())]

    def wait(self) -> None:
        """Half a minute has gone by since its last vote."""
        at = self.walk()
        for one in self.known.votes(at.root, at.step):
            if one.seat == self.seat:
                self.patience.add((at.root, at.step, one.round))


def lie(rng: random.Random, cheat: int, honest: list[Voter], count: int) -> Message | None:
    """Anything that the cheat can sign about a place that it knows."""
    at = rng.choice(honest).walk()
    if rng.random() < 0.4:
        kind = "agree" if at.step == at.first else "x"
        return message(at.root, at.step, at.previous, cheat, kind, [])
    everything = {id_: one for voter in honest for id_, one in voter.known.messages.items()}
    votes = [one for one in everything.values() if one.kind == VOTE]
    if votes and rng.random() < 0.7:
        base = rng.choice(votes)
        said = VoteBody.read(base.body)
        if any(one.seat == cheat for one in said.out):
            return None
        place, number, outs = base, said.round + rng.choice((0, 0, 0, 1)), said.out
        root, step, previous = place.root, place.step, place.previous
    else:
        other = rng.choice([seat for seat in range(count) if seat != cheat])
        root, step, previous, number = at.root, at.step, at.previous, 1
        outs = (Out(other, "absent", ()),)
    there = [
        one.id
        for one in everything.values()
        if (one.root, one.step, one.previous) == (root, step, previous) and one.kind != VOTE
    ]
    held = tuple(sorted(one for one in there if rng.random() < 0.5))
    body = VoteBody(min(number, 16), outs, held[:8], rng.choice((0, step)))
    return message(root, step, previous, cheat, VOTE, body.value())


@dataclass(frozen=True)
class Ended:
    """How a schedule ended: whether the honest parted or stand still, and the steps undone."""

    parted: bool
    stuck: bool
    undone: int
    retired: bool


class Schedule:
    """A seeded run: cuts, absences, lies; then everything reaches everybody."""

    def __init__(self, count: int, seed: int, cheats: bool) -> None:
        self.rng = random.Random(f"{count}/{seed}/{cheats}")
        self.voters = [Voter(seat, count) for seat in range(count)]
        self.cheat = self.rng.randrange(count) if cheats else None
        self.honest = [one for one in self.voters if one.seat != self.cheat]
        self.said: dict[bytes, Message] = {}
        self.groups = [0] * count
        self.gone: set[int] = set()

    def say(self, messages: Iterable[Message]) -> None:
        """Note what was said, for the end."""
        self.said.update((one.id, one) for one in messages)

    def run(self) -> Ended:
        """Play it."""
        for _ in range(self.rng.randrange(40, 90)):
            self.turn()
        reached = max(len(one.path) for one in self.honest)
        self.heal(reached)
        return self.ended(reached)

    def turn(self) -> None:
        """One seat does something, and somebody hears of it."""
        rng, count = self.rng, len(self.voters)
        if rng.random() < 0.08:
            self.groups = [rng.choice((0, 0, 0, 1)) for _ in range(count)]
        if rng.random() < 0.06:
            self.gone = set(rng.sample(range(count), rng.choice((0, 0, 1, 1, 2))))
        seat = rng.randrange(count)
        if seat == self.cheat:
            told = lie(rng, seat, self.honest, count)
            if told is not None:
                self.say([told])
                rng.choice(self.honest).known.add(told)
            return
        if seat in self.gone:
            return
        away = {other for other in range(count) if not self._meet(seat, other)}
        away = away if rng.random() < 0.5 and len(away) < count - 1 else set()
        self.say(self.voters[seat].act(away))
        if rng.random() < 0.3:
            self.voters[seat].wait()
        other = rng.randrange(count)
        if other != seat and self._meet(seat, other):
            for one in list(self.voters[seat].known.messages.values()):
                if rng.random() < 0.6:
                    self.voters[other].known.add(one)

    def _meet(self, seat: int, other: int) -> bool:
        return other not in self.gone and self.groups[seat] == self.groups[other]

    def heal(self, reached: int) -> None:
        """Everything reaches everybody; the cheat says no more, and is away in the end."""
        for again in range(30):
            if again > 16 and min(len(one.path) for one in self.honest) > reached + 6:
                break
            for one in self.honest:
                for told in list(self.said.values()):
                    one.known.add(told)
                away = {self.cheat} if self.cheat is not None and again > 10 else set()
                self.say(one.act(away))
                if again % 3 == 2:
                    one.wait()

    def ended(self, reached: int) -> Ended:
        """What became of it."""
        for one in self.honest:
            for told in list(self.said.values()):
                one.known.add(told)
            one.walk()
        short = min(len(one.path) for one in self.honest)
        parted = len({tuple(one.path[:short]) for one in self.honest}) > 1
        seats = self.honest[0].walk().seats
        inside = [one for one in self.honest if one.seat in seats]
        stuck = 2 * len(inside) > len(seats) and min(len(one.path) for one in inside) < reached + 4
        undone = max(one.undone for one in self.honest)
        retired = any(kind == "retire" for one in self.honest for kind, _, _ in one.path)
        return Ended(parted, stuck, undone, retired)


def run(count: int, seed: int, cheats: bool) -> Ended:
    """One schedule."""
    return Schedule(count, seed, cheats).run()


Run = Callable[[int, int, bool], Ended]
