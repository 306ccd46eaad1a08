"""What a host may do in plain lines while the table fills."""

from collections.abc import Callable
from typing import Final

from cli.table.known import Known
from cli.table.port import Admit, Refuse, SitWith, Wants
from cli.telling.room import Room
from engine.wording import quoted

LOT: Final = "lot"


class Hosting:
    """The host's words; `show` prints lines."""

    def __init__(self, known: Known, wants: Wants, show: Callable[[str], None]) -> None:
        self._known, self._wants, self._show = known, wants, show

    def refuse(self, name: str) -> None:
        """Send somebody away."""
        room = self._hosted()
        if room is not None:
            one = room.named(name)
            if one is None:
                self._nobody(name)
            else:
                self._wants(Refuse(one.key))

    def admit(self, name: str) -> None:
        """Let somebody sit again."""
        room = self._hosted()
        if room is not None:
            one = room.kept_out(name)
            if one is None:
                self._show(f"Nobody of the name {quoted(name)} waits to sit again.")
            else:
                self._wants(Admit(one.key))
                self._show(f"{one.name} may join again.")

    def sit_with(self, name: str) -> None:
        """Play with somebody, or by lot."""
        room = self._hosted()
        if room is not None:
            one = room.named(name)
            if not room.partners:
                self._show("At this table everybody plays alone.")
            elif one is None and name != LOT:
                self._nobody(name)
            else:
                self._wants(SitWith(None if one is None else one.key))

    def _hosted(self) -> Room | None:
        """The room, if this is its host and the match has not begun; else says so."""
        if self._known.hosted is None:
            self._show("Only the host does that, and only before the match begins.")
        return self._known.hosted

    def _nobody(self, name: str) -> None:
        self._show(f"Nobody of the name {quoted(name)} is at the table; type who to see them.")
