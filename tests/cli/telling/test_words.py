"""The lines that people read: whole sentences, for a seat, for others, in replay."""

from dataclasses import replace

import pytest
from support.engine.matches import play_match, players, seen_from
from support.screen.golden_screens import MATCHES, WHOLE, golden_match

from cli.telling.ask import wait_prompt
from cli.telling.looking.transcript import transcript
from cli.telling.phrases import game_title, plural, scores_text, signed
from cli.telling.scene import Scene
from cli.telling.words import (
    LOOKS_ON,
    TURN_SET,
    ends_sum,
    fairness,
    line_text,
    pause_text,
    say,
    table_text,
)
from engine.events import Claimed, Drawn, HandEnded, MatchEnded, Passed, Played
from engine.line import Line
from engine.rules import Rules
from engine.tiles import ALL_TILES, Tile, tile
from engine.wording import listed
from p2p.crypto.identity import fingerprint
from p2p.session.sitting.owner import Pausing
from p2p.session.state import events
from p2p.session.state.events import SessionEvent

RULES = Rules.make("classic", 2, {"hand-size": "3"})
HANDS = (
    (tile(6, 4), tile(4, 4), tile(4, 1)),
    (tile(6, 5), tile(4, 3), tile(5, 5)),
)


def began(me: int | None = 0, rules: Rules = RULES) -> tuple[Scene, list[str]]:
    """Ana and Ben with three tiles each, and what was said of it."""
    scene = Scene(me)
    said = tell(scene, events.MatchBegan(b"\x01" * 32, rules.spell(), players(2)))
    hands = HANDS if me is None else (HANDS[0], None) if me == 0 else (None, HANDS[1])
    return scene, said + tell(scene, events.HandBegan(1, 0, hands, (3, 3), None))


def test_a_match_of_changed_rules_begins_with_what_is_changed() -> None:
    rules = Rules.make("classic", 2, {"claims": "yes", "target": "90"})
    (said,) = tell(Scene(0), events.MatchBegan(b"\x01" * 32, rules.spell(), players(2)))
    assert said.endswith(", to 90, classic rules with claims=yes.")


def test_the_clock_of_a_turn_is_told_as_the_match_begins() -> None:
    rules = Rules.make("draw", 2)
    event = events.MatchBegan(b"\x01" * 32, rules.spell(), players(2))
    moved = "then the first move that can be made is made for"
    assert tell(Scene(0), event)[1:] == [
        f"You have 15 seconds for a turn ({TURN_SET}); {moved} you."
    ]
    looks_on = f"Everybody has 15 seconds for a turn ({TURN_SET}); {moved} who is to move."
    assert tell(Scene(), event)[1:] == [looks_on]
    assert "--turn-seconds" in looks_on


def tell(scene: Scene, event: SessionEvent) -> list[str]:
    scene.apply(event)
    return say(event, scene)


def test_a_match_and_a_hand_begin() -> None:
    keys = [fingerprint(player.key) for player in players(2)]
    _, said = began()
    assert said == [
        f"The match begins: Ana (you) [{keys[0]}] and Ben [{keys[1]}], to 250, {RULES.title}.",
        "Hand 1: 3 tiles each, 22 tiles in the boneyard. You start.",
        "Your hand: 6-4 4-4 4-1",
    ]
    _, said = began(None)
    assert said[1:] == [
        "Hand 1: 3 tiles each, 22 tiles in the boneyard. Ana starts.",
        "Ana's hand: 6-4 4-4 4-1",
        "Ben's hand: 6-5 5-5 4-3",
    ]


def test_plays_say_the_sum_of_the_ends_and_the_points() -> None:
    scene, _ = began(1)
    assert tell(scene, events.InHand(1, Played(0, 0, tile(6, 4), None, 10, 10, (10, 0), None))) == [
        "Ana leads 6-4: 6 + 4 = 10, +10."
    ]
    assert tell(scene, events.InHand(1, Played(1, 3, tile(6, 5), "L", 9, 0, (10, 0), None))) == [
        "You play 6-5 on L: 5 + 4 = 9, no points."
    ]
    assert tell(
        scene, events.InHand(1, Played(0, 1, tile(4, 4), "R", 13, 0, (10, 0), None), True)
    ) == ["Ana plays 4-4 on R (the turn clock ran out): 5 + 8 = 13, no points."]


