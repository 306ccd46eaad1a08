"""The screen of a seat: what comes in changes its desk and its mode; no terminal, no waiting.

What has to go out (a move, a claim, a line of chat, leaving) goes through `Outlets`.
"""

from collections.abc import Callable
from dataclasses import replace

from cli.screen.drawing.panels import hand_end_panel
from cli.screen.drawing.view import Desk
from cli.screen.modes import wishes
from cli.screen.modes.base import Holder, Mode
from cli.screen.modes.chronicle import Chronicle
from cli.screen.modes.covers import Entering, Writing, with_page
from cli.screen.modes.lobby import Lobby
from cli.screen.modes.outlets import Outlets
from cli.screen.modes.over import Ended, Over, Stopped
from cli.screen.modes.playing import Claiming, Turn, Waiting
from cli.screen.modes.timer import Timer
from cli.telling.room import Powers, Room
from cli.telling.scene import Scene
from cli.telling.words import pause_text, say
from engine.strategy.view import SeatView
from p2p.net.match.pausing import Pausing
from p2p.session.state.events import HandEnded, MatchBegan, MatchEnded, SessionEvent


class Control(Holder):
    """What one person sees and does. `now` gives seconds of a clock that only goes on."""

    def __init__(self, outlets: Outlets, now: Callable[[], float]) -> None:
        self.bell = False
        self._out = outlets
        self._now = now
        self._powers: Powers | None = None
        self._anew(Scene())

    def _anew(self, scene: Scene) -> None:
        self.mode: Mode = Lobby(None)
        self._desk = Desk(scene)
        self._timer = Timer(self._now)
        self._chronicle = Chronicle(self._now())
        self._hand: HandEnded | None = None

    @property
    def scene(self) -> Scene:
        """What is on the table."""
        return self._desk.scene

    @property
    def desk(self) -> Desk:
        """What is known of the table now."""
        chronicle = self._chronicle
        log, proofs = chronicle.lines, tuple(chronicle.proofs)
        return replace(self._desk, clock=self._timer.left, log=log, proofs=proofs)

    # What comes in

    def tell(self, text: str) -> None:
        """A line that is no event."""
        self._chronicle.note(text)
        self._desk = replace(self._desk, told=(*self._desk.told, text))
        ground = self.mode.ground
        if isinstance(ground, Over) and ground.news:
            self.note(text)

    def fill(self, room: Room) -> None:
        """Who is at the table now, while it fills."""
        self._powers = room.powers
        lobby = self.mode.ground
        if isinstance(lobby, Lobby):
            self.mode = self.mode.on(lobby.filled(room))

    def begin(self, me: int) -> None:
        """A match is about to begin, the first or another, with the own seat `me`."""
        self._anew(Scene(me))

    def offer(self, possible: bool) -> None:
        """The match is over, and another one is possible, or not."""
        over = self.mode.ground
        if isinstance(over, Ended):
            self.mode = self.mode.on(over.offer(possible))

    def paused(self, change: Pausing) -> None:
        """Somebody wants a pause, or goes on; the clock stands still while it is on."""
        text = pause_text(change, self.scene)
        self._chronicle.note(text)
        self._timer.pause(change.on)
        wanted = bool(change.wanting) and self.scene.me not in change.wanting
        note = f"{text} p agrees." if wanted else ""
        self._desk = replace(self._desk, wanting=change.wanting, paused=change.on, note=note)

    def stop(self, sentence: str) -> None:
        """The match broke off: what was told last stays in view until the person leaves."""
        self.unask()
        over = self.mode.ground
        self.mode = over.offer(False) if isinstance(over, Ended) else Stopped(sentence)

    def hear(self, event: SessionEvent) -> None:
        """An event of the match."""
        self.scene.apply(event)
        self._chronicle.hear(event, self.scene, self._now())
        match event:
            case MatchBegan():
                self._desk = replace(self._desk, told=())
                self.mode = Waiting()
            case HandEnded():
                self._hand = event
                self.mode = with_page(self.mode, hand_end_panel(event, self.scene))
            case MatchEnded():
                self._desk = replace(self._desk, told=())
                over, mode = Ended(event, self._hand), self.mode
                # A line that is being written stays; a page or a question is about what has ended.
                self.mode = replace(mode, over=over) if isinstance(mode, Writing) else over

    def last_words(self) -> tuple[str, ...]:
        """What is worth reading when the screen has gone: the result and the record, or what was
        told last of a match that broke off."""
        over, told = self.mode.ground, self._desk.told
        if isinstance(over, Ended):
            return (*say(over.result, self.scene), *told)
        return told[-1:] if self.scene.players else ()

    def ask(self, seen: SeatView, seconds: float | None = None) -> None:
        """A move or a claim is asked for, for so many seconds."""
        self._timer.start(seconds)
        self.note("")
        if seen.awaiting is None:
            self.mode = self.mode.on(Turn.begun(seen))
        else:
            # There is little time for a claim: it does not wait below a line of chat.
            claiming = Claiming(seen)
            self.mode = claiming if isinstance(self.mode, Writing) else self.mode.on(claiming)

    def ask_line(self) -> None:
        """A line is asked for before the match; what was told last is the question."""
        self.mode = Entering(self.mode.ground)

    def unask(self) -> None:
        """Nothing is asked for any more."""
        self._timer.start(None)
        self.note("")
        if isinstance(self.mode.ground, Turn | Claiming):
            self.mode = self.mode.on(Waiting())

    def note(self, text: str) -> None:
        """A short word to the person: a hint, a refusal."""
        self._desk = replace(self._desk, note=text)

    def link(self, seat: int, state: str) -> None:
        """How the link to a seat is: "" when it is well."""
        links = {other: said for other, said in self._desk.links.items() if other != seat}
        self._desk = replace(self._desk, links=links | {seat: state} if state else links)

    # What goes out

    def send(self, wish: wishes.Wish) -> None:
        """What the person wants."""
        match wish:
            case wishes.Answer(given):
                self._timer.start(None)
                self._out.answer(given)
            case wishes.Say(words):
                self._out.say(words)
            case wishes.Enter(line):
                self._out.line(line)
            case wishes.Hint(seen):
                self._out.hint(seen)
            case wishes.Pause(on):
                self._out.pause(on)
            case wishes.Again():
                self.tell("You ask for another match; it begins when everybody does.")
                self._out.again()
            case wishes.Leave():
                self._out.leave()
            case wishes.Refuse(key) if self._powers is not None:
                self._powers.refuse(key)
            case wishes.SitWith(key) if self._powers is not None:
                self._powers.sit_with(key)
            case wishes.Bell():
                self.bell = not self.bell
                self.note(f"The bell on your turn is {'on' if self.bell else 'off'}.")
