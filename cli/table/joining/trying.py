"""Trying the tables that may be meant, until one of them takes the code."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final, TypeVar

import trio

from cli.table.joining.ways import CodeRefused, Joining, Way, ways_anew, with_piped
from cli.table.seating import GIVES_UP, ask_again, refused_why
from engine.wording import listed
from p2p.net.errors import (
    AlreadyStarted,
    BadHostProof,
    NobodyThere,
    NoCodeHere,
    NotSeated,
    NoWatching,
    OtherVersion,
    SentAway,
    TableFull,
    WrongCode,
)

T = TypeVar("T")

# Of the tables found, so many are tried with the code at a time: the false ones may take theirs.
TRIED_AT_ONCE = 24
# Host and joiner are often started together, and the host has more to do before it listens.
PATIENCE_SECONDS = 3.0
RETRY_SECONDS = 0.25
# How often a person may say a code: the door is slower with each wrong one.
CODE_TRIES = 5
# So many tables that did not take a code are named.
NAMED_MOST = 3
# What a table says before anybody has proven the code to it, so that it may be a stranger's.
_STRANGERS: Final[Mapping[type[NotSeated], str]] = {
    WrongCode: "does not take this code",
    BadHostProof: "cannot prove that it knows this code",
    NoCodeHere: "is open and has no code",
    AlreadyStarted: "plays already",
    TableFull: "has no free seat",
    NoWatching: "lets nobody look on",
}
_CLAUSES: Final[Mapping[type[NotSeated], str]] = {
    **_STRANGERS,
    NobodyThere: "does not answer now",
    OtherVersion: "speaks another version",
}
_NO_WAY_IN: Final = "lets nobody in now"

Attempt = Callable[[Way, Callable[[], None]], Awaitable[T]]
"""Tries a way; calls what it is given once that is the right one."""


async def first_of(joining: Joining, ways: list[Way], attempt: Attempt[T]) -> T:
    """What the first right way gives, the only one left in `ways` then. A wrong code is asked for
    again where somebody can be asked, and its table is looked for anew. Raises Stop, NotSeated."""
    for tries in range(1, CODE_TRIES + 1):
        try:
            if tries > 1:
                ways[:] = await ways_anew(joining, ways)
            return await _tried(joining, ways, attempt, tries > 1)
        except CodeRefused as refused:
            wanted = joining.wanted
            if tries == CODE_TRIES or not wanted.can_ask:
                raise
            addressed, why = wanted.where is not None, refused.sentence
            said = await ask_again(joining.ask, addressed, why, wanted.code, GIVES_UP)
            if said is None:
                raise
            joining.wanted = with_piped(wanted, said)
    raise AssertionError("the last try ends it")


async def _tried(joining: Joining, ways: list[Way], attempt: Attempt[T], again: bool) -> T:
    """What the first right way gives; the others are given up then."""
    if len(ways) == 1:
        return await _only(joining, ways[0], attempt, again)
    given: list[T] = []
    failures: list[Exception] = []
    refusals: dict[int, NotSeated] = {}
    chosen: list[Way] = []
    few = trio.CapacityLimiter(TRIED_AT_ONCE)
    scopes = {number: trio.CancelScope() for number in range(len(ways))}

    def choose(number: int) -> None:
        chosen.append(ways[number])
        for other in scopes:
            if other != number:
                scopes[other].cancel()

    async def one(number: int) -> None:
        way = ways[number]
        with scopes[number]:
            async with few:
                try:
                    given.append(await attempt(way, lambda: choose(number)))
                except NotSeated as failure:
                    refusals[number] = failure
                    # A host says it to who has the code; a liar keeps nobody from a seat by it.
                    if way in chosen or isinstance(failure, SentAway):
                        failures.insert(0 if way in chosen else len(failures), failure)
                else:
                    choose(number)

    async with trio.open_nursery() as nursery:
        for number in scopes:
            nursery.start_soon(one, number)
    if given:
        ways[:] = chosen[:1]
        return given[0]
    if failures:
        raise failures[0]
    raise _refused(joining, ways, [refusals[number] for number in scopes])


async def _only(joining: Joining, way: Way, attempt: Attempt[T], again: bool) -> T:
    """The only way; where it was found with a code alone, it need not be the one that is meant."""
    try:
        return await _told(way, attempt)
    except NotSeated as failure:
        why = type(failure)
        # Whom one sat with already is meant.
        if way.found and not joining.table_name:
            if why in _STRANGERS or (again and why is NobodyThere):
                raise _refused(joining, [way], [failure]) from failure
        elif why is WrongCode:
            so = refused_why(joining.wanted.code, joining.looks_on)
            raise CodeRefused(f"{failure}{so}") from failure
        raise


async def _told(way: Way, attempt: Attempt[T]) -> T:
    """What a way gives, tried for a moment longer where nobody answers yet."""
    until = trio.current_time() + PATIENCE_SECONDS
    while True:
        try:
            return await attempt(way, lambda: None)
        except NobodyThere:
            if trio.current_time() > until:
                raise
            await trio.sleep(RETRY_SECONDS)


def _refused(joining: Joining, ways: Sequence[Way], failures: Sequence[NotSeated]) -> CodeRefused:
    """That none of the tables found is the one that is meant, by their names where they are few."""
    clauses = [_CLAUSES.get(type(failure), _NO_WAY_IN) for failure in failures]
    names = listed([way.found for way in ways])
    if len(ways) == 1:
        why = f"Only {names} was found here, and it {clauses[0]}."
    elif len(ways) > NAMED_MOST:
        why = f"None of the {len(ways)} tables on this network takes this code now."
    elif set(clauses) == {_CLAUSES[WrongCode]}:
        why = f"Only {names} were found here, and none of them takes this code."
    else:
        each = [f"{way.found} {clause}" for way, clause in zip(ways, clauses, strict=True)]
        why = f"Only {names} were found here: {listed(each)}."
    wrong = any(isinstance(failure, WrongCode) for failure in failures)
    return CodeRefused(f"{why}{refused_why(joining.wanted.code, joining.looks_on and wrong)}")
