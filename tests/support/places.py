"""Where things of the checkout lie."""

from pathlib import Path
from typing import Final

TESTS: Final = Path(__file__).resolve().parents[1]
ROOT: Final = TESTS.parent
VECTORS: Final = TESTS / "vectors"
GOLDEN: Final = TESTS / "golden"
SUPPORT: Final = TESTS / "support"
