"""What a record proves by itself: who cheated, who did not sign; and what it does not prove."""

import dataclasses
from collections.abc import Sequence
from typing import Any

import pytest
from support.limits import seats
from support.session.cheats import CHEAT, play_against
from support.session.matches import Kept, claiming, classic, small
from support.session.resigning import packed, reseal
from support.session.second_signature import malleated
from support.session.tables import Game, make_table, rules_for, seeded

from engine.events import MatchEnded
from p2p.crypto.challenge import DealContext
from p2p.crypto.group import Q, multiply_base
from p2p.deck import checks
from p2p.deck.keys import DealSecret, commitment, open_key
from p2p.deck.shuffles import check_shuffle
from p2p.session.record import EVIDENCE_MARK, MESSAGE_MARK, decode, pack
from p2p.session.referee import OUT_OF_TURN, TWO_MESSAGES, Referee
from p2p.session.state.events import Faulted
from p2p.session.state.table import Table
from p2p.session.verify import Report, replay_record, verify_record
from p2p.wire.codec import encode
from p2p.wire.envelope import MATCH_LADDER, VERSION, VOTE, Message, Place, open_envelope, seal

NOTHING = "its evidence proves nothing"
BEHIND = "its evidence stands behind the end of the match"


def without(kept: Kept, *dropped: Message) -> list[Message]:
    """The messages of a record but for these."""
    places = {message.place for message in dropped}
    return [message for message in kept.messages if message.place not in places]


def nobody_named(report: Report, problem: str) -> None:
    """The record is faulty, and no seat is to blame."""
    assert (report.fault, report.problem) == (None, problem)
    assert (report.ok, report.decided, report.closed, report.unsigned) == (False, False, False, ())


def results(kept: Kept) -> list[Message]:
    """The messages that sign the result."""
    return [message for message in kept.messages if message.kind == "result"]


@pytest.mark.parametrize("players", seats(3))
def test_who_left_without_signing_is_listed(players: int) -> None:
    kept = classic(players)
    for seat in range(players):
        report = verify_record(packed(kept, without(kept, results(kept)[seat])))
        assert (report.ok, report.decided, report.closed) == (False, True, False)
        assert report.unsigned == (seat,)
        assert (report.fault, report.problem) == (None, None)
    report = verify_record(packed(kept, without(kept, *results(kept))))
    assert (report.ok, report.closed, report.unsigned) == (False, False, tuple(range(players)))


def test_a_match_that_a_placement_decided_is_decided_before_the_keys_are_open() -> None:
    kept = small()
    closing = [message for message in kept.messages if message.kind in ("open", "result")]
    report = verify_record(packed(kept, without(kept, *closing)))
    assert (report.ok, report.decided, report.closed, report.unsigned) == (
        False,
        True,
        False,
        (0, 1),
    )
    assert report.scores == verify_record(kept.record).scores


def test_a_match_that_left_pips_decide_is_not_decided_before_the_keys_are_open() -> None:
    kept = _by_hand_end()
    closing = [message for message in kept.messages if message.kind == "result"]
    last_open = next(one for one in reversed(kept.messages) if one.kind == "open")
    assert verify_record(packed(kept, without(kept, *closing))).decided
    report = verify_record(packed(kept, without(kept, last_open, *closing)))
    assert (report.ok, report.decided, report.problem) == (False, False, NOT_IN_ORDER)


NOT_IN_ORDER = "its messages are not in the order of a record"


def _by_hand_end() -> Kept:
    game = Game.make(rules_for(2, "pagat", target="5"), "by hand").play()
    return Kept(game, game.sessions[0].record())


def accused(kept: Kept, count: int, *evidence: Message) -> Report:
    """The report on the first `count` messages with this evidence behind them."""
    return verify_record(packed(kept, kept.messages[:count], [one.data for one in evidence]))


def test_a_good_message_is_no_evidence() -> None:
    kept = classic(2)
    for count in (0, 2, 4, 6, 7, 8, 10, 11, 12):
        nobody_named(accused(kept, count, kept.messages[count]), NOTHING)


def test_a_message_that_the_record_holds_is_no_evidence() -> None:
    kept = classic(2)
    nobody_named(accused(kept, 12, kept.messages[3]), NOTHING)


