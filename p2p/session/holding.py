"""What a seat holds of a match, and what of that another seat lacks: so a late or returning peer
catches up, and two versions of one step meet, over any connected shape of links.

A locator names T after ever fewer steps back from the last one. Who reads it finds the highest
step at which both have the same T, and sends what comes after.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from p2p.session.order import all_messages
from p2p.session.referee import Referee
from p2p.session.state.ladder import Ladder
from p2p.wire.envelope import MATCH_LADDER, Message
from p2p.wire.talk import VOTES_MOST, Hold, Mark, Rung

# What is sent for one hold: some hands. Who lacks more says again what it holds.
MOST_BYTES = 256 * 1024


@dataclass(frozen=True)
class Lacking:
    """The messages that another seat lacks, in the order in which it can judge them; `whole`: all
    of them, not only the first."""

    messages: tuple[Message, ...]
    whole: bool


def hold_of(referee: Referee, votes: Iterable[Message] = ()) -> Hold:
    """What this seat has: the match ladder, that of the deal that is being prepared, and the last
    of the votes."""
    ladders = [referee.ladders[MATCH_LADDER]]
    coming = referee.ladders.get(referee.state.next)
    if coming is not None:
        ladders.append(coming)
    ids = tuple(sorted(vote.id for vote in list(votes)[-VOTES_MOST:]))
    return Hold(referee.table.id, tuple(_rung(ladder) for ladder in ladders), ids)


def lacking(
    referee: Referee,
    hold: Hold,
    evidence: Sequence[Message] = (),
    most: int = MOST_BYTES,
    sent: Collection[bytes] = (),
) -> Lacking:
    """What of this seat's messages, and of the evidence of a fault, the one that says `hold` has
    not, and was not sent yet; about `most` bytes of it, at least one message."""
    had = {*hold.votes, *(one for rung in hold.rungs for one in rung.ids)}
    found: list[Message] = []
    size = 0
    for message in _beyond(referee, hold, evidence):
        if message.id in had or message.data in sent:
            continue
        if found and size + len(message.data) > most:
            return Lacking(tuple(found), whole=False)
        found.append(message)
        size += len(message.data)
    return Lacking(tuple(found), whole=True)


def is_ahead(hold: Hold, referee: Referee) -> bool:
    """Whether the one that says `hold` has steps that this seat lacks."""
    return any(_is_beyond(rung, referee.ladders.get(rung.ladder)) for rung in hold.rungs)


def _is_beyond(rung: Rung, ladder: Ladder | None) -> bool:
    top, name = rung.locator[0]
    if ladder is None:
        return top > 0 or bool(rung.ids)
    if top >= ladder.step:
        return True
    if top < ladder.step - 1 or name != ladder.top:
        return False
    return not set(rung.ids) <= {message.id for message in ladder.open.values()}


def _rung(ladder: Ladder) -> Rung:
    ids = tuple(message.id for _, message in sorted(ladder.open.items()))
    return Rung(ladder.number, locator(ladder.hashes), ids)


def locator(hashes: Sequence[bytes]) -> tuple[Mark, ...]:
    """T of the last step, of the one before, then two, four, eight ... steps back, and T_0."""
    top = len(hashes) - 1
    steps, back = [top], 1
    while top - back > 0:
        steps.append(top - back)
        back *= 2
    return tuple((step, hashes[step]) for step in dict.fromkeys((*steps, 0)))


def _common(ladder: Ladder, rung: Rung | None) -> int:
    """The highest step up to which both have the same; 0 if that is not known."""
    marks = () if rung is None else rung.locator
    same = (step for step, name in marks if step < ladder.step and ladder.hashes[step] == name)
    return next(same, 0)


def _beyond(referee: Referee, hold: Hold, evidence: Sequence[Message]) -> Iterator[Message]:
    """The messages above what both have, in the order of a record: a deal's before the step that
    deals it, so that each can be judged as it comes."""
    rungs = {rung.ladder: rung for rung in hold.rungs}
    common = {
        number: _common(ladder, rungs.get(number)) for number, ladder in referee.ladders.items()
    }
    for message in all_messages(referee, since=common[MATCH_LADDER]):
        if message.step > common[message.ladder]:
            yield message
    yield from evidence
