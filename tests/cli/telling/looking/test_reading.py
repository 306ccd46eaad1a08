"""The text of a match read back: the same text and events again, and what no text can have."""

import json
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest
from support.engine.dealing import PRESETS_AND_CLAIMS
from support.engine.matches import Going, play_match, seen_from
from support.limits import FULL, seats
from support.places import TESTS

from cli.telling.looking.lines import TextRefused
from cli.telling.looking.reading import is_text, read_text
from cli.telling.looking.transcript import json_lines, transcript
from engine.rules import Rules
from p2p.session.state.events import DeckStep, Faulted, HandBegan, MatchBegan, SessionEvent
from p2p.session.verify import replay_record


def read(lines: Sequence[str]) -> list[SessionEvent]:
    """The events of these lines."""
    return read_text("\n".join(lines).encode())


def played(
    seed: int, players: int, preset: str, going: Going | None = None, **options: str
) -> list[SessionEvent]:
    """A short match by these rules."""
    named = {name.replace("_", "-"): value for name, value in options.items()}
    return play_match(seed, players, Rules.make(preset, players, named), going)


def check_same(told: Sequence[SessionEvent]) -> list[str]:
    """Its text, which is the same when it is read back, as are the JSON lines."""
    lines = transcript(told)
    again = read(lines)
    assert transcript(again) == lines
    assert json_lines(again) == json_lines(told)
    assert [type(one) for one in again] == [type(one) for one in told]
    return lines


@pytest.mark.parametrize(("preset", "claims"), PRESETS_AND_CLAIMS)
@pytest.mark.parametrize("players", seats(2, 4))
def test_a_match_is_the_same_when_its_text_is_read_back(
    preset: str, claims: str, players: int
) -> None:
    partners = "yes" if players == 4 else "no"
    told = played(1, players, preset, claims=claims, target="20", partners=partners)
    check_same(told)
    if players == 2:
        hidden = [_without_boneyard(event) for event in seen_from(told, 0)]
        check_same(hidden)
        check_same([_without_hands(event) for event in hidden])


def _without_boneyard(event: SessionEvent) -> SessionEvent:
    return replace(event, boneyard=None) if isinstance(event, HandBegan) else event


def _without_hands(event: SessionEvent) -> SessionEvent:
    """As an onlooker hears of it."""
    if not isinstance(event, HandBegan):
        return event
    return replace(event, hands=(None,) * len(event.hands))


@pytest.mark.parametrize("claims", ["no", "yes"])
def test_so_is_one_that_seats_have_left(claims: str) -> None:
    for seed in range(24 if FULL else 6):
        rng = random.Random(seed)
        reasons = rng.choices(["left", "absent", "idle", "fault"], k=2)
        gone = rng.sample(range(4), 2)
        moments = sorted(rng.sample(range(1, 60), 2))
        going = dict(zip(moments, zip(gone, reasons, strict=True), strict=True))
        told = played(seed, 4, "pagat", going, claims=claims, target="150")
        lines = check_same(told)
        assert sum(line.startswith("out ") for line in lines) == 2
    abandoned = check_same(played(3, 2, "classic", {4: (1, "left")}))
    assert abandoned[-1] == "match ends: abandoned, won by nobody"


def test_so_are_records_with_leavers_and_with_faults() -> None:
    vectors = json.loads((TESTS / "vectors" / "record.json").read_text())
    reasons = []
    for one in vectors["whole"]:
        told = replay_record(bytes.fromhex(one["record"]))
        if any(isinstance(event, MatchBegan) for event in told):
            lines = check_same([event for event in told if not isinstance(event, DeckStep)])
            reasons += [line.rpartition(" ")[2] for line in lines if line.startswith("out ")]
    assert set(reasons) == {"(left)", "(absent)", "(idle)", "(fault)"}