def test_a_message_that_only_a_later_state_can_judge_is_no_evidence() -> None:
    kept = classic(2)
    nobody_named(accused(kept, 2, kept.messages[-1]), NOTHING)


def test_evidence_of_another_table_is_none() -> None:
    kept, other = classic(2), classic(2, "another")
    expected = "message 11: a message of another table"
    nobody_named(accused(kept, 10, other.messages[10]), expected)
    pair = sorted(other.messages[10:12], key=lambda one: one.id)
    nobody_named(accused(kept, 10, *pair), expected)


def test_evidence_that_nobody_signed_is_none() -> None:
    kept = classic(2)
    message = kept.messages[10]
    forged = encode([malleated(message.signature), message.payload])
    for data, said in (
        (forged, "a message with a wrong signature"),
        (encode([bytes(64), message.payload]), "a message with a wrong signature"),
        (b"\xc0", "something else where a list must be"),
    ):
        record = packed(kept, kept.messages[:10], [data])
        nobody_named(verify_record(record), f"message 11: {said}")


def _pair(kept: Kept, seat: int = CHEAT) -> list[Message]:
    """Two messages that a seat signed for one step, in the order of evidence."""
    first = next(one for one in kept.messages if one.seat == seat and one.kind == "play")
    other = reseal(kept.keys[seat], first, first.previous, [])
    return sorted((first, other), key=lambda one: one.id)


def test_two_messages_for_one_step_are_evidence_in_their_order_only() -> None:
    kept = classic(2)
    one, other = _pair(kept)
    report = accused(kept, 10, one, other)
    assert report.fault is not None
    assert (report.fault.seat, report.fault.what) == (CHEAT, TWO_MESSAGES)
    assert (report.fault.message, report.problem) == (12, None)
    nobody_named(accused(kept, 10, other, one), NOTHING)
    nobody_named(accused(kept, 10, one, one), NOTHING)


def test_messages_for_two_steps_or_of_two_seats_are_no_evidence() -> None:
    kept = classic(2)
    plays = [message for message in kept.messages if message.kind == "play"]
    opens = [message for message in kept.messages if message.kind == "open"][:2]
    for pair in (plays[:2], plays[::2][:2], opens):
        nobody_named(accused(kept, 12, *sorted(pair, key=lambda one: one.id)), NOTHING)


def test_votes_that_say_nothing_are_no_messages() -> None:
    """Two for one place name nobody, and what stands before one is not taken with it."""
    kept = classic(2)
    last = max(at for at, one in enumerate(kept.messages) if one.kind == "deal")
    deal = kept.messages[last]
    key = kept.keys[CHEAT]
    place = Place(deal.root, MATCH_LADDER, deal.step, CHEAT)
    bodies: list[Any] = [[1, [], []], [1, [], [], -1]]
    votes = [
        open_envelope(seal(key, deal.table, place, deal.previous, VOTE, body)) for body in bodies
    ]
    expected = "message 11: a list of 3 where 4 must be"
    both = sorted(votes, key=lambda one: one.id)
    nobody_named(accused(kept, 10, votes[0]), expected)
    assert accused(kept, 10, *both).fault is None
    report = verify_record(packed(kept, [*kept.messages[: last + 1], votes[0]]))
    nobody_named(report, f"message {last + 2}: a list of 3 where 4 must be")
    assert report.hands == 1


def test_a_vote_is_no_fault_at_whatever_step_it_is_shown() -> None:
    """Where its seat has spoken, where it is to speak, and where it had nothing to say."""
    kept = classic(2)
    last = max(at for at, one in enumerate(kept.messages) if one.kind == "deal")
    play = kept.messages[last + 1]
    assert play.kind == "play"
    for said, count in ((kept.messages[last], last + 1), (play, last + 1), (play, last + 2)):
        for seat in kept.table.seats:
            place = Place(said.root, MATCH_LADDER, said.step, seat)
            body = [1, [[1 - seat, "absent", []]], [], 0]
            vote = seal(kept.keys[seat], said.table, place, said.previous, VOTE, body)
            nobody_named(accused(kept, count, open_envelope(vote)), NOTHING)


