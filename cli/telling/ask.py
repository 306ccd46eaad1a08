"""What a person is told can be done now: sentences, and pure functions to one or two of them."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from cli.telling.doing import waits_for
from cli.telling.phrases import plural
from cli.telling.prompts import spelled, told_count, told_points, what_it_scored, why_no_draw
from cli.telling.scene import Scene
from cli.telling.words import claiming, ends_text
from engine.events import Played
from engine.hand import why_led
from engine.moves import Draw, Move, Pass, Play
from engine.strategy.advice import Advice
from engine.strategy.hints import ends_match, reason
from engine.strategy.view import SeatView
from engine.tiles import Tile
from engine.wording import listed
from p2p.session.state.events import InHand, SessionEvent

LEAVE_TABLE: Final = "Leave? y leaves, n stays."
NOBODY_WAITED: Final = "Nobody has been waited for so long that the match may go on without them."
THINKING: Final = "Thinking about a hint ..."
NOBODY_HERE: Final = "There is nobody to write to yet."
NO_HINT: Final = "A hint is for your own turn."
AGAIN_ASKED: Final = "You ask for another match; it begins when everybody does."
FORCED: Final = "The rules force this lead: "
NOT_COUNTED_THEN: Final = "This hand ends then, and its tiles are not counted."
PAUSED: Final = "Nothing is chosen or played in a pause."
Parting = Literal["ends", "alone", "without", "looking", "waits"]
"""What leaving a match means: it ends for others too; it ends, and only one's own bots play; the
others go on without; one only looks on anyway; or it is paused, and waits."""

_STOP: Final = (
    "Stop for today? The match waits, paused, until somebody goes on with it; `allfives resume` "
    "takes you back. (To leave it for good, go on first.)"
)
# What those are told whose leaving is for good.
_INSTEAD: Final = (
    "To keep it for another day stay, and ask for a pause ({pause}), which all must agree to."
)
_WITHOUT: Final = (
    "The others play on without you, this hand ends and its tiles are not counted; you cannot come "
    "back."
)
_PARTINGS: Final[Mapping[Parting, str]] = {
    "ends": f"The match ends for everybody then. {_INSTEAD}",
    "alone": (
        "The match ends then. To keep it for another day stay, and ask for a pause ({pause}), to "
        "which your bots agree."
    ),
    "without": f"{_WITHOUT} {_INSTEAD}",
    "looking": "You only look on; the others play on.",
}


def leave_match(parting: Parting, how: str = "y leaves, n stays.", pause: str = "n, then p") -> str:
    """The question to who wants to leave a match; `how` it is answered, and what asks for a
    `pause`."""
    if parting == "waits":
        return f"{_STOP} {how.replace('leave', 'stop')}"
    return f"Leave? {_PARTINGS[parting].format(pause=pause)} {how}"


def leave_people(names: Sequence[str], hosts: bool, how: str) -> str:
    """The question to who wants to leave a table that fills, where people sit."""
    sit = f"{listed(list(names))} {'sits' if len(names) == 1 else 'sit'} here already"
    means = "the table closes for everybody then" if hosts else "your seat is free then"
    return f"Leave? {sit}; {means}. {how}"


def go_on_without(name: str, how: str = "y wants it, n waits on.") -> str:
    """The question to who would not wait any longer; `how` it is answered."""
    return f"Go on without {name}? It is done when all others want it too. {how}"


def turn_prompt(seen: SeatView, chosen: Move | None) -> str:
    """To the seat whose turn it is; `chosen` is the move that Enter would make."""
    if isinstance(chosen, Draw):
        left = plural(seen.drawable, "tile")
        return f"Your turn, and nothing you hold fits. Enter draws until a tile fits ({left} left)."
    if isinstance(chosen, Pass):
        return f"Your turn, nothing you hold fits and {why_no_draw(seen)}. Enter passes."
    plays = [move for move in seen.legal if isinstance(move, Play)]
    if not isinstance(chosen, Play):
        return "Your turn. Choose a tile with its number or the arrows, then Enter."
    does = f"Enter plays {_told(seen, chosen)}"
    if len(plays) == 1:
        return f"Your turn, and you have one move: {does}."
    tiles = " Left/right: another tile." if len({move.tile for move in plays}) > 1 else ""
    ends = sum(move.tile == chosen.tile for move in plays)
    return f"Your turn: {does}.{tiles}{' Up/down: another end.' if ends > 1 else ''}"


def _told(seen: SeatView, move: Play) -> str:
    where = "as the lead" if move.end is None else f"on {move.end}"
    if seen.rules.claims:
        return f"{move.tile} {where}; then you say what it scores"
    points, count = told_points(seen, move), told_count(seen, move)
    if points:
        return f"{move.tile} {where} for {points} points"
    return f"{move.tile} {where}" + ("" if count is None else f", count {count}")


def own_claim_prompt(tile: object) -> str:
    """To the placer where points are claimed."""
    return f"What does {tile} score there? Type the points you claim; Enter alone claims nothing."


def lead_asked(lead: Tile) -> str:
    """To who must lead that tile, before the hand begins for all."""
    return f"You must lead {lead}, {why_led(lead)}; what do you claim for it?"


def claim_prompt(seen: SeatView, scene: Scene) -> str:
    """To the opponents of the placer where points are claimed."""
    assert seen.awaiting is not None, "no placement to claim for"
    asked = what_it_scored(seen.awaiting)
    return f"{claiming(scene, seen.awaiting)} The ends are {ends_text(seen.line)}. {asked}"


def forced_lead(event: SessionEvent, scene: Scene, asked: int) -> list[str]:
    """Why one has led without having been asked, a line, if the event is that; `asked` is the
    number of the hand in which one was asked last."""
    match event:
        case InHand(event=Played(end=None, seat=seat, tile=tile)) if seat == scene.me:
            return [] if asked == scene.hand else [f"{FORCED}{tile} is {why_led(tile)}."]
    return []


def try_prompt(seen: SeatView, tile: Tile | None, chosen: Move | None) -> str:
    """To who learns, and is asked elsewhere for a move; `tile` is chosen, perhaps without an
    end."""
    if isinstance(chosen, Draw):
        return f"Enter draws until a tile fits ({plural(seen.drawable, 'tile')} left)."
    if isinstance(chosen, Pass):
        return "Enter passes."
    ends = [move.end for move in seen.legal if isinstance(move, Play) and move.tile == tile]
    if chosen is None and tile is not None:
        return f"{tile} fits on {listed([end for end in ends if end])}: up, down or its letter."
    return turn_prompt(seen, chosen)


def wait_prompt(scene: Scene, ahead: str = "", away: Mapping[str, str] | None = None) -> str:
    """To who has nothing to decide now, and has chosen this `ahead` ("": nothing); `away` says by
    name since when those are who are not needed for it."""
    waits = f"{waits_for(scene)} {_who(away)}." if away else waits_for(scene)
    if scene.me in scene.out:
        return waits
    if scene.me is None:
        return f"{waits} q leaves."
    if not scene.dealt or scene.unsettled or scene.turn in (None, scene.me):
        return f"{waits} Nothing to do: it goes on by itself."
    if ahead:
        return f"{waits} You have chosen {ahead} ahead; Enter plays it when it is your turn."
    return f"{waits} Meanwhile you may choose a tile and an end ahead."


def away_prompt(away: Mapping[str, str], needed: Sequence[str]) -> str:
    """To who waits for the `needed` to come back; `away` says by name since when."""
    back = f"{listed(list(needed))} {'is' if len(needed) == 1 else 'are'} back"
    return f"{_who(away)}. The match goes on where it was as soon as {back}. q leaves."


def _who(away: Mapping[str, str]) -> str:
    return ", ".join(f"{name} is {since}" for name, since in away.items())


def hint_text(advice: Advice, seen: SeatView) -> str:
    """What a hint says: the move, in a few words why, what it leaves, and how much better it is."""
    move = advice.move
    if not isinstance(move, Play):
        return f"Hint: {'draw' if isinstance(move, Draw) else 'pass'} ({reason(seen, move)})."
    said = [reason(seen, move)]
    if seen.rules.play_points == "fives" and len(seen.tiles) > 1:
        leaves = f"{advice.leaves} at most" if advice.leaves else "nothing"
        said.append(f"leaves the next player {leaves}")
    return f"Hint: {spelled(move)} ({', '.join([*said, *_better(advice, seen)])})."


def _better(advice: Advice, seen: SeatView) -> list[str]:
    """Why it is better than the others: by points, or where fewer are expected, for what else."""
    rival, chances = advice.rival, advice.chances
    if ends_match(seen, advice.move):
        return ["wins the match"]
    if chances is not None and isinstance(rival, Play):
        own, other = in_a_hundred(chances[advice.move]), in_a_hundred(chances[rival])
        if own > other:
            return [f"wins the match {own} times in 100, and {spelled(rival)} {other} times"]
    if chances is None and rival is not None and round(advice.better_than(rival)) < 0:
        return ["may go out sooner, which leads the next hand"]
    lead = 0 if advice.lead is None else round(advice.lead)
    return [f"{plural(lead, 'point')} better than the next best"] if lead > 0 else []


def in_a_hundred(chance: float) -> int:
    """A chance as a person is told it: about so many times in 100."""
    return round(100 * chance)
