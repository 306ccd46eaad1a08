"""What every table needs before its first link: lock, identity, store, seat, a writable record."""

import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cli.commands.options import SeatChoice
from cli.files.home import Home
from cli.files.record import check_writable
from cli.plain.person import PlainSeat
from cli.plain.terminal import Terminal
from cli.process.clipboard import clip
from cli.process.lines import SharedLines
from cli.process.output import tell, tell_aside
from cli.screen.terminal import is_screen
from cli.table.auto import AutoSeat
from cli.table.bots import adviser_maker, clear_bots, player_maker
from cli.table.left import settle, unfinished
from cli.table.port import Seat, Told
from cli.table.stay import Visitor
from engine.seats import NORMAL
from p2p.store import Store, StoreError

if TYPE_CHECKING:
    from cli.screen.seat import ScreenSeat


@contextmanager
def visitor_for(
    home: Home, choice: SeatChoice, lines: AsyncIterator[str], code_was_piped: bool = False
) -> Iterator[Visitor]:
    """The person whose home it is, as they come to a table; nobody else can use the home meanwhile.

    `code_was_piped`: the code came through standard input, whose end then ends a bot.
    """
    from cli.process.running import as_stop

    check_writable(choice.record)
    with home.locked():
        identity = home.identity()
        try:
            with Store(home.store) as store:
                clear_left(home, store)
                if choice.auto is None and not (choice.plain or choice.as_json) and is_screen():
                    screen = _screen_seat(choice)
                    yield Visitor(
                        home, identity, store, screen, choice.record, screen.lines(), screen.run
                    )
                else:
                    shared = SharedLines(lines)
                    seat = make_seat(choice, shared.rest, code_was_piped)
                    yield Visitor(home, identity, store, seat, choice.record, shared.answers)
        except StoreError as error:
            raise as_stop(error) from error


def clear_left(home: Home, store: Store) -> None:
    """See to what killed programs have left: matches that cannot go on, and bots without one."""
    for line in settle(home, store):
        tell_aside(line)
    crews = (one.notes.crew for one in unfinished(store))
    clear_bots(home, [crew.folder for crew in crews if crew is not None])


def make_seat(choice: SeatChoice, lines: AsyncIterator[str], code_was_piped: bool) -> Seat:
    """Who plays: a bot, or a person at plain lines; or who reads events as lines, and plays
    nothing."""
    if choice.auto is None and choice.as_json:
        return AutoSeat(player_maker(NORMAL, choice.think), tell_aside, show, None)
    if choice.auto is None:
        hinter = adviser_maker(choice.think)
        terminal = Terminal(_to_clipboard, _ring, choice.bell)
        return PlainSeat(tell, lines, hinter, choice.claim_seconds, terminal)
    pipe = lines if code_was_piped else None
    player = player_maker(choice.auto, choice.think)
    if choice.as_json:
        return AutoSeat(player, tell_aside, show, pipe, choice.paced)
    return AutoSeat(player, tell, None, pipe, choice.paced)


def _screen_seat(choice: SeatChoice) -> "ScreenSeat":
    """A person at the full screen."""
    # prompt_toolkit takes long to import, and bots and pipes need none of it.
    from cli.screen.seat import ScreenSeat, Settings

    settings = Settings(choice.claim_seconds, choice.bell, choice.notice, choice.mouse)
    return ScreenSeat(adviser_maker(choice.think), settings, choice.look)


def tell_name(visitor: Visitor, choice: SeatChoice) -> None:
    """Say to a person who has never taken a name which one the others will see."""
    own = visitor.identity
    if choice.auto is None and not own.chosen:
        line = f"You are {own.name} to the others; `allfives id --name NAME` changes that."
        visitor.seat.show(Told(line, lasts=not visitor.store.history()))


def _to_clipboard(text: str) -> bool:
    _to_terminal(clip(text))
    return sys.stdout.isatty()


def _ring() -> None:
    _to_terminal("\a")


def _to_terminal(codes: str) -> None:
    """What is for the terminal and no part of the text; nothing where there is none."""
    if sys.stdout.isatty():
        print(codes, end="", flush=True)


def show(text: str) -> None:
    """A line for a program, on standard output, there at once."""
    print(text, flush=True)
