"""Every key and click in every mode: what follows is what a table says, and people are told."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from support.screen.scenes import find
from support.screen.staged import Staged, spread

from cli.process.lines import LONGEST_LINE
from cli.screen.drawing.keys import ALL_KEYS, KEYS, REPLAY_KEYS, Act, Label, act_of
from cli.screen.drawing.render import SMALLEST, render
from cli.screen.drawing.view import Desk, make_view
from cli.screen.line.look import Look
from cli.screen.modes.base import Cover, Mode, Step
from cli.screen.modes.covers import Entering, Page, Question, Text
from cli.screen.modes.lobby import Lobby, Opening
from cli.screen.modes.over import Another, BrokenOff, Closed, Ended
from cli.screen.modes.playing import Claiming, OwnClaiming, Turn, Waiting
from cli.screen.modes.replaying import Replaying
from cli.screen.modes.wishes import Answer
from cli.telling.links import Absence
from cli.telling.room import Room, Sitter
from cli.telling.scene import Scene
from engine.events import MatchEnded
from engine.moves import Play
from engine.rules import Rules
from p2p.wire.chat import CHAT_CHARACTERS

# What follows a key: "=" the mode as it is, "~" the same kind of mode with something chosen, shown
# or written, else the modes from the uppermost down; then what the person wants; "!" a note.
# {me} is the mode itself, {over} what it covers. A key that is not named does nothing.
Table = dict[str, str]
ARROWS = ("right", "left", "up", "down")
WHEEL = ("<scroll-up>", "<scroll-down>")
SCROLL: Table = dict.fromkeys(("down", "up", "pageup", "pagedown", "home", "end", *WHEEL, " "), "~")
READING: Table = dict.fromkeys("f?gti", "Page>{me}") | {
    "b": "= Bell",
    "v": "= Recolour",
    "h": "= !",
}
READING |= {"q": "Question>{me}"}
CHOOSING: Table = dict.fromkeys(("right", "left", "tab", "s-tab", *"1234567890"), "~")
PLAYING: Table = READING | CHOOSING | dict.fromkeys(("up", "down", *"lrud"), "~")
PLAYING |= {"c": "Writing>{me}", "p": "= Pause", "m": "= Mute", "o": "= !"}
PLAYING |= dict.fromkeys(("pageup", "home", "<scroll-up>"), "Page>{me}")
EMPTY: Table = READING | SCROLL | {"c": "= !", "x": "= !", "s": "= !"}
LOBBY: Table = EMPTY | {"c": "Writing>{me}"}
OPENING: Table = EMPTY | {"y": "= Copy"}
HOSTING: Table = OPENING | CHOOSING | {"c": "Writing>{me}", "x": "Question>{me}"}
OVER: Table = READING | SCROLL | {"q": "= Leave", "enter": "= !"}
TALKING: Table = OVER | {"c": "Writing>{me}", "m": "= Mute"}
CLAIMING: Table = {"enter": "Waiting Answer", "p": "= Pause", "escape": "~"}
CLAIM_IN_PAUSE: Table = {"enter": "= !"}
IN_PAUSE: Table = dict.fromkeys((*CHOOSING, "up", "down", *"lrudh", "enter", " "), "= !")
TABLES: dict[str, Table] = {
    "Lobby": LOBBY,
    "Opening": OPENING,
    "Hosting": HOSTING,
    "Pairing": HOSTING | {"s": "= SitWith"},
    "Waiting": PLAYING,
    "Turn": PLAYING | {"enter": "Waiting Answer", " ": "Waiting Answer", "h": "= Hint !"},
    "Claiming": CLAIMING,
    "OwnClaiming": CLAIMING | {"escape": "Turn"},
    "BrokenOff": OVER,
    "Ended": TALKING,
    "Closed": TALKING,
    "Another": TALKING | {"a": "Closed Again"},
    "Question": dict.fromkeys("yY", "{over} {yes}") | dict.fromkeys(("n", "N", "escape"), "{over}"),
    "Writing": {"enter": "{over} Say", "escape": "{over}"},
    "Entering": {"enter": "{over} Enter", "escape": "~", "tab": "~"},
    "Page": SCROLL
    | dict.fromkeys(("enter", "escape"), "{over}")
    | dict.fromkeys("f?gti", "~")
    | {"b": "= Bell", "v": "= Recolour"},
    "Muting": dict.fromkeys("23", "{over} Mute") | {"escape": "{over}"},
    "Replaying": dict.fromkeys((*ARROWS, "enter", " ", "home", "end"), "~")
    | dict.fromkeys(("q", "escape"), "= Leave")
    | {"g": "Jumping>{me}", "?": "Page>{me}", "pageup": "Page>{me}", "<scroll-up>": "Page>{me}"}
    | {"v": "= Recolour"},
    "Jumping": {"enter": "= !", "escape": "{over}"},
}
# Keys that mean on a page what they mean below it.
THROUGH_A_PAGE = "chmopq"
LETTERS = [chr(code) for code in range(33, 127)]
NAMES = {name for key in ALL_KEYS for name in key.keys} - {"space"}
STROKES = sorted({" ", *LETTERS, *NAMES, "backspace"})
# Keys that no table has, and characters that are no letters or wide ones.
ODD = ["\x01", "\x1bOP", "\x1b[5~", "", "é", "龍"]

Case = tuple[Mode, Desk]


def shape(mode: Mode) -> str:
    """The kinds of a mode and of all that it covers."""
    over = f">{shape(mode.over)}" if isinstance(mode, Cover) else ""
    return f"{type(mode).__name__}{over}"


def outcome(mode: Mode, step: Step) -> str:
    """What a step came to, as the table writes it."""
    inside = "=" if step.mode == mode else "~"
    follows = inside if shape(step.mode) == shape(mode) else shape(step.mode)
    wish = [type(step.wish).__name__] if step.wish is not None else []
    return " ".join([follows, *wish, *(["!"] if step.note else [])])


def expected(mode: Mode, stroke: str, desk: Desk) -> str:
    """What the table says."""
    if stroke == "c-d" and not isinstance(mode, Replaying):
        stroke = "escape"
    me = shape(mode)
    over = shape(mode.over) if isinstance(mode, Cover) else ""
    table = TABLES[type(mode).__name__]
    if isinstance(mode, Page) and act_of(KEYS, stroke) is mode.about and stroke != "pageup":
        return over
    if isinstance(mode, Page) and mode.about is Act.KEYS and stroke == "?":
        return over
    if stroke == "m" and len(desk.scene.players) > 2 and table.get("m") == "= Mute":
        return f"Muting>{me}"
    if stroke == "o" and desk.waited and isinstance(mode, Waiting | Turn):
        return f"Question>{me}"
    if isinstance(mode, Lobby) and stroke == "c" and (mode.room is None or not mode.room.others):
        return "= !"
    if isinstance(mode, Opening) and stroke == "a" and mode.room.waiting:
        return f"Question>{me}"
    if desk.paused and isinstance(mode, Waiting | Turn | Claiming):
        table = table | (CLAIM_IN_PAUSE if isinstance(mode, Claiming) else IN_PAUSE)
    if over and me.startswith("Page") and stroke in THROUGH_A_PAGE:
        assert isinstance(mode, Cover)
        return expected(mode.over, stroke, desk).replace(over, me)
    if isinstance(mode, Text) and (len(stroke) == 1 or stroke == "backspace"):
        return "= Pause" if stroke == "p" and isinstance(mode, Claiming) else "~"
    yes = type(mode.yes).__name__ if isinstance(mode, Question) else ""
    return table.get(stroke, "=").format(me=me, over=over, yes=yes)


def turn_of(**options: str) -> Staged:
    """One's turn: some tiles fit, the first of them at several ends, and others do not."""

    def done(stage: Staged) -> bool:
        seen = stage.seen()
        plays = [move for move in seen.legal if isinstance(move, Play)] if seen else []
        tiles = {move.tile for move in plays}
        ends = [move.end for move in plays if move.tile == plays[0].tile]
        return seen is not None and 1 < len(tiles) < len(seen.tiles) and len(ends) > 1

    return find(Rules.make("classic", 2, options), done, spread)


