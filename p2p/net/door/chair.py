"""A joiner who is proven, as the host keeps it."""

from dataclasses import dataclass, field

import trio

from p2p.net.door.draws import commitment
from p2p.net.door.messages import Bound, DrawSeats, ReadyFor, Shown
from p2p.net.errors import LinkBroken
from p2p.net.link.live import LiveLink
from p2p.net.link.message import whole
from p2p.net.link.roster import Neighbour
from p2p.wire.codec import encode
from p2p.wire.shape import Shape


@dataclass
class Chair:
    """Its link, and what it has said in the draw of that number, up to the hash of the table for
    which it is ready."""

    sitter: Neighbour
    live: LiveLink = field(repr=False)
    number: int = 0
    bound: bytes = b""
    nonce: bytes = b""
    ready: bytes = b""
    sent_away: trio.Event = field(default_factory=trio.Event)

    def tell(self, message: Shape) -> None:
        """Send it a message."""
        self.live.post(encode(whole(message)))

    def draw(self, number: int) -> None:
        """Ask for a commitment; nothing that was said before counts any more."""
        self.number, self.bound, self.nonce, self.ready = number, b"", b"", b""
        self.tell(DrawSeats(number))

    def take(self, said: Shape) -> None:
        """Note what was said. Raises LinkBroken if it does not agree with what was said before."""
        match said:
            case ReadyFor(hash=ready):
                self.ready = ready
            # What is of another number was said before the one who left ended that draw.
            case Bound(number=self.number, commitment=bound):
                self.bound = self._first(self.bound, bound)
            case Shown(number=self.number, nonce=nonce):
                self.nonce = self._first(self.nonce, nonce)
                if commitment(self.number, self.sitter.key, nonce) != self.bound:
                    raise LinkBroken("it showed another nonce than it had bound")

    def _first(self, before: bytes, said: bytes) -> bytes:
        if before not in (b"", said):
            raise LinkBroken("it said two things in one draw")
        return said
