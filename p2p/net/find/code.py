"""Table codes: three words to say aloud, 33 bits, compared without regard to case."""

import unicodedata
from functools import cache
from importlib.resources import files

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
