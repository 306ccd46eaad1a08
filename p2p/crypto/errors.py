"""What the cryptographic layer raises.

`DecodingError` and `ProofError` speak about bytes that came from outside; the caller knows from
whom. `Misuse` is our own mistake and blames nobody, `LibraryUnusable` is the machine's matter.
No message ever holds a secret.
"""


class DecodingError(ValueError):
    """Bytes that are not the encoding of a point, a scalar or a proof."""


class ProofError(ValueError):
    """A well-formed proof that does not hold for its statement."""


class Misuse(AssertionError):
    """The calling code broke a rule of this layer: a bug of this program, nobody's fault."""


class LibraryUnusable(Exception):
    """This machine cannot load the library; the text is two sentences for the person."""
