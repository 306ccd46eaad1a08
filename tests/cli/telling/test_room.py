"""The lobby: who is here, what its host may do, at plain lines and at the screen."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import count

import pytest
import trio
import trio.testing
from support.screen.hinter import hinter
from support.screen.notices import began
from support.screen.outlets import outlets

from cli.plain.help import CHOOSES_PARTNER
from cli.plain.hosting import COPIED, NOBODY_OUT, PRINTED, SETTLED, TO_LOOK_ON
from cli.plain.person import PlainSeat
from cli.plain.talking import SAY_WHAT
from cli.plain.terminal import Terminal
from cli.screen.control import Control
from cli.screen.drawing.keys import Act
from cli.screen.modes.covers import Question
from cli.screen.modes.lobby import Hosting, Lobby, Opening, Pairing
from cli.table.port import (
    Admit,
    Filled,
    Leave,
    Notice,
    Opened,
    Refuse,
    SitWith,
    Spoke,
    Told,
    Wish,
)
from cli.telling.room import ONLY_HOST, Room, Sitter
from engine.rules import Rules
from p2p.crypto.identity import fingerprint
from p2p.session.sitting.owner import Happened, Say
from p2p.session.state.events import MatchBegan, Participant
from p2p.session.state.table import Terms

ANA, BEN, CEM = (Sitter(bytes([n]) * 32, name) for n, name in ((1, "Ana"), (2, "Ben"), (3, "Cem")))
BEGUN = MatchBegan(
    bytes(32),
    Rules.make("classic", 2).spell(),
    (Participant(0, "Ana", ANA.key), Participant(1, "Ben", BEN.key)),
)


def hosted(
    *people: Sitter, partners: bool = False, partner: bytes | None = None, guests: bool = True
) -> Room:
    """Ana's table as she sees it, with those who came."""
    return Room((ANA, *people), 4, ANA.key, partners, partner, hosts=True, guests=guests)


def guest_room(*people: Sitter) -> Room:
    """The same as Ben sees it."""
    return Room((ANA, BEN, *people), 4, BEN.key)


def test_a_room_in_lines() -> None:
    assert hosted(BEN).lines(BEN.key) == (
        f"  1 Ana (you)  key {fingerprint(ANA.key)}",
        f"> 2 Ben  key {fingerprint(BEN.key)}",
        "  2 seats still free",
    )
    assert Room((ANA, BEN), 2, BEN.key).lines()[1] == f"  2 Ben (you)  key {fingerprint(BEN.key)}"
    assert hosted(BEN, partners=True).lines()[-1] == (
        "  Two against two: the sides are drawn by lot."
    )
    assert hosted(BEN, partners=True, partner=BEN.key).lines()[-1] == (
        "  Two against two: Ben plays with you."
    )
    assert Room((ANA, BEN), 4, BEN.key, True).lines()[-1] == (
        "  Two against two: the host may say who sits together; all are told when the match begins."
    )


def test_names_are_found_in_any_case_and_never_oneself() -> None:
    room = hosted(BEN, CEM)
    assert room.named("bEN") == BEN
    assert room.named("ana") is None
    assert room.named("be") is None


@dataclass
class Typing:
    """A person at plain lines."""

    shown: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.keys, self.lines = trio.open_memory_channel[str](100)
        self.person = PlainSeat(self.shown.append, self.lines, hinter, 8.0)
        self.wishes: list[Wish] = []
        self.person.sit(self.wishes.append)

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
    typing = Typing()
    for people in ((), (BEN,)):
        room = hosted(*people, guests=False)
        typing.person.show(Filled(replace(room, bots=frozenset({BEN.key}))))
    assert not [line for line in typing.shown if "refuse" in line]


REFUSES = "You may send somebody away until the table is full: refuse and the name."


def test_who_takes_the_last_seat_cannot_be_refused_and_nobody_says_so() -> None:
    typing = Typing()
    typing.person.show(Filled(replace(hosted(), places=2)))
    assert typing.shown == []


