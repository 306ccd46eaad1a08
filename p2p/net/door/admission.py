"""The host's side of joining up to the proof: which door a stranger came to, and what it knows."""

import trio

from p2p.net.door.backoff import Backoff
from p2p.net.door.messages import Confirm, Spake
from p2p.net.door.offer import TableOffer
from p2p.net.door.spake import MESSAGE_BYTES, Exchange, Tags, same_tag
from p2p.net.errors import LinkBroken
from p2p.net.find.code import normal_code
from p2p.net.link.greeting import JoinOpening
from p2p.net.link.message import read, whole
from p2p.net.link.peer import LocalPeer
from p2p.net.link.reception import Stranger
from p2p.wire import codec

# Joiners who may wait for their try of the code.
QUEUE_MOST = 8


class Turned(Exception):
    """The stranger is to be told no, with this word of errors.REFUSALS."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


def code_password(code: str) -> bytes:
    """The SPAKE2 password of a code, however it is written. Raises BadCode."""
    return b"code\0" + normal_code(code).encode()


def invite_password(secret: bytes) -> bytes:
    """The SPAKE2 password of an invite's secret."""
    return b"invite\0" + secret


class Admission:
    """Proves strangers. One run on the code at a time, slowed after wrong ones; invites freely."""

    def __init__(self, host: LocalPeer, offer: TableOffer) -> None:
        """Raises BadCode."""
        self._host = host
        self._code = None if offer.code is None else code_password(offer.code)
        self._invite = invite_password(offer.invite_secret)
        self._backoff = Backoff()
        self._turn = trio.Lock()

    async def prove(self, stranger: Stranger, opening: JoinOpening) -> None:
        """Return once the stranger has proven what this table asks. Raises Turned, LinkBroken."""
        if opening.way == "open":
            if self._code is not None:
                raise Turned("need-code")
            await _confirm(stranger, Tags(b"", b""))
        elif opening.way == "invite":
            await self._run(stranger, opening, self._invite)
        elif self._code is None:
            raise Turned("no-code")
        else:
            await self._run_slowly(stranger, opening, self._code)

    async def _run_slowly(self, stranger: Stranger, opening: JoinOpening, password: bytes) -> None:
        if self._turn.statistics().tasks_waiting >= QUEUE_MOST:
            raise Turned("busy")
        # The line is short by itself; strangers who only come must push nobody out of it.
        stranger.proven()
        async with self._turn:
            await trio.sleep(self._backoff.wait(trio.current_time()))
            proven = False
            try:
                await self._run(stranger, opening, password)
                proven = True
            finally:
                # Also a run that was broken off has told the other side nothing but used a try.
                if not proven:
                    self._backoff.wrong(trio.current_time())

    async def _run(self, stranger: Stranger, opening: JoinOpening, password: bytes) -> None:
        if len(opening.spake) != MESSAGE_BYTES:
            raise LinkBroken("it sent a SPAKE2 message of another length")
        exchange = await Exchange.begin(
            joiner=False,
            password=password,
            joiner_key=opening.key,
            host_key=self._host.identity.public,
            rng=self._host.rng,
        )
        tags = await exchange.finish(opening.spake, stranger.nonce)
        await stranger.link.tell(*whole(Spake(exchange.message)))
        await _confirm(stranger, tags)


async def _confirm(stranger: Stranger, tags: Tags) -> None:
    """The joiner shows its tag first; until then nothing was sent that depends on the key."""
    said = read(await stranger.link.hear(codec.STRANGER), Confirm)
    if not same_tag(tags.joiner, said.tag):
        raise Turned("code")
    await stranger.link.tell(*whole(Confirm(tags.host)))
