"""Chat: shown once whatever way it comes, passed on, bounded, and checked before it leaves."""

import pytest
from support.session.sittings import make_hall, played, quiet

from p2p.session.sitting.chat import MAX_CHATS_A_SEAT, Chats
from p2p.session.sitting.owner import Chatted, Refused, Say
from p2p.wire.talk import encode_talk


def test_a_line_is_shown_once_to_everybody_and_to_who_said_it() -> None:
    hall = quiet(3)
    hall.wish(0, Say("good luck"))
    hall.wish(0, Say("good luck"))
    hall.deliver()
    for one in hall.sitters:
        assert one.shown(Chatted) == [Chatted(0, "good luck")] * 2


def test_a_line_reaches_whom_its_writer_does_not() -> None:
    hall = quiet(3)
    hall.cut.add((0, 2))
    hall.wish(0, Say("good luck"))
    hall.deliver()
    assert hall.sitters[2].shown(Chatted) == [Chatted(0, "good luck")]


@pytest.mark.parametrize("words", ["", "x" * 301, "two\nlines", "\x1b[2J"])
def test_a_line_that_cannot_be_shown_is_not_sent(words: str) -> None:
    hall = quiet(2)
    effects = hall.wish(0, Say(words))
    refusal = "A line of chat has 1 to 300 printable characters."
    assert effects.notices == (Refused(refusal),)
    assert effects.send == ()


def test_lines_have_an_end_and_no_line_counts_twice() -> None:
    session = make_hall(2).sitters[0].session
    other = make_hall(2).sitters[1].session
    chats = Chats(session)
    line = other.chat(0, "again and again")
    assert chats.hear(line)
    assert not chats.hear(line)
    for number in range(1, MAX_CHATS_A_SEAT):
        chats._numbers[1].add(number)
    assert not chats.hear(other.chat(MAX_CHATS_A_SEAT, "one too many"))
    assert chats.say("the own ones are others").number == 0


def test_people_talk_on_when_the_match_is_over() -> None:
    hall = played()
    hall.wish(0, Say("well played"))
    hall.deliver()
    line = hall.sitters[1].session.chat(7, "thanks")
    hall.hear(0, 1, line, encode_talk(line))
    assert hall.sitters[1].shown(Chatted) == [Chatted(0, "well played")]
    assert hall.sitters[0].shown(Chatted) == [Chatted(0, "well played"), Chatted(1, "thanks")]
