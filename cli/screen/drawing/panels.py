"""Pages that cover the table: lobby, help, fairness, the end of a hand and of a match."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cli.screen.drawing.keys import help_lines, replay_help_lines
from cli.telling.pages import rules_lines, score_lines, tip_lines
from cli.telling.scene import Scene
from cli.telling.settling import hand_end_lines
from cli.telling.words import say
from engine.events import HandEnded, MatchEnded
from engine.rules import Rules
from engine.wording import listed
from p2p.crypto.identity import fingerprint
from p2p.session.state.events import DeckStep


@dataclass(frozen=True, slots=True)
class Panel:
    """A page: its title, its lines, and what can be done about it."""

    title: str
    lines: tuple[str, ...]
    prompt: str


@dataclass(frozen=True, slots=True)
class ProvenStep:
    """A proven part of a deal, and the seconds it took to come since the part before."""

    step: DeckStep
    seconds: float


_CLOSE = "Enter or Esc goes back to the table."
# What comes sooner was ready before it could be shown.
_TOLD_SECONDS = 0.05


def help_panel(rules: Rules | None) -> Panel:
    """How the game that is played goes, and the keys, from their table."""
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
    return Panel("Help", (*lines, "", *help_lines(spinner)), _close("?"))


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


def lobby_panel(people: Sequence[str], told: Sequence[str], can_do: str = "") -> Panel:
    """Who is seated, then what was told, while people come; `can_do`: what else a host may do."""
    prompt = f"The match starts when the table is full.{can_do} q leaves."
    between = [""] if people and told else []
    return Panel("The table fills", (*people, *between, *told), prompt)


def fairness_panel(scene: Scene, proofs: Iterable[ProvenStep]) -> Panel:
    """What was proven in a sentence; whose key is whose; then every step."""
    proofs = list(proofs)
    lines = [*_proven(proofs, scene), ""]
    for player in scene.players:
        me = " (you)" if player.seat == scene.me else ""
        lines.append(f"{player.name}{me}: key {fingerprint(player.key)}")
    lines += ["", *(_proof(proof, scene) for proof in proofs)]
    if scene.rules is not None:
        spelled = ", ".join(f"{name}={value}" for name, value in scene.rules.spell().items())
        lines += ["", f"Rules: {spelled}"]
    return Panel("Fairness", tuple(lines), _close("f"))


def _proven(proofs: Sequence[ProvenStep], scene: Scene) -> list[str]:
    """Which shuffles have been proven so far, and why there are some for a hand to come."""
    lines = ["Nobody deals: everybody shuffles the hidden tiles in turn and proves it."]
    shuffled: dict[int, list[str]] = {}
    for proof in proofs:
        if proof.step.stage == "shuffle":
            who = scene.players[proof.step.seat].name
            shuffled.setdefault(proof.step.deal, []).append(who)
    for deal, names in shuffled.items():
        done = len(names) == len(scene.players)
        state = "proven and checked" if done else f"so far by {listed(names)}, proven and checked"
        if deal > scene.hand > 0:
            lines.append(f"Deal {deal}, made ready while this hand is played: {state}.")
        elif deal >= scene.hand:
            lines.append(f"Deal {deal}, of this hand: {state}.")
    return lines


def _proof(proof: ProvenStep, scene: Scene) -> str:
    step = proof.step
    did = {"commit": "bound itself to a key", "key": "opened its key", "shuffle": "shuffled"}
    who = scene.players[step.seat].name
    proven = "proven and checked" if step.stage != "commit" else "noted"
    took = f" ({proof.seconds:.1f} s)" if proof.seconds >= _TOLD_SECONDS else ""
    return f"Deal {step.deal}: {who} {did[step.stage]}, {proven}{took}"


def hand_end_panel(event: HandEnded, scene: Scene) -> Panel:
    """Everybody's tiles, the sums, and the new scores."""
    return Panel(f"End of hand {scene.hand}", tuple(hand_end_lines(event, scene)), "Enter goes on.")


def stopped_panel(lines: Sequence[str]) -> Panel:
    """A match that broke off: why, and where its record is."""
    return Panel("The match has stopped", tuple(lines), "q ends it.")


def match_end_panel(
    event: MatchEnded,
    hand: HandEnded | None,
    scene: Scene,
    lines: Sequence[str],
    again: bool = False,
) -> Panel:
    """The result, how the last hand ended, and `lines` on fairness and the record; `again`:
    another match may be asked for."""
    last = () if hand is None else (*hand_end_lines(hand, scene)[:-1], "")
    result = say(event, scene)
    another = "a asks for another match with the same people. " if again else ""
    page = (*result, "", *last, *lines)
    return Panel("End of the match", page, f"{another}c writes to the others, q leaves.")
