"""The notation of `transcript` read back: the engine plays it, and finds every score again.

A text proves nothing about who played it: no key has signed it, and nobody has shuffled. It is held
to the rules alone, line by line.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from cli.telling.looking.lines import Line, Lines, TextRefused
from cli.telling.looking.opened import OpenedMatch
from cli.telling.looking.transcript import CLOCK, NOTHING, UNKNOWN, end_line, notation, points_line
from engine.errors import EngineError
from engine.events import Event, HandEnded, MatchEnded
from engine.moves import Draw, Move, Pass, Play
from engine.notation import parse_move, parse_tile
from engine.seats import MAX_SEATS, MIN_SEATS
from engine.tiles import Tile
from engine.wording import quoted
from p2p.session.state.events import (
    Faulted,
    HandBegan,
    InHand,
    MatchBegan,
    Participant,
    SeatOut,
    SessionEvent,
    Settled,
)
from p2p.session.state.table import NAME_CHARACTERS
from p2p.wire.legible import fault_of

FIRST_WORD: Final = "match "
# A match of 4 seats and 100 hands has about 200 kB.
MAX_TEXT_BYTES: Final = 4 * 1024 * 1024
# Behind the name of a second person of one name.
_NUMBERED: Final = len(" (99)")
_PLAYER: Final = re.compile(r"player (.+) ([0-9a-f]{64})")
_TABLE: Final = re.compile(r"match ([0-9a-f]{64})")
_HAND: Final = re.compile(r"hand ([0-9]{1,4}), (.+) starts")
_OUT: Final = re.compile(r"out (.+) \((left|absent|idle|fault)\)")
_ANSWER: Final = re.compile(rf"claims ({NOTHING}|[0-9]{{1,3}})")
_HIDDEN: Final = re.compile(rf"([0-9]{{1,2}}) {UNKNOWN}")
_SEAT: Final = re.compile(r"\bseat ([0-3])\b")
_ENDED: Final = ("domino", "block")


def is_text(data: bytes) -> bool:
    """Whether these bytes are meant as the notation of a match."""
    return data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(FIRST_WORD.encode())


def read_text(data: bytes) -> list[SessionEvent]:
    """All events of the match that a text tells. Raises TextRefused at the first line, move or
    score that does not follow from what stands before it."""
    try:
        text = unicodedata.normalize("NFC", data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise TextRefused("it is not in UTF-8") from None
    lines = Lines(text)
    reader = Reader(lines)
    try:
        return reader.read()
    except EngineError as error:
        lines.refuse(reader.named(str(error)))


@dataclass(frozen=True)
class _Ending:
    """The lines about the end of a hand as they stand there."""

    first: Line
    left: tuple[tuple[Tile, ...] | None, ...]
    points: Line


class Reader:
    """Goes through the lines and lets an engine's match do what they tell."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._events: list[SessionEvent] = []
        self._names: list[str] = []
        self._answers: dict[int, int] = {}
        self._due: list[Event] = []  # what the engine says comes now
        self._match: OpenedMatch

    def read(self) -> list[SessionEvent]:
        """The events. Raises TextRefused and EngineError."""
        self._head()
        while not self._lines.ended:
            self._line(self._lines.next())
        return self._events

    def named(self, text: str) -> str:
        """What the engine says of seats, with the names that stand in the text."""
        names = dict(enumerate(map(quoted, self._names)))
        return _SEAT.sub(lambda found: names.get(int(found[1]), found[0]), text)

    # Who plays what

    def _head(self) -> None:
        first = _TABLE.fullmatch(self._lines.next().text)
        if first is None:
            self._lines.refuse(
                "a match begins with the id of its table, 64 digits from 0-9 and a-f"
            )
        players = [
            self._player(seat, one) for seat, one in enumerate(self._lines.following("player "))
        ]
        if not MIN_SEATS <= len(players) <= MAX_SEATS:
            self._lines.refuse(f"{MIN_SEATS} to {MAX_SEATS} players stand here, one a line")
        self._names = [player.name for player in players]
        if len(set(self._names)) < len(players):
            self._lines.refuse("two players have one name")
        rules = self._lines.next().text.split()
        if rules[0] != "rules" or not all("=" in one for one in rules[1:]):
            self._lines.refuse("the rules follow the players, as OPTION=VALUE")
        spelled = dict(one.split("=", 1) for one in rules[1:])
        began = MatchBegan(bytes.fromhex(first[1]), spelled, tuple(players))
        self._match = OpenedMatch.of(began)
        self._events.append(began)

    def _player(self, seat: int, line: Line) -> Participant:
        found = _PLAYER.fullmatch(line.text)
        if found is None:
            self._lines.refuse("a player has a name and a key of 64 digits from 0-9 and a-f")
        name = found[1]
        if len(name) > NAME_CHARACTERS + _NUMBERED or (fault := fault_of(name)):
            self._lines.refuse(
                "that name is too long" if not fault_of(name) else f"of a name {fault}"
            )
        return Participant(seat, name, bytes.fromhex(found[2]))

    def _seat(self, name: str) -> int:
        if name not in self._names:
            self._lines.refuse(f"nobody here is called {quoted(name)}")
        return self._names.index(name)

    # What happens

    def _line(self, line: Line) -> None:
        name, mark, move = line.text.rpartition("> ")
        if mark and name in self._names and not self._due:
            self._made(self._names.index(name), move)
        elif line.text.startswith("hand "):
            self._hand(line)
        elif line.text.startswith("end "):
            self._end(self._ending(line))
        elif line.text.startswith("out "):
            self._out(line)
        elif line.text.startswith("broke "):
            self._broke(line)
        elif line.text.startswith("match ends: "):
            self._match_ends(line)
        else:
            self._lines.refuse(f"{quoted(line.text)} is no line of a match")

    def _hand(self, line: Line) -> None:
        found = _HAND.fullmatch(line.text)
        if found is None:
            self._lines.refuse("a hand begins with its number and who starts: hand 1, NAME starts")
        if self._match.hand is not None:
            self._lines.refuse("the hand before has not ended")
        if self._match.result is not None:
            self._lines.refuse("the match is over")
        if int(found[1]) != self._match.hand_number + 1:
            self._lines.refuse(f"this is hand {self._match.hand_number + 1}")
        starter = self._seat(found[2])
        dealt = [self._dealt(name) for name in self._names]
        hands = tuple(tiles for tiles, _ in dealt)
        counts = tuple(count for _, count in dealt)
        boneyard = self._tiles(self._lines.told_of("boneyard"))
        began = HandBegan(int(found[1]), starter, hands, counts, boneyard)
        self._check_counts(began)
        self._match.begin_opened(began)
        self._due = []
        self._events.append(began)

    def _tiles(self, text: str) -> tuple[Tile, ...] | None:
        if text == UNKNOWN:
            return None
        return () if text == NOTHING else tuple(map(parse_tile, text.split()))

    def _dealt(self, name: str) -> tuple[tuple[Tile, ...] | None, int]:
        text = self._lines.told_of(name)
        hidden = _HIDDEN.fullmatch(text)
        if hidden is not None:
            return None, int(hidden[1])
        tiles = self._tiles(text)
        if tiles is None:
            self._lines.refuse(f"how many tiles are unknown? Write 7 {UNKNOWN}")
        return tiles, len(tiles)

    def _check_counts(self, began: HandBegan) -> None:
        rules, seats = self._match.rules, self._match.seats
        size = rules.hand_size_for(len(seats))
        for seat, count in enumerate(began.counts):
            due = size if seat in seats else 0
            if count != due:
                self._lines.refuse(f"{quoted(self._names[seat])} is dealt {due} tiles, not {count}")

    def _made(self, seat: int, text: str) -> None:
        """A move, or an answer where points are claimed."""
        auto = text.endswith(CLOCK)
        said = text.removesuffix(CLOCK).strip()
        answer = _ANSWER.fullmatch(said)
        if answer is not None:
            self._answer(seat, answer[1])
            return
        verb, _, drawn = said.partition(" ")
        if verb in ("draws", "draw"):
            tile = parse_tile(drawn) if drawn else None
            self._tell(self._match.apply(Draw(seat)), auto, tile)
            return
        move: Move = Pass(seat)
        if said not in ("passes", "pass"):
            move = self._play(seat, said)
        self._tell(self._match.apply(move), auto)

    def _play(self, seat: int, said: str) -> Play:
        written = parse_move(said, self._match.rules.spinner)
        if written.tile is None:
            self._lines.refuse(f"{quoted(said)} is no move")
        claim = written.claim
        if claim is None and self._match.rules.claims:
            claim = 0
        slot = self._match.slot_of(seat, written.tile)
        return Play(seat, slot, written.tile, written.end, claim)

    def _tell(self, made: Sequence[Event], auto: bool = False, tile: Tile | None = None) -> None:
        number = self._match.hand_number
        for event in made:
            if isinstance(event, MatchEnded):
                self._events.append(event)
                continue
            self._match.learn_drawn(event, tile)
            self._events.append(InHand(number, event, auto, tile))

    def _answer(self, seat: int, said: str) -> None:
        awaited = self._match.awaiting_claims()
        if seat not in awaited or seat in self._answers:
            self._lines.refuse(f"no claim of {quoted(self._names[seat])} is awaited")
        self._answers[seat] = 0 if said == NOTHING else int(said)
        if len(self._answers) == len(awaited):
            self._settle(self._match.apply_claims(self._answers))

    def _settle(self, made: Sequence[Event]) -> None:
        placed = self._match.moves[-1]
        answers, self._answers = self._answers, {}
        self._events.append(Settled(self._match.hand_number, placed.seat, answers))
        self._tell(made)

    # How it ends

    def _ending(self, line: Line) -> _Ending:
        left = tuple(self._tiles(self._lines.told_of(name)) for name in self._names)
        return _Ending(line, left, self._lines.next())

    def _held(self, ending: _Ending) -> dict[int, Tile]:
        """The tiles in the hands of those who are in."""
        seats = self._match.seats
        return self._match.held({s: tiles for s in seats if (tiles := ending.left[s]) is not None})

    def _end(self, ending: _Ending) -> None:
        made = self._due or list(self._match.finish_held(self._held(ending)))
        first = made.pop(0)
        if not isinstance(first, HandEnded):
            self._lines.refuse("no hand ends here")
        self._check_end(first, ending)
        self._tell([replace(first, left=ending.left)])
        self._due = made

    def _check_end(self, event: HandEnded, ending: _Ending) -> None:
        for seat, (found, told) in enumerate(zip(event.left, ending.left, strict=True)):
            if found is not None and (told is None or sorted(found) != sorted(told)):
                self._lines.refuse(f"these are not the tiles left to {quoted(self._names[seat])}")
        self._lines.expect(ending.first, end_line(event, self._names))
        self._lines.expect(ending.points, points_line(event))

    def _out(self, line: Line) -> None:
        """Seats are put out; with them ends the hand that runs."""
        found = [line, *self._lines.following("out ")]
        outs = {seat: reason for one in found for seat, reason in [self._one_out(one)]}
        match, number = self._match, self._match.hand_number
        by = tuple(seat for seat in match.seats if seat not in outs)
        self._events += [SeatOut(number, seat, why, by) for seat, why in outs.items()]
        claimed = match.claimed_play is not None
        answers = self._last_answers() if claimed else None
        hand, ending = match.hand, None
        if hand is not None and not self._lines.ended:
            ending = self._ending(self._lines.next())
        settles = ending and hand and hand.over and hand.over.reason in _ENDED and not claimed
        reason = "fault" if "fault" in outs.values() else "left"
        staying = {s: left for s in by if ending and (left := ending.left[s]) is not None}
        tiles = match.held(staying) if settles else None
        made = list(match.retire(tuple(outs), reason, answers=answers, tiles=tiles))
        if claimed:
            self._answers = answers or {}
            ends = next((n for n, one in enumerate(made) if isinstance(one, HandEnded)), len(made))
            self._settle(made[:ends])
            made = made[ends:]
        self._due = made
        if ending is not None:
            self._end(ending)

    def _one_out(self, line: Line) -> tuple[int, str]:
        found = _OUT.fullmatch(line.text)
        if found is None:
            self._lines.refuse("who is out stands here with the reason: out NAME (left)")
        return self._seat(found[1]), found[2]

    def _last_answers(self) -> dict[int, int]:
        """What was claimed before a seat was put out, 0 where nothing was."""
        awaited = self._match.awaiting_claims()
        while len(self._answers) < len(awaited) and not self._lines.ended:
            name, _, text = self._lines.next().text.rpartition("> ")
            answer = _ANSWER.fullmatch(text)
            if answer is None or name not in self._names:
                self._lines.refuse("the answers of all opponents have to stand here")
            said = 0 if answer[1] == NOTHING else int(answer[1])
            self._answers[self._names.index(name)] = said
        return dict(self._answers)

    def _broke(self, line: Line) -> None:
        """A fault that was proven; between two sides it ends the match."""
        told = line.text.removeprefix("broke ")
        seats = [seat for seat, name in enumerate(self._names) if told.startswith(f"{name}: ")]
        if not seats:
            self._lines.refuse(
                "who broke the protocol stands here, and how: broke NAME: what was wrong"
            )
        seat = max(seats, key=lambda one: len(self._names[one]))
        what = told.removeprefix(f"{self._names[seat]}: ")
        if not what.isprintable():
            self._lines.refuse("only printable characters are shown")
        self._events.append(Faulted(seat, what))
        if len({self._match.rules.side(one) for one in self._match.seats}) == MIN_SEATS:
            self._due = list(self._match.fault(seat))

    def _match_ends(self, line: Line) -> None:
        ended = self._due.pop(0) if self._due else None
        if not isinstance(ended, MatchEnded):
            self._lines.refuse("the match is not over here")
        (text,) = notation(ended, self._names)
        self._lines.expect(line, text)
        self._tell([ended])
