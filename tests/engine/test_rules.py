"""Options, presets, their spelling, and the rules that cannot work."""

from collections.abc import Callable

import pytest

from engine.errors import RulesError
from engine.rules import OPTIONS, PRESETS, Rules, describe, options_of

TABLE = {
    # option: classic, online, pagat, as the rules give them
    "hand-size": ("9/7/5", "7/6/5", "9/7/5"),
    "starter": ("lot", "highest-double", "lot"),
    "next-starter": ("out", "out", "out"),
    "spinner": ("first", "first", "first"),
    "arms": ("after-sides", "at-once", "after-sides"),
    "bare-arms": ("0", "0", "0"),
    "play-points": ("fives", "fives", "fives"),
    "draws": ("until-fit", "until-fit", "until-fit"),
    "reserve": ("0", "0", "0"),
    "hand-end": ("subtract-own", "collect-each", "collect-sum"),
    "block-winner": ("pips", "pips-tiles", "pips"),
    "target": ("250/200", "150", "250/200"),
    "match-end": ("at-once", "hand", "hand"),
    "partners": ("no", "no", "no"),
    "claims": ("no", "no", "no"),
    "turn-seconds": ("none", "15", "none"),
}


def test_the_table_of_the_rules() -> None:
    assert [option.name for option in OPTIONS] == list(TABLE)
    for at, preset in enumerate(("classic", "online", "pagat")):
        assert options_of(PRESETS[preset]) == {name: row[at] for name, row in TABLE.items()}


@pytest.mark.parametrize(
    ("preset", "base", "differences"),
    [
        ("muggins", "pagat", {"spinner": "none"}),
        ("five-up", "pagat", {"spinner": "every"}),
        ("sniff", "pagat", {"hand-size": "7/6/5", "bare-arms": "half"}),
        (
            "draw",
            "online",
            {
                "play-points": "none",
                "spinner": "none",
                "hand-end": "collect-raw",
                "target": "100",
            },
        ),
        ("block", "draw", {"draws": "none"}),
    ],
)
def test_further_presets_are_rows_of_differences(
    preset: str, base: str, differences: dict[str, str]
) -> None:
    assert options_of(PRESETS[preset]) == options_of(PRESETS[base]) | differences


def test_typed_values() -> None:
    rules = Rules.make("online", 3, {"claims": "yes", "reserve": "2"})
    assert (rules.hand_size, rules.hand_size_for(2), rules.target) == (6, 7, 150)
    assert (rules.claims, rules.partners, rules.reserve, rules.turn_seconds) == (True, False, 2, 15)
    assert Rules.make("classic", 2).turn_seconds is None
    assert [Rules.make("classic", n).target for n in (2, 3, 4)] == [250, 200, 200]
    assert [Rules.make("classic", n).hand_size for n in (2, 3, 4)] == [9, 7, 5]


def test_the_title_tells_what_is_otherwise_than_in_the_preset() -> None:
    assert Rules.make("online", 3).title == "online rules"
    assert Rules.make("online", 3, {"target": "90", "spinner": "first"}).title == "online rules"
    changed = Rules.make("pagat", 4, {"claims": "yes", "partners": "yes", "turn-seconds": "20"})
    assert changed.title == "pagat rules with partners=yes, claims=yes, turn-seconds=20"
    assert Rules.read(changed.spell(), 4).title == changed.title


def test_sides() -> None:
    alone = Rules.make("classic", 4)
    assert [alone.side(seat) for seat in range(4)] == [(0,), (1,), (2,), (3,)]
    partners = Rules.make("classic", 4, {"partners": "yes"})
    assert [partners.side(seat) for seat in range(4)] == [(0, 2), (1, 3), (0, 2), (1, 3)]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("preset", list(PRESETS))
def test_spelling_round_trip(preset: str, players: int) -> None:
    rules = Rules.make(preset, players)
    spelled = rules.spell()
    assert list(spelled) == ["preset", *TABLE]
    assert spelled["target"] == str(rules.target)
    assert Rules.read(spelled, players) == rules
    overrides = {name: text for name, text in spelled.items() if name != "preset"}
    assert Rules.make(preset, players, overrides) == rules


