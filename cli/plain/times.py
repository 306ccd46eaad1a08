"""What plain lines say of a person's time for a claim or a move."""

from typing import Final

from cli.process.kinds import CLAIM_SECONDS, MOST_CLAIM_SECONDS
from cli.table.known import Known
from cli.table.port import TimeIsUp, TimeRuns
from cli.telling.phrases import plural
from engine.moves import Play
from engine.strategy.view import SeatView
from p2p.session.sitting.owner import Chosen

TOO_LATE: Final = (
    "That came too late to be a claim, and nothing is played: for a tile type it again, best with "
    "a dash, as 3-0."
)


def time_to_claim(known: Known, seconds: float) -> list[str]:
    """How long one has for a claim, to whom points are claimed by; and how to have longer, to who
    has not chosen a longer time already."""
    if known.rules is None or not known.rules.claims or known.looks_on:
        return []
    told = f"You have {seconds:g} seconds to claim points for what another plays."
    if seconds <= CLAIM_SECONDS:
        most = MOST_CLAIM_SECONDS
        told += (
            f" --claim-seconds behind the command, or `allfives config claim-seconds {most}`, "
            f"gives you up to {most}."
        )
    return [told]


class Times:
    """What the clocks say, and whether a claim has just come too late."""

    def __init__(self) -> None:
        self._over = False  # the time to claim, for which the next line may have been meant

    def about(self, notice: TimeRuns | TimeIsUp, asked: SeatView | None, known: Known) -> list[str]:
        """What a clock says to who is `asked` for a move or a claim; in place of what the line
        about the move says."""
        match notice:
            case TimeRuns(seconds=seconds):
                claiming = asked is not None and asked.awaiting is not None
                what = "to claim points" if claiming else "for your turn"
                return [f"{plural(seconds, 'second')} left {what}."]
            case TimeIsUp(chosen=Chosen(move=None)):
                self._over = True
                return ["Nothing is claimed for you: the time for it is over."]
            case TimeIsUp(chosen=Chosen(move=Play())) if not known.scene.dealt:
                return ["The time for it is over: the tile is led, and nothing is claimed for it."]
        return []

    def too_late(self, asked: SeatView | None, typed: str) -> bool:
        """Whether a line, the first since the time was over, is a number in place of a move: by ear
        the time ends while one types, and 10 to 65 are tiles as well."""
        over, self._over = self._over, False
        return over and asked is not None and asked.awaiting is None and typed.isdigit()
