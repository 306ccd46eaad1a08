"""Seats put out by the votes of all others, over real sessions: in each phase and for each reason
the others play on to one record, which verifies and says who is out, why, and by whom."""

from collections.abc import Collection
from functools import cache

import pytest
from support.session.cheats import CHEAT, CheatingSession, dealt, places
from support.session.leavers import cut, deliver, outs_of, play_on, put_out, until
from support.session.tables import Game, rules_for
from support.session.told import bare

from engine.events import HandEnded, MatchEnded
from p2p.session.listening import Listening
from p2p.session.order import rewound
from p2p.session.record import decode, encode, pack
from p2p.session.state.events import Faulted, HandBegan, SeatOut, Settled, TakenBack
from p2p.session.state.state import Phase
from p2p.session.verify import Report, replay_record, verify_record
from p2p.wire.envelope import MATCH_LADDER, VOTE, Body, Place, open_envelope, seal
from p2p.wire.messages import VoteBody
from p2p.wire.talk import Leave


def stay(game: Game, gone: Collection[int]) -> list[int]:
    return [seat for seat in range(len(game.sessions)) if seat not in gone]


def the_record(game: Game, gone: Collection[int]) -> bytes:
    """The one record of those who stay."""
    (data,) = {game.sessions[seat].record() for seat in stay(game, gone)}
    return data


def check(game: Game, gone: set[int], reason: str) -> Report:
    """All who stay have one record, which is in order and says who is out; its report."""
    data = the_record(game, gone)
    report = verify_record(data)
    assert (report.problem, report.fault) == (None, None)
    assert report.scores == tuple(game.sessions[stay(game, gone)[0]].state.match.scores)
    by = tuple(stay(game, gone))
    assert [(one.seat, one.reason, one.by) for one in report.absent] == [
        (seat, reason, by) for seat in sorted(gone)
    ]
    assert not set(report.winners) & gone
    told = [event for event in replay_record(data) if isinstance(event, SeatOut)]
    assert tuple(told) == report.absent
    for seat in stay(game, gone):
        assert [event for event in game.events[seat] if isinstance(event, SeatOut)] == told
        session = game.sessions[seat]
        assert all(number >= session.state.first for number in session._secrets.deals)
    return report


def begun(players: int, phase: Phase, seed: str = "x", **changes: str) -> Game:
    options = {"target": "20", "hand_size": "2"} | changes
    game = Game.make(rules_for(players, **options), seed)
    until(game, phase)
    return game


CASES = [
    (3, {2}, "left", Phase.AGREE, {}),
    (3, {1}, "absent", Phase.DEAL, {}),
    (3, {0}, "left", Phase.CALL, {"starter": "highest-double"}),
    (4, {1}, "absent", Phase.RANK, {"starter": "highest-double"}),
    (3, {1}, "absent", Phase.TURN, {}),
    (4, {0, 3}, "left", Phase.TURN, {}),
    (3, {2}, "absent", Phase.CLAIM, {"claims": "yes"}),
    (3, {2}, "left", Phase.REVEAL, {"claims": "yes"}),
    (3, {2}, "left", Phase.OPEN, {"target": "100"}),
]


@pytest.mark.parametrize(
    ("players", "gone", "reason", "phase", "changes"),
    CASES,
    ids=[f"{players}-{phase.value}-{reason}" for players, _, reason, phase, _ in CASES],
)
def test_the_others_play_on(
    players: int, gone: set[int], reason: str, phase: Phase, changes: dict[str, str]
) -> None:
    game = begun(players, phase, **changes)
    cut(game, gone)
    put_out(game, gone, reason)
    seats = tuple(stay(game, gone))
    for seat in seats:
        assert game.sessions[seat].state.seats == seats
    if game.sessions[seats[0]].table.rules.target == 100:
        return _check_settled(game, gone)
    play_on(game, gone, moves=1)
    report = check(game, gone, reason)
    began = [
        event for event in replay_record(the_record(game, gone)) if isinstance(event, HandBegan)
    ]
    size = game.sessions[0].table.rules.hand_size_for(len(seats))
    assert began[-1].counts == tuple(size if seat in seats else 0 for seat in range(players))
    assert report.hands == len(began)
    return None


