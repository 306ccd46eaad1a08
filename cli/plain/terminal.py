"""What the terminal can do beside lines: take a text into its clipboard, and ring."""

from collections.abc import Callable
from dataclasses import dataclass

from cli.telling.phrases import bell_told


def _no_clipboard(_text: str) -> bool:
    """No such terminal."""
    return False


def _silence() -> None:
    """No such terminal."""


@dataclass
class Terminal:
    """`clipboard` takes what is copied, False: there is none; `ring` calls the person, who wants a
    `bell` or not."""

    clipboard: Callable[[str], bool] = _no_clipboard
    ring: Callable[[], None] = _silence
    bell: bool = False

    def turn(self) -> None:
        """The person's turn begins."""
        if self.bell:
            self.ring()

    def turn_bell(self) -> str:
        """On, or off if it was on; says so."""
        self.bell = not self.bell
        return bell_told(self.bell)
