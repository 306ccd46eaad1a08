"""Which frames of a record belong to votes that close a step (16)."""

from collections.abc import Sequence
from dataclasses import dataclass

from second.refusing import RefusedError, demand
from second.wire.messages import Message, Word, read_message, read_word
from second.wire.table import Table


@dataclass(frozen=True)
class Item:
    """A frame; nothing is read where it is not of this table, has a wrong signature, or is a word
    that is no leave."""

    mark: str
    message: Message | None
    word: Word | None

    @property
    def readable(self) -> bool:
        """Whether it is something that a seat signed."""
        return self.message is not None or self.word is not None

    @property
    def vote(self) -> bool:
        """Whether it is a vote in its place."""
        return self.mark == "m" and self.message is not None and self.message.kind == "vote"


def items_of(table: Table, frames: Sequence[bytes]) -> list[Item]:
    """The frames, read."""
    items = []
    for frame in frames:
        mark, data = chr(frame[0]), frame[1:]
        try:
            if mark == "l":
                word = read_word(table, data)
                demand(word.kind == "leave", "a word that is no leave")
                items.append(Item(mark, None, word))
            else:
                items.append(Item(mark, read_message(table, data), None))
        except RefusedError:
            items.append(Item(mark, None, None))
    return items


def blocks_of(items: Sequence[Item]) -> dict[int, int]:
    """From the first frame of each block of votes to behind its last."""
    blocks, at = {}, 0
    while at < len(items):
        if not items[at].vote:
            at += 1
            continue
        end = at
        while end < len(items) and _same_votes(items[at], items[end]):
            end += 1
        blocks[_start(items, at)] = end
        at = end
    return blocks


def _same_votes(first: Item, other: Item) -> bool:
    if not other.vote or first.message is None or other.message is None:
        return False
    return _step(first.message) == _step(other.message)


def _step(message: Message) -> tuple[bytes, int, int]:
    """Root, ladder and step: whatever T it names."""
    return message.spot[:3]


def _start(items: Sequence[Item], votes: int) -> int:
    start, vote = votes, items[votes].message
    while start > 0 and items[start - 1].mark in "le":
        start -= 1
    while start > 0:
        before = items[start - 1]
        if before.mark != "m" or before.vote or before.message is None or vote is None:
            break
        if _step(before.message) != _step(vote):
            break
        start -= 1
    return start
