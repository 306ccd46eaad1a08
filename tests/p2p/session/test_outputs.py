"""What a session asks its owner to store, send and forget, and what it never shows."""

from dataclasses import replace

import pytest
from support.limits import seats
from support.session.cheats import CHEAT, dealt, play_against
from support.session.matches import Kept, claiming, classic
from support.session.second_signature import malleated
from support.session.tables import Game, make_table, rules_for, seeded
from support.session.told import bare

from engine.errors import IllegalMove
from engine.events import Played
from engine.hand import Draw, Pass, Play
from engine.tiles import tile
from p2p.crypto.identity import IdentityKey
from p2p.deck.keys import DealSecret
from p2p.session.output import Output
from p2p.session.referee import Awaited
from p2p.session.session import Session
from p2p.session.state.errors import Suspicion
from p2p.session.state.table import TableError
from p2p.session.verify import verify_record
from p2p.wire.codec import encode
from p2p.wire.envelope import SIGNED_LABEL, VERSION, Body, Place, open_envelope, seal


def outputs_of(kept: Kept) -> list[list[Output]]:
    """The outputs of every seat."""
    return kept.game.outputs


@pytest.mark.parametrize("players", seats(2))
def test_whatever_is_sent_is_stored_by_the_same_output(players: int) -> None:
    for outputs in outputs_of(classic(players)):
        sent: list[bytes] = []
        for output in outputs:
            assert output.send == tuple(message.data for message in output.batch.messages)
            sent += output.send
        assert len(set(sent)) == len(sent)


@pytest.mark.parametrize("players", seats(2))
def test_every_message_of_the_record_is_stored_once_by_every_seat(players: int) -> None:
    kept = classic(players)
    for outputs in outputs_of(kept):
        stored = [one.data for output in outputs for one in output.batch.messages]
        assert set(kept.parts.messages) <= set(stored)
        places = [one.place for output in outputs for one in output.batch.messages]
        assert len(set(places)) == len(places)


@pytest.mark.parametrize("players", seats(2))
def test_the_secrets_of_a_deal_are_stored_with_its_commitment_and_forgotten_once(
    players: int,
) -> None:
    for seat, outputs in enumerate(outputs_of(classic(players))):
        kept: list[int] = []
        forgotten: list[int] = []
        for output in outputs:
            own = [one for one in output.batch.messages if one.seat == seat]
            committed = [one.ladder for one in own if one.kind == "commit"]
            assert list(output.batch.secrets) == committed
            assert set(output.batch.forget) <= {*kept, *committed}
            kept += committed
            forgotten += output.batch.forget
        assert sorted(forgotten) == kept == list(range(1, len(kept) + 1))


def test_secrets_are_forgotten_as_soon_as_all_keys_are_open() -> None:
    game = Game.make(rules_for(2, target="30"), "forget").play()
    for seat, outputs in enumerate(game.outputs):
        opened: dict[int, int] = {}
        for output in outputs:
            for message in output.batch.messages:
                if message.kind == "open":
                    opened[message.step] = opened.get(message.step, 0) + 1
            complete = sum(count == 2 for count in opened.values())
            if output.batch.forget and not game.sessions[seat].closed:
                assert output.batch.forget == (complete,)
    assert not any(session._secrets.deals for session in game.sessions)


def test_a_fault_makes_every_seat_forget_all_its_secrets() -> None:
    game = play_against(lambda _, kind, body: ("x", body) if kind == "open" else None, 2)
    for seat in (0,):
        assert game.outputs[seat][-1].batch.secrets == {}
        forgotten = {number for output in game.outputs[seat] for number in output.batch.forget}
        assert forgotten == {1, 2}
        assert game.sessions[seat]._secrets.deals == {}


def shown(value: object) -> str:
    """Everything that logs or a debugger's line would show of a value."""
    return f"{value!r} {value}"


def secret_texts(data: bytes) -> list[str]:
    """The ways in which secret bytes could stand in a text. The first coin opens with the key."""
    secret = DealSecret.from_bytes(data)
    parts = [data[:32], secret.second_coin, secret.proof_seed]
    return [
        str(secret.key),
        f"{secret.key:x}",
        *(part.hex() for part in parts),
        *(repr(part)[2:-1] for part in parts),
    ]


