"""Invites: one line with all that is needed to join a table, to be pasted into a message."""

import base64
import binascii
import re
from dataclasses import dataclass, field

from p2p.crypto.identity import KEY_BYTES, BadKey, check_public_key
from p2p.crypto.randomness import RandomBytes
from p2p.net.errors import BadInvite, NoInvite
from p2p.net.link.addresses import ADDRESSES_MOST, invited
from p2p.wire import codec

INVITE_PREFIX = "allfives:"
SECRET_BYTES = 16
_LETTERS = re.compile(r"[A-Za-z0-9_-]{1,4000}")


@dataclass(frozen=True)
class Invite:
    """The host's whole raw key (32 bytes), a secret of 128 bits, "host:port" addresses, where
    a host may be a name."""

    host_key: bytes
    secret: bytes = field(repr=False)
    addresses: tuple[str, ...]

    def line(self) -> str:
        """The line: a prefix, then base64url (RFC 4648, section 5; no padding) of the list."""
        packed = codec.encode([self.host_key, self.secret, self.addresses])
        return INVITE_PREFIX + base64.urlsafe_b64encode(packed).rstrip(b"=").decode()


def make_invite_secret(rng: RandomBytes) -> bytes:
    """A fresh secret of 16 bytes."""
    return rng(SECRET_BYTES)


def printed(invite: Invite) -> str:
    """The line of an invite to give away, read back as who gets it will. Raises NoInvite."""
    line = invite.line()
    try:
        same = parse_invite(line) == invite
    except BadInvite:
        same = False
    if not same:
        raise NoInvite
    return line


def is_invite(written: str) -> bool:
    """Whether a word typed by a person is meant as an invite."""
    return written.strip().startswith(INVITE_PREFIX)


def parse_invite(line: str) -> Invite:
    """The invite of a pasted line. Raises BadInvite for anything but a whole one."""
    letters = line.strip().removeprefix(INVITE_PREFIX)
    if not is_invite(line) or not _LETTERS.fullmatch(letters):
        raise BadInvite
    try:
        packed = base64.b64decode(letters + "=" * (-len(letters) % 4), b"-_", validate=True)
        invite = _read(codec.decode(packed, codec.STRANGER))
    except (binascii.Error, codec.DecodeError, BadKey):
        raise BadInvite from None
    if invite.line() != INVITE_PREFIX + letters:
        raise BadInvite
    return invite


def _read(value: object) -> Invite:
    host_key, secret, addresses = codec.fields(value, bytes, bytes, list)
    codec.octets(host_key, KEY_BYTES)
    check_public_key(host_key)
    codec.octets(secret, SECRET_BYTES)
    return Invite(host_key, secret, tuple(codec.list_of(addresses, invited, 1, ADDRESSES_MOST)))