def test_the_match_is_closed_by_those_who_stay() -> None:
    game = Game.make(rules_for(3, "pagat", target="1", hand_size="1", draws="none"), "closed")
    until(game, Phase.TURN)
    cut(game, {1})
    put_out(game, {1}, "left")
    play_on(game, {1})
    report = check(game, {1}, "left")
    assert report.ok
    assert report.closed
    assert not set(report.winners) & {1}
    assert all(game.sessions[seat].closed for seat in (0, 2))
    assert all(game.sessions[seat]._secrets.deals == {} for seat in (0, 2))


def _check_settled(game: Game, gone: set[int]) -> None:
    """A hand that was over is settled by the keys of those who stay."""
    ended = [one for one in bare(game.events[0]) if isinstance(one, HandEnded)]
    assert ended[0].reason in ("domino", "block")
    assert all(ended[0].left[seat] == () for seat in gone)
    assert all(ended[0].left[seat] is not None for seat in stay(game, gone))
    assert all(ended[0].points[seat] == 0 for seat in gone)
    report = verify_record(the_record(game, gone))
    assert report.problem is None
    assert not report.decided
    assert report.scores == ended[0].scores


def test_in_the_phase_claim_nobody_answers_and_in_reveal_who_has_answered() -> None:
    for phase in (Phase.CLAIM, Phase.REVEAL):
        game = begun(3, phase, claims="yes", target="100")
        placer = game.sessions[0].state.match.claimed_play
        assert placer is not None
        gone = {next(seat for seat in (0, 1, 2) if seat != placer.seat)}
        other = next(seat for seat in stay(game, gone) if seat != placer.seat)
        if phase is Phase.REVEAL:
            deliver(game, gone)
        cut(game, gone)
        put_out(game, gone)
        settled = next(one for one in game.events[other] if isinstance(one, Settled))
        assert set(settled.claims) == {other, *gone}
        assert settled.claims[min(gone)] == 0
        if phase is Phase.CLAIM:
            assert set(settled.claims.values()) == {0}
        assert verify_record(the_record(game, gone)).scores == tuple(
            game.sessions[other].state.match.scores
        )


def plays_what_it_has_not(
    session: CheatingSession, kind: str, body: Body
) -> tuple[str, Body] | None:
    if kind != "play":
        return None
    slot, tile, *rest = body
    assert isinstance(tile, int)
    return kind, [slot, (tile + 1) % 28, *rest]


@pytest.mark.parametrize(("players", "cheat"), places(3, full=(3, 4)))
def test_who_broke_the_rules_is_out_with_the_evidence_and_the_others_play_on(
    players: int, cheat: int
) -> None:
    """So nobody makes a friend win by breaking a rule."""
    game = dealt(players, plays_what_it_has_not, cheat).play()
    seats = stay(game, {cheat})
    assert all(not game.sessions[seat].finished for seat in seats)
    before = verify_record(game.sessions[seats[0]].record())
    assert before.fault is not None
    assert before.fault.seat == cheat
    assert not before.ok
    assert before.winners == ()
    put_out(game, {cheat}, "fault")
    play_on(game, {cheat}, moves=1)
    report = verify_record(the_record(game, {cheat}))
    assert [(one.seat, one.reason) for one in report.absent] == [(cheat, "fault")]
    assert {game.sessions[seat].fault for seat in seats} == {None}
    assert (report.fault, report.problem) == (None, None)
    assert report.winners == ()
    ended = next(one for one in bare(game.events[seats[0]]) if isinstance(one, HandEnded))
    assert ended.reason == "fault"
    assert sum(isinstance(one, Faulted) for one in game.events[seats[0]]) == 1


def spoils_a_deck(session: CheatingSession, kind: str, body: Body) -> tuple[str, Body] | None:
    return (kind, [*body, 1]) if kind == "shuffle" and session.state.deal else None


