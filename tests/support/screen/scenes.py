"""Named scenes of the screen for the golden files: each a view, and the state it was made from."""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any, ClassVar

from support.screen.staged import NAMES, Policy, Staged, any_move, play_until, spread, staged

from cli.learning.lesson import Lesson
from cli.learning.screen import LessonScreen
from cli.screen.control import CHOOSES
from cli.screen.drawing.keys import Act
from cli.screen.drawing.panels import (
    Panel,
    fairness_panel,
    hand_end_panel,
)
from cli.screen.drawing.view import Desk, TableView, hand_of, make_view
from cli.screen.modes.base import Mode
from cli.screen.modes.covers import Page, Question, Writing, with_page
from cli.screen.modes.lobby import Lobby
from cli.screen.modes.over import Another, BrokenOff
from cli.screen.modes.playing import Claiming, Turn, Waiting
from cli.screen.modes.replaying import Replaying
from cli.table.port import Leave
from cli.telling.ask import hint_text, leave_match
from cli.telling.doing import Situation
from cli.telling.links import Absence, waited_for
from cli.telling.pages import ProvenStep
from cli.telling.room import Room, Sitter
from cli.telling.scene import Scene
from cli.telling.words import pause_text, say
from engine.events import HandEnded, MatchEnded
from engine.line import Line
from engine.moves import Play
from engine.rules import Rules
from engine.strategy.advice import advise
from engine.tiles import ALL_TILES
from p2p.crypto.identity import fingerprint
from p2p.net.find.invite import Invite
from p2p.session.sitting.owner import Pausing
from p2p.session.state.events import DeckStep, HandBegan, InHand

# Whose hint a fixture shows: few guesses, always the same.
_WORLDS = 8
SIZES = ((80, 24), (60, 20), (120, 40))


@dataclass(frozen=True)
class Shown:
    """A view, and the scene and line behind it."""

    view: TableView
    scene: Scene


def desk_of(stage: Staged) -> Desk:
    """The desk of a seat."""
    scene, rules = stage.scene, stage.scene.rules
    moment = Situation(scene, rules=rules, others=True, asked=stage.seen()).moment()
    return Desk(scene, log=tuple(stage.log), moment=moment)


def mode_of(stage: Staged) -> Mode:
    """What its seat is asked for, or waiting."""
    seen = stage.seen()
    if seen is None:
        return Waiting()
    return Turn.begun(seen) if seen.awaiting is None else Claiming(seen)


def shown(stage: Staged, mode: Mode | None = None, **desk: Any) -> Shown:
    """The view of a stage, in its own mode or another, with something on the desk."""
    return in_mode(mode or mode_of(stage), replace(desk_of(stage), **desk))


def in_mode(mode: Mode, desk: Desk) -> Shown:
    """The view of a mode."""
    return Shown(make_view(desk, mode.front(desk)), desk.scene)


def with_panel(stage: Staged, panel: Panel) -> Shown:
    """A page over the table."""
    return shown(stage, Page(mode_of(stage), panel))


def find(
    rules: Rules, done: Callable[[Staged], bool], policy: Policy = any_move, me: int | None = 0
) -> Staged:
    """The first seed whose hand comes to the wanted state."""
    for seed in range(10_000):
        stage = staged(rules, f"scene {seed}", me)
        if play_until(stage, random.Random(seed), done, policy):
            return stage
    raise AssertionError("no hand comes to that state")


def _rules(players: int = 2, preset: str = "classic", **options: str) -> Rules:
    named = {name.replace("_", "-"): value for name, value in options.items()}
    return Rules.make(preset, players, {"starter": "lot", **named})


def _arms(stage: Staged) -> int:
    """How many arms of the first spinner have tiles."""
    line = stage.scene.line
    return sum(bool(tiles) for tiles in line.arms().values()) if line and line.spinners() else 0


def _my_turn(stage: Staged) -> bool:
    seen = stage.seen()
    return seen is not None and bool(seen.legal) and isinstance(seen.legal[0], Play)