def grounds() -> Iterator[Case]:
    """What a screen may be about, with nothing over it."""
    people = tuple(Sitter(bytes([n]) * 32, name) for n, name in enumerate(("Ana", "Ben", "Cem")))
    guest = Room(people, 4, people[1].key)
    host = replace(guest, own=people[0].key, hosts=True)
    before = Desk(Scene(), told=("den is open",))
    alone = replace(host, people=people[:1])
    gone = replace(alone, waiting=people[1:])
    for room in (guest, alone, gone, host, replace(host, partners=True)):
        yield Lobby(None).filled(room), before
    yield Lobby(None), before
    yield Entering(Lobby(None), text="guita"), before
    stage = turn_of()
    desk, seen = Desk(stage.scene, told=("The link is gone.",)), stage.seen()
    assert seen is not None
    result = MatchEnded("target", (0,), (250, 0))
    for playing in (Waiting(), Turn.begun(seen)):
        yield playing, desk
        yield playing, replace(desk, paused=True, wanting=frozenset({0, 1}))
        yield playing, replace(desk, away={1: Absence(3, 9)})
        yield playing, replace(desk, waited=frozenset({1}))
    for over in (
        BrokenOff("Kept."),
        Ended(result),
        Closed(result),
        Another(result),
    ):
        yield over, replace(desk, links={1: "left"})
    three = find(Rules.make("classic", 3), lambda stage: len(stage.match.moves) > 3)
    yield Waiting(), Desk(three.scene)
    stage = turn_of(claims="yes")
    seen = stage.seen()
    assert seen is not None
    play = seen.legal[0]
    assert isinstance(play, Play)
    for on in (False, True):
        desk = Desk(stage.scene, paused=on)
        yield Claiming(replace(seen, awaiting=play), text="15"), desk
        yield OwnClaiming(seen, play, Turn.begun(seen), text="5"), desk
    yield Replaying.begun(stage.heard), Desk(stage.scene)
    yield Replaying(tuple(stage.heard), len(stage.heard) - 1), Desk(stage.scene)


