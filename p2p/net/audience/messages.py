"""What is said at the door to who wants to look on: protocol.md, section 7.6."""

from functools import partial
from typing import Annotated

from p2p.net.link.greeting import SECRET_BYTES
from p2p.net.link.roster import Roster, read_roster
from p2p.wire.codec import octets
from p2p.wire.envelope import HASH_BYTES
from p2p.wire.shape import Shape


class LookOn(Shape, kind="look-on"):
    """Let in: the table of the links, the secret of watching, and whom to dial."""

    table_id: Annotated[bytes, partial(octets, size=HASH_BYTES)]
    secret: Annotated[bytes, partial(octets, size=SECRET_BYTES)]
    roster: Annotated[Roster, read_roster]

    def __repr__(self) -> str:
        return "<LookOn>"
