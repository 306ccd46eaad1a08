"""On the way to a table: with a code alone every table that has one is tried, and the right one is
found among false ones, however many and slow they are."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import trio
import trio.testing

from cli.files.home import Home
from cli.files.identity import Identity
from cli.process.errors import Stop
from cli.table.auto import AutoSeat
from cli.table.bots import player_maker
from cli.table.joining import join
from cli.table.joining.trying import CODE_TRIES, TRIED_AT_ONCE, first_of
from cli.table.joining.ways import TRIED_AT_EACH, CodeRefused, Joining, Wanted, Way, ways_to
from cli.table.lan import LOOKING_ROUND
from cli.table.onlooking.looking import LOOK_AGAIN_SECONDS, NOT_BEGUN, OTHERS_TOO, Watching
from cli.table.seating import FEW_WORDS, HOST_GONE, strange_words
from cli.table.stay import Visitor
from p2p.crypto.identity import IdentityKey, fingerprint
from p2p.net.audience.visit import Admitted
from p2p.net.errors import (
    AlreadyStarted,
    BadHostProof,
    NobodyThere,
    NoCodeHere,
    NotAllfives,
    NotSeated,
    NoWatching,
    OtherVersion,
    SentAway,
    TableClosed,
    TableFull,
    WrongCode,
)
from p2p.net.find.advert import Advert
from p2p.net.find.found import Found
from p2p.net.link.greeting import LinkSecret
from p2p.net.link.listen import Listeners
from p2p.store import Store

KEYS = [bytes([at]) for at in range(3)]


async def nothing() -> AsyncIterator[str]:
    for line in list[str]():
        yield line


@pytest.fixture
def joining(tmp_path: Path) -> Iterator[Joining]:
    """Somebody who has typed a code and nothing else."""
    home = Home(tmp_path)
    seat = AutoSeat(player_maker("easy", 1.0), print, None, None)
    identity = Identity("Ben", IdentityKey.generate())
    with Store(home.store) as store:
        visitor = Visitor(home, identity, store, seat, None, nothing())
        wanted = Wanted(None, "guitr-orbit-lunar", None, None, None, False)
        yield Joining(visitor, wanted, nothing())


def ways(count: int) -> list[Way]:
    """So many tables."""
    return [Way((f"192.0.2.{at + 1}:5525",), "") for at in range(count)]


def strangers(count: int) -> list[Way]:
    """So many tables, found with a code alone."""
    return [way._replace(found=f"'den {at}'") for at, way in enumerate(ways(count))]


async def test_with_a_code_alone_every_table_that_has_one_is_tried(
    joining: Joining, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("Ann", "Ann", "salon")
    found = [
        Found(
            Advert(name, "Ana", 2, 1, "classic", at == 2), (f"192.0.2.{at + 1}:5525",), bytes([at])
        )
        for at, name in enumerate(names)
    ]

    async def browse(wait: float) -> list[Found]:
        await trio.lowlevel.checkpoint()
        return found

    monkeypatch.setattr("cli.table.lan.browse", browse)
    told = list[str]()
    monkeypatch.setattr(Visitor, "tell", lambda self, line: told.append(line))
    found_ways = await ways_to(joining)
    assert [way._replace(there="", found="") for way in found_ways] == ways(2)
    taken = "1 of 2 seats taken when you came."
    keys = [fingerprint(bytes([at])) for at in range(2)]
    assert [way.found for way in found_ways] == [f"'Ann' [{key}]" for key in keys]
    assert found_ways[0].there == f"It is announced as 'Ann', host Ana, {taken}"
    assert told == [strange_words("guitr-orbit-lunar")]
    told.clear()
    joining.wanted = replace(joining.wanted, code="guitar orbit")
    assert await ways_to(joining) == found_ways
    assert told == [FEW_WORDS], "it may be one that the host has made up"
    joining.wanted = replace(joining.wanted, can_ask=True)
    assert await ways_to(joining) == found_ways
    assert told[1:] == [FEW_WORDS, LOOKING_ROUND, TRIED_AT_EACH.format(2)]
    joining.wanted = replace(joining.wanted, can_ask=False)
    del found[:2]
    assert [way.target for way in await ways_to(joining)] == [ways(3)[2].target]
    del found[:]
    with pytest.raises(Stop, match="No table was found"):
        await ways_to(joining)


async def test_a_strange_word_waits_for_its_answer_before_a_table_is_looked_for(
    joining: Joining, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str | None] = []

    async def browse(wait: float) -> list[Found]:
        await trio.lowlevel.checkpoint()
        looked.append(joining.wanted.code)
        return []

    monkeypatch.setattr("cli.table.lan.browse", browse)
    typing, joining.lines = trio.open_memory_channel[str](1)
    typing.send_nowait("yes")
    joining.wanted = replace(joining.wanted, can_ask=True)
    with pytest.raises(Stop, match="No table was found"):
        await ways_to(joining)
    assert looked == ["guitar-orbit-lunar"]
    typing.send_nowait("hard sail league")
    joining.wanted = replace(joining.wanted, where="192.0.2.1", code="guitr-orbit-lunar")
    assert await ways_to(joining) == ways(1)
    assert joining.wanted.code == "hard-sail-league", "an address changes nothing about it"


async def test_the_right_one_is_found_among_false_ones_that_answer_never(
    joining: Joining, autojump_clock: trio.testing.MockClock
) -> None:
    tables = ways(TRIED_AT_ONCE)
    ended: list[Way] = []

    async def attempt(way: Way, right: Callable[[], None]) -> str:
        at = tables.index(way)
        if at == 7:
            await trio.sleep(1)
            right()
            await trio.sleep(5)
            return "seated"
        if at % 2:
            raise [WrongCode, BadHostProof, TableFull][at % 3]
        try:
            await trio.sleep(60)
            return "elsewhere"
        finally:
            ended.append(way)

    assert await first_of(joining, tables, attempt) == "seated"
    assert trio.current_time() < 10
    assert len(ended) == TRIED_AT_ONCE // 2


async def test_what_the_right_one_says_last_is_told_and_else_that_none_takes_it(
    joining: Joining,
) -> None:
    async def closes(way: Way, right: Callable[[], None]) -> None:
        await trio.lowlevel.checkpoint()
        if way == ways(3)[1]:
            right()
            raise TableClosed
        raise AlreadyStarted

    with pytest.raises(TableClosed):
        await first_of(joining, ways(3), closes)

    async def wrong(way: Way, right: Callable[[], None]) -> None:
        await trio.lowlevel.checkpoint()
        raise WrongCode

    with pytest.raises(Stop) as caught:
        await first_of(joining, strangers(4), wrong)
    assert caught.value.sentence == (
        "None of the 4 tables on this network takes this code now. Did you mean guitar-orbit-lunar?"
    )
    with pytest.raises(CodeRefused) as caught:
        await first_of(joining, strangers(3), wrong)
    assert caught.value.sentence == (
        "Only 'den 0', 'den 1' and 'den 2' were found here, and none of them takes this code. "
        "Did you mean guitar-orbit-lunar?"
    )

    async def each(way: Way, right: Callable[[], None]) -> None:
        await trio.lowlevel.checkpoint()
        raise AlreadyStarted if way == strangers(3)[1] else WrongCode

    with pytest.raises(CodeRefused) as caught:
        await first_of(joining, strangers(2), each)
    assert caught.value.sentence == (
        "Only 'den 0' and 'den 1' were found here: 'den 0' does not take this code and 'den 1' "
        "plays already. Did you mean guitar-orbit-lunar?"
    )

    async def sends_away(way: Way, right: Callable[[], None]) -> None:
        await trio.lowlevel.checkpoint()
        raise SentAway if way == ways(3)[1] else WrongCode

    with pytest.raises(SentAway):
        await first_of(joining, ways(3), sends_away)

    async def seats_the_last(way: Way, right: Callable[[], None]) -> str:
        await trio.lowlevel.checkpoint()
        if way == ways(3)[2]:
            return "seated"
        raise SentAway

    assert await first_of(joining, ways(3), seats_the_last) == "seated"
    with pytest.raises(Stop, match="did not accept this code"):
        await first_of(joining, ways(1), wrong)


async def _with_browsed(
    monkeypatch: pytest.MonkeyPatch,
    joining: Joining,
    count: int,
    attempt: Callable[[Way, Callable[[], None]], Awaitable[str]],
) -> str:
    """What the first right one of so many tables gives that are there all the time."""
    tables = [_found(f"192.0.2.{at + 1}") for at in range(count)]

    async def browse(wait: float) -> list[Found]:
        await trio.lowlevel.checkpoint()
        return tables

    monkeypatch.setattr("cli.table.lan.browse", browse)
    return await first_of(joining, await ways_to(joining), attempt)


async def test_a_wrong_code_is_asked_for_again_so_often(
    joining: Joining, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str | None] = []

    async def attempt(way: Way, right: Callable[[], None]) -> str:
        await trio.lowlevel.checkpoint()
        tried.append(joining.wanted.code)
        if joining.wanted.code != "lunar-orbit-guitar":
            raise WrongCode
        return "seated"

    typing, joining.lines = trio.open_memory_channel[str](9)

    def typed(*lines: str) -> None:
        for line in lines:
            typing.send_nowait(line)

    joining.wanted = replace(joining.wanted, can_ask=True)
    typed("one two three", "Lunar Orbit Guitar")
    assert await first_of(joining, ways(1), attempt) == "seated"
    assert tried == ["guitr-orbit-lunar", "one-two-three", "lunar-orbit-guitar"]
    typed("x", "")
    joining.wanted = replace(joining.wanted, code="y")
    with pytest.raises(Stop, match="None of the 4 tables"):
        await _with_browsed(monkeypatch, joining, 4, attempt)
    typed(*["x"] * CODE_TRIES)
    joining.wanted = replace(joining.wanted, code="y")
    tried.clear()
    with pytest.raises(Stop, match="did not accept"):
        await first_of(joining, ways(1), attempt)
    assert len(tried) == CODE_TRIES


@pytest.mark.parametrize("looks_on", [False, True])
async def test_for_a_further_code_the_tables_are_looked_for_anew(
    joining: Joining,
    looks_on: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The right one may have been opened since, and the first one have gone."""
    olga, dora = _found("192.0.2.1", "Table of Olga"), _found("192.0.2.2", "Table of Dora")
    rounds = [[olga], [], [olga, dora]]

    async def browse(wait: float) -> list[Found]:
        await trio.lowlevel.checkpoint()
        return rounds.pop(0)

    async def attempt(way: Way, right: Callable[[], None]) -> str:
        await trio.lowlevel.checkpoint()
        if way.target == dora.addresses and joining.wanted.code == "hard-sail-league":
            return "at Dora's"
        raise WrongCode

    monkeypatch.setattr("cli.table.lan.browse", browse)
    typing, joining.lines = trio.open_memory_channel[str](2)
    typing.send_nowait("hard sail arena")
    typing.send_nowait("hard sail league")
    joining.wanted = replace(joining.wanted, code="anchor acid acid", can_ask=True)
    joining.looks_on = looks_on
    tables = await ways_to(joining)
    assert await first_of(joining, tables, attempt) == "at Dora's"
    assert [way.target for way in tables] == [dora.addresses], "its door is the one to come back to"
    gone = f" {HOST_GONE}" if looks_on else ""
    asked = [line for line in capsys.readouterr().out.splitlines() if "Enter alone" in line]
    assert asked[0] == (
        f"Only 'Table of Olga' was found here, and it does not take this code.{gone} "
        "Type the code again; Enter alone gives up."
    )
    assert asked[1].startswith("No table was found on the local network.")


