"""Table codes: three words to say aloud, 33 bits, compared without regard to case."""

import unicodedata

from p2p.crypto.randomness import RandomBytes
from p2p.net.errors import BadCode
from p2p.net.find.words import WORDS

CODE_WORDS = 3
CODE_MOST = 64


def make_code(rng: RandomBytes) -> str:
    """A new code of three words, each from 11 of 16 random bits: "guitar-orbit-lunar"."""
    picks = [int.from_bytes(rng(2), "big") % len(WORDS) for _ in range(CODE_WORDS)]
    return "-".join(WORDS[pick] for pick in picks)


def normal_code(text: str) -> str:
    """The form in which two codes are compared: case folded, words joined by single hyphens.

    Spaces, hyphens and underscores separate words. Raises BadCode for no words, or for more than
    64 characters, or for characters other than letters and digits.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    words = folded.replace("-", " ").replace("_", " ").split()
    code = "-".join(words)
    if not words or len(code) > CODE_MOST or not all(word.isalnum() for word in words):
        raise BadCode
    return code
