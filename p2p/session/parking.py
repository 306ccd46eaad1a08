"""Messages that cannot be judged yet: kept for a while, and not without end."""

from collections.abc import Iterator

from p2p.session.referee import two_messages
from p2p.wire.envelope import Message, Place

# An honest seat runs ahead only until somebody else must speak: one message of the match and the
# three steps of a deal or two. More than this is somebody filling our memory.
MAX_PARKED_A_SEAT = 16


class Parking:
    """By place, in order of arrival."""

    def __init__(self) -> None:
        self._parked: dict[Place, Message] = {}

    def __len__(self) -> int:
        return len(self._parked)

    def __iter__(self) -> Iterator[Message]:
        return iter(list(self._parked.values()))

    def __contains__(self, place: object) -> bool:
        return place in self._parked

    def keep(self, message: Message) -> None:
        """Keep a message for later. Raises Fault for another one that is kept for its place."""
        other = self._parked.get(message.place)
        if other is None:
            mine = [place for place in self._parked if place.seat == message.seat]
            if len(mine) == MAX_PARKED_A_SEAT:
                # The oldest goes, not the newest: two messages for one place that somebody passes
                # on as evidence come one after the other, and must meet here.
                del self._parked[mine[0]]
            self._parked[message.place] = message
        elif other.id != message.id:
            raise two_messages(other, message)

    def drop(self, message: Message) -> None:
        """It was judged."""
        other = self._parked.get(message.place)
        if other is not None and other.id == message.id:
            del self._parked[message.place]
