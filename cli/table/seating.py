"""From what is typed to a full table: where it is, its rules, name, code; what the lobby says."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import Final

from cli.files.identity import checked_name, is_bot_name
from cli.process.answers import yes_or_no
from cli.process.errors import Stop, usage
from cli.process.piped import PIPED
from cli.telling.ask import Parting
from cli.telling.room import Sitter
from cli.telling.scene import Scene
from engine.errors import RulesError, WrongSeats
from engine.rules import Rules
from engine.wording import listed, quoted, sentence
from p2p.crypto.identity import fingerprint
from p2p.net.errors import BadCode, BadInvite
from p2p.net.find.code import CODE_WORDS, normal_code, suggested, tabbed
from p2p.net.find.code import words as code_words
from p2p.net.find.invite import is_invite, parse_invite
from p2p.net.link.roster import Roster
from p2p.session.leaving.voices import enough
from p2p.session.state.table import NAME_CHARACTERS, Table, show_names
from p2p.store import Acquaintance

Ask = Callable[[str], Awaitable[str]]
"""Has the person answer a question; gives the line."""

NOT_CHOSEN: Final = "No table was chosen."
_ALONE: Final = "That is an invite, which needs no address: `allfives join` takes it alone."
HOST_GONE: Final = (
    "Only the host's program lets people in: if the host of that table has left the match, nobody "
    "new can look on; if it is only away, try again later."
)
FEW_WORDS: Final = "A code has three words, unless the host of the table has made up another one."
CODE_ASKED: Final = (
    "The code of the table? Its words as they were told to you; Tab completes one. Enter alone: it "
    "has none."
)
_NO_CODE: Final = "Enter alone: it has none."
GIVES_UP: Final = "Enter alone gives up."
_GOES_ON: Final = "This invite is not whole yet. Paste the rest of it; Enter alone drops it."
_AS_TYPED: Final = "Enter alone tries it as it was typed."
_CODE_HELP: Final = "The host of the table sees its code, and tells it to you; quit leaves."


def make_rules(
    preset: str, players: int, settings: Mapping[str, str], seats_flag: Callable[[int], str]
) -> Rules:
    """The rules that the flags ask for; Stop with the engine's sentence if they cannot be.
    `seats_flag` spells the flag for so many players, where others are needed."""
    try:
        return Rules.make(preset, players, settings)
    except WrongSeats as error:
        raise usage(f"{sentence(error)} Say {seats_flag(error.seats)}.") from None
    except RulesError as error:
        raise usage(sentence(error)) from None


def plays_on(rules: Rules, seats: Sequence[int], owners: Sequence[int], *leavers: int) -> bool:
    """Whether the match goes on without those: of who is in, the `seats`, two must stay, and more
    than half of the other voices. Their bots go with them, `owners` by seat, and have none; of two
    sides none goes on without the other."""
    stay = [seat for seat in seats if not {seat, owners[seat]}.intersection(leavers)]
    return not rules.partners and len(stay) > 1 and enough(stay, seats, set(leavers), owners)


def parting(scene: Scene, owners: Sequence[int], paused: bool) -> Parting:
    """What it would mean if the own seat of a match left it now."""
    if scene.me in scene.out:
        return "looking"
    if paused:
        return "waits"
    if scene.rules is None or scene.me is None:
        return "ends"
    goes_on = plays_on(scene.rules, scene.seats_in, owners, scene.me)
    alone = bool(owners) and {owners[seat] for seat in scene.seats_in} == {scene.me}
    return "without" if goes_on else "alone" if alone else "ends"


def who_came_and_went(
    before: Roster, after: Roster, players: int, own_key: bytes, refused: Collection[bytes] = ()
) -> list[str]:
    """Lines on how the roster of the lobby has changed; whose key is `refused` was sent away."""
    came = [one for one in after if one not in before and one.key != own_key]
    went = [one for one in before if one not in after]
    names, left = _shown(after), _shown(before)
    state = f"({len(after)} of {players} are here)"
    lines = [
        f"You sent {left[one.key]} away {state}."
        if one.key in refused
        else f"{left[one.key]} has left {state}."
        for one in went
    ]
    if came:
        who = listed([f"{names[one.key]} [{fingerprint(one.key)}]" for one in came])
        lines.append(f"{who} {'is' if len(came) == 1 else 'are'} at the table {state}.")
    return lines


def sitters(roster: Roster) -> tuple[Sitter, ...]:
    """The people of a lobby with the names to show."""
    return tuple(Sitter(key, name) for key, name in _shown(roster).items())


def _shown(roster: Roster) -> dict[bytes, str]:
    """By key the names to show."""
    names = show_names([one.name for one in roster])
    return dict(zip((one.key for one in roster), names, strict=True))


def strangers_words(strangers: Sequence[Acquaintance]) -> list[str]:
    """A warning for each known name that comes with a key never met before."""
    return [
        f"Careful: {one.name} has a key [{fingerprint(one.key)}] that is not the one you met under "
        "this name before. It may be somebody else: ask them by another way, say by telephone."
        for one in strangers
    ]


def others(table: Table, own_key: bytes) -> list[Acquaintance]:
    """The other people at a table; no bots, which have a new key for each."""
    return [
        Acquaintance(person.key, person.name)
        for person in table.people
        if person.key != own_key and not person.owner
    ]


def pretended_bots(roster: Roster) -> list[bytes]:
    """The keys of those who bear the name of a bot, and were brought by nobody."""
    return [one.key for one in roster if is_bot_name(one.name) and not one.owner]


def checked_table_name(name: str | None, host: str) -> str:
    """The name of a table, made from the host's if none was typed. Raises Stop."""
    chosen = f"Table of {host}"[:NAME_CHARACTERS].rstrip() if name is None else name
    return checked_name(chosen, "the table's name")


