"""Another match of the same people over the same links: agreed by all, or not at all."""

import pytest
import trio
import trio.testing
from support.limits import HANG_SECONDS
from support.net.pump_seats import Seat, another, make_seats, play
from support.session.tables import seeded

from p2p.net.errors import NoRematch
from p2p.net.link.live import LinkDown, LinkUp, Received
from p2p.net.match.pump import Outcome
from p2p.net.match.rematch import MAX_EARLY_A_SEAT, Reseated
from p2p.session.verify import verify_record
from p2p.wire.codec import encode
from p2p.wire.talk import Again, Done, Said, Talk, encode_talk


def nonce(seat: Seat, turn: int = 1) -> bytes:
    """What a seat says for match number `turn` + 1."""
    return seeded(f"again {turn} {seat.session.seat}")(32)


async def agree(seats: list[Seat], turn: int = 1) -> list[Reseated]:
    """Everybody asks; the links of the next match, by seat."""
    found: dict[int, Reseated] = {}

    async def one(number: int, seat: Seat) -> None:
        seat.pump.rematch.ask(nonce(seat, turn))
        found[number] = await seat.pump.another()

    with trio.fail_after(HANG_SECONDS):
        async with trio.open_nursery() as nursery:
            for number, seat in enumerate(seats):
                nursery.start_soon(one, number, seat)
    return [found[number] for number in range(len(seats))]


@pytest.mark.parametrize("players", [2, 3, 4])
async def test_three_matches_one_after_the_other(players: int) -> None:
    seats = make_seats(players, target="5")
    await play(seats)
    ids = {seats[0].session.table.id}
    records = {seats[0].session.record()}
    for turn in (1, 2):
        links = await agree(seats, turn)
        tables = {one.table.id: one.table for one in links}
        assert len(tables) == 1
        (table,) = tables.values()
        assert {person.key for person in table.people} == {
            person.key for person in seats[0].session.table.people
        }
        assert {person.nonce for person in table.people} == {nonce(seat, turn) for seat in seats}
        assert table.rules == seats[0].session.table.rules
        seats = [another(seat, one) for seat, one in zip(seats, links, strict=True)]
        await play(seats)
        assert [seat.outcome for seat in seats] == [Outcome("finished")] * players
        assert len({seat.session.record() for seat in seats}) == 1
        assert verify_record(seats[0].session.record()).closed
        ids.add(table.id)
        records.add(seats[0].session.record())
    assert len(ids) == len(records) == 3


async def test_seats_change_and_every_link_still_leads_to_the_same_person() -> None:
    """Over some tables people sit otherwise than before."""
    moved = False
    for at in range(3):
        seats = make_seats(3, name=f"moved {at}", target="5")
        await play(seats)
        links = await agree(seats)
        before, after = seats[0].session.table, links[0].table
        moved = moved or [p.key for p in before.people] != [p.key for p in after.people]
        for seat, one in zip(seats, links, strict=True):
            for other in after.seats:
                if after.people[other].key != before.people[seat.session.seat].key:
                    old = before.seat_of(after.people[other].key)
                    one.send(other, b"to you")
                    assert seat.hub.wires[old].feed.statistics().current_buffer_used
                    event = await links[old].events.receive()
                    assert event == Received(
                        after.seat_of(before.people[seat.session.seat].key), b"to you"
                    )
                    one.close(other, "enough")
                    assert seat.hub.wires[seat.session.seat].closed[-1] == (old, "enough")
                    assert await one.events.receive() == LinkDown(other, "enough")
    assert moved


async def test_partners_keep_their_sides() -> None:
    for at in range(2):
        seats = make_seats(4, name=f"sides {at}", partners="yes", target="5")
        await play(seats)
        table = (await agree(seats))[0].table
        before = seats[0].session.table
        sides = [{person.key for person in one.people[::2]} for one in (before, table)]
        other = {person.key for person in before.people[1::2]}
        assert sides[1] in (sides[0], other)