def test_a_double_alone_counts_once() -> None:
    scene, _ = began()
    assert tell(scene, events.InHand(1, Played(0, 1, tile(4, 4), None, 8, 0, (0, 0), None))) == [
        "You lead 4-4: 8, no points."
    ]


def test_four_arms_add_up() -> None:
    line = Line(RULES)
    for placed, end in [((6, 6), None), ((6, 3), "L"), ((6, 2), "R"), ((6, 4), "U"), ((6, 1), "D")]:
        line.place(tile(*placed), end)
    line.place(tile(4, 4), "U")
    assert ends_sum(line) == "3 + 2 + 8 + 1 = 14"
    assert line_text(line, counted=True) == [
        "Table: L 3-6 6-6 6-2 R",
        "  U from 6-6: 6-4 4-4",
        "  D from 6-6: 6-1",
        "Ends: 3 on L, 2 on R, double 4 on U, 1 on D; count 3 + 2 + 8 + 1 = 14.",
    ]


def test_the_line_reads_from_left_to_right() -> None:
    line = Line(RULES)
    assert line_text(line, counted=True) == ["The table is empty."]
    for placed, end in [((6, 4), None), ((6, 5), "L"), ((5, 1), "L"), ((4, 4), "R")]:
        line.place(tile(*placed), end)
    assert line_text(line, counted=True) == [
        "Table: L 1-5 5-6 6-4 4-4 R",
        "Ends: 1 on L, double 4 on R; count 1 + 8 = 9.",
    ]


def test_a_double_alone_is_one_tile_with_the_same_end_on_both_sides() -> None:
    line = Line(RULES)
    line.place(tile(5, 5), None)
    assert line_text(line, counted=True) == [
        "Table: L 5-5 R",
        "Ends: 5-5 alone, the same on L and R; count 10.",
    ]


def test_every_tile_on_the_table_is_in_the_line_text() -> None:
    rules = Rules.make("five-up", 2, {"target": "40"})
    scene = Scene()
    for event in play_match(11, 2, rules):
        scene.apply(event)
        if isinstance(event, events.InHand) and isinstance(event.event, Played):
            text = " ".join(line_text(scene.table_line, counted=True)[:-1])
            shown = [
                one for one in ALL_TILES if f"{one.high}-{one.low}" in text or flip(one) in text
            ]
            assert len(shown) == len(scene.table_line.placements)
            ends = line_text(scene.table_line, counted=True)[-1]
            named = [f"{end.value} on {end.name}" for end in scene.table_line.ends()]
            if len(named) == 1:
                named = [f"{scene.table_line.lead} alone, the same on L and R"]
            assert all(name in ends for name in named)
            assert f"{event.event.count}." in ends


def flip(one: Tile) -> str:
    return f"{one.low}-{one.high}"


LEAD = events.InHand(1, Played(0, 0, tile(6, 4), None, 10, 10, (10, 0), None))


def test_draws() -> None:
    scene, _ = began()
    tell(scene, LEAD)
    assert tell(scene, events.InHand(1, Drawn(1, 6))) == [
        "Ben draws a tile, 21 tiles left to draw."
    ]
    tell(scene, events.InHand(1, Played(1, 6, tile(6, 6), "L", 16, 0, (10, 0), None)))
    assert tell(scene, events.InHand(1, Drawn(0, 7), tile=tile(3, 1))) == [
        "You draw 3-1, 20 tiles left to draw."
    ]
    assert scene.hands[0] == [tile(4, 4), tile(4, 1), tile(3, 1)]


def test_passes() -> None:
    scene, _ = began(rules=Rules.make("classic", 2, {"hand-size": "3", "draws": "none"}))
    tell(scene, LEAD)
    assert scene.drawable == 0
    assert tell(scene, events.InHand(1, Passed(1), True)) == [
        "Ben passes (the turn clock ran out)."
    ]
    assert scene.turn == 0
    assert tell(scene, events.InHand(1, Passed(0))) == ["You pass."]
    assert scene.turn is None