def test_a_fault_between_two_ends_the_match() -> None:
    told = played(1, 2, "classic", target="40")
    middle = transcript(told)[:20]
    left = ["Ana: unknown", "Ben: unknown"]
    lines = [
        *middle,
        "broke Ben: the proof is false",
        "end fault",
        *left,
        "points 0 0, scores 10 0",
    ]
    events = read([*lines, "match ends: fault, won by Ana"])
    assert Faulted(1, "the proof is false") in events
    assert transcript(events)[-1] == "match ends: fault, won by Ana"


NAMES = ["A> 6-4", "b: 5-5", "hand 1, A> 6-4 starts", "שלום > passes"]


def test_names_that_look_like_lines_are_names() -> None:
    told = played(5, 4, "classic", target="20")
    began = told[0]
    assert isinstance(began, MatchBegan)
    players = zip(began.players, NAMES, strict=True)
    named = replace(began, players=tuple(replace(one, name=name) for one, name in players))
    assert check_same([named, *told[1:]])


@cache
def short() -> tuple[str, ...]:
    """The lines of a match of two, with draws."""
    return tuple(transcript(played(2, 2, "classic", target="30")))


def test_how_it_was_pasted_changes_nothing() -> None:
    told = read(short())
    assert is_text("\n".join(short()).encode())
    spaced = "\r\n\r\n".join(f"  {line} " for line in short())
    assert read_text(b"\xef\xbb\xbf" + spaced.encode()) == told
    assert is_text(b"\xef\xbb\xbf\n  " + spaced.encode())
    typed = [line.replace("> draws", "> draw").replace("> passes", "> pass") for line in short()]
    assert read(typed) == told


def where(begin: str) -> int:
    """The first line that begins so, or goes on so behind a name."""
    found = (n for n, line in enumerate(short()) if line.startswith(begin) or f"> {begin}" in line)
    return next(found)


@pytest.mark.parametrize(
    ("at", "instead", "why"),
    [
        ("match", "match 12", "the id of its table, 64 digits"),
        ("player Ben", "player Ben", "a name and a key of 64 digits"),
        ("player Ben", f"player Ana {'0' * 64}", "two players have one name"),
        ("player Ben", f"player {'x' * 40} {'0' * 64}", "that name is too long"),
        ("player Ben", f"player B\u202en {'0' * 64}", "of a name only printable characters"),
        ("player Ben", "", "2 to 4 players stand here"),
        ("rules", "rules preset=classic", "the rules do not say arms"),
        ("rules", "now", "the rules follow the players"),
        ("hand 1", "hand 2, Ana starts", "this is hand 1"),
        ("hand 1", "hand 1, Cem starts", "nobody here is called 'Cem'"),
        ("hand 1", "hand one", "a hand begins with its number"),
        ("boneyard", "boneyard: 9-9", "'9-9' is no tile"),
        ("boneyard", "bones", "the tiles of 'boneyard' have to stand here"),
        ("Ana: ", "Ana: 6-6", "'Ana' is dealt 9 tiles, not 1"),
        ("Ana: ", "Ana: unknown", "how many tiles are unknown?"),
        ("Ana> ", "Ana> plays", "is no tile"),
        ("Ana> ", "Ana> claims 10", "no claim of 'Ana' is awaited"),
        ("Ana> ", "Ben> 3-0", "it is the turn of 'Ana', not of 'Ben'"),
        ("Ana> ", "Eve> 6-4", "is no line of a match"),
        ("end ", "end block", "does not follow; it would be"),
        ("end ", "end", "is no line of a match"),
        ("points", "points 0 0, scores 1 1", "does not follow; it would be 'points"),
        ("match ends", "match ends: target, won by nobody", "does not follow; it would be"),
        ("draws", "Ana> passes", "draw before passing"),
    ],
)
def test_what_does_not_follow_is_refused_with_its_line(at: str, instead: str, why: str) -> None:
    lines, line = list(short()), where(at)
    lines[line] = instead
    with pytest.raises(TextRefused) as refused:
        read(lines)
    assert why in str(refused.value)
    assert str(refused.value).startswith("line ")


