"""Which of several versions of a step those who play went on with: who signs nothing there (is out,
looks on, comes late) may have been shown another one first, and follows."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice, product

from p2p.session.leaving.known import Known
from p2p.session.state.ladder import Ladder
from p2p.wire.codec import DecodeError
from p2p.wire.envelope import MATCH_LADDER, Message, Place, step_hash
from p2p.wire.messages import DealBody

# Of one step. One cheat makes as many as it has versions; of several it would be too many to try.
MOST_WAYS = 256

Step = Mapping[int, Message]
"""What was said at a step, by seat."""


def rests_on(message: Message) -> Iterator[bytes]:
    """The T that a message goes on from, and of the deck that it deals."""
    yield message.previous
    if message.kind == DealBody.kind:
        try:
            yield DealBody.read(message.body).name
        except DecodeError:
            return


class Followers:
    """Who goes on from which T in an era, as `known` and what is `parked` say; those of `seats`
    whose fault is proven do not count."""

    def __init__(
        self, root: bytes, seats: Collection[int], known: Known, parked: Iterable[Message]
    ) -> None:
        self._root, self._known = root, known
        self._seats = [seat for seat in seats if not known.faults(seat, root)]
        self._parked = [one for one in parked if one.root == root and one.seat in self._seats]

    def other(
        self, ladder: Ladder, step: int, deals_at: int, beside: Sequence[Message] = ()
    ) -> Step | None:
        """The versions of a completed step with which more of them went on than with those that
        are here; None if there are none. `deals_at`: the step of the match that deals the deck of
        that ladder. `beside`: messages of the step that are not known yet."""
        here, before = ladder.steps[step - 1], ladder.before(step)
        each = [self._versions(one, before, beside) for _, one in sorted(here.items())]
        tried = islice(product(*each), MOST_WAYS)
        ways = {step_hash(before, [one.id for one in way]): way for way in tried}
        behind = self._behind(ladder.number, step, deals_at)
        counts = Counter(
            name for name in ways for said in behind if any(name in rests_on(one) for one in said)
        )
        own = step_hash(before, [one.id for _, one in sorted(here.items())])
        best = max(counts, key=lambda name: (counts[name], name), default=own)
        if counts[best] <= counts[own]:
            return None
        return {one.seat: one for one in ways[best]}

    def _versions(self, here: Message, before: bytes, beside: Iterable[Message]) -> list[Message]:
        said = (*self._known.versions(here.place), *beside)
        others = {one.id: one for one in said if one.place == here.place}
        fitting = [one for one in others.values() if one.previous == before]
        return [here, *(one for one in fitting if one.id != here.id)]

    def _behind(self, number: int, step: int, deals_at: int) -> list[list[Message]]:
        """What each said, or voted, right behind a step; of a deal also where it is dealt."""
        root, known = self._root, self._known
        found = []
        for seat in self._seats:
            places = [Place(root, number, step + 1, seat)]
            if number != MATCH_LADDER:
                places.append(Place(root, MATCH_LADDER, deals_at, seat))
            said = [one for place in places for one in known.versions(place)]
            said += [one for one in self._parked if one.place in places]
            if number == MATCH_LADDER:
                said += [one.message for one in known.votes(root, step + 1) if one.seat == seat]
            found.append(said)
        return found