@pytest.mark.parametrize(
    ("points", "claim", "claiming", "brought"),
    [(10, 10, "10", "+10"), (-15, 15, "15", "-15"), (0, 0, "nothing", "no points")],
)
def test_a_placement_tells_its_count_when_all_have_answered(
    points: int, claim: int, claiming: str, brought: str
) -> None:
    scene, _ = began(rules=Rules.make("classic", 2, {"hand-size": "3", "claims": "yes"}))
    lead = events.InHand(1, Played(0, 0, tile(6, 4), None, 10, points, (points, 0), claim))
    assert tell(scene, lead) == [f"You lead 6-4, claiming {claiming}."]
    assert scene.unsettled
    assert scene.scores == (0, 0)
    assert line_text(scene.table_line, counted=False)[-1] == "Ends: 6 on L, 4 on R."
    assert tell(scene, events.DeckStep(2, 1, "key", 1, 6)) == []
    assert scene.scores == (0, 0)
    assert tell(scene, events.Settled(1, 0, {1: 0})) == [
        f"The ends count 6 + 4 = 10. You: {brought}."
    ]
    assert not scene.unsettled
    assert scene.scores == (points, 0)


def test_without_claims_a_placement_tells_its_count_at_once() -> None:
    scene, _ = began()
    assert tell(scene, LEAD) == ["You lead 6-4: 6 + 4 = 10, +10."]
    assert not scene.unsettled
    assert scene.scores == (10, 0)


def test_claims() -> None:
    scene, _ = began()
    assert tell(scene, events.InHand(1, Claimed(1, 10, 10, (0, 10)))) == ["Ben claims 10: +10."]
    assert tell(scene, events.InHand(1, Claimed(0, 15, -15, (-15, 10)))) == ["You claim 15: -15."]
    late = events.InHand(1, Claimed(1, 10, 0, (0, 10)))
    assert tell(scene, late) == ["Ben claims 10: no points, for it was claimed before."]
    placed = Played(0, 0, tile(6, 4), None, 10, 10, (10, 0), 10)
    repeated = events.InHand(1, Claimed(1, 10, -10, (10, -10)))
    for me, who in ((0, "you have"), (1, "Ana has")):
        scene.me, scene.placed = me, placed
        does = "Ben claims" if me == 0 else "You claim"
        assert tell(scene, repeated) == [f"{does} 10: -10, for {who} scored it already."]
    scene.placed = replace(placed, claim=0, points=0)
    assert tell(scene, repeated) == ["You claim 10: -10."], "it was wrong"


def test_a_fault_names_the_seat() -> None:
    scene, _ = began()
    assert tell(scene, events.Faulted(1, "the share for slot 7 is not proven")) == [
        "Ben broke the protocol: the share for slot 7 is not proven."
    ]
    assert tell(
        scene, events.InHand(1, HandEnded("fault", None, (None, None), (0, 0), (5, 0)))
    ) == [
        "Hand 1 ends: somebody broke the protocol.",
        "Scores: Ana 5, Ben 0.",
    ]


def test_a_winner_keeps_the_name_as_it_is_written() -> None:
    scene = Scene(1)
    people = tuple(replace(one, name=f"{one.name.lower()}-x") for one in players(2))
    tell(scene, events.MatchBegan(b"\x01" * 32, RULES.spell(), people))
    (said,) = tell(scene, MatchEnded("target", (0,), (250, 40)))
    assert said == "ana-x wins the match. Scores: ana-x 250, ben-x 40."


@pytest.mark.parametrize(
    ("me", "winners", "sentence"),
    [
        (0, (0,), "You win the match. Scores: Ana 250, Ben 40."),
        (1, (0,), "Ana wins the match. Scores: Ana 250, Ben 40."),
        (1, (0, 1), "Ana and you win the match. Scores: Ana 250, Ben 40."),
        (None, (0, 1), "Ana and Ben win the match. Scores: Ana 250, Ben 40."),
        (0, (), "The match is abandoned; nobody wins. Scores: Ana 250, Ben 40."),
    ],
)
def test_the_match_ends(me: int | None, winners: tuple[int, ...], sentence: str) -> None:
    scene, _ = began(me)
    assert tell(scene, MatchEnded("target", winners, (250, 40))) == [sentence]


def test_shuffles_are_told_while_everybody_waits_and_not_during_play() -> None:
    scene, _ = began()
    step = events.DeckStep(2, 1, "shuffle", 2, 2)
    assert tell(scene, step) == []
    tell(scene, events.InHand(1, HandEnded("block", None, ((), ()), (0, 0), (0, 0))))
    assert tell(scene, step) == ["Ben shuffles the tiles; the shuffle is proven."]
    # Of a hand that nobody waits for yet it would be told in front of another one.
    assert tell(scene, events.DeckStep(3, 1, "shuffle", 2, 2)) == []
    assert tell(scene, events.DeckStep(2, 0, "key", 1, 2)) == []


