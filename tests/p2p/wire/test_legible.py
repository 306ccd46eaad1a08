"""Names and lines that can be seen."""

import pytest

from p2p.wire.legible import MARKS_MOST, fault_of


@pytest.mark.parametrize("text", ["Ana", "7", "¿qué?", "안녕", "नमस्ते", "ภาษาไทยที่นี่", "e\u0301" * 9])
def test_what_people_write_is_taken(text: str) -> None:
    assert fault_of(text) is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "a letter or a digit"),
        ("...", "a letter or a digit"),
        ("\u2800", "a letter or a digit"),
        ("\u3164", "a letter or a digit"),
        ("\u115f\u1160\uffa0", "a letter or a digit"),
        ("a\x07", "printable"),
        ("a\u200b", "printable"),
        ("a" + "\u0301" * (MARKS_MOST + 1), "at most 4 marks"),
        ("a" + "\u0301" * 250, "at most 4 marks"),
    ],
)
def test_what_shows_nothing_or_draws_over_others_is_not(text: str, why: str) -> None:
    fault = fault_of(text)
    assert fault is not None
    assert why in fault


def test_marks_are_counted_by_letter() -> None:
    assert fault_of(("a" + "\u0301" * MARKS_MOST) * 50) is None
