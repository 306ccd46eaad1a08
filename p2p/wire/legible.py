"""What people write: names and lines of chat that can be seen, and told apart from nothing."""

import unicodedata

# Combining marks behind one another: scripts that are read need fewer, and more draw over the
# lines above and below.
MARKS_MOST = 4
# Letters by Unicode's count that show nothing (Unicode 15, DerivedCoreProperties, the
# Default_Ignorable_Code_Point of category Lo).
_FILLERS = frozenset("\u115f\u1160\u3164\uffa0")


def fault_of(text: str) -> str | None:
    """What is wrong with a name or line of printable characters, as a clause; None for nothing."""
    if not text.isprintable():
        return "only printable characters are shown"
    if not any(_is_seen(one) for one in text):
        return "there must be a letter or a digit in it"
    marks = 0
    for one in text:
        marks = marks + 1 if unicodedata.category(one).startswith("M") else 0
        if marks > MARKS_MOST:
            return f"a letter carries at most {MARKS_MOST} marks"
    return None


def _is_seen(one: str) -> bool:
    return one.isalnum() and one not in _FILLERS
