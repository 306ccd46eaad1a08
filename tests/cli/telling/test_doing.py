"""What can be done now: what is listed does something, in lines and by key, and nothing else."""

import re
from collections.abc import AsyncIterator

import pytest
from support.engine.matches import players
from support.screen.hinter import hinter
from support.screen.scenes import find
from support.screen.staged import Staged

from cli.plain.help import HELP, help_lines, no_word
from cli.plain.person import PlainSeat
from cli.screen.control import Control
from cli.screen.drawing import keys
from cli.screen.modes.base import Step
from cli.screen.modes.playing import Claiming, Turn, Waiting
from cli.table.known import Known
from cli.telling.doing import Deed, Moment, Situation
from cli.telling.pages import score_lines
from cli.telling.phrases import scores_text
from cli.telling.room import Room, Sitter
from cli.telling.scene import Scene
from engine.events import HandEnded
from engine.rules import Rules
from p2p.session.state.events import MatchBegan, SeatOut

RULES = Rules.make("classic", 2)
ANA, BEN = (Sitter(bytes([n]) * 32, name) for n, name in ((1, "Ana"), (2, "Ben")))
READ = {Deed.LOG, Deed.RULES, Deed.TIPS, Deed.FAIR, Deed.WHO, Deed.SCORES, Deed.SHEET}
TALK = {Deed.SAY, Deed.MUTE}
MATCH = READ | TALK | {Deed.LINE, Deed.HAND, Deed.BELL, Deed.PAUSE}


def asked(**options: str) -> tuple[Situation, Staged]:
    """One's turn, or a claim that is asked for."""
    rules = Rules.make("classic", 2, options)
    stage = find(rules, lambda stage: stage.seen() is not None and len(stage.match.moves) > 2)
    return Situation(stage.scene, rules=rules, others=True, asked=stage.seen()), stage


def watched() -> Scene:
    scene = Scene(None)
    scene.apply(MatchBegan(bytes(32), RULES.spell(), players(2)))
    return scene


def lobby(
    *people: Sitter, own: Sitter = ANA, hosts: bool = False, partners: bool = False
) -> Situation:
    room = Room(people, 3, own.key, partners, hosts=hosts, rules=RULES)
    return Situation(room=room, rules=RULES, invite=room.hosts)


TURN, STAGE = asked()
OTHERS = Situation(TURN.scene, rules=RULES, others=True)
BETWEEN = Scene(0)
BETWEEN.apply(MatchBegan(bytes(32), RULES.spell(), players(2)))
OUT = Scene(0)
OUT.apply(MatchBegan(bytes(32), Rules.make("classic", 3).spell(), players(3)))
OUT.apply(SeatOut(1, 0, "absent", (1, 2), None))


@pytest.mark.parametrize(
    ("situation", "deeds"),
    [
        (Situation(), set()),
        (lobby(ANA, BEN, own=BEN), {Deed.WHO, Deed.BELL, Deed.SAY, Deed.RULES, Deed.TIPS}),
        (lobby(ANA, hosts=True), {Deed.WHO, Deed.BELL, Deed.COPY, Deed.RULES, Deed.TIPS}),
        (
            lobby(ANA, BEN, hosts=True, partners=True),
            {Deed.WHO, Deed.BELL, Deed.COPY, Deed.RULES, Deed.TIPS, Deed.SAY, Deed.REFUSE}
            | {Deed.PARTNER},
        ),
        (TURN, MATCH | {Deed.PLAY, Deed.HINT}),
        (OTHERS, MATCH | {Deed.AHEAD}),
        (Situation(BETWEEN, rules=RULES, others=True), MATCH - {Deed.LINE, Deed.HAND}),
        (
            Situation(TURN.scene, rules=RULES, others=True, paused=True, wants_pause=True),
            MATCH - {Deed.PAUSE} | {Deed.GO_ON},
        ),
        (Situation(watched(), rules=RULES, others=True), READ | TALK),
        (Situation(OUT, rules=RULES, others=True), READ | TALK),
        (
            Situation(BETWEEN, rules=RULES, others=True, over=True, offered=True),
            READ | TALK | {Deed.AGAIN},
        ),
        (Situation(BETWEEN, rules=RULES, others=True, stopped=True), READ),
    ],
)
def test_what_can_be_done(situation: Situation, deeds: set[Deed]) -> None:
    assert situation.moment().deeds == deeds


def test_a_claim_that_is_asked_for() -> None:
    rules = Rules.make("classic", 2, {"claims": "yes"})

    def claimed(stage: Staged) -> bool:
        seen = stage.seen()
        return seen is not None and seen.awaiting is not None

    stage = find(rules, claimed)
    moment = Situation(stage.scene, rules=rules, others=True, asked=stage.seen()).moment()
    assert Deed.CLAIM in moment.deeds
    assert not moment.deeds & {Deed.PLAY, Deed.HINT, Deed.AHEAD}
    assert any(line.startswith("15  ") for line in help_lines(moment))


