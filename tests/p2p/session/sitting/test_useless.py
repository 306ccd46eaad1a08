"""What a linked seat says though everybody has it: known at a glance, and not without end."""

import copy
from functools import cache

from support.session.sittings import Hall, quiet

from p2p.session.sitting.effects import Effects
from p2p.session.sitting.sitting import Sitting
from p2p.session.sitting.talking import USELESS_A_SECOND, USELESS_AT_ONCE
from p2p.session.state.events import DeckStep
from p2p.wire.talk import Hold, Said, Talk, encode_talk

ENOUGH = "it sent more than a match needs"


@cache
def _waiting() -> Hall:
    return quiet(3)


def waiting() -> Hall:
    """A table of three where somebody is to move; a copy of one that was dealt once."""
    hall = _waiting()
    keys = {id(one.sitting._identity): one.sitting._identity for one in hall.sitters}
    return copy.deepcopy(hall, dict(keys))


def said_by(hall: Hall, place: int) -> list[bytes]:
    """The messages that a seat has sent."""
    sent = [payload for effects in hall.sitters[place].given for _, payload in effects.send]
    talk = [(hall.sitters[place].session.understand(one), one) for one in sent]
    return [payload for one, payload in talk if isinstance(one, Said)]


def floods(hall: Hall, sitting: Sitting, *said: Talk | bytes) -> tuple[int, Effects]:
    """How often seat 1 can say these in turn before its link is ended, and what ended it."""
    for count in range(10 * USELESS_AT_ONCE):
        one = said[count % len(said)]
        payload = one if isinstance(one, bytes) else encode_talk(one)
        effects = sitting.heard(1, payload, hall.now)
        if effects.close:
            return count, effects
    raise AssertionError("never ended")


def test_what_was_heard_is_known_at_a_glance() -> None:
    hall = waiting()
    sitting = hall.sitters[0].sitting
    (*_, newest) = said_by(hall, 1)
    assert sitting.repeats(1, newest)
    assert sitting.repeats(2, newest)
    assert not sitting.repeats(1, newest + b"x")
    own = said_by(hall, 0)[-1]
    assert sitting.repeats(1, own)


def test_who_says_what_is_known_has_it_too() -> None:
    """So that it is not passed on to that seat."""
    hall = waiting()
    talking = hall.sitters[0].sitting.playing.talking
    payload = said_by(hall, 1)[-1]
    talking.others.link(2)
    assert hall.sitters[0].sitting.repeats(2, payload)
    assert 2 not in talking.others.lacking(payload)


def test_nothing_is_known_before_a_match_begins() -> None:
    hall = waiting()
    payload = said_by(hall, 1)[-1]
    fresh = Sitting(hall.sitters[0].session.table, hall.sitters[0].sitting._identity, bytes)
    assert not fresh.repeats(1, payload)


def test_old_messages_without_end_end_the_link() -> None:
    hall = waiting()
    old = said_by(hall, 1)
    count, effects = floods(hall, hall.sitters[0].sitting, *old)
    assert effects.close == ((1, ENOUGH),)
    # The hold of the new link was one, and what came too early.
    assert USELESS_AT_ONCE - 20 < count < USELESS_AT_ONCE


def test_so_do_holds() -> None:
    hall = waiting()
    held = hall.sitters[1].sitting.playing.talking._hold()
    assert isinstance(held, Hold)
    count, effects = floods(hall, hall.sitters[0].sitting, held)
    assert effects.close == ((1, ENOUGH),)
    assert USELESS_AT_ONCE - 20 < count < USELESS_AT_ONCE


def test_some_may_always_come() -> None:
    hall = waiting()
    sitting, old = hall.sitters[0].sitting, said_by(hall, 1)
    floods(hall, sitting, *old)
    hall.now += 1.0
    for number in range(USELESS_A_SECOND):
        assert not sitting.heard(1, old[number % len(old)], hall.now).close
    assert sitting.heard(1, old[0], hall.now).close


def test_what_is_new_costs_nothing() -> None:
    """However many messages it takes: nobody who plays fast loses a link."""
    hall = waiting()
    assert any(isinstance(one, DeckStep) for one in hall.sitters[0].events)
    left = [bucket._left for bucket in hall.sitters[0].sitting.playing.talking._useless.values()]
    # The hold of the new link, and what came before what it follows from.
    assert min(left) > USELESS_AT_ONCE - 20
