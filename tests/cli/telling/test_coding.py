"""What Tab makes of a code that is being written."""

import pytest

from cli.telling.coding import written_on
from p2p.net.find.code import words


@pytest.mark.parametrize(
    ("typed", "text"),
    [("guit", "guitar "), ("Cable dollar guit", "Cable dollar guitar "), ("a-guit", "a-guitar ")],
)
def test_a_word_that_is_found_is_written_to_its_end_with_a_space_behind_it(
    typed: str, text: str
) -> None:
    assert written_on(typed) == (text, "")


def test_of_several_words_their_common_part_is_written_and_they_are_told() -> None:
    word = next(
        one for one in words() if sum(w.startswith(one[:4]) for w in words()) in range(2, 9)
    )
    possible = [one for one in words() if one.startswith(word[:4])]
    text, told = written_on(f"lunar {word[:4]}")
    assert all(one.startswith(text.removeprefix("lunar ")) for one in possible)
    assert text == text.rstrip()
    assert all(one in told for one in possible)


def test_of_many_words_their_number_is_told() -> None:
    count = sum(word.startswith("s") for word in words())
    assert written_on("s") == ("s", f"{count} words begin so; type another letter.")


def test_where_no_word_begins_so_nothing_is_written() -> None:
    text, told = written_on("lunar zzz")
    assert text == "lunar zzz"
    assert told.startswith("No word of the list begins so")
    assert written_on("lunar ") == ("lunar ", "")
