"""Table codes: three words to say aloud, 33 bits, compared without regard to case."""

import unicodedata
from functools import cache
from importlib.resources import files

from engine.wording import nearest
from p2p.crypto.randomness import RandomBytes
from p2p.net.errors import BadCode

CODE_WORDS = 3
CODE_MOST = 64


@cache
def words() -> tuple[str, ...]:
    """2048 plain English words of 3 to 8 letters, so 11 bits each; read when they are needed."""
    return tuple(files("p2p.net.find").joinpath("words.txt").read_text("ascii").split())


def make_code(rng: RandomBytes) -> str:
    """A new code of three words, each from 11 of 16 random bits: "guitar-orbit-lunar"."""
    picks = [int.from_bytes(rng(2), "big") % len(words()) for _ in range(CODE_WORDS)]
    return "-".join(words()[pick] for pick in picks)


def completed(begun: str) -> str:
    """What was typed of a code, its last word written on as far as the list of words tells: to its
    end where one word begins so, else to where they part."""
    at = max(begun.rfind(mark) for mark in " -_") + 1
    typed = begun[at:].casefold()
    begins = [word for word in words() if word.startswith(typed)] if typed else []
    if not begins:
        return begun
    first, last = min(begins), max(begins)
    same = next(
        (at for at, pair in enumerate(zip(first, last, strict=False)) if len(set(pair)) > 1),
        len(first),
    )
    return begun[:at] + first[:same]


def tabbed(line: str) -> str:
    """A line in which each word with a Tab behind it is written on, for one that was typed where
    nothing does so at once."""
    *begun, last = line.split("\t")
    return "".join(f"{completed(part)} " for part in begun) + last


def strangers(code: str) -> list[str]:
    """The words of a normal code that are in no made-up one."""
    return [word for word in code.split("-") if word not in words()]


def suggested(code: str) -> str | None:
    """The made-up code that may be meant by a normal one: the only one of the same letters, or with
    the nearest in place of the one word that is in none. None where nothing else is likely: of a
    code that a host has made up, words that are near mean nothing."""
    parts, strange = code.split("-"), strangers(code)
    fitting = _cut("".join(parts), CODE_WORDS) if strange else []
    if len(fitting) == 1:
        return "-".join(fitting[0])
    if len(parts) != CODE_WORDS or len(strange) != 1:
        return None
    near = nearest(strange[0], words())
    return None if near is None else "-".join(near if one in strange else one for one in parts)


def _cut(letters: str, count: int) -> list[tuple[str, ...]]:
    """All ways to read letters as so many words."""
    if not count:
        return [] if letters else [()]
    begins = [word for word in words() if letters.startswith(word)]
    return [(word, *rest) for word in begins for rest in _cut(letters[len(word) :], count - 1)]


def normal_code(text: str) -> str:
    """The form in which two codes are compared: case folded, words joined by single hyphens.

    Spaces, hyphens and underscores separate words. Raises BadCode for no words, or for more than
    64 characters, or for characters other than letters and digits.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    parts = folded.replace("-", " ").replace("_", " ").split()
    code = "-".join(parts)
    if not parts or len(code) > CODE_MOST or not all(part.isalnum() for part in parts):
        raise BadCode
    return code
