"""What one seat knows of the others' share: who has a link, and which payloads each has."""

import hashlib
from collections import OrderedDict
from collections.abc import Iterable

# Payloads that a seat is known to have. All seats together are some dozen apart at most.
MAX_KNOWN_A_SEAT = 512


class Digests:
    """The payloads that a seat has. Only the latest are remembered, and by their hash, so that
    nobody fills our memory; of one that was forgotten the seat gets a copy that it does not need.
    """

    def __init__(self) -> None:
        self._hashes: OrderedDict[bytes, None] = OrderedDict()

    def __contains__(self, payload: bytes) -> bool:
        """Whether a payload is among them."""
        return hashlib.sha256(payload).digest() in self._hashes

    def __len__(self) -> int:
        return len(self._hashes)

    def add(self, payload: bytes) -> bool:
        """Note a payload; False if it was noted before."""
        digest = hashlib.sha256(payload).digest()
        fresh = digest not in self._hashes
        self._hashes[digest] = None
        if len(self._hashes) > MAX_KNOWN_A_SEAT:
            self._hashes.popitem(last=False)
        return fresh


class Others:
    """The other seats of a table. `linked` are those with a link now; `known` is what each has."""

    def __init__(self, seats: Iterable[int]) -> None:
        self.linked: list[int] = []
        self.known = {seat: Digests() for seat in seats}

    def link(self, seat: int) -> None:
        """A new link to a seat: what went over an old one may be lost."""
        self.known[seat] = Digests()
        if seat not in self.linked:
            self.linked = sorted((*self.linked, seat))

    def lose(self, seat: int) -> None:
        """The link to a seat is gone."""
        if seat in self.linked:
            self.linked.remove(seat)

    def lacking(self, payload: bytes) -> list[int]:
        """The linked seats that are not known to have a payload; from now on they are."""
        return [seat for seat in self.linked if self.known[seat].add(payload)]
