"""Who plays a seat: what the table needs of it, and the seat that a bot plays."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Protocol

import trio

from cli.table.clock import Clock
from cli.telling.jsonlines import event_line
from cli.telling.room import Room
from cli.telling.scene import Scene
from cli.telling.words import say
from engine.errors import IllegalMove
from engine.hand import check_claim
from engine.moves import Move
from engine.strategy import Player, SeatView
from p2p.session.sitting.owner import Chosen, Pausing
from p2p.session.state.events import SessionEvent

Show = Callable[[str], None]
Chatting = Callable[[str], object]
"""Says a line to everybody; ValueError, one sentence, for words that cannot be sent."""


@dataclass(frozen=True)
class Voice:
    """What a seat may say beside its moves: a line to everybody, and whether it wants a pause."""

    chat: Chatting
    pause: Callable[[bool], None]


Ask = Callable[[], None]
"""Asks everybody for another match."""


class Leaving(Exception):
    """Who plays the seat leaves; the text is a sentence that says why."""


class Seat(Protocol):
    """A seat as the table uses it."""

    @property
    def scene(self) -> Scene:
        """What is on the table."""
        ...

    def tell(self, text: str) -> None:
        """Show a line that is not about the game itself: the lobby, links, the record."""
        ...

    def publish(self, event: SessionEvent) -> None:
        """Show an event of the match."""
        ...

    def fill(self, room: Room) -> None:
        """Who is at the table now, while it fills."""
        ...

    @property
    def clock(self) -> Clock:
        """The time of who plays the seat."""
        ...

    def begin(self, me: int, voice: Voice) -> None:
        """A match begins, with the own seat `me`."""
        ...

    def paused(self, change: Pausing) -> None:
        """Somebody wants a pause, or wants it no longer."""
        ...

    def link(self, seat: int, state: str) -> None:
        """How the link to a seat is: "" when it is well, else a state as "lost"."""
        ...

    async def decide(self, view: SeatView) -> Move:
        """One of the view's legal moves."""
        ...

    async def claim(self, view: SeatView) -> int:
        """The points to claim for an opponent's placement, 0 for none."""
        ...

    async def listen(self) -> None:
        """Run beside everything else; raises Leaving when whoever plays the seat leaves."""
        ...

    @property
    def stays(self) -> bool:
        """Whether there may be another match; else the seat leaves at the end of the first."""
        ...

    def offer(self, ask: Ask | None) -> None:
        """The match is over; `ask` asks for another with the same people, None: there is none."""
        ...

    def asked(self, name: str) -> None:
        """Somebody else asks for another match."""
        ...


async def choose(seat: Seat, view: SeatView) -> Chosen:
    """The seat's move or claim; when the turn clock runs out, the first legal move in order."""
    if view.awaiting is not None:
        return Chosen(None, await seat.claim(view))
    with seat.clock.limit(view.rules.turn_seconds):
        return Chosen(await seat.decide(view))
    return Chosen(view.legal[0], auto=True)


class AutoSeat:
    """A seat that a bot plays; it thinks in a thread, so that the links never wait for it.

    `show` gets lines for people, `show_event` the JSON line of each event (None: words instead).
    `pipe`: the lines of a pipe whose end ends the bot, so that no orphan stays behind.
    """

    def __init__(
        self,
        player: Callable[[SeatView], Player],
        show: Show,
        show_event: Show | None,
        pipe: AsyncIterator[str] | None,
    ) -> None:
        self.scene = Scene()
        self.clock = Clock()
        self.tell = show
        self._make_player = player
        self._player: Player | None = None
        self._show_event = show_event
        self._pipe = pipe
        self._ask: Ask | None = None
        self._wanted = False
        self._voice: Voice | None = None

    def publish(self, event: SessionEvent) -> None:
        """Show the event in the form that was asked for."""
        self.scene.apply(event)
        if self._show_event is None:
            for line in say(event, self.scene):
                self.tell(line)
        else:
            json_line = event_line(event)
            if json_line is not None:
                self._show_event(json_line)

    def fill(self, room: Room) -> None:
        """A bot takes whoever comes."""

    def begin(self, me: int, voice: Voice) -> None:
        """A match begins; a bot chats with nobody."""
        self.scene = Scene(me)
        self._voice = voice
        self._ask, self._wanted = None, False

    def paused(self, change: Pausing) -> None:
        """A bot agrees to every pause."""
        others = change.wanting - {self.scene.me}
        if others and others == change.wanting and self._voice is not None:
            self._voice.pause(True)

    def link(self, seat: int, state: str) -> None:
        """A bot goes on as long as it can."""

    @property
    def stays(self) -> bool:
        """A bot that a table started waits for what its people want; it ends with its pipe."""
        return self._pipe is not None

    def offer(self, ask: Ask | None) -> None:
        """A bot wants another match as soon as somebody else does."""
        self._ask = ask
        self._agree()

    def asked(self, name: str) -> None:
        """Somebody does."""
        self._wanted = True
        self._agree()

    def _agree(self) -> None:
        if self._wanted and self._ask is not None:
            self._ask()

    async def decide(self, view: SeatView) -> Move:
        """The bot's move; the first legal one in order in place of one that breaks a rule: asked
        again, a bot would say the same."""
        move = await trio.to_thread.run_sync(
            self._playing(view).choose, view, abandon_on_cancel=True
        )
        try:
            view.hand.check(move)
        except IllegalMove:
            return view.legal[0]
        return move

    async def claim(self, view: SeatView) -> int:
        """The bot's claim; none in place of one that cannot be."""
        points = await trio.to_thread.run_sync(
            self._playing(view).claim, view, abandon_on_cancel=True
        )
        try:
            return check_claim(points)
        except IllegalMove:
            return 0

    async def listen(self) -> None:
        """A bot leaves only when its pipe ends."""
        if self._pipe is None:
            await trio.sleep_forever()
            return
        async for _ in self._pipe:
            continue
        raise Leaving("The program that started this bot has ended.")

    def _playing(self, view: SeatView) -> Player:
        if self._player is None:
            self._player = self._make_player(view)
        return self._player
