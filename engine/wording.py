"""Words for a sentence: lists, and foreign text in quotes, without control characters, cut when
long.
"""

from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches
from typing import Final

_LONGEST: Final = 40
# What people call an option of another name that no likeness leads to.
_ALSO_CALLED: Final = {"clock": "turn-seconds", "turn-clock": "turn-seconds"}


def listed(words: Sequence[str], last: str = "and") -> str:
    """ "Ana", "Ana and Ben", "Ana, Ben and Cleo"; "" for none."""
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that somebody who typed `word` may have meant; None: none is near."""
    known = list(known)
    if _ALSO_CALLED.get(word) in known:
        return _ALSO_CALLED[word]
    return next(iter(get_close_matches(word.casefold(), known, 1)), None)


def allowed(word: str, known: Collection[str], further: Collection[str] = ()) -> str:
    """A clause on what may stand in place of `word`, the nearest first: "allowed is a, b", or
    "did you mean 'a'? Allowed is a, b". What is `further` taken is named only where it is near."""
    near, all_of_them = nearest(word, [*known, *further]), ", ".join(known)
    if near is None:
        return f"allowed is {all_of_them}"
    return f"did you mean {quoted(near)}? Allowed is {all_of_them}"


def sentence(refusal: Exception) -> str:
    """What refused somebody's wish, a clause, as a sentence."""
    text = str(refusal)
    return f"{text[:1].upper()}{text[1:]}."


def quoted(text: str) -> str:
    """Text in ASCII alone: letters and digits that look like others are spelled out."""
    return ascii(_cut(text))


def quoted_name(name: str) -> str:
    """A name, letters of all languages as they are; what is not printable or changes the
    direction of writing is spelled out."""
    return repr(_cut(name))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."
