"""A match that was played, from the bytes of its record or from its text."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import IO, Final

from cli.telling.looking.lines import TextRefused
from cli.telling.looking.reading import MAX_TEXT_BYTES, is_text, read_text
from p2p.session.record import MAX_RECORD_BYTES, RecordUnreadable, check_magic
from p2p.session.state.events import DeckStep, MatchBegan, SessionEvent
from p2p.session.verify import Report, judge_record

PROVES_NOTHING: Final = (
    "This is the text of a match, held to the rules alone: it proves nothing about who played it."
)

# White space may stand before the first word of a text.
_BEGIN: Final = 512


class Untold(ValueError):
    """Bytes of which no match can be told; the text is one sentence."""


@dataclass(frozen=True)
class PlayedMatch:
    """What happened, from the first moment on, and what its record shows; a text has none."""

    events: tuple[SessionEvent, ...]
    report: Report | None

    @property
    def began(self) -> bool:
        """Whether anything can be told: not of a match that broke off before its seats agreed."""
        return any(isinstance(event, MatchBegan) for event in self.events)

    @property
    def table(self) -> str:
        """The id of its table in hex; "" where nothing can be told."""
        began = (event for event in self.events if isinstance(event, MatchBegan))
        return next((event.table.hex() for event in began), "")


def shuffles(events: Iterable[SessionEvent]) -> list[str]:
    """By deal who shuffled it, in this order; what nobody shuffled has no line."""
    names: list[str] = []
    by_deal: list[tuple[int, list[str]]] = []
    for event in events:
        if isinstance(event, MatchBegan):
            names = [player.name for player in event.players]
        elif isinstance(event, DeckStep) and event.stage == "shuffle":
            if not by_deal or by_deal[-1][0] != event.deal:
                by_deal.append((event.deal, []))
            by_deal[-1][1].append(names[event.seat])
    return [f"Deal {deal}: shuffled by {', then '.join(by)}; proven." for deal, by in by_deal]


def read_whole(file: IO[bytes]) -> bytes:
    """All bytes of what may be a record or a text, not more than one beyond the longest; of what is
    neither, no more than is seen at once. Raises Untold and OSError."""
    begin = file.read(_BEGIN)
    if is_text(begin):
        return begin + file.read(MAX_TEXT_BYTES + 1 - len(begin))
    try:
        check_magic(begin)
    except RecordUnreadable as error:
        raise Untold(str(error)) from None
    return begin + file.read(MAX_RECORD_BYTES + 1 - len(begin))


def read_match(data: bytes) -> PlayedMatch:
    """The match of a record, checked, or of a text. Raises Untold."""
    if is_text(data):
        if len(data) > MAX_TEXT_BYTES:
            raise Untold("The text is too long for a match.")
        try:
            return PlayedMatch(tuple(read_text(data)), None)
        except TextRefused as error:
            raise Untold(f"The text cannot be followed: {error}.") from None
    try:
        report, events = judge_record(data)
    except RecordUnreadable as error:
        raise Untold(str(error)) from None
    return PlayedMatch(tuple(events), report)
