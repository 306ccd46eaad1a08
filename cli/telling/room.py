"""The lobby as a seat shows it: who is here, and what its host may do about them."""

from dataclasses import dataclass
from typing import Final

from cli.telling.phrases import plural
from engine.rules import Rules
from p2p.crypto.identity import fingerprint

TOLD: Final = "all are told when the match begins"
ADMITTED: Final = (
    "{0} may join again, with the same code or invite. Tell {0} so: this program cannot."
)
ONLY_HOST: Final = "Only the host does that, and only before the match begins."


@dataclass(frozen=True)
class Sitter:
    """Somebody at the table: the raw identity key, and the name to show."""

    key: bytes
    name: str


@dataclass(frozen=True)
class Room:
    """A table that fills: `people` in the order in which they came, of `places` in all.

    `own` is one's own key, `partner` whom the host sits with (None: by lot). `hosts`: it is one's
    own table; `bots`: the keys of those that belong to it; `guests`: others come than they;
    `rules` are those of the table. `waiting`: those who were sent away (`sent_away` are their keys)
    or went while the seats were drawn, and sit again only if the host says so.
    """

    people: tuple[Sitter, ...]
    places: int
    own: bytes
    partners: bool = False
    partner: bytes | None = None
    hosts: bool = False
    bots: frozenset[bytes] = frozenset()
    guests: bool = True
    rules: Rules | None = None
    waiting: tuple[Sitter, ...] = ()
    sent_away: frozenset[bytes] = frozenset()

    @property
    def others(self) -> tuple[Sitter, ...]:
        """Everybody but oneself."""
        return tuple(one for one in self.people if one.key != self.own)

    @property
    def people_left(self) -> tuple[Sitter, ...]:
        """Those whom one would leave: not the own bots, which go too."""
        return tuple(one for one in self.others if one.key not in self.bots)

    def may_refuse(self, one: Sitter) -> bool:
        """Whether it is for us to send somebody away: a host does, and keeps the own bots."""
        return self.hosts and one in self.others and one.key not in self.bots

    def named(self, name: str) -> Sitter | None:
        """The other of that name, written in any case."""
        return _of_name(self.others, name)

    def kept_out(self, name: str) -> Sitter | None:
        """The waiting one of that name, written in any case."""
        return _of_name(self.waiting, name)

    def why_not(self, partner: bool) -> str:
        """Why nobody here can be sent away by us, or with `partner` be taken as one; "": somebody
        can."""
        if not self.hosts:
            return ONLY_HOST
        if partner and not self.partners:
            return "At this table everybody plays alone."
        what = "take as your partner" if partner else "send away"
        if not self.others:
            return f"Nobody has come yet whom you could {what}."
        if not partner and not any(map(self.may_refuse, self.others)):
            return "Only your own bots are here, and they keep their seats."
        return ""

    def lines(self, chosen: bytes | None = None) -> tuple[str, ...]:
        """A line a place; ">" marks the one `chosen`."""
        rows = [self._line(at, one, chosen) for at, one in enumerate(self.people, 1)]
        free = self.places - len(self.people)
        if free:
            rows.append(f"  {plural(free, 'seat')} still free")
        rows += [f"  {one.name} {self._why_out(one)}" for one in self.waiting]
        return (*rows, *([self._sides()] if self.partners else []))

    def _why_out(self, one: Sitter) -> str:
        sent = one.key in self.sent_away
        return "was sent away" if sent else "went while the seats were drawn"

    def _line(self, at: int, one: Sitter, chosen: bytes | None) -> str:
        mark = ">" if one.key == chosen else " "
        you = " (you)" if one.key == self.own else ""
        return f"{mark} {at} {one.name}{you}  key {fingerprint(one.key)}"

    def _sides(self) -> str:
        """Who plays with whom; only the host knows it before the table is full."""
        if not self.hosts:
            return f"  Two against two: the host may say who sits together; {TOLD}."
        for one in self.others:
            if one.key == self.partner:
                return f"  Two against two: {one.name} plays with you."
        return "  Two against two: the sides are drawn by lot."


def called(room: Room | None, key: bytes) -> str:
    """What to call the holder of a key while the table fills."""
    if room is not None and key == room.own:
        return "You"
    people = () if room is None else room.people
    return next((one.name for one in people if one.key == key), "Somebody")


def _of_name(people: tuple[Sitter, ...], name: str) -> Sitter | None:
    wanted = name.casefold()
    return next((one for one in people if one.name.casefold() == wanted), None)