def test_one_hand_size_for_all() -> None:
    rules = Rules.make("classic", 4, {"hand-size": "7/7/7"})
    assert rules.spell()["hand-size"] == "7"
    assert rules == Rules.make("classic", 4, {"hand-size": "7"})


REFUSED = [
    (2, {"spinner": "two"}, "spinner cannot be 'two': allowed is first, none or every"),
    (2, {"starter": ""}, "starter cannot be '': allowed is lot or highest-double"),
    (
        2,
        {"target": "0"},
        "target cannot be '0': allowed is a number from 1 to 1000000, or two as 250/200 "
        "(for 2, and for 3 or 4 players)",
    ),
    (
        2,
        {"target": "-5"},
        "target cannot be '-5': allowed is a number from 1 to 1000000, or two as 250/200 "
        "(for 2, and for 3 or 4 players)",
    ),
    (
        2,
        {"target": "250/200/100"},
        "target cannot be '250/200/100': allowed is a number from 1 to 1000000, or two as "
        "250/200 (for 2, and for 3 or 4 players)",
    ),
    (
        2,
        {"hand-size": "07"},
        "hand-size cannot be '07': allowed is a number from 1 to 14, or three as 9/7/5 (for 2, 3 "
        "and 4 players)",
    ),
    (
        2,
        {"hand-size": "9/7"},
        "hand-size cannot be '9/7': allowed is a number from 1 to 14, or three as 9/7/5 (for 2, 3 "
        "and 4 players)",
    ),
    (
        2,
        {"hand-size": "\u0669"},
        "hand-size cannot be '\\u0669': allowed is a number from 1 to 14, or three as 9/7/5 "
        "(for 2, 3 and 4 players)",
    ),
    (
        4,
        {"hand-size": "9"},
        "hand-size 9 cannot be: 4 players with a reserve of 0 would need 36 tiles of 28; allowed "
        "is at most 7 each",
    ),
    (
        2,
        {"hand-size": "14", "reserve": "1"},
        "hand-size 14 cannot be: 2 players with a reserve of 1 would need 29 tiles of 28; allowed "
        "is at most 13 each",
    ),
    (
        3,
        {"hand-size": "14/9/5", "reserve": "2"},
        "hand-size 14 cannot be: 2 players with a reserve of 2 would need 30 tiles of 28; allowed "
        "is at most 13 each",
    ),
    (2, {"reserve": "3"}, "reserve cannot be '3': allowed is 0, 1 or 2"),
    (
        3,
        {"partners": "yes"},
        "two against two (partners) is for 4 players, and not for 3",
    ),
    (
        2,
        {"play-points": "none"},
        "play-points cannot be 'none' with hand-end 'subtract-own', as nobody could ever score: "
        "allowed is a hand-end that collects",
    ),
    (
        2,
        {"turn-seconds": "0"},
        "turn-seconds cannot be '0': allowed is none or a number from 1 to 86400",
    ),
    (5, {}, "players cannot be 5: allowed is 2, 3 or 4"),
    (
        2,
        {"spiner": "none"},
        "there is no option 'spiner': did you mean 'spinner'? Allowed is " + ", ".join(TABLE),
    ),
    (
        2,
        {"spinner": "x" * 500},
        "spinner cannot be '" + "x" * 40 + "...': allowed is first, none or every",
    ),
]


@pytest.mark.parametrize(("players", "overrides", "sentence"), REFUSED)
def test_rules_that_cannot_work(players: int, overrides: dict[str, str], sentence: str) -> None:
    with pytest.raises(RulesError) as refused:
        Rules.make("classic", players, overrides)
    assert str(refused.value) == sentence


