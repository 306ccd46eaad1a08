"""A process that has no file handles left."""

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_MORE = 40


@contextmanager
def no_handles() -> Iterator[None]:
    """In the block every handle that this process may have is in use."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    taken: list[int] = []
    highest = max(int(name) for name in os.listdir("/dev/fd"))
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(highest + _MORE, soft), hard))
    try:
        with suppress(OSError):
            while True:
                taken.append(os.open(os.devnull, os.O_RDONLY))
        yield
    finally:
        for handle in taken:
            os.close(handle)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
