"""What happened and what is, in words: pure functions from events and the scene to lines of text.

The plain interface prints these lines; a screen shows the same ones in its log.
"""

from collections.abc import Iterable
from typing import Final

from cli.telling.scene import Scene
from engine.events import Claimed, Drawn, HandEnded, MatchEnded, Passed, Played
from engine.line import Line
from engine.tiles import Tile, pips_of
from engine.wording import listed
from p2p.crypto.identity import fingerprint
from p2p.session.sitting.owner import Pausing
from p2p.session.state import events

NO_TILES: Final = "nothing"


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
            return _in_hand(event, scene)
        case events.Settled():
            return _settled(scene)
        case MatchEnded():
            return [_match_ended(event, scene)]
        case events.Faulted(seat=seat, what=what):
            return [f"{scene.players[seat].name} broke the protocol: {what}."]
        case events.TakenBack():
            return ["Those who play on have taken the last moves back."]
        case events.SeatOut(seat=seat, reason=reason, by=by):
            return [_seat_out(seat, reason, by, scene)]


def _seat_out(seat: int, reason: str, by: tuple[int, ...], scene: Scene) -> str:
    """Why a seat is out. What nothing proves is told as the word of those who say it."""
    you = seat == scene.me
    who = "You" if you else scene.players[seat].name
    goes_on = "the match goes on" if len(by) == 1 else "the others play on"
    names = listed([scene.players[one].name for one in by])
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
            return [f"{does(scene, seat, 'claim')} {claimed}: {signed(points)}."]
        case HandEnded() as ended:
            return _hand_ended(ended, scene)


def does(scene: Scene, seat: int, verb: str) -> str:
    """Who does something: "You play", "Ben plays", "Ben passes", "Ben goes"."""
    if seat == scene.me:
        return f"You {verb}"
    ending = "es" if verb.endswith(("s", "o")) else "s"
    return f"{scene.name(seat)} {verb}{ending}"


def signed(points: int) -> str:
    """Points with their sign: "+15", "-10", "no points"."""
    return f"{points:+d}" if points else "no points"