def test_a_record_has_what_shows_a_fault_at_a_deck_that_was_never_dealt() -> None:
    game = dealt(3, spoils_a_deck).play()
    put_out(game, {CHEAT}, "fault")
    data = the_record(game, {CHEAT})
    report = verify_record(data)
    assert report.problem is None
    assert [(one.seat, one.reason) for one in report.absent] == [(CHEAT, "fault")]
    # Votes that come later, and have all heard again, take it from nobody.
    referee = game.sessions[0].referee
    assert encode(rewound(referee, referee.ladders[0].step)[0]) == data


def test_some_may_name_one_message_and_others_two() -> None:
    """Who votes first may not know yet that the seat at fault has said another wrong thing."""
    game = begun(3, Phase.TURN, target="100")
    session = game.sessions[0]
    ladder, table = session.referee.ladders[MATCH_LADDER], session.table.id
    cheat = session.referee.waiting().seats[0]

    def said(seat: int, kind: str, body: Body) -> bytes:
        place = Place(session.referee.root, MATCH_LADDER, ladder.step, seat)
        return seal(game.sessions[seat]._identity, table, place, ladder.top, kind, body)

    def by_id(some: list[bytes]) -> list[bytes]:
        return sorted(some, key=lambda data: open_envelope(data).id)

    pair = by_id([said(cheat, "play", []), said(cheat, "play", [1])])
    ids = [open_envelope(data).id for data in pair]
    stay = [seat for seat in range(3) if seat != cheat]
    parts = decode(session.record())
    frames = [parts.description, *(mark + data for mark, data in parts.frames)]
    for named in ((ids[:1], ids), (ids[:1], ids[1:])):
        given = zip(stay, named, strict=True)
        votes = [said(seat, VOTE, [1, [[cheat, "fault", proof]], [], 0]) for seat, proof in given]
        shown = [b"e" + data for data in pair] + [b"m" + data for data in by_id(votes)]
        report = verify_record(pack([*frames, *shown]))
        assert (report.problem, report.fault) == (None, None)


def test_votes_that_are_no_set_are_the_last_of_a_record_that_was_cut() -> None:
    """With anything behind them, evidence too, it is faulty, and nobody is named."""
    game = begun(3, Phase.TURN, target="100")
    session = game.sessions[0]
    ladder, table = session.referee.ladders[MATCH_LADDER], session.table.id
    parts = decode(session.record())
    frames = [parts.description, *(mark + data for mark, data in parts.frames)]

    def said(seat: int, kind: str, body: Body) -> bytes:
        place = Place(session.referee.root, MATCH_LADDER, ladder.step, seat)
        return seal(game.sessions[seat]._identity, table, place, ladder.top, kind, body)

    vote = b"m" + said(0, VOTE, [1, [[1, "absent", []]], [], 0])
    pair = sorted((said(2, "x", []), said(2, "y", [])), key=lambda data: open_envelope(data).id)
    for behind in ([], [b"m" + said(2, "x", [])], [b"e" + data for data in pair]):
        report = verify_record(pack([*frames, vote, *behind, b"m" + bytes(9)])[:-9])
        assert report.fault is None
        last = len(frames)
        problem = f"the votes up to message {last} put nobody out" if behind else None
        assert (report.problem, report.messages) == (problem, last + len(behind))


@pytest.mark.parametrize("shown", ["play", "vote"])
def test_what_is_no_fault_puts_nobody_out_and_is_not_taken(shown: str) -> None:
    """A right placement, or a vote, named as a fault by the votes of the others."""
    game = begun(3, Phase.TURN, target="100")
    parts = decode(game.sessions[0].record())
    frames = [parts.description, *(mark + data for mark, data in parts.frames)]
    before = verify_record(pack(frames))
    ladder = game.sessions[0].referee.ladders[MATCH_LADDER]
    root, step, top = game.sessions[0].referee.root, ladder.step, ladder.top
    table = game.sessions[0].table.id
    mover = game.sessions[0].referee.waiting().seats[0]

    def said(seat: int, kind: str, body: Body) -> bytes:
        key, place = game.sessions[seat]._identity, Place(root, MATCH_LADDER, step, seat)
        return seal(key, table, place, top, kind, body)

    play_on(game, (), moves=1)
    right = next(data for data in game.traffic if open_envelope(data).kind == "play")
    others = [seat for seat in range(3) if seat != mover]
    voted = said(mover, VOTE, [1, [[others[0], "absent", []]], [], 0])
    evidence = right if shown == "play" else voted
    out: Body = [[mover, "fault", [open_envelope(evidence).id]]]
    votes = [said(seat, VOTE, [1, out, [], 0]) for seat in others]
    votes.sort(key=lambda data: open_envelope(data).id)
    report = verify_record(pack([*frames, b"e" + evidence, *(b"m" + vote for vote in votes)]))
    assert report.problem == f"the votes up to message {report.messages} put nobody out"
    assert report.proofs == before.proofs
    assert report.scores == before.scores
    assert not report.absent