async def test_a_host_refuses_in_plain() -> None:
    typing = Typing()
    assert await typing.type("who") == ["You are at no table yet."]
    typing.person.show(Filled(hosted()))
    typing.person.show(Filled(hosted(BEN)))
    assert typing.shown[1:] == [REFUSES]
    assert await typing.type("admit", "say") == [NOBODY_OUT, SAY_WHAT]
    assert await typing.type("refuse Dot") == [
        "Nobody of the name 'Dot' is at the table; type who to see them."
    ]
    assert typing.wishes == []
    assert await typing.type("refuse  Ben ") == []
    assert typing.wishes == [Refuse(BEN.key)]
    assert (await typing.type("who"))[1] == f"2 Ben  key {fingerprint(BEN.key)}"
    assert await typing.type("partner Ben") == ["At this table everybody plays alone."]
    assert typing.wishes == [Refuse(BEN.key)]


async def test_a_host_lets_somebody_sit_again() -> None:
    room = replace(hosted(CEM), waiting=(BEN,))
    assert room.lines()[-1] == "  Ben went while the seats were drawn"
    typing = Typing()
    typing.person.show(Filled(hosted(BEN, CEM)))
    typing.person.show(Filled(room))
    assert typing.shown[-1] == "Type admit and the name to let somebody sit again."
    assert await typing.type("admit Cem", "admit Dot", "admit", "admit ben") == [
        "Cem is at the table.",
        "Nobody of the name 'Dot' was sent away or went while seats were drawn.",
        "Type admit and the name: Ben.",
    ]
    assert typing.wishes == [Admit(BEN.key)]
    typing.person.show(Filled(hosted(CEM)))
    assert await typing.type("admit Ben") == [
        "You have let 'Ben' in again already, who can join now."
    ]
    sent = replace(room, sent_away=frozenset([BEN.key]))
    assert sent.lines()[-1] == "  Ben was sent away"
    seconds = count(0.0)
    control, wishes = at_screen(lambda: next(seconds))
    for people, also in (((), ""), ((CEM,), " x refuses Cem.")):
        control.show(Filled(replace(hosted(*people), waiting=(BEN,))))
        assert f"full.{also} a lets Ben sit again. q" in control.view().front.prompt
        control.key("a")
        assert control.view().front.prompt == "Let Ben sit again? y lets, n does not."
        control.key("y")
    assert wishes == [Admit(BEN.key)] * 2


async def test_a_host_chooses_its_partner_in_plain() -> None:
    typing = Typing()
    typing.person.show(Filled(hosted(partners=True)))
    assert typing.shown == [REFUSES, "Two against two: the sides are drawn by lot."]
    typing.person.show(Filled(hosted(BEN, partners=True)))
    assert typing.shown[2:] == [CHOOSES_PARTNER], "as soon as there is somebody"
    assert await typing.type("partner ben", "partner lot") == []
    assert typing.wishes == [SitWith(BEN.key), SitWith(None)]
    typing.person.show(Filled(hosted(BEN, partners=True, partner=BEN.key)))
    chosen = "Two against two: Ben plays with you; all are told when the match begins."
    assert typing.shown[3:] == [chosen]
    typing.person.show(Filled(hosted(BEN, CEM, partners=True, partner=BEN.key)))
    assert typing.shown[3:] == [chosen], "once"


def test_who_joins_where_partners_play_hears_when_it_is_told_who_they_are() -> None:
    typing = Typing()
    room = replace(guest_room(), partners=True)
    for _ in range(2):
        typing.person.show(Filled(room))
    assert typing.shown == [room.lines()[-1].strip()]


def test_where_only_bots_come_nobody_has_time_to_choose_a_partner() -> None:
    typing = Typing()
    typing.person.show(Filled(hosted(partners=True, guests=False)))
    typing.person.show(Filled(hosted(BEN, partners=True, guests=False)))
    assert typing.shown == ["Two against two: the sides are drawn by lot."]


