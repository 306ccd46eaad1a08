"""The identity file of a person: name and Ed25519 key, readable by its owner alone.

JSON, one object: {"name": "Ana", "key": 64 hex digits, the RFC 8032 seed}, and "chosen": false as
long as the name is that of the machine's user.
"""

import getpass
import json
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from cli.files import whole
from cli.process.errors import Stop, usage
from engine.wording import quoted_name
from p2p.crypto.identity import IdentityKey, fingerprint
from p2p.session.state.table import NAME_CHARACTERS, BadName, ReservedName, check_name

NAMELESS = "Player"
# Bots are told by their names: nobody else is to be taken for one.
BOT = "Bot "


@dataclass(frozen=True)
class Identity:
    """Who plays here: the name to show, a mere label, and the key that is the identity. `chosen`:
    the person took that name, and not the program."""

    name: str
    key: IdentityKey
    chosen: bool = True

    @property
    def fingerprint(self) -> str:
        """16 hex digits of the key, to compare by eye."""
        return fingerprint(self.key.public)


def own_identity(path: Path) -> Identity:
    """The identity in `path`; a new one, named after the user of the machine, at first start.

    Raises Stop, with what to do, when there is something else.
    """
    if not path.exists():
        new = Identity(name_of_user(), IdentityKey.generate(), chosen=False)
        whole.write_new(path, _text(new))
    try:
        return read_identity(path)
    except Stop as stop:
        raise usage(
            f"{stop.sentence} Move it away; then a new key is made at the next start, or "
            "`allfives id import` takes one that you have exported."
        ) from None


def read_identity(path: Path) -> Identity:
    """The identity in `path`. Raises Stop when it cannot be read or is no identity."""
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise usage(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError:
        raise usage(f"{path} is no identity file.") from None
    try:
        fields = json.loads(text)
        name, key = _kept_name(fields["name"]), bytes.fromhex(fields["key"])
        chosen = fields.get("chosen") is not False
        return Identity(name, IdentityKey.from_private_bytes(key), chosen)
    except (ValueError, TypeError, KeyError, RecursionError):
        # Without the cause: its text could hold the key.
        raise usage(f"{path} is no identity file.") from None


def _kept_name(name: str) -> str:
    """A name that stands in a file; one that has been reserved since is nobody's."""
    try:
        return check_name(name)
    except ReservedName:
        return NAMELESS


def write_identity(path: Path, identity: Identity) -> None:
    """Replace what is in `path`, at once or not at all."""
    whole.replace(path, _text(identity))


def export_identity(identity: Identity, path: Path) -> None:
    """Write a copy to a new file, for another machine."""
    try:
        whole.write_new(path, _text(identity))
    except FileExistsError:
        raise usage(f"{path} is there already; name a new file.") from None
    except OSError as error:
        raise usage(f"{path} cannot be written: {error.strerror}.") from error


def _text(identity: Identity) -> bytes:
    """What stands in the file: the private key too."""
    fields = {"name": identity.name, "key": identity.key.private_bytes().hex()}
    return json.dumps(fields | ({} if identity.chosen else {"chosen": False})).encode() + b"\n"


def checked_name(name: str, whose: str = "your name") -> str:
    """`name` in Unicode normal form C; Stop with the reason if it may not stand at a table.

    `whose`: what it was to be.
    """
    try:
        return check_name(unicodedata.normalize("NFC", name))
    except BadName as error:
        raise usage(f"{quoted_name(name)} cannot be {whose}: {error}.") from None


def checked_person(name: str) -> str:
    """`name` as `checked_name` has it, if it may be one's own; Stop with the reason."""
    checked = checked_name(name)
    if is_bot_name(checked):
        raise usage(f"{quoted_name(name)} cannot be your name: bots are told by such names.")
    return checked


def is_bot_name(name: str) -> bool:
    """Whether a name is one of those by which bots are told."""
    return unicodedata.normalize("NFKC", name).casefold().startswith(BOT.casefold())


def name_of_user() -> str:
    """The name of the user of the machine, if it may stand at a table; else "Player"."""
    try:
        return checked_person(getpass.getuser()[:NAME_CHARACTERS].strip())
    except (Stop, OSError, KeyError):
        return NAMELESS
