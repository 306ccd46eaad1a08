"""What happened, as the screen keeps it: the lines of the log, and the proofs of the deck."""

from collections.abc import Iterable, Sequence
from typing import Final

from cli.table.port import Spoke, Told
from cli.telling.pages import ProvenStep
from cli.telling.phrases import does, plural
from cli.telling.scene import Scene
from engine.events import Drawn
from p2p.session.sitting import owner
from p2p.session.state.events import DeckStep, InHand, SessionEvent

# What is told beside the events of the match.
BESIDE: Final = (
    Told
    | Spoke
    | owner.Chatted
    | owner.Remarked
    | owner.Outdone
    | owner.AgainWanted
    | owner.Offered
)
# What is told in the note too.
NOTED: Final = (
    owner.Alone
    | owner.Away
    | owner.Back
    | owner.OutWished
    | owner.Slept
    | owner.Hushed
    | owner.Onlooker
    | owner.Unlinked
)
_KEPT_LINES: Final = 500


class Chronicle:
    """The log, its latest line last, and the `proofs` with the seconds that each took to come."""

    def __init__(self, now: float) -> None:
        self.lines: tuple[str, ...] = ()
        self.proofs: list[ProvenStep] = []
        self._last_proof = now
        self._draws = 0  # by one other seat, in a row
        self._waits: tuple[str, ...] = ()  # told of the decision that is waited for

    def begin(self, lines: Sequence[str], proofs: Iterable[DeckStep]) -> None:
        """All that happened before, in a program that has ended or before one came."""
        self.proofs += [ProvenStep(proof) for proof in proofs]
        self.note(*lines)

    def note(self, *lines: str) -> None:
        """More lines."""
        self.lines = (*self.lines, *lines)[-_KEPT_LINES:]

    def overtake(self, line: str, now: str | None) -> None:
        """That line holds no more: in its place stands how it is `now`, or nothing."""
        changed = (now if one == line else one for one in self.lines)
        self.lines = tuple(one for one in changed if one is not None)

    def wait(self, *lines: str) -> None:
        """Lines on whom the match waits for: what was told before on the same decision goes."""
        kept = tuple(line for line in self.lines if line not in self._waits)
        self.lines = (*kept, *lines)[-_KEPT_LINES:]
        self._waits = lines

    def hear(self, event: SessionEvent, lines: Sequence[str], scene: Scene, now: float) -> None:
        """An event, which the scene has taken into account, and the lines that tell it; what
        another draws is one line."""
        if isinstance(event, DeckStep):
            self.proofs.append(ProvenStep(event, now - self._last_proof))
            self._last_proof = now
        elif lines:
            self._waits = ()
        match event:
            case InHand(event=Drawn(seat=seat), tile=None):
                self._draws += 1
                if self._draws > 1:
                    who, left = does(scene, seat, "draw"), plural(scene.drawable, "tile")
                    self.lines = self.lines[:-1]
                    self.note(f"{who} {plural(self._draws, 'tile')}, {left} left to draw.")
                    return
            case _:
                self._draws = 0
        self.note(*lines)
