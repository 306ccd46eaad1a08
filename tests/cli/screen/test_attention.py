"""What tells who looks elsewhere that it is their turn, as bytes for the terminal."""

import io

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.output.vt100 import Vt100_Output

from cli.screen.attention import Attention


class Gone(io.StringIO):
    """A terminal that goes away."""

    def write(self, text: str) -> int:
        """Says so."""
        raise OSError(5, "Input/output error")


def attention(notice: bool, out: io.StringIO) -> Attention:
    """On a terminal."""
    return Attention(Vt100_Output(out, lambda: Size(24, 80), term="xterm"), notice)


@pytest.mark.parametrize(("bell", "notice"), [(False, False), (True, False), (False, True)])
def test_title_bell_and_notice_say_whose_turn_it_is(bell: bool, notice: bool) -> None:
    out = io.StringIO()
    one = attention(notice, out)
    one.begin()
    one.turn("All Fives", bell)
    turn = out.getvalue()
    assert "\x1b[22;2t" in turn
    assert "\x1b]2;Your turn - All Fives\x07" in turn
    assert ("\x1b]9;Your turn: All Fives\x07" in turn) == notice
    assert turn.count("\a") == 2 + bell + notice  # two end the titles
    one.over()
    assert out.getvalue().removeprefix(turn) == "\x1b]2;allfives\x07"
    one.end()
    assert out.getvalue().endswith("\x1b[23;2t"), "the title that was there comes back"


def test_a_terminal_that_has_gone_is_told_nothing() -> None:
    attention(True, Gone()).end()
