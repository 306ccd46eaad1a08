"""What is held, and what another lacks (7.5)."""

from dataclasses import dataclass

from second.match.ladder import Ladder
from second.match.state import State
from second.wire.messages import Message
from second.wire.values import Value, integer, listed, octets


@dataclass(frozen=True)
class Rung:
    """What is said of one ladder: T by step, and ids of the open step."""

    ladder: int
    chain: list[bytes]
    ids: list[bytes]

    def value(self) -> list[Value]:
        """As it is sent."""
        last = len(self.chain) - 1
        steps = {last, 0} | {last - 2**i for i in range(40) if last - 2**i > 0}
        locator = [[step, self.chain[step]] for step in sorted(steps, reverse=True)]
        return [self.ladder, locator, self.ids]


def _said(said: dict[int, Message]) -> list[bytes]:
    return [said[seat].id for seat in sorted(said)]


def open_of(state: State | Ladder) -> dict[int, Message]:
    """The messages of an open step."""
    return {seat: said.message for seat, said in state.said.items()}


def rungs(state: State) -> list[Rung]:
    """Of the match, and of the deal that is prepared."""
    found = [Rung(0, state.chain, _said(open_of(state)))]
    ladder = state.next_ladder()
    if ladder is not None:
        found.append(Rung(ladder.number, ladder.chain, _said(open_of(ladder))))
    return found


def hold(state: State) -> list[Value]:
    """The payload."""
    return ["hold", state.table.id, [rung.value() for rung in rungs(state)], []]


def heard(value: list[Value]) -> tuple[dict[int, dict[int, bytes]], set[bytes]]:
    """The locators by ladder, and all ids that a hold names."""
    locators, ids = {}, set()
    for item in listed(value[2]):
        ladder, locator, named = listed(item, 3)
        pairs = [listed(pair, 2) for pair in listed(locator)]
        steps = {integer(step, 0, 2**32 - 1): octets(t, 32) for step, t in pairs}
        locators[integer(ladder, 0, 2**32 - 1)] = steps
        ids |= {octets(one, 32) for one in listed(named)}
    return locators, ids | {octets(one, 32) for one in listed(value[3])}


def _common(chain: list[bytes], locator: dict[int, bytes]) -> int:
    steps = [step for step, t in locator.items() if step < len(chain) and chain[step] == t]
    return max(steps, default=0)


def lacking(state: State, value: list[Value]) -> list[Message]:
    """What the sender of a hold lacks, in the order of a record."""
    locators, ids = heard(value)
    missing: list[Message] = []
    common = _common(state.chain, locators.get(0, {}))
    for number, step in enumerate(state.steps, start=1):
        if number <= common:
            continue
        if step.phase == "deal":
            missing += _of_ladder(state.ladders[step.deal], locators)
        missing += step.messages
    ladder = state.next_ladder()
    if ladder is not None:
        missing += _of_ladder(ladder, locators)
    missing += [one for _, one in sorted(open_of(state).items())]
    return [one for one in missing if one.id not in ids]


def _of_ladder(ladder: Ladder, locators: dict[int, dict[int, bytes]]) -> list[Message]:
    common = _common(ladder.chain, locators.get(ladder.number, {}))
    complete = [one for step in ladder.steps[common:] for one in step]
    return complete + [one for _, one in sorted(open_of(ladder).items())]
