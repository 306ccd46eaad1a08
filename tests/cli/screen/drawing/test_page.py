"""Pages laid out for the rows that there are."""

import pytest

from cli.screen.drawing.page import Laid, lay_page
from cli.screen.drawing.panels import Panel, lobby_panel
from cli.screen.line.canvas import wrapped

PEOPLE = ("  1 Ana (you)", "  2 Ben", "  2 seats still free")
OPENED = tuple(f"  allfives join 192.168.1.{host} guitar-orbit-lunar" for host in range(8))
CAME = (
    "Ben is at the table (2 of 4 are here).",
    "Ben: who else comes, and when do they come, and what do we play till then, and where?",
)


def laid(panel: Panel, top: int = 0, room: int = 10, width: int = 40) -> Laid:
    return lay_page(panel, top, width, room)


def test_a_page_that_fits_is_there_whole() -> None:
    panel = lobby_panel(PEOPLE, OPENED[:1], CAME)
    page = laid(panel, room=12)
    assert (page.at, page.news, page.last) == ("", (), 0)
    assert [*page.rows] == [row for line in (*panel.lines, *CAME) for row in wrapped(line, 40)]
    assert page.told == {*panel.lines, *CAME}


@pytest.mark.parametrize("top", [0, 3, 1_000])
def test_of_a_longer_page_the_newest_lines_stay_in_view(top: int) -> None:
    page = laid(lobby_panel(PEOPLE, OPENED, ("Cem has left (1 of 4 are here).", *CAME)), top)
    assert [*page.news] == [row for line in CAME for row in wrapped(line, 40)]
    assert len(page.rows) + len(page.news) == 10
    assert "up, down" in page.at
    assert set(CAME) <= page.told
    assert not set(page.rows) & set(page.news)


def test_all_the_other_lines_can_be_scrolled_to() -> None:
    panel = lobby_panel(PEOPLE, OPENED, ("Cem has left (1 of 4 are here).", *CAME))
    whole = [row for line in (*panel.lines, panel.news[0]) for row in wrapped(line, 40)]
    last = laid(panel).last
    seen = [row for top in range(last + 1) for row in laid(panel, top).rows[:1]]
    assert [*seen, *laid(panel, last).rows[1:]] == whole


def test_a_line_longer_than_its_rows_shows_how_it_begins_and_scrolls_whole() -> None:
    long = "Ben: " + "word " * 60
    page = laid(lobby_panel(PEOPLE, (), (long,)), 1_000)
    assert page.news[0].startswith("Ben: word")
    assert page.news[-1].endswith("~")
    assert len(page.news) == 4
    assert [*page.rows] == [row for line in (*PEOPLE, "", long) for row in wrapped(line, 40)][-6:]
    assert long not in page.told


def test_the_first_way_to_join_is_in_view_however_many_sit_and_speak() -> None:
    people = tuple(f"  {at} {name}" for at, name in enumerate(("Ana", "Ben", "Cem", "Dot"), 1))
    page = laid(lobby_panel(people, ("den is open:", *OPENED), CAME), room=16)
    assert page.rows[:3] == ("den is open:", *wrapped(OPENED[0], 40))
    assert set(people) <= set(page.rows)


def test_a_line_that_is_cut_by_the_edge_is_not_told() -> None:
    assert laid(Panel("Log", OPENED, "q leaves."), room=9).told == {*OPENED[:4]}
