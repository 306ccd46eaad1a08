"""Signed words of talk: each is taken once, the newest of a kind stands, and those that still
matter are said again on a new link.

Everybody takes the same words for good, and passes them on; so what one seat says too much of is
dropped here, and no link of a third is flooded with it.
"""

from collections import OrderedDict
from collections.abc import Iterator

from p2p.bucket import Bucket
from p2p.session.listening import Listening
from p2p.session.session import Session
from p2p.wire.talk import Bind, Chat, Leave, Nonce, Saying, Word

# Of a seat: what a peer that lost its links may say again at once, and then what people write.
WORDS_AT_ONCE = 40
WORDS_A_SECOND = 4
# Lines of chat of a seat that are kept, for who was away.
LINES_KEPT = 20
# Of which the first stands, and a second one is worth keeping: it shows what its signer does.
_BINDING = (Bind, Nonce)


class Words:
    """The words of a match, of all seats, the own one too."""

    def __init__(self, session: Listening) -> None:
        """`session`: of a seat, or of who only looks on and says none."""
        self._session = session if isinstance(session, Session) else None
        self._known = session.course.known
        self._newest: dict[tuple[int, str], Word] = {}
        self._lines: dict[int, OrderedDict[int, Word]] = {
            seat: OrderedDict() for seat in session.table.seats
        }
        self._bound: dict[tuple[int, str], list[Word]] = {}
        self._paces = {seat: Bucket(WORDS_A_SECOND, WORDS_AT_ONCE) for seat in session.table.seats}

    def say(self, said: Saying) -> Word:
        """The own next word of that kind."""
        assert self._session is not None, "who looks on says no word"
        newest = self._newest.get((self._session.seat, said.kind))
        word = self._session.word(0 if newest is None else newest.number + 1, said)
        self.keep(word)
        return word

    def may_say(self, now: float) -> bool:
        """Whether the others will still take a word of the owner."""
        assert self._session is not None, "who looks on says no word"
        return self._paces[self._session.seat].take(1, now)

    def take(self, word: Word, now: float) -> bool:
        """Keep a word of anybody; False if it is not new, or one too many of its seat."""
        own = self._session is not None and word.seat == self._session.seat
        if not self._is_new(word) or not (own or self._paces[word.seat].take(1, now)):
            return False
        self.keep(word)
        return True

    def _is_new(self, word: Word) -> bool:
        newest = self._newest.get((word.seat, word.said.kind))
        if newest is None:
            return True
        if isinstance(word.said, Chat):
            # Lines come by several ways; one that is older than those kept is lost.
            lines = self._lines[word.seat]
            return word.number not in lines and word.number > newest.number - LINES_KEPT
        if isinstance(word.said, _BINDING):
            kept = self._bound[word.seat, word.said.kind]
            return len(kept) < 2 and all(one.said != word.said for one in kept)
        if isinstance(word.said, Leave):
            # The first stands, and whatever others have named in votes.
            return self._known.wants(word.id)
        return word.number > newest.number

    def keep(self, word: Word) -> None:
        """Keep a word that is new, or was taken before this program ended."""
        key = (word.seat, word.said.kind)
        if isinstance(word.said, Chat):
            lines = self._lines[word.seat]
            lines[word.number] = word
            if len(lines) > LINES_KEPT:
                del lines[min(lines)]
        elif isinstance(word.said, _BINDING):
            self._bound.setdefault(key, []).append(word)
        newest = self._newest.get(key)
        if newest is None or (word.number > newest.number and not isinstance(word.said, Leave)):
            self._newest[key] = word

    def newest(self, seat: int, kind: type[Saying]) -> Word | None:
        """The last word of that kind of a seat; of a leave, the first."""
        return self._newest.get((seat, kind.kind))

    def all_of(self, seat: int, kind: type[Bind] | type[Nonce]) -> tuple[Word, ...]:
        """The words of a kind that binds: more than one where a seat said different things."""
        return tuple(self._bound.get((seat, kind.kind), ()))

    def that_matter(self) -> Iterator[Word]:
        """What is said again on a new link, in an order in which it makes sense."""
        for lines in self._lines.values():
            yield from (lines[number] for number in sorted(lines))
        for bound in self._bound.values():
            yield from bound
        for word in self._newest.values():
            if not isinstance(word.said, Chat | Bind | Nonce):
                yield word
