"""A code that is being written: its words written on, and which ones may be meant."""

from typing import Final

from p2p.net.find.code import completed, words

_TOLD_WORDS: Final = 8


def written_on(text: str) -> tuple[str, str]:
    """What was typed of a code with its last word written on, a space behind it where no other word
    begins so; and which words do, else, in a sentence."""
    begun = text.replace("-", " ").replace("_", " ").rpartition(" ")[2].casefold()
    if not begun:
        return text, ""
    possible = [word for word in words() if word.startswith(begun)]
    match len(possible):
        case 0:
            return text, "No word of the list begins so; a host may have made up another one."
        case 1:
            return f"{completed(text)} ", ""
        case count if count > _TOLD_WORDS:
            return completed(text), f"{count} words begin so; type another letter."
    return completed(text), f"Words that begin so: {', '.join(sorted(possible))}."
