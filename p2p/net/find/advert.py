"""What a table tells the network about itself, and reading it back from anybody's bytes."""

from dataclasses import dataclass

from engine.seats import MAX_SEATS, MIN_SEATS
from p2p.session.state.table import BadName, check_name
from p2p.wire.codec import DecodeError
from p2p.wire.envelope import VERSION


@dataclass(frozen=True)
class Advert:
    """What a table tells the network. `rules`: the preset's name."""

    name: str
    host: str
    players: int
    seated: int
    rules: str
    open: bool
    version: int = VERSION

    def properties(self) -> dict[str, str]:
        """The TXT record's pairs."""
        return {
            "name": self.name,
            "host": self.host,
            "players": str(self.players),
            "seated": str(self.seated),
            "rules": self.rules,
            "open": "1" if self.open else "0",
            "version": str(self.version),
        }


def parse_advert(properties: dict[bytes, bytes | None]) -> Advert:
    """The advert of a received TXT record. Raises DecodeError."""
    try:
        pairs = {key.decode(): (value or b"").decode() for key, value in properties.items()}
        advert = Advert(
            check_name(pairs["name"]),
            check_name(pairs["host"]),
            _number(pairs["players"], MIN_SEATS, MAX_SEATS),
            _number(pairs["seated"], 0, MAX_SEATS),
            check_name(pairs["rules"]),
            {"0": False, "1": True}[pairs["open"]],
            _number(pairs["version"], 0, 999),
        )
    except (UnicodeDecodeError, KeyError, BadName):
        raise DecodeError("an announcement that cannot be read") from None
    return advert


def _number(written: str, low: int, high: int) -> int:
    if not (written.isascii() and written.isdigit() and len(written) < 4):
        raise DecodeError("an announcement with a number that is none")
    if not low <= int(written) <= high:
        raise DecodeError("an announcement with a number out of range")
    return int(written)