def test_what_one_signs_who_is_out_ends_nothing_for_those_who_play() -> None:
    """Out of turn under the new root, two things there, or two in the era in which it was in."""
    game = begun(3, Phase.TURN, target="100")
    cut(game, {2})
    put_out(game, {2}, "left")
    play_on(game, {2}, moves=1)
    gone = game.sessions[2]._identity
    for session in (game.sessions[0], game.sessions[1]):
        ladder, table = session.referee.ladders[MATCH_LADDER], session.table.id
        before = verify_record(session.record())
        first = ladder.steps[0][2]
        last = Place(session.referee.root, MATCH_LADDER, ladder.step, 2)
        for place, top in ((last, ladder.top), (first.place, first.previous)):
            for body in (list[object](), list[object]([1])):
                session.receive(seal(gone, table, place, top, "agree", body))
        assert session.fault is None
        assert not session.finished
        assert verify_record(session.record()) == before
        parts = decode(session.record())
        frames = [parts.description, *(mark + data for mark, data in parts.frames)]
        other = seal(gone, table, first.place, first.previous, "agree", [1])
        pair = sorted((first.data, other), key=lambda data: open_envelope(data).id)
        late = seal(gone, table, last, ladder.top, "agree", [])
        for behind in ([b"m" + late], [b"e" + late], [b"e" + data for data in pair]):
            report = verify_record(pack([*frames, *behind]))
            assert report.fault is None
            assert report.problem is not None


def test_who_breaks_the_rules_after_another_is_out_for_that_is_named_too() -> None:
    game = dealt(4, plays_what_it_has_not).play()
    put_out(game, {CHEAT}, "fault")
    play_on(game, {CHEAT}, moves=1)
    game.deliver()
    session = game.sessions[0]
    ladder = session.referee.ladders[MATCH_LADDER]
    said = ladder.steps[-1][min(ladder.steps[-1])]
    other = next(seat for seat in (2, 3) if seat != said.seat)
    place = Place(session.referee.root, MATCH_LADDER, ladder.step - 1, other)
    key = game.sessions[other]._identity
    for kind in ("x", "y"):
        session.receive(seal(key, session.table.id, place, said.previous, kind, []))
    assert session.fault is not None
    assert session.fault.seat == other
    report = verify_record(session.record())
    assert report.fault is not None
    assert report.fault.seat == other


def test_between_two_who_are_left_a_fault_wins_for_the_other() -> None:
    game = begun(3, Phase.TURN, target="100")
    cut(game, {2})
    put_out(game, {2}, "left")
    one, other = game.sessions[0], game.sessions[1]
    turn = game.sessions[0].state.hand.turn
    assert turn is not None
    mover, hearer = (one, other) if turn == 0 else (other, one)
    view = mover.decision()
    assert view is not None
    first = game.copy().sessions[turn].act(view.legal[0]).send[0]
    second = game.copy().sessions[turn].act(view.legal[-1]).send[0]
    for data in (first, second):
        game.take(hearer.seat, hearer.receive(data))
    assert hearer.finished
    ends = [event for event in game.events[hearer.seat] if isinstance(event, MatchEnded)]
    assert [event.winners for event in ends] == [(hearer.seat,)]
    report = verify_record(hearer.record())
    assert report.fault is not None
    assert report.fault.seat == turn
    assert report.winners == (hearer.seat,)


