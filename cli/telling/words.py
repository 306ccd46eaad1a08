"""What happened and what is, in words: pure functions from events and the scene to lines of text.

The plain interface prints these lines; a screen shows the same ones in its log.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from cli.telling.phrases import (
    NOT_COUNTED,
    does,
    inside,
    plural,
    scores_text,
    side_name,
    signed,
    tiles_text,
)
from cli.telling.scene import Scene
from cli.telling.settling import hand_end_lines
from engine.events import Claimed, Drawn, HandEnded, MatchEnded, Passed, Played
from engine.line import End, Line
from engine.moves import Play
from engine.tiles import Tile
from engine.wording import listed
from p2p.crypto.identity import fingerprint
from p2p.session.sitting.owner import Pausing
from p2p.session.state import events

_HERE: Final = "The record is here:"
_WHEN_LEFT: Final = "Leaving prints where the record is."
TURN_SET: Final = "--turn-seconds of whoever opens the table says how long"
LOOKS_ON: Final = "You only look on now, and may leave."


def say(event: events.SessionEvent, scene: Scene) -> list[str]:
    """The lines that tell an event; the scene has taken it into account already."""
    match event:
        case events.MatchBegan():
            return _match_began(scene)
        case events.DeckStep():
            return _deck_step(event, scene)
        case events.HandBegan():
            return _hand_began(event, scene)
        case events.InHand():
            return [*_in_hand(event, scene), *_target_reached(scene)]
        case events.Settled():
            return [*_settled(scene), *_target_reached(scene)]
        case MatchEnded():
            return [_match_ended(event, scene)]
        case events.Faulted(seat=seat, what=what):
            return [f"{scene.players[seat].name} broke the protocol: {what}."]
        case events.TakenBack():
            return ["Those who play on have taken the last moves back."]
        case events.SeatOut(seat=seat):
            looks = [LOOKS_ON] if seat == scene.me else []
            return [_seat_out(event, scene), *looks]


def _target_reached(scene: Scene) -> list[str]:
    """What it means, in a hand that is played on, that somebody has just reached the target."""
    rules, seat = scene.rules, scene.reached
    if rules is None or seat is None or not scene.dealt or rules.match_end != "hand":
        return []
    if rules.claims or rules.hand_end == "subtract-own":
        return []  # a score may fall below it again
    side = scene.side(seat)
    have = "have" if len(side) > 1 or seat == scene.me else "has"
    who = scene.name(seat) if len(side) == 1 else side_name(scene, side)
    return [
        f"{who} {have} reached {rules.target}: the match ends with this hand, unless the highest "
        "scores are level then."
    ]


def _seat_out(out: events.SeatOut, scene: Scene) -> str:
    """Why a seat is out. What nothing proves is told as the word of those who say it."""
    you, reason = out.seat == scene.me, out.reason
    who = "You" if you else scene.players[out.seat].name
    goes_on = "the match goes on" if len(out.by) == 1 else "the others play on"
    names = listed([scene.players[one].name for one in out.by])
    if out.owner is not None:
        # A bot does nothing of its own: it is not named for what its owner did.
        whose = f"{scene.players[out.owner].name}'s bot"
        return f"{who}, {whose}, {'are' if you else 'is'} out too; {goes_on}."
    if reason == "left":
        return f"{who} {'have' if you else 'has'} left; {goes_on}."
    if reason == "fault":
        return f"{who} broke the protocol and {'are' if you else 'is'} out; {goes_on}."
    what = "absent" if reason == "absent" else "waited for too long"
    return f"{who} {'were' if you else 'was'} {what} according to {names}; {goes_on}."


def _in_hand(told: events.InHand, scene: Scene) -> list[str]:
    clock = " (the turn clock ran out)" if told.auto else ""
    match told.event:
        case Played() as played:
            return [_played(played, clock, scene)]
        case Drawn(seat=seat):
            drawn = "a tile" if told.tile is None else str(told.tile)
            left = plural(scene.drawable, "tile")
            return [f"{does(scene, seat, 'draw')} {drawn}{clock}, {left} left to draw."]
        case Passed(seat=seat):
            return [f"{does(scene, seat, 'pass')}{clock}."]
        case Claimed(seat=seat, claimed=claimed, points=points):
            why = _why_nothing(claimed, points, scene)
            return [f"{does(scene, seat, 'claim')} {claimed}: {signed(points)}{why}."]
        case HandEnded() as ended:
            # Who went has just been told.
            return hand_end_lines(ended, scene, why=False)


def _why_nothing(claimed: int, points: int, scene: Scene) -> str:
    """Why a right number has brought its claimer nothing, or less: it was claimed before."""
    if points == 0:
        return ", for it was claimed before"
    placed = scene.placed
    if points < 0 and placed is not None and claimed == placed.points:
        mine = placed.seat == scene.me
        return f", for {'you have' if mine else f'{scene.name(placed.seat)} has'} scored it already"
    return ""


def _match_began(scene: Scene) -> list[str]:
    names = [
        f"{player.name}{' (you)' if player.seat == scene.me else ''} [{fingerprint(player.key)}]"
        for player in scene.players
    ]
    rules = scene.rules
    assert rules is not None, "a match without rules"
    lines = [f"The match begins: {listed(names)}, to {rules.target}, {rules.title}."]
    if rules.partners:
        ours, theirs = (side_name(scene, side) for side in scene.sides())
        lines.append(f"{ours} play against {theirs}; each side has one score.")
    if rules.turn_seconds is not None:
        who, whom = ("Everybody has", "who is to move") if scene.me is None else ("You have", "you")
        seconds = plural(rules.turn_seconds, "second")
        moves = f"then the first move that can be made is made for {whom}"
        lines.append(f"{who} {seconds} for a turn ({TURN_SET}); {moves}.")
    return lines


def _deck_step(event: events.DeckStep, scene: Scene) -> list[str]:
    """Only of the deal that everybody waits for: the ones behind it are prepared meanwhile."""
    if scene.dealt or event.stage != "shuffle" or event.deal != scene.decks + 1:
        return []
    return [f"{does(scene, event.seat, 'shuffle')} the tiles; the shuffle is proven."]


def _hand_began(event: events.HandBegan, scene: Scene) -> list[str]:
    return deal_lines(scene, event.starter, event.counts[event.starter], event.hands)


def deal_lines(
    scene: Scene, starter: int, tiles: int, hands: Sequence[Iterable[Tile] | None]
) -> list[str]:
    """The deal of the hand of a scene, so many tiles each, and the hands that are open to view."""
    each = f"{plural(tiles, 'tile')} each"
    began = f"Hand {scene.hand}: {each}, {undealt(scene)}. {does(scene, starter, 'start')}."
    return [began, *hand_lines(scene, hands)]


def hand_lines(scene: Scene, hands: Sequence[Iterable[Tile] | None]) -> list[str]:
    """The tiles of each hand that is open to view."""
    lines = []
    for player, tiles in zip(scene.players, hands, strict=True):
        if tiles is not None and player.seat not in scene.out:
            whose = "Your hand" if player.seat == scene.me else f"{player.name}'s hand"
            lines.append(f"{whose}: {tiles_text(tiles)}")
    return lines


def claiming(scene: Scene, move: Play | Played, clock: str = "") -> str:
    """A placement, of which nobody is told yet what it scores."""
    return f"{_placing(scene, move)}{clock}, claiming {move.claim or 'nothing'}."


def last_placement(scene: Scene) -> list[str]:
    """The placement that a hand ended with or after, a line: "Last placement: Ben plays 6-4 on R:
    ...". None where nothing was placed in it."""
    line, placed = scene.line, scene.placed
    if line is None or line.lead is None or placed is None:
        return []
    return [f"Last placement: {inside(_played(placed, '', scene))}"]


