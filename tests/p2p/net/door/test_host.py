"""p2p.net.door.host and joining over real sockets: seated, refused, left, started."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
import trio
import trio.testing
from support.limits import HANG_SECONDS
from support.net.world import BEN, CODE, TICKET, Guest, Host, key, loopback, peer, size

from engine.rules import Rules
from p2p.net.door.host import HostLobby
from p2p.net.door.joiner import prove
from p2p.net.door.offer import TableOffer
from p2p.net.errors import (
    BadCode,
    NameRefused,
    NotSeated,
    SentAway,
    TableClosed,
    TableFull,
    WrongCode,
    WrongHost,
    WrongInvite,
)
from p2p.net.find.invite import Invite
from p2p.net.link.addresses import parse_address
from p2p.net.link.dial import dial
from p2p.net.link.message import whole
from p2p.net.link.roster import Neighbour, Seated
from p2p.session.state.table import BadName, Table
from p2p.wire.codec import encode

Run = Callable[[], Awaitable[Seated]]


async def together(*runs: Run) -> list[Seated]:
    """All of them at once, results in their order."""
    results: dict[int, Seated] = {}

    async def one(place: int, run: Run) -> None:
        results[place] = await run()

    with trio.fail_after(HANG_SECONDS):
        async with trio.open_nursery() as nursery:
            for place, run in enumerate(runs):
                nursery.start_soon(one, place, run)
    return [results[place] for place in range(len(runs))]


async def refused(host: Host, guest: Guest, kind: type[NotSeated]) -> str:
    """The sentence with which this guest is turned away, while the host goes on."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(host.run)
        with trio.fail_after(HANG_SECONDS), pytest.raises(kind) as caught:
            await guest.run(host.listeners.addresses)
        nursery.cancel_scope.cancel()
    return str(caught.value)


@pytest.mark.parametrize("players", [2, 3, 4])
async def test_a_table_fills_and_all_hold_the_same(players: int) -> None:
    async with loopback(players) as (first, *others):
        host = Host(first, key(1), players=players)
        guests = [Guest(one, key(2 + n), f"Ben{n}") for n, one in enumerate(others)]

        def run(guest: Guest, seed: int) -> Run:
            return lambda: guest.run(first.addresses, seed)

        runs = [run(guest, 300 + n) for n, guest in enumerate(guests)]
        seated = await together(host.run, *runs)
    assert all(one == seated[0] for one in seated)
    table, roster = seated[0].table, seated[0].roster
    assert len(seated[0].secret) == 32
    assert table == Table.decode(table.description)
    assert all(map(Neighbour.is_one, roster, table.people))
    assert {one.name for one in table.people} == {"Ana", *(g.name for g in guests)}
    assert {one.addresses for one in roster} == {one.addresses for one in (first, *others)}
    assert guests[0].gatherings[-1].table_name == "den"
    assert guests[0].gatherings[-1].rules == table.rules == Rules.make("classic", players)
    assert len(host.rosters) == players
    assert repr(seated[0].secret) not in repr(seated[0])


async def test_whatever_order_people_arrive_in_the_seats_are_the_same() -> None:
    orders: set[tuple[bytes, ...]] = set()
    for order in ((2, 3), (3, 2)):
        async with loopback(3) as (a, *others):
            host = Host(a, key(1), players=3)
            async with trio.open_nursery() as nursery:
                results: list[Seated] = []

                async def hosting(host: Host = host, results: list[Seated] = results) -> None:
                    results.append(await host.run())

                nursery.start_soon(hosting)
                for count, (who, where) in enumerate(zip(order, others, strict=True)):
                    nursery.start_soon(Guest(where, key(who)).run, a.addresses, who)
                    await host.until(size(2 + count))
            orders.add(tuple(one.key for one in results[0].roster))
    assert len(orders) == 1


async def test_codes_are_compared_without_case_and_invites_and_open_tables_work() -> None:
    async with loopback(2) as (a, b):
        guest = Guest(b, key(2), code="GUITAR orbit_Lunar")
        await together(Host(a, key(1)).run, lambda: guest.run(a.addresses))
    async with loopback(2) as (a, b):
        await together(
            Host(a, key(1), code=None).run, lambda: Guest(b, key(2), code=None).run(a.addresses)
        )
    async with loopback(2) as (a, b):
        invite = Invite(key(1).public, bytes(range(16)), a.addresses)
        await together(Host(a, key(1)).run, lambda: Guest(b, key(2), code=None).run(invite))


async def test_a_table_whose_match_never_began_fills_again_with_the_same_code() -> None:
    async with loopback(3) as (a, b, c):
        host = Host(a, key(1))
        first, other = Guest(b, key(2)), Guest(c, key(3))
        for guests in ([first], [other]):
            seats: list[Seated] = []

            async def sit(guest: Guest, seats: list[Seated] = seats) -> None:
                seats.append(await guest.run(a.addresses))

            with trio.fail_after(HANG_SECONDS):
                async with trio.open_nursery() as nursery:
                    for guest in guests:
                        nursery.start_soon(sit, guest)
                    again = host.lobby.run() if guests == [other] else host.run()
                    seats.append(await again)
            assert seats[0].table == seats[1].table
            assert seats[0].secret == seats[1].secret
        assert [len(roster) for roster in host.rosters] == [1, 2, 1, 2]


