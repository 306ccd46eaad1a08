"""The way through the menu: choices, questions, refusals, pages on pages; and in plain lines."""

import signal
from dataclasses import replace

import pytest

from cli.menu.lines import CHOICE, CHOICE_FROM, page_lines, stroll
from cli.menu.walk import NOTHING_BEHIND, Ask, Back, Entry, Go, Open, Page, Run, Stay, Walk
from cli.process.errors import usage
from cli.process.signals import Interrupted


class Pages:
    """A first page with one of each kind of entry."""

    def __init__(self) -> None:
        self.answered: list[str] = []
        self.made = 0

    def first(self) -> Page:
        self.made += 1
        ask = Ask("Which?", self.take, "usual")
        return Page(
            "First",
            (
                Entry("play", "a match", lambda: Run(("play",))),
                Entry("plan", "more", lambda: Open(self.second)),
                Entry("ask", "", lambda: ask),
                Entry("stay", "", lambda: Stay("Here.")),
            ),
            ("Above.",),
        )

    def second(self) -> Page:
        return Page("Second", (Entry("done", "", lambda: Back("Was there.")),))

    def take(self, line: str) -> Go:
        if line == "no":
            raise usage("Not that one.")
        self.answered.append(line)
        return Stay(f"{line} it is.")


def test_choosing_by_number_word_and_begin() -> None:
    for typed in ("1", " Play ", "pla y".replace(" ", ""), "PLAY"):
        walk = Walk(Pages().first)
        walk.answer(typed)
        assert walk.run == Run(("play",))
    walk = Walk(Pages().first)
    for typed in ("pl", "0", "5", "x", "-1", "²"):
        walk.answer(typed)
        assert walk.note == "Type a number from 1 to 4, or the word beside it."
        assert (walk.run, walk.page.title) == (None, "First")
    walk.answer("a")
    assert walk.asked is not None
    lonely = Walk(lambda: Page("Empty", (Entry("back", "", Back),)))
    lonely.answer("x")
    assert lonely.note == "Type 1, or the word beside it."
    walk = Walk(Pages().first)
    walk.answer("")
    assert (walk.note, walk.over) == ("", False)


def test_pages_lie_on_each_other() -> None:
    walk = Walk(Pages().first)
    walk.answer("plan")
    assert walk.page.title == "Second"
    walk.answer("done")
    assert (walk.page.title, walk.note) == ("First", "Was there.")
    walk.answer("2")
    walk.answer("back")
    assert (walk.page.title, walk.over) == ("First", False)
    walk.answer("b")
    assert (walk.page.title, walk.over, walk.note) == ("First", False, NOTHING_BEHIND)
    walk.back()
    assert walk.over


def test_a_question_is_asked_until_it_is_answered_or_dropped() -> None:
    pages = Pages()
    walk = Walk(pages.first)
    walk.answer("ask")
    walk.answer("no")
    assert (walk.note, walk.asked is not None) == ("Not that one.", True)
    walk.answer("")
    assert (pages.answered, walk.note, walk.asked) == (["usual"], "usual it is.", None)
    walk.answer("ask")
    walk.back()
    assert (walk.asked, walk.over) == (None, False)
    assert pages.answered == ["usual"]


@pytest.mark.parametrize("typed", ["q", "Q", " quit "])
def test_q_leaves_from_a_question_and_is_no_answer(typed: str) -> None:
    pages = Pages()
    walk = Walk(pages.first)
    walk.answer("ask")
    walk.answer(typed)
    assert (walk.over, pages.answered) == (True, [])


@pytest.mark.parametrize("typed", ["b", "back"])
def test_back_drops_a_question_and_is_no_answer(typed: str) -> None:
    pages = Pages()
    walk = Walk(pages.first)
    walk.answer("ask")
    walk.answer(typed)
    assert (walk.asked, walk.over, pages.answered) == (None, False, [])


def test_a_page_is_made_anew_when_the_person_comes_back() -> None:
    pages = Pages()
    walk = Walk(pages.first)
    walk.answer("play")
    made = pages.made
    walk.again()
    assert (walk.run, pages.made) == (None, made + 1)


