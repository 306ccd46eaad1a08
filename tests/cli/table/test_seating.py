"""The lobby's words, what a host tells and a joiner types, tables on the network."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest
import trio
from support.net.world import people

from cli.files.home import Home
from cli.files.identity import Identity
from cli.process.errors import Stop
from cli.table.auto import AutoSeat
from cli.table.bots import NAMES, Bots, player_maker
from cli.table.host import NewTable, _Hosting, _tell_how_to_join, how_to_join
from cli.table.joining.ways import CALLING, Joining, Wanted, Way, ways_to, with_piped
from cli.table.lan import choose_table, joining_words, table_words, tables_line
from cli.table.port import Admit
from cli.table.seating import (
    SAFE_LETTERS,
    checked_code,
    checked_table_name,
    make_rules,
    meant,
    others,
    pretended_bots,
    strange_words,
    strangers_words,
    sure_code,
    understand,
    who_came_and_went,
)
from cli.table.stay import Visitor
from engine.rules import Rules
from p2p.crypto.identity import IdentityKey, fingerprint
from p2p.net.door.joiner import Gathering
from p2p.net.errors import BadAddress
from p2p.net.find import code as codes
from p2p.net.find.advert import Advert
from p2p.net.find.found import Found
from p2p.net.find.invite import Invite, parse_invite
from p2p.net.link.listen import Listeners
from p2p.net.link.roster import Neighbour, Roster
from p2p.session.state.table import Table, Terms
from p2p.store import Acquaintance, Store

RULES = Rules.make("classic", 3)


def seat(number: int, name: str) -> Neighbour:
    key = IdentityKey.from_private_bytes(bytes([number]) * 32).public
    return Neighbour(key, name, b"", ("127.0.0.1:5525",))


ANA, BEN, CLEO, OTHER_BEN = seat(1, "Ana"), seat(2, "Ben"), seat(3, "Cleo"), seat(4, "Ben")
INVITE = Invite(ANA.key, bytes(16), ("192.168.1.5:5525",)).line()
EVERYBODY: Roster = (ANA, BEN, CLEO)


def table_of(roster: Roster) -> Table:
    return Table.seat_people(RULES, people(roster))


def test_who_comes_and_goes_is_told_with_fingerprints() -> None:
    def told(before: Roster, after: Roster) -> list[str]:
        return who_came_and_went(before, after, 3, ANA.key)

    assert told((), (ANA,)) == []
    assert told((ANA,), (ANA, BEN)) == [
        f"Ben [{fingerprint(BEN.key)}] is at the table (2 of 3 are here)."
    ]
    assert told((), (ANA, BEN, OTHER_BEN)) == [
        f"Ben [{fingerprint(BEN.key)}] and Ben (2) [{fingerprint(OTHER_BEN.key)}] are at the table "
        "(3 of 3 are here)."
    ]
    assert told((ANA, BEN, OTHER_BEN), (ANA, BEN)) == ["Ben (2) has left (2 of 3 are here)."]
    sent = who_came_and_went((ANA, BEN, CLEO), (ANA,), 3, ANA.key, {CLEO.key})
    assert sent == ["Ben has left (1 of 3 are here).", "You sent Cleo away (1 of 3 are here)."]
    assert told((ANA, BEN), (ANA, CLEO)) == [
        "Ben has left (2 of 3 are here).",
        f"Cleo [{fingerprint(CLEO.key)}] is at the table (2 of 3 are here).",
    ]


def test_a_known_name_with_another_key_is_told() -> None:
    assert strangers_words([]) == []
    assert strangers_words([Acquaintance(BEN.key, "Ben")]) == [
        f"Careful: Ben has a key [{fingerprint(BEN.key)}] that is not the one you met under this "
        "name before. It may be somebody else: ask them by another way, say by telephone."
    ]
    table = table_of(EVERYBODY)
    met = others(table, BEN.key)
    assert sorted(one.name for one in met) == ["Ana", "Cleo"]


def test_a_bot_is_nobody_to_be_known_again() -> None:
    bots: Roster = tuple(
        replace(seat(number, name), owner=ANA.key) for number, name in enumerate(NAMES[:2], 10)
    )
    table = table_of((ANA, *bots))
    assert others(table, ANA.key) == []
    assert [one.name for one in others(table, bots[0].key)] == ["Ana"]


def offer(code: str | None) -> NewTable:
    return NewTable("den", RULES, code, None, None, False, Bots())


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses of this machine, in the exchanged form's order; to be changed."""
    hosts = ["192.168.1.5", "127.0.0.1"]
    monkeypatch.setattr("p2p.net.link.addresses.own_hosts", lambda: hosts)
    return hosts