def understand(words: Sequence[str]) -> tuple[str | None, str | None]:
    """Where and code of the words behind `join`: an invite, an address with or without a code, or
    a code, of one word or of several as it is spoken.

    A word with a dot or a colon in it is an address; so is a first one that is no word of a code
    and has a whole made-up code behind it.
    """
    match words:
        case []:
            return None, None
        case [*_] if is_invite(" ".join(words)):
            return _invite(words), None
        case [where, last] if last == PIPED:
            return where, last
        case [where, *rest] if any(mark in where for mark in ".:") or _is_host(where, rest):
            return where, "-".join(rest) or None
    return None, "-".join(words)


async def ask_code(
    ask: Ask,
    addressed: bool,
    question: str = CODE_ASKED,
    near: str | None = None,
    enter: str = _NO_CODE,
) -> str | None:
    """The code that the person says, in its normal form, None for an empty line; a yes means the
    one that was offered, `near`, and `enter` says what an empty line does. Not `addressed`: an
    invite may come in place of it, whole. Raises Stop for who leaves."""
    while line := (await ask(question)).strip():
        said = None if near is None else yes_or_no(line)
        if said:
            return near
        if not addressed and is_invite(line):
            if (invite := await _whole_invite(ask, line)) is not None:
                return invite
            code, why = None, str(BadInvite())
        else:
            code, why = (None, "") if said is False else _code_typed(line)
        if code is not None:
            return await sure_code(ask, addressed, code)
        near, question = None, f"{why} Type the code again; {enter}".lstrip()
    return None


async def sure_code(ask: Ask, addressed: bool, code: str) -> str:
    """The code, asked for again if some of its words are in no made-up one; or as `ask_code`."""
    strange = strange_words(code)
    if strange is None:
        return code
    return await ask_again(ask, addressed, strange, code, _AS_TYPED) or code