async def test_wrong_codes_and_the_seated_pair_beside_it() -> None:
    async with loopback(3) as (a, b, c):
        host = Host(a, key(1), players=3)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(host.run)
            nursery.start_soon(Guest(b, key(2)).run, a.addresses)
            await host.until(size(2))
            for wrong in ("guitar-orbit-luna", "x"):
                with trio.fail_after(HANG_SECONDS), pytest.raises(WrongCode) as caught:
                    await Guest(c, key(3), code=wrong).run(a.addresses)
            assert str(caught.value) == (
                "The table did not accept this code. Ask the host for the right one."
            )
            assert len(host.rosters[-1]) == 2
            with trio.fail_after(HANG_SECONDS):
                await Guest(c, key(3)).run(a.addresses)


async def test_wrong_invites() -> None:
    async with loopback(2) as (a, b), trio.open_nursery() as nursery:
        nursery.start_soon(Host(a, key(1)).run)
        with trio.fail_after(HANG_SECONDS), pytest.raises(WrongInvite):
            await Guest(b, key(2)).run(Invite(key(1).public, bytes(16), a.addresses))
        with trio.fail_after(HANG_SECONDS), pytest.raises(WrongHost) as caught:
            await Guest(b, key(2)).run(Invite(key(7).public, bytes(range(16)), a.addresses))
        assert str(caught.value) == (
            f"The machine at {a.addresses[0]} does not hold the key of the invite. "
            "Ask the host for a new one."
        )
        nursery.cancel_scope.cancel()


async def test_whoever_is_sent_away_is_not_let_in_again() -> None:
    async with loopback(3) as (a, b, c), trio.open_nursery() as nursery:
        host = Host(a, key(1), players=3)
        nursery.start_soon(host.run)

        async def joining_in_vain() -> None:
            for _ in range(2):
                with trio.fail_after(HANG_SECONDS), pytest.raises(SentAway) as caught:
                    await Guest(b, key(2)).run(a.addresses)
            assert str(caught.value) == (
                "The host did not let you sit at this table. Ask the host, or look for another one."
            )
            nursery.start_soon(Guest(c, key(3)).run, a.addresses)

        nursery.start_soon(joining_in_vain)
        await host.until(size(2))
        host.lobby.refuse(key(2).public)
        await host.until(size(1))
        await host.until(lambda roster: [one.key for one in roster[1:]] == [key(3).public])
        assert [len(roster) for roster in host.rosters] == [1, 2, 1, 2]
        nursery.cancel_scope.cancel()


async def test_who_was_sent_away_sits_again_once_the_host_says_so_and_who_is_barred_never() -> None:
    async with loopback(2) as (a, b), trio.open_nursery() as nursery:
        host, ben = Host(a, key(1), players=3), key(2).public
        nursery.start_soon(host.run)
        await host.until(size(1))
        for send_away in (host.lobby.refuse, host.lobby.bar):

            async def joining() -> None:
                with pytest.raises(SentAway):
                    await Guest(b, key(2)).run(a.addresses)

            nursery.start_soon(joining)
            await host.until(size(2))
            send_away(ben)
            await host.until(size(1))
            kept_out = [one.name for one in host.lobby.kept_out]
            assert kept_out == (["Ben"] if host.lobby.sent_away else [])
            host.lobby.admit(ben)
            assert not host.lobby.sent_away
        assert host.lobby._refused == {ben}
        nursery.cancel_scope.cancel()


async def test_a_full_table_says_so_to_whom_it_could_still_tell() -> None:
    """Cid has proven the code before Ben took the last seat, and says its name after that."""
    async with loopback(1) as (a,), trio.open_nursery() as nursery:
        host = Host(a, key(1))
        nursery.start_soon(host.run)
        await host.until(size(1))
        at = parse_address(a.addresses[0])
        late, early = await dial([at], None), await dial([at], None)
        await prove(late, peer(3), TICKET)
        # Ben's client shows the lobby but never says that it is ready, so the table stays full.
        await prove(early, peer(2), TICKET)
        await early.link.tell(*whole(BEN))
        await host.until(size(2))
        await late.link.tell(*whole(BEN))
        with trio.fail_after(HANG_SECONDS):
            assert await late.link.receive() == b"\x01" + encode(["no", "full"])
        assert str(TableFull()) == "The table is full. Ask the host to open a new one."
        for reached in (late, early):
            await reached.link.aclose()
        nursery.cancel_scope.cancel()


