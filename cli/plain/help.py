"""What can be typed in plain lines at a moment: the words, and who is told of them when."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from cli.telling.doing import Deed, Moment
from cli.telling.room import TOLD, Room
from engine.wording import nearest, quoted

_WIDTH: Final = 13
CHOOSES_PARTNER: Final = (
    "You may choose with whom you play: partner and the name; partner lot leaves it to the lot."
)
HELP: Final = "Type help to hear what can be done."


@dataclass(frozen=True, slots=True)
class Word:
    """What is typed for a deed, None: always, and what it does."""

    deed: Deed | None
    typed: str
    does: str

    def line(self) -> str:
        """In a line."""
        return f"{self.typed:<{_WIDTH}} {self.does}"


_QUIT: Final = Word(None, "quit", "leave")
# The name in the words about somebody, where nobody else is known whom they might be about.
_SOMEBODY: Final = "Ben"
_WORDS: Final = (
    Word(Deed.PLAY, "6-4 R", "play 6-4 on the right end; 6-4 alone, if it fits one end only"),
    Word(Deed.DRAW, "draw", "draw until a tile fits; Enter alone does it too"),
    Word(Deed.PASS, "pass", "let the next one play; Enter alone does it too"),
    Word(Deed.CLAIM, "15", "claim 15 points; Enter alone claims nothing"),
    Word(Deed.AHEAD, "ahead 6-4 R", "choose it for your next turn, in which Enter plays it"),
    Word(Deed.HINT, "hint", "what to play, and why"),
    Word(Deed.HAND, "hand", "your tiles"),
    Word(Deed.LINE, "line", "the table and its ends"),
    Word(Deed.SCORES, "scores", "scores, and how many tiles everybody has"),
    Word(Deed.SHEET, "sheet", "the score sheet: what each hand so far brought"),
    Word(Deed.LOG, "log", "what happened last; log all: from the beginning"),
    Word(Deed.RULES, "rules", "those of this table"),
    Word(Deed.TIPS, "tips", "how to play well"),
    Word(Deed.FAIR, "fair", "who shuffled, and what was proven"),
    Word(Deed.WHO, "who", "who is at the table, and the key of each"),
    Word(Deed.SAY, "say ...", "write a line to the others"),
    Word(Deed.MUTE, "mute Ben", "what Ben writes is not shown to you, or is again"),
    Word(Deed.BELL, "bell", "a bell on your turn: on or off"),
    Word(Deed.COPY, "copy", "the invite, to the clipboard where the terminal lets it"),
    Word(Deed.REFUSE, "refuse Ben", "send Ben away, before the match begins"),
    Word(Deed.ADMIT, "admit Ben", "let Ben sit again, who was sent away or went during the draw"),
    Word(Deed.PARTNER, "partner Ben", "play with Ben; partner lot: the lot says with whom"),
    Word(Deed.PAUSE, "pause", "ask for a pause, or agree to one"),
    Word(Deed.GO_ON, "resume", "go on, and want no pause any more"),
    Word(Deed.OUT, "out", "go on without who is waited for too long; asks first"),
    Word(Deed.AGAIN, "again", "another match with the same people; Enter alone leaves"),
    Word(None, "help", "this"),
    _QUIT,
)


def help_lines(moment: Moment) -> tuple[str, ...]:
    """How it stands, and what can be typed now, a line each."""
    lines: list[str] = []
    for word in _words(moment):
        lines.append(word.line())
        if word.deed is Deed.PLAY:
            lines += _placing(moment)
    return (f"{moment.state} You can type:", *lines)


def no_word(line: str, moment: Moment) -> str:
    """What is told to who types something else."""
    words = [word.typed.split()[0] for word in _words(moment)]
    named = [word for word in line.casefold().split() if word in words]
    meant = named[-1] if named else nearest(line, words)
    instead = HELP if meant is None else f"Did you mean {meant}?"
    return f"{quoted(line)} is nothing that can be done now. {moment.state} {instead}"


def _words(moment: Moment) -> Iterator[Word]:
    for word in _WORDS:
        if word is _QUIT:
            yield replace(word, does=moment.leaving)
        elif word.deed is None:
            yield word
        elif word.deed in moment.deeds:
            name = moment.names.get(word.deed, _SOMEBODY)
            typed, does = (text.replace(_SOMEBODY, name) for text in (word.typed, word.does))
            yield Word(word.deed, typed, does)


def _placing(moment: Moment) -> list[str]:
    """More about placing, for the game that is played."""
    rules, more = moment.rules, []
    if rules is None or rules.spinner == "every":
        more.append("ends: L and R, U and D of the spinner, 4U and 4D of a later one")
    elif rules.spinner == "first":
        more.append("ends: L and R, and U and D of the spinner")
    if rules is not None and rules.claims:
        more.append("with claims, =15 behind a tile claims 15")
    else:
        more.append("where only one move can be made, Enter alone makes it")
    more.append("while others play, ahead 6-4 R chooses it for your next turn")
    return [f"{'':{_WIDTH}} {line}" for line in more]


def about_room(before: Room | None, now: Room) -> list[str]:
    """What the host can do about who comes, said in time, and how the sides are drawn."""
    lines = []
    # The table begins as soon as it is full: who takes the last seat cannot be refused.
    if before is None and now.hosts and now.guests and now.places - len(now.people) > 1:
        lines.append("You may send somebody away until the table is full: refuse and the name.")
    if now.waiting and (before is None or before.waiting != now.waiting):
        lines.append("Type admit and the name to let somebody sit again.")
    changed = before is None or before.partner != now.partner
    if now.partners and changed:
        sides = now.lines()[-1].strip()
        lines.append(sides if now.partner is None else f"{sides.removesuffix('.')}; {TOLD}.")
    could = before is not None and not before.why_not(partner=True)
    fills = now.guests and now.places > len(now.people)
    if fills and not could and not now.why_not(partner=True):
        lines.append(CHOOSES_PARTNER)
    return lines