def test_who_can_join_where_there_is_no_network(network: list[str]) -> None:
    lonely = "This machine is on no network, so nobody on another one can join."
    here = ("127.0.0.1:5525",)
    assert lonely not in how_to_join(offer("a-b-c"), "allfives:xyz", here)
    network[:] = ["127.0.0.1", "::1"]
    assert how_to_join(offer("guitar-orbit-lunar"), "allfives:xyz", here)[-1] == lonely
    # Who asks for one address knows what it is.
    bound = replace(offer("guitar-orbit-lunar"), bind="127.0.0.1")
    assert lonely not in how_to_join(bound, "allfives:xyz", here)


@pytest.mark.parametrize(
    ("advertise", "outer"),
    [
        (None, []),
        ("games.example.net", ["games.example.net:7000"]),
        ("203.0.113.5:80", ["203.0.113.5:80"]),
        ("[fd00::2]", ["[fd00::2]:7000"]),
        ("a" * 56 + ".onion:5525", ["a" * 56 + ".onion:5525"]),
    ],
)
def test_an_outer_address_comes_first_and_into_the_invite(
    advertise: str | None, outer: list[str], network: list[str], tmp_path: Path
) -> None:
    shown: list[str] = []
    seat = AutoSeat(player_maker("easy", 1.0), shown.append, None, None)
    identity = Identity("Ana", IdentityKey.from_private_bytes(bytes([1]) * 32))
    listeners = Listeners((), 7000, ("192.168.1.5:7000", "127.0.0.1:7000"))
    with Store(Home(tmp_path).store) as store:
        desk = Visitor(Home(tmp_path), identity, store, seat, None, piped())
        table = replace(offer("guitar-orbit-lunar"), advertise=advertise)
        _tell_how_to_join(_Hosting(desk, table, desk.peer(listeners)))
    places = [*outer, "192.168.1.5:7000"]
    lines = [line.split() for line in "\n".join(shown).splitlines()]
    assert [line[2] for line in lines if line[-1] == "guitar-orbit-lunar"] == places
    assert list(parse_invite(lines[-1][-1]).addresses) == places


def test_what_is_no_outer_address_is_refused(tmp_path: Path) -> None:
    seat = AutoSeat(player_maker("easy", 1.0), print, None, None)
    identity = Identity("Ana", IdentityKey.from_private_bytes(bytes([1]) * 32))
    listeners = Listeners((), 7000, ("192.168.1.5:7000",))
    with Store(Home(tmp_path).store) as store:
        desk = Visitor(Home(tmp_path), identity, store, seat, None, piped())
        for wrong in ("games example", "x:0", "http://x"):
            table = replace(offer("guitar-orbit-lunar"), advertise=wrong)
            with pytest.raises(BadAddress, match="is no address"):
                _tell_how_to_join(_Hosting(desk, table, desk.peer(listeners)))


def test_whom_the_host_lets_in_again_is_to_hear_it_from_the_host(tmp_path: Path) -> None:
    shown: list[str] = []
    outlet = AutoSeat(player_maker("easy", 1.0), shown.append, None, None)
    identity = Identity("Ana", IdentityKey.from_private_bytes(bytes([1]) * 32))
    with Store(Home(tmp_path).store) as store:
        desk = Visitor(Home(tmp_path), identity, store, outlet, None, piped())
        hosting = _Hosting(desk, offer(None), desk.peer(Listeners((), 7000, ())))
        ben = seat(11, "Ben")
        hosting.lobby = Mock(kept_out=[ben], sent_away=frozenset(), partner=None)
        hosting.want(Admit(ben.key))
    assert shown == [
        "Ben may join again, with the same code or invite. Tell Ben so: this program cannot."
    ]