def test_only_who_is_at_the_table_can_be_the_partner() -> None:
    rules = Rules.make("classic", 4, {"partners": "yes"})
    lobby = HostLobby(
        peer(1), TableOffer("den", rules, None, bytes(16)), lambda roster: None, print
    )
    lobby.sit_with(key(2).public)
    assert lobby.partner is None


def test_what_the_host_typed_is_judged_before_the_table_opens() -> None:
    rules = Rules.make("classic", 2)
    bad = [(peer(1), "\x1b", None, BadName), (peer(1), "den", " - ", BadCode)]
    bad.append((replace(peer(1), name=""), "den", None, BadName))
    for own, name, code, kind in bad:
        with pytest.raises(kind):
            HostLobby(own, TableOffer(name, rules, code, bytes(16)), lambda roster: None, print)


def test_what_lets_people_in_is_in_no_repr() -> None:
    offer = TableOffer("den", Rules.make("classic", 2), CODE, b"\xfesecret")
    assert CODE not in repr(offer)
    assert "secret" not in repr(offer).replace("invite_secret", "")


async def test_the_partner_sits_opposite_and_is_none_any_more_after_leaving() -> None:
    async with loopback(5) as (a, *others), trio.open_nursery() as nursery:
        host = Host(a, key(1), players=4, rules=Rules.make("classic", 4, {"partners": "yes"}))
        seated: list[Seated] = []

        async def hosting() -> None:
            seated.append(await host.run())
            nursery.cancel_scope.cancel()

        nursery.start_soon(hosting)
        async with trio.open_nursery() as first:
            first.start_soon(Guest(others[0], key(2)).run, a.addresses)
            await host.until(size(2))
            host.lobby.sit_with(key(2).public)
            assert host.lobby.partner == key(2).public
            first.cancel_scope.cancel()
        await host.until(size(1))
        assert host.lobby.partner is None
        for number in (2, 3):
            nursery.start_soon(Guest(others[number - 2], key(number)).run, a.addresses, number)
            await host.until(size(number))
        host.lobby.sit_with(key(3).public)
        nursery.start_soon(Guest(others[2], key(4)).run, a.addresses, 4)
        with trio.fail_after(HANG_SECONDS):
            await trio.sleep_forever()
    keys = [person.key for person in seated[0].table.people]
    assert (keys.index(key(1).public) - keys.index(key(3).public)) % 4 == 2


@pytest.mark.parametrize("name", ["", "x" * 25, "a\x1b[31m", "a\u202eb", " a", "e\u0301", "a\nb"])
async def test_names(name: str) -> None:
    async with loopback(2) as (a, b):
        with pytest.raises(BadName):
            await Guest(b, key(2), name).run(a.addresses)
        host = Host(a, key(1))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(host.run)
            reached = await dial([parse_address(a.addresses[0])], None)
            await prove(reached, peer(2), TICKET)
            await reached.link.tell("seat", name, [])
            with trio.fail_after(HANG_SECONDS):
                assert await reached.link.hear() == ["no", "name"]
            await reached.link.aclose()
            nursery.cancel_scope.cancel()
    assert len(host.rosters) == 1
    assert str(NameRefused()) == (
        "The table did not accept your name. Take 1 to 24 printable characters."
    )


async def test_a_joiner_that_leaves_frees_its_seat_and_one_that_returns_takes_its_own() -> None:
    async with loopback(2) as (a, b):
        host = Host(a, key(1), players=3)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(host.run)
            async with trio.open_nursery() as first:
                first.start_soon(Guest(b, key(2)).run, a.addresses)
                await host.until(size(2))
                first.cancel_scope.cancel()
            await host.until(size(1))
            async with trio.open_nursery() as second:

                async def stale() -> None:
                    with pytest.raises(NotSeated):
                        await Guest(b, key(2), "Ben").run(a.addresses)

                second.start_soon(stale)
                await host.until(size(2))
                second.start_soon(Guest(b, key(2), "Ben again").run, a.addresses)
                await host.until(lambda roster: "Ben again" in [one.name for one in roster])
                assert len(host.rosters[-1]) == 2
                second.cancel_scope.cancel()
            nursery.cancel_scope.cancel()


async def test_a_host_that_closes_the_table() -> None:
    async with loopback(2) as (a, b), trio.open_nursery() as hosting:
        host = Host(a, key(1), players=3)
        hosting.start_soon(host.run)

        async def joined() -> None:
            with pytest.raises(TableClosed) as caught:
                await Guest(b, key(2)).run(a.addresses)
            assert str(caught.value) == (
                "The host closed the table before the match began. Ask for a new one."
            )

        async with trio.open_nursery() as nursery:
            nursery.start_soon(joined)
            await host.until(size(2))
            hosting.cancel_scope.cancel()
            with trio.CancelScope(shield=True), trio.move_on_after(HANG_SECONDS):
                while nursery.child_tasks:
                    await trio.lowlevel.checkpoint()
