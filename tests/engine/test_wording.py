"""Lists read as sentences; what is quoted stays in its quotes, and stays short."""

import pytest

from engine.wording import listed, quoted, quoted_name


@pytest.mark.parametrize(
    ("text", "ascii_alone", "as_a_name"),
    [
        ("6-4", "'6-4'", "'6-4'"),
        ("J\u00fcrgen", r"'J\xfcrgen'", "'J\u00fcrgen'"),
        ("\u0666", r"'\u0666'", "'\u0666'"),
        ("\x1b[2J", r"'\x1b[2J'", r"'\x1b[2J'"),
        ("a\u202eb", r"'a\u202eb'", r"'a\u202eb'"),
        ("x" * 40, f"'{'x' * 40}'", f"'{'x' * 40}'"),
        ("x" * 41, f"'{'x' * 40}...'", f"'{'x' * 40}...'"),
    ],
)
def test_quoting(text: str, ascii_alone: str, as_a_name: str) -> None:
    assert quoted(text) == ascii_alone
    assert quoted_name(text) == as_a_name


def test_listing() -> None:
    assert [listed(words) for words in ([], ["A"], ["A", "B"], ["A", "B", "C"])] == [
        "",
        "A",
        "A and B",
        "A, B and C",
    ]
    assert listed(("A", "B", "C"), "or") == "A, B or C"
