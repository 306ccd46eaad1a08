"""What a verifier reports (17, point 6)."""

from dataclasses import asdict, dataclass, field
from typing import Any

from second.match.state import Absent, Proven


@dataclass(frozen=True)
class Fault:
    """Who broke the protocol, in which hand begun, by which frame behind the first."""

    seat: int
    hand: int
    message: int


@dataclass(frozen=True)
class Verdict:
    """exit: 0 closed, 3 decided, 1 faulty or undecided, 2 unreadable (`why` says what)."""

    exit: int
    why: str = ""
    table: bytes = b""
    decided: bool = False
    closed: bool = False
    faulty: bool = False
    unsigned: tuple[int, ...] = ()
    fault: Fault | None = None
    absent: tuple[Absent, ...] = ()
    winners: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    hands: int = 0
    messages: int = 0
    proofs: Proven = field(default_factory=Proven)

    @property
    def ok(self) -> bool:
        """Closed, and without fault."""
        return self.exit == 0

    def json(self) -> dict[str, Any]:
        """Keys and values as `allfives verify --json` prints them, names left out."""
        if self.exit == 2:
            return {}
        return {
            "ok": self.ok,
            "decided": self.decided,
            "closed": self.closed,
            "unsigned": list(self.unsigned),
            "table": self.table.hex(),
            "hands": self.hands,
            "messages": self.messages,
            "proofs": asdict(self.proofs),
            "fault": asdict(self.fault) if self.fault else None,
            "absent": [
                {"seat": a.seat, "hand": a.hand, "reason": a.reason, "by": list(a.by)}
                for a in self.absent
            ],
            "winners": list(self.winners),
            "scores": list(self.scores),
        }
