"""The screen's own state, and what each key does to it: no terminal, no waiting.

What has to go out (a move, a claim, a line of chat, leaving) goes through `Outlets`.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from cli.screen.drawing.keys import KEYS, Act, Key, Mode
from cli.screen.drawing.panels import (
    Panel,
    fairness_panel,
    hand_end_panel,
    help_panel,
)
from cli.screen.drawing.view import Asked, Cursor, Desk, HandTile, TableView, chosen, make_view
from cli.screen.modes.choosing import ends_of, lettered_end, on_tile, other_end, other_tile
from cli.screen.modes.chronicle import Chronicle
from cli.screen.modes.ending import Ending
from cli.screen.modes.lobby import Lobby
from cli.screen.modes.outlets import Outlets
from cli.screen.modes.timer import Timer
from cli.table.known import Known
from cli.table.port import Filled, Leave, Notice, Opened, Told
from cli.telling.ask import LEAVE_MATCH, LEAVE_TABLE, PAUSED, own_claim_prompt
from cli.telling.prompts import claimed
from cli.telling.scene import Scene
from cli.telling.words import sentence
from engine.errors import IllegalMove
from engine.events import HandEnded, MatchEnded
from engine.moves import Move, Play
from engine.strategy.view import SeatView
from engine.tiles import Tile
from p2p.session.sitting import owner
from p2p.session.state.events import InHand, MatchBegan, SessionEvent
from p2p.wire.talk import CHAT_CHARACTERS

_PAGE_ROWS: Final = 4


class Control:
    """What one person sees and does. `now` gives seconds of a clock that only goes on."""

    keys: tuple[Key, ...] = KEYS

    def __init__(self, outlets: Outlets, now: Callable[[], float]) -> None:
        self.known = Known()
        self.bell = False
        self.desk = Desk()
        self._out = outlets
        self._now = now
        self._timer = Timer(now)
        self._lobby = Lobby(self.known, outlets.wants)
        self._end = Ending(self.known)
        self._yes: Callable[[], None] = self._leave
        self._chronicle = Chronicle(now())
        self._claiming: Play | None = None
        self._clicked: Tile | str | None = None
        self._acts: dict[Act, Callable[[], None]] = {
            Act.NEXT_TILE: lambda: self._aside(1),
            Act.PREVIOUS_TILE: lambda: self._aside(-1),
            Act.NEXT_END: lambda: self._down(1),
            Act.PREVIOUS_END: lambda: self._down(-1),
            Act.DO: self._do,
            Act.HINT: self._hint,
            Act.CHAT: self._chat,
            Act.FAIRNESS: lambda: self._open(fairness_panel(self.scene, self._chronicle.proofs)),
            Act.BELL: self._switch_bell,
            Act.HELP: lambda: self._open(help_panel()),
            Act.REFUSE: self._ask_to_refuse,
            Act.PARTNER: lambda: self._lobby.sit_with_chosen(),
            Act.AGAIN: self._again,
            Act.PAUSE: self._pause,
            Act.LEAVE: self._ask_to_leave,
            Act.BACK: self._back,
        }

    def view(self) -> TableView:
        """What to show now."""
        page = self._end.mode(self.desk.panel)
        lines, left, known = self._chronicle.lines, self._timer.left, self.known
        desk = replace(self.desk, clock=left, log=lines, page=page)
        return make_view(self.scene, replace(desk, links=known.away, paused=known.paused))

    @property
    def scene(self) -> Scene:
        """What is on the table."""
        return self.known.scene

    # What comes in

    def show(self, notice: Notice) -> None:
        """Take in what the table shows."""
        lines = self.known.take(notice)
        match notice:
            case owner.Began():
                self._begin()
            case owner.Happened(event=event):
                self._hear(event, lines)
            case Filled() if not self.scene.players:
                self._show_lobby()
            case owner.Pausing():
                self._paused(notice, *lines)
            case owner.Refused(sentence=text):
                self._chronicle.note(text)
                self.note(text)
            case owner.Offered():
                self._end.talked_over = True
                self._show_end()
        if isinstance(notice, Told | Opened | owner.Chatted | owner.AgainWanted | owner.Offered):
            for line in lines:
                self.tell(line)

    def tell(self, text: str) -> None:
        """A line that is no event: before the match into the lobby, then into the log."""
        self._chronicle.note(text)
        if not self.scene.players:
            self._lobby.told.append(text)
            self._show_lobby()
            return
        self._end.told.append(text)
        self._show_end()
        if self._end.talked_over:
            self.note(text)  # the page may be longer than the screen

    def _show_lobby(self) -> None:
        self.desk = replace(self.desk, panel=self._lobby.panel(), lobby=self._lobby.mode)

    def _begin(self) -> None:
        """A match is about to begin, the first or another."""
        self._end = Ending(self.known)
        self._timer = Timer(self._now)
        self._chronicle = Chronicle(self._now())
        self._lobby = Lobby(self.known, self._out.wants)
        self.desk = Desk(panel=self._lobby.panel())

    def _paused(self, change: owner.Pausing, text: str) -> None:
        """Somebody wants a pause, or goes on; the clock stands still while it is on."""
        self._chronicle.note(text)
        self._timer.pause(change.on)
        wanted = bool(change.wanting) and not self.known.wants_pause
        self.note(f"{text} p agrees." if wanted else "")

    def stop(self, sentence: str) -> None:
        """The match broke off: what was told last stays in view until the person leaves."""
        self._end.stop(sentence)
        self.unask()
        self._show_end()

    def _hear(self, event: SessionEvent, lines: Sequence[str]) -> None:
        """An event of the match, and the lines that tell it."""
        self._chronicle.hear(event, lines, self.scene, self._now())
        if isinstance(event, MatchBegan):
            self.desk = replace(self.desk, panel=None, question="")
        match event:
            case InHand(event=HandEnded() as ended):
                self._end.hand = ended
                self._open(hand_end_panel(ended, self.scene))
            case MatchEnded():
                self._end.finish(event)
                self._show_end()

    def _show_end(self) -> None:
        if self._end.over:
            self._open(self._end.page(self.scene))

    def last_words(self) -> tuple[str, ...]:
        """What is worth reading when the screen has gone."""
        return self._end.last_words(self.scene)

    def ask(self, seen: SeatView, seconds: float | None = None) -> None:
        """A move or a claim is asked for, for so many seconds."""
        self._timer.start(seconds)
        plays = [move for move in seen.legal if isinstance(move, Play)]
        cursor = Cursor(plays[0].tile, plays[0].end) if plays else Cursor()
        if seen.awaiting is not None:
            self.desk = replace(self.desk, typed="", chatting=False)
        self._clicked = None
        self.desk = replace(self.desk, asked=Asked(seen), cursor=cursor, note="")

    def ask_line(self) -> None:
        """A line is asked for before the match; what was told last is the question."""
        self.desk = replace(self.desk, typed="")

    def unask(self) -> None:
        """Nothing is asked for any more."""
        if self.desk.asked is not None and not self.desk.chatting:
            self.desk = replace(self.desk, typed=None)
        self._timer.start(None)
        self._claiming = None
        self.desk = replace(self.desk, asked=None, cursor=Cursor(), note="")

    def note(self, text: str) -> None:
        """A short word to the person: a hint, a refusal."""
        self.desk = replace(self.desk, note=text)

    # What the person does

    def act(self, act: Act) -> None:
        """A key that means the same every time."""
        self.desk = replace(self.desk, note="")
        self._acts[act]()

    def press(self, char: str) -> None:
        """A digit: the tile of that number. A letter: the next end of that name."""
        self.desk = replace(self.desk, note="")
        if not self.scene.players:
            if char.isdigit():
                self._lobby.choose(int(char))
                self._show_lobby()
        elif char.isdigit():
            self.choose_number(int(char) - 1)
        else:
            self._point(lettered_end(self._hand, self.desk.cursor, char))

    def choose_number(self, number: int) -> None:
        """The tile at that place of the hand, if it can be played."""
        if not 0 <= number < len(self._hand) or self.desk.asked is None:
            return
        one = self._hand[number]
        if one.choices:
            self._point(on_tile(one))
        else:
            self.note(f"{one.tile} does not fit now.")

    def click_end(self, end: str) -> None:
        """An end was clicked: choose it; the second click plays there."""
        if self._clicked == end == self.desk.cursor.end:
            self.act(Act.DO)
        elif end in ends_of(self._hand, self.desk.cursor):
            self._point(Cursor(self.desk.cursor.tile, end))
            self._clicked = end

    def click_tile(self, number: int) -> None:
        """A tile was clicked: choose it; the second click plays it."""
        tile = self._hand[number].tile if number < len(self._hand) else None
        if tile is not None and self._clicked == tile == self.desk.cursor.tile:
            self.act(Act.DO)
        else:
            self.choose_number(number)
            self._clicked = tile

    @property
    def _hand(self) -> tuple[HandTile, ...]:
        return self.view().hand or ()

    def _point(self, cursor: Cursor) -> None:
        self.desk = replace(self.desk, cursor=cursor)

    def _aside(self, by: int) -> None:
        """Another tile; before the match somebody else of those who came."""
        if self.scene.players:
            self._point(other_tile(self._hand, self.desk.cursor, by))
        else:
            self._lobby.step(by)
            self._show_lobby()

    def _down(self, by: int) -> None:
        """The next end; on a page the next rows."""
        if self.desk.panel is not None:
            self.desk = replace(self.desk, top=max(0, self.desk.top + _PAGE_ROWS * by))
        else:
            self._point(other_end(self._hand, self.desk.cursor, by))

    @property
    def questioned(self) -> bool:
        """Whether a question waits for yes or no now."""
        return bool(self.desk.question)

    @property
    def typing(self) -> bool:
        """Whether keys are letters of a text now."""
        return self.desk.typed is not None and not self.desk.question

    def type(self, text: str) -> None:
        """More of the text that is being written; a claim has no letters, so p is the key there."""
        if text == "p" and self.scene.players and not self.desk.chatting:
            self._pause()
            return
        kept = "".join(char for char in text if char.isprintable())
        self.desk = replace(self.desk, typed=((self.desk.typed or "") + kept)[:CHAT_CHARACTERS])

    def erase(self) -> None:
        """The last character away."""
        self.desk = replace(self.desk, typed=(self.desk.typed or "")[:-1])

    def answer_question(self, yes: bool) -> None:
        """The answer to the question that was asked."""
        self.desk = replace(self.desk, question="")
        if yes:
            self._yes()

    def _question(self, text: str, yes: Callable[[], None]) -> None:
        self._yes = yes
        self.desk = replace(self.desk, question=text)

    # Single keys

    def _do(self) -> None:
        if self.typing:
            self._send()
        elif self._end.mode(self.desk.panel) is not Mode.PAGE:
            self._leave()
        elif self.desk.panel is not None:
            self._back()
        elif self.known.paused:
            self.note(PAUSED)
        elif self.desk.asked is not None:
            seen = self.desk.asked.seen
            move = chosen(seen, self.desk.cursor)
            if isinstance(move, Play) and seen.rules.claims:
                self._claiming = move
                self.desk = replace(self.desk, typed="", note=own_claim_prompt(move.tile))
            elif move is not None:
                self._answer(move)

    def _send(self) -> None:
        text = (self.desk.typed or "").strip()
        if self.desk.chatting:
            self.desk = replace(self.desk, typed=None, chatting=False)
            if text:
                self._out.wants(owner.Say(text))
            return
        if not self.scene.players:
            self.desk = replace(self.desk, typed=None)
            self._out.line(text)
            return
        if self.known.paused:
            self.note(PAUSED)
            return
        try:
            points = claimed(text)
        except IllegalMove as refusal:
            self.desk = replace(self.desk, typed="", note=sentence(refusal))
            return
        self.desk = replace(self.desk, typed=None)
        self._answer(points if self._claiming is None else replace(self._claiming, claim=points))

    def _answer(self, answer: Move | int) -> None:
        """It is asked for no longer, so a second Enter answers nothing."""
        self.unask()
        self._out.answer(answer)

    def _back(self) -> None:
        if self._claiming is not None:
            self._claiming = None
            self.desk = replace(self.desk, typed=None)
        elif self.desk.chatting:
            self.desk = replace(self.desk, typed=None, chatting=False)
        elif self._end.over:
            self._show_end()
        else:
            panel = None if self.scene.players else self._lobby.panel()
            self.desk = replace(self.desk, panel=panel, top=0)

    def _hint(self) -> None:
        if self.desk.asked is None or self.desk.asked.claim:
            self.note("A hint is for your own turn.")
        else:
            self._out.hint(self.desk.asked.seen)

    def _chat(self) -> None:
        if self.scene.players and (self._end.finished or not self._end.over):
            self.desk = replace(self.desk, typed="", chatting=True)

    def _switch_bell(self) -> None:
        self.bell = not self.bell
        self.note(f"The bell on your turn is {'on' if self.bell else 'off'}.")

    def _ask_to_leave(self) -> None:
        if self._end.over:
            self._leave()
        else:
            self._question(LEAVE_MATCH if self.scene.players else LEAVE_TABLE, self._leave)

    def _ask_to_refuse(self) -> None:
        """The host sends somebody away, if it is sure."""
        one = self._lobby.chosen
        if one is not None:
            text = f"Send {one.name} away? y refuses, n keeps the seat."
            self._question(text, lambda: self._lobby.refuse(one))

    def _pause(self) -> None:
        """Ask for a pause or agree; once it is wanted, want it no longer."""
        if self.scene.players and not self._end.over:
            self._out.wants(owner.Pause(not self.known.wants_pause))

    def _again(self) -> None:
        if self._end.offered:
            self._end.asked = True
            self.tell("You ask for another match; it begins when everybody does.")
            self._out.wants(owner.Again())

    def _leave(self) -> None:
        self._out.wants(Leave())

    def _open(self, panel: Panel) -> None:
        self.desk = replace(self.desk, panel=panel, top=0)