def arms(count: int) -> Shown:
    """A spinner with so many arms, on one's own turn."""
    return shown(find(_rules(), _my_turn_and(lambda stage: _arms(stage) == count)))


class _WholeSet(Scene):
    """A table on which all tiles lie, which no hand comes to."""

    boneyard = drawable = 0
    turn = 1
    counts: ClassVar = [0, 0]
    hands: ClassVar = [[], None]

    def __init__(self, scene: Scene, line: Line) -> None:
        super().__init__(scene.me)
        vars(self).update(vars(scene))
        self._laid = line

    @property
    def line(self) -> Line:
        return self._laid


def whole_set() -> Shown:
    """All 28 tiles in one line, as a set on the table."""
    stage = find(_rules(), _my_turn)
    rng = random.Random(1)
    while True:
        line, left = Line(stage.match.rules), list(ALL_TILES)
        rng.shuffle(left)
        line.place(left.pop(), None)
        while legal := [(one, end) for one in left for end in line.fits(one)]:
            one, end = rng.choice(legal)
            line.place(one, end)
            left.remove(one)
        if not left:
            break
    return in_mode(Waiting(), Desk(_WholeSet(stage.scene, line)))


def _filling(room: Room, told: tuple[str, ...], opened: tuple[str, ...] = ()) -> Shown:
    """The page of a table that fills."""
    return in_mode(Lobby(None).filled(room), Desk(Scene(), told=told, opened=opened))


_PEOPLE = tuple(Sitter(bytes([n]) * 32, name) for n, name in enumerate(NAMES[:3]))


def lobby() -> Shown:
    """One joined, one is missing."""
    return _filling(
        Room(_PEOPLE[:2], 3, _PEOPLE[1].key),
        (
            "You are at 'den': 3 players, classic rules, to 200.",
            f"Ana [{fingerprint(_PEOPLE[0].key)}] is at the table (2 of 3 are here).",
        ),
    )


def hosting() -> Shown:
    """The host may send two away, and has chosen its partner."""
    invite = Invite(bytes(range(32)), bytes(range(16)), ("192.168.1.5:5525", "10.0.0.7:5525"))
    return _filling(
        Room(_PEOPLE, 4, _PEOPLE[0].key, True, _PEOPLE[2].key, hosts=True),
        (
            f"Ben [{fingerprint(_PEOPLE[1].key)}] is at the table (2 of 4 are here).",
            f"Cem [{fingerprint(_PEOPLE[2].key)}] is at the table (3 of 4 are here).",
            "Ben: hello, who else comes?",
        ),
        (
            "'den' is open: 4 players, classic rules, to 200. Others join with one of these:",
            "  allfives join guitar-orbit-lunar  (on this network)",
            "  allfives join 192.168.1.5:5525 guitar-orbit-lunar",
            f"  allfives join {invite.line()}",
        ),
    )


def empty_table() -> Shown:
    """One's own lead."""
    return shown(find(_rules(), _my_turn_and(lambda stage: not stage.match.moves)))


def _my_turn_and(also: Callable[[Staged], bool]) -> Callable[[Staged], bool]:
    return lambda stage: _my_turn(stage) and also(stage)


def five_up() -> Shown:
    """Every double a spinner, many ends."""
    rules = _rules(preset="five-up")
    many = _my_turn_and(lambda stage: len(stage.scene.table_line.ends()) >= 10)
    return shown(find(rules, many, spread))


def _over(reason: str, players: int = 2) -> Staged:
    def done(stage: Staged) -> bool:
        hand = stage.match.hand
        return hand is not None and hand.over is not None and hand.over.reason == reason

    stage = find(_rules(players), done)
    stage.finish()
    return stage


def _end_of_hand(stage: Staged) -> Shown:
    told = stage.ended[0]
    assert isinstance(told, InHand)
    assert isinstance(told.event, HandEnded)
    return with_panel(stage, hand_end_panel([told.event], stage.scene))


