"""Where random bytes come from, and how many make a public nonce."""

from collections.abc import Callable

NONCE_BYTES = 32
"""Of a nonce that peers are told: a connection's, a person's for a table."""

RandomBytes = Callable[[int], bytes]
"""A source of n random bytes: `os.urandom` in production, seeded in tests."""
