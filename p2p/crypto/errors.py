"""What the cryptographic layer raises.

`DecodeError` and `ProofError` speak about bytes that came from outside; the caller knows from
whom. `Misuse` is our own mistake and blames nobody, `LibraryUnusable` is the machine's matter.
No message ever holds a secret.
"""


class DecodeError(ValueError):
    """Received bytes or values that are not what they must be; the text is one clause.

    One class for points, scalars and proofs here and for all that is read above, so that who
    catches it cannot forget a kind.
    """


class ProofError(ValueError):
    """A well-formed proof that does not hold for its statement."""


class Misuse(AssertionError):
    """The calling code broke a rule of this layer: a bug of this program, nobody's fault."""


class LibraryUnusable(Exception):
    """This machine cannot load the library; the text is two sentences for the person."""