def reached() -> dict[str, Case]:
    """All grounds, and a mode of each kind that keys lead to; what is written there is a word."""
    found = {f"{shape(mode)} {at}": (mode, desk) for at, (mode, desk) in enumerate(grounds())}
    waiting, kinds = list(found.values()), set[str]()
    while waiting:
        mode, desk = waiting.pop()
        for stroke in STROKES:
            after = mode.key(stroke, desk).mode
            kind = f"{shape(after)}{' paused' if desk.paused else ''}"
            if isinstance(after, Cover) and kind not in kinds:
                kinds.add(kind)
                found[kind] = (after.paste("5").mode, desk)
                waiting.append(found[kind])
    return found


REACHED = reached()
CASES = pytest.mark.parametrize("name", REACHED)


def test_every_kind_of_mode_is_reached() -> None:
    kinds = {part for mode, _ in REACHED.values() for part in shape(mode).split(">")}
    assert kinds == set(TABLES)
    assert {"Writing>Page>Turn", "Question>Page>Waiting", "Page>Another"} <= set(REACHED)


@CASES
def test_every_key_does_what_the_table_says(name: str) -> None:
    mode, desk = REACHED[name]
    for stroke in STROKES:
        done, wanted = outcome(mode, mode.key(stroke, desk)), expected(mode, stroke, desk)
        # Where something is chosen, it may be what was chosen already, or may not fit.
        tiles = isinstance(mode, Turn | Waiting) and stroke.isdigit()
        tiles |= isinstance(mode, Turn | Waiting) and stroke in "lrud"
        # Of what is no word of a code it is said that it is none.
        codes = isinstance(mode, Entering) and stroke == "tab"
        same = ("=", "= !") if tiles or codes else ("=",)
        assert done == wanted or (wanted == "~" and done in same), (name, stroke)


@CASES
def test_other_keys_and_pasted_text_are_letters_of_a_line_or_nothing(name: str) -> None:
    mode, desk = REACHED[name]
    for odd in ODD:
        written = isinstance(mode, Text) and odd.isprintable() and len(odd) == 1
        assert outcome(mode, mode.key(odd, desk)) == ("~" if written else "="), odd
    for text in ("p", "q\n\x1b[A6", ""):
        kept = "".join(char for char in text if char.isprintable())
        written = isinstance(mode, Text) and bool(kept)
        assert outcome(mode, mode.paste(text)) == ("~" if written else "=")
    if isinstance(mode, Text):
        long = mode.paste("6" * 10_000).mode
        assert isinstance(long, Text)
        assert len(long.text) == (LONGEST_LINE if isinstance(mode, Entering) else CHAT_CHARACTERS)


