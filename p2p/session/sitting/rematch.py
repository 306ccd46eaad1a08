"""Another match of the same people, once everybody has asked for it.

Who asks is bound to a fresh nonce for the next table by a commitment; when all are bound, all show
their nonces, so nobody chooses the order of the seats. Then everybody makes the same table
description of them; nobody hands it out.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

from engine.wording import listed
from p2p.crypto.randomness import NONCE_BYTES, RandomBytes
from p2p.session.sitting.words import Words
from p2p.session.state.errors import Suspicion
from p2p.session.state.table import Person, Table, nonce_commitment
from p2p.wire.talk import Bind, Nonce, Saying, Word, encode_talk, table_of

# What somebody may say at the next table before the last of us has heard that it is open: the
# agreement of each seat, what it holds, and some lines.
MAX_EARLY_A_SEAT = 32
# The seats of the next match come from the nonces of all; without one of them they would be the
# choice of whoever left, or was left out.
_NEW_TABLE = "Who stays can play on at a new one that one of you opens: `allfives host`."
# The right one may come by another way.
WRONG_SECONDS = 5.0


def no_other(left: Sequence[str], unheard: Sequence[str], stay: int) -> str:
    """Why there is no other match: the names of those who have said that they leave, and of those
    who are only not heard, if that is why; and what the others can do, if `stay` are more than
    one."""
    gone = f"{listed(left)} {'have' if len(left) > 1 else 'has'} left" if left else ""
    away = f"{listed(unheard)} {'are' if len(unheard) > 1 else 'is'} not there" if unheard else ""
    why = " and ".join(filter(None, (gone, away))) or "It ended early"
    rest = f", which takes all who sat here. {_NEW_TABLE}" if stay > 1 and (gone or away) else "."
    return f"{why}, so there is no other match at this table{rest}"


def two_faced(name: str) -> str:
    """Why there is no other match if somebody is bound to nothing."""
    return (
        f"{name} said two different things for the next match, which proves that it wanted to "
        "choose the order of the seats. So there is no other match at this table."
    )


class Rematch:
    """Who of a table wants another match, by their words, and the table that all nonces make."""

    def __init__(self, before: Table, me: int, words: Words) -> None:
        self._before, self._me, self._words = before, me, words
        self._nonce: bytes | None = None
        self._wrong_since: dict[int, float] = {}

    @property
    def wanting(self) -> frozenset[int]:
        """The seats that have asked, the own one too."""
        return frozenset(seat for seat in self._before.seats if self._words.all_of(seat, Bind))

    @property
    def shown(self) -> frozenset[int]:
        """The seats that have shown a nonce."""
        return frozenset(seat for seat in self._before.seats if self._words.all_of(seat, Nonce))

    def want(self, rng: RandomBytes) -> Bind:
        """The own wish, to be said."""
        self._nonce = rng(NONCE_BYTES)
        key = self._before.people[self._me].key
        return Bind(nonce_commitment(self._before.id, key, self._nonce))

    def due(self) -> Saying | None:
        """The own nonce, once all are bound and it is not shown yet."""
        ready = self._nonce is not None and self.wanting == set(self._before.seats)
        if not ready or self._me in self.shown or self._nonce is None:
            return None
        return Nonce(self._nonce)

    def liar(self, now: float) -> int | None:
        """A seat that is bound to two nonces, or has long shown only one that it is not bound to.

        Somebody who shows two goes on with everybody, by the one that is bound: if each named it
        at once, those who have heard the right one first would sit at a table without the others.
        """
        for seat in self._before.seats:
            if len(self._words.all_of(seat, Bind)) > 1:
                return seat
            if not self._words.all_of(seat, Nonce) or self._shown_by(seat) is not None:
                self._wrong_since.pop(seat, None)
            elif now - self._wrong_since.setdefault(seat, now) >= WRONG_SECONDS:
                return seat
        return None

    def agreed(self) -> tuple[Word, ...]:
        """What all have said by which the next table is made."""
        kinds = (Bind, Nonce)
        return tuple(
            word
            for seat in self._before.seats
            for kind in kinds
            for word in self._words.all_of(seat, kind)[:1]
        )

    def _shown_by(self, seat: int) -> bytes | None:
        """The nonce that a seat has shown and is bound to."""
        key = self._before.people[seat].key
        binds = [word.said for word in self._words.all_of(seat, Bind)]
        for word in self._words.all_of(seat, Nonce):
            said = word.said
            assert isinstance(said, Nonce), "a word of another kind"
            if Bind(nonce_commitment(self._before.id, key, said.nonce)) in binds[:1]:
                return said.nonce
        return None

    def table(self) -> Table | None:
        """The next table: same rules and people, with partners the same sides. None: not all
        have asked and shown their nonces."""
        before = self._before
        people: list[Person] = []
        for seat, person in enumerate(before.people):
            nonce = self._shown_by(seat)
            if nonce is None or len(self._words.all_of(seat, Bind)) > 1:
                return None
            people.append(replace(person, nonce=nonce))
        side = [person.key for person in people[::2]] if before.rules.partners else ()
        return Table.seat_people(before.rules, tuple(people), side, before.terms)


class Before:
    """The table before this one, if there was one, and the `words` there that made this one of it:
    who has not heard them all still sits there, and gets them over each new link."""

    def __init__(self) -> None:
        self.table: bytes | None = None
        self.words: tuple[Word, ...] = ()
        self._payloads: tuple[bytes, ...] = ()
        self._behind: set[int] = set()

    def follow(self, table: bytes, words: tuple[Word, ...], places: Collection[int]) -> None:
        """Another table follows that one, for those at these link places."""
        self.words = words
        self._note(table, tuple(map(encode_talk, words)), places)

    def recall(self, payloads: tuple[bytes, ...], places: Collection[int]) -> None:
        """The same from what a store kept of it."""
        if payloads:
            self._note(table_of(payloads[0]), payloads, places)

    def _note(self, table: bytes, payloads: tuple[bytes, ...], places: Collection[int]) -> None:
        self.table, self._payloads, self._behind = table, payloads, set(places)

    def heard(self, place: int) -> None:
        """Somebody there sits at this table."""
        self._behind.discard(place)

    def owed(self, place: int) -> tuple[bytes, ...]:
        """What goes first over a new link."""
        return self._payloads if place in self._behind else ()


class Early:
    """What came for the next table before it was open, by link place, in order."""

    def __init__(self) -> None:
        self._kept: list[tuple[int, bytes]] = []

    def add(self, place: int, payload: bytes) -> None:
        """Keep a payload. Raises Suspicion if there were too many."""
        if sum(one == place for one, _ in self._kept) >= MAX_EARLY_A_SEAT:
            raise Suspicion("too much before the next match was open")
        self._kept.append((place, payload))

    def take(self) -> list[tuple[int, bytes]]:
        """All of it; nothing is kept any more."""
        kept, self._kept = self._kept, []
        return kept