@pytest.mark.parametrize(
    ("code", "short"),
    [("a", True), ("a-b-c", True), ("seven-7", True), ("seven-its", False), ("abc-def-gh", False)],
)
def test_a_short_code_is_taken_with_a_warning(code: str, short: bool, network: list[str]) -> None:
    warning = (
        "This code is short, so somebody who tries for long may find it. A longer one is safer; "
        "without --code one is made up."
    )
    assert (warning in how_to_join(offer(code), "allfives:xyz", ("192.168.1.5:1",))) == short


def test_the_shortest_code_that_is_made_up_is_long_enough() -> None:
    shortest = min(map(len, codes.words()))
    assert codes.CODE_WORDS * shortest >= SAFE_LETTERS


def test_how_to_join(network: list[str]) -> None:
    addresses = ("192.168.1.5:5525", "[fd00::2]:5525")
    assert how_to_join(offer("guitar-orbit-lunar"), "allfives:xyz", addresses) == [
        "'den' is open: 3 players, classic rules, to 200. Others join with one of these:",
        "  allfives join 192.168.1.5:5525 guitar-orbit-lunar",
        "  allfives join [fd00::2]:5525 guitar-orbit-lunar",
        "  allfives join allfives:xyz",
    ]
    on_lan = replace(offer("guitar-orbit-lunar"), lan=True)
    assert how_to_join(on_lan, "allfives:xyz", ("192.168.1.5:5525", "[fe80::1]:5525"))[1:] == [
        "  allfives join guitar-orbit-lunar  (on this network)",
        "  allfives join 192.168.1.5:5525 guitar-orbit-lunar",
        "  allfives join allfives:xyz",
    ]
    alone = how_to_join(replace(on_lan, bind="127.0.0.1"), "allfives:xyz", ("127.0.0.1:5525",))
    assert alone[1] == "  allfives join guitar-orbit-lunar  (on this machine alone)"
    lines = how_to_join(offer(None), "allfives:xyz", addresses[:1])
    assert lines[1:] == [
        "  allfives join 192.168.1.5:5525",
        "  allfives join allfives:xyz",
        "There is no code: anyone who reaches this machine may sit or look on.",
    ]
    unseen = replace(offer(None), terms=Terms(300, watch=False))
    assert how_to_join(unseen, "allfives:xyz", addresses[:1])[-1] == (
        "There is no code: anyone who reaches this machine may sit."
    )


def test_the_code_is_in_no_repr() -> None:
    assert "guitar" not in repr(offer("guitar-orbit-lunar"))


@pytest.mark.parametrize(
    ("words", "meaning"),
    [
        ([], (None, None)),
        (["guitar-orbit-lunar"], (None, "guitar-orbit-lunar")),
        ([INVITE], (INVITE, None)),
        (["192.168.1.5"], ("192.168.1.5", None)),
        (["[fd00::2]:5525"], ("[fd00::2]:5525", None)),
        (["den.example:4455", "a-b-c"], ("den.example:4455", "a-b-c")),
        (["den", "-"], ("den", "-")),
        (["-"], (None, "-")),
        (["guitar", "Orbit", "lunar"], (None, "guitar-Orbit-lunar")),
        (["guitar", "orbit-lunar"], (None, "guitar-orbit-lunar")),
        (["192.168.1.5", "guitar", "orbit", "lunar"], ("192.168.1.5", "guitar-orbit-lunar")),
        (["den.example", "abc", "def"], ("den.example", "abc-def")),
        (["pc7", "guitar-orbit-lunar"], ("pc7", "guitar-orbit-lunar")),
        (["pc7", "guitar", "orbit", "lunar"], ("pc7", "guitar-orbit-lunar")),
        (["localhost", "abc"], ("localhost", "abc")),
        ([INVITE[:40], INVITE[40:]], (f"{INVITE[:40]} {INVITE[40:]}", None)),
        (["allfives", "join", INVITE], (f"allfives join {INVITE}", None)),
    ],
)
def test_what_is_typed_behind_join(
    words: list[str], meaning: tuple[str | None, str | None]
) -> None:
    assert understand(words) == meaning


