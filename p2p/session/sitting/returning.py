"""Coming back: a sitting that goes on from what was kept, and when it may sign something new.

A disk may be older than what its peer has said: a copy that was put back, a second machine. So
nothing is signed before each linked seat has said what it holds, and that is here too. If it holds
something signed by this seat that is not, the session finds out when it comes.
"""

from p2p.crypto.identity import IdentityKey
from p2p.crypto.randomness import RandomBytes
from p2p.session.restoring import Kept, restore
from p2p.session.session import Session
from p2p.session.sitting.sitting import Sitting
from p2p.session.state.table import Table

# An honest seat sends what it holds at once. One that says that it holds what never comes is not
# waited for: it has nothing to show.
SHOW_SECONDS = 10.0


def come_back(
    kept: Kept, table: Table, first: Table, identity: IdentityKey, rng: RandomBytes
) -> Sitting:
    """The sitting of the match at `table`, over links that were made for the table `first`.

    Raises NotRestorable.
    """
    session = restore(kept, table, identity, rng)

    def make(at: Table, identity: IdentityKey, rng: RandomBytes) -> Session:
        return session if at is table else Session(at, identity, rng)

    return Sitting(table, identity, rng, make, first)