def end_of_match() -> Shown:
    """The result with its sentence on fairness."""
    stage = _over("domino")
    event = MatchEnded("target", (0,), (255, 120))
    stage.tell(event)
    told = ("Every shuffle was proven and checked; the record is here: den.fives.",)
    series = "3 matches since you came to this table: Ana 2 and Ben 1."
    return shown(stage, Another(event), told=told, series=series)


def partners() -> Shown:
    """Two against two."""
    deep = _my_turn_and(lambda stage: len(stage.match.moves) > 7)
    return shown(find(_rules(4, partners="yes"), deep))


def lost_peer() -> Shown:
    """The one to move is away."""
    stage = find(_rules(), lambda stage: stage.scene.turn == 1 and len(stage.match.moves) > 6)
    absence, told = Absence(12, 288), f"Ben is {Absence(3, 297).told}."
    stage.log.append(told)
    standing = {1: told}
    return shown(stage, links={1: absence.beside}, away={1: absence}, standing=standing, note=told)


def clock_running_out() -> Shown:
    """Seven seconds are left."""
    stage = find(_rules(), _my_turn_and(lambda stage: _arms(stage) == 2))
    return shown(stage, clock=7)


def nothing_fits() -> Shown:
    """A tile has to be drawn."""
    return shown(find(_rules(), lambda one: one.seen() is not None and not _my_turn(one)))


def chat() -> Shown:
    """A line is being written."""
    stage = find(_rules(), _my_turn_and(lambda stage: len(stage.match.moves) > 4))
    stage.log.append("Ben: well played, Ana")
    return shown(stage, Writing(mode_of(stage), text="thank you"))


def claims() -> Shown:
    """Points may be claimed for the other's placement."""

    def scored(stage: Staged) -> bool:
        seen = stage.seen()
        return seen is not None and seen.awaiting is not None and seen.points_on_table() > 0

    stage = find(_rules(claims="yes"), scored)
    seen = stage.seen()
    assert seen is not None
    return shown(stage, Claiming(seen, text="15"))


def fairness() -> Shown:
    """Who shuffled."""
    stage = find(_rules(3), _my_turn)
    steps = [
        ProvenStep(DeckStep(1, seat, stage_name, done, 9), 0.1 + seat / 10)
        for done, (stage_name, seat) in enumerate(
            ((name, seat) for name in ("commit", "key", "shuffle") for seat in range(3)), 1
        )
    ]
    return with_panel(stage, fairness_panel(stage.scene, steps))


def help_page() -> Shown:
    """The keys."""
    return shown(find(_rules(), _my_turn), Page(Waiting(), Act.HELP))


def leaving() -> Shown:
    """The question before leaving."""
    stage = find(_rules(), _my_turn)
    return shown(stage, Question(mode_of(stage), leave_match("ends"), Leave()))


def hint() -> Shown:
    """What a bot would play, and why."""
    stage = find(_rules(), _my_turn_and(lambda stage: _arms(stage) == 3))
    seen = stage.seen()
    assert seen is not None
    advice = advise(seen, random.Random(1), worlds=_WORLDS, think=math.inf)
    return shown(stage, Turn.begun(seen).hinted(advice), note=hint_text(advice, seen))


def ahead() -> Shown:
    """Another is to move; a tile and an end are chosen meanwhile, and what came since is marked."""

    def fits(stage: Staged) -> bool:
        hand = hand_of(stage.scene, None) or ()
        fitting = [one for one in hand if len(one.choices) > 1]
        return stage.scene.turn == 2 and len(stage.match.moves) > 6 and bool(fitting)

    stage = find(_rules(3), fits)
    waiting = Waiting().act(Act.NEXT_TILE, desk_of(stage)).mode
    return shown(stage, waiting)


def own_claim() -> Shown:
    """One's own placement, and what it scores."""
    stage = find(_rules(claims="yes"), _my_turn_and(lambda stage: _arms(stage) == 2))
    return shown(stage, mode_of(stage).act(Act.DO, desk_of(stage)).mode)


