"""The program with secrets and tiles of a seat that is not there, in every form, in its memory.

    python -m support.process.planted_seat host ...

It writes where small numbers and tiles lie in it (`Addresses`) to the file that ALLFIVES_ADDRESSES
names.
"""

import os
import sys
from pathlib import Path

from support.searching.forms import MANY, RUN, Addresses, objects_of, objects_of_hand
from support.searching.told import Secret, kept_of
from support.session.deck_table import context_of, seeded

from cli.__main__ import main
from p2p.crypto.challenge import Challenge
from p2p.crypto.group import multiply_base
from p2p.crypto.nonces import Nonces
from p2p.deck.keys import DealSecret


def planted_secrets() -> list[Secret]:
    """A deal's secrets, a permutation, a scalar and a share."""
    context, rng = context_of(), seeded("planted")
    nonces = Nonces(Challenge(context, 1, b"", b"planted"), b"", rng)
    return [
        *kept_of(context.deal, DealSecret.make(context, 1, rng)),
        Secret("permutation", 0, tuple(nonces.permutation(28))),
        Secret("scalar", 0, nonces.next()),
        Secret("share", 0, multiply_base(nonces.next()).raw),
    ]


def planted_hand() -> dict[int, int]:
    """Tiles by slot, of which RUN lie in a row."""
    order = Nonces(Challenge(context_of(), 1, b"", b"hand"), b"", seeded("hand")).permutation(28)
    return {slot: order[slot] - 1 for slot in (*range(RUN), *range(RUN + 1, RUN + 2 * MANY, 2))}


if __name__ == "__main__":
    kept = [objects_of(secret) for secret in planted_secrets()]
    kept.append(objects_of_hand(planted_hand()))
    Path(os.environ["ALLFIVES_ADDRESSES"]).write_text(Addresses.here().to_line())
    sys.exit(main())
