"""A hostile peer at a table of sittings: it says anything at any moment, and the links come and go.

The others neither fail nor stall, name nobody else, and hold little of what it says.
"""

import math
import os
import random
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations, permutations

import pytest
from support.session.sittings import Sitter, make_hall

from engine.moves import Draw, Pass
from p2p.session.holding import hold_of
from p2p.session.parking import MAX_PARKED_A_SEAT
from p2p.session.phases import PHASES
from p2p.session.sitting.effects import Effects
from p2p.session.sitting.knowledge import MAX_KNOWN_A_SEAT
from p2p.session.sitting.owner import Again, Chosen, Pause, Say, Wish
from p2p.session.sitting.rematch import MAX_EARLY_A_SEAT
from p2p.session.sitting.words import LINES_KEPT
from p2p.session.state.table import USUAL_GRACE
from p2p.session.verify import verify_record
from p2p.wire import talk
from p2p.wire.chat import MAX_NUMBER
from p2p.wire.codec import encode
from p2p.wire.envelope import MATCH_LADDER, Place, seal
from p2p.wire.talk import encode_talk

SEEDS = int(os.environ.get("ALLFIVES_CHAOS", "2"))
HOSTILE = 1
KINDS = [row for kinds in PHASES.values() for row in kinds.kinds]


