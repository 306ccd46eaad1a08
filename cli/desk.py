"""What every table needs before its first link: lock, identity, store, seat, a writable record."""

import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

from cli.bots import player_maker
from cli.home import Home
from cli.options import SeatChoice
from cli.plain import Person
from cli.seat import AutoSeat, Seat, Show
from cli.table import Desk, check_writable
from p2p.store import Store, StoreError

HINT_LEVEL = "hard"


@contextmanager
def desk_for(
    home: Home, choice: SeatChoice, lines: AsyncIterator[str], code_was_piped: bool = False
) -> Iterator[Desk]:
    """The desk of the person whose home it is; nobody else can use the home meanwhile.

    `code_was_piped`: the code came through standard input, whose end then ends a bot.
    """
    from cli.running import as_stop

    check_writable(choice.record)
    with home.locked():
        identity = home.identity()
        try:
            with Store(home.store) as store:
                seat = make_seat(choice, lines, code_was_piped)
                yield Desk(home, identity, store, seat, choice.record)
        except StoreError as error:
            raise as_stop(error) from error


def make_seat(choice: SeatChoice, lines: AsyncIterator[str], code_was_piped: bool) -> Seat:
    """Who plays: a bot, or a person at plain lines."""
    if choice.auto is None:
        hinter = player_maker(HINT_LEVEL, choice.think)
        return Person(show, lines, hinter, choice.claim_seconds)
    pipe = lines if code_was_piped else None
    tell: Show = show_aside if choice.as_json else show
    return AutoSeat(
        player_maker(choice.auto, choice.think), tell, show if choice.as_json else None, pipe
    )


def show(text: str) -> None:
    """A line on standard output, there at once."""
    print(text, flush=True)


def show_aside(text: str) -> None:
    """A line on standard error, there at once."""
    print(text, file=sys.stderr, flush=True)
