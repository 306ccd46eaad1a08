"""Bots against bots: many matches on all cores, and what can be said of the outcome."""

import math
import multiprocessing
import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from cli.arena.contest import Contest
from cli.process.signals import Interrupted
from cli.process.workers import uninterrupted
from cli.telling.jsonlines import json_line
from engine.deal import highest_lead
from engine.hand import Hand
from engine.match import Match
from engine.rules import Rules
from engine.strategy import Player, make_view
from engine.tiles import ALL_TILES, Tile

NORMAL_95: Final = 1.959964  # of the standard normal distribution, 95 % lie this near to the mean

OnMatch = Callable[[], None]


@dataclass(frozen=True)
class Played:
    """One match: the side that won, and how many hands it took."""

    winner: int
    hands: int


@dataclass
class Tally:
    """The matches played so far."""

    contest: Contest
    wins: list[int] = field(default_factory=list)
    hands: int = 0
    begun: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.wins = [0] * len(self.contest.sides)

    @property
    def matches(self) -> int:
        """How many have been played."""
        return sum(self.wins)

    def add(self, played: Played) -> None:
        """Counts a match."""
        self.wins[played.winner] += 1
        self.hands += played.hands

    def line(self) -> str:
        """The JSON object of `arena --json`."""
        seconds = round(time.monotonic() - self.begun, 1)
        intervals = [interval(won, self.matches) for won in self.wins]
        return json_line(
            {
                "rules": self.contest.rules.preset,
                "seed": self.contest.seed,
                "matches": self.matches,
                "levels": self.names(),
                "wins": self.wins,
                "rate": [round(won / self.matches, 3) for won in self.wins],
                "ci95": [[round(low, 3), round(high, 3)] for low, high in intervals],
                "hands": self.hands,
                "seconds": seconds,
            }
        )

    def words(self) -> list[str]:
        """The same for people: a line a side."""
        rows = []
        for name, won in zip(self.names(), self.wins, strict=True):
            low, high = interval(won, self.matches)
            rate = f"{won / self.matches:.1%}"
            rows.append(f"{name}: {won} of {self.matches}, {rate} (95 %: {low:.1%} to {high:.1%})")
        return [*rows, f"{self.hands} hands; --seed {self.contest.seed}"]

    def names(self) -> list[str]:
        """The level of each side; of partners both, if they differ."""
        levels = self.contest.levels
        sides = [dict.fromkeys(levels[player] for player in side) for side in self.contest.sides]
        return ["+".join(side) for side in sides]


def interval(won: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a share after E. B. Wilson, "Probable Inference, the Law of Succession,
    and Statistical Inference", 1927."""
    share, square = won / of, NORMAL_95**2
    middle = share + square / (2 * of)
    spread = NORMAL_95 * math.sqrt(share * (1 - share) / of + square / (4 * of * of))
    scale = 1 + square / of
    return (max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale))


def run_contest(contest: Contest, on_match: OnMatch) -> Tally:
    """Plays all matches; `on_match` is called after each. The result does not depend on the
    number of cores. Raises Interrupted, which tells how far it came."""
    tally = Tally(contest)
    try:
        with _outcomes(contest) as outcomes:
            for played in outcomes:
                tally.add(played)
                on_match()
    except Interrupted as interrupted:
        raise Interrupted(interrupted.signum, _so_far(tally)) from None
    return tally


def _so_far(tally: Tally) -> str:
    score = ", ".join(f"{name} {won}" for name, won in zip(tally.names(), tally.wins, strict=True))
    return f" after {tally.matches} of {tally.contest.matches} matches ({score})."


@contextmanager
def _outcomes(contest: Contest) -> Iterator[Iterator[Played]]:
    """The outcomes as they come, from a process for each core."""
    jobs = min(os.cpu_count() or 1, contest.matches)
    play = partial(play_number, contest)
    if jobs == 1:
        yield map(play, range(contest.matches))
        return
    with uninterrupted():
        pool = multiprocessing.get_context("spawn").Pool(jobs)
    with pool:
        yield pool.imap_unordered(play, range(contest.matches))


def play_number(contest: Contest, number: int) -> Played:
    """Plays one match of a contest; all its chance comes from the seed and its number."""
    if contest.secure:
        # Only real peers need the cryptography, which takes a moment to load.
        from cli.arena.peers import play_peers

        match = play_peers(contest, number)
    else:
        rng = random.Random(f"{contest.seed}/{number}")
        match = play_match(contest.rules, contest.players(number), rng)
    if match.result is None:
        raise AssertionError("a match ended without a result")
    seats = match.result.winners
    for side, players in enumerate(contest.sides):
        if contest.seat(number, players[0]) in seats:
            return Played(side, match.hand_number)
    raise AssertionError("a match was won by nobody")


def play_match(rules: Rules, players: list[Player], rng: random.Random) -> Match:
    """A match of the engine alone; the tiles and lots come from `rng`."""
    match = Match(rules, rules.players)
    while match.result is None:
        tiles = dict(enumerate(rng.sample(ALL_TILES, len(ALL_TILES))))
        hand = _begin(match, tiles, rng)
        _play_hand(match, hand, players)
        match.finish_hand(tiles)
    return match


def _begin(match: Match, tiles: dict[int, Tile], rng: random.Random) -> Hand:
    rule = match.starter_rule()
    if rule == "highest-double":
        starter, lead = highest_lead(match.rules, match.seats, tiles)
        return match.begin_hand(starter, known=tiles, lead=lead)
    starter = rule if isinstance(rule, int) else match.lot_seat(rng.getrandbits(32))
    return match.begin_hand(starter, known=tiles)


def _play_hand(match: Match, hand: Hand, players: list[Player]) -> None:
    while True:
        claimers = match.awaiting_claims()
        if claimers:
            match.apply_claims(
                {seat: players[seat].claim(make_view(match, seat)) for seat in claimers}
            )
        elif hand.turn is not None:
            match.apply(players[hand.turn].choose(make_view(match, hand.turn)))
        else:
            return