def _placing(scene: Scene, move: Play | Played) -> str:
    where = "" if move.end is None else f" on {move.end}"
    verb = "lead" if move.end is None else "play"
    return f"{does(scene, move.seat, verb)} {move.tile}{where}"


def _played(event: Played, clock: str, scene: Scene) -> str:
    if scene.unsettled:
        return claiming(scene, event, clock)
    done = f"{_placing(scene, event)}{clock}"
    if not scene.counts_ends:
        return f"{done}."
    return f"{done}: {ends_sum(scene.table_line)}, {signed(event.points)}."


def _settled(scene: Scene) -> list[str]:
    """What the last placement counts, when all have said what they claim for it."""
    assert scene.placed is not None, "answers to no placement"
    who, brought = scene.name(scene.placed.seat), signed(scene.placed.points)
    return [f"The ends count {ends_sum(scene.table_line)}. {who}: {brought}."]


def ends_sum(line: Line) -> str:
    """What the ends count: "3 + 2 + 4 + 6 = 15"; a single number when one end counts."""
    counts = [str(end.counts) for end in line.ends() if not end.bare or end.counts]
    return " + ".join(counts) + (f" = {line.count()}" if len(counts) > 1 else "")


def _match_ended(event: MatchEnded, scene: Scene) -> str:
    if not event.winners:
        return f"The match is abandoned; nobody wins. Scores: {scores_text(scene)}."
    names = [scene.name(seat) if seat != scene.me else "you" for seat in event.winners]
    if event.winners[0] == scene.me:
        names[0] = "You"
    many = len(names) > 1 or scene.me in event.winners
    sentence = f"{listed(names)} win{'' if many else 's'} the match."
    # A fault at the very first step ends what has no scores yet.
    return f"{sentence} Scores: {scores_text(scene)}." if scene.scores else sentence