@pytest.mark.parametrize("line", ["refuse Ana", "partner Ana"])
async def test_only_a_host_and_only_before_the_match(line: str) -> None:
    only = ["Only the host does that, and only before the match begins."]
    typing = Typing()
    assert await typing.type(line) == only
    typing.person.show(Filled(guest_room()))
    assert await typing.type(line) == only
    typing.person.show(Filled(hosted(BEN)))
    typing.person.show(began())
    assert await typing.type(line.replace("Ana", "Ben")) == [SETTLED]
    assert typing.wishes == []


NOBODY = "Nobody has come yet whom you could send away."
OWN_BOTS = "Only your own bots are here, and they keep their seats."


@pytest.mark.parametrize(
    ("room", "refuse", "partner"),
    [
        (None, ONLY_HOST, ONLY_HOST),
        (guest_room(), ONLY_HOST, ONLY_HOST),
        (hosted(), NOBODY, "At this table everybody plays alone."),
        (hosted(partners=True), NOBODY, NOBODY.replace("send away", "take as your partner")),
        (
            replace(hosted(BEN), bots=frozenset({BEN.key})),
            OWN_BOTS,
            "At this table everybody plays alone.",
        ),
    ],
)
async def test_who_can_send_nobody_away_or_have_no_partner_is_told_why(
    room: Room | None, refuse: str, partner: str
) -> None:
    typing, (control, wishes) = Typing(), at_screen()
    if room is not None:
        for seat in (typing.person, control):
            seat.show(Filled(room))
    typing.shown.clear()
    assert await typing.type("refuse", "partner", "refuse Ben") == [refuse, partner, refuse]
    for key, why in (("x", refuse), ("s", partner)):
        control.key(key)
        assert control.view().note == why
    assert (typing.wishes, wishes) == ([], [])


async def test_a_word_without_a_name_says_whose_could_stand_there() -> None:
    typing = Typing()
    room = replace(hosted(BEN, CEM, partners=True), bots=frozenset({CEM.key}))
    typing.person.show(Filled(room))
    assert await typing.type("refuse", "partner") == [
        "Type refuse and the name: Ben.",
        "Type partner and the name: Ben, Cem or lot.",
    ]
    assert typing.wishes == []


OPENED = Opened("den", "a-b-c", "allfives:xyz", ("10.0.0.7",), 5525, ("den is open",))


@pytest.mark.parametrize("takes", [True, False])
async def test_the_invite_is_copied_in_plain(takes: bool) -> None:
    typing = Typing()
    clipped: list[str] = []

    def taken(text: str) -> bool:
        clipped.append(text)
        return takes

    typing.person = PlainSeat(typing.shown.append, typing.lines, hinter, 8.0, Terminal(taken))
    assert await typing.type("copy") == [
        "There is an invite to copy only while your own table fills."
    ]
    typing.person.show(OPENED)
    told = ["allfives:xyz", COPIED if takes else PRINTED]
    assert await typing.type("copy") == told
    assert clipped == ["allfives:xyz"]
    now = began()
    typing.person.show(now)
    assert await typing.type("copy") == [*told, TO_LOOK_ON]
    typing.person.show(replace(now, table=replace(now.table, terms=Terms(watch=False))))
    assert (await typing.type("copy"))[0].startswith("There is an invite to copy only")


@pytest.mark.parametrize("notice", [Filled(guest_room()), began()])
async def test_who_is_not_seated_hears_why_before_the_end_of_the_input(notice: Notice) -> None:
    typing = Typing()
    await typing.keys.aclose()
    await typing.person.listen()
    assert typing.wishes == []
    typing.person.show(notice)
    assert typing.wishes == [Leave("The input has ended, so you leave.")]


def at_screen(clock: Callable[[], float] = lambda: 0.0) -> tuple[Control, list[Wish]]:
    """A control before any match, and what is wanted at it."""
    wishes: list[Wish] = []
    said: list[object] = []
    return Control(outlets(said.append, wishes.append, said.append, said.append), clock), wishes