def plural(number: int, thing: str) -> str:
    """ "1 tile", "2 tiles"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def tiles_text(tiles: Iterable[Tile]) -> str:
    """Tiles in canonical order, the highest first; "nothing" for none."""
    return " ".join(str(tile) for tile in sorted(tiles, reverse=True)) or NO_TILES


def _match_began(scene: Scene) -> list[str]:
    names = [
        f"{player.name}{' (you)' if player.seat == scene.me else ''} [{fingerprint(player.key)}]"
        for player in scene.players
    ]
    goal = f"to {scene.rules.target}, {scene.rules.title}" if scene.rules else ""
    return [f"The match begins: {listed(names)}, {goal}."]


def _deck_step(event: events.DeckStep, scene: Scene) -> list[str]:
    """Only while everybody waits for the tiles: the next deal is prepared behind the play."""
    if scene.dealt or event.stage != "shuffle":
        return []
    progress = f"(step {event.done} of {event.total})"
    return [f"{does(scene, event.seat, 'shuffle')} the tiles; the shuffle is proven {progress}."]


def _hand_began(event: events.HandBegan, scene: Scene) -> list[str]:
    boneyard = f"{plural(scene.boneyard, 'tile')} in the boneyard"
    each = plural(event.counts[event.starter], "tile")
    lines = [f"Hand {event.hand}: {each} each, {boneyard}. {does(scene, event.starter, 'start')}."]
    for player, tiles in zip(scene.players, event.hands, strict=True):
        if tiles is not None:
            whose = "Your hand" if player.seat == scene.me else f"{player.name}'s hand"
            lines.append(f"{whose}: {tiles_text(tiles)}")
    return lines


def _played(event: Played, clock: str, scene: Scene) -> str:
    where = "" if event.end is None else f" on {event.end}"
    verb = "lead" if event.end is None else "play"
    done = f"{does(scene, event.seat, verb)} {event.tile}{where}{clock}"
    if scene.unsettled:
        return f"{done}, claiming {event.claim or 'nothing'}."
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


def _hand_ended(event: HandEnded, scene: Scene) -> list[str]:
    lines = [how_hand_ended(event, scene)]
    for seat, player in enumerate(scene.players):
        tiles = event.left[seat]
        if tiles:
            held = f"{tiles_text(tiles)} left, {plural(pips_of(tiles), 'pip')}"
            lines.append(f"{player.name}: {held}, {signed(event.points[seat])}.")
        elif event.points[seat]:
            lines.append(f"{player.name}: {signed(event.points[seat])}.")
    return [*lines, f"Scores: {scores_text(scene)}."]


def how_hand_ended(event: HandEnded, scene: Scene) -> str:
    """The first line about a hand that has ended."""
    start = f"Hand {scene.hand} ends: "
    seat = event.seat
    match event.reason:
        case "domino" if seat is not None:
            return f"{start}{_inside(does(scene, seat, 'go'))} out."
        case "block" if seat is not None:
            return f"{start}nobody can play, and {_inside(does(scene, seat, 'hold'))} the least."
        case "block":
            return f"{start}nobody can play."
        case "target":
            return f"{start}the target is reached."
        case "left":
            return f"{start}a player has left."
    return f"{start}somebody broke the protocol."


def _inside(text: str) -> str:
    """ "You go" within a sentence: "you go"."""
    return "y" + text[1:] if text.startswith("You ") else text


def _match_ended(event: MatchEnded, scene: Scene) -> str:
    if not event.winners:
        return f"The match is abandoned; nobody wins. Scores: {scores_text(scene)}."
    names = [scene.name(seat) if seat != scene.me else "you" for seat in event.winners]
    if event.winners[0] == scene.me:
        names[0] = "You"
    many = len(names) > 1 or scene.me in event.winners
    sentence = f"{listed(names)} win{'' if many else 's'} the match"
    return f"{sentence}. Scores: {scores_text(scene)}."


def pause_text(change: Pausing, scene: Scene) -> str:
    """What somebody changed about a pause."""
    if change.on:
        return "The match is paused by all; the clocks stand still until somebody goes on."
    if change.was_on:
        return f"{does(scene, change.seat, 'go')} on with the match."
    if len(change.wanting) > 1:
        return f"{does(scene, change.seat, 'agree')} to the pause; it begins when all do."
    if change.seat in change.wanting:
        return f"{does(scene, change.seat, 'ask')} for a pause; it begins when all agree."
    return f"{does(scene, change.seat, 'want')} no pause any more."


def scores_text(scene: Scene) -> str:
    """ "Ana 35, Ben -10"."""
    pairs = zip(scene.players, scene.scores, strict=True)
    return ", ".join(f"{player.name} {score}" for player, score in pairs)


def line_text(line: Line, counted: bool = True) -> list[str]:
    """The line of play from left to right, the arms of spinners, and the ends, with their sum if
    it may be told (`counted`)."""
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
    """The open ends: "5 on L, 3 on R, 6 on U"."""
    return ", ".join(f"{end.value} on {end.name}" for end in line.ends())


def table_text(scene: Scene) -> list[str]:
    """Scores, target, tiles of everybody, the boneyard."""
    target = f", target {scene.rules.target}" if scene.rules else ""
    lines = [f"Scores: {scores_text(scene)}{target}."]
    if scene.dealt:
        held = [
            f"{player.name} {plural(count, 'tile')}"
            for player, count in zip(scene.players, scene.counts, strict=True)
        ]
        lines.append(f"{listed(held)}; {plural(scene.boneyard, 'tile')} in the boneyard.")
    return lines


def fairness(players: int, record: str) -> str:
    """The one sentence at the end of a match."""
    everybody = "both players" if players == 2 else f"all {players} players"
    return (
        f"Every shuffle, tile, draw and pass of {everybody} was proven and checked as it came; "
        f"the record is here: {record} (`allfives verify` checks it again)."
    )
