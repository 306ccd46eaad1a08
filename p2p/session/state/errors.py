"""What can be wrong with a message: a provable fault, a suspicion, or that it came too early.

Our own mistakes are AssertionErrors and blame nobody.
"""

from p2p.wire.envelope import Message


class Fault(Exception):
    """Proof that `seat` broke the protocol.

    `messages` are the evidence: one signed message that the state named in it refuses, or two
    signed for one place. `what` is one clause for people, without secrets. It proves nothing about
    anybody else, nor about when or to whom the messages were sent.
    """

    def __init__(self, seat: int, what: str, messages: tuple[Message, ...] = ()) -> None:
        super().__init__(what)
        self.seat = seat
        self.what = what
        self.messages = messages


class Suspicion(Exception):
    """Bytes that nobody signed for this table: reason to close the link, proof of nothing."""


class Unsettled(Exception):
    """What only all seats together can bring about, as keys that open no deck; nobody is named."""


class NotYet(Exception):
    """A message that only a later state, or another history than ours, can judge."""
