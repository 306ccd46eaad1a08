"""One hand: turns, draws, passes, ends, and what public facts alone allow and refuse."""

from collections.abc import Mapping

import pytest
from support.engine.dealing import seen
from support.engine.scenes import deal_of

from engine.errors import EngineError, IllegalMove
from engine.hand import Draw, Hand, HandOver, Move, Pass, Play, deal_slots
from engine.notation import format_move, parse_tile
from engine.rules import Rules
from engine.tiles import Tile

SMALL = {"hand-size": "3"}


def small(tiles: Mapping[int, Tile], players: int = 2, **options: str) -> Hand:
    overrides = SMALL | {name.replace("_", "-"): value for name, value in options.items()}
    rules = Rules.make("pagat", players, overrides)
    return Hand(rules, range(players), 0, tiles)


def play(hand: Hand, text: str, end: str | None = None) -> Play:
    assert hand.turn is not None
    tile = parse_tile(text)
    slot = next(slot for slot in hand.slots(hand.turn) if hand.known.get(slot, tile) == tile)
    return Play(hand.turn, slot, tile, end)


def legal(hand: Hand) -> list[str]:
    assert hand.turn is not None
    return [format_move(move) for move in hand.legal_moves(hand.turn)]


def refused(hand: Hand, move: Move) -> str:
    """The sentence that refuses a move, which must change nothing."""
    before = seen(hand)
    with pytest.raises(IllegalMove) as by_check:
        hand.check(move)
    with pytest.raises(IllegalMove) as by_apply:
        hand.apply(move)
    assert str(by_check.value) == str(by_apply.value)
    assert seen(hand) == before
    return str(by_check.value)


def test_slots_are_dealt_seat_by_seat_then_the_boneyard() -> None:
    rules = Rules.make("classic", 4)
    assert deal_slots(rules, (0, 1, 2, 3)) == {
        0: range(5),
        1: range(5, 10),
        2: range(10, 15),
        3: range(15, 20),
    }
    assert deal_slots(rules, (0, 2, 3)) == {0: range(7), 2: range(7, 14), 3: range(14, 21)}
    hand = Hand(rules, (0, 2, 3), 2)
    assert (hand.slots(0), hand.slots(1), hand.slots(3)) == (
        tuple(range(7)),
        (),
        tuple(range(14, 21)),
    )
    assert hand.boneyard == tuple(range(21, 28))
    assert (hand.turn, hand.over, hand.drawable()) == (2, None, 7)


def test_any_tile_may_be_led_in_canonical_order() -> None:
    hand = small(deal_of("2-1 6-4 6-5", "0-0 1-1 2-2"))
    assert legal(hand) == ["6-5", "6-4", "2-1"]
    assert hand.legal_moves(0) is hand.legal_moves(0)
    assert hand.legal_moves(1) == ()


def test_a_forced_lead() -> None:
    rules = Rules.make("online", 2, SMALL)
    hand = Hand(rules, (0, 1), 0, deal_of("5-5 6-4 6-5", "0-0 1-1 2-2"), parse_tile("5-5"))
    assert legal(hand) == ["5-5"]
    assert refused(hand, play(hand, "6-5")) == "5-5 must be led, the highest double of this deal"
    sentence = "the table is empty and 5-5 must be led, the highest double of this deal: lead it"
    assert refused(hand, Draw(0)) == f"{sentence}, do not draw"
    assert refused(hand, Pass(0)) == f"{sentence}, do not pass"
    hand.apply(play(hand, "5-5"))
    assert hand.turn == 1


def test_where_nobody_has_a_double_the_heaviest_tile_is_led() -> None:
    rules = Rules.make("online", 2, SMALL)
    hand = Hand(rules, (0, 1), 0, deal_of("5-4 6-4 6-5", "1-0 2-1 3-2"), parse_tile("6-5"))
    assert refused(hand, play(hand, "6-4")) == (
        "6-5 must be led, the heaviest tile of this deal, in which nobody has a double"
    )


def test_where_nothing_is_drawn_nobody_is_told_that_others_may() -> None:
    hand = small(deal_of("6-4 5-1 0-0", "6-3 4-1 2-2"), draws="none")
    sentence = "nothing is drawn in this game: who cannot play passes"
    assert refused(hand, Draw(0)) == sentence, "on an empty table"
    hand.apply(play(hand, "6-4"))
    assert refused(hand, Draw(1)) == sentence, "6-3 fits"


def test_who_can_play_must_play() -> None:
    hand = small(deal_of("6-4 5-1 0-0", "6-3 4-1 2-2"))
    hand.apply(play(hand, "6-4"))
    assert legal(hand) == ["6-3 L", "4-1 R"]
    assert refused(hand, Draw(1)) == "6-3 fits L: who can play may not draw"
    assert refused(hand, Pass(1)) == "6-3 fits L: who can play may not pass"


