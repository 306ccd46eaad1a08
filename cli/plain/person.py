"""The plain interface: prints lines, reads lines. The same game for screen readers and pipes."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Final

import trio

from cli.table.clock import Clock
from cli.table.seat import Ask, Leaving, Show, Voice
from cli.telling.ask import hint_text
from cli.telling.prompts import ask_claim, ask_move, claimed, understood
from cli.telling.room import Powers, Room
from cli.telling.scene import Scene
from cli.telling.words import line_text, pause_text, say, sentence, table_text, tiles_text
from engine.errors import EngineError
from engine.events import Passed, Played
from engine.moves import Move
from engine.strategy.view import Player, SeatView
from p2p.net.match.pausing import Pausing
from p2p.session.state.events import HandBegan, InHand, SessionEvent

SAY: Final = "say "
REFUSE: Final = "refuse "
PARTNER: Final = "partner "
LOT: Final = "lot"
HELP: Final = (
    "6-4 R    play 6-4 on the right end; 6-4 alone, if it fits one end only",
    "         ends: L and R, U and D of the spinner, 4U and 4D of a later one",
    "draw     draw a tile          pass     give the turn on",
    "hand     your tiles           line     the table and its ends",
    "scores   scores and tiles     hint     what a bot would play",
    "say ...  write a line to the others",
    "help     this                 quit     leave the match (asks first)",
    "pause    ask for a pause, or agree to one; resume: go on",
    "again    another match with the same people, once this one is over",
    "who      who is at the table, before the match",
    "refuse Ben    the host sends Ben away, before the match",
    "partner Ben   the host plays with Ben, where partners play; lot: by lot",
    "Where only one thing can be done, Enter does it.",
    "With claims, =15 behind a tile claims 15.",
)


@dataclass
class _Question:
    """What the person has to answer now."""

    view: SeatView
    answers: trio.MemorySendChannel[Move] | None = None
    claims: trio.MemorySendChannel[int] | None = None


class Person:
    """A seat played by a person who reads and types lines.

    `show` prints a line; `lines` are those typed; `hinter` makes who gives the hints.
    """

    stays = True

    def __init__(
        self,
        show: Show,
        lines: AsyncIterator[str],
        hinter: Callable[[SeatView], Player],
        claim_seconds: float,
    ) -> None:
        self.scene = Scene()
        self._show = show
        self._lines = lines
        self._hinter = hinter
        self._claim_seconds = claim_seconds
        self._question: _Question | None = None
        self._voice: Voice | None = None
        self._is_paused = False
        self._wanting: frozenset[int] = frozenset()
        self._away: set[int] = set()
        self.clock = Clock()
        self._ask: Ask | None = None
        self._room: Room | None = None
        self._asked_to_leave = False
        self._commands: dict[str, Callable[[], Awaitable[None] | None]] = {
            "help": lambda: self._print(*HELP),
            "?": lambda: self._print(*HELP),
            "hand": self._print_hand,
            "line": self._print_line,
            "scores": lambda: self._print(*table_text(self.scene)),
            "hint": self._hint,
            "who": self._print_room,
            "again": self._again,
            "pause": lambda: self._want_pause(True),
            "resume": lambda: self._want_pause(False),
            "quit": self._ask_to_leave,
            "q": self._ask_to_leave,
        }

    def tell(self, text: str) -> None:
        """Show a line that is not about the game itself (the lobby, links)."""
        self._show(text)

    def publish(self, event: SessionEvent) -> None:
        """Show an event."""
        self.scene.apply(event)
        self._print(*say(event, self.scene))
        turn = self.scene.turn
        inner = event.event if isinstance(event, InHand) else event
        moved = isinstance(inner, HandBegan | Played | Passed)
        if moved and turn is not None and turn != self.scene.me:
            self._print(f"{self.scene.name(turn)} to move.")

    def fill(self, room: Room) -> None:
        """Who is at the table now."""
        first = self._room is not None and len(self._room.people) == 1
        if first and room.powers is not None and room.powers.guests:
            self._print("Type refuse and a name to send somebody away before the table is full.")
        changed = self._room is not None and self._room.partner != room.partner
        self._room = room
        if room.partners and (changed or len(room.people) == 1):
            self._print(room.lines()[-1].strip())

    def begin(self, me: int, voice: Voice) -> None:
        """A match begins: lines of chat go out from now on."""
        self._print("Type help for what can be typed.")
        self.scene = Scene(me)
        self._voice, self._ask = voice, None
        self._is_paused, self._wanting = False, frozenset()
        self._away.clear()

    def paused(self, change: Pausing) -> None:
        """Somebody wants a pause, or goes on."""
        self._is_paused, self._wanting = change.on, change.wanting
        self._print(pause_text(change, self.scene))
        if not change.on and change.wanting - {self.scene.me} == change.wanting != frozenset():
            self._print("Type pause to agree.")
        elif change.on:
            self._print("Type resume to go on.")

    def link(self, seat: int, state: str) -> None:
        """A link is lost, or back."""
        name = self.scene.name(seat) if self.scene.players else "somebody"
        if state:
            self._away.add(seat)
            self._print(f"{name}: {state}.")
        elif seat in self._away:
            self._away.discard(seat)
            self._print(f"{name} is back.")

    def offer(self, ask: Ask | None) -> None:
        """The match is over: the person is asked what now."""
        self._ask = ask
        if ask is not None:
            self._print("Another match with the same people? Type again, or Enter to leave.")

    def asked(self, name: str) -> None:
        """Somebody wants another match."""
        self._print(f"{name} asks for another match.")

    async def decide(self, view: SeatView) -> Move:
        """Ask for a move until a legal one is typed."""
        self._print(*line_text(self.scene.table_line), *table_text(self.scene))
        self._print_hand()
        self._print(ask_move(view))
        answers, answer = trio.open_memory_channel[Move](1)
        self._question = _Question(view, answers=answers)
        try:
            return await answer.receive()
        finally:
            self._question = None

    async def claim(self, view: SeatView) -> int:
        """Ask for a claim; who says nothing in time claims nothing."""
        self._print(ask_claim(view))
        claims, claim = trio.open_memory_channel[int](1)
        self._question = _Question(view, claims=claims)
        try:
            with self.clock.limit(self._claim_seconds):
                return await claim.receive()
            self._print("Nothing is claimed for you: the time for it is over.")
            return 0
        finally:
            self._question = None

    async def listen(self) -> None:
        """Take what is typed until the person leaves: then raises Leaving."""
        async for line in self._lines:
            await self._typed(line)
        raise Leaving("The input has ended, so you leave.")

    async def _typed(self, line: str) -> None:
        word = line.strip().lower()
        if self._asked_to_leave:
            self._asked_to_leave = False
            if word in ("yes", "y"):
                raise Leaving("You leave.")
            self._print("You stay.")
        elif word.startswith(SAY):
            self._say(line.strip()[len(SAY) :].strip())
        elif word.startswith(REFUSE):
            self._refuse(word[len(REFUSE) :].strip())
        elif word.startswith(PARTNER):
            self._sit_with(word[len(PARTNER) :].strip())
        elif command := self._commands.get(word):
            done = command()
            if done is not None:
                await done
        else:
            self._answer(line)

    def _answer(self, line: str) -> None:
        """A line that is no command: a move or a claim, if one is asked for."""
        question = self._question
        if question is None:
            if self._ask is not None:
                raise Leaving("You leave.")
            if line.strip():
                self._print("It is not your turn. Type help for what can be done now.")
            return
        if self._is_paused:
            self._print("The match is paused; type resume to go on.")
            return
        try:
            if question.answers is not None:
                question.answers.send_nowait(understood(question.view, line))
            elif question.claims is not None:
                question.claims.send_nowait(claimed(line))
        except EngineError as error:
            self._print(sentence(error))
        else:
            self._question = None

    def _host_of(self) -> tuple[Room, Powers] | None:
        """The room, if this is its host and the match has not begun; else says so."""
        if self._room is None or self._room.powers is None or self.scene.players:
            self._print("Only the host does that, and only before the match begins.")
            return None
        return self._room, self._room.powers

    def _refuse(self, name: str) -> None:
        hosted = self._host_of()
        if hosted is not None:
            room, powers = hosted
            one = room.named(name)
            if one is None:
                self._nobody(name)
            else:
                powers.refuse(one.key)

    def _sit_with(self, name: str) -> None:
        hosted = self._host_of()
        if hosted is not None:
            room, powers = hosted
            one = room.named(name)
            if not room.partners:
                self._print("At this table everybody plays alone.")
            elif one is None and name != LOT:
                self._nobody(name)
            else:
                powers.sit_with(None if one is None else one.key)

    def _nobody(self, name: str) -> None:
        self._print(f"Nobody of the name {name!a:.40} is at the table; type who to see them.")

    def _print_room(self) -> None:
        if self._room is None:
            self._print("You are at no table yet.")
        else:
            self._print(*(line.strip() for line in self._room.lines()))

    def _say(self, words: str) -> None:
        if self._voice is None:
            self._print("There is nobody to write to yet.")
            return
        try:
            self._voice.chat(words)
        except ValueError as error:
            self._print(sentence(error))

    async def _hint(self) -> None:
        question = self._question
        if question is None or question.answers is None:
            self._print("A hint is for your own turn.")
            return
        view = question.view
        move = await trio.to_thread.run_sync(
            self._hinter(view).choose, view, abandon_on_cancel=True
        )
        self._print(hint_text(move, view))

    def _ask_to_leave(self) -> None:
        if not self.scene.players or self._ask is not None:
            raise Leaving("You leave.")
        self._asked_to_leave = True
        self._print("Leave? The match ends for everybody then. Type yes to leave, Enter to stay.")

    def _want_pause(self, on: bool) -> None:
        if self._voice is None or self._ask is not None:
            self._print("There is no match to pause now.")
        elif on == (self.scene.me in self._wanting):
            self._print("You ask for a pause already." if on else "You have asked for no pause.")
        else:
            self._voice.pause(on)

    def _again(self) -> None:
        if self._ask is None:
            self._print("Another match can be asked for when this one is over.")
        else:
            self._ask()
            self._print("You ask for another match; it begins when everybody does.")

    def _print_line(self) -> None:
        if self.scene.line is None:
            self._print("No hand has begun.")
        else:
            self._print(*line_text(self.scene.line, counted=not self.scene.unsettled))

    def _print_hand(self) -> None:
        me = self.scene.me
        held = self.scene.hands[me] if me is not None and self.scene.dealt else None
        if held is None:
            self._print("You have no tiles now.")
        else:
            self._print(f"Your hand: {tiles_text(held)}")

    def _print(self, *lines: str) -> None:
        for line in lines:
            self._show(line)
