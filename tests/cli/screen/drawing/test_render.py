"""Screens read back from their characters, and compared with what they were made from."""

import os
import random
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prompt_toolkit.styles import Style
from support.screen.golden_screens import (
    FOLDER,
    LOOKS,
    PICTURE,
    README,
    SHEETS,
    STYLES,
    golden_frames,
    golden_sheets,
    golden_styles,
    golden_text,
    pictures,
)
from support.screen.reader import read_screen, read_tiles, words_tiles
from support.screen.scenes import ON_THE_TABLE, SCENES, SIZES, find, scene, shown
from support.screen.staged import Staged, any_move, spread, staged

from cli.screen.drawing.hand import hand_rows
from cli.screen.drawing.render import SMALLEST, render
from cli.screen.drawing.seats import seat_text
from cli.screen.drawing.style import style_class, style_rules
from cli.screen.drawing.view import SeatLine
from cli.screen.line.look import THEMES, TILE_SIZES, Look, Theme, TileSize
from cli.telling.scene import Scene
from engine.events import Passed, Played
from engine.rules import Rules
from engine.tiles import Tile
from p2p.session.state.events import InHand

# The full size: ALLFIVES_SCREENS=5000.
EXAMPLES = int(os.environ.get("ALLFIVES_SCREENS", "40"))


@pytest.mark.parametrize("name", SCENES)
def test_golden_screens(name: str) -> None:
    there = (FOLDER / f"{name}.txt").read_text("utf-8")
    assert golden_text(name) == there, "look at the difference; golden_screens.py writes anew"


@pytest.mark.parametrize("name", SCENES)
def test_golden_styles(name: str) -> None:
    there = (STYLES / f"{name}.txt").read_text("utf-8")
    assert golden_styles(name) == there, "look; golden_screens.py writes them anew"
    for row in there.splitlines():
        assert sum(int(run.partition("*")[2]) for run in row.split(" ")) == 80


@pytest.mark.parametrize("name", SCENES)
def test_no_sentence_stands_twice_on_a_screen(name: str) -> None:
    view = scene(name).view
    panel = view.front.panel
    page = () if panel is None else (*panel.lines, *panel.news)
    desk = (*view.log, view.note, view.front.prompt, *page)
    said = {one for line in desk for one in re.split(r"(?<=[.?]) ", line.strip()) if " " in one}
    for width, height in SIZES:
        if panel is None and width >= 100:
            continue  # the log stands beside the table: a row of the screen is none of a text
        text = " ".join(render(view, width, height, LOOKS["ascii"]).text.split())
        assert [one for one in said if text.count(one) > 1] == []


@pytest.mark.parametrize("size", SIZES)
def test_the_log_beside_a_table_begins_with_the_beginning_of_a_line(size: tuple[int, int]) -> None:
    stage = find(Rules.make("classic", 2), lambda stage: len(stage.match.moves) > 8)
    said = "Ben: " + " ".join(f"word{number}" for number in range(40))
    for count in range(1, 30):
        lines = ("Ana: the one before", said[: 6 * count])
        view = replace(shown(stage).view, log=lines, note="")
        text = render(view, *size, LOOKS["ascii"]).text
        assert "Ben: word0" in text or count < 2
        rest = lines[-1].split()[-1]
        assert "the one before" not in text or rest in text


def test_on_an_empty_table_the_latest_line_of_the_log_stands_whole() -> None:
    view = scene("empty_table").view
    line = "Hand 2: 9 tiles each, 10 tiles in the boneyard. Cem has to play the double six."
    front = replace(view.front, prompt=" ".join(["Waiting."] * 20))
    text = render(replace(view, log=(line,), note="", front=front), 60, 20, LOOKS["ascii"]).text
    assert line in " ".join(text.split())


@pytest.mark.parametrize("size", [(80, 24), (60, 24), (80, 30)])
def test_a_note_of_one_row_more_moves_no_tile(size: tuple[int, int]) -> None:
    view = scene("four_arms").view
    view = replace(view, log=tuple(f"Line {number}." for number in range(6)), note="")
    width, height = size
    rows = [
        render(replace(view, front=replace(view.front, prompt=prompt)), width, height, Look())
        for prompt in ("Word " * 20, "Word " * 35)
    ]
    rule = [frame.text.splitlines() for frame in rows]
    at = next(index for index, row in enumerate(rule[0]) if "count" in row)
    assert rule[0][: at + 1] == rule[1][: at + 1]


def test_a_key_stands_in_one_row_with_what_it_does() -> None:
    view = scene("hosting").view
    for width in range(60, 100):
        rows = render(view, width, 20, LOOKS["ascii"]).text.splitlines()
        assert [row for row in rows if re.search(r" [a-z]$", row.rstrip())] == []