def broken_off(scene: Scene, leaver: int | None = None) -> list[str]:
    """What is told where a match that was played ends without a result, and what stands then. Who
    was put out, or broke the protocol, is told before; that one of two has left is in no record.
    `leaver`: whose record it is, if that seat left and the others could play on."""
    where = "before hand 1" if not scene.hand else f"after hand {scene.hand}"
    lines = []
    if scene.dealt:
        where = f"in hand {scene.hand}"
        if scene.turn is not None and not scene.unsettled:
            lines = [f"{scene.name(scene.turn)} was to move; {NOT_COUNTED}."]
    end = f"Here the match breaks off, {where}: it is not decided, so nobody has won."
    if leaver is not None:
        end = f"Here {scene.name(leaver)} left, {where}; the others may have played on."
    return [
        end,
        *lines,
        f"Scores so far: {scores_text(scene)}.",
    ]


def pause_text(change: Pausing, scene: Scene) -> str:
    """What somebody changed about a pause."""
    if change.on:
        return "The match is paused by all; the clocks stand still until somebody goes on."
    if change.was_on and change.wanting - {change.seat}:
        agreed = "and did not agree to the pause; the match goes on."
        return f"{does(scene, change.seat, 'come')} back {agreed}"
    if change.was_on:
        return f"{does(scene, change.seat, 'go')} on with the match."
    if len(change.wanting) > 1:
        return f"{does(scene, change.seat, 'agree')} to the pause; it begins when all do."
    if change.seat in change.wanting:
        return f"{does(scene, change.seat, 'ask')} for a pause; it begins when all agree."
    return f"{does(scene, change.seat, 'want')} no pause any more."


def line_text(line: Line, counted: bool) -> list[str]:
    """The line of play from left to right, the arms of spinners, and the ends, with their sum if
    there is one that may be told (`counted`)."""
    if line.lead is None:
        return ["The table is empty."]
    arms = line.arms()
    left = [_lying(placed.outward, placed.tile) for placed in reversed(arms["L"])]
    right = [_lying(placed.tile.pips - placed.outward, placed.tile) for placed in arms.get("R", ())]
    lines = [f"Table: L {' '.join([*left, str(line.lead), *right])} R"]
    for spinner in line.spinners():
        for name in spinner.arms:
            if arms.get(name):
                tiles = [_lying(one.tile.pips - one.outward, one.tile) for one in arms[name]]
                lines.append(f"  {name} from {spinner.pip}-{spinner.pip}: {' '.join(tiles)}")
    count = f"; count {ends_sum(line)}" if counted else ""
    return [*lines, f"Ends: {ends_text(line)}{count}."]


def _lying(first: int, tile: Tile) -> str:
    """A tile as it lies, the half `first` in reading order."""
    return f"{first}-{tile.pips - first}"


def ends_text(line: Line) -> str:
    """The open ends: "5 on L, double 3 on R, bare 6 on U": a double counts both its halves, an arm
    without a tile may count nothing. Of a double by itself both sides are one end: "5-5 alone, the
    same on L and R"."""
    if len(line.ends()) == 1:
        return f"{line.lead} alone, the same on L and R"
    return ", ".join(f"{_kind(end)}{end.value} on {end.name}" for end in line.ends())


def _kind(end: End) -> str:
    if end.bare:
        return "bare "
    return "double " if end.counts > end.value else ""


def table_text(scene: Scene) -> list[str]:
    """Scores, target, tiles of everybody, the boneyard."""
    target = f", target {scene.rules.target}" if scene.rules else ""
    lines = [f"Scores: {scores_text(scene)}{target}."]
    if scene.dealt:
        held = [
            f"{player.name} {plural(count, 'tile')}"
            for player, count in zip(scene.players, scene.counts, strict=True)
            if player.seat not in scene.out
        ]
        lines.append(f"{listed(held)}; {undealt(scene)}.")
    return lines


def undealt(scene: Scene) -> str:
    """The tiles that nobody holds: a boneyard only where tiles are drawn from it."""
    tiles = plural(scene.boneyard, "tile")
    return f"{tiles} in the boneyard" if scene.draws else f"{tiles} not dealt"


def fairness(players: int, record: str) -> tuple[str, str]:
    """What is told at the end of a match: a sentence, and the record below it, to be copied."""
    everybody = "both players" if players == 2 else f"all {players} players"
    return (
        f"Every shuffle, tile, draw and pass of {everybody} was proven and checked as it came; "
        f"`allfives verify` checks it again. {_HERE}",
        record,
    )


def on_a_page(lines: Sequence[str]) -> list[str]:
    """The same among other lines, where rows are cut and a path cannot be copied: it is printed
    whole when the page is left."""
    shown: list[str] = []
    for before, line in zip(("", *lines), lines, strict=False):
        if not before.endswith(_HERE):
            shown.append(line.replace(_HERE, _WHEN_LEFT) if line.endswith(_HERE) else line)
    return shown
