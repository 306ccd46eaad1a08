"""The seat that a bot plays."""

from collections.abc import AsyncIterator, Callable
from typing import Final

import trio

from cli.table.known import Known
from cli.table.port import Leave, Notice, Opened, Spoke, Vanish, Wants
from cli.table.thinking import MakePlayer, Thoughts
from cli.telling.jsonlines import event_line, open_line
from engine.errors import IllegalMove
from engine.hand import check_claim
from engine.moves import Draw, Move
from engine.strategy import SeatView
from p2p.session.sitting import owner
from p2p.session.sitting.owner import Chosen
from p2p.session.state.events import MatchBegan

LEAVE_LINE: Final = "leave"
"""Tells a bot through its pipe that whoever started it leaves for good."""

# What is between people, and what a bot goes on without, nobody needs to read.
_UNTOLD: Final = (
    owner.Pausing
    | owner.Linked
    | owner.Unlinked
    | owner.Alone
    | owner.Away
    | owner.Back
    | owner.Left
    | owner.Waiting
    | owner.OutWished
    | owner.Hushed
    | owner.Remarked
    | Spoke
    | owner.Onlooker
    | owner.AgainWanted
)

# What scripts read.
_EVENTS: Final = owner.Happened | owner.Resumed | Opened


class AutoSeat:
    """A seat that a bot plays.

    `tell` gets lines for people, `tell_event` the JSON line of each event, and of the table that is
    open (None: words instead).
    `pipe`: the lines of a pipe whose end ends the bot, so that no orphan stays behind. `pace`: a
    move comes no sooner than so many seconds after it was asked for, so that people can follow.
    """

    claim_seconds: float | None = None

    def __init__(
        self,
        make_player: MakePlayer,
        tell: Callable[[str], None],
        tell_event: Callable[[str], None] | None,
        pipe: AsyncIterator[str] | None,
        pace: float = 0.0,
    ) -> None:
        self._pace = pace
        self._thoughts = Thoughts(make_player)
        self._tell = tell
        self._tell_event = tell_event
        self._pipe = pipe
        self._known = Known()
        self._wanted = False
        self._wants: Wants = lambda wish: None

    @property
    def stays(self) -> bool:
        """A bot that a table started waits for what its people want; it ends with its pipe."""
        return self._pipe is not None

    def sit(self, wants: Wants) -> None:
        """Take place; a bot wants no more than what others want."""
        self._wants = wants

    def show(self, notice: Notice) -> None:
        """Show it in the form that was asked for, and agree to what others ask for."""
        lines, looks_on = self._known.take(notice), self._known.looks_on
        if isinstance(notice, _EVENTS) and self._tell_event is not None:
            for line in _json_lines(notice, self._known.scene.me is None):
                self._tell_event(line)
        elif not isinstance(notice, _UNTOLD) or (looks_on and isinstance(notice, owner.Pausing)):
            for line in lines:
                self._tell(line)
        if not looks_on:
            # Who looks on is asked for nothing.
            self._agree(notice)

    def _agree(self, notice: Notice) -> None:
        match notice:
            case owner.Began():
                self._wanted = False
            case owner.Pausing(wanting=wanting) if wanting and not self._known.wants_pause:
                self._wants(owner.Pause(True))
            case owner.AgainWanted() | owner.Offered():
                self._wanted = self._wanted or isinstance(notice, owner.AgainWanted)
                if self._wanted and self._known.offered:
                    self._wants(owner.Again())

    async def decide(self, view: SeatView) -> Chosen:
        """The bot's decision; in place of one that breaks a rule the first legal move in order, or
        no claim: asked again, a bot would say the same."""
        if view.awaiting is not None:
            return Chosen(None, await self._claim(view))
        begun = trio.current_time()
        move = await self._move(view)
        if not isinstance(move, Draw):
            await trio.sleep_until(begun + self._wait(view))
        return Chosen(move)

    def _wait(self, view: SeatView) -> float:
        """The pace, well within the time for a turn."""
        seconds = view.rules.turn_seconds
        return self._pace if seconds is None else min(self._pace, seconds / 2)

    async def _move(self, view: SeatView) -> Move:
        move = await self._thoughts.move(view)
        try:
            view.hand.check(move)
        except IllegalMove:
            return view.legal[0]
        return move

    async def _claim(self, view: SeatView) -> int:
        points = await self._thoughts.claim(view)
        try:
            return check_claim(points)
        except IllegalMove:
            return 0

    async def listen(self) -> None:
        """A bot leaves when its pipe says so; where that just ends, whoever held it was killed,
        and both may come back."""
        if self._pipe is None:
            return
        left = False
        async for line in self._pipe:
            if line == LEAVE_LINE and not left:
                left = True
                self._wants(Leave("The table of this bot was left."))
        if not left:
            self._wants(Vanish("The program that started this bot has ended."))


def _json_lines(notice: owner.Happened | owner.Resumed | Opened, looks_on: bool) -> list[str]:
    match notice:
        case Opened():
            return [open_line(notice.name, notice.code, notice.invite, notice.hosts, notice.port)]
        case owner.Resumed(events=events):
            # Once more which match it is; a seat was told before what happened in it.
            told = [one for one in events if looks_on or isinstance(one, MatchBegan)]
        case owner.Happened(event=event):
            told = [event]
    return [line for one in told if (line := event_line(one)) is not None]
