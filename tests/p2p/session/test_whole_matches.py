"""Whole matches in memory: every peer has the same record, which verifies and replays the match."""

from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass
from functools import cache

import pytest
from support.limits import seats
from support.session.matches import Kept, claiming, classic, preset
from support.session.tables import Game, rules_for
from support.session.told import bare

from engine.events import Drawn, HandEnded, MatchEnded, Played
from engine.hand import Play, deal_slots
from engine.rules import PRESETS
from engine.tiles import ALL_TILES, Tile
from p2p.session.referee import Referee
from p2p.session.state.events import DeckStep, HandBegan, InHand, MatchBegan, SessionEvent
from p2p.session.verify import replay_record, verify_record

SEATS = seats(2, 3)


def kept_matches() -> list[Kept]:
    """Short matches: classic for each number of seats, one of each other preset, claims."""
    others = [name for name in PRESETS if name != "classic"]
    every = [preset(name, 2 + at % 2) for at, name in enumerate(others)]
    return [*(classic(players) for players in SEATS), *every, claiming(3)]


@cache
def replayed(record: bytes) -> list[SessionEvent]:
    """What `replay_record` tells of a record, found once: not to be changed."""
    return replay_record(record)


@pytest.mark.parametrize("players", SEATS)
def test_a_match_ends_closed_with_one_record_that_verifies(players: int) -> None:
    kept = classic(players)
    report = verify_record(kept.record)
    assert (report.ok, report.decided, report.closed, report.unsigned) == (True, True, True, ())
    assert (report.fault, report.problem, report.absent) == (None, None, ())
    assert report.table == kept.table.id
    assert report.rules == kept.table.rules.spell()
    assert report.names == tuple(person.name for person in kept.table.people)
    assert report.messages == len(kept.messages)
    match = kept.game.sessions[0].state.match
    assert report.hands == match.hand_number
    assert report.scores == tuple(match.scores)
    assert max(report.scores) >= 30


@pytest.mark.parametrize("players", SEATS)
def test_the_report_counts_the_proofs_in_the_record(players: int) -> None:
    kept = classic(players)
    kinds = [message.kind for message in kept.messages]
    proofs = verify_record(kept.record).proofs
    assert proofs["shuffle"] == kinds.count("shuffle")
    assert proofs["key"] == kinds.count("key")
    dealt = kinds.count("deal") * (players - 1) * kept.table.rules.hand_size
    assert proofs["share"] == dealt + kinds.count("play") + kinds.count("share")
    assert (proofs["unplayable"] > 0) == ("draw" in kinds or "pass" in kinds)


@pytest.mark.parametrize("name", PRESETS)
def test_each_preset_is_played_to_the_end(name: str) -> None:
    players = 2 + list(PRESETS).index(name) % 2
    report = verify_record(preset(name, players).record)
    assert (report.ok, report.closed) == (True, True)


def test_claims_and_partners_are_played_to_the_end() -> None:
    rules = rules_for(4, target="10", partners="yes", claims="yes")
    game = Game.make(rules, "pairs").play()
    report = verify_record(game.sessions[0].record())
    assert (report.ok, report.closed) == (True, True)
    assert len({session.record() for session in game.sessions}) == 1
    assert report.scores[:2] == report.scores[2:]
    assert verify_record(claiming(3).record).closed


def test_easy_players_reach_the_end_too() -> None:
    game = Game.make(rules_for(2, target="10"), "easy", level="easy").play()
    assert verify_record(game.sessions[1].record()).closed


def test_replaying_gives_every_tile() -> None:
    for kept in kept_matches():
        events = replayed(kept.record)
        assert isinstance(events[0], MatchBegan)
        assert isinstance(events[-1], MatchEnded)
        for event in bare(events):
            if isinstance(event, HandBegan):
                assert event.boneyard is not None
                hands = [tile for hand in event.hands for tile in hand or ()]
                assert sorted((*hands, *event.boneyard)) == sorted(ALL_TILES)
                assert tuple(len(hand or ()) for hand in event.hands) == event.counts
            if isinstance(event, HandEnded):
                assert None not in event.left
        for event in events:
            if isinstance(event, InHand):
                assert (event.tile is not None) == isinstance(event.event, Drawn)


