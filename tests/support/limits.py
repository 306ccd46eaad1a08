"""How long a test waits for what is bound to come, and how much it tries."""

import os
from typing import Final

# Stops a test that would hang. Nothing is measured by it: a busy machine takes seconds over what an
# idle one does at once. Where a check is removed on purpose less will do: things may hang there.
HANG_SECONDS: Final = float(os.environ.get("ALLFIVES_HANG_SECONDS", "120"))

# Long runs try everything; else a sample of what is much alike.
FULL: Final = os.environ.get("ALLFIVES_FULL") == "1"


def seats(*few: int, full: tuple[int, ...] = (2, 3, 4)) -> tuple[int, ...]:
    """The numbers of players that something is tried with: these few, in a full run `full`."""
    return full if FULL else few
