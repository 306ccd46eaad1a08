"""How a match ended, as the screen keeps it: by a result, or by breaking off; and what follows."""

from cli.screen.drawing.keys import Mode
from cli.screen.drawing.panels import Panel, match_end_panel, stopped_panel
from cli.table.known import Known
from cli.telling.scene import Scene
from cli.telling.words import say
from engine.events import HandEnded, MatchEnded


class Ending:
    """`told` are the lines since the end, before it those since the beginning; `hand` is how the
    last hand ended; `asked` says that another match has been asked for here, `talked_over` that it
    could be: what is told from then on is news."""

    def __init__(self, known: Known) -> None:
        self._known = known
        self.told: list[str] = []
        self.hand: HandEnded | None = None
        self.asked = False
        self.talked_over = False
        self._result: MatchEnded | None = None
        self._stopped = ""
        self._page: Panel | None = None

    def finish(self, result: MatchEnded) -> None:
        """The match has a result; only what is told from now on belongs to its page."""
        self._result = result
        self.told.clear()

    def stop(self, sentence: str) -> None:
        """The match broke off; `sentence` says where its record is."""
        self._stopped = sentence

    @property
    def offered(self) -> bool:
        """Whether another match may be asked for here."""
        return self._known.offered and not self.asked

    @property
    def finished(self) -> bool:
        """Whether there is a result."""
        return self._result is not None

    @property
    def over(self) -> bool:
        """Whether there is nothing left to play."""
        return self.finished or bool(self._stopped)

    def page(self, scene: Scene) -> Panel:
        """The page about it."""
        if self._result is None:
            self._page = stopped_panel([*self.told[-1:], self._stopped])
        else:
            self._page = match_end_panel(self._result, self.hand, scene, self.told, self.offered)
        return self._page

    def mode(self, shown: Panel | None) -> Mode:
        """The keys that do something while the page `shown` is in view."""
        if shown is None or shown is not self._page:
            return Mode.PAGE
        return Mode.OFFER if self.offered else Mode.OVER

    def last_words(self, scene: Scene) -> tuple[str, ...]:
        """What is worth reading when the screen has gone: the result and the record, or what was
        told last of a match that broke off."""
        if self._result is not None:
            return (*say(self._result, scene), *self.told)
        return tuple(self.told[-1:]) if scene.players else ()
