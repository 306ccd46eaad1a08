"""Yes and no as people write them."""

import pytest

from cli.process.answers import yes_or_no


@pytest.mark.parametrize("line", ["y", "yes", "Y", "YES", " Yes "])
def test_a_yes(line: str) -> None:
    assert yes_or_no(line) is True


@pytest.mark.parametrize("line", ["n", "no", "N", "NO", " No "])
def test_a_no(line: str) -> None:
    assert yes_or_no(line) is False


@pytest.mark.parametrize("line", ["", " ", "yess", "not", "6-4", "ja"])
def test_neither(line: str) -> None:
    assert yes_or_no(line) is None
