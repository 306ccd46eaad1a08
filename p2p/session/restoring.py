"""A session from what its peer kept: it says the very same again, never another for the same step.

What is kept was judged before it was stored, so neither proofs nor signatures are checked twice.
Secrets come from their bytes; what depends on them comes out as before.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from p2p.crypto.errors import Misuse
from p2p.crypto.identity import IdentityKey
from p2p.crypto.randomness import RandomBytes
from p2p.deck.keys import DealSecret
from p2p.session.course import Course
from p2p.session.referee import Referee, two_messages
from p2p.session.session import Session
from p2p.session.state.errors import Fault, Unsettled
from p2p.session.state.past import Archive
from p2p.session.state.table import Table
from p2p.wire.codec import DecodeError, encode
from p2p.wire.envelope import VOTE, Message, open_envelope
from p2p.wire.talk import Done, Leave, Saying, Word, open_word, table_of


class KeptWord(NamedTuple):
    """A word of talk as it is kept: of `seat`, its `number` among those of its kind, signed."""

    seat: int
    kind: str
    number: int
    data: bytes


def _payload(word: KeptWord) -> bytes:
    return encode([Word.kind, word.data])


class NotRestorable(Exception):
    """What is kept of a match does not hold together; the text is one clause."""


@dataclass(frozen=True)
class Kept:
    """All that a store has of a match that did not end.

    `messages` in the order in which they were taken, each with whether it is no part of the match
    and is kept as evidence; the others as in a Batch.
    """

    messages: tuple[tuple[bytes, bool], ...]
    secrets: Mapping[int, bytes] = field(default_factory=dict, repr=False)
    words: tuple[KeptWord, ...] = ()
    grace: Mapping[int, float] = field(default_factory=dict)
    finals: Mapping[int, bytes] = field(default_factory=dict)

    def opened(self) -> tuple[list[Message], list[Message]]:
        """The messages that were taken, and those beside them. Raises NotRestorable."""
        try:
            opened = [(open_envelope(data), refused) for data, refused in self.messages]
        except DecodeError as error:
            raise NotRestorable(str(error)) from None
        taken = [message for message, refused in opened if not refused]
        return taken, [message for message, refused in opened if refused]

    def said(self, table: Table) -> list[Word]:
        """The words, of a seat and kind the newest. Raises NotRestorable."""
        keys, before = [person.key for person in table.people], set(self.before(table))
        said = (word.data for word in self.words if _payload(word) not in before)
        try:
            return [open_word(data, table.id, keys) for data in said]
        except DecodeError as error:
            raise NotRestorable(str(error)) from None

    def before(self, table: Table) -> tuple[bytes, ...]:
        """What was said at the table before, by which all sat down at this one, as it goes over a
        link. Raises NotRestorable."""
        payloads = map(_payload, self.words)
        try:
            return tuple(one for one in payloads if table_of(one) != table.id)
        except DecodeError as error:
            raise NotRestorable(str(error)) from None

    def has_left(self, seat: int) -> bool:
        """Whether a seat has said that it leaves."""
        return self._has_said(seat, Leave)

    def has_whole(self, seat: int) -> bool:
        """Whether a seat has said that it has the whole record."""
        return self._has_said(seat, Done)

    def _has_said(self, seat: int, kind: type[Saying]) -> bool:
        return any((word.seat, word.kind) == (seat, kind.kind) for word in self.words)


def _course(kept: Kept, table: Table, archive: Archive | None = None) -> tuple[Course, list[Fault]]:
    """Where one stood by what is kept, and the faults that it proves. Raises NotRestorable."""
    course = Course(table, archive)
    taken, beside = kept.opened()
    leaves = [word for word in kept.said(table) if isinstance(word.said, Leave)]
    try:
        course.recall(taken, leaves, kept.finals)
        faults = _weighed(course, beside)
    except (Fault, DecodeError, Misuse, Unsettled) as error:
        raise NotRestorable(str(error)) from None
    if not _all_heard(course, taken):
        raise NotRestorable("a message that does not follow from those before it")
    return course, faults


def _weighed(course: Course, beside: Sequence[Message]) -> list[Fault]:
    """Have a course weigh what was kept beside the match, and go to where votes lead that name it:
    the faults that it proves."""
    faults, waiting, goes_on = list[Fault](), list(beside), True
    while goes_on:
        later = []
        for message in waiting:
            same = (*course.known.versions(message.place), *beside)
            others = [one for one in same if one.place == message.place and one.id != message.id]
            found = [two_messages(others[0], message)] if others else []
            # A second one may have come when votes had named the first alone.
            if not others or course.known.names_alone(message):
                if message.root == course.referee.root:
                    found += _judged(course, message)
                else:
                    # Only the era that it names can judge it.
                    later.append(message)
            faults += [fault for fault in found if course.note(fault)]
        goes_on = course.moves_on() or len(later) < len(waiting)
        waiting = later
    course.forget_way()
    return faults


def _judged(course: Course, message: Message) -> list[Fault]:
    """The fault that the state finds in a message, if it is one."""
    try:
        course.receive(message)
    except Fault as fault:
        return [fault]
    return []


def _all_heard(course: Course, taken: Sequence[Message]) -> bool:
    """Whether everything of the first and the present era has its place: of eras between, and of
    what votes made void, nothing need be left."""
    if len({message.id for message in taken}) < len(taken):
        return False
    voted = any(message.kind == VOTE for message in taken)
    return voted or all(course.referee.known(message.place) == message for message in taken)


def hear_again(kept: Kept, table: Table) -> tuple[Referee, tuple[Message, ...]]:
    """A referee that has heard what is kept, and the evidence of a fault for which nobody was put
    out, if there is one: what a record is made of. Raises NotRestorable."""
    course, faults = _course(kept, table)
    referee = course.referee
    for fault in faults if not referee.state.is_final() else ():
        if fault.seat in referee.state.seats:
            referee.find(fault)
            return referee, fault.messages
    return referee, ()


def restore(
    kept: Kept,
    table: Table,
    identity: IdentityKey,
    rng: RandomBytes,
    archive: Archive | None = None,
) -> Session:
    """The session that had taken and said what is kept; it signs nothing before `speak_again`.
    `archive`: where that can be read again. Raises NotRestorable.
    """
    course, faults = _course(kept, table, archive)
    try:
        secrets = {deal: DealSecret.from_bytes(data) for deal, data in kept.secrets.items()}
    except DecodeError as error:
        raise NotRestorable(str(error)) from None
    session = Session(table, identity, rng, course)
    taken = (open_envelope(data) for data, refused in kept.messages if not refused)
    own = (message.id for message in taken if message.seat == session.seat)
    session.come_back(secrets, own, faults)
    return session