def test_no_repr_shows_a_secret() -> None:
    """Of outputs up to the opening of a deal, which tells everybody its key and coin."""
    for outputs in outputs_of(classic(3)):
        told: list[str] = []
        for output in outputs:
            told += [text for data in output.batch.secrets.values() for text in secret_texts(data)]
            if not any(one.kind == "open" for one in output.batch.messages):
                assert not any(text in shown(output) for text in told)
    game = Game.make(rules_for(3), "repr").play(moves=2)
    for session in game.sessions:
        secrets = [secret.to_bytes() for secret in session._secrets.deals.values()]
        texts = [text for data in secrets for text in secret_texts(data)]
        seed = session._identity.private_bytes()
        texts += [seed.hex(), repr(seed)[2:-1]]
        assert secrets
        for value in (session, session._secrets, session._identity, session.state):
            assert not any(text in shown(value) for text in texts)


def test_no_repr_shows_a_claim_before_it_is_opened() -> None:
    game = Game.make(rules_for(3, target="10", claims="yes"), "claims").play(moves=3)
    for session in game.sessions:
        if session._secrets.claim is not None:
            salt = session._secrets.claim[1]
            assert salt.hex() not in shown(session._secrets)
            assert repr(salt)[2:-1] not in shown(session._secrets)
    assert any(session._secrets.claim for session in game.sessions)


# Own mistakes stay at home


class Mistaken(Session):
    """Plays with a share of nothing."""

    def _sign(self, place: Place, kind: str, body: Body) -> bytes:
        said = [*body[:3], bytes(96), *body[4:]] if kind == "play" else body
        return super()._sign(place, kind, said)


def test_a_seat_that_is_about_to_break_the_protocol_stops_and_sends_nothing() -> None:
    table, keys = make_table(rules_for(2), "mistake")
    game = Game.make(rules_for(2), "mistake")
    game.sessions = [Mistaken(table, key, seeded(f"m{at}")) for at, key in enumerate(keys)]
    with pytest.raises(AssertionError) as caught:
        game.play()
    text = str(caught.value)
    assert text.startswith("this seat was about to break the protocol: the share for slot ")
    assert caught.value.__cause__ is None
    assert not any(open_envelope(data).kind == "play" for data in game.traffic)


def test_a_move_that_breaks_a_rule_is_refused_with_a_sentence_and_changes_nothing() -> None:
    game = dealt(2)
    session = game.sessions[CHEAT]
    view = session.decision()
    assert view is not None
    slot, held = view.tiles[0]
    other = tile(0, 0) if held != tile(0, 0) else tile(1, 1)
    for move, sentence in (
        (Draw(CHEAT), "the table is empty and any tile fits: lead, do not draw"),
        (Pass(CHEAT), "the table is empty and any tile fits: lead, do not pass"),
        (Play(CHEAT, slot, other, None), f"slot {slot} holds {held}, not {other}"),
        (Play(CHEAT, slot, held, "L"), f"the table is empty: {held} is led without an end"),
    ):
        with pytest.raises(IllegalMove) as caught:
            session.act(move)
        assert str(caught.value) == sentence
    assert session.decision() is not None
    assert session.act(view.legal[0]).send


@pytest.mark.parametrize("number", [-1, 169, 70_000])
def test_a_claim_that_is_none_is_refused_before_anything_is_said(number: int) -> None:
    game = Game.make(rules_for(2, claims="yes"), "claim")
    game.play(moves=1)
    session = next(one for one in game.sessions if one.claim_due())
    with pytest.raises(IllegalMove) as caught:
        session.claim(number)
    assert str(caught.value) == "a claim is a number from 0 to 168, 0 for none"
    assert session.claim_due()
    assert session.claim(168).send


def test_deciding_out_of_turn_is_our_own_mistake() -> None:
    game = dealt(2)
    with pytest.raises(AssertionError):
        game.sessions[0].act(Draw(0))
    with pytest.raises(AssertionError):
        game.sessions[0].claim(0)


