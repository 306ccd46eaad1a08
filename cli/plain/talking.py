"""What is said to the others in plain lines, and whose lines are not shown."""

from collections.abc import Callable
from typing import Final

from cli.table.known import Known
from cli.table.port import Wants
from cli.telling.ask import NOBODY_HERE
from engine.wording import listed
from p2p.session.sitting import owner

SAY_WHAT: Final = "Type say and the words, as say hello."


class Talking:
    """The words about talking; `show` prints lines."""

    def __init__(self, known: Known, wants: Wants, show: Callable[[str], None]) -> None:
        self._known, self._wants, self._show = known, wants, show

    def say(self, words: str) -> None:
        """Write a line to everybody at the table."""
        room = self._known.room
        if not self._known.players and (room is None or not room.others):
            self._show(NOBODY_HERE)
        elif not words:
            self._show(SAY_WHAT)
        else:
            self._wants(owner.Say(words))

    def mute(self, name: str) -> None:
        """Mute whoever has that name, or who sits across where there is one other."""
        others = [one for one in self._known.players if one.seat != self._known.scene.me]
        meant = [one for one in others if not name or one.name.casefold() == name.casefold()]
        if len(meant) == 1:
            self._show(self._known.mute(meant[0].seat))
        elif not others:
            self._show("There is nobody to mute yet.")
        else:
            whom = listed([one.name for one in others], "or")
            self._show(f"Type mute and the name: {whom}.")
