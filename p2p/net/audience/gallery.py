"""Those who look on at a match by links to this seat; at the host's also the door to it.

They prove that the host let them in, by a secret that only shows what all may see; and as they take
no seat, they are the first to give way where there is not enough of something.
"""

from itertools import count

from engine.seats import MAX_SEATS
from p2p.net.audience.messages import LookOn
from p2p.net.door.admission import Admission, Turned
from p2p.net.errors import LinkBroken
from p2p.net.link.greeting import (
    RUN_BYTES,
    LinkAnswer,
    LinkSecret,
    LookOpening,
    WatchOpening,
    opening_word,
)
from p2p.net.link.live import OF_ONLOOKERS, LiveLink
from p2p.net.link.message import No, read, whole
from p2p.net.link.peer import LocalPeer
from p2p.net.link.reception import Admit, Stranger
from p2p.net.link.roster import Seated
from p2p.session.state.table import BadName, check_name

# By links to one seat. Each has a queue, some tasks and a handle.
ONLOOKERS_MOST = 32
GAVE_WAY = "there was no room left for those who only look on"


class Gallery:
    """`admission`: how the host of the table proves strangers; None where somebody else is host.
    `name`: that of the table."""

    def __init__(
        self, own: LocalPeer, seated: Seated, admission: Admission | None = None, name: str = ""
    ) -> None:
        self._own, self._roster = own, seated.roster
        self._secret = LinkSecret(seated.table.id, seated.secret).of_watching
        self._allowed = seated.table.terms.watch
        self._admission, self._name = admission, name
        self._places = count(MAX_SEATS)
        self._there: dict[bytes, LiveLink] = {}

    async def greet(self, stranger: Stranger, admit: Admit) -> None:
        """One who wants to look on, from opening to end."""
        try:
            if not self._allowed:
                raise Turned("no-watch")
            if opening_word(stranger.opening) == WatchOpening.kind:
                await self._let_in(stranger)
            else:
                await self._show(stranger, admit)
        except Turned as turned:
            await stranger.link.tell(*whole(No(turned.word)))

    def give_way(self) -> None:
        """There is no handle left: whoever came last goes."""
        if self._there:
            _, live = self._there.popitem()
            live.close(GAVE_WAY)

    async def _let_in(self, stranger: Stranger) -> None:
        """The host's door, which the same code or invite opens as before the match."""
        opening = read(stranger.opening, WatchOpening)
        opening.check(self._own.identity.public, stranger.nonce)
        if self._admission is None:
            raise Turned("not-host")
        if opening.table not in ("", self._name):
            raise Turned("table")
        await self._admission.prove(stranger, opening)
        told = LookOn(self._secret.table_id, self._secret.secret, self._roster)
        await stranger.link.tell(*whole(told))

    async def _show(self, stranger: Stranger, admit: Admit) -> None:
        opening, own = read(stranger.opening, LookOpening), self._own.identity.public
        if opening.table_id != self._secret.table_id:
            raise Turned("table")
        opening.check(own, stranger.nonce, self._secret)
        name = _shown(opening.name)
        if opening.key in [one.key for one in self._roster]:
            raise LinkBroken("its key has a seat at this table")
        if len(self._there) >= ONLOOKERS_MOST and opening.key not in self._there:
            raise Turned("crowded")
        stranger.proven()
        answer = LinkAnswer.make(
            self._secret, opening.key, own, stranger.nonce, self._own.rng(RUN_BYTES)
        )
        await stranger.link.tell(*whole(answer))
        await self._work(opening.key, name, LiveLink(stranger.link, OF_ONLOOKERS), admit)

    async def _work(self, key: bytes, name: str, live: LiveLink, admit: Admit) -> None:
        """A newer link of a key takes the place of its older one."""
        stale = self._there.pop(key, None)
        if stale is not None:
            stale.close("a new link took its place")
        self._there[key] = live
        try:
            await admit(next(self._places), name, live)
        finally:
            if self._there.get(key) is live:
                del self._there[key]


def _shown(name: str) -> str:
    try:
        return check_name(name)
    except BadName:
        raise LinkBroken("it has a name that cannot be shown") from None