class Terminal:
    """A person who gives these answers, then the end of the input."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.shown: list[str] = []

    def ask(self, question: str) -> str:
        self.shown.append(question)
        if not self.answers:
            raise EOFError
        return self.answers.pop(0)


def walked(*answers: str) -> tuple[Walk, list[str]]:
    terminal, walk = Terminal(*answers), Walk(Pages().first)
    stroll(walk, terminal.ask, terminal.shown.append)
    return walk, terminal.shown


def test_the_menu_in_lines() -> None:
    page = ["== First ==", "Above.", "   1  play  a match", "   2  plan  more", "   3  ask"]
    assert page_lines(Pages().first())[:5] == page
    walk, shown = walked("nothing", "stay", "ask", "x", "play")
    first = "\n".join(page_lines(Pages().first()))
    choice = "Your choice: "
    wrong = "Type a number from 1 to 4, or the word beside it."
    assert shown == [
        *(first, choice, wrong, choice),
        *("Here.", choice, "Which? "),
        *("x it is.", choice),
    ]
    assert walk.run == Run(("play",))


@pytest.mark.parametrize("stop", [EOFError(), Interrupted(signal.SIGINT)])
def test_ctrl_d_and_ctrl_c_drop_a_question_then_a_page(stop: BaseException) -> None:
    pages, told = Pages(), iter(["plan", None, "ask", None, "play"])
    walk = Walk(pages.first)

    def ask(_: str) -> str:
        said = next(told)
        if said is None:
            raise stop
        return said

    stroll(walk, ask, lambda line: None)
    assert (walk.run, walk.asked, pages.answered) == (Run(("play",)), None, [])


@pytest.mark.parametrize("stop", [EOFError(), Interrupted(signal.SIGINT)])
def test_who_drops_a_question_hears_where_that_leads_and_no_refusal_again(
    stop: BaseException,
) -> None:
    def refuse(_: str) -> Stay:
        raise usage("That is no name.")

    page = Page("First", (Entry("ask", "", lambda: Ask("Which?", refuse)),))
    told, shown = iter(["ask", "x", None, "quit"]), list[str]()

    def ask(_: str) -> str:
        said = next(told)
        if said is None:
            raise stop
        return said

    stroll(Walk(lambda: page), ask, shown.append)
    assert shown.count("That is no name.") == 1
    assert shown[-3:] == ["", "You are back at: First.", "You have left the menu."]


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_on_the_first_page_and_any_other_signal_end_the_program(signum: int) -> None:
    walk = Walk(Pages().first)
    if signum == signal.SIGTERM:
        walk.answer("ask")

    def ask(_: str) -> str:
        raise Interrupted(signum)

    with pytest.raises(Interrupted):
        stroll(walk, ask, lambda line: None)


def test_the_end_of_the_input_drops_a_question_and_leaves_the_menu() -> None:
    walk, _ = walked("ask")
    assert (walk.over, walk.run, walk.asked) == (True, None, None)
    assert walked("quit")[0].over


def test_enter_alone_reads_the_page_again_and_leaving_is_said() -> None:
    typed, shown = iter(["", "help", "List", "hm", "quit"]), list[str]()
    pages = Pages()
    stroll(Walk(pages.first), lambda _question: next(typed), shown.append)
    page = "\n".join(page_lines(pages.first()))
    none = "Type a number from 1 to 4, or the word beside it."
    assert shown == [page, page, page, page, none, "You have left the menu."]


def test_of_a_page_that_comes_again_only_what_has_changed_is_read() -> None:
    count = 0

    def more() -> Stay:
        nonlocal count
        count += 1
        return Stay()

    def page() -> Page:
        entries = (Entry("bots", str(count), more), Entry("same", "", Stay))
        return Page("Plan", entries, live=count > 1)

    typed, shown = iter(["bots", "same", "?", "bots", "quit"]), list[str]()
    stroll(Walk(page), lambda _question: next(typed), shown.append)
    whole = [f"== Plan ==\n   1  bots  {at}\n   2  same" for at in range(3)]
    # One that changes by itself is read whole.
    assert shown == [whole[0], "   1  bots  1", whole[1], whole[2], "You have left the menu."]


def test_what_a_choice_came_to_is_told_before_the_page() -> None:
    walk, terminal = Walk(Pages().first), Terminal("me", "quit")
    walk.asked = Ask("Who?", lambda name: Stay(f"You are {name}."))
    stroll(walk, terminal.ask, terminal.shown.append)
    assert terminal.shown[:3] == [
        "Who? ",
        "You are me.",
        "\n".join(page_lines(Pages().first())),
    ]


def test_who_comes_back_to_a_page_hears_where_and_the_list_only_when_asked() -> None:
    pages = Pages()
    terminal, walk = Terminal("plan", "done", "stay", "", "stay", "play"), Walk(pages.first)
    stroll(walk, terminal.ask, terminal.shown.append)
    first = "\n".join(page_lines(pages.first()))
    second = "\n".join(page_lines(pages.second()))
    choice, again = f"{CHOICE} ", f"{CHOICE_FROM} "
    came_back = ["Was there.", "== First ==", again, "Here.", again, first, choice, "Here.", choice]
    assert terminal.shown == [first, choice, second, choice, *came_back]
    # What was run has told much: where one is, and no more.
    del terminal.shown[:]
    terminal.answers = ["plan", "list", "quit"]
    walk.again()
    stroll(walk, terminal.ask, terminal.shown.append)
    opened = [second, choice, second, choice, "You have left the menu."]
    assert terminal.shown == ["== First ==", again, *opened]


def test_a_live_page_says_that_it_is_the_same() -> None:
    page = Page("Join", (Entry("look", "again", Stay),), live=True)
    terminal, pages = Terminal("look", "quit"), iter([page, replace(page)])
    stroll(Walk(lambda: next(pages)), terminal.ask, terminal.shown.append)
    assert terminal.shown[2:4] == ["Nothing has changed.", f"{CHOICE} "]


def test_what_is_more_about_an_entry_follows_in_one_go() -> None:
    page = Page("Settings", (Entry("level", "normal      ", Back, "How well."),))
    assert page_lines(page)[-1] == "   1  level  normal: How well."
