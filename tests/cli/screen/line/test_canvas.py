"""The canvas: what is outside or no character is left out; wide characters stay whole."""

import pytest
import wcwidth
from hypothesis import given
from hypothesis import strategies as st

from cli.screen.line.canvas import (
    Canvas,
    beginning,
    cells,
    cut,
    end_of,
    latest,
    steady,
    wrapped,
)

WIDE = "龍한e\u0301\u200d🇩🇪 ab"
texts = st.text(st.sampled_from(WIDE))


def drawn(text: str, width: int = 20, x: int = 0) -> str:
    canvas = Canvas(width, 1)
    canvas.put(x, 0, text)
    return canvas.frame().text.removesuffix("\n")


def test_letters_with_marks_and_wide_characters_stand_in_their_cells() -> None:
    assert drawn("q\u0301a龍b") == "q\u0301a龍b"
    assert cells("q\u0301a龍b") == 5


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Jo \U0001f1e9\U0001f1ea", "Jo "),  # a flag
        ("\U0001f44d\U0001f3fd!", "\U0001f44d!"),  # the tone of a skin
        ("\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f468"),  # a family
        ("\u2764\ufe0f", "\u2764"),  # a letter that is to be a picture
        ("1\ufe0f\u20e3", "1"),  # a key
        ("\u0c24\u0c46\u0c32\u0c41\u0c17\u0c41", "\u0c24\u0c46\u0c32\u0c17"),  # Telugu
        (  # Devanagari: the last cluster has a mark that spaces in some terminals
            "\u0915\u094d\u0937\u0924\u094d\u0930\u093f\u092f",
            "\u0915\u094d\u0937\u0924\u094d\u0930\u092f",
        ),
        ("\u05e9\u05dc\u05d5\u05dd", "\u05e9\u05dc\u05d5\u05dd"),  # Hebrew
        ("\ud55c\uae00 \u1112\u1161\u11ab", "\ud55c\uae00 \ud55c"),  # Hangul, also in parts
        ("e\u0301", "\u00e9"),
        ("q\u0301", "q\u0301"),
    ],
)
def test_what_terminals_draw_in_different_widths_is_taken_out(text: str, shown: str) -> None:
    assert steady(text) == drawn(text + ".").removesuffix(".") == shown
    assert cells(text) == cells(shown) == sum(max(0, wcwidth.wcwidth(char)) for char in shown)
    assert cut(text, 20) == wrapped(text, 20)[0].ljust(len(shown)) == shown


def test_of_a_text_that_is_too_long_the_end_is_shown() -> None:
    assert end_of("abcdef", 6) == "abcdef"
    assert end_of("abcdef", 4) == "<def"
    assert end_of("ab\u9f8d\u9f8d", 4) == "<\u9f8d"


@pytest.mark.parametrize("text", ["a\x1b[31mb", "a\x07b", "ab\x07", "a\x7fb", "ab\x9b"])
def test_what_would_command_the_terminal_is_left_out(text: str) -> None:
    assert drawn(text) == "ab"
    assert cells(text) == 2


def test_of_a_log_the_last_lines_stand_that_are_there_whole() -> None:
    log = ("Ben plays 6-4 on R: 3 + 4 = 7, no points.", "Ben passes.", "You play 4-4 on R: 8, no.")
    every = [row for line in log for row in wrapped(line, 20)]
    for count in range(2, 8):
        rows = latest(log, 20, count)
        assert 2 <= len(rows) <= count
        assert rows == every[-len(rows) :]
        assert rows[0] in {wrapped(line, 20)[0] for line in log}
    assert latest(log, 20, 1) == ["You play 4-4 on R:~"]
    assert latest(log, 20, 0) == latest((), 20, 3) == []


def test_of_a_line_that_is_too_long_by_itself_its_beginning_stands_and_says_so() -> None:
    assert beginning("Ben: one two three four", 9, 4) == wrapped("Ben: one two three four", 9)
    assert beginning("Ben: one two three four", 9, 2) == ["Ben: one", "two thre~"]
    assert beginning("x" * 30, 9, 1) == ["xxxxxxxx~"]


def test_what_is_outside_is_cut_off() -> None:
    assert drawn("abc", width=2) == "ab"
    assert drawn("a龍", width=2) == "a"
    assert drawn("abc", x=-1) == ""


@given(texts, st.integers(1, 12))
def test_a_cut_text_fits_and_says_that_it_was_cut(text: str, room: int) -> None:
    short = cut(text, room)
    assert cells(short) <= room
    assert short == steady(text) or short.endswith("~")


@given(texts, st.integers(2, 30))
def test_wrapped_rows_fit_and_lose_nothing(text: str, width: int) -> None:
    rows = wrapped(text, width)
    assert rows
    assert all(cells(row) <= width for row in rows)
    assert "".join("".join(rows).split()) == "".join(steady(text).split())


def test_a_long_word_begins_in_a_row_of_its_own() -> None:
    assert wrapped("join " + "x" * 25, 12) == ["join", "  xxxxxxxxxx", "  xxxxxxxxxx", "  xxxxx"]


def test_there_is_a_row_for_an_empty_text() -> None:
    assert wrapped("", 10) == [""]
