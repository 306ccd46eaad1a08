"""`python -m second.check FILE...`: one JSON object for each record, exit codes as section 17."""

import json
import sys
from pathlib import Path

from second.record.verdict import Verdict
from second.record.verify import check

__all__ = ["Verdict", "check"]

WORST = (2, 1, 3, 0)


def main(paths: list[str]) -> int:
    """Check each file, say what comes of it."""
    exits = []
    for path in paths:
        verdict = check(Path(path).read_bytes())
        exits.append(verdict.exit)
        print(json.dumps({"file": path, **verdict.json(), "why": verdict.why}))
    return min(exits, key=WORST.index, default=2)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