def test_what_cannot_stand_behind_join() -> None:
    for words, sentence in [
        ([INVITE, "a-b-c"], "An invite needs no code; leave the code out."),
        ([INVITE[:-1]], "This invite is damaged. Copy the whole line and try again."),
    ]:
        with pytest.raises(Stop) as caught:
            understand(words)
        assert caught.value.sentence == sentence
        assert caught.value.code == 2
    assert parse_invite(str(understand([INVITE[:40], INVITE[40:]])[0])).line() == INVITE


def test_what_comes_in_place_of_a_code() -> None:
    there = Wanted("den", "-", None, None, None, False)
    lan = replace(there, where=None)
    assert with_piped(there, "a-b-c") == replace(there, code="a-b-c")
    assert with_piped(there, "") == replace(there, code=None)
    assert with_piped(lan, "allfives:xyz") == replace(lan, where="allfives:xyz", code=None)
    with pytest.raises(Stop) as caught:
        with_piped(there, "allfives:xyz")
    assert caught.value.sentence == "An invite needs no address; leave the address out."
    assert caught.value.code == 2


def test_a_joiner_is_told_where_it_is_and_who_comes(tmp_path: Path) -> None:
    shown: list[str] = []
    seat = AutoSeat(player_maker("easy", 1.0), shown.append, None, None)
    home = Home(tmp_path)
    identity = Identity("Ben", IdentityKey.from_private_bytes(bytes([2]) * 32))
    wanted = Wanted("den", None, None, None, None, False)
    with Store(home.store) as store:
        joining = Joining(Visitor(home, identity, store, seat, None, piped()), wanted, piped())
        joining.on_change(Gathering("den", RULES, (ANA, BEN)))
        joining.on_change(Gathering("den", RULES, (ANA, BEN, CLEO)))
        joining.busy()
        joining.busy()
    assert shown == [
        "You are at 'den': 3 players, classic rules, to 200.",
        f"Ana [{fingerprint(ANA.key)}] is at the table (2 of 3 are here).",
        f"Cleo [{fingerprint(CLEO.key)}] is at the table (3 of 3 are here).",
        "Others are trying to join this table too; trying again.",
    ]


async def piped(*lines: str) -> AsyncGenerator[str, None]:
    for line in lines:
        yield line


def test_names_and_codes_of_tables() -> None:
    assert checked_table_name(None, "Ana") == "Table of Ana"
    assert len(checked_table_name(None, "x" * 24)) == 24
    assert checked_table_name("den", "Ana") == "den"
    for wrong in ("", "x" * 25, "a\x07"):
        with pytest.raises(Stop, match=r"cannot be the table's name"):
            checked_table_name(wrong, "Ana")
    assert checked_code("Guitar Orbit_lunar") == "guitar-orbit-lunar"
    with pytest.raises(Stop) as caught:
        checked_code("")
    assert caught.value.code == 2


def test_rules_that_cannot_be_are_refused_with_the_engines_sentence() -> None:
    assert make_rules("classic", 2, {"target": "50"}, str).target == 50
    with pytest.raises(Stop) as caught:
        make_rules("classic", 2, {"reserve": "3"}, str)
    assert (caught.value.sentence, caught.value.code) == (
        "Reserve cannot be '3': allowed is 0, 1 or 2.",
        2,
    )


FOUND = [
    Found(Advert("den", "Ana", 2, 1, "classic", False), ("192.168.1.5:5525", "[fd00::2]:5525")),
    Found(Advert("salon", "Ben", 4, 2, "online", True), ("192.168.1.6:5526",)),
]


def test_tables_on_the_network_in_words_and_json() -> None:
    assert [table_words(found) for found in FOUND] == [
        "den, host Ana, 1 of 2 players, classic rules, with a code",
        "salon, host Ben, 2 of 4 players, online rules, open to all",
    ]
    assert tables_line(FOUND[:1]) == (
        '[{"name":"den","host":"Ana","key":null,"playing":false,"addresses":["192.168.1.5","fd00::2"],"port":5525,'
        '"players":2,"seated":1,"rules":"classic","open":false}]'
    )
    assert tables_line([]) == "[]"


