"""The menu: what each answer starts, and that nothing typed there becomes an option."""

import pytest

from cli.menu import choose


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


@pytest.mark.parametrize(
    ("answers", "command"),
    [
        (["1"], ["play"]),
        ([" Play "], ["play"]),
        (["2"], ["host"]),
        (["4"], ["--help"]),
        (["5"], None),
        (["q"], None),
        ([], None),
        (["x", "", "1"], ["play"]),
        (["3", ""], ["join"]),
        (
            ["3", "127.0.0.1:5525 guitar-orbit-lunar"],
            ["join", "127.0.0.1:5525", "guitar-orbit-lunar"],
        ),
        (["join", "allfives:xyz"], ["join", "allfives:xyz"]),
        (["3", "--data-dir /"], ["join"]),
        (["3"], None),
    ],
)
def test_answers(answers: list[str], command: list[str] | None) -> None:
    terminal = Terminal(*answers)
    assert choose(terminal.ask, terminal.shown.append) == command


def test_a_wrong_answer_is_told() -> None:
    terminal = Terminal("7", "5")
    assert choose(terminal.ask, terminal.shown.append) is None
    assert "Type a number from 1 to 5, or the word beside it." in terminal.shown
