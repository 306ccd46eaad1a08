"""Answers to a question of yes or no, in every form in which people write them."""

from typing import Final

_WORDS: Final = {"y": True, "yes": True, "n": False, "no": False}


def yes_or_no(line: str) -> bool | None:
    """What a line answers; None: neither, as an empty one."""
    return _WORDS.get(line.strip().lower())
