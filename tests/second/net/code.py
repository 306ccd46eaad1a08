"""Codes and invites (6.2)."""

import base64
import unicodedata
from dataclasses import dataclass

from second.refusing import RefusedError, demand
from second.wire.ed25519 import usable
from second.wire.values import STRANGER, decode, encode, listed, octets, text

PREFIX = "allfives:"


def normal_form(code: str) -> str:
    """The one spelling of a code, as it is agreed on."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", code).casefold())
    words = folded.replace("-", " ").replace("_", " ").split()
    result = "-".join(words)
    demand(bool(words) and len(result) <= 64, "no code")
    letters = (unicodedata.category(letter)[0] in "LN" for word in words for letter in word)
    demand(all(letters), "a code has letters and digits")
    return result


@dataclass(frozen=True)
class Invite:
    """What an invite holds."""

    key: bytes
    secret: bytes
    addresses: tuple[str, ...]

    @property
    def line(self) -> str:
        """Its one spelling."""
        value = encode([self.key, self.secret, list(self.addresses)])
        return PREFIX + base64.urlsafe_b64encode(value).decode().rstrip("=")


def invite_of(line: str) -> Invite:
    """The invite of a line."""
    demand(line.startswith(PREFIX) and len(line) <= 4000 + len(PREFIX), "no invite")
    letters = line.removeprefix(PREFIX)
    try:
        data = base64.b64decode(letters + "=" * (-len(letters) % 4), b"-_", validate=True)
    except ValueError as error:
        raise RefusedError("no invite") from error
    key, secret, addresses = listed(decode(data, STRANGER), 3)
    listed_addresses = tuple(text(address) for address in listed(addresses))
    demand(1 <= len(listed_addresses) <= 16, "no addresses")
    invite = Invite(usable(octets(key, 32)), octets(secret, 16), listed_addresses)
    demand(invite.line == line, "another spelling")
    return invite
