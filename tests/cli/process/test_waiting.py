"""What is typed while the program works."""

import os
import select
import termios

import pytest

from cli.process.waiting import unheard_keys


def test_what_is_typed_meanwhile_is_neither_shown_nor_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    person, program = os.openpty()
    with os.fdopen(person, "r+b", 0) as keyboard, open(program) as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        before = termios.tcgetattr(program)
        with unheard_keys():
            assert not termios.tcgetattr(program)[3] & termios.ECHO
            # Ctrl-C counts still.
            assert termios.tcgetattr(program)[3] & termios.ISIG
            keyboard.write(b"gq\n")
            assert select.select([program], [], [], 5)[0]
        assert termios.tcgetattr(program) == before
        assert not select.select([program], [], [], 0)[0]
        with pytest.raises(ValueError, match="it failed"), unheard_keys():
            raise ValueError("it failed")
        assert termios.tcgetattr(program) == before


def test_without_a_terminal_nothing_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    with open(os.devnull) as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        with unheard_keys():
            pass