def test_who_looks_on_is_told_of_nothing_that_only_players_do() -> None:
    moment = Situation(watched(), rules=RULES, others=True).moment()
    told = "\n".join([*help_lines(moment), *keys.help_lines(moment)])
    players = (
        "6-4",
        "hint",
        "ahead",
        "bell",
        "pause",
        "again",
        "hand",
        "draw",
        "out",
        "refuse",
        "[hpoa1bxsy]",
        "1-9",
    )
    for word in players:
        assert not re.search(rf"^{word} ", told, re.M), word
    assert told.startswith("You are looking on. The tiles are being shuffled by all who play. You")


def test_the_refusal_says_how_it_stands_and_leads_to_the_help() -> None:
    for situation in (TURN, OTHERS, lobby(ANA, BEN, own=BEN), Situation()):
        moment = situation.moment()
        refusal = no_word("xyzzy", moment)
        assert refusal == f"'xyzzy' is nothing that can be done now. {moment.state} {HELP}"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("score sheet", "sheet"), ("hnit", "hint"), ("Show rules", "rules"), ("pasue", "pause")],
)
def test_the_refusal_names_the_word_that_is_near(typed: str, meant: str) -> None:
    moment = TURN.moment()
    said = no_word(typed, moment)
    assert (
        said == f"'{typed}' is nothing that can be done now. {moment.state} Did you mean {meant}?"
    )
    # What cannot be done now is not named.
    assert no_word("hnit", OTHERS.moment()).endswith(HELP)


def test_in_the_own_turn_help_names_what_is_for_the_time_of_others() -> None:
    assert any("ahead 6-4 R" in line for line in help_lines(TURN.moment()))


def test_every_word_that_is_told_is_one() -> None:
    async def no_lines() -> AsyncIterator[str]:
        yield ""

    seat = PlainSeat(lambda line: None, no_lines(), hinter, 8.0)
    moment = Situation(rules=Rules.make("classic", 4)).moment()
    moment = type(moment)(moment.state, frozenset(Deed))
    for line in help_lines(moment)[1:]:
        word = line.split("  ")[0].split(" ")[0]
        words = {"6-4", "draw", "pass", "15", ""} | seat._commands.keys() | seat._abouts.keys()
        assert word in words, word


def test_whatever_can_be_done_has_a_word_in_plain_lines() -> None:
    for deed in Deed:
        alone, none = (Moment("", frozenset(deeds)) for deeds in ({deed}, ()))
        assert len(help_lines(alone)) > len(help_lines(none)), deed


@pytest.mark.parametrize("paused", [False, True])
@pytest.mark.parametrize("turn", [False, True])
def test_a_key_is_told_where_it_does_something(turn: bool, paused: bool) -> None:
    """At the table; test_every_key has what each key does in each mode."""
    control = Control(lambda wish: None, lambda: 0.0, 0.0)
    control.known.scene, control.known.players = STAGE.scene, STAGE.scene.players
    control.known.rules, control.known.paused, control.known.owners = RULES, paused, (0, 1)
    seen = STAGE.seen()
    assert seen is not None
    control.mode = Turn.begun(seen) if turn else Waiting()
    told = {line.split("  ")[0] for line in keys.help_lines(control.desk.moment)}
    for key in keys.KEYS:
        if not key.deeds or key.act in (keys.Act.END, keys.Act.TILE, keys.Act.NEXT_TILE):
            continue
        desk = control.desk
        steps = [control.mode.key(name, desk) for name in key.keys]
        assert (key.shown in told) == any(_does(step, control) for step in steps), key


def _does(step: Step, control: Control) -> bool:
    return step.wish is not None or step.mode != control.mode


def test_moments_of_a_seat() -> None:
    known = Known()
    assert known.moment().state == "You are at no table yet."
    known.scene, known.players = STAGE.scene, STAGE.scene.players
    seen = STAGE.seen()
    assert seen is not None
    assert known.moment(seen).state == "It is your turn."
    assert Claiming(seen).asked is Turn.begun(seen).asked is seen


def test_who_is_out_keeps_a_score_and_is_told_as_out_of_it() -> None:
    assert scores_text(OUT) == "Ana 0 (out), Ben 0, Cleo 0"
    ended = HandEnded("block", None, ((), (), ()), (0, 0, 0), (5, 5, 5))
    told = score_lines([ended, ended], OUT)
    assert [line.split(":")[0] for line in told if line.startswith("  ")] == [
        *("  Ana", "  Ben", "  Cleo"),
        *("  Ben", "  Cleo"),
    ]
