"""Going on without somebody who does not decide: asked first, and all others must want it too."""

from cli.screen.drawing.view import Desk
from cli.screen.modes.base import Mode, Step
from cli.screen.modes.covers import Question
from cli.telling.ask import NOBODY_WAITED, go_on_without
from p2p.session.sitting.owner import PutOut


def out_step(mode: Mode, desk: Desk) -> Step:
    """The question, if somebody is waited for so long that this may be wanted."""
    if not desk.waited:
        return Step(mode, note=NOBODY_WAITED)
    seat = min(desk.waited)
    question = go_on_without(desk.scene.name(seat))
    return Step(Question(mode, question, PutOut(seat)))
