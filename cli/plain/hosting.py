"""What a host may do in plain lines while the table fills."""

from collections.abc import Callable
from typing import Final

from cli.table.known import Known
from cli.table.port import Admit, Opened, Refuse, SitWith, Wants
from cli.telling.room import ONLY_HOST, Room, Sitter
from engine.wording import listed, quoted

LOT: Final = "lot"
COPIED: Final = "That is the invite; where the terminal lets it, it is in the clipboard now."
PRINTED: Final = "That is the invite; here is no clipboard for it."
TO_LOOK_ON: Final = (
    "The match has begun, and nobody joins now; `allfives watch` with this invite looks on."
)
NOBODY_OUT: Final = "Nobody was sent away, or went while the seats were drawn."
SETTLED: Final = "The match has begun: who plays is settled, and nobody is sent away or let in now."


class Hosting:
    """The host's words; `show` prints lines, `clipboard` takes what is copied."""

    def __init__(
        self,
        known: Known,
        wants: Wants,
        show: Callable[[str], None],
        clipboard: Callable[[str], bool],
    ) -> None:
        self._known, self._wants, self._show = known, wants, show
        self._clipboard = clipboard
        self._admitted: set[str] = set()
        # Kept in the match too, at which others may look on.
        self.opened: Opened | None = None

    def refuse(self, name: str) -> None:
        """Send somebody away."""
        one = self._meant(name, False)
        if one is not None:
            self._wants(Refuse(one.key))

    def admit(self, name: str) -> None:
        """Let somebody sit again."""
        room = self._known.hosted
        one = None if room is None else room.kept_out(name)
        if room is None:
            self._show(self._why_none)
        elif one is not None:
            self._admitted.add(name.casefold())
            self._wants(Admit(one.key))
        elif not name:
            names = listed([one.name for one in room.waiting], "or")
            self._show(f"Type admit and the name: {names}." if names else NOBODY_OUT)
        else:
            self._show(self._why_not_out(name, room))

    def _why_not_out(self, name: str, room: Room) -> str:
        """Why there is nobody of that name to be let in again."""
        here = room.named(name)
        if here is not None:
            return f"{here.name} is at the table."
        if name.casefold() in self._admitted:
            return f"You have let {quoted(name)} in again already, who can join now."
        return f"Nobody of the name {quoted(name)} was sent away or went while seats were drawn."

    def sit_with(self, name: str) -> None:
        """Play with somebody, or by lot."""
        if name.lower() == LOT and self._known.hosted is not None and self._known.hosted.partners:
            self._wants(SitWith(None))
        elif (one := self._meant(name, True)) is not None:
            self._wants(SitWith(one.key))

    def copy(self) -> None:
        """The invite, to the clipboard and as a line."""
        opened, begun = self.opened, bool(self._known.players)
        if opened is None or (begun and not self._known.watched):
            self._show("There is an invite to copy only while your own table fills.")
            return
        copied = self._clipboard(opened.invite)
        self._show(opened.invite)
        self._show(COPIED if copied else PRINTED)
        if begun:
            self._show(TO_LOOK_ON)

    @property
    def _why_none(self) -> str:
        """Why nobody may be sent away or let in, without a room that is one's own and fills."""
        return SETTLED if self._known.players else ONLY_HOST

    def _meant(self, name: str, partner: bool) -> Sitter | None:
        """Whom the host means; says so where that is nobody."""
        room = self._known.hosted
        why = self._why_none if room is None else room.why_not(partner)
        one = None if room is None else room.named(name)
        if room is None or why:
            self._show(why)
        elif not name:
            some = [one.name for one in room.others if partner or room.may_refuse(one)]
            names = listed([*some, *([LOT] if partner else [])], "or")
            self._show(f"Type {'partner' if partner else 'refuse'} and the name: {names}.")
        elif one is None:
            self._show(f"Nobody of the name {quoted(name)} is at the table; type who to see them.")
        return None if why else one
