"""The draw of seats: all bind themselves to a nonce before any is shown, so nobody has a say in
the order. The host shows its nonce first."""

from collections.abc import Mapping

from p2p.net.door.messages import Bound, DrawSeats, Show, Shown
from p2p.net.link.roster import Roster
from p2p.session.state.table import Table, nonce_commitment
from p2p.wire.codec import DecodeError

NUMBER_BYTES = 4


def commitment(number: int, key: bytes, nonce: bytes) -> bytes:
    """32 bytes that bind the holder of `key` to its nonce in the draw of that number."""
    return nonce_commitment(number.to_bytes(NUMBER_BYTES, "big"), key, nonce)


class OwnDraw:
    """A joiner's part in one draw: of the people of `roster`, asked for by the host of that key."""

    def __init__(self, asked: DrawSeats, key: bytes, nonce: bytes) -> None:
        self._number, self._key, self._nonce = asked.number, key, nonce
        self._bound: Mapping[bytes, bytes] | None = None

    @property
    def shown(self) -> bool:
        """Whether the own nonce is known to the host."""
        return self._bound is not None

    def bind(self) -> Bound:
        """The commitment to the own nonce."""
        return Bound(self._number, commitment(self._number, self._key, self._nonce))

    def show(self, said: Show, roster: Roster, host_key: bytes) -> Shown:
        """The own nonce, now that everybody is bound. Raises DecodeError if they are not."""
        if said.number != self._number or len(said.commitments) != len(roster):
            raise DecodeError("commitments of another draw")
        bound = dict(zip((one.key for one in roster), said.commitments, strict=True))
        if bound[self._key] != self.bind().commitment:
            raise DecodeError("another commitment than ours")
        if bound[host_key] != commitment(self._number, host_key, said.nonce):
            raise DecodeError("another nonce than the host had bound")
        self._bound = bound
        return Shown(self._number, self._nonce)

    def check(self, table: Table) -> None:
        """Raise DecodeError unless the table is made of the nonces that were bound."""
        bound = self._bound or {}
        for one in table.people:
            if bound.get(one.key) != commitment(self._number, one.key, one.nonce):
                raise DecodeError("a table of other nonces than were bound")
