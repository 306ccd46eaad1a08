"""The plain interface: prints lines, reads lines. The same game for screen readers and pipes."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final

import trio

from cli.plain.ahead import Ahead
from cli.plain.diary import Diary
from cli.plain.help import about_room, help_lines, no_word
from cli.plain.hinting import LAPSED, Hinting
from cli.plain.hosting import Hosting
from cli.plain.news import News, held_text
from cli.plain.talking import Talking
from cli.plain.terminal import Terminal
from cli.plain.times import TOO_LATE, Times, time_to_claim
from cli.plain.wishing import Wishing
from cli.process.answers import yes_or_no
from cli.table.clock import Turn, turn_of
from cli.table.known import Known
from cli.table.port import Filled, Leave, Notice, Opened, TimeIsUp, TimeRuns, Wants, Wish
from cli.table.thinking import MakeAdviser
from cli.telling.ask import NO_HINT, forced_lead, lead_asked
from cli.telling.doing import Moment
from cli.telling.pages import ProvenStep, fairness_lines, rules_lines, score_lines, tip_lines
from cli.telling.prompts import answers, claimed, is_move, understood
from cli.telling.room import Room
from cli.telling.scene import Scene
from cli.telling.words import deal_lines, line_text, table_text
from engine.errors import EngineError
from engine.events import Claimed, Passed, Played
from engine.strategy.view import SeatView
from engine.wording import sentence
from p2p.session.sitting import owner
from p2p.session.sitting.owner import Chosen
from p2p.session.state.events import HandBegan, InHand, Settled, TakenBack

INPUT_ENDED: Final = Leave("The input has ended, so you leave.")
AGAIN_OFFERED: Final = (
    "Another match with the same people? The word again asks for one; Enter alone leaves."
)
NO_LINE: Final = "Nothing lies on the table yet."
PAUSED: Final = "The match is paused; type resume to go on, or quit to stop for today."


class PlainSeat:
    """A seat played by a person who reads and types lines.

    `show` prints a line; `lines` are those typed; `hinter` makes who gives the hints; `terminal`:
    what else it can do, nothing if None.
    """

    stays = True

    def __init__(
        self,
        show: Callable[[str], None],
        lines: AsyncIterator[str],
        hinter: MakeAdviser,
        claim_seconds: float,
        terminal: Terminal | None = None,
    ) -> None:
        self.claim_seconds = claim_seconds
        self._terminal = terminal or Terminal()
        self._show = show
        self._lines = lines
        self._hinting = Hinting(hinter, show)
        self._known = Known()
        self._wants: Wants = lambda wish: None
        self._asked: SeatView | None = None
        self._times = Times()
        self._turn: Turn | None = None
        self._diary = Diary()
        self._answer: Callable[[Chosen], None] = lambda chosen: None
        self._news = News()
        self._ended, self._claims = False, 0
        self._dealt: list[str] = []
        self._ahead = Ahead(self._known, show)

        def wants(wish: Wish) -> None:
            self._wants(wish)

        self._talking = Talking(self._known, wants, show)
        self._hosting = Hosting(self._known, wants, show, self._terminal.clipboard)
        self._wishing = Wishing(self._known, wants, show)
        self._commands, self._abouts = self._words(), self._words_about()

    def _words(self) -> dict[str, Callable[[], Awaitable[None] | None]]:
        """What a line of one word does."""
        return {
            "help": lambda: self._print(*help_lines(self._moment)),
            "?": lambda: self._print(*help_lines(self._moment)),
            "hand": self._print_hand,
            "line": self._print_line,
            "scores": lambda: self._print(*table_text(self._scene)),
            # By ear the older word of the two is too near to the scores.
            "sheet": self._print_sheet,
            "score": self._print_sheet,
            "rules": lambda: self._print(
                *rules_lines(self._known.rules), *time_to_claim(self._known, self.claim_seconds)
            ),
            "tips": lambda: self._print(*tip_lines(self._known.rules)),
            "fair": lambda: self._print(
                *fairness_lines(self._known.scene, map(ProvenStep, self._known.proofs))
            ),
            "hint": self._hint,
            "bell": lambda: self._print(self._terminal.turn_bell()),
            "who": lambda: self._print(*self._known.who()),
            "copy": self._hosting.copy,
            "again": self._wishing.again,
            "pause": lambda: self._wishing.pause(True),
            "resume": lambda: self._wishing.pause(False),
            "quit": self._wishing.ask_to_leave,
            "q": self._wishing.ask_to_leave,
        }

    def _words_about(self) -> dict[str, Callable[[str], None]]:
        """What a line does of which this is the first word, with what stands behind it."""
        return {
            "log": lambda text: self._print(*self._diary.read(text)),
            "say": self._talking.say,
            "mute": self._talking.mute,
            "out": self._wishing.put_out,
            "ahead": lambda text: self._ahead.choose(text, self._asked),
            "refuse": self._hosting.refuse,
            "admit": self._hosting.admit,
            "partner": self._hosting.sit_with,
        }

    def sit(self, wants: Wants) -> None:
        """Take place."""
        self._wants = wants

    def show(self, notice: Notice) -> None:
        """Print what it tells, and what can be typed about it."""
        looks_on = isinstance(notice, owner.Began) and notice.me is None
        if self._ended and isinstance(notice, Filled | owner.Began) and not looks_on:
            self._wants(INPUT_ENDED)
        room = self._known.room
        lines = [line for line in self._known.take(notice) if line not in self._dealt]
        if isinstance(notice, owner.Happened | owner.Chatted | owner.Pausing):
            self._diary.add(lines)
            lines = self._news.unread(notice, lines, self._known.scene)
        elif isinstance(notice, owner.Resumed):
            self._diary.add(self._known.before)
        if isinstance(notice, Opened):
            self._hosting.opened = notice
        if isinstance(notice, Opened) and notice.code is not None:
            # First and alone: behind it come addresses and a long invite.
            self._print(f"The code is {notice.code}.")
        self._print(*lines, *self._about(notice, room))
        goes_on = isinstance(notice, owner.Pausing) and notice.was_on and not notice.on
        if goes_on and self._asked is not None:
            self._hinting.lapse()
            self._ask(self._asked)

    def _about(self, notice: Notice, room: Room | None) -> list[str]:
        """More lines about a notice; `room` is the one before it."""
        match notice:
            case Filled(room=now):
                return about_room(room, now)
            case owner.Began():
                self._turn, self._news = None, News(keys_read=self._known.room is not None)
                self._ahead.drop()
                self._diary.begin()
                help_told = "Type help for what can be done now, at any time."
                return [help_told, *time_to_claim(self._known, self.claim_seconds)]
            case owner.Happened(event=HandBegan() | TakenBack()):
                self._ahead.drop()
                self._dealt = []
            case owner.Resumed():
                return [] if self._known.over else self._news.standing(self._known.scene)
            case owner.Happened(event=InHand(event=Played(end=None, seat=seat)) as event):
                asked = 0 if self._turn is None else self._turn[0]
                return [*forced_lead(event, self._known.scene, asked), *self._next(seat)]
            case owner.Happened(event=InHand(event=Played(seat=seat) | Passed(seat=seat))):
                return self._next(seat)
            case owner.Happened(event=Settled(seat=seat, claims=claims)):
                # Who is next is told behind what each claim came to.
                self._claims = sum(map(bool, claims.values()))
                return [] if self._claims else self._next(seat)
            case owner.Happened(event=InHand(event=Claimed())) if self._known.scene.placed:
                self._claims -= 1
                return [] if self._claims else self._next(self._known.scene.placed.seat)
            case owner.Pausing():
                return self._about_pause(notice)
            case owner.Waiting() | owner.OutWished():
                return self._wishing.about(notice)
            case owner.Offered(possible=True):
                return [AGAIN_OFFERED]
            case TimeRuns() | TimeIsUp():
                return self._times.about(notice, self._asked, self._known)
        return []

    def _about_pause(self, notice: owner.Pausing) -> list[str]:
        """What can be done about a pause, or else the question that stood open before it."""
        if not notice.was_on and not self._known.plays:
            return []
        if notice.on:
            return ["Type resume to go on, or quit to stop for today: the match waits."]
        if notice.wanting and not self._known.wants_pause:
            return ["Type pause to agree."]
        return []

    def _next(self, moved: int) -> list[str]:
        """Who of several is to move after oneself; after others it is told by what they do."""
        scene = self._known.scene
        several = len(scene.seats_in) > 2
        waits = (
            several
            and moved == scene.me
            and scene.turn not in (None, scene.me)
            and not scene.unsettled
        )
        return [f"{scene.name(scene.turn or 0)} to move."] if waits else []

    async def decide(self, view: SeatView) -> Chosen:
        """Ask until a legal move, or a claim that can be, is typed; in a turn that goes on after a
        draw only what is new is told."""
        if not self._known.paused:
            self._ask(view)
        answer, answers = trio.open_memory_channel[Chosen](1)
        self._asked, self._answer = view, answer.send_nowait
        try:
            return await answers.receive()
        finally:
            self._asked = None

    def _ask(self, view: SeatView) -> None:
        """Tell what is new, and what is asked; in a pause that waits for its end."""
        begins = view.awaiting is None and turn_of(view) != self._turn
        if begins:
            self._turn = turn_of(view)
            self._terminal.turn()
            if self._known.scene.dealt:
                self._print(*self._news.line(self._known.scene))
                self._print(*self._news.fresh(self._known.scene))
            elif view.hand.lead is not None:
                self._print(*self._deal(view), lead_asked(view.hand.lead))
        self._print(*self._news.question(view, self.claim_seconds, self._known.scene, begins))
        if view.awaiting is None:
            self._ahead.begin(view)
        else:
            self._news.line_read(view.line)

    def _deal(self, view: SeatView) -> list[str]:
        """The deal of a hand that has not begun for all, to who leads it; it is not told again."""
        scene = self._known.scene.asked_about(view)
        self._dealt = deal_lines(scene, view.seat, len(view.tiles), scene.hands)
        self._diary.add(self._dealt)
        return self._dealt

    async def listen(self) -> None:
        """Take what is typed until the input ends."""
        async for line in self._lines:
            await self._typed(line)
        self._ended = True
        # Who is not seated yet may not be let in, and then that is what there is to tell; who looks
        # on need not type anything.
        known = self._known
        if (known.room is not None or known.players) and not known.looks_on:
            self._wants(INPUT_ENDED)

    async def _typed(self, line: str) -> None:
        word = line.strip().lower()
        if word:
            self._hinting.lapse()
        first, _, rest = line.strip().partition(" ")
        if self._wishing.confirmed(line):
            return
        if about := self._abouts.get(first.lower()):
            about(rest.strip())
        elif command := self._commands.get(word):
            done = command()
            if done is not None:
                await done
        else:
            self._decided(line)

    @property
    def _scene(self) -> Scene:
        """The table, with a hand that begins with the own lead."""
        return self._known.scene.asked_about(self._asked)

    @property
    def _moment(self) -> Moment:
        """What can be done now."""
        return self._known.moment(self._asked)

    def _decided(self, line: str) -> None:
        """A line that is no command: a move or a claim, if one is asked for."""
        view, known, typed = self._asked, self._known, line.strip()
        if self._times.too_late(view, typed):
            self._print(TOO_LATE)
        elif view is None and known.offered and (not typed or yes_or_no(typed) is not None):
            if yes_or_no(typed):
                self._wishing.again()
            else:
                self._wishing.leave()
        elif known.paused and known.plays and (not typed or is_move(typed)):
            self._print(PAUSED)
        elif typed and (view is None or not answers(view, typed)):
            self._print(no_word(typed, self._moment))
        elif view is not None:
            self._answered(view, line)

    def _answered(self, view: SeatView, line: str) -> None:
        """A move or a claim that was asked for."""
        hinted = None if line.strip() else self._hinting.chosen(view)
        ahead = None if line.strip() else self._ahead.chosen(view)
        if hinted is not None and self._hinting.too_soon():
            return
        if not line.strip() and hinted is ahead is None and self._hinting.lapsed(view):
            self._print(LAPSED, *self._news.question(view, self.claim_seconds, self._scene, False))
            return
        try:
            claim = view.awaiting is not None
            move = hinted or ahead or (None if claim else understood(view, line))
            chosen = Chosen(move) if move is not None else Chosen(None, claimed(line))
        except EngineError as error:
            self._print(sentence(error))
        else:
            self._asked = None
            self._answer(chosen)

    async def _hint(self) -> None:
        view, known = self._asked, self._known
        if known.paused and known.plays:
            self._print(PAUSED)
        elif view is None or view.awaiting is not None:
            self._print(f"{NO_HINT} {self._moment.state}")
        else:
            await self._hinting.give(view, lambda: None if known.paused else self._asked)

    def _print_line(self) -> None:
        scene = self._scene
        if scene.line is None or (scene.dealt and not self._known.scene.dealt):
            self._print(NO_LINE)
        else:
            self._print(*line_text(scene.line, counted=scene.counts_ends))

    def _print_sheet(self) -> None:
        self._print(*score_lines(self._known.hands, self._known.scene))

    def _print_hand(self) -> None:
        self._print(held_text(self._scene))

    def _print(self, *lines: str) -> None:
        for line in lines:
            self._show(line)
