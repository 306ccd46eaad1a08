"""The lobby: who is here, what its host may do, at plain lines and at the screen."""

from dataclasses import dataclass, field, replace

import pytest
import trio
import trio.testing

from cli.plain.person import Person
from cli.screen.control import Control
from cli.screen.drawing.keys import Act
from cli.screen.modes.covers import Question
from cli.screen.modes.lobby import Hosting, Lobby, Pairing
from cli.screen.modes.outlets import Outlets
from cli.table.bots import player_maker
from cli.telling.room import Powers, Room, Sitter
from engine.rules import Rules
from p2p.crypto.identity import fingerprint
from p2p.session.state.events import MatchBegan, Player

ANA, BEN, CEM = (Sitter(bytes([n]) * 32, name) for n, name in ((1, "Ana"), (2, "Ben"), (3, "Cem")))
BEGUN = MatchBegan(
    bytes(32),
    Rules.make("classic", 2).spell(),
    (Player(0, "Ana", ANA.key), Player(1, "Ben", BEN.key)),
)


@dataclass
class Hosted:
    """What a host did."""

    refused: list[bytes] = field(default_factory=list)
    partners: list[bytes | None] = field(default_factory=list)

    def room(self, *people: Sitter, partners: bool = False, partner: bytes | None = None) -> Room:
        """Ana's table, with those who came."""
        powers = Powers(self.refused.append, self.partners.append)
        return Room((ANA, *people), 4, ANA.key, partners, partner, powers)


def guest_room(*people: Sitter) -> Room:
    """The same as Ben sees it."""
    return Room((ANA, BEN, *people), 4, BEN.key)


def test_a_room_in_lines() -> None:
    hosted = Hosted()
    assert hosted.room(BEN).lines(BEN.key) == (
        f"  1 Ana (you)  key {fingerprint(ANA.key)}",
        f"> 2 Ben  key {fingerprint(BEN.key)}",
        "  2 seats still free",
    )
    assert Room((ANA, BEN), 2, BEN.key).lines()[1] == f"  2 Ben (you)  key {fingerprint(BEN.key)}"
    assert hosted.room(BEN, partners=True).lines()[-1] == (
        "  Two against two: the sides are drawn by lot."
    )
    assert hosted.room(BEN, partners=True, partner=BEN.key).lines()[-1] == (
        "  Two against two: Ben plays with you."
    )
    assert Room((ANA, BEN), 4, BEN.key, True).lines()[-1] == (
        "  Two against two: the host may say who sits together."
    )


def test_names_are_found_in_any_case_and_never_oneself() -> None:
    room = Hosted().room(BEN, CEM)
    assert room.named("bEN") == BEN
    assert room.named("ana") is None
    assert room.named("be") is None


@dataclass
class Typing:
    """A person at plain lines."""

    shown: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.keys, lines = trio.open_memory_channel[str](100)
        self.person = Person(self.shown.append, lines, player_maker("easy", 1.0), 8.0)

    async def type(self, *lines: str) -> list[str]:
        """What some typed lines made appear."""
        before = len(self.shown)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.person.listen)
            for line in lines:
                await self.keys.send(line)
            await trio.testing.wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
        return self.shown[before:]


def test_at_a_table_of_bots_alone_there_is_nobody_to_refuse() -> None:
    typing, hosted = Typing(), Hosted()
    for people in ((), (BEN,)):
        room = hosted.room(*people)
        assert room.powers is not None
        typing.person.fill(replace(room, powers=replace(room.powers, guests=False)))
    assert not [line for line in typing.shown if "refuse" in line]


async def test_a_host_refuses_in_plain() -> None:
    typing, hosted = Typing(), Hosted()
    assert await typing.type("who") == ["You are at no table yet."]
    typing.person.fill(hosted.room())
    typing.person.fill(hosted.room(BEN))
    assert typing.shown[-1] == (
        "Type refuse and a name to send somebody away before the table is full."
    )
    assert await typing.type("refuse Dot") == [
        "Nobody of the name 'dot' is at the table; type who to see them."
    ]
    assert hosted.refused == []
    assert await typing.type("refuse  Ben ") == []
    assert hosted.refused == [BEN.key]
    assert (await typing.type("who"))[1] == f"2 Ben  key {fingerprint(BEN.key)}"
    assert await typing.type("partner Ben") == ["At this table everybody plays alone."]
    assert hosted.partners == []


