"""Past matches in words and JSON: each of them, the results by person, and the scores of series."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Final

from cli.files.history import PastMatch, Sat
from cli.telling.jsonlines import json_line
from cli.telling.phrases import gone, plural
from engine.wording import listed

BOTS: Final = "bots"
_ID_DIGITS: Final = 8
_STATES: Final = {
    "finished": "",
    "unfinished": "not over",
    "broken": "broken off",
    "left": "you left",
}


def history_line(matches: Sequence[PastMatch]) -> str:
    """The JSON list of `history --json`."""
    return json_line(
        [
            {
                "table": one.table,
                "when": one.when,
                "state": "broken" if one.state == "left" else one.state,
                "players": [person.name for person in one.people],
                "scores": list(one.scores),
                "record": None if one.record is None else str(one.record),
            }
            for one in matches
        ]
    )


def match_words(match: PastMatch) -> str:
    """A match in one line, in local time."""
    when = datetime.fromisoformat(match.when).astimezone()
    state = _STATES[match.state]
    told = [f"{when:%Y-%m-%d %H:%M}", match.table[:_ID_DIGITS], _scores(match)]
    return "  ".join([*told, *([state] if state else [])])


def _scores(match: PastMatch) -> str:
    names = [f"{one.name} (you)" if one.me else one.name for one in match.people]
    if not match.scores:
        return ", ".join(names)
    out = {seat: f" ({gone(reason)})" for seat, reason in match.out.items()}
    how = dict.fromkeys(match.winners, " won") | out
    return ", ".join(
        f"{name} {score}{how.get(seat, '')}"
        for seat, (name, score) in enumerate(zip(names, match.scores, strict=True))
    )


@dataclass(frozen=True)
class Results:
    """What came of the finished matches against somebody: how many, and how many we won, and that
    one; `name` is the last one borne, `key` the fingerprint, "" for all bots together."""

    name: str
    key: str
    matches: int = 0
    won: int = 0
    lost: int = 0
    last: str = ""

    def words(self) -> str:
        """In one line."""
        who = f"{self.name} [{self.key}]" if self.key else self.name
        level = self.matches - self.won - self.lost
        others = f", {level} won by neither of you" if level else ""
        played = plural(self.matches, "match") if self.matches == 1 else f"{self.matches} matches"
        return f"{who}: {played}, won {self.won}, lost {self.lost}{others}; last {self.last[:10]}"


def results(matches: Sequence[PastMatch]) -> list[Results]:
    """By opponent, who is known by the key whatever the name, those met last first."""
    found: dict[str, Results] = {}
    for match in matches:
        me = next((seat for seat, one in enumerate(match.people) if one.me), None)
        if match.state != "finished" or me is None:
            continue
        # Of several bots at a table a match is counted once.
        for key, person in {_known_by(one): one for one in _against(match, me)}.items():
            before = found.pop(key, Results("", "" if key == BOTS else person.key))
            seats = [seat for seat, one in enumerate(match.people) if _known_by(one) == key]
            found[key] = replace(
                before,
                name=BOTS if key == BOTS else person.name,
                matches=before.matches + 1,
                won=before.won + (me in match.winners),
                lost=before.lost + (me not in match.winners and bool({*seats} & {*match.winners})),
                last=match.when,
            )
    return list(reversed(found.values()))


def _against(match: PastMatch, me: int) -> Iterator[Sat]:
    sides = zip(match.people, match.sides, strict=True)
    return (one for one, side in sides if side != match.sides[me])


def _known_by(person: Sat) -> str:
    """Bots have a new key for each match, and are one opponent together."""
    return BOTS if person.bot else person.key or person.name


def series(matches: Sequence[PastMatch]) -> list[str]:
    """The score in matches of each run of two or more with the same people, the latest first."""
    finished = [one for one in matches if one.state == "finished"]
    runs = [list(run) for _, run in groupby(finished, key=_company)]
    return [_series(run) for run in reversed(runs) if len(run) > 1]


def _company(match: PastMatch) -> frozenset[str]:
    return frozenset(_person(one) for one in match.people)


def _person(one: Sat) -> str:
    return one.name if one.bot else one.key or one.name


def _series(run: Sequence[PastMatch]) -> str:
    wins: dict[str, int] = {}
    names: dict[str, str] = {}
    for match in run:
        for seat, one in enumerate(match.people):
            names[_person(one)] = "you" if one.me else one.name
            wins[_person(one)] = wins.get(_person(one), 0) + (seat in match.winners)
    told = [f"{names[key]} {wins[key]}" for key in sorted(wins, key=lambda key: -wins[key])]
    return f"{run[0].when[:10]}, {len(run)} matches: {listed(told)}"
