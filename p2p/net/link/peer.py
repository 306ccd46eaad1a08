"""This side of every link: who plays here and where it listens."""

from dataclasses import dataclass

from p2p.crypto.identity import IdentityKey
from p2p.crypto.randomness import RandomBytes
from p2p.net.link.dial import Connect, direct
from p2p.net.link.listen import Listeners
from p2p.net.link.roster import Neighbour
from p2p.session.state.table import check_name


@dataclass(frozen=True)
class LocalPeer:
    """Who plays here, where it listens, how it dials, where its randomness comes from. `bot`: it
    was brought by the host of the table, which says so to everybody. `hidden`: others are not told
    where it listens, since it dials through a proxy."""

    identity: IdentityKey
    name: str
    listeners: Listeners
    rng: RandomBytes
    connect: Connect = direct
    bot: bool = False
    hidden: bool = False

    def neighbour(self) -> Neighbour:
        """What others are told of a person. Raises BadName."""
        name = check_name(self.name)
        addresses = () if self.hidden else self.listeners.addresses
        return Neighbour(self.identity.public, name, b"", addresses)