def test_a_stranger_has_no_session() -> None:
    table, _ = make_table(rules_for(2), "stranger")
    stranger = IdentityKey.generate(seeded("somebody"))
    with pytest.raises(TableError, match=r"^that key has no seat at this table$"):
        Session(table, stranger, seeded("x"))


# Bytes that nobody at the table signed

NO_MESSAGE = "bytes that are no message"


def test_what_nobody_here_signed_is_a_suspicion_and_changes_nothing() -> None:
    game, other = dealt(2), claiming(3)
    session, table = game.sessions[0], game.sessions[0].table
    place, top = Place(table.id, 0, 3, CHEAT), session.referee.ladder(0).top
    good = open_envelope(seal(game.sessions[CHEAT]._identity, table.id, place, top, "play", []))
    stranger = IdentityKey.generate(seeded("somebody"))
    version = encode([VERSION + 1, table.id, *place[:4], top, "play", []])
    for data, said in (
        (other.messages[0].data, "a message of another table"),
        (
            seal(stranger, table.id, place, top, "play", []),
            f"{NO_MESSAGE}: a message with a wrong signature",
        ),
        (
            seal(stranger, table.id, Place(table.id, 0, 3, 3), top, "play", []),
            f"{NO_MESSAGE}: a message of a seat that this table does not have",
        ),
        (
            encode([malleated(good.signature), good.payload]),
            f"{NO_MESSAGE}: a message with a wrong signature",
        ),
        (encode([bytes(64), good.payload]), f"{NO_MESSAGE}: a message with a wrong signature"),
        (
            encode([stranger.sign(SIGNED_LABEL, version), version]),
            f"{NO_MESSAGE}: something of another protocol version",
        ),
        (b"", f"{NO_MESSAGE}: bytes that are no value, cut short or over a limit"),
        (good.data + b"\0", f"{NO_MESSAGE}: bytes after the value"),
        (b"\xff" * 70_000, f"{NO_MESSAGE}: 70000 bytes where at most 65536 are allowed"),
    ):
        with pytest.raises(Suspicion) as caught:
            session.receive(data)
        assert str(caught.value) == said
    assert session.fault is None
    assert not list(session.parked)
    assert session.referee.ladder(0).top == top


def test_after_a_suspicion_the_match_goes_on() -> None:
    game = dealt(2)
    with pytest.raises(Suspicion):
        game.sessions[0].receive(b"\xc0")
    before = len(game.events[0])
    game.play(moves=3)
    assert len(game.events[0]) == before + 3


def test_who_is_waited_for() -> None:
    game = Game.make(rules_for(2), "waiting")
    assert game.sessions[0].referee.waiting() == Awaited((0, 1), for_person=False)
    game.take(0, game.sessions[0].start())
    assert game.sessions[0].referee.waiting() == Awaited((1,), for_person=False)
    assert dealt(2).sessions[0].referee.waiting() == Awaited((1,), for_person=True)
    ended = classic(2).game.sessions[0]
    assert ended.referee.waiting() == Awaited((), for_person=False)


def test_the_lead_that_is_called_for_is_claimed_by_its_owner() -> None:
    rules = rules_for(2, target="10", claims="yes", starter="highest-double")
    game = Game.make(rules, "lead")
    game.start()
    game.deliver()
    ((seat, view),) = [
        (seat, view)
        for seat, session in enumerate(game.sessions)
        if (view := session.decision()) is not None
    ]
    session = game.sessions[seat]
    assert session.state.match.hand is None, "the hand begins with the lead"
    assert session.referee.waiting().for_person
    (lead,) = view.legal
    assert isinstance(lead, Play)
    assert (view.hand_number, lead.tile in [tile for _, tile in view.tiles]) == (1, True)
    for wrong in (Draw(seat), replace(lead, claim=169)):
        with pytest.raises(IllegalMove):
            session.act(wrong)
    game.take(seat, session.act(replace(lead, claim=0)))
    game.deliver()
    played = [one for one in bare(game.events[seat]) if isinstance(one, Played)]
    assert (played[0].tile, played[0].claim, played[0].points) == (lead.tile, 0, 0)
    assert verify_record(game.play().sessions[0].record()).ok