def test_an_unknown_preset() -> None:
    with pytest.raises(RulesError) as refused:
        Rules.make("clasic", 2)
    assert str(refused.value) == (
        "there are no rules 'clasic': did you mean 'classic'? Allowed is " + ", ".join(PRESETS)
    )
    with pytest.raises(RulesError, match=r"^there are no rules 'bridge': allowed is classic"):
        Rules.make("bridge", 2)
    for typed, near in (("fivs", "fives"), ("all-five", "all-fives"), ("muggin", "muggins")):
        with pytest.raises(RulesError, match=f"did you mean '{near}'\\? Allowed is classic, "):
            Rules.make(typed, 2)


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("fives", "classic"),
        ("5 up", "five-up"),
        ("5UP", "five-up"),
        ("Draw game", "draw"),
        ("All-Fives", "classic"),
        ("all fives", "classic"),
        ("allfives", "classic"),
        (" Muggins ", "muggins"),
        ("five up", "five-up"),
        ("Five_Up", "five-up"),
        ("fiveup", "five-up"),
        ("ONLINE", "online"),
    ],
)
def test_a_preset_is_taken_as_people_write_it_and_signed_in_one_way(typed: str, name: str) -> None:
    rules = Rules.make(typed, 2)
    assert rules == Rules.make(name, 2)
    assert rules.spell()["preset"] == name
    if typed != name:
        with pytest.raises(RulesError):
            Rules.read({**rules.spell(), "preset": typed}, 2)


def test_nothing_can_be_claimed_where_placing_scores_nothing() -> None:
    read = {**Rules.make("block", 2).spell(), "claims": "yes"}
    makes: list[Callable[[], Rules]] = [
        lambda: Rules.make("draw", 2, {"claims": "yes"}),
        lambda: Rules.read(read, 2),
    ]
    for make in makes:
        with pytest.raises(RulesError) as refused:
            make()
        assert str(refused.value) == (
            "claims cannot be 'yes' with play-points 'none', as there are no points to claim: "
            "allowed is claims 'no', or play-points 'fives'"
        )


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"spinner": None}, "the rules do not say spinner"),
        ({"preset": None}, "the rules do not say preset"),
        ({"more": "x"}, "there is no option 'more': allowed is " + ", ".join(TABLE)),
        ({"preset": "nope"}, "there are no rules 'nope'"),
        ({"target": "250/200"}, "target must be spelled '250', not '250/200'"),
        ({"hand-size": "9/9/9"}, "hand-size must be spelled '9', not '9/9/9'"),
        ({"arms": "At-once"}, "arms cannot be 'At-once': allowed is after-sides or at-once"),
    ],
)
def test_a_foreign_description_is_read_strictly(
    change: dict[str, str | None], sentence: str
) -> None:
    spelled: dict[str, str | None] = {**Rules.make("classic", 2).spell(), **change}
    hostile = {name: text for name, text in spelled.items() if text is not None}
    with pytest.raises(RulesError) as refused:
        Rules.read(hostile, 2)
    assert str(refused.value) == sentence


def test_rules_in_words() -> None:
    lines = describe(Rules.make("classic", 2))
    assert lines[0] == "classic: All Fives with the double-six set, 2 players."
    assert lines[1] == (
        "With 2 players each takes 9 tiles; the rest is the boneyard. [hand-size=9/7/5]"
    )
    assert "The match is to 250 points. [target=250]" in lines
    assert not any("[block-winner=" in line for line in lines), "each loses the own pips anyway"


@pytest.mark.parametrize(
    ("preset", "says"),
    [
        ("pagat", "tied for the fewest pips in a blocked hand share the points of the others"),
        ("five-up", "Elsewhere five tiles each are dealt"),
        ("sniff", "There is an older form of Sniff"),
    ],
)
def test_rules_in_words_tell_where_a_namesake_differs(preset: str, says: str) -> None:
    assert says in describe(Rules.make(preset, 2))[1]


@pytest.mark.parametrize(
    ("preset", "game"), [("draw", "the Draw game"), ("block", "the Block game")]
)
def test_draw_and_block_are_games_of_their_own(preset: str, game: str) -> None:
    words = describe(Rules.make(preset, 2))
    assert words[0] == f"{preset}: {game} with the double-six set, 2 players."
    assert not any("All Fives" in line or "claim" in line for line in words)


