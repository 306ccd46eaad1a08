"""The host's side of joining up to the proof: which door a stranger came to, and what it knows."""

from dataclasses import dataclass, field

import trio

from p2p.crypto.randomness import RandomBytes
from p2p.net.door.pace import Pace
from p2p.net.door.spake import MESSAGE_BYTES, Exchange, Tags, same_tag
from p2p.net.errors import LinkBroken
from p2p.net.link.greeting import JoinOpening
from p2p.net.link.reception import Stranger
from p2p.wire import codec

# Joiners who may wait for their try of the code.
QUEUE_MOST = 8


class Turned(Exception):
    """The stranger is to be told no, with this word of errors.REFUSALS."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


@dataclass(frozen=True)
class Entrance:
    """What lets people in. `code` is in its normal form, None at an open table."""

    host_key: bytes
    code: str | None = field(repr=False)
    invite_secret: bytes = field(repr=False)
    rng: RandomBytes = field(repr=False)


def code_password(code: str) -> bytes:
    """The SPAKE2 password of a code in its normal form."""
    return b"code\0" + code.encode()


def invite_password(secret: bytes) -> bytes:
    """The SPAKE2 password of an invite's secret."""
    return b"invite\0" + secret


class Admission:
    """Proves strangers. One run on the code at a time, slowed after wrong ones; invites freely."""

    def __init__(self, entrance: Entrance) -> None:
        self._entrance = entrance
        self._pace = Pace()
        self._turn = trio.Lock()

    async def prove(self, stranger: Stranger, opening: JoinOpening) -> None:
        """Return once the stranger has proven what this table asks. Raises Turned, LinkBroken."""
        code = self._entrance.code
        if opening.way == "open":
            if code is not None:
                raise Turned("need-code")
            await _expect_confirm(stranger, b"")
            await stranger.link.tell("confirm", b"")
        elif opening.way == "invite":
            await self._run(stranger, opening, invite_password(self._entrance.invite_secret))
        elif code is None:
            raise Turned("no-code")
        else:
            await self._run_slowly(stranger, opening, code_password(code))

    async def _run_slowly(self, stranger: Stranger, opening: JoinOpening, password: bytes) -> None:
        if self._turn.statistics().tasks_waiting >= QUEUE_MOST:
            raise Turned("busy")
        # The line is short by itself; strangers who only come must push nobody out of it.
        stranger.proven()
        async with self._turn:
            await trio.sleep(self._pace.wait(trio.current_time()))
            proven = False
            try:
                await self._run(stranger, opening, password)
                proven = True
            finally:
                # Also a run that was broken off has told the other side nothing but used a try.
                if not proven:
                    self._pace.wrong(trio.current_time())

    async def _run(self, stranger: Stranger, opening: JoinOpening, password: bytes) -> None:
        if len(opening.spake) != MESSAGE_BYTES:
            raise LinkBroken("it sent a SPAKE2 message of another length")
        exchange = await Exchange.begin(
            joiner=False,
            password=password,
            joiner_key=opening.key,
            host_key=self._entrance.host_key,
            rng=self._entrance.rng,
        )
        tags = await exchange.finish(opening.spake, stranger.nonce)
        await stranger.link.tell("spake", exchange.message)
        await self._confirm(stranger, tags)

    async def _confirm(self, stranger: Stranger, tags: Tags) -> None:
        """The joiner shows its tag first; until then nothing was sent that depends on the key."""
        await _expect_confirm(stranger, tags.joiner)
        await stranger.link.tell("confirm", tags.host)


async def _expect_confirm(stranger: Stranger, tag: bytes) -> None:
    word, received = codec.fields(await stranger.link.hear(codec.STRANGER), str, bytes)
    if word != "confirm":
        raise LinkBroken("it sent something else than its confirmation")
    if not same_tag(tag, received):
        raise Turned("code")
