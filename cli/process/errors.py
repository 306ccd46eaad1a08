"""How a command stops short: one or two sentences for the person, and an exit code."""

from typing import Final

DONE: Final = 0
FAILED: Final = 1
WRONG_USAGE: Final = 2
NOT_CLOSED: Final = 3
"""Of `verify`: decided and without fault, but not signed by all who stayed."""


class Stop(Exception):
    """Ends the command with `sentence` on standard error and the exit code `code`."""

    def __init__(self, sentence: str, code: int = FAILED) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.code = code


def usage(sentence: str) -> Stop:
    """A `Stop` for what was typed: exit code 2."""
    return Stop(sentence, WRONG_USAGE)
