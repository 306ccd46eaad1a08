"""p2p.net.link.waiting: one link of a seat waits, the newest; what was taken is left alone."""

from collections.abc import Callable

import trio
import trio.testing

from p2p.net.link.waiting import Waiting


class Links:
    """Links that wait until they are ended; `taken` says by name that one is at work."""

    def __init__(self, nursery: trio.Nursery) -> None:
        self.waiting = Waiting()
        self.nursery = nursery
        self.ended: list[str] = []
        self.taken: dict[str, Callable[[], None]] = {}

    async def come(self, name: str, seat: int) -> None:
        """A link of that seat begins to wait."""
        self.nursery.start_soon(self._stay, name, seat)
        await trio.testing.wait_all_tasks_blocked()

    async def _stay(self, name: str, seat: int) -> None:
        with self.waiting.wait(seat) as taken:
            self.taken[name] = taken
            await trio.sleep_forever()
        self.ended.append(name)


async def test_a_newer_link_of_a_seat_ends_the_older() -> None:
    async with trio.open_nursery() as nursery:
        links = Links(nursery)
        for name in ("first", "second", "third"):
            await links.come(name, 1)
        await links.come("of another", 2)
        assert links.ended == ["first", "second"]
        nursery.cancel_scope.cancel()


async def test_one_that_was_taken_is_ended_by_no_newer_one() -> None:
    async with trio.open_nursery() as nursery:
        links = Links(nursery)
        await links.come("at work", 1)
        links.taken["at work"]()
        await links.come("newer", 1)
        # Said late, by one that waits no more, it changes nothing for the one that does.
        links.taken["at work"]()
        await links.come("newest", 1)
        assert links.ended == ["newer"]
        nursery.cancel_scope.cancel()
