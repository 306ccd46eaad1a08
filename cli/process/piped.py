"""What is typed for standard input."""

from typing import Final

PIPED: Final = "-"
"""In place of a record file: its bytes; of a code, an invite or a match: the first line."""
