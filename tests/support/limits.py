"""How long a test waits for what is bound to come."""

import os
from typing import Final

# Stops a test that would hang. Nothing is measured by it: a busy machine takes seconds over what an
# idle one does at once. Where a check is removed on purpose less will do: things may hang there.
HANG_SECONDS: Final = float(os.environ.get("ALLFIVES_HANG_SECONDS", "120"))
