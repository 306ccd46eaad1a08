"""How long a test waits for what is bound to come."""

from typing import Final

# Stops a test that would hang. Nothing is measured by it: a busy machine takes seconds over what an
# idle one does at once.
HANG_SECONDS: Final = 120.0
