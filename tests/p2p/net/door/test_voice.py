"""Talking in a lobby: everybody there hears each line once, and none is forged, old or too many."""

import pytest
import trio
import trio.testing
from support.limits import HANG_SECONDS
from support.net.world import CODE, MemoryNetwork, key

from engine.rules import Rules
from p2p.net.door.host import HostLobby
from p2p.net.door.joiner import Gathering, join_table
from p2p.net.door.messages import SPOKEN_MOST, Spoken
from p2p.net.door.offer import TableOffer
from p2p.net.door.voice import Listener, Say, Voice
from p2p.net.link.listen import Listeners
from p2p.net.link.peer import LocalPeer
from p2p.session.audience.remarks import LINES_AT_ONCE
from p2p.wire.codec import DecodeError

SECRET = bytes(32)


def voice(seed: int, name: str = "Ben", secret: bytes = SECRET) -> Voice:
    return Voice(LocalPeer(key(seed), name, Listeners((), 0, ()), bytes), secret)


async def test_a_line_is_heard_once_and_only_there_and_of_who_is_there() -> None:
    ben, ana = voice(2), voice(1, "Ana")
    keys = [key(one).public for one in (1, 2)]
    said = ben.say("good luck")
    assert ana.hear(said, keys) == (key(2).public, "good luck")
    assert ana.hear(said, keys) is None
    for spoken in (
        voice(2, secret=b"x" * 32).say("hi"),
        voice(3).say("hi"),
        Spoken(said.data[:-1]),
    ):
        with pytest.raises(DecodeError):
            ana.hear(spoken, keys)
    many = [ana.hear(ben.say(f"line {at}"), keys) for at in range(20)]
    assert sum(one is not None for one in many) == LINES_AT_ONCE - 1


async def test_what_does_not_fit_is_refused_with_a_sentence() -> None:
    for words in ("", "\x1b", "\U0001f600" + "a" * 299, "é\U00020000" * 150):
        if words.isascii() or len(words.encode()) < 500:
            continue
        with pytest.raises(ValueError, match=r"too long to be sent before the match\.$"):
            voice(2).say(words)
    with pytest.raises(ValueError, match="printable"):
        voice(2).say("")
    assert len(voice(2).say("a" * 300).data) <= SPOKEN_MOST


class Guest(Listener):
    """A joiner that notes the lines, and can say some."""

    def __init__(self) -> None:
        self.lines: list[tuple[bytes, str]] = []
        self.say: Say | None = None
        self.seen = trio.Event()

    def seated(self, say: Say) -> None:
        self.say = say
        self.seen.set()

    def line(self, key: bytes, words: str) -> None:
        self.lines.append((key, words))


async def test_host_and_joiners_hear_each_other() -> None:
    network = MemoryNetwork()
    at, heard = network.listen(), list[tuple[bytes, str]]()
    host = LocalPeer(key(1), "Ana", at, bytes)
    offer = TableOffer("den", Rules.make("classic", 4), CODE, bytes(16))
    lobby = HostLobby(
        host, offer, lambda roster: None, print, lambda key, words: heard.append((key, words))
    )
    guests = [Guest(), Guest()]

    def changed(gathering: Gathering) -> None:
        assert gathering.table_name == "den"

    async def join(number: int) -> None:
        own = LocalPeer(key(2 + number), "Ben", network.listen(), bytes, network.connect)
        await join_table(own, at.addresses, CODE, "", changed, guests[number])

    async with trio.open_nursery() as nursery:
        nursery.start_soon(lobby.run)
        for number in range(2):
            nursery.start_soon(join, number)
        with trio.fail_after(HANG_SECONDS):
            for guest in guests:
                await guest.seen.wait()
            lobby.say("welcome")
            say = guests[0].say
            assert say is not None
            say("thanks")
            while any(len(one.lines) < 2 for one in guests) or len(heard) < 2:
                await trio.testing.wait_all_tasks_blocked(0.01)
        nursery.cancel_scope.cancel()
    lines = [(key(1).public, "welcome"), (key(2).public, "thanks")]
    assert heard == lines
    assert [sorted(one.lines) for one in guests] == [sorted(lines)] * 2
