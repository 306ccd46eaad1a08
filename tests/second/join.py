"""`python -m second.join INVITE` or `ADDRESS CODE`: play a match at a table of the program.

It plays the first legal move that comes, dials the other seats and listens nowhere, and ends with
the record (`--record FILE`), whose SHA-256 it prints. The exit code is that of section 17.
"""

import argparse
import hashlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import trio
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from second.match.match import Match
from second.net.code import PREFIX, Invite, invite_of, normal_form
from second.net.connection import CONNECTION_ERRORS, Connection, RefusedByPeerError, dial
from second.net.door import Lobby, Start, knock
from second.net.links import Dialler
from second.net.seat import Seat
from second.play.player import Player
from second.record.verify import check
from second.wire.ed25519 import public

TRIES, AGAIN_SECONDS = 5, 2.0


def tell(line: str) -> None:
    """A line for whoever watches."""
    print(line, flush=True)


async def reached(addresses: Sequence[str], key: bytes | None) -> Connection:
    """The first address that answers properly."""
    for address in addresses:
        try:
            return await dial(address, key)
        except CONNECTION_ERRORS as error:
            tell(f"{address}: {error}")
    raise OSError("nobody answers")


async def sit(where: str, code: str, private: Ed25519PrivateKey, name: str) -> Start:
    """A seat, at the table of an invite or at an address with a code."""
    invite: Invite | None = invite_of(where) if where.startswith(PREFIX) else None
    if invite is not None:
        connection = await reached(invite.addresses, invite.key)
        await knock(connection, private, "invite", b"invite\0" + invite.secret)
        addresses = invite.addresses
    else:
        connection = await reached([where], None)
        password = b"code\0" + normal_form(code).encode()
        await knock(connection, private, "code", password)
        addresses = (where,)
    start = await Lobby(connection, public(private), name).run()
    await trio.aclose_forcefully(connection.stream)
    known = start.addresses.get(connection.key, ())
    start.addresses[connection.key] = tuple(dict.fromkeys((*addresses, *known)))
    return start


async def seated(where: str, code: str, private: Ed25519PrivateKey, name: str) -> Start:
    """A seat, asked for again where a slow machine was late (the host says "busy", or closes)."""
    for _ in range(TRIES - 1):
        try:
            return await sit(where, code, private, name)
        except CONNECTION_ERRORS as error:
            tell(f"once more: {error}")
        except RefusedByPeerError as error:
            if "busy" not in str(error):
                raise
            tell("once more: busy")
        await trio.sleep(AGAIN_SECONDS)
    return await sit(where, code, private, name)


async def play(where: str, code: str, name: str) -> bytes:
    """Join, play, and return the record; a table that never began is joined anew."""
    private = Ed25519PrivateKey.from_private_bytes(os.urandom(32))
    for _ in range(TRIES):
        start = await seated(where, code, private, name)
        dialler = Dialler(start, private)
        tell(f"seat {dialler.seat} at table {start.table.id.hex()}")
        player = Player(Match(start.table), dialler.seat, private)
        record = await Seat(player, dialler, tell).run()
        if record:
            return record
        tell("the match never began")
    raise OSError("no match began")


def main(arguments: Sequence[str]) -> int:
    """Play one match."""
    parser = argparse.ArgumentParser(prog="second.join")
    parser.add_argument("where", help="an invite, or IP:PORT")
    parser.add_argument("code", nargs="*", help="the words of the code")
    parser.add_argument("--name", default="Second")
    parser.add_argument("--record", type=Path)
    chosen = parser.parse_args(arguments)
    try:
        record = trio.run(play, chosen.where, " ".join(chosen.code), chosen.name)
    except (*CONNECTION_ERRORS, RefusedByPeerError) as error:
        print(f"No match: {error}", file=sys.stderr)
        return 1
    if chosen.record:
        chosen.record.write_bytes(record)
    verdict = check(record)
    tell(f"record {hashlib.sha256(record).hexdigest()}: {verdict.json()}")
    return verdict.exit


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