async def test_a_host_chooses_its_partner_in_plain() -> None:
    typing, hosted = Typing(), Hosted()
    typing.person.fill(hosted.room(partners=True))
    assert typing.shown == ["Two against two: the sides are drawn by lot."]
    typing.person.fill(hosted.room(BEN, partners=True))
    assert await typing.type("partner ben", "partner lot") == []
    assert hosted.partners == [BEN.key, None]
    typing.person.fill(hosted.room(BEN, partners=True, partner=BEN.key))
    assert typing.shown[-1] == "Two against two: Ben plays with you."


@pytest.mark.parametrize("line", ["refuse Ana", "partner Ana"])
async def test_only_a_host_and_only_before_the_match(line: str) -> None:
    only = ["Only the host does that, and only before the match begins."]
    typing, hosted = Typing(), Hosted()
    assert await typing.type(line) == only
    typing.person.fill(guest_room())
    assert await typing.type(line) == only
    typing.person.fill(hosted.room(BEN))
    typing.person.publish(BEGUN)
    assert await typing.type(line.replace("Ana", "Ben")) == only
    assert (hosted.refused, hosted.partners) == ([], [])


def at_screen() -> Control:
    """A control before any match."""
    said: list[object] = []
    note = said.append
    return Control(Outlets(note, note, note, note, said.clear, note, said.clear), lambda: 0.0)


def test_a_host_chooses_somebody_and_refuses_after_a_question() -> None:
    control, hosted = at_screen(), Hosted()
    control.tell("den is open")
    control.fill(hosted.room())
    assert type(control.mode) is Lobby
    control.key("x")
    assert not isinstance(control.mode, Question)
    control.fill(hosted.room(BEN, CEM))
    assert type(control.mode) is Hosting
    assert "x refuses Ben." in control.view().front.prompt
    control.act(Act.NEXT_TILE)
    control.key("x")
    assert control.view().front.prompt == "Send Cem away? y refuses, n keeps the seat."
    control.key("n")
    assert hosted.refused == []
    control.key("3")
    control.key("x")
    control.key("y")
    assert hosted.refused == [CEM.key]
    control.fill(hosted.room(BEN))
    assert "x refuses Ben." in control.view().front.prompt
    panel = control.view().front.panel
    assert panel is not None
    assert panel.lines[-1] == "den is open"
    control.key("1")
    control.key("9")
    assert "x refuses Ben." in control.view().front.prompt


def test_a_host_takes_a_partner_and_gives_it_back_to_the_lot() -> None:
    control, hosted = at_screen(), Hosted()
    control.fill(hosted.room(BEN))
    control.key("s")
    assert hosted.partners == []
    control.fill(hosted.room(BEN, CEM, partners=True))
    assert type(control.mode) is Pairing
    control.key("3")
    assert "s takes Cem as partner" in control.view().front.prompt
    control.key("s")
    control.fill(hosted.room(BEN, CEM, partners=True, partner=CEM.key))
    assert "s leaves the sides to the lot" in control.view().front.prompt
    control.key("s")
    assert hosted.partners == [CEM.key, None]


def test_who_joined_refuses_nobody_and_nobody_is_refused_in_a_match() -> None:
    control, hosted = at_screen(), Hosted()
    control.fill(guest_room(CEM))
    control.key("x")
    control.key("s")
    assert not isinstance(control.mode, Question)
    control.fill(hosted.room(BEN))
    control.key("x")
    assert isinstance(control.mode, Question)
    control.begin(0)
    assert not isinstance(control.mode, Question)
    control.hear(BEGUN)
    control.key("x")
    control.key("s")
    assert not isinstance(control.mode, Question)
    assert hosted.refused == []
    assert control.view().front.panel is None
