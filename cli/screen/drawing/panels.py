"""Pages that cover the table: lobby, help, fairness, the end of a hand and of a match."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cli.screen.drawing.keys import help_lines, replay_help_lines
from cli.telling.doing import Moment
from cli.telling.pages import (
    ProvenStep,
    fairness_lines,
    made_in_play,
    rules_lines,
    score_lines,
    tip_lines,
)
from cli.telling.scene import Scene
from cli.telling.settling import hand_end_lines
from cli.telling.words import last_placement, say
from engine.events import HandEnded, MatchEnded
from engine.rules import Rules


@dataclass(frozen=True, slots=True)
class Panel:
    """A page: its title, its lines, and what can be done about it. `news` are further lines, of
    which the last ones stay in view where the page is longer than the screen. `ended` is the number
    of the hand whose end it is, 0 on any other page, and `scores` are those at that end."""

    title: str
    lines: tuple[str, ...]
    prompt: str
    news: tuple[str, ...] = ()
    ended: int = 0
    scores: tuple[int, ...] = ()


GOES_ON = "Enter goes on."
# That others may join, and how if they have the code.
_FIRST_WAY = 2
_MORE_WAYS = "Other ways to join:"
_CLOSE = "Enter or Esc goes back to the table."


def help_panel(moment: Moment) -> Panel:
    """How the game that is played goes, and the keys that do something now, from their table."""
    rules = moment.rules
    spinner = "every" if rules is None else rules.spinner
    ends = "L or R" if spinner == "none" else "L, R, U or D"
    lines = [f"Add a tile with a half that matches an open end: {ends}."]
    if rules is None or rules.play_points == "fives":
        lines += [
            "When the open ends add up to a multiple of five, that sum is scored.",
            "Doubles lie across: both halves count at an end.",
        ]
    if rules is not None and rules.claims:
        lines.append("Points are claimed: who places says what it scores, then the others may.")
    lines.append("Who has no tile left ends the hand.")
    now = f"{moment.state} The keys that do something now:"
    return Panel("Help", (*lines, "", now, *help_lines(moment)), _close("?"))


def replay_help_panel() -> Panel:
    """The keys of a replay."""
    return Panel("Help", replay_help_lines(), _close("?"))


def _close(key: str) -> str:
    return f"Enter, Esc or {key} goes back to the table."


def rules_panel(rules: Rules | None) -> Panel:
    """The rules of the table."""
    return Panel("The rules of this table", rules_lines(rules), _close("g"))


def scores_panel(hands: Iterable[HandEnded], scene: Scene) -> Panel:
    """The score sheet."""
    return Panel("Score sheet", score_lines(hands, scene), _close("t"))


def tips_panel(rules: Rules | None) -> Panel:
    """Tips for the game that is played."""
    return Panel("Tips", tip_lines(rules), _close("i"))


def log_panel(lines: Sequence[str]) -> Panel:
    """All that happened in this match."""
    return Panel("Log", tuple(lines), _CLOSE)


def lobby_panel(
    people: Sequence[str], opened: Sequence[str], told: Sequence[str], can_do: str = ""
) -> Panel:
    """How others come to the own table in its shortest way, who is seated, the other ways, then
    what was told meanwhile; `can_do`: what else a host may do."""
    prompt = f"The match starts when the table is full.{can_do} q leaves."
    # The beginning of a page is in view however small the screen is.
    first, more = opened[:_FIRST_WAY], opened[_FIRST_WAY:]
    above = [*first, ""] if first else []
    below = [_MORE_WAYS, *more] if more else []
    lines = (*above, *people, "", *below)
    return Panel("The table fills", lines, prompt, tuple(told))


def way_panel(opened: Sequence[str], told: Sequence[str]) -> Panel:
    """How others come to the own table, and what was told before there is one; the last line may be
    a question."""
    return Panel("On the way to a table", tuple(opened), "q leaves.", tuple(told))


def fairness_panel(scene: Scene, proofs: Iterable[ProvenStep]) -> Panel:
    """Who shuffled, and what was proven."""
    return Panel("Fairness", fairness_lines(scene, proofs), _close("f"))


def hand_end_panel(hands: Sequence[HandEnded], scene: Scene) -> Panel:
    """Of the last of those hands the last placement, everybody's tiles, the sums, and the new
    scores."""
    ended = hands[-1]
    *told, scores = hand_end_lines(ended, scene)
    lines = (*last_placement(scene), *told, *made_in_play(hands, scene), scores)
    title = f"End of hand {scene.hand}"
    return Panel(title, lines, GOES_ON, ended=scene.hand, scores=ended.scores)


def stopped_panel(lines: Sequence[str]) -> Panel:
    """A match that broke off: why, and where its record is."""
    return Panel("The match has stopped", tuple(lines), "q ends it.")


def match_end_panel(
    event: MatchEnded,
    hands: Sequence[HandEnded],
    scene: Scene,
    lines: Sequence[str],
    series: str = "",
    again: bool = False,
) -> Panel:
    """The result, the score in matches, how the last of the `hands` ended, and `lines` on fairness
    and the record; `again`: another match may be asked for."""
    last = (*hand_end_panel(hands, scene).lines[:-1], "") if hands else ()
    result = [*say(event, scene), *([series] if series else [])]
    another = "a asks for another match with the same people. " if again else ""
    page = (*result, "", *last, *lines)
    return Panel("End of the match", page, f"{another}c writes to the others, q leaves.")