def test_what_a_tile_scores_stands_nearer_to_it_than_to_the_next_where_there_is_room() -> None:
    view = scene("empty_table").view
    front = replace(view.front, prompt=" ".join(["Waiting."] * 20))
    text = render(replace(view, front=front), 60, 20, LOOKS["ascii"]).text
    assert ">1[6|4]<+10   2[6|1] =7   3[5|3] =8   4[5|0] +5" in text


def test_golden_sheets_in_colour_and_with_no_color() -> None:
    there = (STYLES / SHEETS).read_text("utf-8")
    assert golden_sheets() == there, "look; golden_screens.py writes them anew"
    classes = {row.partition(":")[0] for row in there.splitlines()}
    used = {
        style_class(run.partition("*")[0])
        for name in SCENES
        for run in (STYLES / f"{name}.txt").read_text("utf-8").split()
    }
    assert used - {"-"} == classes


def test_no_golden_file_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(SCENES)
    assert {path.name for path in STYLES.iterdir()} == {*(f"{name}.txt" for name in SCENES), SHEETS}


def test_the_pictures_of_the_readme_are_golden_screens() -> None:
    readme = README.read_text("utf-8")
    assert len(PICTURE.findall(readme)) == readme.count("<!-- tests/golden/") >= 2
    assert pictures(readme) == readme, "tests/support/screen/golden_screens.py draws them anew"


@pytest.mark.parametrize("name", SCENES)
def test_a_golden_screen_has_its_size_and_in_ascii_nothing_else(name: str) -> None:
    for (width, height, look), text in golden_frames(name).items():
        rows = text.split("\n")[:-1]
        assert len(rows) == height
        assert max(map(len, rows)) <= width
        assert look == "unicode" or text.isascii()


def _scores(scene: Scene) -> list[int]:
    """One a side."""
    return [scene.scores[side[0]] for side in scene.sides()]


@pytest.mark.parametrize("name", ON_THE_TABLE)
def test_the_table_of_a_golden_screen_reads_back(name: str) -> None:
    made = scene(name)
    line = made.scene.line
    assert line is not None
    for (width, _, _), text in golden_frames(name).items():
        read = read_screen(text, width)
        assert sorted(read.table) == sorted(placed.tile for placed in line.placements)
        assert read.ends == {end.name: end.value for end in line.ends()}
        assert read.scores == _scores(made.scene)
        assert read.count == (made.view.count if line.placements else None)


@pytest.mark.parametrize("name", ["end_of_hand", "block"])
def test_the_end_of_a_hand_shows_everybody_s_tiles_and_scores(name: str) -> None:
    made = scene(name)
    panel = made.view.front.panel
    assert panel is not None
    wanted = words_tiles("\n".join(panel.lines))
    assert wanted
    for (width, _, _), text in golden_frames(name).items():
        assert words_tiles(text) == wanted
        assert read_screen(text, width).scores == _scores(made.scene)


@settings(max_examples=EXAMPLES)
@given(
    seed=st.integers(0, 2**32),
    players=st.integers(2, 4),
    options=st.sampled_from(
        [{}, {"spinner": "every"}, {"arms": "at-once"}, {"spinner": "every", "arms": "at-once"}]
    ),
    moves=st.integers(0, 40),
    size=st.tuples(st.integers(60, 140), st.integers(20, 45)),
    look=st.builds(Look, unicode=st.booleans(), tiles=st.sampled_from(TILE_SIZES)),
)
def test_any_hand_in_any_size(
    seed: int,
    players: int,
    options: dict[str, str],
    moves: int,
    size: tuple[int, int],
    look: Look,
) -> None:
    rng = random.Random(seed)
    rules = Rules.make("classic", players, options)
    stage = staged(rules, str(seed), me=rng.randrange(players))
    policy = rng.choice([any_move, spread])
    for _ in range(moves):
        hand = stage.match.hand
        if hand is None or hand.over is not None or not stage.step(policy, rng):
            break
    width, height = size
    frame = render(shown(stage).view, width, height, look)
    rows = [sum(len(text) for _, text in row) for row in frame.rows]
    assert rows == [width] * height
    read = read_screen(frame.text, width)
    line = stage.scene.table_line
    assert sorted(read.table) == sorted(placed.tile for placed in line.placements)
    assert read.ends == {end.name: end.value for end in line.ends()}
    assert read.scores == _scores(stage.scene)
    assert read.tile_counts == stage.scene.counts
    mine = stage.scene.hands[stage.scene.me or 0]
    assert mine is not None
    assert set(mine) <= read.everywhere <= stage.known()


