"""What `hard` would have played at each placement of a match, from what its seat could know."""

import multiprocessing
import os
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from cli.process.workers import uninterrupted
from cli.telling.ask import in_a_hundred
from cli.telling.jsonlines import Fields
from cli.telling.looking.opened import OpenedMatch
from cli.telling.phrases import plural
from engine.events import Played
from engine.moves import Play
from engine.seats import USUAL_WORLDS
from engine.strategy import SeatView, make_view
from engine.strategy.advice import advise, leaves
from engine.tiles import Tile
from p2p.session.state.events import InHand, MatchBegan, SessionEvent

# A choice takes some 60 ms: with fewer than this, processes of their own take longer to start.
_WORTH_PROCESSES: Final = 20


@dataclass(frozen=True, slots=True)
class Advised:
    """The best placement: what it scores, the most that the next player may make then as far as the
    seat could know, and how many points it was expected to bring more than the one made. `chances`:
    near the target, how likely it and the one made win the match, which is what counts there.
    `wins`: it ends the match at once."""

    tile: Tile
    end: str | None
    points: int
    leaves: int
    better: float
    chances: tuple[float, float] | None = None
    wins: bool = False

    def fields(self) -> Fields:
        """As it stands in JSON."""
        return {
            "tile": str(self.tile),
            "end": self.end,
            "points": self.points,
            "leaves": self.leaves,
            "better": self.better,
        }

    def agrees(self, made: Played) -> bool:
        """Whether it is the placement that was made."""
        return (self.tile, self.end) == (made.tile, made.end)

    def words(self, made: Played) -> str:
        """What is said to who looks back at the placement that was made."""
        if self.agrees(made):
            return "hard would have played the same."
        where = "" if self.end is None else f" on {self.end}"
        worth = f" for {plural(self.points, 'point')}" if self.points else ""
        worth += f", leaving {self.leaves} at most" if self.leaves else ""
        if self.wins:
            return f"hard would have played {self.tile}{where}{worth}, which wins the match."
        if self.chances is not None and (wins := self._more_wins()):
            return f"hard would have played {self.tile}{where}{worth}: {wins}."
        if self.better <= 0 or self.chances is not None:
            return f"hard would have played {self.tile}{where}{worth}; it is worth as much."
        more = "1 point" if self.better == 1 else f"{self.better:g} points"
        return f"hard would have played {self.tile}{where}{worth}: {more} better."

    def _more_wins(self) -> str:
        """What counts near the target, where it tells the two apart."""
        best, made = map(in_a_hundred, self.chances or (0.0, 0.0))
        return f"it wins the match {best} times in 100, the one made {made}" if best > made else ""


@dataclass(frozen=True)
class Choice:
    """A placement: the place of its event, what the seat saw, which of `view.legal` it made, and a
    seed that is the same for each reading of the match."""

    at: int
    view: SeatView
    made: Play
    seed: str


def choices(events: Sequence[SessionEvent]) -> Iterator[Choice]:
    """Every placement in hands that were opened."""
    match: OpenedMatch | None = None
    table = ""
    for at, event in enumerate(events):
        if isinstance(event, MatchBegan):
            match, table = OpenedMatch.of(event), event.table.hex()
        elif match is not None:
            if isinstance(event, InHand) and isinstance(event.event, Played):
                found = _choice(match, event.event)
                if found is not None:
                    yield Choice(at, *found, f"{table} {at}")
            match.follow_told(event)


def _choice(match: OpenedMatch, made: Played) -> tuple[SeatView, Play] | None:
    known = match.dealt.known
    if any(slot not in known for slot in match.dealt.slots(made.seat)):
        return None  # never opened
    view = make_view(match, made.seat)
    wanted = (made.tile, made.end)
    plays = (move for move in view.legal if isinstance(move, Play))
    return next(((view, move) for move in plays if (move.tile, move.end) == wanted), None)


def best_of(choice: Choice, worlds: int = USUAL_WORLDS) -> Advised:
    """The best that could be done; the same for the same choice."""
    view, made = choice.view, choice.made
    if len(view.legal) == 1 or view.wins_with(made):
        return Advised(made.tile, made.end, view.points_for(made), leaves(view, made), 0.0)
    advice = advise(view, random.Random(choice.seed), worlds=worlds)
    best = advice.move
    assert isinstance(best, Play), "a placement is chosen among placements"
    # A move that was given up early, or what is played for beside points, may make it less.
    better = max(0.0, round(advice.better_than(made), 1))
    chances = None if advice.chances is None else (advice.chances[best], advice.chances[made])
    wins = view.wins_with(best)
    return Advised(best.tile, best.end, advice.points, advice.leaves, better, chances, wins)


def advise_all(
    events: Sequence[SessionEvent],
    worlds: int = USUAL_WORLDS,
    jobs: int | None = None,
    done: Callable[[int, int], None] = lambda number, of: None,
) -> Mapping[int, Advised]:
    """The advice for each placement, by the place of its event; in so many processes, as many as
    there are cores unless said. `done` hears how many there are of how many, after each."""
    found = list(choices(events))
    jobs = jobs or os.cpu_count() or 1
    best = partial(best_of, worlds=worlds)
    hard = sum(len(one.view.legal) > 1 for one in found)
    if jobs == 1 or hard < _WORTH_PROCESSES:
        return _counted(found, map(best, found), done)
    with uninterrupted():
        pool = multiprocessing.get_context("spawn").Pool(jobs)
    with pool:
        return _counted(found, pool.imap(best, found, chunksize=4), done)


def _counted(
    found: Sequence[Choice], told: Iterable[Advised], done: Callable[[int, int], None]
) -> Mapping[int, Advised]:
    advised: dict[int, Advised] = {}
    for one, advice in zip(found, told, strict=True):
        advised[one.at] = advice
        done(len(advised), len(found))
    return advised