def test_a_step_on_a_ladder_that_has_ended_is_evidence() -> None:
    kept = classic(2)
    referee = _fed(kept, kept.messages)
    top = referee.ladders[1].top
    place = Place(kept.table.id, 1, referee.ladders[1].step, CHEAT)
    late = open_envelope(seal(kept.keys[CHEAT], kept.table.id, place, top, "commit", [bytes(32)]))
    report = accused(kept, len(kept.messages) - 1, late)
    assert report.fault is not None
    assert (report.fault.seat, report.fault.what) == (CHEAT, OUT_OF_TURN)


def test_behind_a_closed_match_nothing_is_judged_and_nobody_is_named() -> None:
    """Neither what would be a fault a moment before, nor what follows, nor two of one place."""
    kept = classic(2)
    referee = _fed(kept, kept.messages)
    ladder, ready = referee.ladders[MATCH_LADDER], referee.ladders[1]
    places = (
        (Place(kept.table.id, MATCH_LADDER, ladder.step, CHEAT), ladder.top, "result"),
        (Place(kept.table.id, MATCH_LADDER, ladder.step - 2, CHEAT), ladder.top, "play"),
        (Place(kept.table.id, 1, ready.step, CHEAT), ready.top, "commit"),
    )
    count = len(kept.messages)
    for place, top, kind in places:
        late = open_envelope(seal(kept.keys[CHEAT], kept.table.id, place, top, kind, []))
        report = verify_record(packed(kept, [*kept.messages, late]))
        nobody_named(report, f"message {count + 1} stands behind the end of the match")
        nobody_named(accused(kept, count, late), BEHIND)
    nobody_named(accused(kept, count, *_pair(kept)), BEHIND)
    nobody_named(accused(kept, count, kept.messages[-1]), BEHIND)


def test_a_fault_before_the_last_signature_takes_the_place_of_the_decision() -> None:
    """Of two sides the other wins, also against who had won; what was made stands."""
    kept = classic(2)
    whole = verify_record(kept.record)
    for seat in (0, 1):
        last = next(one for one in reversed(kept.messages) if one.seat == seat)
        other = reseal(kept.keys[seat], last, last.previous, [[0, 0], [seat]])
        messages = without(kept, *results(kept))
        report = verify_record(packed(kept, messages, [other.data]))
        assert report.fault is not None
        assert report.fault.seat == seat
        assert (report.decided, report.closed, report.unsigned) == (False, False, ())
        assert report.winners == (1 - seat,)
        assert report.scores == whole.scores


def test_of_three_who_is_at_fault_has_not_won() -> None:
    kept = classic(3)
    won = kept.game.sessions[0].state.match.result
    assert won is not None
    (winner,) = won.winners
    for seat in (winner, (winner + 1) % 3):
        bad = reseal(kept.keys[seat], results(kept)[seat], results(kept)[seat].previous, [])
        report = verify_record(packed(kept, without(kept, *results(kept)), [bad.data]))
        assert report.fault is not None
        assert report.winners == (() if seat == winner else (winner,))


def _fed(kept: Kept, messages: Sequence[Message]) -> Referee:
    referee = Referee(kept.table)
    for message in messages:
        referee.receive(message)
    return referee


@pytest.mark.parametrize("kind", ["key", "shuffle", "deal", "play", "open"])
@pytest.mark.parametrize("players", seats(2, full=(2, 3)))
def test_the_report_says_in_which_hand_and_by_which_message(kind: str, players: int) -> None:
    game = play_against(lambda _, said, body: (said, []) if said == kind else None, players)
    parts = decode(game.sessions[0].record())
    report = verify_record(game.sessions[0].record())
    fault = report.fault
    assert fault is not None
    assert fault.name == report.names[CHEAT]
    assert fault.hand == (1 if kind in ("play", "open") else 0)
    assert fault.message == report.messages == len(parts.messages) + 1
    assert fault.what.startswith("a malformed message: ")


def test_the_report_says_which_message_does_not_follow() -> None:
    kept = classic(2)
    messages = kept.messages
    for at in range(1, 14):
        doubled = packed(kept, [*messages[:at], *messages[at - 1 :]])
        nobody_named(verify_record(doubled), f"message {at + 1} {UNFIT}")
    key = next(at for at, one in enumerate(messages) if one.kind == "key")
    lacking = packed(kept, [*messages[:key], *messages[key + 1 :]])
    # The other seat's key still fits; the shuffle after it names a step that is not complete.
    nobody_named(verify_record(lacking), f"message {key + 2} {UNFIT}")


UNFIT = "does not follow from what stands before it"


