"""The menu in plain lines: a page is printed, a line is read."""

import signal
from collections.abc import Callable

from cli.menu.walk import WORDS_AGAIN, Entry, Page, Walk
from cli.process import output
from cli.process.signals import Interrupted


def stroll(
    walk: Walk, ask: Callable[[str], str] = output.ask, show: Callable[[str], None] = output.tell
) -> None:
    """Show pages and take what is typed, until there is something to run or the person leaves. A
    page that comes again is not read again, but for what has changed, and where that is asked for.
    Ctrl-D goes back; so does Ctrl-C, which ends the program where there is nothing behind."""
    shown: Page | None = None
    whole = True
    while walk.run is None and not walk.over:
        if walk.asked is None and walk.page is not shown:
            rows = page_lines(walk.page) if whole or shown is None else fresh(shown, walk.page)
            shown = walk.page
            if rows:
                show("\n".join(rows))
        if walk.note:
            show(walk.note)
        question = walk.asked.question if walk.asked is not None else "Your choice:"
        try:
            line = ask(f"{question} ")
        except EOFError:
            show("")
            walk.back()
            continue
        except Interrupted as interrupted:
            if interrupted.signum != signal.SIGINT or not walk.may_go_back:
                raise
            show("")
            walk.back()
            continue
        whole = walk.asked is None and line.strip().lower() in WORDS_AGAIN
        walk.answer(line)
    if walk.over:
        show("You have left the menu.")


def fresh(before: Page, now: Page) -> list[str]:
    """What is to be read of a page behind another one: of the same one only what has changed."""
    lines = page_lines(now)
    if now.live or now.title != before.title:
        return lines
    known = page_lines(before)
    return [line for line in lines if line not in known]


def page_lines(page: Page) -> list[str]:
    """A page with its entries, numbered."""
    width = max(len(one.word) for one in page.entries)
    rows = [
        f"  {number:2}  {one.word:{width}}  {_about(one)}".rstrip()
        for number, one in enumerate(page.entries, 1)
    ]
    return [f"== {page.title} ==", *page.lines, *rows]


def _about(entry: Entry) -> str:
    """What an entry does, in one go: a column more would leave what is wrapped little room."""
    return ": ".join(part for part in (entry.text.strip(), entry.more) if part)
