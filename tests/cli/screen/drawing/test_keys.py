"""The key table: no key means two things, and help and bottom row are made of it."""

from collections import Counter

import pytest

from cli.screen.drawing.keys import KEYS, REPLAY_KEYS, Act, Mode, help_lines, key_row


def test_no_key_means_two_things() -> None:
    for keys in (KEYS, REPLAY_KEYS):
        assert max(Counter(name for key in keys for name in key.keys).values()) == 1


def test_every_act_has_a_key_and_the_help_tells_it() -> None:
    assert {key.act for key in (*KEYS, *REPLAY_KEYS)} == set(Act)
    told = "\n".join(help_lines())
    for key in KEYS:
        assert not key.does or (key.shown in told and key.does in told)
    silent = {key.act for key in KEYS if not key.does}
    # One line tells of all four arrows.
    assert silent == {Act.PREVIOUS_TILE, Act.NEXT_END, Act.PREVIOUS_END}


@pytest.mark.parametrize("mode", Mode)
def test_the_bottom_row_fits_the_narrowest_screen_but_for_what_others_tell(mode: Mode) -> None:
    row = [one for one in key_row(mode) if one[2] not in (Act.TILE, Act.END)]
    assert row
    assert sum(len(shown) + len(label) + 3 for shown, label, _ in row) + 1 <= 60


def test_a_question_has_its_answers_in_the_bottom_row() -> None:
    assert [shown for shown, _, _ in key_row(Mode.QUESTION)] == ["y", "n"]
    assert Act.BACK in [act for _, _, act in key_row(Mode.TYPING)]