def test_every_tile_of_the_hand_shows_what_each_end_would_bring() -> None:
    made = scene("four_arms")
    assert made.view.hand is not None
    text = render(made.view, 80, 24, Look()).text
    for tile in made.view.hand:
        assert f"[{tile.tile.high}|{tile.tile.low}]" in text
        for choice in tile.choices:
            worth = f"+{choice.points}" if choice.points else f"={choice.count}"
            assert f"{choice.end}{worth}" in text


@pytest.mark.parametrize("size", TILE_SIZES)
def test_each_tile_of_a_long_hand_has_one_label_in_every_width(size: TileSize) -> None:
    made = staged(Rules.make("classic", 2, {"hand-size": "13"}), "1", me=0)
    view, look = shown(made).view, Look(tiles=size)
    for width in range(60, 141):
        rows = hand_rows(view, width, 20, look)
        text = "\n".join("".join(run.text for run in row) for row in rows)
        found = [int(number) for number in re.findall(r"(\d+)(?=\[\d|\+)", text)]
        assert found == [*range(1, 10), 0, 11, 12, 13]


def test_the_own_name_gives_way_to_you_before_it_is_cut_to_nothing() -> None:
    def seat(name: str, me: bool) -> SeatLine:
        return SeatLine(name, 5, 165, "", "", me, True, None)

    assert seat_text(seat("root", True), 40) == ">root (you): 5 tiles, 165 pts"
    assert seat_text(seat("root", True), 27) == ">you: 5 tiles, 165 pts"
    assert seat_text(seat("Wolfgang Amadeus", True), 38) == ">Wolfgang Ama~ (you): 5 tiles, 165 pts"
    assert seat_text(seat("Wolfgang Amadeus", False), 27) == ">Wolfgan~: 5 tiles, 165 pts"


def test_the_score_of_a_side_stands_once() -> None:
    first = SeatLine("Ana", 4, -10, "A", "", True, True, None)
    mate = SeatLine("Cem", 8, None, "A", "", False, False, None)
    assert seat_text(first, 30) == ">A -10 pts  Ana (you): 4 tiles"
    assert seat_text(mate, 30) == " A          Cem: 8 tiles"
    assert seat_text(replace(mate, link="link lost"), 30) == " A          Cem: link lost"
    assert seat_text(replace(mate, tiles=None), 30) == " A          Cem"


def test_below_the_smallest_size_one_sentence_is_shown() -> None:
    width, height = SMALLEST
    for size in ((width - 1, height), (width, height - 1), (20, 5), (1, 1)):
        frame = render(scene("help").view, *size, Look())
        assert len(frame.rows) == size[1]
        words = " ".join(frame.text.split())
        assert size == (1, 1) or words.startswith("The screen needs")
        assert not read_tiles([row.ljust(size[0]) for row in frame.text.split("\n")])


@pytest.mark.parametrize("theme", THEMES)
def test_every_theme_has_all_classes_and_none_a_bright_black_or_a_background(theme: Theme) -> None:
    sheet = style_rules(theme)
    assert sheet.keys() == style_rules().keys()
    Style.from_dict(sheet)
    assert not any("brightblack" in rule for rule in sheet.values())
    assert all("bg:" not in rule or name.startswith("bar") for name, rule in sheet.items())


@pytest.mark.parametrize("background", ["#002b36", "#fdf6e3", "#000000", "#ffffff"])
@pytest.mark.parametrize("theme", THEMES)
def test_a_theme_for_a_background_can_be_read_on_it(theme: Theme, background: str) -> None:
    least = {
        ("light", "#ffffff"): 4.5,
        ("dark", "#000000"): 4.5,
        ("solarized", "#002b36"): 2.5,
        ("solarized", "#fdf6e3"): 2.5,
        ("colour-blind", "#000000"): 3.0,
    }.get((theme, background), 0.0)
    colours = re.findall(r"fg:(#\w{6})", " ".join(_inks(style_rules(theme))))
    assert all(_contrast(colour, background) >= least for colour in colours)
    assert colours or theme in ("auto", "mono")


def _inks(sheet: dict[str, str]) -> list[str]:
    """What is written on the terminal's own background."""
    return [rule for name, rule in sheet.items() if not name.startswith("bar")]


