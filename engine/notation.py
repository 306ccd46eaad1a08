"""Tiles and moves as text, with round trip: "6-4 R", "6-4" (a lead), "draw", "pass", and with
claims "6-4 R =15" ("=0": nothing claimed).

One form is written, more are read, for people type tiles as they see or say them: "6|4", "[6|4]",
"64", "6-4R".
"""

import re
from dataclasses import dataclass
from typing import Final, Literal

from engine.ends import END_KEYS, ends_said
from engine.errors import NotationError
from engine.hand import MOST_CLAIMED, Hand
from engine.moves import Draw, Move, Pass, Play
from engine.tiles import Tile, tile
from engine.wording import quoted

# Halves side by side, or with a mark between them, as tiles are drawn: 6-4, 64, 6|4, [6|4].
_TILE: Final = re.compile(r"(\[?)\s*([0-6])\s*[-\u2013|\u2502:/]?\s*([0-6])(?:\s*(\]))?", re.ASCII)
# What may stand right behind a tile; any other letter or digit makes of both something else.
_BEHIND: Final = re.compile(r"(?:[0-6]?[LRUD](?![0-9A-Z])|[\s=]|\Z)", re.ASCII | re.IGNORECASE)
_EQUALS: Final = re.compile(r"\s*=\s*")
_CLAIM: Final = re.compile(r"=(0|[1-9][0-9]{0,2})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Written:
    """A move as it is written, without seat and slot."""

    verb: Literal["play", "draw", "pass"]
    tile: Tile | None = None
    end: str | None = None
    claim: int | None = None


def parse_tile(text: str) -> Tile:
    """The tile that `text` names, in either order of its halves; raises `NotationError`."""
    found, rest = _tile_and_rest(text)
    if rest:
        raise _no_tile(text.strip())
    return found


def _tile_and_rest(text: str) -> tuple[Tile, str]:
    """The tile that `text` begins with, and what follows it."""
    text = text.strip()
    found = _TILE.match(text)
    if found is None or bool(found[1]) != bool(found[4]) or not _BEHIND.match(text, found.end()):
        raise _no_tile(text.split()[0] if text else text)
    return tile(int(found[2]), int(found[3])), text[found.end() :].strip()


def _no_tile(text: str) -> NotationError:
    return NotationError(f"{quoted(text)} is no tile: write two halves from 0 to 6, as 6-4")


def parse_move(text: str, spinner: str = "every") -> Written:
    """The move that `text` writes; letters may be small. Raises `NotationError`, which names the
    ends of a table with that `spinner` to who names none."""
    words = text.split()
    if not words:
        raise NotationError("no move is written: write a tile and an end, draw or pass")
    verb = words[0].lower()
    if verb in ("draw", "pass"):
        if len(words) > 1:
            raise NotationError(f"{verb} stands alone, without {quoted(words[1])}")
        return Written("draw" if verb == "draw" else "pass")
    placed, behind = _tile_and_rest(text)
    rest = _EQUALS.sub(" =", behind, count=1).split()
    end = _end(rest.pop(0), spinner) if rest and not rest[0].startswith("=") else None
    claim = _claim(rest.pop(0)) if rest else None
    if rest:
        raise NotationError(f"{quoted(rest[0])} is too much: a move is a tile, an end and a claim")
    return Written("play", placed, end, claim)


def _end(word: str, spinner: str) -> str:
    name = word.upper()
    if name not in END_KEYS:
        raise NotationError(f"{quoted(word)} is no end: ends are {ends_said(spinner)}")
    return name


def _claim(word: str) -> int:
    found = _CLAIM.fullmatch(word)
    if found is None:
        raise NotationError(
            f"{quoted(word)} is no claim: write = and a number up to {MOST_CLAIMED}, as =15"
        )
    return int(found[1])


def format_move(move: Move) -> str:
    """The text of a move, which `parse_move` reads back."""
    if isinstance(move, Draw):
        return "draw"
    if isinstance(move, Pass):
        return "pass"
    words = [str(move.tile)]
    words += [move.end] if move.end is not None else []
    words += [f"={move.claim}"] if move.claim is not None else []
    return " ".join(words)


def move_of(said: Written, hand: Hand, seat: int) -> Move:
    """The move of `seat` that was said; its tile must lie in a known slot of the seat.

    Where the rules have claims, a claim not said is 0. Raises `NotationError`; whether the move is
    legal is for `Hand.check` to say.
    """
    if said.verb != "play" or said.tile is None:
        return Draw(seat) if said.verb == "draw" else Pass(seat)
    known = hand.known
    for slot in hand.slots(seat):
        if known.get(slot) == said.tile:
            claim = 0 if said.claim is None and hand.rules.claims else said.claim
            return Play(seat, slot, said.tile, said.end, claim)
    raise NotationError(f"{said.tile} is not in your hand")
