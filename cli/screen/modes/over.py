"""A match is over: by a result, after which another may be asked for, or by breaking off."""

from dataclasses import dataclass
from typing import ClassVar, Final

from cli.screen.drawing.keys import KEYS, Act, key_row
from cli.screen.drawing.panels import Panel, match_end_panel, stopped_panel
from cli.screen.drawing.view import Desk
from cli.screen.modes.base import Step
from cli.screen.modes.covers import Scrolling, Writing
from cli.screen.modes.muting import mute_step
from cli.telling.words import on_a_page
from engine.events import MatchEnded
from p2p.session.sitting.owner import Again

_NOT_ENTER: Final = "Enter does nothing here."


@dataclass(frozen=True)
class Over(Scrolling):
    """There is nothing left to play; its page stays in view until the person leaves. Where `news`
    is true, what is told is told in the note too: the page may be longer than the screen."""

    news: ClassVar[bool] = False
    row = key_row(KEYS, Act.HELP, Act.LEAVE)

    def leaving(self, desk: Desk) -> str:
        """Nothing is lost by leaving."""
        return ""

    def act(self, act: Act, desk: Desk, char: str = "") -> Step:
        """Enter, which was meant for something else, leaves nothing."""
        return Step(self, note=_NOT_ENTER) if act is Act.DO else super().act(act, desk, char)


@dataclass(frozen=True)
class BrokenOff(Over):
    """It broke off: what was told last says why, the `sentence` where its record is."""

    sentence: str

    def page(self, desk: Desk) -> Panel:
        """Why."""
        return stopped_panel([*desk.told[-1:], self.sentence])


@dataclass(frozen=True)
class Ended(Over):
    """It has a result. Whether another may be asked for is not known yet."""

    result: MatchEnded
    another: ClassVar[bool] = False
    row = key_row(KEYS, Act.CHAT, Act.FAIRNESS, Act.HELP, Act.LEAVE)

    def page(self, desk: Desk) -> Panel:
        """The result, and what was told since."""
        told, series = on_a_page(desk.told), desk.series
        return match_end_panel(self.result, desk.hands, desk.scene, told, series, self.another)

    def act(self, act: Act, desk: Desk, char: str = "") -> Step:
        """People go on talking."""
        match act:
            case Act.CHAT:
                return Step(Writing(self))
            case Act.MUTE:
                return mute_step(self, desk)
        return super().act(act, desk, char)

    def offer(self, possible: bool) -> "Ended":
        """Another match is possible, or not."""
        return (Another if possible else Closed)(self.result, top=self.top)


@dataclass(frozen=True)
class Closed(Ended):
    """There is no other match, or it has been asked for."""

    news = True


@dataclass(frozen=True)
class Another(Ended):
    """Another match may be asked for."""

    news = True
    another = True
    row = key_row(KEYS, Act.AGAIN, Act.CHAT, Act.FAIRNESS, Act.HELP, Act.LEAVE)

    def act(self, act: Act, desk: Desk, char: str = "") -> Step:
        """Ask for it, once."""
        return (
            Step(self.offer(False), Again()) if act is Act.AGAIN else super().act(act, desk, char)
        )
