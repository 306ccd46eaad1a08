"""Who spends the rounds of a step on purpose, or never votes, does not keep the others from playing
on without somebody who has left, and without itself."""

from support.session.sittings import Hall, quiet

from p2p.session.leaving.ground import ROUNDS_A_PERSON
from p2p.session.sitting.attendance import DUE_SECONDS
from p2p.session.sitting.parting import ROUND_SECONDS
from p2p.session.state.events import SeatOut
from p2p.wire.envelope import HASH_BYTES, MATCH_LADDER, MAX_VOTE_ROUNDS, VOTE, Place
from p2p.wire.messages import VoteBody
from p2p.wire.out import Out
from p2p.wire.talk import Leave, Said, Wished, encode_talk

GRACE = 5
# Until the list stood for a while, the votes were due, the grace is used up, and it was wished.
LONGEST = int(ROUND_SECONDS + DUE_SECONDS) + GRACE + 20


def table_of_four() -> tuple[Hall, int, int, list[int]]:
    """Somebody who is to move has left, and a cheat is heard and says nothing by itself: the seat
    that is gone, the cheat, and the honest ones."""
    hall = quiet(4)
    (gone,) = [one.place for one in hall.sitters if one.last.ask is not None]
    cheat, *honest = [one.place for one in hall.sitters if one.place != gone]
    word = hall.word(gone, Leave())
    for place in honest:
        hall.sitters[place].sitting.playing.attendance.grace.limit = GRACE
        hall.hear(place, gone, encode_talk(word))
        hall.part(gone, place)
    hall.part(gone, cheat)
    hall.cut = {(cheat, place) for place in range(4)}
    hall.deliver()
    return hall, gone, cheat, honest


def vote(hall: Hall, cheat: int, number: int, out: Out, *more: bytes) -> bytes:
    """A vote of the cheat in that round, to go on without one seat; it holds `more` besides."""
    session = hall.sitters[cheat].session
    ladder = session.referee.ladders[MATCH_LADDER]
    place = Place(session.referee.root, MATCH_LADDER, ladder.step, cheat, number)
    held = tuple(sorted((*session.course.held(ladder.step), *more)))
    body = VoteBody(number, (out,), held, ladder.step - 1)
    return encode_talk(Said(session._sign_after(ladder.top, place, VOTE, body.value())))


def check_both_out(hall: Hall, gone: int, cheat: int, honest: list[int]) -> None:
    """The honest ones play on without both, by what they can prove and by what they see."""
    hall.pass_time(LONGEST)
    for place in honest:
        told = [one for one in hall.sitters[place].events if isinstance(one, SeatOut)]
        assert sorted((one.seat, one.reason) for one in told) == sorted(
            [(gone, "left"), (cheat, "absent")]
        )
        assert hall.sitters[place].last.outcome is None
    assert len({hall.sitters[place].session.referee.root for place in honest}) == 1


def test_who_is_heard_and_never_votes_is_late_and_goes_when_its_grace_is_used_up() -> None:
    hall, gone, cheat, honest = table_of_four()
    hall.pass_time(int(ROUND_SECONDS + DUE_SECONDS) - 2)
    assert not hall.sitters[honest[0]].sitting.playing.attendance.grace.used.get(cheat)
    check_both_out(hall, gone, cheat, honest)


def test_who_spends_all_rounds_on_another_list_spends_its_own() -> None:
    hall, gone, cheat, honest = table_of_four()
    for number in range(1, MAX_VOTE_ROUNDS + 1):
        for place in honest:
            hall.hear(place, cheat, vote(hall, cheat, number, Out(honest[0], "absent", ())))
    check_both_out(hall, gone, cheat, honest)


def vote_with_them(hall: Hall, gone: int, cheat: int, rounds: int, *more: bytes) -> None:
    """The cheat wishes what the honest ones wish, and votes so in all rounds up to that one."""
    honest = [place for place in range(4) if place not in (gone, cheat)]
    left = hall.sitters[honest[0]].session.course.known.leaves[gone]
    wish = Wished(*_here(hall, cheat), (Out(gone, "left", (left.id,)),))
    for place in honest:
        hall.hear(place, cheat, encode_talk(hall.word(cheat, wish)))
        for number in range(1, rounds + 1):
            hall.hear(place, cheat, vote(hall, cheat, number, wish.out[0], *more))


def test_who_votes_with_the_others_in_ever_later_rounds_leaves_them_some() -> None:
    hall, gone, cheat, honest = table_of_four()
    vote_with_them(hall, gone, cheat, MAX_VOTE_ROUNDS)
    check_both_out(hall, gone, cheat, honest)
    votes = hall.sitters[honest[0]].session.course.known.all_votes()
    own = {one.round for one in votes if one.out == {gone} and one.seat in honest}
    assert max(own) <= ROUNDS_A_PERSON


def test_a_vote_that_names_what_its_voter_shows_nobody_is_none() -> None:
    hall, gone, cheat, honest = table_of_four()
    vote_with_them(hall, gone, cheat, ROUNDS_A_PERSON, bytes(HASH_BYTES))
    check_both_out(hall, gone, cheat, honest)


def test_nor_is_one_that_its_voter_takes_back_by_what_it_says_behind_that_step() -> None:
    hall, gone, cheat, honest = table_of_four()
    session, (root, step, top) = hall.sitters[cheat].session, _here(hall, cheat)
    said = session._sign_after(top, Place(root, MATCH_LADDER, step + 1, cheat), "pass", [True])
    for place in honest:
        hall.hear(place, cheat, encode_talk(Said(said)))
    vote_with_them(hall, gone, cheat, ROUNDS_A_PERSON)
    check_both_out(hall, gone, cheat, honest)


def _here(hall: Hall, place: int) -> tuple[bytes, int, bytes]:
    """Root, number and T before the open step, as a seat has them."""
    referee = hall.sitters[place].session.referee
    ladder = referee.ladders[MATCH_LADDER]
    return referee.root, ladder.step, ladder.top