def test_a_tile_that_lies_elsewhere_is_refused() -> None:
    lines, line = list(short()), where("draws")
    name, _, tile = lines[line].rpartition(" ")
    led = next(one for one in lines if "> " in one).rpartition("> ")[2]
    lines[line] = f"{name} {led}"
    with pytest.raises(TextRefused, match=f"line {line + 1}: .*contradicts"):
        read(lines)
    swapped = list(short())
    swapped[where("boneyard")] = swapped[where("boneyard")].replace(tile, led)
    with pytest.raises(TextRefused, match="contradicts"):
        read(swapped)


def test_who_starts_is_who_the_rules_say() -> None:
    told = transcript(played(1, 2, "online", target="150"))
    starts = [at for at, line in enumerate(told) if line.startswith("hand ")]
    assert len(starts) > 1
    for at in starts:
        lines = list(told)
        name = "Ben" if "Ana" in lines[at] else "Ana"
        lines[at] = f"{lines[at].partition(',')[0]}, {name} starts"
        with pytest.raises(TextRefused, match=f"starts this hand, not '{name}'"):
            read(lines)


def test_tiles_left_are_those_that_are_held() -> None:
    lines, end = list(short()), where("end domino")
    at = end + 1 if lines[end + 2].endswith(": nothing") else end + 2
    left = lines[at].split(": ")[1].split()
    for tiles in (left[1:], ["0-0" if "0-0" not in left else "1-1", *left[1:]]):
        lines[at] = f"{lines[at].split(': ')[0]}: {' '.join(tiles) or 'nothing'}"
        with pytest.raises(TextRefused, match="holds"):
            read(lines)


def test_no_move_stands_behind_the_end_and_a_text_may_stop_anywhere() -> None:
    again = short()[where("hand 1") :]
    number = sum(line.startswith("hand ") for line in short())
    for more, why in (
        (["Ana> 6-4 L"], "no hand is running"),
        (["match ends: target, won by Ana"], "the match is not over here"),
        ([again[0].replace("hand 1", f"hand {number + 1}"), *again[1:]], "the match is over"),
    ):
        with pytest.raises(TextRefused, match=why):
            read([*short(), *more])
    for stop in range(4, len(short()), 3):
        lines = short()[:stop]
        if lines[-1].startswith(("hand", "Ana:", "Ben:", "end")):
            with pytest.raises(TextRefused, match="the text ends behind this line"):
                read(lines)
        else:
            assert transcript(read(lines)) == list(lines)


def test_other_bytes_are_no_text() -> None:
    assert not is_text(b"allfives record 2\n")
    with pytest.raises(TextRefused, match="UTF-8"):
        read_text(b"match \xff")
    with pytest.raises(TextRefused, match="line 1: the text ends"):
        read_text(b"")


def _changed(lines: list[str], rng: random.Random) -> None:
    """One line less, more, elsewhere or other, or another character."""
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(4):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[other])
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case _:
            text, place = lines[at], rng.randrange(len(lines[at]) + 1)
            lines[at] = (
                text[:place] + rng.choice("0123456789-> :=LRUDx\u00e9\0") + text[place + 1 :]
            )


def test_whatever_is_changed_it_is_followed_or_refused_with_a_sentence() -> None:
    going = {9: (1, "left"), 30: (2, "fault")}
    told = played(2, 4, "pagat", going, claims="yes", target="30")
    sentences = []
    for seed in range(5000 if FULL else 50):
        lines = transcript(told)
        _changed(lines, random.Random(seed))
        try:
            read(lines)
        except TextRefused as refused:
            sentences.append(str(refused))
    assert len(sentences) > 40
    assert [one for one in sentences if not re.match(r"line \d+: \S", one)] == []