def test_a_live_seat_tells_the_same_as_the_replay_but_for_what_it_may_not_know() -> None:
    for kept in kept_matches():
        told = replayed(kept.record)
        for seat, live in enumerate(kept.game.events):
            expected = [_as_seen(event, seat) for event in _game_in(told)]
            assert _game_in(live) == expected
            dealt = sum(isinstance(event, HandBegan) for event in live)
            # The preparation of a deal that no hand used is in no record.
            used = [step for step in _deck_in(live) if step.deal <= dealt]
            assert used == _deck_in(told)
            assert [step.done for step in used] == [*range(1, used[-1].total + 1)] * dealt


def _game_in(events: Iterable[SessionEvent]) -> list[SessionEvent]:
    return [event for event in events if not isinstance(event, DeckStep)]


def _deck_in(events: Iterable[SessionEvent]) -> list[DeckStep]:
    return [event for event in events if isinstance(event, DeckStep)]


def _as_seen(event: SessionEvent, seat: int) -> SessionEvent:
    """What a seat is told of an event whose tiles are all known."""
    if isinstance(event, HandBegan):
        hands = tuple(hand if at == seat else None for at, hand in enumerate(event.hands))
        return HandBegan(event.hand, event.starter, hands, event.counts, None)
    if isinstance(event, InHand) and event.event.seat != seat:
        return InHand(event.hand, event.event, event.auto)
    return event


def tiles_in(value: object) -> list[Tile]:
    """Every tile anywhere in a value."""
    if isinstance(value, Tile):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple | set | frozenset):
        return [tile for item in value for tile in tiles_in(item)]
    if is_dataclass(value) and not isinstance(value, type):
        return tiles_in([getattr(value, item.name) for item in fields(value)])
    return []


def test_no_output_of_a_seat_shows_a_tile_before_it_may_be_seen() -> None:
    """Walk through all outputs: own tiles, tiles placed by then, and all once a hand is over."""
    for kept in kept_matches():
        dealt = [event for event in replayed(kept.record) if isinstance(event, HandBegan)]
        for seat, outputs in enumerate(kept.game.outputs):
            seen: set[Tile] = set()
            for event in (event for output in outputs for event in output.events):
                if isinstance(event, HandBegan):
                    seen = set(dealt[event.hand - 1].hands[seat] or ())
                elif isinstance(event, InHand):
                    match event.event:
                        case Played(tile=tile):
                            seen.add(tile)
                        case Drawn(seat=drawer):
                            seen |= {event.tile} if drawer == seat and event.tile else set()
                        case HandEnded():
                            seen = set(ALL_TILES)
                assert set(tiles_in(event)) <= seen


def test_a_view_shows_no_tile_of_another_seat() -> None:
    """The view of every seat at every decision of a match, against the opened hands."""
    game = Game.make(rules_for(3, target="60"), "views")
    game.play(moves=0)
    looks = 0
    while not game.sessions[0].finished:
        for session in game.sessions:
            hand = session.state.match.hand
            if hand is not None and session.decision() is not None:
                view, looks = session.view(), looks + 1
                others = [
                    slot for seat in view.seats if seat != session.seat for slot in hand.slots(seat)
                ]
                assert not set(others) & set(view.hand.known)
                assert not set(hand.boneyard) & set(hand.known)
        game.play(moves=1)
    assert looks > 10


@pytest.mark.parametrize("players", SEATS)
def test_every_move_of_the_record_was_legal_where_it_was_made(players: int) -> None:
    """The engine alone, told the opened tiles, takes every move of a record as legal."""
    kept = classic(players)
    referee, hands = Referee(kept.table), _opened(kept)
    checked = 0
    for message in kept.messages:
        hand = referee.state.match.hand
        if message.kind in ("play", "draw", "pass"):
            assert hand is not None
            for held in hand.slots(message.seat):
                hand.learn(held, hands[referee.state.match.hand_number - 1][held])
            legal = hand.legal_moves(message.seat)
            if message.kind == "play":
                slot, index, end = message.body[:3]
                assert (slot, index, end) in [
                    (move.slot, move.tile.index, move.end)
                    for move in legal
                    if isinstance(move, Play)
                ]
            else:
                assert [type(move).__name__.lower() for move in legal] == [message.kind]
            checked += 1
        referee.receive(message)
    assert checked > players


def _opened(kept: Kept) -> list[Sequence[Tile]]:
    """The tiles by slot of each hand."""
    state = kept.game.sessions[0].state
    assert len(deal_slots(kept.table.rules, kept.table.seats)) == len(kept.table.people)
    return [deal.tiles for _, deal in sorted(state.deals.items()) if deal.tiles]
