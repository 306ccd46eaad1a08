"""The canvas: what is outside or no character is left out; wide characters stay whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.screen.line.canvas import Canvas, cells, cut, wrapped

WIDE = "龍한e\u0301\u200d🇩🇪 ab"
texts = st.text(st.sampled_from(WIDE))


def drawn(text: str, width: int = 20, x: int = 0) -> str:
    canvas = Canvas(width, 1)
    canvas.put(x, 0, text)
    return canvas.frame().text.removesuffix("\n")


def test_letters_with_marks_and_wide_characters_stand_in_their_cells() -> None:
    assert drawn("e\u0301a龍b") == "e\u0301a龍b"
    assert cells("e\u0301a龍b") == 5


@pytest.mark.parametrize("text", ["a\x1b[31mb", "a\x07b", "ab\x07", "a\x7fb", "ab\x9b"])
def test_what_would_command_the_terminal_is_left_out(text: str) -> None:
    assert drawn(text) == "ab"
    assert cells(text) == 2


def test_what_is_outside_is_cut_off() -> None:
    assert drawn("abc", width=2) == "ab"
    assert drawn("a龍", width=2) == "a"
    assert drawn("abc", x=-1) == ""


@given(texts, st.integers(1, 12))
def test_a_cut_text_fits_and_says_that_it_was_cut(text: str, room: int) -> None:
    short = cut(text, room)
    assert cells(short) <= room
    assert short == text or short.endswith("~")


@given(texts, st.integers(2, 30))
def test_wrapped_rows_fit_and_lose_nothing(text: str, width: int) -> None:
    rows = wrapped(text, width)
    assert rows
    assert all(cells(row) <= width for row in rows)
    assert "".join("".join(rows).split()) == "".join(text.split())


def test_a_long_word_begins_in_a_row_of_its_own() -> None:
    assert wrapped("join " + "x" * 25, 12) == ["join", "  xxxxxxxxxx", "  xxxxxxxxxx", "  xxxxx"]


def test_there_is_a_row_for_an_empty_text() -> None:
    assert wrapped("", 10) == [""]
