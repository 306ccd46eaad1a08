"""The key table: no key means two things, and help and bottom row are made of it."""

from collections import Counter

from cli.screen.drawing.keys import (
    ALL_KEYS,
    ANSWER_KEYS,
    KEYS,
    REPLAY_KEYS,
    TERMINAL_KEYS,
    Act,
    Label,
    act_of,
    help_lines,
    key_row,
)
from cli.telling.doing import Deed, Moment
from engine.rules import Rules


def test_no_key_means_two_things() -> None:
    for keys in (KEYS, REPLAY_KEYS, ANSWER_KEYS):
        assert max(Counter(name for key in keys for name in key.keys).values()) == 1


def test_every_act_has_a_key_and_the_help_tells_it() -> None:
    assert {key.act for key in (*ALL_KEYS, *TERMINAL_KEYS)} == set(Act)
    told = "\n".join(help_lines(Moment("", frozenset(Deed))))
    for key in (*KEYS, *TERMINAL_KEYS):
        assert not key.does or (key.shown in told and key.does in told), key
    silent = {key.act for key in KEYS if not key.does}
    # One line tells of all four arrows, another one of all that scrolls.
    arrows = {Act.PREVIOUS_TILE, Act.NEXT_END, Act.PREVIOUS_END}
    scrolls = {Act.PAGE_DOWN, Act.FIRST, Act.LAST, Act.WHEEL_UP, Act.WHEEL_DOWN}
    assert silent == arrows | scrolls


def test_the_help_tells_of_arms_only_where_there_are_spinners() -> None:
    def told(spinners: str) -> tuple[str, ...]:
        rules = Rules.make("classic", 2, {"spinner": spinners})
        return help_lines(Moment("", frozenset(Deed), rules))

    assert any(line.startswith("lr  ") for line in told("none"))
    assert not any("lrud" in line or "4U" in line for line in told("none"))
    assert "4U" not in "".join(told("first"))


def test_a_key_is_found_by_its_name_and_by_what_it_writes() -> None:
    assert act_of(KEYS, "enter") is act_of(KEYS, " ") is Act.DO
    assert act_of(KEYS, "4") is Act.TILE
    assert act_of(KEYS, "z") is None
    assert act_of(ANSWER_KEYS, "Y") is Act.YES


def test_a_row_has_the_keys_that_it_is_asked_for_in_that_order() -> None:
    assert key_row(KEYS, Act.LEAVE, Act.DO, Act.TILE, do="end") == (
        Label("q", "quit", Act.LEAVE),
        Label("Enter", "end", Act.DO),
        Label("1-9", "tile", Act.TILE),
    )
    assert [label.clicked for label in key_row(KEYS, Act.TILE, Act.END, Act.DO)] == [0, 0, 1]
    assert [label.shown for label in key_row(ANSWER_KEYS)] == ["y", "n"]
    assert [label.text for label in key_row(REPLAY_KEYS)] == [
        *("play", "on", "back", "jump", "help", "quit"),
    ]
