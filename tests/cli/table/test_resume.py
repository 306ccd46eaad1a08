"""Taking a seat again: which match, where to listen, with which key. Whole ones: end_to_end."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from support.process.tables import free_port
from support.session.left import leave_match
from support.session.matches import classic, preset

from cli import command_line
from cli.files.home import Home
from cli.files.identity import Identity
from cli.process.errors import Stop
from cli.process.piped import PIPED
from cli.table.auto import AutoSeat
from cli.table.bots import player_maker
from cli.table.host import LISTENS_ELSEWHERE
from cli.table.left import LeftMatch, unfinished
from cli.table.notes import Door, Notes
from cli.table.resume import (
    Wanted,
    _chosen,
    _listeners,
    _moved,
    _offer,
    _opened,
    _sitting,
    _still_ours,
)
from cli.table.stay import Visit, Visitor, _AtTable
from p2p.crypto.identity import IdentityKey
from p2p.net.find.advert import Advert
from p2p.net.find.invite import parse_invite
from p2p.net.link.listen import Listeners, open_listeners
from p2p.net.link.roster import Seated
from p2p.session.sitting.owner import Began, Resumed
from p2p.store import Store

SOME = 12
LOOPBACK = "127.0.0.1"


class Typed(AsyncIterator[str]):
    """Lines of which some may never be read."""

    def __init__(self, *lines: str) -> None:
        self._lines = iter(lines)

    async def __anext__(self) -> str:
        return next(self._lines)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "home" / "store.sqlite3") as opened:
        yield opened


def visitor(store: Store, said: list[str], *lines: str, key: IdentityKey | None = None) -> Visitor:
    seat = AutoSeat(player_maker("easy", 1.0), said.append, None, None)
    identity = Identity("Ana", key or classic(2).keys[0])
    return Visitor(Home(store.path.parent), identity, store, seat, None, Typed(*lines))


def two(store: Store) -> list[str]:
    """Two unfinished matches; the beginnings of their ids."""
    tables = [leave_match(store, one.game, SOME) for one in (classic(2), preset("block", 2))]
    return [table.hex()[:8] for table in tables]


async def test_the_person_chooses_and_is_asked_again(store: Store) -> None:
    ids, said = two(store), list[str]()
    ana = visitor(store, said, "none of them", ids[1])
    left = await _chosen(ana, Wanted(None, None, None, can_ask=True))
    assert left.past.table.hex().startswith(ids[1])
    assert [line.split("\n")[0] for line in said] == [
        "Which match?",
        "No unfinished match is at a table 'none of them':",
        "Which match?",
    ]


async def test_where_nobody_can_be_asked_the_matches_are_listed(store: Store) -> None:
    ids = two(store)
    with pytest.raises(Stop) as caught:
        await _chosen(visitor(store, []), Wanted(None, None, None, can_ask=False))
    assert caught.value.code == 2
    assert all(one in caught.value.sentence for one in ids)


@pytest.mark.parametrize("named", [True, False])
async def test_a_bot_is_told_through_its_pipe(store: Store, named: bool) -> None:
    table = leave_match(store, classic(2).game, SOME)
    bot = visitor(store, [], table.hex()[:8] if named else "")
    left = await _chosen(bot, Wanted(PIPED, None, None, can_ask=False))
    assert left.past.table == table


def test_with_another_key_nobody_comes_back(store: Store) -> None:
    leave_match(store, classic(2).game, SOME)
    (left,) = unfinished(store)
    sitting = _sitting(visitor(store, []), left)
    assert sitting.session.returning
    with pytest.raises(Stop, match="another key than yours now"):
        _sitting(visitor(store, [], key=IdentityKey.generate()), left)


def test_what_does_not_hold_together_is_told(store: Store) -> None:
    leave_match(store, classic(2).game, SOME)
    store._db.execute("DELETE FROM messages WHERE number = 1")
    (left,) = unfinished(store)
    with pytest.raises(Stop, match="What is kept of this match is damaged"):
        _sitting(visitor(store, []), left)


def test_where_nothing_is_unfinished_it_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command_line.run(["resume", "--data-dir", str(tmp_path / "new")]) == 1
    assert capsys.readouterr().err == (
        "There is no unfinished match. `allfives history` lists all that were played.\n"
    )


async def test_it_listens_where_the_others_look_or_where_it_can() -> None:
    before = free_port()
    first = await _listeners(LOOPBACK, None, before)
    assert first.port == before
    other = await _listeners(LOOPBACK, None, before)
    assert other.port != before
    typed_port = free_port()
    third = await _listeners(LOOPBACK, typed_port, before)
    assert third.port == typed_port
    for one in (first, other, third):
        await one.aclose()
    again = await open_listeners(LOOPBACK, before)
    await again.aclose()


def test_an_address_that_this_machine_has_no_more_is_let_go() -> None:
    assert _still_ours(LOOPBACK) == LOOPBACK
    assert _still_ours(None) is None
    assert _still_ours("192.0.2.1") is None


def _listening(port: int, *hosts: str) -> Listeners:
    return Listeners((), port, tuple(f"{host}:{port}" for host in hosts))


def _hosted(store: Store) -> LeftMatch:
    notes = Notes("den", LOOPBACK, door=Door("guitar-orbit-lunar", "0" * 32))
    leave_match(store, classic(2).game, SOME, notes.text())
    (left,) = unfinished(store)
    return left


async def test_a_host_who_is_back_is_announced_and_reads_where_others_look_on_now(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    adverts = list[Advert]()

    @asynccontextmanager
    async def announce(advert: Advert, *rest: object) -> AsyncIterator[SimpleNamespace]:
        adverts.append(advert)
        yield SimpleNamespace(update=adverts.append)

    monkeypatch.setattr("p2p.net.find.discovery.announce", announce)
    left, desk = _hosted(store), visitor(store, [])
    offer = _offer(left)
    assert offer is not None
    advert = Advert("den", "Ben", 2, 2, "classic", open=False)
    for port, told in ((5525, False), (5526, True)):
        visit, own = Visit(desk), desk.peer(_listening(port, LOOPBACK))
        moved = replace(left, seated=_seated_at(left, f"{LOOPBACK}:5525"))
        async with _opened(visit, desk, moved, offer, own):
            assert adverts.pop() == replace(advert, host=own.neighbour().name)
        assert visit.admission is not None
        assert bool(visit.back) is told
    assert visit.back[:3] == (
        LISTENS_ELSEWHERE,
        "  allfives watch guitar-orbit-lunar  (on this machine alone)",
        f"  allfives watch {LOOPBACK}:5526 guitar-orbit-lunar",
    )
    invite = parse_invite(visit.back[3].split()[-1])
    assert (invite.secret, invite.addresses) == (bytes(16), (f"{LOOPBACK}:5526",))
    # At another address, behind a proxy, or where the network is not told.
    assert _moved(moved, _listening(5525, "192.0.2.7", LOOPBACK))
    hidden = replace(desk.peer(_listening(5526, LOOPBACK)), hidden=True)
    silent = replace(moved, notes=replace(moved.notes, lan=False))
    for one, own in ((moved, hidden), (silent, desk.peer(_listening(5526, LOOPBACK)))):
        async with _opened(Visit(desk), desk, one, offer, own):
            assert adverts == []
    assert _offer(replace(left, notes=replace(left.notes, door=None))) is None


def _seated_at(left: LeftMatch, *addresses: str) -> Seated:
    roster = tuple(replace(one, addresses=addresses) for one in left.seated.roster)
    return replace(left.seated, roster=roster)


def test_the_lines_stand_behind_what_happened_before(store: Store) -> None:
    said = list[str]()
    desk = _AtTable(visitor(store, said), ["now here"])
    desk.show(Began(classic(2).table, 0))
    assert "now here" not in said
    desk.show(Resumed(()))
    assert said[-1] == "now here"
