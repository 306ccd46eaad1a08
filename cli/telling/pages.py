"""What may be read at a table at any time: its rules, the score sheet, tips, who
shuffled. Lines, the same at the screen and in plain lines."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from cli.telling.phrases import NOT_COUNTED, scores_text, side_name, who_went
from cli.telling.scene import Scene
from engine.events import HandEnded
from engine.rules import Rules, describe
from engine.wording import listed
from p2p.crypto.identity import fingerprint
from p2p.session.state.events import DeckStep


@dataclass(frozen=True, slots=True)
class ProvenStep:
    """A proven part of a deal, and the seconds it took to come since the part before, if they are
    known."""

    step: DeckStep
    seconds: float = 0.0


# What comes sooner was ready before it could be shown.
_TOLD_SECONDS: Final = 0.05


def rules_lines(rules: Rules | None) -> tuple[str, ...]:
    """The rules of the table."""
    if rules is None:
        return ("There are no rules before you are at a table.",)
    return describe(rules)


def score_lines(ended: Iterable[HandEnded], scene: Scene) -> tuple[str, ...]:
    """The score sheet: of each hand that has ended what every side made in play, what the end
    brought, and the score then; last the scores now."""
    rules = scene.rules
    if rules is None:
        return ("There are no scores before the match has begun.",)
    sides = scene.sides()
    lines, before = [], (0,) * len(scene.players)
    for hand, one in enumerate(ended, 1):
        lines.append(f"Hand {hand}: {_how(one, hand, scene)}.")
        for side in sides:
            out = scene.out.get(side[0])
            if out is not None and out.hand < hand:
                continue
            end, score = one.points[side[0]], one.scores[side[0]]
            made = f"{_number(score - end - before[side[0]])} in play, "
            fives = rules.play_points == "fives"
            at_end = f"{made if fives else ''}{_number(end)} at the end"
            lines.append(f"  {side_name(scene, side)}: {at_end}, now {score}")
        before = one.scores
    running = f"Hand {scene.hand}, so far: " if scene.dealt else "Scores: "
    return (*lines, f"{running}{scores_text(scene)}.", _goal(rules))


def made_in_play(ended: Sequence[HandEnded], scene: Scene) -> list[str]:
    """What every side made by placing in the last of those hands, a line; none where placing brings
    nothing. Who was put out in that hand may have made some before."""
    if not ended or scene.rules is None or scene.rules.play_points != "fives":
        return []
    last = ended[-1]
    before = ended[-2].scores if len(ended) > 1 else (0,) * len(last.scores)
    made = [
        f"{side_name(scene, side)} {_number(last.scores[one] - last.points[one] - before[one])}"
        for side in scene.sides()
        for one in side[:1]
        if one not in scene.out or scene.out[one].hand >= scene.hand
    ]
    return [f"In play: {', '.join(made)}."]


def _number(points: int) -> str:
    return f"{points:+d}" if points else "0"


def _how(ended: HandEnded, hand: int, scene: Scene) -> str:
    seat = ended.seat
    match ended.reason:
        case "domino" if seat is not None:
            return f"{scene.players[seat].name} went out"
        case "block" if seat is not None:
            return f"blocked; {side_name(scene, scene.side(seat))} held the least"
        case "block":
            return "blocked"
        case "target":
            return "the target was reached"
    if why := who_went(scene, hand):
        return f"{why}; {NOT_COUNTED}"
    return "a player left" if ended.reason == "left" else "somebody broke the protocol"


def _goal(rules: Rules) -> str:
    who = "a side" if rules.partners else "somebody"
    if rules.match_end == "at-once":
        return f"The match ends as soon as {who} reaches {rules.target}."
    return (
        f"The match ends at the end of the hand in which {who} reaches {rules.target}, unless the "
        "highest scores are level then: another hand is played."
    )


def tip_lines(rules: Rules | None) -> tuple[str, ...]:
    """Tips for the game that is played."""
    if rules is None or rules.play_points == "fives":
        tips = [*_FIVES[1:], *_CLAIMS] if rules is not None and rules.claims else [*_FIVES]
    else:
        tips = list(_NO_FIVES)
    if rules is not None:
        tips += _PARTNERS if rules.partners else ()
        tips += _DRAWS if rules.draws != "none" else _NO_DRAWS
    return tuple(tips)


def fairness_lines(scene: Scene, proofs: Iterable[ProvenStep]) -> tuple[str, ...]:
    """What was proven in a sentence; whose key is whose; then every step."""
    proofs = list(proofs)
    lines = [*_proven(proofs, scene), ""]
    for player in scene.players:
        me = " (you)" if player.seat == scene.me else ""
        lines.append(f"{player.name}{me}: key {fingerprint(player.key)}")
    lines += ["", *(_proof(proof, scene) for proof in proofs)]
    if scene.rules is not None:
        spelled = ", ".join(f"{name}={value}" for name, value in scene.rules.spell().items())
        lines += ["", f"The rules, as everybody signed them: {spelled}"]
    return tuple(lines)


def _proven(proofs: Sequence[ProvenStep], scene: Scene) -> list[str]:
    """Which shuffles have been proven so far, and why there are some for a hand to come."""
    lines = ["Nobody deals: everybody shuffles the hidden tiles in turn and proves it."]
    decks: dict[int, list[DeckStep]] = {}
    for proof in proofs:
        if proof.step.stage == "shuffle":
            decks.setdefault(proof.step.deal, []).append(proof.step)
    for deal, shuffles in decks.items():
        if what := _what_for(deal, scene):
            last = shuffles[-1]
            names = listed([scene.players[one.seat].name for one in shuffles])
            by = "" if last.done == last.total else f"so far by {names}, "
            lines.append(f"Deal {deal}, {what}: {by}proven and checked.")
    return lines


def _what_for(deal: int, scene: Scene) -> str:
    """What a deck is for, "" for one of the past. The decks are dealt in their order, but for those
    that were given up."""
    ahead = deal - scene.decks
    if scene.dealt:
        now, then = "of this hand", "made ready for the next hand while this one is played"
    else:
        ahead, now, then = ahead - 1, "for the hand to come", "made ready for the hand after it"
    return "" if ahead < 0 else then if ahead else now


def _proof(proof: ProvenStep, scene: Scene) -> str:
    step = proof.step
    did = {"commit": "fixed a key", "key": "showed that key", "shuffle": "shuffled"}
    who = scene.players[step.seat].name
    proven = "proven and checked" if step.stage != "commit" else "noted"
    took = f" ({proof.seconds:.1f} s)" if proof.seconds >= _TOLD_SECONDS else ""
    return f"Deal {step.deal}: {who} {did[step.stage]}, {proven}{took}"


_FIVES: Final = (
    "Ends that add up to 5, 10, 15, 20 or more score: look at what each of your tiles makes of it.",
    "0-0, 5-5 and 5-0 keep a count that scored a multiple of five, so that it scores again.",
    "When you cannot score, leave a count that the next player brings to no multiple of five with"
    " one likely tile: what lies on the table or in your hand nobody else has.",
    "A double at an end counts both halves. Play it where that makes a five, and cover it where it"
    " does not.",
    "Play heavy tiles early: what is left in a hand at the end counts against it.",
    "Keep tiles of several numbers, so that you can follow on more ends and need not draw.",
)
_NO_FIVES: Final = (
    "Play heavy tiles early, doubles first: a double fits one number only, and what is left in your"
    " hand counts for who goes out.",
    "Keep tiles of several numbers, so that you can follow on either end.",
    "Count the tiles of a number: there are seven of each. When the last ones are out, an end with"
    " that number is closed.",
)
_CLAIMS: Final = (
    "Points are claimed: count the ends after every placement, yours and others'. A wrong claim"
    " costs as much as it claims.",
)
_PARTNERS: Final = (
    "Watch what your partner leads and passes on: leave open what your partner can follow.",
)
_DRAWS: Final = ("Who draws has none of the numbers that are open: play on these numbers.",)
_NO_DRAWS: Final = ("Who passes has none of the numbers that are open: leave these numbers open.",)