def test_one_who_is_left_alone_has_an_abandoned_match() -> None:
    game = begun(3, Phase.TURN, target="100")
    cut(game, {1, 2})
    put_out(game, {1, 2}, "left")
    session = game.sessions[0]
    assert session.finished
    assert not session.closed
    report = verify_record(session.record())
    assert (report.ok, report.decided, report.problem) == (False, False, None)
    assert [event.reason for event in game.events[0] if isinstance(event, MatchEnded)] == [
        "abandoned"
    ]


def test_behind_the_end_of_an_abandoned_match_there_is_no_evidence() -> None:
    """As who went sees it, whose last word was that the one who stays broke a rule."""
    game = begun(3, Phase.TURN, target="100")
    one, stays = game.sessions[1], game.sessions[0]
    ladder = stays.referee.ladders[MATCH_LADDER]
    place = Place(stays.referee.root, MATCH_LADDER, ladder.step, 0)
    one.receive(seal(stays._identity, one.table.id, place, ladder.top, "x", []))
    assert one.fault is not None
    cut(game, {1, 2})
    put_out(game, {1, 2}, "left")
    for seat in (1, 2):
        one.leaves(game.sessions[seat].word(0, Leave()))
    for output in game.outputs[0]:
        for data in output.send:
            one.receive(data)
    assert one.referee.phase is Phase.ABANDONED
    assert verify_record(one.record()).problem is None


def test_a_set_that_is_spoiled_leaves_everybody_where_they_were_and_is_no_fault() -> None:
    """Seat 2 is late, not gone: its move comes while 0 votes it out, and 1 goes on."""
    game = begun(3, Phase.TURN, target="100")
    deliver(game, ())
    turn = game.sessions[0].state.hand.turn
    assert turn is not None
    others = stay(game, {turn})
    for seat in others:
        outs = tuple(outs_of(game, seat, {turn}, "absent"))
        game.take(seat, game.sessions[seat].vote(outs))
    late = game.sessions[turn]
    view = late.decision()
    assert view is not None
    game.take(turn, late.act(view.legal[0]))
    # All of it reaches all: the votes are a set, which the one who agreed first does not leave.
    deliver(game, ())
    assert len({session.referee.root for session in game.sessions}) == 1
    assert all(session.fault is None for session in game.sessions)
    assert game.sessions[0].state.seats == tuple(others)


def test_a_set_that_a_voter_spoils_is_gone_back_on_and_nothing_is_said_twice() -> None:
    """All but the mover vote; the mover moves after all, and the next one goes on before it has
    seen the others' votes. Who had agreed to them already is with the others again."""
    game = begun(4, Phase.TURN, target="100", hand_size="5")
    deliver(game, ())
    turn = game.sessions[0].state.hand.turn
    assert turn is not None
    others = stay(game, {turn})
    votes = {
        seat: game.sessions[seat].vote(tuple(outs_of(game, seat, {turn}, "absent"))).send
        for seat in others
    }
    view = game.sessions[turn].decision()
    assert view is not None
    moves = list(game.sessions[turn].act(view.legal[0]).send)
    second = (turn + 1) % 4
    first = next(seat for seat in others if seat != second)
    for data in moves:
        game.take(second, game.sessions[second].receive(data))
    next_view = game.sessions[second].decision()
    assert next_view is not None, "the mover could play"
    moves += game.sessions[second].act(next_view.legal[0]).send
    session = game.sessions[first]
    before = set(session._secrets.deals)
    game.queue.clear()
    for data in (data for sent in votes.values() for data in sent):
        game.take(first, session.receive(data))
    assert session.state.seats == tuple(others)
    assert set(session._secrets.deals) == before, "it is not final"
    for data in moves:
        game.take(first, session.receive(data))
    assert session.state.seats == (0, 1, 2, 3)
    assert session.referee.root == session.table.id
    said = [open_envelope(data) for output in game.outputs[first] for data in output.send]
    own = {message.id: message.place for message in said if message.seat == first}
    assert len(set(own.values())) == len(own)
    assert any(message.kind == "agree" and message.root != session.table.id for message in said)


