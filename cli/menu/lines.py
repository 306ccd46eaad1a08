"""The menu in plain lines: a page is printed, a line is read."""

import signal
from collections.abc import Callable

from cli.menu.walk import Entry, Page, Walk
from cli.process import output
from cli.process.signals import Interrupted


def stroll(
    walk: Walk, ask: Callable[[str], str] = output.ask, show: Callable[[str], None] = output.tell
) -> None:
    """Show pages and take what is typed, until there is something to run or the person leaves.
    Ctrl-D goes back; so does Ctrl-C, which ends the program where there is nothing behind."""
    shown: Page | None = None
    while walk.run is None and not walk.over:
        if walk.asked is None and walk.page is not shown:
            shown = walk.page
            show("\n".join(page_lines(shown)))
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
        walk.answer(line)
    if walk.over:
        show("You have left the menu.")


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
