"""The owner's decisions: none of them ends the match, whatever is decided, and whenever."""

from dataclasses import replace

from support.session.sittings import Hall, Sitter, make_hall, silent

from engine.moves import Draw, Move, Pass, Play
from engine.strategy.view import SeatView
from p2p.session.sitting.owner import Chosen, Outcome, Refused
from p2p.session.verify import verify_record
from p2p.wire.talk import Leave, encode_talk


def wrong_decisions(view: SeatView) -> list[Chosen]:
    """One of each kind that this view's seat may not make now."""
    if view.awaiting is not None:
        return [Chosen(None, claim=number) for number in (-1, 169, 170, 999)]
    moves: list[Move] = [Draw(0), Draw(1), Pass(1)]
    for legal in view.legal:
        if isinstance(legal, Play):
            moves += [replace(legal, claim=number) for number in (None, -1, 169, 170, 999)]
            moves += [replace(legal, slot=99), replace(legal, end="6U")]
    return [Chosen(move) for move in moves if move not in view.legal]


class Wrong:
    """Decides wrongly in all ways, and then as the bot does."""

    def __init__(self, sitter: Sitter) -> None:
        self.sitter = sitter
        self.given = 0
        self._left: list[Chosen] = []
        self._fresh = True

    def __call__(self, view: SeatView) -> Chosen:
        if self._fresh:
            self._left = wrong_decisions(view)
            self.given += len(self._left)
        self._fresh = not self._left
        return self._left.pop() if self._left else self.sitter.decide(view)


def test_a_decision_that_breaks_a_rule_is_asked_for_again() -> None:
    hall = make_hall(3, claims="yes")
    wrong = Wrong(hall.sitters[1])
    hall.sitters[1].answer = wrong
    hall.start()
    hall.play()
    assert {one.last.outcome for one in hall.sitters} == {Outcome("finished")}
    assert verify_record(hall.sitters[0].session.record()).closed
    refusals = [one.sentence for one in hall.sitters[1].notices if isinstance(one, Refused)]
    assert len(refusals) == wrong.given
    told = {sentence.partition(":")[0].removesuffix(".") for sentence in refusals}
    assert told >= {
        "A claim is a number from 0 to 168, 0 for none",
        "It is the turn of seat 1, not of seat 0",
        "Slot 99 is not in the hand of seat 1",
    }
    assert all(sentence.endswith(".") for sentence in refusals)
    assert not hall.sitters[0].shown(Refused) + hall.sitters[2].shown(Refused)


def asked() -> tuple[Hall, Sitter, SeatView]:
    """A table, somebody whose turn it is there, and what is seen."""
    hall = make_hall(2)
    for one in hall.sitters:
        one.answer = silent
    hall.start()
    hall.play()
    (turn,) = [one for one in hall.sitters if one.last.ask is not None]
    assert turn.last.ask is not None
    return hall, turn, turn.last.ask


def test_the_question_stays_open_until_it_is_answered() -> None:
    _, turn, view = asked()
    assert turn.sitting.tick(1.0).ask is not None
    wrong = turn.sitting.decided(wrong_decisions(view)[0], 1.0)
    assert wrong.ask is not None
    assert wrong.send == ()
    assert wrong.store.messages == ()
    assert turn.sitting.decided(turn.decide(view), 1.0).ask is None


def test_what_answers_another_question_is_dropped() -> None:
    _, turn, view = asked()
    before = turn.session.record()
    claim = turn.sitting.decided(Chosen(None, claim=5), 1.0)
    assert claim.ask is not None
    assert claim.notices == ()
    chosen = turn.decide(view)
    assert turn.sitting.decided(chosen, 1.0).store.messages
    again = turn.sitting.decided(chosen, 1.0)
    assert (again.store.messages, again.send, again.notices) == ((), (), ())
    assert turn.session.record() != before


def test_nobody_is_asked_when_the_match_has_ended() -> None:
    hall, turn, view = asked()
    other = 1 - turn.place
    ended = turn.sitting.heard(other, encode_talk(hall.word(other, Leave())), 1.0)
    assert ended.outcome is not None
    assert ended.ask is None
    late = turn.sitting.decided(turn.decide(view), 1.0)
    assert (late.store.messages, late.send) == ((), ())
