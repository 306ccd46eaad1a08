"""The clipboard of the terminal, where it lets programs write to it."""

import base64
from typing import Final

COPIED: Final = (
    "The invite is copied, if your terminal takes that. If not: Ctrl-Z shows it whole above the "
    "shell, fg comes back here."
)


def clip(text: str) -> str:
    """What a terminal is told to take `text` into its clipboard: OSC 52 (xterm, control sequences,
    "Manipulate Selection Data"), base64 (RFC 4648) of UTF-8."""
    return f"\x1b]52;c;{base64.b64encode(text.encode()).decode()}\x1b\\"