def test_drawing_until_a_tile_fits_and_playing_that_tile() -> None:
    tiles = deal_of("6-4 5-1 0-0", "3-1 1-1 2-2", boneyard="3-2 3-3 6-1 4-1")
    hand = small(tiles)
    hand.apply(play(hand, "6-4"))
    assert legal(hand) == ["draw"]
    assert refused(hand, Pass(1)) == "22 tiles can be drawn: draw before passing"
    for slot in (6, 7, 8):
        hand.apply(Draw(1))
        assert (hand.turn, hand.drawn) == (1, slot)
    assert legal(hand) == ["6-1 L"]
    assert refused(hand, Draw(1)) == "6-1 fits L: who can play may not draw"
    hand.apply(play(hand, "6-1", "L"))
    assert (hand.turn, hand.drawn, hand.slots(1)) == (0, None, (3, 4, 5, 6, 7))
    assert hand.boneyard == tuple(range(9, 28))


def test_only_the_drawn_tile_may_be_played_after_a_draw() -> None:
    hand = small({}, draws="until-fit")
    hand.apply(Play(0, 0, parse_tile("6-4"), None))
    hand.apply(Draw(1))
    move = Play(1, 3, parse_tile("6-1"), "L")
    assert refused(hand, move) == "slot 3 was shown to hold no 6, so it is not 6-1"
    hand.apply(Draw(1))
    assert refused(hand, Play(1, 4, parse_tile("3-1"), "L")) == (
        "3-1 does not match an open end (6 on L, 4 on R)"
    )


def test_a_tile_kept_through_a_draw_may_not_be_played_in_that_turn() -> None:
    tiles = deal_of("6-4 5-1 0-0", "3-1 1-1 2-2", boneyard="6-1")
    hand = small(tiles, hand_size="3")
    hand.apply(play(hand, "6-4"))
    hand.apply(Draw(1))
    hand.line.place(parse_tile("4-3"), "R")  # a hand that draws could play turned into one
    hand.line.place(parse_tile("3-2"), "R")
    assert refused(hand, Play(1, 5, parse_tile("2-2"), "R")) == (
        "only the tile just drawn (slot 6) may be played now"
    )


def test_the_reserve_is_never_drawn() -> None:
    tiles = deal_of("6-4 5-1 0-0", "3-1 1-1 2-2")
    hand = small(tiles, reserve="2")
    assert (hand.drawable(), len(hand.boneyard)) == (20, 22)
    whole = small(
        deal_of("6-6 5-1 0-0 5-0 5-2 5-3 5-4", "3-1 1-1 2-2 2-0 3-0 4-0 1-0"), hand_size="13"
    )
    assert (whole.drawable(), whole.boneyard) == (2, (26, 27))
    none = small({}, hand_size="13", reserve="2")
    none.apply(Play(0, 0, parse_tile("6-6"), None))
    assert none.drawable() == 0
    assert refused(none, Draw(1)) == "nothing is left to draw: pass"
    none.apply(Pass(1))
    assert none.turn == 0


def test_a_game_without_drawing() -> None:
    hand = small(deal_of("6-4 5-1 0-0", "3-1 1-1 2-2"), draws="none")
    hand.apply(play(hand, "6-4"))
    assert (hand.drawable(), legal(hand)) == (0, ["pass"])
    assert refused(hand, Draw(1)) == "nothing is drawn in this game: who cannot play passes"
    hand.apply(Pass(1))
    assert (hand.turn, hand.over) == (0, None)
    hand.apply(Pass(0))
    assert (hand.turn, hand.over) == (None, HandOver("block", None))
    assert refused(hand, Pass(1)) == "the hand is over"


def test_a_block_takes_as_many_passes_as_seats_in_the_deal() -> None:
    rules = Rules.make("block", 4, SMALL | {"starter": "lot"})
    hand = Hand(rules, (0, 1, 3), 1)
    hand.apply(Play(1, 3, parse_tile("6-6"), None))
    hand.apply(Pass(3))
    hand.apply(Pass(0))
    hand.apply(Play(1, 4, parse_tile("6-5"), "L"))
    for seat in (3, 0, 1):
        assert hand.over is None
        hand.apply(Pass(seat))
    assert hand.over == HandOver("block", None)


def test_going_out() -> None:
    hand = small(deal_of("6-4 5-1 0-0", "4-3 1-1 2-2"), hand_size="1")
    hand.apply(play(hand, "6-4"))
    assert (hand.turn, hand.over) == (None, HandOver("domino", 0))


def test_the_first_tile_can_always_be_placed() -> None:
    hand = small({})
    sentence = "the table is empty and any tile fits: lead, do not "
    assert refused(hand, Draw(0)) == sentence + "draw"
    assert refused(hand, Pass(0)) == sentence + "pass"