def test_what_was_told_is_taken_back_when_votes_close_an_earlier_step() -> None:
    game = begun(4, Phase.TURN, target="100", hand_size="5")
    deliver(game, ())
    turn = game.sessions[0].state.hand.turn
    assert turn is not None
    others = stay(game, {turn})
    first = others[-1]
    votes = []
    for seat in others:
        output = game.sessions[seat].vote(tuple(outs_of(game, seat, {turn}, "absent")))
        votes.append(output.send)
    late = game.sessions[turn]
    view = late.decision()
    assert view is not None
    move = late.act(view.legal[0]).send
    before = len(game.events[first])
    for data in move:
        game.take(first, game.sessions[first].receive(data))
    game.queue.clear()
    for sent in votes:
        for data in sent:
            game.take(first, game.sessions[first].receive(data))
    told = game.events[first][before:]
    back = [event for event in told if isinstance(event, TakenBack)]
    assert game.sessions[first].state.seats == tuple(others)
    assert len(back) == 1
    assert list(back[0].told) == game.events[first][:before]


@cache
def _left() -> tuple[Game, bytes]:
    game = begun(3, Phase.TURN)
    cut(game, {2})
    put_out(game, {2}, "left")
    return game, the_record(game, {2})


def test_a_record_is_cut_anywhere_without_naming_anybody() -> None:
    _, data = _left()
    parts = decode(data)
    at = next(
        at
        for at, frame in enumerate(parts.frames)
        if frame.mark == b"m" and open_envelope(frame.data).kind == VOTE
    )
    frames = [frame.mark + frame.data for frame in parts.frames]
    for size in range(at - 3, at + 4):
        body = pack([parts.description, *frames[:size]])
        whole = pack([parts.description, *frames])
        cut_off = whole[: len(body)]
        report = verify_record(cut_off)
        assert (report.ok, report.decided, report.fault, report.problem) == (
            False,
            False,
            None,
            None,
        ), size


def test_two_sets_of_votes_may_stand_behind_each_other() -> None:
    """Those who stay had no time to agree, and one of them is away too."""
    game = begun(4, Phase.TURN)
    cut(game, {3})
    put_out(game, {3}, "left")
    ladder = game.sessions[0].referee.ladders[MATCH_LADDER]
    (step, retired), table = *game.sessions[0].referee.retired.items(), game.sessions[0].table.id
    root = retired.votes.root
    assert ladder.hashes[step] == root
    parts = decode(the_record(game, {3}))
    last = next(at for at, one in enumerate(parts.frames) if retired.ballots[-1].data == one.data)
    frames = [frame.mark + frame.data for frame in parts.frames[: last + 1]]
    body = [1, [[2, "absent", list[bytes]()]], list[bytes](), 0]
    votes = [
        seal(
            game.sessions[seat]._identity,
            table,
            Place(root, MATCH_LADDER, step + 1, seat, 1),
            root,
            VOTE,
            body,
        )
        for seat in (0, 1)
    ]
    votes.sort(key=lambda data: open_envelope(data).id)
    report = verify_record(pack([parts.description, *frames, *(b"m" + data for data in votes)]))
    assert (report.problem, report.fault, report.decided) == (None, None, False)
    assert verify_record(pack([parts.description, *frames, b"m" + votes[0]])).problem is not None


def _left_behind() -> Game:
    """3 leaves and 2 votes with the others; then it is not heard any more, so that 0 and 1 put it
    out too, and play on."""
    game = begun(4, Phase.TURN, target="200", hand_size="5")
    deliver(game, ())
    word = game.sessions[3].word(0, Leave())
    for seat in (0, 1, 2):
        game.take(seat, game.sessions[seat].leaves(word))
        game.take(seat, game.sessions[seat].vote(tuple(outs_of(game, seat, {3}, "left"))))
    deliver(game, {2, 3})
    for seat in (0, 1):
        game.take(seat, game.sessions[seat].vote(tuple(outs_of(game, seat, {2}, "absent"))))
    play_on(game, {2, 3}, moves=6)
    return game


