"""libsodium as `rbcl` brings it, loaded so that no file of it stays behind.

Whenever rbcl 1.1.2 is imported it writes the library, 2.8 MB, to a `tempfile.NamedTemporaryFile`
of its own, loads it from there and leaves the file (rbcl/_sodium.py). So here the file is one in
memory where the system has such files (Linux), which needs no folder and ends with its process;
elsewhere, and where such a file may not be run, it lies in a folder that goes right after the
import. What has been loaded stays mapped without its file.

Not for others: p2p/crypto/group.py says what of it may be used, and how; of what rbcl has but does
not pass on, p2p/crypto/identity.py uses two functions.
"""

import ctypes
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import SimpleNamespace
from typing import Any

from p2p.crypto.errors import LibraryUnusable


def _load() -> Any:
    """`rbcl`, ready for use. Raises LibraryUnusable with the reason why not even a folder helps."""
    # Python has no such call where it was built for old systems.
    if hasattr(os, "memfd_create"):
        with suppress(OSError):
            return _from_memory()
    try:
        return _from_folder()
    except OSError as error:
        raise LibraryUnusable(
            f"The library libsodium cannot be loaded: {error.strerror or error}. "
            "Let TMPDIR name a folder that can be written and that programs may be run from."
        ) from error


def _from_memory() -> Any:
    handle = os.memfd_create("libsodium")
    try:
        with _named(f"/proc/self/fd/{handle}"):
            return _imported()
    finally:
        os.close(handle)


@contextmanager
def _named(path: str) -> Iterator[None]:
    """In this block a temporary file is the one of that name, which is there already."""
    module: Any = tempfile
    usual = module.NamedTemporaryFile
    module.NamedTemporaryFile = lambda **_options: SimpleNamespace(name=path)
    try:
        yield
    finally:
        module.NamedTemporaryFile = usual


def _from_folder() -> Any:
    usual = tempfile.tempdir
    # Windows removes no library that is loaded.
    with tempfile.TemporaryDirectory(prefix="allfives-", ignore_cleanup_errors=True) as folder:
        tempfile.tempdir = folder
        try:
            return _imported()
        finally:
            tempfile.tempdir = usual


def _imported() -> Any:
    import rbcl

    return rbcl


rbcl = _load()


def _function(name: str, *types: Any) -> Callable[..., int] | None:
    """A function of libsodium that takes these and gives a number, which a later rbcl may hide
    better or leave out."""
    try:
        function = rbcl._sodium[name]
    except AttributeError:
        return None
    function.argtypes, function.restype = types, ctypes.c_int
    checked: Callable[..., int] = function
    return checked


_BYTES = ctypes.c_char_p
ed25519_multiply = _function("crypto_scalarmult_ed25519_noclamp", _BYTES, _BYTES, _BYTES)
"""Takes 32 bytes for the product, a scalar and a point of edwards25519; 0 says that it is there.

None if this libsodium cannot be asked.
"""
ed25519_verify_detached = _function(
    "crypto_sign_ed25519_verify_detached", _BYTES, _BYTES, ctypes.c_ulonglong, _BYTES
)
"""Takes 64 bytes of signature, a message and its length, 32 bytes of public key; 0 says it holds.

None if this libsodium cannot be asked.
"""