def of_preset(preset: str) -> Shown:
    """One's turn in another game."""
    rules = Rules.make(preset, 2, {"starter": "lot", "turn-seconds": "none"})
    return shown(find(rules, _my_turn_and(lambda stage: len(stage.match.moves) > 4)))


def cannot_draw() -> Shown:
    """Nothing fits, and nothing is drawn in that game."""
    rules = Rules.make("block", 2, {"starter": "lot", "turn-seconds": "none"})
    return shown(find(rules, lambda one: one.seen() is not None and not _my_turn(one)))


def looking_on() -> Shown:
    """The table as somebody sees it who has no seat there."""
    stage = find(_rules(3), lambda stage: stage.scene.turn == 2 and len(stage.match.moves) > 6)
    scene, log = Scene(), list[str]()
    for event in stage.heard:
        if isinstance(event, HandBegan):
            event = replace(event, hands=(None,) * len(event.hands))
        event = replace(event, tile=None) if isinstance(event, InHand) else event
        scene.apply(event)
        log += say(event, scene)
    return in_mode(Waiting(), Desk(scene, log=tuple(log), parting="looking"))


def putting_out() -> Shown:
    """Whether the match shall go on without who has not moved for long."""
    stage = find(_rules(3), lambda stage: stage.scene.turn == 1 and len(stage.match.moves) > 4)
    note = f"{waited_for(['Ben'], 300.0, None, 0.0)} {CHOOSES}"
    mode = Waiting().act(Act.OUT, replace(desk_of(stage), waited=frozenset({1}))).mode
    return shown(stage, mode, waited=frozenset({1}), note=note)


def muting() -> Shown:
    """Whose lines shall not be shown."""
    stage = find(_rules(4), lambda stage: stage.scene.turn == 1 and len(stage.match.moves) > 4)
    return shown(stage, Waiting().act(Act.MUTE, desk_of(stage)).mode, muted=frozenset({3}))


def page_of(act: Act) -> Shown:
    """A page that a key opens."""
    stage = find(_rules(), _deep) if act is Act.PAGE_UP else _third_hand()
    hands = [told.event for told in stage.ended if isinstance(told, InHand)]
    ended = tuple(one for one in hands if isinstance(one, HandEnded))
    return shown(stage, with_page(mode_of(stage), act), hands=ended)


def _deep(stage: Staged) -> bool:
    """One's turn, when much has been played."""
    return _my_turn(stage) and len(stage.match.moves) > 9


@cache
def _third_hand() -> Staged:
    """One's turn in a third hand, behind one that was won and one that was blocked."""
    for seed in range(10_000):
        stage, rng = staged(_rules(), f"scene {seed}"), random.Random(seed)
        for reason in ("domino", "block"):
            play_until(stage, rng, lambda _: False)
            hand = stage.match.hand
            if hand is None or hand.over is None or hand.over.reason != reason:
                break
            stage.finish()
            stage.deal(rng)
        else:
            if play_until(stage, rng, _deep):
                return stage
    raise AssertionError("no match comes to that state")


def partners_end() -> Shown:
    """The end of a hand of two sides, whose sum is rounded."""
    rules = Rules.make("pagat", 4, {"partners": "yes"})

    def over(stage: Staged) -> bool:
        hand = stage.match.hand
        return hand is not None and hand.over is not None and hand.over.reason == "domino"

    stage = find(rules, over)
    stage.finish()
    return _end_of_hand(stage)


def paused() -> Shown:
    """Everybody wanted a pause; eleven seconds are left when it is over."""
    stage = find(_rules(), _my_turn_and(lambda stage: _arms(stage) == 2))
    agreed = pause_text(Pausing(0, frozenset({0, 1}), True, False), stage.scene)
    stage.log += ["Ben asks for a pause; it begins when all agree.", agreed]
    return shown(stage, clock=11, paused=True, standing={None: agreed})


