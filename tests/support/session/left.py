"""Matches in a store as a killed program leaves them."""

from collections.abc import Sequence
from hashlib import sha256

from support.session.tables import Game

from p2p.net.link.roster import Neighbour
from p2p.session.output import Batch
from p2p.store import Store, WayBack
from p2p.wire.codec import encode
from p2p.wire.talk import Done, Leave, make_word

# Of each: one as programs exchange it, and one that a person typed to come there.
PLACES = ("127.0.0.1:9", "[fe80::1%eth0]:9")


def leave_match(
    store: Store,
    game: Game,
    outputs: int | None = None,
    notes: str = "{}",
    left: Sequence[int] = (),
    whole: Sequence[int] = (),
) -> bytes:
    """What seat 0 has kept after so many of its outputs, or after all; `left` are the seats that
    have said that they leave, `whole` those that have the whole record. Returns the id of the
    table."""
    session, table = game.sessions[0], game.sessions[0].table
    roster = [
        Neighbour(person.key, person.name, person.owner, PLACES).value() for person in table.people
    ]
    back = WayBack(0, table.description, b"s" * 32, encode(roster), 5525, notes)
    names = [player.name for player in table.players]
    store.open_match(table.id, table.description, names, "den", back)
    for output in game.outputs[0][:outputs]:
        store.commit(table.id, output.batch)
    keys = [one._identity for one in game.sessions]
    words = tuple(make_word(keys[seat], table.id, seat, 0, Leave()) for seat in left)
    done = Done(sha256(session.record()).digest()) if whole else None
    words += tuple(make_word(keys[seat], table.id, seat, 0, done) for seat in whole if done)
    store.commit(table.id, Batch(words=words))
    assert session.seat == 0
    return table.id