@dataclass
class Chaos:
    """A table and what happens at it, as a seeded generator chooses."""

    rng: random.Random
    sitters: list[Sitter]
    now: float = 0.0
    links: dict[tuple[int, int], deque[bytes]] = field(default_factory=dict)
    traffic: list[bytes] = field(default_factory=list)
    slow: set[tuple[int, int]] = field(default_factory=set)
    offered: set[int] = field(default_factory=set)
    done: set[int] = field(default_factory=set)
    twisted: float = 0.0
    rude: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def honest(self) -> list[Sitter]:
        return [one for one in self.sitters if one.place != HOSTILE]

    def begin(self) -> None:
        pairs = permutations(range(len(self.sitters)), 2)
        self.slow = {pair for pair in pairs if self.rng.random() < 0.3}
        for one in self.rng.sample(self.sitters, len(self.sitters)):
            self.take(one.place, one.sitting.start(self.now))
        for pair in combinations(range(len(self.sitters)), 2):
            self.join(*pair)

    def join(self, one: int, other: int) -> None:
        """A link, a new one if there was one."""
        self.links[one, other], self.links[other, one] = deque(), deque()
        for place, far in ((one, other), (other, one)):
            self.take(place, self.sitters[place].sitting.linked(far, self.now))

    # What comes of an input

    def take(self, place: int, effects: Effects) -> None:
        self.sitters[place].given = [effects]
        for to, payload in effects.send:
            said = self.twists(payload) if place == HOSTILE else [payload]
            self.put(place, to, *said)
        for other, why in effects.close:
            assert place == HOSTILE or other == HOSTILE, f"{place} closes out {other}: {why}"
            self.cut(place, other, why)
        if place != HOSTILE:
            self.check(self.sitters[place], effects)

    def put(self, sender: int, to: int, *payloads: bytes) -> None:
        if (sender, to) in self.links:
            self.links[sender, to].extend(payloads)
            self.traffic.extend(self.rng.sample(payloads, len(payloads))[:1])

    def cut(self, one: int, other: int, why: str = "gone") -> None:
        for place, far in ((one, other), (other, one)):
            if self.links.pop((place, far), None) is not None:
                self.take(place, self.sitters[place].sitting.unlinked(far, why, self.now))

    def check(self, one: Sitter, effects: Effects) -> None:
        session = one.session
        fault = session.fault
        if fault is not None:
            key = session.table.people[fault.seat].key
            assert key == self.sitters[HOSTILE].session._identity.public, fault.what
        seats = len(self.sitters)
        assert len(session.parked) <= MAX_PARKED_A_SEAT * seats
        assert len(one.sitting._early._kept) <= MAX_EARLY_A_SEAT * seats
        playing = one.sitting.playing
        assert all(len(known) <= MAX_KNOWN_A_SEAT for known in playing.others.known.values())
        assert all(len(lines) <= LINES_KEPT for lines in playing.words._lines.values())
        assert len(list(playing.words.that_matter())) <= seats * (LINES_KEPT + 9)
        assert not math.isnan(effects.deadline)
        if effects.outcome is not None:
            assert effects.ask is None

    # What the hostile peer says

    def twists(self, payload: bytes) -> list[bytes]:
        if self.rng.random() >= self.twisted:
            return [payload]
        self.counts["twisted"] += 1
        return self.rng.choice(
            [
                [],
                [payload, payload],
                [payload, self.old()],
                [self.anything(), payload],
                [self.anything()],
            ]
        )

    def anything(self) -> bytes:
        rude: list[Callable[[], bytes]] = [self.said, self.nonsense, self.word]
        sly: list[Callable[[], bytes]] = [self.old, self.word]
        return self.rng.choice(rude if self.rng.random() < self.rude else sly)()

    def said(self) -> bytes:
        """A signed message for about the open place, of any kind and body."""
        session = self.sitters[self.rng.randrange(len(self.sitters))].session
        key = self.sitters[HOSTILE].session._identity
        table = session.table
        seat = table.seat_of(key.public) if self.rng.random() < 0.9 else self.rng.randrange(4)
        number = self.rng.choice([MATCH_LADDER, session.state.deal, session.state.next, 99])
        ladder = session.referee.ladders.get(number)
        step = ladder.step if ladder else 1
        step = max(1, step + self.rng.choice([0, 0, 0, -1, 1, 5]))
        tops = ladder.hashes if ladder else [table.id]
        previous = self.rng.choice([tops[-1], tops[min(step, len(tops)) - 1], bytes(32)])
        body = [self.value() for _ in range(self.rng.randrange(7))]
        kind = self.rng.choice([*KINDS, "", "x" * 4000])
        if ladder is not None and self.rng.random() < 0.5:
            olds = [one for step_ in ladder.steps[-3:] for one in step_.values()]
            olds += ladder.open.values()
            if olds:
                old = self.rng.choice(olds)
                kind, body = old.kind, list(old.body)
                if body and self.rng.random() < 0.7:
                    body[self.rng.randrange(len(body))] = self.value()
        data = seal(key, table.id, Place(table.id, number, step, seat), previous, kind, body)
        return encode_talk(talk.Said(data))

    def value(self) -> object:
        numbers = [0, 1, -1, 7, 27, 28, 168, 169, 2**63, -(2**63), 2**64 - 1]
        sizes = [0, 1, 31, 32, 64, 96, 160, 1792, 3008]
        return self.rng.choice(
            [
                None,
                self.rng.random() < 0.5,
                self.rng.choice(numbers),
                self.rng.randbytes(self.rng.choice(sizes)),
                bytes(self.rng.choice(sizes)),
                self.rng.choice(["", "L", "R", "U", "D", "4U", "\ud7ff", "x" * 4096]),
                [],
                [self.rng.choice(numbers)] * self.rng.randrange(5),
                {"a": [[[]]]},
            ]
        )

    def word(self) -> bytes:
        """A rightly signed word of any kind and number, or what it says that it holds."""
        rng, session = self.rng, self.sitters[HOSTILE].session
        nonce = rng.choice([bytes(32), rng.randbytes(32)])
        rounds = rng.choice([0, 1, 2, rng.randrange(9), talk.MAX_ROUNDS])
        sayings: list[talk.Saying] = [
            talk.Done(rng.randbytes(32)),
            talk.Paused(rounds, rng.random() < 0.5),
            talk.Paused(rounds, rng.random() < 0.5),
            talk.Here(),
            talk.Chat(rng.choice(["gg", "x" * 300, "a\N{DRAGON}"])),
            talk.Wished(nonce, 1, nonce, ()),
        ]
        if rng.random() < self.rude:
            sayings = [talk.Bind(nonce), talk.Nonce(nonce)]
        if rng.random() < 0.02:
            sayings = [talk.Leave()]
        number = rng.choice([0, 1, rng.randrange(50), MAX_NUMBER])
        said = session.word(number, rng.choice(sayings))
        return encode_talk(self.held() if rng.random() < 0.2 else said)

    def held(self) -> talk.Hold:
        """What somebody holds, or nobody does."""
        rng, referee = self.rng, self.rng.choice(self.sitters).session.referee
        hold = hold_of(referee)
        if rng.random() < 0.5:
            return hold
        top = rng.choice([0, 1, 7, 2**32 - 1])
        marks = tuple({top: rng.randbytes(32), 0: rng.randbytes(32)}.items())
        ladder = rng.choice([0, 1, 2, 99])
        return talk.Hold(hold.table, (talk.Rung(ladder, marks, (rng.randbytes(32),)),), ())

    def old(self) -> bytes:
        return self.rng.choice(self.traffic) if self.traffic else b""

    def nonsense(self) -> bytes:
        kinds = ["message", "word", "hold", "done", "stopped", "none", 7, None]
        value = [self.rng.choice(kinds), *(self.value() for _ in range(self.rng.randrange(4)))]
        return self.rng.choice([encode(value), self.rng.randbytes(9), b"", b"\xc1", encode({})])

    # What happens

    def deliver(self, pair: tuple[int, int]) -> None:
        self.counts["delivered"] += 1
        payload = self.links[pair].popleft()
        sender, to = pair
        if to not in self.done:
            self.take(to, self.sitters[to].sitting.heard(sender, payload, self.now))

    def busy(self) -> list[tuple[int, int]]:
        """The links on which something is on the way; the slow ones seldom, while others have."""
        pairs = [pair for pair, waiting in self.links.items() if waiting]
        fast = [pair for pair in pairs if pair not in self.slow]
        return fast if fast and self.rng.random() < 0.98 else pairs

    def decide(self, one: Sitter) -> None:
        view = one.last.ask
        if view is None or one.place in self.done:
            return
        chosen = one.decide(view)
        odd = [Chosen(None, 999), Chosen(None, -1), Chosen(Draw(3)), Chosen(Pass(0)), chosen]
        if one.place != HOSTILE and self.rng.random() < 0.2:
            chosen = self.rng.choice(odd)
        for _ in range(self.rng.choice([1, 1, 1, 2])):
            self.counts["decided"] += 1
            self.take(one.place, one.sitting.decided(chosen, self.now))

    def wish(self, one: Sitter) -> None:
        words = self.rng.choice(["gg", "", "x" * 301, "\n", "\ud800"])
        wishes: list[Wish] = [Say(words), Say("gg"), Again(), Pause(True), Pause(False)]
        self.counts["wished"] += 1
        wish = self.rng.choice(wishes)
        self.take(one.place, one.sitting.wish(wish, self.now))

    def tick(self, one: Sitter) -> None:
        self.now += self.rng.choice([0.0, 0.1, 1.0])
        self.take(one.place, one.sitting.tick(self.now))

    def go_on(self, one: Sitter) -> None:
        """What the program does between two matches."""
        ended = one.last.outcome is not None or one.place in self.offered
        if one.place in self.done or not ended:
            return
        if one.place not in self.offered:
            self.offered.add(one.place)
            self.take(one.place, one.sitting.offer(self.now))
            return
        if self.rng.random() < 0.5:
            wishes: list[Wish] = [Again(), Again(), Say("gg"), Pause(True)]
            self.take(one.place, one.sitting.wish(self.rng.choice(wishes), self.now))
        following = one.last.following
        if following is None:
            return
        self.offered.discard(one.place)
        if following.table is None:
            self.take(one.place, one.sitting.leave(self.now))
            self.done.add(one.place)
        else:
            self.counts["matches"] += 1
            self.take(one.place, one.sitting.start(self.now))

    def inject(self) -> None:
        to = self.rng.choice([other for other in range(len(self.sitters)) if other != HOSTILE])
        if (HOSTILE, to) in self.links:
            self.counts["injected"] += 1
            self.put(HOSTILE, to, *[self.anything()] * self.rng.choice([1, 1, 1, 2, 20]))

    def change(self) -> None:
        """A link of two who are still there goes, or comes."""
        here = [one.place for one in self.sitters if one.place not in self.done]
        if len(here) >= 2:
            one, other = self.rng.sample(here, 2)
            self.counts["links"] += 1
            if (one, other) in self.links:
                self.cut(one, other)
            else:
                self.join(one, other)

    def step(self, wild: float) -> None:
        one = self.rng.choice(self.sitters)
        luck = self.rng.random()
        if luck < wild:
            self.inject()
        elif luck < wild + 0.02:
            self.wish(one)
        elif luck < wild + 0.04:
            self.tick(one)
        elif luck < wild + 0.1:
            self.go_on(one)
        elif luck < wild + 0.105:
            self.change()
        elif busy := self.busy():
            self.deliver(self.rng.choice(busy))
        else:
            self.decide(one)

    def end(self) -> None:
        """Nobody wants anything more, the hostile peer falls silent; all comes to an end."""
        here = [one.place for one in self.honest if one.place not in self.done]
        for pair in combinations(here, 2):
            self.join(*pair)
        until = self.now + 2 * USUAL_GRACE
        while self.playing() and self.now < until:
            if busy := self.busy():
                self.deliver(self.rng.choice(busy))
                continue
            asked = [one for one in self.playing() if one.last.ask is not None]
            if asked:
                one = self.rng.choice(asked)
                view = one.last.ask
                assert view is not None
                self.take(one.place, one.sitting.decided(one.decide(view), self.now))
                continue
            paused = [one for one in self.playing() if one.sitting.playing.pauses.on]
            if paused:
                self.take(paused[0].place, paused[0].sitting.wish(Pause(False), self.now))
                continue
            self.now = max(self.now, min(one.last.deadline for one in self.playing()))
            for one in self.playing():
                self.take(one.place, one.sitting.tick(self.now))
        for one in self.playing():
            waiting, table = one.session.referee.waiting(), one.session.table
            seat = table.seat_of(self.sitters[HOSTILE].session._identity.public)
            assert waiting.for_person, f"{one.place} waits for ever"
            assert waiting.seats == (seat,), f"{one.place} waits for {waiting.seats} for ever"

    def playing(self) -> list[Sitter]:
        return [
            one
            for one in self.honest
            if one.last.outcome is None
            and one.place not in self.offered
            and one.place not in self.done
        ]


def run(seed: int) -> Chaos:
    rng = random.Random(f"chaos {seed}")
    players = 2 + seed % 3
    changes = {"claims": "yes", "starter": "highest-double"} if seed % 2 else {}
    hall = make_hall(players, None, f"chaos {seed}", (), (), target="5", **changes)
    chaos = Chaos(rng, hall.sitters)
    for one in hall.sitters:
        one.given = []
    chaos.rude = rng.choice([0.0, 0.0, 0.01, 0.5])
    chaos.twisted = rng.choice([0.0, 0.0, 0.02, 0.3])
    wild = rng.choice([0.0, 0.01, 0.05, 0.3])
    chaos.begin()
    for _ in range(rng.choice([200, 800, 2000, 4000])):
        chaos.step(wild)
    chaos.end()
    for one in chaos.honest:
        report = verify_record(one.session.record())
        assert report.problem is None
    closed = [one for one in chaos.honest if one.session.closed]
    records = {(one.session.table.id, one.session.record()) for one in closed}
    assert len(records) == len({table for table, _ in records})
    return chaos


@pytest.mark.parametrize("seed", range(SEEDS))
def test_whatever_a_peer_says_the_others_neither_fail_nor_stall(seed: int) -> None:
    run(seed)