def test_the_table_in_words() -> None:
    scene, _ = began()
    assert table_text(scene) == [
        "Scores: Ana 0, Ben 0, target 250.",
        "Ana 3 tiles and Ben 3 tiles; 22 tiles in the boneyard.",
    ]
    tell(scene, events.InHand(1, HandEnded("block", None, ((), ()), (0, 0), (10, 0))))
    assert table_text(scene) == ["Scores: Ana 10, Ben 0, target 250."]
    assert scores_text(scene) == "Ana 10, Ben 0"


def test_the_sentence_on_fairness() -> None:
    scene, _ = began()
    assert fairness(len(scene.players), "a.fives") == (
        "Every shuffle, tile, draw and pass of both players was proven and checked as it came; "
        "`allfives verify` checks it again. The record is here:",
        "a.fives",
    )


def test_small_words() -> None:
    assert [signed(points) for points in (15, -10, 0)] == ["+15", "-10", "no points"]
    assert [plural(number, "tile") for number in (0, 1, 2)] == ["0 tiles", "1 tile", "2 tiles"]


def test_no_line_ever_shows_a_tile_that_the_seat_may_not_know() -> None:
    told = play_match(21, 2, Rules.make("classic", 2, {"target": "60"}))
    scene = Scene(me=0)
    hidden: set[str] = set()
    for event, seen in zip(told, seen_from(told, 0), strict=True):
        match event:
            case events.HandBegan(hands=hands, boneyard=boneyard):
                hidden = {str(one) for one in (*(hands[1] or ()), *(boneyard or ()))}
            case events.InHand(event=Drawn(seat=0), tile=drawn):
                hidden.discard(str(drawn))
            case events.InHand(event=Played(tile=placed)):
                hidden.discard(str(placed))
            case events.InHand(event=HandEnded()):
                hidden.clear()
        said = " ".join([*tell(scene, seen), *table_text(scene)])
        assert not any(one in said for one in hidden)


@pytest.mark.parametrize(
    ("seat", "wanting", "on", "was_on", "said"),
    [
        (1, {1}, False, False, "Ben asks for a pause; it begins when all agree."),
        (0, {0}, False, False, "You ask for a pause; it begins when all agree."),
        (2, {1, 2}, False, False, "Cleo agrees to the pause; it begins when all do."),
        (1, set[int](), False, False, "Ben wants no pause any more."),
        (1, set[int](), False, True, "Ben goes on with the match."),
        (
            1,
            {0, 2},
            False,
            True,
            "Ben comes back and did not agree to the pause; the match goes on.",
        ),
        (
            2,
            {0, 1, 2},
            True,
            False,
            "The match is paused by all; the clocks stand still until somebody goes on.",
        ),
    ],
)
def test_pauses(seat: int, wanting: set[int], on: bool, was_on: bool, said: str) -> None:
    scene = Scene(0)
    rules = Rules.make("classic", 3)
    scene.apply(events.MatchBegan(b"\x01" * 32, rules.spell(), players(3)))
    assert pause_text(Pausing(seat, frozenset(wanting), on, was_on), scene) == said


def test_sides_are_named_when_the_match_begins_and_have_one_score() -> None:
    rules = Rules.make("classic", 4, {"partners": "yes"})
    scene = Scene(0)
    said = tell(scene, events.MatchBegan(b"\x01" * 32, rules.spell(), players(4)))
    ana, ben, cleo, dan = (one.name for one in scene.players)
    assert said[1:] == [f"{ana} and {cleo} play against {ben} and {dan}; each side has one score."]
    scene.scores = (35, -10, 35, -10)
    assert scores_text(scene) == f"{ana} and {cleo} 35, {ben} and {dan} -10"


