"""Pages that cover the table: lobby, help, fairness, the end of a hand and of a match."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cli.screen.drawing.keys import help_lines
from cli.telling.scene import Scene
from cli.telling.words import how_hand_ended, plural, say, signed
from engine.events import HandEnded, MatchEnded
from engine.scoring import rounded, rounds_each_hand
from engine.tiles import Tile, pips_of
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


def help_panel() -> Panel:
    """The keys, from their table, and how points are made."""
    rules = (
        "Add a tile with a half that matches an open end: L, R, U or D.",
        "When the open ends add up to a multiple of five, you score that sum.",
        "Doubles lie across: both halves count at an end. Going out ends the hand.",
    )
    return Panel("Help", (*rules, "", *help_lines()), _CLOSE)


def lobby_panel(people: Sequence[str], told: Sequence[str], can_do: str = "") -> Panel:
    """Who is seated, then what was told, while people come; `can_do`: what else a host may do."""
    prompt = f"The match starts when the table is full.{can_do} q leaves."
    between = [""] if people and told else []
    return Panel("The table fills", (*people, *between, *told), prompt)


def fairness_panel(scene: Scene, proofs: Iterable[ProvenStep]) -> Panel:
    """Who shuffled and what was proven, and whose key is whose."""
    lines = ["Nobody deals: everybody shuffles the hidden tiles in turn and proves it."]
    for player in scene.players:
        me = " (you)" if player.seat == scene.me else ""
        lines.append(f"{player.name}{me}: key {fingerprint(player.key)}")
    lines += ["", *(_proof(proof, scene) for proof in proofs)]
    if scene.rules is not None:
        spelled = ", ".join(f"{name}={value}" for name, value in scene.rules.spell().items())
        lines += ["", f"Rules: {spelled}"]
    return Panel("Fairness", tuple(lines), _CLOSE)


def _proof(proof: ProvenStep, scene: Scene) -> str:
    step = proof.step
    did = {"commit": "bound itself to a key", "key": "opened its key", "shuffle": "shuffled"}
    who = scene.players[step.seat].name
    proven = "proven and checked" if step.stage != "commit" else "noted"
    return f"Deal {step.deal}: {who} {did[step.stage]}, {proven} ({proof.seconds:.1f} s)"


def hand_end_panel(event: HandEnded, scene: Scene) -> Panel:
    """Everybody's tiles, the sums, and the new scores."""
    return Panel(f"End of hand {scene.hand}", _hand_end(event, scene), "Enter goes on.")


def _hand_end(event: HandEnded, scene: Scene) -> tuple[str, ...]:
    rounds = scene.rules is not None and rounds_each_hand(scene.rules)
    counts = rounds and event.reason in ("domino", "block")
    lines = [how_hand_ended(event, scene), ""]
    for player, left in zip(scene.players, event.left, strict=True):
        points, score = event.points[player.seat], event.scores[player.seat]
        lines.append(f"{player.name}: {_left(left, counts)}; {signed(points)}, now {score}")
    return tuple(lines)


def _left(tiles: tuple[Tile, ...] | None, counts: bool) -> str:
    if tiles is None:
        return "tiles not opened"
    if not tiles:
        return "no tile left"
    shown = " ".join(f"[{tile.high}|{tile.low}]" for tile in tiles)
    pips = pips_of(tiles)
    to_five = f", rounded {rounded(pips)}" if counts else ""
    return f"{shown} = {plural(pips, 'pip')}{to_five}"


def stopped_panel(lines: Sequence[str]) -> Panel:
    """A match that broke off: why, and where its record is."""
    return Panel("The match has stopped", tuple(lines), "Enter or q ends it.")


def match_end_panel(
    event: MatchEnded,
    hand: HandEnded | None,
    scene: Scene,
    lines: Sequence[str],
    again: bool = False,
) -> Panel:
    """The result, how the last hand ended, and `lines` on fairness and the record; `again`:
    another match may be asked for."""
    last = () if hand is None else (*_hand_end(hand, scene), "")
    result = say(event, scene)
    another = "a asks for another match with the same people. " if again else ""
    page = (*result, "", *last, *lines)
    return Panel("End of the match", page, f"{another}Enter or q ends it.")
