"""The screen of a seat: what comes in changes its desk and its mode; no terminal, no waiting."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from cli.process.clipboard import COPIED
from cli.screen.drawing.keys import KEYS, Act, act_of
from cli.screen.drawing.panels import hand_end_panel
from cli.screen.drawing.view import Cursor, Desk
from cli.screen.modes import wishes
from cli.screen.modes.base import Holder, Mode
from cli.screen.modes.chronicle import BESIDE, NOTED, Chronicle
from cli.screen.modes.covers import Entering, Question, Writing, given_way, with_page
from cli.screen.modes.lobby import Lobby
from cli.screen.modes.over import BrokenOff, Ended, Over
from cli.screen.modes.playing import Claiming, Turn, Waiting
from cli.screen.modes.timer import Timer
from cli.table.clock import turn_of
from cli.table.known import Known
from cli.table.port import Filled, Leave, Notice, Opened, Told
from cli.telling.ask import AGAIN_ASKED, forced_lead, hint_text
from cli.telling.links import RETURNED, may_go_on
from cli.telling.phrases import bell_told
from cli.telling.room import Room
from cli.telling.scene import Scene
from cli.telling.words import say
from engine.events import HandEnded, MatchEnded
from engine.strategy.advice import Advice
from engine.strategy.view import SeatView
from p2p.net.door.watch import WRONG_CODES
from p2p.net.link.live import OTHER_LEFT
from p2p.session.sitting import owner
from p2p.session.state.events import InHand, MatchBegan, SessionEvent

GUARD_SECONDS: Final = 0.3
# So long who looks on has for the end of a hand before what goes on shows again.
PAGE_SECONDS: Final = 8.0
CHOOSES: Final = "o chooses that."
_AGAIN_ENDS: Final = "Ctrl-C again ends the program."


class Control(Holder):
    """What one person sees and does. `out` gets what has to go out; `now` gives seconds of a clock
    that only goes on. For `guard` seconds after their meaning has changed Enter and the like do
    not count."""

    def __init__(
        self,
        out: Callable[[wishes.Outward], None],
        now: Callable[[], float],
        guard: float = GUARD_SECONDS,
    ) -> None:
        self.bell = False
        self._lasting = ""
        self._out = out
        self._now = now
        self._guard = guard
        self._mode: Mode = Lobby(None)
        self._since = -guard
        self.known = Known()
        self._anew()

    @property
    def mode(self) -> Mode:
        """What the screen is about."""
        return self._mode

    @mode.setter
    def mode(self, mode: Mode) -> None:
        if mode.means != self._mode.means:
            self._since = self._now()
        self._mode = mode

    def key(self, name: str) -> None:
        """A key; who has closed something knows what is there then."""
        before = self.mode
        super().key(name)
        if self.mode is not before and act_of(KEYS, name) is Act.BACK:
            self._since = -self._guard

    def too_soon(self) -> bool:
        """Nobody reads, and means what they read, in so little time."""
        return self._now() - self._since < self._guard

    def _anew(self) -> None:
        writes = isinstance(self.mode, Writing)
        self.mode = self.mode.on(Lobby(None)) if writes else Lobby(None)
        self._desk = Desk(self.known.scene)
        self._next_note = self._noted = ""
        self._timer, self._asked = Timer(self._now), 0
        self._chronicle = Chronicle(self._now())

    @property
    def scene(self) -> Scene:
        """What is on the table."""
        return self.known.scene

    @property
    def desk(self) -> Desk:
        """What is known of the table now."""
        known, chronicle = self.known, self._chronicle
        log, proofs = chronicle.lines, tuple(chronicle.proofs)
        desk = replace(self._desk, clock=self._timer.left, log=log, proofs=proofs)
        desk = replace(desk, hands=known.hands, muted=known.muted_seats, scroll=self.scroll)
        opened = () if known.opened is None else known.opened.lines
        desk = replace(desk, opened=opened, standing=dict(known.standing))
        desk = replace(desk, series=known.series.told(known.scene))
        wanting, paused = known.wanting, known.paused
        desk = replace(desk, scene=known.scene, parting=known.parting)
        desk = replace(desk, links=known.beside, away=known.away, waited=known.waited)
        desk = replace(desk, leaving=known.leaving)
        asked = self.mode.ground.asked
        return replace(desk, wanting=wanting, paused=paused, moment=known.moment(asked))

    # What comes in

    def show(self, notice: Notice) -> None:
        """Take in what the table shows."""
        standing = dict(self.known.standing)
        lines = self.known.take(notice)
        self._overtake(standing, lines)
        match notice:
            case Told():
                self._begin_lines(notice)
            case Opened() | owner.Left():
                self._chronicle.note(*lines)
            case owner.Began():
                self._anew()
            case owner.Happened(event):
                self._hear(event, lines)
            case owner.Resumed():
                self._chronicle.begin(self.known.before, self.known.proofs)
                self._chronicle.note(*([] if self.known.looks_on else [RETURNED]))
                self.mode = Waiting()
            case Filled(room):
                self._fill(room)
            case owner.Pausing():
                self._paused(notice, *lines)
            case owner.Refused(text):
                self._chronicle.note(text)
                self._next_note = text
                self.note(text)
            case owner.Offered(possible):
                self._offer(possible)
            case owner.Waiting():
                self._wait(notice, *lines)
            case owner.Unlinked(why=why) if not (self.known.paused and why == OTHER_LEFT):
                pass  # It stands beside the name; but who goes in a pause stops for today.
            case _ if isinstance(notice, NOTED):
                for line in lines:
                    self._chronicle.note(line)
                    self._put(f"{line}{self._agrees(notice)}", isinstance(notice, owner.OutWished))
        if isinstance(notice, BESIDE):
            for line in lines:
                self.tell(line, counts=isinstance(notice, Told) and line.startswith(WRONG_CODES))

    def _overtake(self, standing: Mapping[int | None, str], lines: Sequence[str]) -> None:
        """How it is with who is away is told as it is now, and no more when they are back; before
        who only looks on an end of a hand gives way to what goes on."""
        if not self.known.plays and self._now() - self._since >= PAGE_SECONDS:
            self.mode = given_way(self.mode)
        for seat, old in standing.items():
            new = self.known.standing.get(seat)
            if seat is None or new == old:
                continue
            self._chronicle.overtake(old, None if new in lines else new)
            if new is not None and self._desk.note == old:
                self._noted = new
                self.note(new)

    def _begin_lines(self, told: Told) -> None:
        """What a line lets go of, and whether it lasts itself."""
        self._lasting = told.text if told.lasts else self._lasting
        if told.anew:
            kept = tuple(line for line in self._desk.told if line == self._lasting)
            self._desk = replace(self._desk, told=kept)

    def tell(self, text: str, counts: bool = False) -> None:
        """A line that is no event. One that `counts` wrong codes takes the place of the last."""
        self._chronicle.note(text)
        before = self._desk.told
        if counts:
            before = tuple(line for line in before if not line.startswith(WRONG_CODES))
        self._desk = replace(self._desk, told=(*before, text))
        ground = self.mode.ground
        if isinstance(ground, Over) and ground.news:
            self.note(text)

    def _wait(self, notice: owner.Waiting, *lines: str) -> None:
        """Where there is nothing to do about it yet it takes no row from the table."""
        self._chronicle.wait(*lines)
        if lines and (notice.left == 0 or self.scene.me in notice.seats):
            asks = may_go_on(notice, self.scene.me) and len(lines) == 1 and self.known.plays
            self._put(f"{lines[-1]} {CHOOSES}" if asks else lines[-1], own=True)

    def _agrees(self, notice: Notice) -> str:
        """The key to agree with who would wait no longer."""
        asked = isinstance(notice, owner.OutWished) and may_go_on(notice, self.scene.me)
        return " o agrees." if asked and self.known.plays else ""

    def _put(self, line: str, own: bool = False) -> None:
        """News in the note. Who is waited for has to read that, and not who is away besides."""
        if own or not self.known.awaited:
            self._noted = line
            self.note(line)

    def _fill(self, room: Room) -> None:
        """Who is at the table now, while it fills."""
        lobby = self.mode.ground
        if isinstance(lobby, Lobby):
            self.mode = self.mode.on(lobby.filled(room))

    def _offer(self, possible: bool) -> None:
        """The match is over, and another one is possible, or not."""
        over = self.mode.ground
        if isinstance(over, Ended):
            self.mode = self.mode.on(over.offer(possible))

    def _paused(self, change: owner.Pausing, text: str) -> None:
        """Somebody wants a pause, or goes on; the clock stands still while it is on."""
        self._chronicle.note(text)
        self._timer.pause(change.on)
        wanted = bool(change.wanting) and self.known.plays and not self.known.wants_pause
        self.note(f"{text} p agrees." if wanted else "")

    def stop(self, sentence: str) -> None:
        """The match broke off: what was told last stays in view until the person leaves."""
        self.unask()
        self.known.stopped = True
        over = self.mode.ground
        self.mode = over.offer(False) if isinstance(over, Ended) else BrokenOff(sentence)

    def _hear(self, event: SessionEvent, lines: Sequence[str]) -> None:
        """An event of the match, and the lines that tell it."""
        lines = [*lines, *forced_lead(event, self.scene, self._asked)]
        self._chronicle.hear(event, lines, self.scene, self._now())
        if lines and self._desk.note == self._noted:
            # What came before stands above what came now.
            self.note("")
        match event:
            case MatchBegan():
                self._desk = replace(self._desk, told=())
                # Its clock belongs to the first question: the log may have gone on till then.
                clock = self.scene.rules is not None and self.scene.rules.turn_seconds is not None
                self._next_note = lines[-1] if clock and self.known.plays else ""
                # A line that is being written stays.
                self.mode = self.mode.on(Waiting()) if isinstance(self.mode, Writing) else Waiting()
            case InHand(event=HandEnded()):
                page = hand_end_panel(self.known.hands, self.scene)
                self.mode = with_page(self.mode, page)
            case MatchEnded():
                self._desk = replace(self._desk, told=())
                over, mode = Ended(event), self.mode
                # A line that is being written stays; a page or a question is about what has ended.
                self.mode = replace(mode, over=over) if isinstance(mode, Writing) else over

    def last_words(self) -> tuple[str, ...]:
        """What is worth reading when the screen has gone: the result and the record, or what was
        told last of a match that broke off."""
        over, told = self.mode.ground, self._desk.told
        if isinstance(over, Ended):
            lasting = [self._lasting] if self._lasting else []
            return (*say(over.result, self.scene), *told, *lasting)
        return told[-1:] if self.scene.players else ()

    def ask(self, seen: SeatView, seconds: float | None = None) -> None:
        """A move or a claim is asked for, for so many seconds."""
        self._timer.start(seconds, turn_of(seen))
        self._asked = seen.hand_number
        # What was refused is asked again at once, and the reason belongs to that question; so may
        # what was told before the first.
        self.note(self._next_note)
        self._next_note = ""
        if seen.awaiting is None:
            self._ask_move(seen)
        else:
            # There is little time for a claim: it does not wait below a line of chat.
            claiming = Claiming(seen)
            self.mode = claiming if isinstance(self.mode, Writing) else self.mode.on(claiming)

    def _ask_move(self, seen: SeatView) -> None:
        """One's turn, with what was chosen ahead, if it fits still."""
        before = self.mode.ground
        ahead = before.cursor if isinstance(before, Waiting) else Cursor()
        turn = Turn.begun(seen, ahead)
        if ahead.tile is not None and turn.cursor != ahead:
            where = f" on {ahead.end}" if ahead.end else ""
            self.note(f"{ahead.tile}{where}, which you had chosen, does not fit any more.")
        self.mode = self.mode.on(turn)

    def hinted(self, advice: Advice, seen: SeatView) -> None:
        """A hint for what was asked: it chooses, so that Enter plays it. It may come too late."""
        turn = self.mode.ground
        if isinstance(turn, Turn) and turn.seen is seen:
            self.mode = self.mode.on(turn.hinted(advice))
            self.note(hint_text(advice, seen))

    def interrupt(self) -> bool:
        """The first Ctrl-C asks, as `q` does; the second one ends the program."""
        question = self.mode.ground.leaving(self.desk)
        if isinstance(self.mode, Question) or not question:
            return False
        self.mode = Question(self.mode, question, Leave())
        self.note(_AGAIN_ENDS)
        return True

    def ask_line(self) -> None:
        """A line is asked for before the match; what was told last is the question."""
        self.mode = Entering(self.mode.ground)

    def unask(self) -> None:
        """Nothing is asked for any more."""
        self._timer.stop()
        self.note("")
        if isinstance(self.mode.ground, Turn | Claiming):
            self.mode = self.mode.on(Waiting())

    def note(self, text: str) -> None:
        """A short word to the person: a hint, a refusal."""
        self._desk = replace(self._desk, note=text)

    def _copy(self) -> None:
        """The invite of the own table, if it was told: it goes to the clipboard."""
        opened = self.known.opened
        if opened is not None:
            self._out(wishes.Clip(opened.invite))
            self.note(COPIED)

    # What goes out

    def send(self, wish: wishes.Asked) -> None:
        """What the person wants."""
        match wish:
            case wishes.Bell():
                self.bell = not self.bell
                self.note(bell_told(self.bell))
                return
            case wishes.Mute(seat):
                self.note(self.known.mute(seat))
                return
            case wishes.Copy():
                self._copy()
                return
            case wishes.Answer():
                self._timer.stop()
            case owner.Again():
                self.tell(AGAIN_ASKED)
        self._out(wish)