def _contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2.2 (1.4.3)."""
    darker, lighter = sorted(map(_luminance, (one, other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return sum(part * weight for part, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


@pytest.mark.parametrize("name", SCENES)
def test_every_style_has_its_place_in_both_sheets(name: str) -> None:
    coloured, plain = style_rules(), style_rules("mono")
    for width, height in SIZES:
        frame = render(scene(name).view, width, height, Look())
        for row in frame.rows:
            for style, _ in row:
                assert not style or (style_class(style) in coloured and style_class(style) in plain)
    assert not any("ansi" in rule or "#" in rule for rule in plain.values())


def test_whose_turn_the_chosen_tile_and_end_are_marked_without_colour() -> None:
    text = render(scene("two_arms").view, 80, 24, Look()).text
    assert ">Ana (you)" in text
    view = scene("two_arms").view
    assert view.front.cursor.tile is not None
    assert f">3[{view.front.cursor.tile.high}|{view.front.cursor.tile.low}]<" in text
    assert f">{view.front.cursor.end}:" in text


@pytest.mark.parametrize("size", TILE_SIZES)
def test_zones_cover_the_hand_and_the_ends(size: TileSize) -> None:
    made = scene("three_arms")
    frame = render(made.view, 80, 24, Look(tiles=size))
    rows = frame.text.split("\n")
    assert made.view.hand is not None
    tiles = {zone.on for zone in frame.zones if isinstance(zone.on, int)}
    assert tiles == set(range(len(made.view.hand)))
    for zone in frame.zones:
        if isinstance(zone.on, str):
            assert f"{zone.on}:" in rows[zone.y][zone.x : zone.x + zone.w]


def test_a_replay_shows_the_tiles_of_all() -> None:
    made = scene("replay")
    read = read_screen(render(made.view, 60, 20, Look()).text, 60)
    held = {tile for hand in made.scene.hands if hand for tile in hand}
    assert held <= read.everywhere


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_wide_and_zero_width_characters_of_a_name_keep_the_columns(look: Look) -> None:
    stage = staged(Rules.make("classic", 2), "names")
    stage.log.append("龍龍龍龍: e\u0301toile \x1b[31m")
    view = shown(stage).view
    frame = render(view, 80, 24, look)
    text = "".join(text for row in frame.rows for _, text in row)
    assert "\x1b" not in text
    assert "龍龍龍龍: \u00e9toile" in text


def test_the_reader_reads_each_kind_of_tile_and_nothing_else() -> None:
    assert read_tiles(["[6|4][4│1] 6-4 [x|1] |6|4|"]) == [Tile(6, 4), Tile(4, 1)]
    assert read_tiles(["[6]", "[-]", "[3]"]) == [Tile(6, 3)]
    assert words_tiles("hand 1-2 ends 6-4, 16-4") == {Tile(6, 4)}


@pytest.mark.parametrize("moves", range(2, 9))
def test_where_points_are_claimed_nothing_tells_the_count_before_all_have_answered(
    moves: int,
) -> None:
    """A screen shows the same whatever the count: it is drawn from the ends' values alone."""
    rng = random.Random(moves)
    stage = staged(Rules.make("classic", 2, {"claims": "yes"}), f"claims {moves}")
    before = stage.scene.scores
    for _ in range(moves):
        before = stage.scene.scores
        assert stage.step(spread, rng)
    if stage.match.awaiting_claims():
        view = shown(stage).view
        assert view.count is None
        assert stage.scene.scores == before
        assert "=" not in stage.log[-1]
        (rule,) = [row for row in render(view, 80, 24, Look()).text.split("\n") if row[:2] == "--"]
        assert rule.strip("-") == " the count shows when all have claimed "


def test_the_question_what_to_claim_is_shown_whole_however_many_ends_there_are() -> None:
    def many(stage: Staged) -> bool:
        seen = stage.seen()
        ends = 0 if seen is None or seen.awaiting is None else len(stage.scene.table_line.ends())
        return ends >= 9

    rules = Rules.make("five-up", 2, {"claims": "yes", "starter": "lot", "arms": "at-once"})
    view = shown(find(rules, many, spread)).view
    assert len(view.front.prompt) > 180
    text = " ".join(render(replace(view, note="A word. " * 30), *SMALLEST, Look()).text.split())
    assert " ".join(view.front.prompt.split()) in text


def test_every_tile_that_came_since_one_s_own_last_turn_is_marked() -> None:
    stage = find(Rules.make("classic", 3, {"starter": "lot"}), _two_came)
    fresh = _since_own_turn(stage)
    frame = render(shown(stage).view, 80, 24, Look())
    assert len(fresh) == 2
    marked = "".join(text for row in frame.rows for style, text in row if style == "tile.last")
    halves = sorted(str(half) for tile in fresh for half in tile)
    assert sorted(re.findall("[0-6]", marked)) == halves


def _since_own_turn(stage: Staged) -> list[Tile]:
    """The tiles that others placed after one's own last placement, counted from the events."""
    placed = [one.event for one in stage.heard if isinstance(one, InHand)]
    fresh: list[Tile] = []
    for event in placed:
        if isinstance(event, Played | Passed) and event.seat == stage.scene.me:
            fresh = []
        elif isinstance(event, Played):
            fresh.append(event.tile)
    return fresh


def _two_came(stage: Staged) -> bool:
    seen, moves = stage.seen(), stage.match.moves
    return seen is not None and len(moves) > 5 and len(_since_own_turn(stage)) == 2
