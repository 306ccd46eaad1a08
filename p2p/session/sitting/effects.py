"""What a sitting stands in, and what one input to it gives: frozen values, and how they come
together."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.strategy.view import SeatView
from p2p.session.output import Batch
from p2p.session.sitting.owner import Notice, Outcome
from p2p.session.state.past import Archive
from p2p.session.state.table import Table

Archives = Callable[[bytes], Archive | None]
"""By table id where the messages of its match are stored, if they are."""


@dataclass(frozen=True)
class Setting:
    """What a table stands in: where its matches are stored, and for how long all are waited for
    until they have agreed to the first table (None: as in a match)."""

    archives: Archives = lambda table: None
    within: float | None = None


ALONE = Setting()


@dataclass(frozen=True)
class Following:
    """What follows a match: another one at `table`, or nothing (None)."""

    table: Table | None


Send = tuple[int, bytes]
Close = tuple[int, str]


@dataclass(frozen=True)
class Effects:
    """What is to be done after an input, in this order.

    `store` in one transaction before anything else. `send`: payloads by link place; `close`: why
    to end the link at a place, one clause. `notices` are for the owner, in order. `ask`: the
    question that is open to the owner now; where it is None none is. `deadline`: when `tick` is
    due, on the clock of the inputs. `outcome`: how the match has ended, once it has. `following`:
    what comes after it, once that is known.
    """

    store: Batch
    send: tuple[Send, ...]
    close: tuple[Close, ...]
    notices: tuple[Notice, ...]
    ask: SeatView | None
    deadline: float
    outcome: Outcome | None
    following: Following | None


class Collected:
    """The first four of an input's effects, as they come together.

    `places`: by seat of the table the place of its link, which stays when seats change.
    """

    def __init__(self, places: Sequence[int]) -> None:
        self.places = tuple(places)
        self._begin()

    def _begin(self) -> None:
        self._batch = Batch()
        self._send: list[Send] = []
        self._close: list[Close] = []
        self._notices: list[Notice] = []

    def store(self, batch: Batch) -> None:
        """Keep a batch, with what is to be kept already."""
        self._batch = self._batch.then(batch)

    def send(self, seat: int, payload: bytes) -> None:
        """Send a payload to a seat."""
        self._send.append((self.places[seat], payload))

    def close(self, place: int, why: str) -> None:
        """End the link of that place."""
        self._close.append((place, why))

    def send_there(self, place: int, payload: bytes) -> None:
        """Send a payload to who looks on from that place."""
        self._send.append((place, payload))

    def show(self, notice: Notice) -> None:
        """Tell the owner."""
        self._notices.append(notice)

    def take(self) -> tuple[Batch, tuple[Send, ...], tuple[Close, ...], tuple[Notice, ...]]:
        """All that was collected; the next input begins with nothing."""
        taken = self._batch, tuple(self._send), tuple(self._close), tuple(self._notices)
        self._begin()
        return taken
