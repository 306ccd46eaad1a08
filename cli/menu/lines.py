"""The menu in plain lines: a page is printed, a line is read."""

import signal
from collections.abc import Callable
from typing import Final

from cli.menu.walk import WORDS_AGAIN, Entry, Page, Walk
from cli.process import output
from cli.process.signals import Interrupted

CHOICE: Final = "Your choice:"
CHOICE_FROM: Final = "Your choice (Enter reads the list):"
_SAME: Final = "Nothing has changed."


def stroll(
    walk: Walk, ask: Callable[[str], str] = output.ask, show: Callable[[str], None] = output.tell
) -> None:
    """Show pages and take what is typed, until there is something to run or the person leaves. A
    page that was read is not read again, but for what has changed, and where that is asked for;
    what a choice came to stands before it. Ctrl-D goes back; so does Ctrl-C, which ends the program
    where there is nothing behind."""
    # What was run has told much since.
    whole, back = True, bool(walk.read)
    question = CHOICE_FROM if back else CHOICE
    while walk.run is None and not walk.over:
        if walk.note:
            show(walk.note)
        if walk.asked is None:
            rows, question = _read(walk, whole and not back, back, question)
            if rows:
                show("\n".join(rows))
        whole, back = False, False
        try:
            line = ask(f"{question if walk.asked is None else walk.asked.question} ")
        except EOFError:
            show("")
            _back(walk)
            continue
        except Interrupted as interrupted:
            if interrupted.signum != signal.SIGINT or not walk.may_go_back:
                raise
            show("")
            _back(walk)
            continue
        whole = walk.asked is None and line.strip().lower() in WORDS_AGAIN
        walk.answer(line)
    if walk.over:
        show("You have left the menu.")


def _back(walk: Walk) -> None:
    """Go back; who drops a question hears on which page that is, of which nothing is new."""
    asked = walk.asked is not None
    walk.back()
    if asked:
        walk.note = f"You are back at: {walk.page.title}."


def _read(walk: Walk, whole: bool, back: bool, question: str) -> tuple[list[str], str]:
    """What is to be read of the page, and the question behind it; `back`: the person was away."""
    page, depth = walk.page, walk.depth
    before = walk.read[depth - 1] if depth <= len(walk.read) else None
    back = back or depth < len(walk.read)
    walk.read[depth - 1 :] = [page]
    if before is page and not (whole or back):
        return [], question
    if before is None or whole:
        return page_lines(page), CHOICE
    rows = fresh(before, page)
    if rows == page_lines(page):
        return rows, CHOICE
    if back:
        return [_title(page), *rows], CHOICE_FROM
    return rows or ([_SAME] if page.live else []), question


def fresh(before: Page, now: Page) -> list[str]:
    """What is to be read of a page that was read before: what has changed, and one that changes by
    itself as a whole then."""
    lines, known = page_lines(now), page_lines(before)
    changed = [line for line in lines if line not in known]
    return lines if now.live and lines != known else changed


def page_lines(page: Page) -> list[str]:
    """A page with its entries, numbered."""
    width = max(len(one.word) for one in page.entries)
    rows = [
        f"  {number:2}  {one.word:{width}}  {_about(one)}".rstrip()
        for number, one in enumerate(page.entries, 1)
    ]
    return [_title(page), *page.lines, *rows]


def _title(page: Page) -> str:
    return f"== {page.title} =="


def _about(entry: Entry) -> str:
    """What an entry does, in one go: a column more would leave what is wrapped little room."""
    return ": ".join(part for part in (entry.text.strip(), entry.more) if part)