def stopped() -> Shown:
    """A match that a lost link has ended."""
    stage = find(_rules(), lambda stage: stage.scene.turn == 1 and len(stage.match.moves) > 6)
    told = (
        "The link to Ben is gone (nothing was heard for 8 s), so the match stops here, undecided. "
        "Its record so far is kept."
    )
    mode = BrokenOff("The record of the match: records/den.fives")
    return shown(stage, mode, links={1: "link lost"}, told=(told,))


def replayed() -> Shown:
    """All tiles open."""
    stage = find(_rules(3), lambda stage: len(stage.match.moves) > 9, me=None)
    mode = Replaying.begun(stage.heard).moved(len(stage.heard) - 1)
    return in_mode(mode, mode.desk())


def replay_broken_off() -> Shown:
    """The last step of a match that was never decided."""
    stage = find(_rules(), lambda stage: len(stage.match.moves) > 8, me=None)
    mode = Replaying.begun(stage.heard).moved(len(stage.heard))
    return in_mode(mode, mode.desk())


def replay_jump() -> Shown:
    """Which hand is asked for, while all tiles are open."""
    stage = find(_rules(), lambda stage: len(stage.match.moves) > 9, me=None)
    mode = Replaying.begun(stage.heard).moved(len(stage.heard) - 1)
    jump = mode.act(Act.JUMP, mode.desk()).mode.paste("1").mode
    return in_mode(jump, mode.desk())


def replay_help() -> Shown:
    """The keys of a replay."""
    stage = find(_rules(), lambda stage: len(stage.match.moves) > 8, me=None)
    mode = Replaying.begun(stage.heard)
    return in_mode(mode.act(Act.KEYS, mode.desk()).mode, mode.desk())


def learning(number: int) -> Shown:
    """What a scene of the lesson asks, at its table."""
    screen = LessonScreen(Lesson("Ana", number - 1), lambda: None)
    screen.key("enter")
    return Shown(screen.view(), screen.desk.scene)


SCENES: dict[str, Callable[[], Shown]] = {
    "lobby": lobby,
    "hosting": hosting,
    "empty_table": empty_table,
    "one_arm": lambda: arms(1),
    "two_arms": lambda: arms(2),
    "three_arms": lambda: arms(3),
    "four_arms": lambda: arms(4),
    "whole_set": whole_set,
    "five_up": five_up,
    "nothing_fits": nothing_fits,
    "end_of_hand": lambda: _end_of_hand(_over("domino")),
    "block": lambda: _end_of_hand(_over("block", 3)),
    "end_of_match": end_of_match,
    "partners": partners,
    "lost_peer": lost_peer,
    "clock": clock_running_out,
    "chat": chat,
    "claims": claims,
    "fairness": fairness,
    "help": help_page,
    "leaving": leaving,
    "hint": hint,
    "paused": paused,
    "stopped": stopped,
    "replay": replayed,
    "replay_jump": replay_jump,
    "replay_broken_off": replay_broken_off,
    "replay_help": replay_help,
    "ahead": ahead,
    "own_claim": own_claim,
    "draw_game": lambda: of_preset("draw"),
    "cannot_draw": cannot_draw,
    "muting": muting,
    "looking_on": looking_on,
    "putting_out": putting_out,
    "log": lambda: page_of(Act.PAGE_UP),
    "score_sheet": lambda: page_of(Act.SCORES),
    "tips": lambda: page_of(Act.TIPS),
    "rules": lambda: page_of(Act.RULES),
    "partners_end": partners_end,
    **{f"learn_{number}": partial(learning, number) for number in range(1, 6)},
}
_PAGES = ["lobby", "hosting", "end_of_hand", "block", "end_of_match", "stopped", "fairness", "help"]
_PAGES += ["replay_help", "log", "score_sheet", "tips", "rules", "partners_end"]
ON_THE_TABLE = tuple(name for name in SCENES if name not in _PAGES)


@cache
def scene(name: str) -> Shown:
    """The scene of that name."""
    return SCENES[name]()


__all__ = ["NAMES", "ON_THE_TABLE", "SCENES", "SIZES", "Shown", "desk_of", "find", "scene", "shown"]