@pytest.mark.parametrize(
    ("preset", "undealt"), [("draw", "in the boneyard"), ("block", "not dealt")]
)
def test_where_placing_scores_nothing_no_row_counts_anything(preset: str, undealt: str) -> None:
    told = play_match(3, 2, Rules.make(preset, 2, {"starter": "lot", "target": "40"}))
    scene, said = Scene(0), list[str]()
    for event in seen_from(told, 0):
        lines = tell(scene, event)
        if isinstance(event, events.InHand) and isinstance(event.event, Played):
            said += [*lines, *line_text(scene.table_line, scene.counts_ends)]
        assert not any("boneyard" in line for line in lines) or preset == "draw"
        assert not scene.dealt or undealt in table_text(scene)[1]
    assert said
    assert not any("points" in line or "count" in line or "=" in line for line in said)


@pytest.mark.parametrize("reason", ["fault", "left", "absent", "idle"])
def test_a_bot_is_not_named_for_what_its_owner_did(reason: str) -> None:
    scene = Scene(0)
    tell(scene, began_match(3))
    told = tell(scene, events.SeatOut(0, 2, reason, (0,), owner=1))
    assert told == ["Cleo, Ben's bot, is out too; the match goes on."]


def test_who_is_out_looks_on_and_has_no_hand_that_is_told() -> None:
    scene = Scene(0)
    tell(scene, began_match(3))
    assert tell(scene, events.SeatOut(0, 0, "absent", (1, 2))) == [
        "You were absent according to Ben and Cleo; the others play on.",
        LOOKS_ON,
    ]
    began = events.HandBegan(1, 1, ((), None, None), (0, 9, 9), None)
    assert [line for line in tell(scene, began) if "our hand" in line] == []
    assert table_text(scene)[1].startswith("Ben 9 tiles and Cleo 9 tiles;")
    assert wait_prompt(scene) == LOOKS_ON
    assert transcript([began_match(3), began])[-5:] == [
        "hand 1, Ben starts",
        "Ana: nothing",
        *("Ben: 9 unknown", "Cleo: 9 unknown", "boneyard: unknown"),
    ]


@pytest.mark.parametrize(
    ("preset", "options", "times"),
    [
        ("online", {}, 1),
        ("pagat", {"partners": "yes"}, 1),
        ("online", {"match-end": "at-once"}, 0),
        ("online", {"hand-end": "subtract-own"}, 0),
        ("online", {"claims": "yes"}, 0),
    ],
)
def test_that_the_target_is_reached_in_a_hand_that_goes_on_is_told_once(
    preset: str, options: dict[str, str], times: int
) -> None:
    count = 4 if "partners" in options else 2
    rules = Rules.make(preset, count, {"target": "20", **options})
    told = 0
    for seed in range(6):
        scene, lines = Scene(1), list[str]()
        for event in play_match(seed, count, rules):
            before = scene.scores
            said = tell(scene, event)
            lines += said
            if any("the match ends with this hand" in line for line in said):
                assert max(before) < 20 <= max(scene.scores)
                sides = [scene.side(seat) for seat in range(count) if scene.scores[seat] >= 20]
                who = listed([scene.players[seat].name for seat in sides[0]])
                assert said[-1].split(" have ")[0].split(" has ")[0] in (who, "You")
        once = sum("the match ends with this hand" in line for line in lines)
        assert once <= times
        told += once
    assert (told > 0) == (times > 0)


def began_match(count: int) -> events.MatchBegan:
    return events.MatchBegan(b"\x01" * 32, Rules.make("classic", count).spell(), players(count))


@pytest.mark.parametrize("name", WHOLE)
def test_every_line_of_a_whole_match(name: str) -> None:
    there = (MATCHES / f"{name}.txt").read_text("utf-8")
    assert golden_match(name) == there, "look at the difference; golden_screens.py writes anew"


def test_the_title_tells_what_of_the_rules_is_changed() -> None:
    def title(preset: str, players: int = 2, **options: str) -> str:
        named = {name.replace("_", "-"): value for name, value in options.items()}
        return game_title(Rules.make(preset, players, named))

    assert title("classic") == "All Fives, classic, to 250"
    assert title("classic", claims="yes") == "All Fives, classic, claims, to 250"
    assert title("classic", spinner="every") == "All Fives, classic (changed), to 250"
    assert title("five-up", 4, partners="yes") == "All Fives, five-up, partners, to 200"
    told_elsewhere = {"hand_size": "5", "starter": "lot", "turn_seconds": "none", "target": "60"}
    assert title("draw", 2, **told_elsewhere) == "Draw game, to 60"