async def ask_again(
    ask: Ask, addressed: bool, why: str, code: str | None, enter: str
) -> str | None:
    """The code once more, for `why` there is a doubt about that one, or None for an empty line;
    `enter` says what that does, the rest is as in `ask_code`."""
    near = _near(code)
    yes = "" if near is None else "yes, or "
    return await ask_code(ask, addressed, f"{why} Type {yes}the code again; {enter}", near, enter)


async def _whole_invite(ask: Ask, line: str) -> str | None:
    """The invite that begins with a line, cut as a screen may have shown it; None where an empty
    line comes before it is whole."""
    question = _GOES_ON
    while True:
        with suppress(BadInvite):
            parse_invite(line)
            return line
        further = (await ask(question)).strip()
        if not further:
            return None
        line, question = further if is_invite(further) else line + further, ""


def _code_typed(line: str) -> tuple[str | None, str]:
    """The code that a line means, in its normal form; or None, and what is told about it. Raises
    Stop for who leaves."""
    word = line.lower()
    if word in ("quit", "q"):
        raise Stop(NOT_CHOSEN)
    if word in ("help", "?"):
        return None, _CODE_HELP
    try:
        code = _pasted_code(tabbed(line))
        return (None, _ALONE) if is_invite(code) else (normal_code(code), "")
    except (BadCode, Stop) as error:
        return None, str(error)


def _pasted_code(line: str) -> str:
    """What is typed for a code: of a whole line as the host sees it, what stands there as one."""
    words = line.split()
    if words[:1] == ["allfives"] and words[1:2] in (["join"], ["watch"]):
        where, code = understand(words[2:])
        return code or where or ""
    return line


def strange_words(code: str) -> str | None:
    """A sentence about the words of a code that are in no made-up one, where others are."""
    parts = normal_code(code).split("-")
    strange = [part for part in parts if part not in code_words()]
    if len(parts) != CODE_WORDS or not 0 < len(strange) < CODE_WORDS:
        return None
    is_no = "is no word" if len(strange) == 1 else "are no words"
    named = listed([quoted(one) for one in strange])
    return f"{named} {is_no} of a code that is made up.{meant(code)}"


def meant(code: str | None) -> str:
    """A further sentence about a code that is wrong: what it may have been."""
    near = _near(code)
    return "" if near is None else f" Did you mean {near}?"


def refused_why(code: str | None, looks_on: bool) -> str:
    """What stands behind the sentence that a code is taken nowhere, a space before it."""
    return f"{meant(code)} {HOST_GONE}" if looks_on else meant(code)


def _near(code: str | None) -> str | None:
    return None if code is None else suggested(normal_code(code))


def _invite(words: Sequence[str]) -> str:
    """The invite that a shell may have cut into words. Raises Stop if it is none, or if a code
    follows it."""
    whole = " ".join(words)
    try:
        parse_invite(whole)
    except BadInvite as damaged:
        with suppress(BadInvite):
            parse_invite(words[0])
            raise usage("An invite needs no code; leave the code out.") from None
        raise usage(str(damaged)) from None
    return whole


def _is_host(word: str, rest: Sequence[str]) -> bool:
    """Whether a word without a mark is the name of a machine that has the code `rest`."""
    parts = "-".join(rest).replace("_", "-").casefold().split("-")
    made_up = len(parts) == CODE_WORDS and all(part in code_words() for part in parts)
    return word == "localhost" or (made_up and word.casefold() not in code_words())


# A code that is made up has 33 bits (p2p.net.find.code); letters by chance have 4.7 each.
SAFE_LETTERS: Final = 8
SHORT_CODE: Final = (
    "This code is short, so somebody who tries for long may find it. A longer one is safer; "
    "without --code one is made up."
)


def is_short(code: str) -> bool:
    """Whether a code is sooner guessed than one that is made up."""
    return sum(letter.isalnum() for letter in code) < SAFE_LETTERS


def checked_code(code: str) -> str:
    """A code that was typed, checked before the table opens. Raises Stop."""
    try:
        return normal_code(code)
    except BadCode as error:
        raise usage(str(error)) from None