def test_tables_say_how_to_sit_down_and_which_play() -> None:
    full = replace(FOUND[0], advert=replace(FOUND[0].advert, seated=2), key=ANA.key)
    assert table_words(full) == (
        f"den, host Ana [{fingerprint(ANA.key)}], playing, 2 players, classic rules, with a code"
    )
    assert f'"key":"{fingerprint(ANA.key)}","playing":true' in tables_line([full])
    told = "with the code that its host tells you."
    assert joining_words(FOUND[:1]) == [f"Sit down at 'den': `allfives join CODE` {told}"]
    assert joining_words([full, FOUND[1]]) == [
        "Sit down at 'salon': `allfives join --table salon`."
    ]
    assert joining_words([full]) == []
    named = replace(FOUND[0], advert=replace(FOUND[0].advert, name="Table of Ana"))
    assert joining_words([named, full]) == [
        f"Sit down at 'Table of Ana': `allfives join CODE --table 'Table of Ana'` {told}"
    ]


async def test_a_missing_code_is_asked_for_where_somebody_can_be_asked(
    monkeypatch: pytest.MonkeyPatch, network: list[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("cli.table.lan.browse", Network(FOUND[:1]).browse)
    shown: list[str] = []
    seat = AutoSeat(player_maker("easy", 1.0), shown.append, None, None)
    identity = Identity("Ben", IdentityKey.from_private_bytes(bytes([2]) * 32))
    with Store(Home(tmp_path).store) as store:

        async def code(where: str | None, *typed: str, can_ask: bool = True) -> str | None:
            del shown[:]
            desk = Visitor(Home(tmp_path), identity, store, seat, None, piped())
            wanted = Wanted(where, None, None, None, None, can_ask)
            async with aclosing(piped(*typed)) as lines:
                joining = Joining(desk, wanted, lines)
                await ways_to(joining)
                invite = joining.wanted.where if where is None else None
                return joining.wanted.code or invite

        assert await code(None, "a!", "Guit\tOrbit lunar ") == "guitar-orbit-lunar"
        assert [line[:26] for line in shown] == [
            "Looking for tables on this",
            "The code of the table? Its",
            "This table code cannot be ",
        ]
        assert shown[-1].endswith("Type the code again; Enter alone: it has none.")
        assert await code("192.168.1.5", "") is None
        assert await code("192.168.1.5", "allfives:xyz", "abc") == "abc"
        assert shown[-1] == CALLING.format("192.168.1.5:5525")
        pasted = "allfives join 192.168.1.5:5525 Guitar-orbit-lunar"
        assert await code("192.168.1.5", "help", pasted) == "guitar-orbit-lunar"
        assert shown[1].startswith("The host of the table sees its code")
        with pytest.raises(Stop, match="No table was chosen"):
            await code("192.168.1.5", "quit")
        assert await code("192.168.1.5", "gitar orbit lunar", "yes") == "guitar-orbit-lunar"
        assert shown[1].endswith(
            "Type yes, or the code again; Enter alone tries it as it was typed."
        )
        size = len(INVITE) // 3 + 1
        rows = [f"  {INVITE[at : at + size]}" for at in range(0, len(INVITE), size)]
        assert await code(None, INVITE) == INVITE
        assert parse_invite(str(await code(None, *rows))).line() == INVITE
        assert await code(None, rows[0], "", "guitar-orbit-lunar") == "guitar-orbit-lunar"
        assert shown[-1].startswith("This invite is damaged.")
        assert await code("192.168.1.5", can_ask=False) is None
        assert shown == []
        monkeypatch.setattr("cli.table.lan.browse", Network(FOUND[1:]).browse)
        assert await code(None) is None  # an open table


async def test_a_strange_word_of_a_code_waits_for_an_answer() -> None:
    """Where somebody can be asked; nothing is tried before."""
    asked: list[str] = []

    async def sure(code: str, *typed: str) -> str:
        del asked[:]
        lines = iter(typed)

        async def ask(question: str) -> str:
            await trio.lowlevel.checkpoint()
            asked.append(question)
            return next(lines)

        return await sure_code(ask, True, code)

    strange = "'gitar' is no word of a code that is made up. Did you mean guitar-orbit-lunar?"
    how = "Type yes, or the code again; Enter alone tries it as it was typed."
    assert await sure("gitar orbit lunar", "Yes") == "guitar-orbit-lunar"
    assert asked == [f"{strange} {how}"]
    assert await sure("gitar orbit lunar", "") == "gitar orbit lunar", "its host has made it up"
    assert await sure("gitar orbit lunar", "no", "hard sail league") == "hard-sail-league"
    assert asked[1:] == ["Type the code again; Enter alone tries it as it was typed."]
    assert await sure("gitar orbit lunar", "guitr orbit lunar", "y") == "guitar-orbit-lunar"
    assert asked[1].startswith("'guitr' is no word of a code that is made up.")
    assert await sure("gitar orbit xqzzx", "hard sail league") == "hard-sail-league"
    assert " Type the code again; Enter alone " in asked[0], "there is none to say yes to"
    assert await sure("guitar-orbit-lunar") == "guitar-orbit-lunar"
    with pytest.raises(Stop, match="No table was chosen"):
        await sure("gitar orbit lunar", "quit")


def test_a_refused_code_says_what_may_have_been_meant() -> None:
    assert meant("guitr orbit lunar") == " Did you mean guitar-orbit-lunar?"
    assert meant("guitar-orbit-lunar") == meant(None) == ""


def test_a_word_that_is_in_no_made_up_code_is_named() -> None:
    assert strange_words("gitar orbit lunar") == (
        "'gitar' is no word of a code that is made up. Did you mean guitar-orbit-lunar?"
    )
    for fine in ("guitar-orbit-lunar", "my-xyzzy", "zzz-yyy-xxx"):
        assert strange_words(fine) is None


def test_nobody_else_bears_the_name_of_a_bot() -> None:
    bot, other = replace(seat(10, NAMES[0]), owner=ANA.key), seat(11, "BOT Zed")
    assert pretended_bots((ANA, bot)) == []
    assert pretended_bots((ANA, bot, other)) == [other.key]


def test_who_pretends_to_be_a_bot_is_sent_away(tmp_path: Path) -> None:
    shown: list[str] = []
    seated = AutoSeat(player_maker("easy", 1.0), shown.append, None, None)
    home, pretender = Home(tmp_path), seat(11, NAMES[0])
    identity = Identity("Ana", IdentityKey.from_private_bytes(bytes([1]) * 32))
    with Store(home.store) as store:
        # Its lobby, which would listen on the network, only notes who is refused.
        hosting = object.__new__(_Hosting)
        hosting.visitor = Visitor(home, identity, store, seated, None, piped())
        hosting.offer, hosting.roster = offer("a-b-c"), (ANA,)
        hosting.on_lan, hosting.lobby = (
            lambda seats: None,
            Mock(partner=None, kept_out=(), sent_away=frozenset()),
        )
        hosting.on_change((ANA, BEN))
        hosting.lobby.bar.assert_not_called()
        hosting.on_change((ANA, BEN, pretender))
    hosting.lobby.bar.assert_called_once_with(pretender.key)
    assert shown[-1] == "That is none of this table's bots, so it may not stay."


class Network:
    """Stands for the local network, and for a person who answers."""

    def __init__(self, found: list[Found], *answers: str) -> None:
        self.found = found
        self.answers = list(answers)
        self.asked: list[str] = []

    async def browse(self, _: float) -> list[Found]:
        return self.found

    async def ask(self, question: str) -> str:
        self.asked.append(question)
        return self.answers.pop(0)


async def test_no_network_is_said(monkeypatch: pytest.MonkeyPatch, network: list[str]) -> None:
    monkeypatch.setattr("cli.table.lan.browse", Network([]).browse)
    network[:] = ["127.0.0.1"]
    with pytest.raises(Stop) as caught:
        await choose_table(None, None)
    assert caught.value.sentence == "No table was found: this machine is on no network."


async def test_tables_of_one_name_are_told_apart(
    monkeypatch: pytest.MonkeyPatch, network: list[str]
) -> None:
    there, false = replace(FOUND[0], key=ANA.key), replace(FOUND[0], key=BEN.key)
    again = replace(there, advert=replace(there.advert, name="lie"), addresses=("192.168.1.9:1",))
    old = Found(FOUND[0].advert, ("192.168.1.7:5525",))
    lan = Network([there, false, again, old, FOUND[1]])
    monkeypatch.setattr("cli.table.lan.browse", lan.browse)
    with pytest.raises(Stop) as caught:
        await choose_table(None, None)
    assert caught.value.sentence == (
        f"There are several tables: 'den' [{fingerprint(ANA.key)}], "
        f"'den' [{fingerprint(BEN.key)}], 'den' [192.168.1.7:5525], 'salon'. "
        "Choose one with --table."
    )
    assert await choose_table(fingerprint(BEN.key), None) == false
    lan.found = [again, there]
    assert (await choose_table("den", None)).addresses == there.addresses
    assert (await choose_table(None, None)).addresses == (*again.addresses, *there.addresses)
    assert table_words(there) == (
        f"den, host Ana [{fingerprint(ANA.key)}], 1 of 2 players, classic rules, with a code"
    )


async def test_a_found_table_is_asked_for_by_the_name_that_was_typed(
    monkeypatch: pytest.MonkeyPatch, network: list[str], tmp_path: Path
) -> None:
    """What was announced may be a lie about somebody else's table."""
    monkeypatch.setattr("cli.table.lan.browse", Network(FOUND[:1]).browse)
    home = Home(tmp_path)
    identity = Identity("Ben", IdentityKey.from_private_bytes(bytes([2]) * 32))
    seat = AutoSeat(player_maker("easy", 1.0), print, None, None)
    with Store(home.store) as store:
        desk = Visitor(home, identity, store, seat, None, piped())
        for typed, asked in ((None, ""), ("den", "den")):
            wanted = Wanted(None, "a-b-c", typed, None, None, False)
            found = await ways_to(Joining(desk, wanted, piped()))
            there = "It is announced as 'den', host Ana, 1 of 2 seats taken when you came."
            called = "'den'" if typed is None else ""
            assert found == [Way(FOUND[0].addresses, asked, there, called)]


async def test_choosing_a_table(monkeypatch: pytest.MonkeyPatch, network: list[str]) -> None:
    other = replace(FOUND[0], addresses=("192.168.1.8:5525",))
    lan = Network(FOUND, "3", "two", " 2 ")
    monkeypatch.setattr("cli.table.lan.browse", lan.browse)
    assert await choose_table("salon", None) == FOUND[1]
    assert await choose_table(None, lan.ask) == FOUND[1]
    tables = (
        "Several tables are open:\n"
        "  1  den, host Ana, 1 of 2 players, classic rules, with a code\n"
        "  2  salon, host Ben, 2 of 4 players, online rules, open to all\n"
    )
    again = f"{tables}Type a number from 1 to 2."
    assert lan.asked == [f"{tables}Which one? Type its number.", again, again]
    for wanted, sentence in [
        (None, "There are several tables: 'den', 'salon'. Choose one with --table."),
        (
            "attic",
            "No table named 'attic' was found on the local network. "
            "Name the address of its host, or paste the invite that the host sees.",
        ),
    ]:
        with pytest.raises(Stop) as caught:
            await choose_table(wanted, None)
        assert (caught.value.sentence, caught.value.code) == (sentence, 1)
    full = replace(FOUND[1], advert=replace(FOUND[1].advert, seated=4))
    lan.found, lan.answers = [full, FOUND[0], other], ["2"]
    assert await choose_table(None, lan.ask) == other
    assert lan.asked[-1].splitlines()[3].startswith("  -  salon, host Ben, playing, 4 players")
    lan.found = [full, FOUND[0]]
    assert await choose_table(None, None) == FOUND[0]
    lan.answers = ["1"]
    assert await choose_table(None, lan.ask, looks_on=True) == full
    lan.found = [full]
    assert await choose_table("salon", None) == full
    with pytest.raises(Stop, match=r"^'salon' plays already: no seat is free\."):
        await choose_table(None, lan.ask)
    lan.found = FOUND[:1]
    assert await choose_table(None, None) == FOUND[0]
    lan.found = []
    with pytest.raises(Stop, match=r"^No table was found on the local network\. "):
        await choose_table(None, lan.ask)
