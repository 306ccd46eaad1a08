"""What one seat knows of the others: their links, which messages they have, who is done."""

import hashlib
from collections import OrderedDict
from collections.abc import Iterable

# Messages that a seat is known to have. All seats together are some dozen messages apart at most.
MAX_KNOWN_A_SEAT = 512


class Digests:
    """The messages that a seat has. Only the latest are remembered, and by their hash, so that
    nobody fills our memory; of one that was forgotten the seat gets a copy that it does not need.
    """

    def __init__(self) -> None:
        self._hashes: OrderedDict[bytes, None] = OrderedDict()

    def __len__(self) -> int:
        return len(self._hashes)

    def add(self, data: bytes) -> bool:
        """Note a message; False if it was noted before."""
        digest = hashlib.sha256(data).digest()
        fresh = digest not in self._hashes
        self._hashes[digest] = None
        if len(self._hashes) > MAX_KNOWN_A_SEAT:
            self._hashes.popitem(last=False)
        return fresh


class Others:
    """The other seats of a table. `linked` are those with a link since it began; `known` is what
    each has; `done` are those that say that they have the whole record."""

    def __init__(self, seats: Iterable[int]) -> None:
        self.linked = sorted(seats)
        self.known = {seat: Digests() for seat in self.linked}
        self.done: set[int] = set()

    def lose(self, seat: int) -> None:
        """The link to a seat is gone."""
        if seat in self.linked:
            self.linked.remove(seat)

    def lacking(self, data: bytes) -> list[int]:
        """The linked seats that are not known to have a message; from now on they are."""
        return [seat for seat in self.linked if self.known[seat].add(data)]

    @property
    def all_done(self) -> bool:
        """Whether everybody who is linked has the whole record."""
        return set(self.linked) <= self.done

    @property
    def gone(self) -> list[int]:
        """The seats without a link."""
        return [seat for seat in self.known if seat not in self.linked]
