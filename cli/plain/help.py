"""What can be typed in plain lines, for the game that is played."""

from cli.telling.room import Room
from engine.rules import Rules


def help_lines(rules: Rules | None) -> tuple[str, ...]:
    """The words, a line each; None: before there is a match, all of them."""
    return (*_placing(rules), *_WORDS, *(_CLAIMS if rules is None or rules.claims else ()))


def _placing(rules: Rules | None) -> tuple[str, ...]:
    lines = ["6-4 R    play 6-4 on the right end; 6-4 alone, if it fits one end only"]
    if rules is None or rules.spinner == "every":
        lines.append("         ends: L and R, U and D of the spinner, 4U and 4D of a later one")
    elif rules.spinner == "first":
        lines.append("         ends: L and R, and U and D of the spinner")
    draws = rules is None or rules.draws != "none"
    return (*lines, f"{'draw     draw a tile          ' if draws else ''}pass     give the turn on")


_WORDS = (
    "hand     your tiles           line     the table and its ends",
    "scores   scores and tiles     score    the sheet of the hands so far",
    "hint     what to play, why    log      what happened",
    "rules    those of this table  tips     how to play well",
    "say ...  write a line to the others",
    "out      go on without who is waited for too long (asks)",
    "mute Ben      what Ben writes is not shown to you, or is again",
    "help     this                 quit     leave the match (asks first)",
    "pause    ask for a pause, or agree to one; resume: go on",
    "again    another match with the same people, once this one is over",
    "who      who is at the table, with the keys",
    "refuse Ben    the host sends Ben away, before the match",
    "admit Ben     the host lets Ben sit again, who went while the seats were drawn",
    "partner Ben   the host plays with Ben, where partners play; lot: by lot",
    "Where only one thing can be done, Enter does it; it draws until a tile fits.",
)
_CLAIMS = ("With claims, =15 behind a tile claims 15.",)


def about_room(before: Room | None, now: Room) -> list[str]:
    """What the host can do about who came, and how the sides are drawn."""
    lines = []
    may = [any(room.may_refuse(one) for one in room.others) for room in (before or now, now)]
    if before is not None and may == [False, True]:
        lines.append("Type refuse and a name to send somebody away before the table is full.")
    if now.waiting and (before is None or before.waiting != now.waiting):
        lines.append("Type admit and the name to let somebody sit again.")
    changed = before is not None and before.partner != now.partner
    if now.partners and (changed or len(now.people) == 1):
        lines.append(now.lines()[-1].strip())
    return lines