async def test_what_is_said_at_the_next_table_before_the_last_wish_is_heard_counts() -> None:
    """Seat 1 hears of seat 2's wish long after seats 0 and 2 have begun."""
    seats = make_seats(3, target="5")
    await play(seats)
    hub = seats[0].hub
    hub.held[2, 1] = []
    links: dict[int, Reseated] = {}

    async def one(number: int) -> None:
        seats[number].pump.rematch.ask(nonce(seats[number]))
        links[number] = await seats[number].pump.another()
        seats[number] = another(seats[number], links[number])
        await seats[number].run()

    with trio.fail_after(HANG_SECONDS):
        async with trio.open_nursery() as nursery:
            for number in range(3):
                nursery.start_soon(one, number)
            await trio.testing.wait_all_tasks_blocked(0.05)
            assert sorted(links) == [0, 2]
            assert hub.held[2, 1]
            hub.release(2, 1)
    assert [seat.outcome for seat in seats] == [Outcome("finished")] * 3
    assert len({seat.session.record() for seat in seats}) == 1


async def waiting(seat: Seat, *events: LinkDown | LinkUp | Received) -> str:
    """The sentence with which a seat that waits for the others gives up."""
    for event in events:
        seat.hub.wires[seat.session.seat].feed.send_nowait(event)
    with trio.fail_after(HANG_SECONDS), pytest.raises(NoRematch) as caught:
        await seat.pump.another()
    return str(caught.value)


async def test_whoever_leaves_makes_it_impossible() -> None:
    seats = make_seats(3, target="5")
    await play(seats)
    seats[0].pump.rematch.ask(nonce(seats[0]))
    names = [player.name for player in seats[0].session.table.players]
    assert seats[0].pump.repeatable
    assert await waiting(seats[0], LinkUp(1), LinkDown(2, "the other side left")) == (
        f"{names[2]} has left, so there is no other match at this table."
    )


async def test_without_a_link_nobody_is_asked() -> None:
    seats = make_seats(2, target="5")
    seats[0].hub.wires[0].feed.send_nowait(LinkDown(1, "gone"))
    await play([seats[0]])
    assert not seats[0].pump.repeatable
    name = seats[0].session.table.players[1].name
    assert await waiting(seats[0]) == (
        f"{name} has left, so there is no other match at this table."
    )


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ([encode_talk(Again(b"a" * 32)), encode_talk(Again(b"b" * 32))], "a second nonce"),
        ([encode(["again", b"short"])], "it sent"),
        ([b"\xc1"], "it sent"),
        (
            [encode_talk(Again(b"a" * 32))]
            + [encode_talk(Said(bytes([n]))) for n in range(MAX_EARLY_A_SEAT + 1)],
            "too much before",
        ),
    ],
)
async def test_wrong_things_end_the_link(said: list[bytes], why: str) -> None:
    seats = make_seats(3, target="5")
    await play(seats)
    wires = seats[0].hub.wires[0]
    await waiting(seats[0], *(Received(1, payload) for payload in said))
    assert [(seat, why in reason) for seat, reason in wires.closed] == [(1, True)]


async def test_a_wish_before_the_end_ends_the_link() -> None:
    seats = make_seats(2, target="5")
    wires = seats[0].hub.wires[0]
    wires.feed.send_nowait(Received(1, encode_talk(Again(b"a" * 32))))
    await play([seats[0]])
    assert wires.closed[0][1].endswith("a wish for another match before this one was closed")
    assert seats[0].asked == []


async def test_wishes_are_told_once_and_what_is_old_disturbs_nothing() -> None:
    seats = make_seats(2, target="5")
    await play(seats)
    line = seats[1].session.chat(7, "well played")
    said: list[Talk] = [Again(b"a" * 32), Again(b"a" * 32), line, line, Done(bytes(32))]
    events = [Received(1, encode_talk(talk)) for talk in said]
    await waiting(seats[0], *events, LinkDown(1, "the other side left"))
    assert seats[0].asked == [1]
    assert seats[0].heard == [line]
    assert seats[0].hub.wires[0].closed == []
