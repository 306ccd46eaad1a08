"""The host's side of joining up to the proof: which door a stranger came to, and what it knows."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from p2p.net.door.line import Line, OutOfLine
from p2p.net.door.messages import Confirm, Spake
from p2p.net.door.offer import TableOffer
from p2p.net.door.spake import MESSAGE_BYTES, Exchange, Tags, same_tag
from p2p.net.door.watch import OnTrouble, Watch
from p2p.net.errors import LinkBroken, LinkSilent
from p2p.net.find.code import normal_code
from p2p.net.link.greeting import JoinOpening, WatchOpening
from p2p.net.link.link import STAGE_SECONDS
from p2p.net.link.message import read, whole
from p2p.net.link.peer import LocalPeer
from p2p.net.link.reception import Stranger
from p2p.wire import codec

# For the tag of a run on the code, beyond what the connection's handshake took: others wait.
TAG_SECONDS = 1.0
# Each costs some milliseconds of a processor.
INVITES_A_SOURCE = 4


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
    """Proves strangers. Runs on the code go through a line, those on the invite round it.

    `on_trouble` gets a sentence for the host when the code is tried in vain or by too many.
    """

    def __init__(self, host: LocalPeer, offer: TableOffer, on_trouble: OnTrouble) -> None:
        """Raises BadCode."""
        self._host = host
        self._code = None if offer.code is None else code_password(offer.code)
        self._invite = invite_password(offer.invite_secret)
        self._line = Line(host.rng, Watch(on_trouble))
        self._invited: Counter[str] = Counter()

    async def prove(self, stranger: Stranger, opening: JoinOpening) -> None:
        """Return once the stranger has proven what this table asks. Raises Turned, LinkBroken."""
        if opening.way == "open":
            if self._code is not None:
                raise Turned("need-code")
            await _confirm(stranger, Tags(b"", b""))
        elif opening.way == "invite":
            with self._few(stranger.source):
                await self._run(stranger, opening, self._invite, STAGE_SECONDS)
        elif self._code is None:
            raise Turned("no-code")
        else:
            await self._run_in_line(stranger, opening, self._code)

    @contextmanager
    def _few(self, source: str) -> Iterator[None]:
        if self._invited[source] >= INVITES_A_SOURCE:
            raise Turned("busy")
        self._invited[source] += 1
        try:
            yield
        finally:
            self._invited[source] -= 1
            if not self._invited[source]:
                del self._invited[source]

    async def _run_in_line(self, stranger: Stranger, opening: JoinOpening, password: bytes) -> None:
        # The line is short by itself; strangers who only come must push nobody out of it.
        stranger.proven()
        try:
            # Who comes to look on is proven in a match alone.
            in_lobby = not isinstance(opening, WatchOpening)
            async with self._line.turn(stranger.source, in_lobby):
                await self._run(stranger, opening, password, TAG_SECONDS + stranger.handshake)
        except (OutOfLine, LinkSilent):
            # Who reads the answer slowly, or not at all, is one of many again.
            stranger.unproven()
            raise Turned("busy") from None

    async def _run(
        self, stranger: Stranger, opening: JoinOpening, password: bytes, seconds: float
    ) -> None:
        """One run of SPAKE2, with so many seconds for the joiner's tag."""
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
        await _confirm(stranger, tags, seconds)


async def _confirm(stranger: Stranger, tags: Tags, seconds: float = STAGE_SECONDS) -> None:
    """The joiner shows its tag first; until then nothing was sent that depends on the key."""
    said = read(await stranger.link.hear(codec.STRANGER, seconds), Confirm)
    if not same_tag(tags.joiner, said.tag):
        raise Turned("code")
    await stranger.link.tell(*whole(Confirm(tags.host)))
