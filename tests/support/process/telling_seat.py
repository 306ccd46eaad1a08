"""The program with a seat that tells what it alone knows.

    python -m support.process.telling_seat join ...

It writes a line for each such thing (`Secret`) to the file that ALLFIVES_TOLD names.
"""

import os
import sys

from support.searching.told import Secret, telling

from cli.__main__ import main

if __name__ == "__main__":
    with open(os.environ["ALLFIVES_TOLD"], "a", buffering=1) as file:

        def tell(secret: Secret) -> None:
            """A line for it, there at once."""
            file.write(secret.to_line() + "\n")

        with telling(tell):
            sys.exit(main())