def test_whose_turn_it_is() -> None:
    hand = Hand(Rules.make("classic", 3), (0, 2), 0)
    assert refused(hand, Pass(2)) == "it is the turn of seat 0, not of seat 2"
    assert refused(hand, Pass(1)) == "seat 1 is not in this deal"
    with pytest.raises(EngineError, match=r"^seat 1 is not in this deal$"):
        Hand(Rules.make("classic", 3), (0, 2), 1)


def test_tiles_that_are_not_there() -> None:
    hand = small(deal_of("6-4 5-1 0-0", "4-3 1-1 2-2"))
    assert (
        refused(hand, Play(0, 3, parse_tile("4-3"), None)) == "slot 3 is not in the hand of seat 0"
    )
    assert refused(hand, Play(0, 0, parse_tile("5-1"), None)) == "slot 0 holds 6-4, not 5-1"
    public = small({0: parse_tile("6-4")})
    assert refused(public, Play(0, 1, parse_tile("6-4"), None)) == (
        "6-4 lies in slot 0, not in slot 1"
    )


def test_public_facts_alone_are_enough() -> None:
    hand = small({})
    hand.apply(Play(0, 1, parse_tile("6-4"), None))
    assert hand.known == {1: parse_tile("6-4")}
    assert hand.slots(0) == (0, 2)
    assert len(hand.misfits()) == 15
    assert all(6 not in tile and 4 not in tile for tile in hand.misfits())
    with pytest.raises(EngineError, match="need all its tiles to be known"):
        hand.legal_moves(1)


def test_due_slots() -> None:
    hand = small({}, hand_size="2")
    hand.apply(Play(0, 0, parse_tile("6-4"), None))
    assert hand.due_slots(1) == (2, 3)
    hand.apply(Draw(1))
    assert hand.due_slots(1) == (4,), "only the newly drawn slot in the same turn"
    hand.apply(Draw(1))
    assert hand.due_slots(1) == (5,)
    hand.apply(Play(1, 5, parse_tile("6-0"), "L"))
    assert hand.lacks(1) == {2: frozenset({4, 6}), 3: frozenset({4, 6}), 4: frozenset({4, 6})}
    assert hand.due_slots(1) == (2, 3, 4), "0 is a new end value"
    hand.apply(Draw(0))
    hand.apply(Play(0, 6, parse_tile("4-0"), "R"))
    assert hand.due_slots(1) == (2, 3, 4), "0 and 0 is no subset of 6 and 4"
    hand.apply(Draw(1))
    assert hand.due_slots(1) == (7,)
    hand.apply(Play(1, 7, parse_tile("3-0"), "L"))
    assert hand.lacks(1)[2] == frozenset({0, 4, 6})


def test_ends_shown_before_are_not_due_again() -> None:
    hand = small({}, players=2, hand_size="3")
    hand.apply(Play(0, 0, parse_tile("6-4"), None))
    hand.apply(Draw(1))
    hand.apply(Play(1, 6, parse_tile("4-4"), "R"))
    hand.apply(Play(0, 1, parse_tile("6-6"), "L"))
    assert {end.value for end in hand.line.ends()} == {6, 4}
    assert hand.due_slots(1) == ()
    assert hand.due_slots(0) == (2,)


def test_a_false_draw_is_refused_when_every_tile_fits() -> None:
    hand = small({}, hand_size="9", spinner="every", arms="at-once")
    line = ["6-6", "5-5", "4-4", "3-3", "2-2", "1-1", "0-0"]
    joins = ["6-5 L", "5-5 L", "6-4 U", "4-4 U", "6-3 D", "3-3 D", "6-2 R", "2-2 R"]
    hand.line.place(parse_tile(line[0]), None)
    for text in [*joins, "2-1 R", "1-1 R", "1-0 R"]:
        tile, end = text.split()
        hand.line.place(parse_tile(tile), end)
    assert hand.misfits() == ()
    sentence = "every tile not on the table fits an open end: who can play may not draw"
    assert refused(hand, Draw(0)) == sentence


def test_learning() -> None:
    hand = small({})
    hand.learn(4, parse_tile("6-4"))
    hand.learn(4, parse_tile("6-4"))
    with pytest.raises(EngineError, match=r"^5-4 in slot 4 contradicts what is known$"):
        hand.learn(4, parse_tile("5-4"))
    with pytest.raises(EngineError, match=r"^6-4 in slot 5 contradicts what is known$"):
        hand.learn(5, parse_tile("6-4"))
    with pytest.raises(EngineError, match=r"^6-4 in slot 1 contradicts what is known$"):
        small({0: parse_tile("6-4"), 1: parse_tile("6-4")})


