"""What somebody wants of a match in plain lines: a pause, another match, to leave, to go on without
somebody. What cannot be undone is asked first."""

from collections.abc import Callable

from cli.process.answers import yes_or_no
from cli.table.known import Known
from cli.table.port import Leave, Wants, Wish
from cli.telling.ask import (
    AGAIN_ASKED,
    NOBODY_WAITED,
    go_on_without,
    leave_match,
    leave_people,
)
from cli.telling.links import may_go_on
from p2p.session.sitting import owner


class Wishing:
    """The words about them; `show` prints lines."""

    def __init__(self, known: Known, wants: Wants, show: Callable[[str], None]) -> None:
        self._known, self._wants, self._show = known, wants, show
        self._confirms: tuple[Wish, str] | None = None

    def confirmed(self, line: str) -> bool:
        """Whether a line answers the question that is open: whoever types something else has gone
        on, and stays."""
        if self._confirms is None:
            return False
        (wish, stays), self._confirms = self._confirms, None
        said = yes_or_no(line)
        if said:
            self._wants(wish)
        else:
            self._show(stays)
        return said is not None or not line.strip()

    def put_out(self, name: str) -> None:
        """Go on without whoever has that name, or is waited for alone; asks first."""
        waited = [one for one in self._known.players if one.seat in self._known.waited]
        meant = [one for one in waited if not name or one.name.casefold() == name.casefold()]
        if not meant:
            self._show(NOBODY_WAITED)
        else:
            self._confirms = owner.PutOut(meant[0].seat), "You wait on."
            self._show(go_on_without(meant[0].name, "Type yes to want it, Enter to wait on."))

    def about(self, notice: owner.Waiting | owner.OutWished) -> list[str]:
        """What can be typed about somebody who is waited for too long."""
        known = self._known
        if not known.plays or not may_go_on(notice, known.scene.me):
            return []
        agrees = isinstance(notice, owner.OutWished)
        return ["Type out to agree." if agrees else "Type out to choose that; it asks first."]

    def ask_to_leave(self) -> None:
        """Leave; where somebody is left by it, asks first."""
        known, how = self._known, "Type yes to leave, Enter to stay."
        if known.offered:
            self.leave()
        elif known.scene.players:
            self._confirms = Leave(), "You stay."
            self._show(leave_match(known.parting, how, "the word pause"))
        elif known.room is not None and known.room.people_left:
            names = [one.name for one in known.room.people_left]
            self._confirms = Leave(), "You stay."
            self._show(leave_people(names, known.room.hosts, how))
        else:
            self.leave()

    def leave(self) -> None:
        """Leave at once."""
        self._wants(Leave())

    def pause(self, on: bool) -> None:
        """Want a pause, or none any more."""
        if not self._known.players or self._known.offered:
            self._show("There is no match to pause now.")
        elif on == self._known.wants_pause:
            self._show("You ask for a pause already." if on else "You have asked for no pause.")
        else:
            self._wants(owner.Pause(on))

    def again(self) -> None:
        """Want another match."""
        if not self._known.offered:
            self._show("Another match can be asked for when this one is over.")
        else:
            self._wants(owner.Again())
            self._show(AGAIN_ASKED)
