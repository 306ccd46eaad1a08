"""The menu of bare `allfives` on a terminal, in plain lines."""

from collections.abc import Callable
from typing import Final

_MENU: Final = """All Fives
  1  play   against a bot on this machine
  2  host   open a table for others
  3  join   sit down at somebody's table
  4  help
  5  quit"""


def choose(
    ask: Callable[[str], str] = input, show: Callable[[str], None] = print
) -> list[str] | None:
    """The command line that the person chose, or None to leave."""
    show(_MENU)
    while True:
        try:
            answer = ask("Your choice: ").strip().lower()
        except EOFError:
            return None
        match answer:
            case "1" | "play":
                return ["play"]
            case "2" | "host":
                return ["host"]
            case "3" | "join":
                return _join(ask)
            case "4" | "help":
                return ["--help"]
            case "5" | "quit" | "q":
                return None
        show("Type a number from 1 to 5, or the word beside it.")


def _join(ask: Callable[[str], str]) -> list[str] | None:
    """What to join is read here, and not an option; an empty answer looks round on the LAN."""
    try:
        words = ask("Code, invite, or address and code (Enter: look on the LAN): ").split()
    except EOFError:
        return None
    return ["join", *words[:2]] if not any(word.startswith("-") for word in words) else ["join"]