def test_a_host_chooses_somebody_and_refuses_after_a_question() -> None:
    control, wishes = at_screen()
    control.show(Told("den is open"))
    control.show(Filled(hosted()))
    assert type(control.mode) is Opening
    control.key("x")
    assert not isinstance(control.mode, Question)
    control.show(Filled(hosted(BEN, CEM)))
    assert type(control.mode) is Hosting
    assert "x refuses Ben." in control.view().front.prompt
    control.act(Act.NEXT_TILE)
    control.key("x")
    assert control.view().front.prompt == "Send Cem away? y refuses, n keeps the seat."
    control.key("n")
    assert wishes == []
    control.key("3")
    control.key("x")
    control.key("y")
    assert wishes == [Refuse(CEM.key)]
    control.show(Filled(hosted(BEN)))
    assert "x refuses Ben." in control.view().front.prompt
    panel = control.view().front.panel
    assert panel is not None
    assert panel.news[-1] == "den is open"
    control.key("1")
    control.key("9")
    assert "x refuses Ben." in control.view().front.prompt


def test_people_talk_at_the_screen_while_the_table_fills() -> None:
    control, wishes = at_screen()
    control.show(Filled(guest_room()))
    control.show(Spoke(ANA.key, "hello"))
    panel = control.view().front.panel
    assert panel is not None
    assert panel.news[-1] == "Ana: hello"
    for key in "chi":
        control.key(key)
    assert control.view().front.typed == "hi"
    control.key("enter")
    assert wishes == [Say("hi")]
    control.show(Spoke(BEN.key, "hi"))
    panel = control.view().front.panel
    assert panel is not None
    assert panel.news[-1] == "You: hi"


def test_a_host_copies_the_invite_at_the_screen() -> None:
    clipped: list[str] = []
    said: list[object] = []
    control = Control(outlets(said.append, said.append, said.append, clipped.append), lambda: 0.0)
    for room in (hosted(), hosted(BEN), hosted(BEN, partners=True)):
        control.show(Filled(room))
        control.key("y")
        assert clipped == []
    control.show(OPENED)
    control.key("y")
    assert clipped == ["allfives:xyz"]
    assert "The invite is copied" in control.view().note
    assert "copy invite" in [label.text for label in control.view().front.row]
    control.show(Filled(guest_room()))
    control.key("y")
    assert (len(clipped), said) == (1, [])


def test_the_own_bots_are_not_offered_to_be_refused() -> None:
    bots = replace(hosted(BEN, guests=False), bots=frozenset({BEN.key}))
    control, wishes = at_screen()
    control.show(Filled(bots))
    assert type(control.mode) is Lobby
    control.show(Filled(replace(bots, partners=True)))
    assert "refuse" not in control.view().front.prompt
    assert [label.text for label in control.view().front.row] == ["side", "help", "quit"]
    control.key("x")
    assert not isinstance(control.mode, Question)
    control.key("s")
    control.show(Filled(replace(bots, people=(ANA, BEN, CEM), guests=True)))
    assert "x refuses Cem." in control.view().front.prompt
    assert wishes == [SitWith(BEN.key)]


def test_a_host_takes_a_partner_and_gives_it_back_to_the_lot() -> None:
    control, wishes = at_screen()
    control.show(Filled(hosted(BEN)))
    control.key("s")
    assert wishes == []
    control.show(Filled(hosted(BEN, CEM, partners=True)))
    assert type(control.mode) is Pairing
    control.key("3")
    assert "s takes Cem as partner" in control.view().front.prompt
    control.key("s")
    control.show(Filled(hosted(BEN, CEM, partners=True, partner=CEM.key)))
    assert "s leaves the sides to the lot" in control.view().front.prompt
    control.key("s")
    assert wishes == [SitWith(CEM.key), SitWith(None)]


def test_who_joined_refuses_nobody_and_nobody_is_refused_in_a_match() -> None:
    control, wishes = at_screen()
    control.show(Filled(guest_room(CEM)))
    control.key("x")
    control.key("s")
    assert not isinstance(control.mode, Question)
    control.show(Filled(hosted(BEN)))
    control.key("x")
    assert isinstance(control.mode, Question)
    control.show(began())
    assert not isinstance(control.mode, Question)
    control.show(Happened(BEGUN))
    control.key("x")
    control.key("s")
    assert not isinstance(control.mode, Question)
    assert wishes == []
    assert control.view().front.panel is None