@pytest.mark.parametrize("preset", [*PRESETS, "without draws"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_boneyard_is_told_of_only_where_tiles_are_drawn(preset: str, players: int) -> None:
    clock = {"turn-seconds": "15"}
    undrawn = preset == "without draws"
    rules = Rules.make(
        "classic" if undrawn else preset, players, clock | ({"draws": "none"} if undrawn else {})
    )
    words = " ".join(describe(rules))
    if rules.draws == "none":
        assert "boneyard" not in words
        assert "the rest is not dealt" in words
        assert "who has none passes. [turn-seconds" in words
    else:
        assert "the rest is the boneyard" in words


def test_where_all_tiles_are_dealt_there_is_no_rest() -> None:
    words = describe(Rules.make("block", 4, {"hand-size": "7"}))
    assert words[1] == "With 4 players each takes 7 tiles; these are all. [hand-size=7]"


def test_partners_are_told_without_numbers_of_seats() -> None:
    words = "\n".join(describe(Rules.make("classic", 4, {"partners": "yes"})))
    assert "the first and the third against the second and the fourth" in words
    assert "eat 0" not in words


@pytest.mark.parametrize(("preset", "name"), [("muggins", "Muggins"), ("five-up", "Five-Up")])
def test_rules_in_words_tell_of_other_names(preset: str, name: str) -> None:
    assert describe(Rules.make(preset, 2))[1].startswith(
        f'Many people use "{name}" as another name of All Fives itself; '
    )


def test_every_value_of_every_option_is_told() -> None:
    told: dict[str, set[str]] = {option.name: set() for option in OPTIONS}
    for option in OPTIONS:
        values = {"hand-size": ["7", "9/7/5"], "reserve": ["0", "1", "2"], "target": ["99"]}
        named = values.get(option.name, option.allowed.replace(" or ", ", ").split(", "))
        for text in ["none", "30"] if option.name == "turn-seconds" else named:
            told[option.name].add(option.says(option.parse(text, 4), Rules.make("classic", 4)))
    assert all(all(sentences) for sentences in told.values())
    assert {name: len(sentences) for name, sentences in told.items()} == {
        "hand-size": 2,
        "starter": 2,
        "next-starter": 2,
        "spinner": 3,
        "arms": 2,
        "bare-arms": 2,
        "play-points": 2,
        "draws": 2,
        "reserve": 3,
        "hand-end": 4,
        "block-winner": 2,
        "target": 1,
        "match-end": 2,
        "partners": 2,
        "claims": 2,
        "turn-seconds": 2,
    }


def told(name: str, preset: str = "classic", players: int = 2, **options: str) -> str:
    named = {option.replace("_", "-"): value for option, value in options.items()}
    lines = describe(Rules.make(preset, players, named))
    return next(line for line in lines if f"[{name}=" in line)


def test_where_points_are_claimed_none_are_said_to_be_scored_at_once() -> None:
    assert "scores that many points at once" in told("play-points")
    claimed = told("play-points", claims="yes")
    assert "at once" not in claimed
    assert "for who claims just that" in claimed
    assert "in turn after the placer" in told("claims", claims="yes")


@pytest.mark.parametrize(
    ("preset", "of_a_side"),
    [
        ("classic", "each side loses the pips left in both its hands, each hand rounded"),
        ("online", "the side that wins it gets the pips of both opponents, each hand rounded"),
        ("pagat", "the side that wins it gets the pips of both opponents together, rounded once"),
        ("draw", "the side that wins it gets the pips of both opponents, not rounded"),
    ],
)
def test_with_partners_the_end_of_a_hand_is_told_of_sides(preset: str, of_a_side: str) -> None:
    assert "side" not in told("hand-end", preset, 4)
    assert of_a_side in told("hand-end", preset, 4, partners="yes")
    if preset != "classic":
        assert "side" not in told("block-winner", preset, 4)
        block = told("block-winner", preset, 4, partners="yes")
        assert "the side with the fewest pips in its two hands together" in block