@pytest.mark.parametrize(
    ("refusal", "what"),
    [
        (AlreadyStarted, "plays already"),
        (TableFull, "has no free seat"),
        (NoWatching, "lets nobody look on"),
        (NoCodeHere, "is open and has no code"),
        (BadHostProof, "cannot prove that it knows this code"),
    ],
)
async def test_a_strangers_table_that_lets_nobody_in_is_not_taken_for_the_right_one(
    joining: Joining,
    refusal: type[NotSeated],
    what: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def attempt(way: Way, right: Callable[[], None]) -> str:
        await trio.lowlevel.checkpoint()
        if joining.wanted.code != "hard-sail-league":
            raise refusal
        return "seated"

    joining.wanted = replace(joining.wanted, code="acid-acid-acid")
    with pytest.raises(Stop) as caught:
        await _with_browsed(monkeypatch, joining, 1, attempt)
    assert caught.value.sentence == f"Only 'den' was found here, and it {what}."
    assert caught.value.code == 1
    typing, joining.lines = trio.open_memory_channel[str](1)
    typing.send_nowait("hard sail league")
    joining.wanted = replace(joining.wanted, can_ask=True)
    assert await _with_browsed(monkeypatch, joining, 1, attempt) == "seated"
    assert f"and it {what}. Type the code again;" in capsys.readouterr().out
    joining.wanted, joining.table_name = replace(joining.wanted, code="acid-acid-acid"), "den"
    with pytest.raises(refusal):  # whom one sat with already is meant
        await first_of(joining, strangers(1), attempt)
    joining.table_name = ""
    with pytest.raises(refusal):  # an address was typed
        await first_of(joining, ways(1), attempt)


async def test_a_table_that_does_not_answer_any_more_ends_nothing(
    joining: Joining,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    autojump_clock: trio.testing.MockClock,
) -> None:
    answers: dict[str | None, NotSeated] = {
        "acid-acid-acid": WrongCode(),
        "acid-acid-acorn": NobodyThere("[fe80::1]:5525"),
        "acid-acid-zoom": OtherVersion(1, 2),
    }

    async def attempt(way: Way, right: Callable[[], None]) -> str:
        await trio.lowlevel.checkpoint()
        raise answers[joining.wanted.code]

    typing, joining.lines = trio.open_memory_channel[str](2)
    typing.send_nowait("acid acid acorn")
    typing.send_nowait("acid acid zoom")
    joining.wanted = replace(joining.wanted, code="acid-acid-acid", can_ask=True)
    with pytest.raises(OtherVersion):
        await _with_browsed(monkeypatch, joining, 1, attempt)
    told = capsys.readouterr().out
    assert "Only 'den' was found here, and it does not answer now. Type the code again;" in told
    assert "fe80" not in told


async def test_back_at_the_door_one_waits_until_the_host_is_there_again(
    joining: Joining, monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    answers: list[object] = []
    tries = 0

    async def seated(joining: Joining, own: object, ways: object) -> object:
        nonlocal tries
        tries += 1
        await trio.lowlevel.checkpoint()
        answer = answers.pop(0) if answers else NobodyThere("192.0.2.1:5525")
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(join, "_seated", seated)
    own = joining.visitor.peer(Listeners((), 0, ()))
    with pytest.raises(NobodyThere):
        await join._seated_again(joining, own, ways(1))
    assert tries == 1
    joining.table_name = "den"
    place = object()
    answers[:] = [AlreadyStarted(), NotAllfives("192.0.2.1:5525"), place]
    assert await join._seated_again(joining, own, ways(1)) is place
    assert tries == 4
    with pytest.raises(TableClosed):
        await join._seated_again(joining, own, ways(1))
    assert join.BACK_SECONDS <= trio.current_time() <= join.BACK_SECONDS + 5
    answers[:] = [SentAway()]
    with pytest.raises(SentAway):
        await join._seated_again(joining, own, ways(1))


def test_who_looks_on_hears_once_who_is_there_before_the_match_begins(
    joining: Joining, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = list[str]()
    monkeypatch.setattr(Visitor, "tell", lambda self, line: told.append(line))
    watching, there = Watching(joining.visitor), "It is announced as 'den', host Ana."
    for _ in range(2):
        watching._waits(Way(("192.0.2.1:5525",), "", there), "not-begun")
    assert told == [f"{NOT_BEGUN} {there}"]
    watching._waits(Way(("192.0.2.1:5525",), ""), "not-begun")
    assert told[1:] == [NOT_BEGUN]


async def test_who_waited_to_look_on_hears_that_the_host_closed_the_table(
    joining: Joining, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nobody(*given: object) -> object:
        await trio.lowlevel.checkpoint()
        raise NobodyThere("192.0.2.1:5525")

    monkeypatch.setattr("cli.table.onlooking.looking.first_of", nobody)
    watching, own = Watching(joining.visitor), joining.visitor.peer(Listeners((), 0, ()))
    with pytest.raises(Stop, match=r"Nobody answers .* nobody new can look on"):
        await watching._let_in(joining, ways(1), own)
    watching._waits(ways(1)[0], "not-begun")
    with pytest.raises(TableClosed):
        await watching._let_in(joining, ways(1), own)


def _found(host: str, name: str = "den") -> Found:
    return Found(Advert(name, "Ana", 2, 1, "classic", False), (f"{host}:5525",))


async def test_who_waits_at_a_strangers_table_tries_those_that_come_later(
    joining: Joining, monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    """A table whose match has not begun asks for no proof, and may be a stranger's; the right one,
    whose host was away, is announced again."""
    told, tables, tried = list[str](), [_found("192.0.2.1")], list[str]()
    right = Admitted(LinkSecret(b"t" * 32, b"s" * 32), ())

    async def announced() -> list[Found]:
        await trio.lowlevel.checkpoint()
        return list(tables)

    async def come_in(
        own: object, target: Sequence[str], code: str, table: str, on_wait: Callable[[str], None]
    ) -> Admitted:
        tried.append(target[0])
        if target[0] == "192.0.2.1:5525":
            on_wait("not-begun")
            tables.extend([_found("192.0.2.2"), _found("192.0.2.3")])
            await trio.sleep_forever()
        await trio.lowlevel.checkpoint()
        if target[0] == "192.0.2.2:5525":
            raise WrongCode
        return right

    monkeypatch.setattr(Visitor, "tell", lambda self, line: told.append(line))
    monkeypatch.setattr("cli.table.lan.tables_with_code", announced)
    monkeypatch.setattr("cli.table.onlooking.looking.come_in", come_in)
    joining.looks_on = True
    watching, own = Watching(joining.visitor), joining.visitor.peer(Listeners((), 0, ()))
    with trio.fail_after(3 * LOOK_AGAIN_SECONDS):
        assert await watching._let_in(joining, await ways_to(joining), own) is right
    assert sorted(tried) == [f"192.0.2.{number}:5525" for number in (1, 2, 3)]
    assert told[-1].endswith(f"1 of 2 seats taken when you came. {OTHERS_TOO}")


async def test_where_the_code_opens_nothing_who_would_look_on_hears_that_the_host_may_be_gone(
    joining: Joining,
) -> None:
    async def wrong(way: Way, right: Callable[[], None]) -> Admitted:
        await trio.lowlevel.checkpoint()
        raise WrongCode

    for looks_on in (False, True):
        joining.looks_on = looks_on
        for count in (1, 2):
            with pytest.raises(CodeRefused) as caught:
                await first_of(joining, ways(count), wrong)
            assert caught.value.sentence.endswith(HOST_GONE) is looks_on
