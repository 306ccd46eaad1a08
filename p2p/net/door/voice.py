"""Talking while a table fills: lines are signed, each is heard once, the host passes them on."""

import time
from collections.abc import Callable, Collection

import trio

from p2p.net.door.messages import SPOKEN_MOST, Spoken
from p2p.net.link.peer import LocalPeer
from p2p.session.audience.remarks import Remarks
from p2p.wire.chat import lobby_id, make_remark, open_remark
from p2p.wire.codec import DecodeError

_TOO_LONG = "This line is too long to be sent before the match."


class Voice:
    """What one says and hears in the lobby of the table with that secret."""

    def __init__(self, own: LocalPeer, secret: bytes) -> None:
        self._own, self._place = own, lobby_id(secret)
        self._remarks = Remarks()
        # Above the number of any line of this person in this lobby before.
        self._number = int(time.time())

    def say(self, words: str) -> Spoken:
        """An own line. ValueError (one sentence) if it cannot be sent."""
        identity, name = self._own.identity, self._own.name
        remark = make_remark(identity, self._place, name, self._number, words)
        if len(remark.data) > SPOKEN_MOST:
            raise ValueError(_TOO_LONG)
        self._number += 1
        return Spoken(remark.data)

    def hear(self, spoken: Spoken, keys: Collection[bytes]) -> tuple[bytes, str] | None:
        """Who of the holders of these keys says what; None if it is not new, or one line too many.
        Raises DecodeError for what none of them has signed here."""
        remark = open_remark(spoken.data, self._place)
        if remark.key not in keys:
            raise DecodeError("a line of nobody in the lobby")
        taken = self._remarks.take(remark, trio.current_time())
        return (remark.key, remark.words) if taken else None


Say = Callable[[str], None]
"""Says a line in the lobby. ValueError (one sentence) if it cannot be sent."""


class Listener:
    """What a joiner is told on the way, beside who is there; nothing of it has to be heard."""

    def busy(self) -> None:
        """Too many try the code; it is tried again after a pause."""

    def seated(self, say: Say) -> None:
        """The lobby is there, and lines can be said in it."""

    def line(self, key: bytes, words: str) -> None:
        """Somebody there says something."""


QUIET = Listener()


class Conversation:
    """A joiner's part of what is said in one lobby; `post` sends to the host."""

    def __init__(
        self, own: LocalPeer, post: Callable[[Spoken], None], listener: Listener = QUIET
    ) -> None:
        self._own, self._post, self._listener = own, post, listener
        self._voice: Voice | None = None

    def begin(self, secret: bytes) -> None:
        """Let in at the table with that secret."""
        self._voice = Voice(self._own, secret)
        self._listener.seated(self.say)

    def say(self, words: str) -> None:
        """An own line to everybody. ValueError (one sentence) if it cannot be sent."""
        assert self._voice is not None, "a line before one was let in"
        self._post(self._voice.say(words))
        self._listener.line(self._own.identity.public, words)

    def hear(self, spoken: Spoken, keys: Collection[bytes]) -> None:
        """A line that the host passes on. Raises DecodeError for what none of these has signed."""
        assert self._voice is not None, "a line before one was let in"
        heard = self._voice.hear(spoken, keys)
        if heard is not None:
            self._listener.line(*heard)
