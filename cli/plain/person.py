"""The plain interface: prints lines, reads lines. The same game for screen readers and pipes."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final

import trio

from cli.table.known import Known
from cli.table.port import Filled, Leave, Notice, Refuse, SitWith, TimeIsUp, Wants
from cli.table.thinking import MakePlayer, Thoughts
from cli.telling.ask import AGAIN_ASKED, NO_HINT, hint_text
from cli.telling.prompts import ask_claim, ask_move, claimed, understood
from cli.telling.room import Room
from cli.telling.words import line_text, table_text, tiles_text
from engine.errors import EngineError
from engine.events import Passed, Played
from engine.strategy.view import SeatView
from engine.wording import quoted, sentence
from p2p.session.sitting import owner
from p2p.session.sitting.owner import Chosen
from p2p.session.state.events import HandBegan, InHand

INPUT_ENDED: Final = Leave("The input has ended, so you leave.")
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
    "copy     the invite, also into the clipboard, while your table fills",
    "refuse Ben    the host sends Ben away, before the match",
    "partner Ben   the host plays with Ben, where partners play; lot: by lot",
    "Where only one thing can be done, Enter does it.",
    "With claims, =15 behind a tile claims 15.",
)


class PlainSeat:
    """A seat played by a person who reads and types lines.

    `show` prints a line; `lines` are those typed; `hinter` makes who gives the hints; `clipboard`
    takes what is copied, where there is one.
    """

    stays = True

    def __init__(
        self,
        show: Callable[[str], None],
        lines: AsyncIterator[str],
        hinter: MakePlayer,
        claim_seconds: float,
        clipboard: Callable[[str], None] = lambda text: None,
    ) -> None:
        self.claim_seconds = claim_seconds
        self._clipboard = clipboard
        self._show = show
        self._lines = lines
        self._hints = Thoughts(hinter)
        self._known = Known()
        self._wants: Wants = lambda wish: None
        self._asked: SeatView | None = None
        self._answer: Callable[[Chosen], None] = lambda chosen: None
        self._asked_to_leave = False
        self._ended = False
        self._commands: dict[str, Callable[[], Awaitable[None] | None]] = {
            "help": lambda: self._print(*HELP),
            "?": lambda: self._print(*HELP),
            "hand": self._print_hand,
            "line": self._print_line,
            "scores": lambda: self._print(*table_text(self._known.scene)),
            "hint": self._hint,
            "who": self._print_room,
            "copy": self._copy,
            "again": self._again,
            "pause": lambda: self._want_pause(True),
            "resume": lambda: self._want_pause(False),
            "quit": self._ask_to_leave,
            "q": self._ask_to_leave,
        }

    def sit(self, wants: Wants) -> None:
        """Take place."""
        self._wants = wants

    def show(self, notice: Notice) -> None:
        """Print what it tells, and what can be typed about it."""
        if self._ended and isinstance(notice, Filled | owner.Began):
            self._wants(INPUT_ENDED)
        room = self._known.room
        lines = self._known.take(notice)
        if not (isinstance(notice, owner.Chatted) and notice.seat == self._known.scene.me):
            self._print(*lines, *self._about(notice, room))

    def _about(self, notice: Notice, room: Room | None) -> list[str]:
        """More lines about a notice; `room` is the one before it."""
        scene = self._known.scene
        match notice:
            case Filled(room=now):
                return _about_room(room, now)
            case owner.Began():
                return ["Type help for what can be typed."]
            case owner.Happened(event=HandBegan() | InHand(event=Played() | Passed())):
                turn = scene.turn
                return [f"{scene.name(turn)} to move."] if turn not in (None, scene.me) else []
            case owner.Pausing(on=True):
                return ["Type resume to go on."]
            case owner.Pausing(wanting=wanting) if wanting and not self._known.wants_pause:
                return ["Type pause to agree."]
            case owner.Offered(possible=True):
                return ["Another match with the same people? Type again, or Enter to leave."]
            case TimeIsUp(chosen=Chosen(move=None)):
                return ["Nothing is claimed for you: the time for it is over."]
        return []

    async def decide(self, view: SeatView) -> Chosen:
        """Ask until a legal move, or a claim that can be, is typed."""
        if view.awaiting is None:
            scene = self._known.scene
            self._print(*line_text(scene.table_line), *table_text(scene))
            self._print_hand()
        self._print(ask_move(view) if view.awaiting is None else ask_claim(view))
        answer, answers = trio.open_memory_channel[Chosen](1)
        self._asked, self._answer = view, answer.send_nowait
        try:
            return await answers.receive()
        finally:
            self._asked = None

    async def listen(self) -> None:
        """Take what is typed until the input ends."""
        async for line in self._lines:
            await self._typed(line)
        self._ended = True
        # Who is not seated yet may not be let in, and then that is what there is to tell.
        if self._known.room is not None or self._known.players:
            self._wants(INPUT_ENDED)

    async def _typed(self, line: str) -> None:
        word = line.strip().lower()
        if self._asked_to_leave:
            self._asked_to_leave = False
            if word in ("yes", "y"):
                self._leave()
            else:
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
            self._decided(line)

    def _decided(self, line: str) -> None:
        """A line that is no command: a move or a claim, if one is asked for."""
        view = self._asked
        if view is None:
            if self._known.offered and line.strip().lower() in ("", "n", "no"):
                self._leave()
            elif line.strip():
                self._print("It is not your turn. Type help for what can be done now.")
            return
        if self._known.paused:
            self._print("The match is paused; type resume to go on.")
            return
        try:
            claim = view.awaiting is not None
            chosen = Chosen(None, claimed(line)) if claim else Chosen(understood(view, line))
        except EngineError as error:
            self._print(sentence(error))
        else:
            self._asked = None
            self._answer(chosen)

    def _hosted(self) -> Room | None:
        """The room, if this is its host and the match has not begun; else says so."""
        if self._known.hosted is None:
            self._print("Only the host does that, and only before the match begins.")
        return self._known.hosted

    def _refuse(self, name: str) -> None:
        room = self._hosted()
        if room is not None:
            one = room.named(name)
            if one is None:
                self._nobody(name)
            else:
                self._wants(Refuse(one.key))

    def _sit_with(self, name: str) -> None:
        room = self._hosted()
        if room is not None:
            one = room.named(name)
            if not room.partners:
                self._print("At this table everybody plays alone.")
            elif one is None and name != LOT:
                self._nobody(name)
            else:
                self._wants(SitWith(None if one is None else one.key))

    def _nobody(self, name: str) -> None:
        self._print(f"Nobody of the name {quoted(name)} is at the table; type who to see them.")

    def _print_room(self) -> None:
        if self._known.room is None:
            self._print("You are at no table yet.")
        else:
            self._print(*(line.strip() for line in self._known.room.lines()))

    def _copy(self) -> None:
        opened = self._known.opened
        if opened is None:
            self._print("There is an invite to copy only while your own table fills.")
        else:
            self._clipboard(opened.invite)
            self._print(opened.invite)

    def _say(self, words: str) -> None:
        if not self._known.players:
            self._print("There is nobody to write to yet.")
        else:
            self._wants(owner.Say(words))

    async def _hint(self) -> None:
        view = self._asked
        if view is None or view.awaiting is not None:
            self._print(NO_HINT)
        else:
            self._print(hint_text(await self._hints.move(view), view))

    def _ask_to_leave(self) -> None:
        if not self._known.scene.players or self._known.offered:
            self._leave()
        else:
            self._asked_to_leave = True
            self._print(
                "Leave? The match ends for everybody then. Type yes to leave, Enter to stay."
            )

    def _leave(self) -> None:
        self._wants(Leave())

    def _want_pause(self, on: bool) -> None:
        if not self._known.players or self._known.offered:
            self._print("There is no match to pause now.")
        elif on == self._known.wants_pause:
            self._print("You ask for a pause already." if on else "You have asked for no pause.")
        else:
            self._wants(owner.Pause(on))

    def _again(self) -> None:
        if not self._known.offered:
            self._print("Another match can be asked for when this one is over.")
        else:
            self._wants(owner.Again())
            self._print(AGAIN_ASKED)

    def _print_line(self) -> None:
        scene = self._known.scene
        if scene.line is None:
            self._print("No hand has begun.")
        else:
            self._print(*line_text(scene.line, counted=not scene.unsettled))

    def _print_hand(self) -> None:
        scene = self._known.scene
        held = scene.hands[scene.me] if scene.me is not None and scene.dealt else None
        if held is None:
            self._print("You have no tiles now.")
        else:
            self._print(f"Your hand: {tiles_text(held)}")

    def _print(self, *lines: str) -> None:
        for line in lines:
            self._show(line)


def _about_room(before: Room | None, now: Room) -> list[str]:
    """What the host can do about who came, and how the sides are drawn."""
    lines = []
    may = [any(room.may_refuse(one) for one in room.others) for room in (before or now, now)]
    if before is not None and may == [False, True]:
        lines.append("Type refuse and a name to send somebody away before the table is full.")
    changed = before is not None and before.partner != now.partner
    if now.partners and (changed or len(now.people) == 1):
        lines.append(now.lines()[-1].strip())
    return lines
