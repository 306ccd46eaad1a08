"""This side of every link: who plays here and where it listens."""

from dataclasses import dataclass

import trio

from p2p.crypto.identity import IdentityKey
from p2p.crypto.randomness import NONCE_BYTES, RandomBytes
from p2p.net.link.dial import Connect
from p2p.net.link.listen import Listeners
from p2p.net.link.roster import Neighbour
from p2p.session.state.table import Person, check_name


@dataclass(frozen=True)
class LocalPeer:
    """Who plays here, where it listens, how it dials, where its randomness comes from."""

    identity: IdentityKey
    name: str
    listeners: Listeners
    rng: RandomBytes
    connect: Connect = trio.open_tcp_stream

    def neighbour(self) -> Neighbour:
        """What others are told, with a nonce fresh for one table. Raises BadName."""
        nonce = self.rng(NONCE_BYTES)
        person = Person(self.identity.public, check_name(self.name), nonce)
        return Neighbour(person, self.listeners.addresses)
