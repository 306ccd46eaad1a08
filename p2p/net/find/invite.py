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
# What may stand before it: the host's screen shows the whole line to type.
_COMMANDS = ("", "join", "allfivesjoin")
SECRET_BYTES = 16
# What copying puts into a line: white space and line breaks of any kind, marks of quoting, and what
# terminals and messengers draw around a text. None of it is a letter of an invite.
_ADDED = re.compile(
    r"[\s\u00ad\u200b-\u200f\u2060\ufeff\"'`\u2018-\u201f\u00ab\u00bb<>()\[\]|\u2502.,;]+"
)
# Keyboards of telephones begin a line with a capital.
_PREFIX = re.compile(INVITE_PREFIX, re.IGNORECASE)
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
    """Whether what a person typed or pasted is meant as an invite; the command before it, which
    copying may take along, does no harm."""
    return _PREFIX.search(_ADDED.sub("", written)) is not None


def parse_invite(line: str) -> Invite:
    """The invite of a pasted text. Raises BadInvite for anything but a whole one."""
    before, *rest = _PREFIX.split(_ADDED.sub("", line), maxsplit=1)
    letters = "".join(rest)
    if before.lower() not in _COMMANDS or not _LETTERS.fullmatch(letters):
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
