"""The completed steps of a ladder. Those of hands that are long over are let go, and read again
from where their bytes are stored: a hand of four has 75 kB, and a match may have hundreds."""

from collections.abc import Callable, Iterator, Sequence
from typing import overload

from p2p.wire.envelope import Message, Place, open_envelope, step_hash

Archive = Callable[[Sequence[Place]], Sequence[bytes]]
"""The messages that were stored for these places, in their order."""

Step = dict[int, Message]

# Who spoke in a step, under which root.
_Who = tuple[bytes, tuple[int, ...]]
_NOTHING: _Who = (b"", ())
# What is read at once: some hands.
READ_STEPS = 64


class Past(Sequence[Step]):
    """By number of the step, from 0 for step 1: its messages by seat.

    `hashes[k]` is T_k. `gone`: how many steps, the first ones, were let go.
    """

    def __init__(self, number: int, hashes: Sequence[bytes]) -> None:
        self._number, self._hashes = number, hashes
        # Steps that were forgotten are only counted; those that were let go come behind them.
        self._forgotten = 0
        self._kept: list[Step] = []
        # Of each step that was let go: few differ.
        self._who: list[_Who] = []
        self._differ: dict[_Who, _Who] = {}
        self._archive: Archive | None = None

    @property
    def gone(self) -> int:
        """How many steps were let go."""
        return self._forgotten + len(self._who)

    def __len__(self) -> int:
        return self._forgotten + len(self._who) + len(self._kept)

    @overload
    def __getitem__(self, at: int) -> Step: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Step]: ...

    def __getitem__(self, at: int | slice) -> Step | Sequence[Step]:
        if isinstance(at, slice):
            return list(self.between(*at.indices(len(self))[:2]))
        place = range(len(self))[at]
        return next(self.between(place, place + 1))

    def __iter__(self) -> Iterator[Step]:
        return self.between(0, len(self))

    def between(self, begin: int, end: int) -> Iterator[Step]:
        """Those from `begin` up to `end`, which is not among them."""
        gone = min(end, self.gone)
        for at in range(begin, gone, READ_STEPS):
            yield from self._read(at, min(at + READ_STEPS, gone))
        kept = max(begin - self.gone, 0)
        yield from self._kept[kept : max(end - self.gone, kept)]

    def speakers(self, since: int) -> frozenset[int]:
        """The seats that spoke behind the step of that number."""
        gone = (seats for _, seats in self._whose(since, self.gone))
        kept = self._kept[max(since - self.gone, 0) :]
        return frozenset(seat for seats in (*gone, *kept) for seat in seats)

    def let_gone(self, place: Place) -> Message | None:
        """What was said for a place of whatever era, if it was let go."""
        if 0 < place.step <= self.gone:
            ((root, seats),) = self._whose(place.step - 1, place.step)
            if root == place.root and place.seat in seats:
                return self[place.step - 1][place.seat]
        return None

    def append(self, step: Step) -> None:
        """Another step is complete."""
        self._kept.append(step)

    def let_go(self, count: int, archive: Archive) -> list[Message]:
        """Let go of the first `count` steps, which are stored; what of them was here."""
        self._archive = archive
        gone, self._kept = self._kept[: count - self.gone], self._kept[count - self.gone :]
        for step in gone:
            root = next((message.root for message in step.values()), b"")
            who = (root, tuple(step))
            self._who.append(self._differ.setdefault(who, who))
        return [message for step in gone for message in step.values()]

    def forget(self) -> None:
        """Let go of all of them for good: where they stood nothing is any more."""
        self._forgotten, self._who, self._kept = len(self), [], []

    def take_up(self) -> None:
        """Have all of them here again."""
        self._kept, self._who, self._forgotten = list(self), [], 0

    def _whose(self, begin: int, end: int) -> list[_Who]:
        """Who spoke in steps that are gone; nobody in those that were forgotten."""
        first = self._forgotten
        forgotten = max(min(end, first) - begin, 0)
        return [_NOTHING] * forgotten + self._who[max(begin - first, 0) : max(end - first, 0)]

    def _read(self, begin: int, end: int) -> Iterator[Step]:
        """Steps that were let go, as they were stored."""
        whose = list(enumerate(self._whose(begin, end), begin + 1))
        places = [
            Place(root, self._number, step, seat) for step, (root, seats) in whose for seat in seats
        ]
        assert self._archive is not None or not places, "what was let go is stored nowhere"
        found = self._archive(places) if self._archive is not None and places else ()
        messages = map(open_envelope, found)
        for step, (_, seats) in whose:
            said = {seat: next(messages) for seat in seats}
            self._check(step, said)
            yield said

    def _check(self, step: int, said: Step) -> None:
        """T names them."""
        if said:
            name = step_hash(self._hashes[step - 1], [message.id for message in said.values()])
            assert name == self._hashes[step], "another message is stored than was taken"