def test_replaying_a_fault_ends_as_the_live_match_did() -> None:
    game = play_against(lambda _, kind, body: ("x", body) if kind == "open" else None, 2)
    events = replay_record(game.sessions[0].record())
    assert events[-3:] == game.events[0][-3:]
    assert isinstance(events[-3], Faulted)
    assert isinstance(events[-1], MatchEnded)


def test_replaying_a_faulty_record_gives_the_events_before_its_fault() -> None:
    kept = classic(2)
    whole = replay_record(kept.record)
    swapped = [*kept.messages[:-3], kept.messages[-2], kept.messages[-3], kept.messages[-1]]
    events = replay_record(packed(kept, swapped))
    assert len(events) > 10
    assert list(map(type, events)) == list(map(type, whole))[: len(events)]


def test_a_second_seat_of_one_name_is_told_apart() -> None:
    table, _ = make_table(rules_for(2), "names")
    people = tuple(dataclasses.replace(person, name="Ana") for person in table.people)
    report = verify_record(pack([Table.seat_people(table.rules, people).description]))
    assert report.names == ("Ana", "Ana (2)")
    assert (report.ok, report.hands, report.messages) == (False, 0, 0)


def _keys_that_cancel() -> tuple[bytes, list[bytes]]:
    """All seats together: the second key is minus the first, so the deck key is the identity."""
    table, keys = make_table(rules_for(2), "cancel")
    context, rng = DealContext(VERSION, table.id, 1, table.seats), seeded("cancel")
    first = DealSecret.make(context, 0, rng)
    second = dataclasses.replace(first, key=Q - first.key, public=multiply_base(Q - first.key))
    referee, said = Referee(table), []
    for ladder, kind in ((MATCH_LADDER, "agree"), (1, "commit"), (1, "key")):
        for seat, secret in enumerate((first, second)):
            top, step = referee.ladder(ladder).top, referee.ladder(ladder).step
            bodies: dict[str, list[object]] = {
                "agree": [],
                "commit": [commitment(context, seat, secret)],
                "key": [open_key(context, seat, secret).to_bytes()],
            }
            said.append(
                seal(
                    keys[seat],
                    table.id,
                    Place(table.id, ladder, step, seat),
                    top,
                    kind,
                    bodies[kind],
                )
            )
            if len(said) < 6:
                referee.receive(open_envelope(said[-1]))
    return table.description, said


def test_keys_that_cancel_out_are_a_problem_and_no_traceback() -> None:
    description, said = _keys_that_cancel()
    record = pack([description, *(MESSAGE_MARK + data for data in said)])
    nobody_named(verify_record(record), "message 6: the deck key is the identity")
    accusing = [*(MESSAGE_MARK + data for data in said[:-1]), EVIDENCE_MARK + said[-1]]
    nobody_named(verify_record(pack([description, *accusing])), NOT_IN_ORDER)
    cut = pack([description, *accusing, MESSAGE_MARK])[:-1]
    nobody_named(verify_record(cut), "message 6: the deck key is the identity")


def test_the_shuffles_of_a_deal_are_checked_together(monkeypatch: pytest.MonkeyPatch) -> None:
    alone: list[int] = []

    def check_alone(context: DealContext, seat: int, *rest: Any) -> None:
        alone.append(seat)
        check_shuffle(context, seat, *rest)

    kept = classic(3)
    monkeypatch.setattr(checks, "check_shuffle", check_alone)
    assert verify_record(kept.record).ok
    assert not alone
    shuffles = [message for message in kept.messages if message.kind == "shuffle"]
    at = kept.messages.index(shuffles[1])
    deck, proof = shuffles[1].body
    assert isinstance(proof, bytes)
    for body in ([deck, proof[:-32] + bytes(32)], [deck, proof[:-1]], [proof, deck], []):
        faulty = reseal(kept.keys[shuffles[1].seat], shuffles[1], shuffles[1].previous, body)
        messages = [*kept.messages[:at], faulty, *kept.messages[at + 1 :]]
        found = verify_record(packed(kept, messages)).fault
        assert found is not None
        assert (found.seat, found.message) == (shuffles[1].seat, at + 1)


def test_claims_count_in_the_record() -> None:
    kept = claiming(3)
    assert verify_record(kept.record).scores == tuple(kept.game.sessions[0].state.match.scores)
