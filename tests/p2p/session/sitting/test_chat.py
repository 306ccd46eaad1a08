"""Chat: shown once whatever way it comes, passed on, one line a second of a seat, checked before it
leaves."""

import pytest
from support.session.sittings import played, quiet

from p2p.session.sitting.chat import SHOWN_AT_ONCE, TELL_SECONDS, Chats
from p2p.session.sitting.owner import Chatted, Hushed, Refused, Say
from p2p.wire.talk import Chat


def test_a_line_is_shown_once_to_everybody_and_to_who_said_it() -> None:
    hall = quiet(3)
    hall.wish(0, Say("good luck"))
    hall.wish(0, Say("good luck"))
    hall.deliver()
    for one in hall.sitters:
        assert one.shown(Chatted) == [Chatted(0, "good luck")] * 2


def test_a_line_reaches_whom_its_writer_does_not() -> None:
    hall = quiet(3)
    hall.part(0, 2)
    hall.wish(0, Say("good luck"))
    hall.deliver()
    assert hall.sitters[2].shown(Chatted) == [Chatted(0, "good luck")]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("", "has 1 to 300 printable characters"),
        ("x" * 301, "has 1 to 300 printable characters"),
        ("two\nlines", "has 1 to 300 printable characters"),
        ("\x1b[2J", "has 1 to 300 printable characters"),
        ("\u2800", "there must be a letter or a digit in it"),
        ("a" + "\u0301" * 250, "a letter carries at most 4 marks"),
    ],
)
def test_a_line_that_cannot_be_shown_is_not_sent(words: str, why: str) -> None:
    hall = quiet(2)
    effects = hall.wish(0, Say(words))
    (refusal,) = effects.notices
    assert isinstance(refusal, Refused)
    assert why in refusal.sentence
    assert effects.send == ()


def test_one_line_a_second_is_shown_and_the_rest_is_counted() -> None:
    chats = Chats((0, 1))
    assert all(chats.shows(1, 5.0) for _ in range(SHOWN_AT_ONCE))
    assert not any(chats.shows(1, 5.0) for _ in range(12))
    assert chats.shows(0, 5.0)
    assert chats.shows(1, 6.0)
    assert chats.hushed(5.0 + TELL_SECONDS - 0.1) == []
    assert chats.hushed(5.0 + TELL_SECONDS) == [(1, 12)]
    assert chats.hushed(100.0) == []


def test_a_flood_of_lines_is_counted_and_a_third_hears_no_more_of_it_than_it_can_show() -> None:
    """Seven thousand lines, in 12 s."""
    hall = quiet(3)
    for second in range(12):
        for number in range(7):
            line = hall.word(1, Chat("buy"), 7 * second + number)
            hall.hear(0, 1, *[line] * 10)
        hall.pass_time(1)
    shown = hall.sitters[0].shown(Chatted)
    assert len(shown) <= SHOWN_AT_ONCE + 12
    hushed = [one.lines for one in hall.sitters[0].shown(Hushed) if isinstance(one, Hushed)]
    assert len(shown) + sum(hushed) <= 7 * 12
    assert hushed
    assert len(hall.sitters[2].shown(Chatted)) <= len(shown)
    assert hall.sitters[2].closed == []


def test_the_owners_own_flood_is_refused_with_a_sentence() -> None:
    hall = quiet(2)
    for _ in range(100):
        hall.wish(0, Say("hello"))
    refused = hall.sitters[0].shown(Refused)
    assert refused
    assert refused[0] == Refused("That was too much at once; wait a moment.")


def test_people_talk_on_when_the_match_is_over() -> None:
    hall = played()
    hall.wish(0, Say("well played"))
    hall.deliver()
    line = hall.word(1, Chat("thanks"), 7)
    hall.hear(0, 1, line, line)
    assert hall.sitters[1].shown(Chatted) == [Chatted(0, "well played")]
    assert hall.sitters[0].shown(Chatted) == [Chatted(0, "well played"), Chatted(1, "thanks")]