def test_a_drawn_tile_is_learnt_and_then_played() -> None:
    tiles = deal_of("6-4 5-1 0-0", "3-1 1-1 2-2", boneyard="6-1")
    hand = small({slot: tiles[slot] for slot in (3, 4, 5)})
    hand.apply(Play(0, 0, parse_tile("6-4"), None))
    assert legal(hand) == ["draw"]
    hand.apply(Draw(1))
    hand.learn(6, tiles[6])
    assert legal(hand) == ["6-1 L"]


def test_what_a_seat_sees() -> None:
    tiles = deal_of("6-4 5-1 0-0", "6-3 1-1 2-2")
    hand = small(tiles)
    hand.apply(play(hand, "6-4"))
    assert set(hand.seen_by(1).known) == {0, 3, 4, 5}
    assert set(hand.seen_by(0).known) == {0, 1, 2}
    assert set(hand.seen_by(None).known) == {0}
    assert [format_move(move) for move in hand.seen_by(1).legal_moves(1)] == ["6-3 L"]
    assert len(hand.known) == 28


def test_a_copy_is_independent() -> None:
    hand = small(deal_of("6-4 5-1 0-0", "3-1 1-1 2-2"))
    hand.apply(play(hand, "6-4"))
    copy = hand.copy()
    before = seen(hand)
    assert seen(copy) == before
    copy.apply(Draw(1))
    assert seen(hand) == before
    assert seen(copy) != before


def claiming(claim: int | None) -> Play:
    return Play(0, 0, parse_tile("6-4"), None, claim)


def test_claims_ride_in_plays_where_the_rules_have_them() -> None:
    counted = small({})
    assert refused(counted, claiming(0)) == (
        "points are counted for you in this game: a play claims nothing"
    )
    claimed = small({}, claims="yes")
    for claim in (None, -1, 169):
        assert refused(claimed, claiming(claim)) == (
            "a claim is a number from 0 to 168, 0 for none"
        )
    claimed.apply(claiming(168))
    assert claimed.turn == 1


def finished() -> tuple[Hand, dict[int, Tile]]:
    tiles = deal_of("6-4 6-1", "5-4 1-1", boneyard="0-0 2-2 6-6 3-3")
    hand = small(tiles, hand_size="2")
    for text, end in [("6-4", None), ("5-4", "R"), ("6-1", "L")]:
        hand.apply(play(hand, text, end))
    return hand, tiles


def test_settling() -> None:
    hand, tiles = finished()
    settled = hand.settle(tiles)
    assert (settled.winner, settled.points) == (0, (0, 0))
    assert settled.left == ((), (parse_tile("1-1"),))


def test_settling_needs_an_end() -> None:
    with pytest.raises(EngineError, match=r"^the hand has no end to be settled$"):
        small({}).settle(deal_of())


def swap(tiles: dict[int, Tile], a: int, b: int) -> dict[int, Tile]:
    return tiles | {a: tiles[b], b: tiles[a]}


def test_an_opening_must_be_the_whole_set_as_placed() -> None:
    hand, tiles = finished()
    sentence = r"^an opened deal has every slot and every tile exactly once$"
    with pytest.raises(EngineError, match=sentence):
        hand.settle({slot: tiles[slot] for slot in range(27)})
    with pytest.raises(EngineError, match=sentence):
        hand.settle(tiles | {20: tiles[21]})
    with pytest.raises(EngineError, match=r"^slot 0 holds 6-4, not "):
        hand.settle(swap(tiles, 0, 27))


def test_an_opening_must_bear_out_draws_and_passes() -> None:
    tiles = deal_of("6-4 6-1", "5-2 1-1", boneyard="0-0 5-4")
    hand = small({}, hand_size="2")
    hand.apply(Play(0, 0, tiles[0], None))
    hand.apply(Draw(1))
    hand.apply(Draw(1))
    hand.apply(Play(1, 5, tiles[5], "R"))
    hand.apply(Play(0, 1, tiles[1], "L"))
    hand.check_opening(tiles)
    at = next(slot for slot, tile in tiles.items() if str(tile) == "6-3")
    with pytest.raises(EngineError, match=r"^slot 2 was shown not to fit, but holds 6-3$"):
        hand.check_opening(swap(tiles, 2, at))
    with pytest.raises(EngineError, match=r"^slot 4 was shown not to fit, but holds 6-3$"):
        hand.check_opening(swap(tiles, 4, at))


def test_an_opening_must_bear_out_the_lead() -> None:
    tiles = deal_of("5-5 6-1", "5-2 1-1", boneyard="6-6")
    rules = Rules.make("online", 2, {"hand-size": "2"})
    hand = Hand(rules, (0, 1), 0, {}, parse_tile("5-5"))
    hand.check_opening(tiles)
    with pytest.raises(EngineError, match=r"^seat 1 held 6-6, which ranks above 5-5$"):
        hand.check_opening(swap(tiles, 3, 4))