def _shows(game: Game, what: str) -> list[bytes]:
    """What 2, or a program with its key, can still sign of the step at which it voted."""
    session, gone = game.sessions[0], game.sessions[2]._identity
    first = min(session.referee.retired.items())[1]
    (vote,) = (one.message for one in first.votes.votes if one.seat == 2)
    said = VoteBody.read(vote.body)
    number = said.round + (what == "later round")
    place = Place(vote.root, MATCH_LADDER, vote.step, 2, number)
    body = VoteBody(number, said.out, said.held, 0).value()
    if what == "beyond":
        place = Place(vote.root, MATCH_LADDER, vote.step + 1, 2)
        return [seal(gone, session.table.id, place, bytes(32), "play", [])]
    return [seal(gone, session.table.id, place, vote.previous, VOTE, body)]


@pytest.mark.parametrize("what", ["second vote", "later round", "beyond", "leave"])
def test_who_was_put_out_behind_votes_of_its_own_undoes_nothing(what: str) -> None:
    game = _left_behind()
    session = game.sessions[0]
    hashes = list(session.referee.ladders[MATCH_LADDER].hashes)
    assert session.state.seats == (0, 1)
    if what == "leave":
        session.leaves(game.sessions[2].word(0, Leave()))
    else:
        for data in _shows(game, what):
            session.receive(data)
    assert session.referee.ladders[MATCH_LADDER].hashes == hashes
    assert verify_record(session.record()).problem is None


@pytest.mark.parametrize("what", ["second vote", "beyond"])
def test_nor_does_it_part_those_who_look_on_and_see_that_first(what: str) -> None:
    game = _left_behind()
    session = game.sessions[0]
    late = Listening(session.table)
    late.leaves(game.sessions[3].word(0, Leave()))
    said = [one.data for one in session.course.known.messages.values()]
    for data in (*_shows(game, what), *said, *said):
        late.receive(data)
    steps = [one.referee.ladders[MATCH_LADDER].hashes for one in (late, session)]
    assert steps[0] == steps[1]


def test_a_second_vote_ends_nothing_between_two_whom_it_leaves_three() -> None:
    """Who hears of votes late is shown another one of a cheat first, and then by which they are
    final who play on."""
    game = begun(3, Phase.TURN, target="200", hand_size="5")
    deliver(game, ())
    word = game.sessions[2].word(0, Leave())
    for seat in (0, 1):
        game.take(seat, game.sessions[seat].leaves(word))
        game.take(seat, game.sessions[seat].vote(tuple(outs_of(game, seat, {2}, "left"))))
    play_on(game, {2}, moves=6)
    session, cheat = game.sessions[1], game.sessions[0]._identity
    (retired,) = session.referee.retired.values()
    (vote,) = (one.message for one in retired.votes.votes if one.seat == 0)
    said = VoteBody.read(vote.body)
    body = VoteBody(said.round, said.out, said.held, 0).value()
    other = seal(cheat, session.table.id, vote.place, vote.previous, VOTE, body)
    late = Listening(session.table)
    late.leaves(word)
    known = [one.data for one in session.course.known.messages.values()]
    votes = [one.data for one in retired.ballots]
    rest = [data for data in known if data not in votes]
    for data in (*known[: known.index(votes[0])], other, *votes, *rest, *known):
        late.receive(data)
    steps = [one.referee.ladders[MATCH_LADDER].hashes for one in (late, session)]
    assert steps[0] == steps[1]
    assert not late.finished


def test_votes_and_proofs_cannot_be_left_out_or_moved() -> None:
    _, data = _left()
    parts = decode(data)
    frames = [frame.mark + frame.data for frame in parts.frames]
    leave = next(at for at, frame in enumerate(frames) if frame[:1] == b"l")
    for altered in (
        [*frames[:leave], *frames[leave + 1 :]],
        [*frames[: leave + 1], *frames[leave + 2 :]],
        [*frames[: leave + 1], frames[leave + 2], frames[leave + 1], *frames[leave + 3 :]],
        [*frames[:leave], frames[leave], *frames[leave:]],
        [*frames[:leave], b"e" + frames[leave + 1][1:], *frames[leave:]],
        [*frames[: leave + 3], *frames[leave + 4 :]],
    ):
        report = verify_record(pack([parts.description, *altered]))
        assert report.fault is None
        assert report.problem is not None
        assert not report.ok