@CASES
def test_a_click_on_a_key_is_that_key_and_tiles_answer_on_one_s_turn_alone(name: str) -> None:
    mode, desk = REACHED[name]
    by_act = {key.act: key.keys[0] for key in mode.keys}
    for act in Act:
        key = by_act.get(act)
        # Tiles and ends have no label that can be clicked.
        if act not in (Act.TILE, Act.END):
            wanted = mode.act(act, desk) if key is None else mode.key(key, desk)
            letter = isinstance(mode, Text) and (key is None or len(key) == 1)
            assert mode.act(act, desk) == (Step(mode, note=None) if letter else wanted)
            assert key is not None or outcome(mode, mode.act(act, desk)) == "="
    for step in [
        *(mode.click(at, desk) for at in range(12)),
        *(mode.click(end, desk) for end in ("L", "R", "U", "D", "4U", "")),
    ]:
        turn = isinstance(mode, Turn | Waiting) and shape(step.mode) == shape(mode)
        turn = turn and step.wish is None
        assert turn or outcome(mode, step) == "="


# Of the arrows one line of the help tells, of what scrolls another.
TOLD_BY_ANOTHER = (
    *(Act.PREVIOUS_TILE, Act.NEXT_END, Act.PREVIOUS_END),
    *(Act.PAGE_DOWN, Act.FIRST, Act.LAST, Act.WHEEL_UP, Act.WHEEL_DOWN),
)


def told(mode: Mode, act: Act, row: tuple[Label, ...]) -> bool:
    """Whether the bottom row or the help tells of it."""
    key = next(key for key in mode.keys if key.act is act)
    in_help = mode.keys is KEYS and (bool(key.does) or act in TOLD_BY_ANOTHER)
    in_row = (key.shown, act) in [(label.shown, label.act) for label in row]
    looks_back = mode.keys is REPLAY_KEYS and (bool(key.does) or act in TOLD_BY_ANOTHER)
    return in_help or in_row or looks_back


@CASES
def test_no_key_does_what_people_are_not_told_and_none_is_told_that_does_nothing(name: str) -> None:
    mode, desk = REACHED[name]
    row = mode.front(desk).row
    for stroke in STROKES:
        act = act_of(mode.keys, stroke)
        written = isinstance(mode, Text) and (len(stroke) == 1 or stroke == "backspace")
        if expected(mode, stroke, desk) != "=" and not written:
            assert act is not None
            assert told(mode, act, row), stroke
    names = {key.shown: key.keys[0].replace("space", " ") for key in reversed(mode.keys)}
    for label in row:
        nothing = ("=", "= !") if desk.paused else ("=",)
        assert expected(mode, names[label.shown], desk) not in nothing, label
    in_match = isinstance(mode, Waiting | Turn | Claiming)
    assert row != ()
    # Before there is a table nobody is offered to write.
    if isinstance(mode, Lobby) and mode.room is None:
        assert set(row) < set(mode.row)
    else:
        assert (row == mode.row) is not (desk.paused and in_match)


@CASES
def test_the_bottom_row_fits_the_narrowest_screen_but_for_what_others_tell(name: str) -> None:
    mode, desk = REACHED[name]
    row = [label for label in mode.front(desk).row if label.clicked]
    assert sum(len(label.shown) + len(label.text) + 3 for label in row) + 1 <= SMALLEST[0]


@CASES
def test_every_mode_is_drawn_with_its_keys_and_its_sentence(name: str) -> None:
    mode, desk = REACHED[name]
    view = make_view(desk, mode.front(desk))
    text = render(view, *SMALLEST, Look()).text
    assert " ".join(view.front.prompt.split()[:3]) in text
    assert f" {view.front.row[0].shown} {view.front.row[0].text}" in text.splitlines()[-1]


def test_a_paused_table_answers_nothing() -> None:
    for mode, desk in REACHED.values():
        if desk.paused:
            wishes = [mode.key(stroke, desk).wish for stroke in STROKES]
            assert not any(isinstance(wish, Answer) for wish in wishes)
