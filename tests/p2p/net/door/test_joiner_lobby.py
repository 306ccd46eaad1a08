"""p2p.net.door.joiner against a hostile host: each message out of shape or turn ends the stay."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.net.world import neighbour, people

from engine.rules import Rules
from p2p.net.door.draws import commitment
from p2p.net.door.joiner import Answer, Gathering, JoinerLobby
from p2p.net.door.messages import (
    Bound,
    DrawSeats,
    Go,
    NowSeated,
    ReadyFor,
    Show,
    Shown,
    Start,
    Welcome,
)
from p2p.net.errors import BadTable, TableFull, UnplayableRules
from p2p.net.link.message import whole
from p2p.net.link.roster import Roster, Seated
from p2p.session.state.table import Table, Terms
from p2p.wire.codec import encode
from p2p.wire.shape import Shape

HOST = neighbour(1, "Ana")
ME = neighbour(2, "Ben")
OTHER = neighbour(3, "Cid")
BOTH = (HOST, ME)
SECRET = b"s" * 32
RULES = Rules.make("classic", 2)
SPELLED = RULES.spell()
TERMS = Terms(grace=60)
HOST_NONCE, MY_NONCE = (one.nonce for one in people(BOTH))


def table(*here: object, rules: Rules = RULES, terms: Terms = TERMS) -> Table:
    roster = tuple(one for one in (HOST, ME, OTHER) if one in here)
    return Table.seat_people(rules, people(roster), terms=terms)


def show(number: int = 1, *commitments: bytes, nonce: bytes = HOST_NONCE) -> Show:
    bound = (commitment(1, HOST.key, HOST_NONCE), commitment(1, ME.key, MY_NONCE))
    return Show(number, commitments or bound, nonce)


def my_nonce(size: int) -> bytes:
    return MY_NONCE[:size]


def welcome(
    secret: bytes = SECRET,
    name: str = "den",
    rules: dict[str, str] = SPELLED,
    players: int = 2,
    roster: Roster = BOTH,
) -> Welcome:
    return Welcome(secret, name, rules, players, TERMS, roster)


TABLE = table(*BOTH)
WELCOME = welcome()
DRAW, SHOW = DrawSeats(1), show()
START = Start(TABLE.description)
SEATED = NowSeated(BOTH)
STARTED: list[object] = [WELCOME, DRAW, SHOW, START]


def lobby(*messages: object) -> tuple[JoinerLobby, list[Answer | None]]:
    stay = JoinerLobby(ME, HOST.key, my_nonce, lambda _: None)
    values = [whole(one) if isinstance(one, Shape) else one for one in messages]
    return stay, [stay.take(encode(value)) for value in values]


def test_the_good_course() -> None:
    shown: list[Gathering] = []
    stay = JoinerLobby(ME, HOST.key, my_nonce, shown.append)
    assert stay.take(encode(whole(WELCOME))) is None
    assert shown == [Gathering("den", RULES, BOTH, TERMS)]
    assert stay.take(encode(whole(DRAW))) == Bound(1, commitment(1, ME.key, MY_NONCE))
    assert stay.take(encode(whole(SHOW))) == Shown(1, MY_NONCE)
    assert stay.take(encode(whole(START))) == ReadyFor.of(TABLE.description)
    assert stay.outcome is None
    stay.take(encode(whole(Go())))
    by_key = {one.key: one for one in BOTH}
    order = tuple(by_key[person.key] for person in TABLE.people)
    assert stay.outcome == Seated(TABLE, SECRET, order)


@pytest.mark.parametrize(
    "messages",
    [
        [Go()],
        [START],
        [SEATED],
        [WELCOME, WELCOME],
        [WELCOME, Go()],
        [*STARTED, ["go", 1]],
        [WELCOME, ["dance"]],
        [*STARTED, SEATED, Go()],
        [*STARTED, START],
        [*STARTED, DRAW, Go()],
        [WELCOME, SHOW],
        [WELCOME, START],
        [WELCOME, DRAW, START],
        [WELCOME, DRAW, SHOW, SHOW],
        [WELCOME, DRAW, SEATED, SHOW],
        [welcome(players=3, roster=BOTH), DRAW],
        [WELCOME, DRAW, show(2)],
        [WELCOME, DRAW, show(1, *SHOW.commitments, bytes(32))],
        [WELCOME, DRAW, show(1, *SHOW.commitments[::-1])],
        [WELCOME, DRAW, show(1, SHOW.commitments[0], bytes(32))],
        [WELCOME, DRAW, show(nonce=b"x" * 32)],
        [welcome(secret=SECRET[:31])],
        [welcome(name="\x1b")],
        [welcome(players=5)],
        [["welcome", SECRET, "den", {"a": 1}, 2, SEATED.value()[0]]],
        [welcome(roster=(HOST, OTHER))],
        [welcome(roster=(ME, OTHER))],
        [welcome(roster=(HOST, ME, OTHER))],
        [WELCOME, DRAW, SHOW, Start(TABLE.description + b"x")],
        [WELCOME, DRAW, SHOW, Start(bytes(20_000))],
        [None],
        [7],
        [WELCOME, ["no", ["full"]]],
        [WELCOME, ["no", "something new"]],
        [WELCOME, ["seated", [[]]]],
        [WELCOME, ["start", {}, []]],
    ],
)
def test_what_does_not_hold_together(messages: list[object]) -> None:
    stay, answers = lobby(*messages)
    assert isinstance(stay.outcome, BadTable)
    assert answers[-1] is None
    assert str(stay.outcome).startswith("The host sent a table that does not hold together (")


def sentence(clause: str) -> str:
    return f"The host sent a table that does not hold together ({clause}). Do not play there."


def test_another_name_of_ours_is_noticed() -> None:
    stay, _ = lobby(welcome(roster=(HOST, neighbour(2, "Bob"))))
    assert str(stay.outcome) == sentence("a roster without our seat")


def test_a_table_of_other_rules_or_people_is_refused() -> None:
    other = table(*BOTH, rules=Rules.make("classic", 2, {"target": "9"}))
    for told in (other, table(*BOTH, terms=Terms(watch=False))):
        stay, _ = lobby(*STARTED[:3], Start(told.description))
        assert str(stay.outcome) == sentence("it has other rules than the lobby said")
    renamed = table(HOST, ME)
    people_there = (replace(renamed.people[0], name="Eve"), *renamed.people[1:])
    stay, _ = lobby(*STARTED[:3], Start(Table(RULES, people_there, TERMS).description))
    assert str(stay.outcome) == sentence("it seats other people than the lobby said")


def test_a_table_of_other_nonces_than_were_bound_is_refused() -> None:
    ours = table(*BOTH)
    for at in range(2):
        chosen = list(ours.people)
        chosen[at] = replace(chosen[at], nonce=b"x" * 32)
        told = Table.seat_people(RULES, tuple(chosen), terms=TERMS)
        stay, _ = lobby(*STARTED[:3], Start(told.description))
        assert str(stay.outcome) == sentence("a table of other nonces than were bound")
    stay, _ = lobby(*STARTED[:3], Start(table(ME, OTHER).description))
    assert str(stay.outcome) == sentence("a table of other nonces than were bound")


def test_a_new_draw_has_a_new_nonce() -> None:
    nonces = [b"1" * 32, b"2" * 32]
    stay = JoinerLobby(ME, HOST.key, lambda size: nonces.pop(0), lambda _: None)
    stay.take(encode(whole(WELCOME)))
    first, second = (stay.take(encode(whole(DrawSeats(number)))) for number in (1, 2))
    assert first == Bound(1, commitment(1, ME.key, b"1" * 32))
    assert second == Bound(2, commitment(2, ME.key, b"2" * 32))


def test_the_host_names_its_bots() -> None:
    bot = replace(ME, owner=HOST.key)
    stay = JoinerLobby(bot, HOST.key, my_nonce, lambda _: None)
    assert stay.take(encode(whole(welcome(roster=(HOST, bot))))) is None
    assert stay.outcome is None
    stay, _ = lobby(welcome(roster=(HOST, bot)))
    assert str(stay.outcome) == sentence("a roster without our seat")


def test_nothing_is_shown_of_rules_that_this_program_cannot_play() -> None:
    shown: list[Gathering] = []
    for hostile in ({"preset": "\x1b[2J"}, SPELLED | {"\x1b[2J": "x"}, {}):
        stay = JoinerLobby(ME, HOST.key, my_nonce, shown.append)
        assert stay.take(encode(whole(welcome(rules=hostile)))) is None
        assert isinstance(stay.outcome, UnplayableRules)
        assert str(stay.outcome).startswith("The table's rules cannot be played here: ")
        assert str(stay.outcome).isprintable()
    assert shown == []


def test_a_refusal_is_what_it_says() -> None:
    stay, _ = lobby(WELCOME, ["no", "full"])
    assert isinstance(stay.outcome, TableFull)


def test_bytes_that_are_no_value() -> None:
    stay = JoinerLobby(ME, HOST.key, my_nonce, lambda _: None)
    assert stay.take(b"\xc1") is None
    assert isinstance(stay.outcome, BadTable)


LEAVES = (
    st.none() | st.booleans() | st.integers(-3, 9) | st.binary(max_size=40) | st.text(max_size=9)
)
VALUES = LEAVES | st.lists(LEAVES, max_size=4) | st.dictionaries(st.text(max_size=4), LEAVES)
WORDS = st.sampled_from(["welcome", "seated", "draw", "show", "start", "go", "no"])


@settings(max_examples=300)
@given(WORDS, st.lists(VALUES | st.lists(VALUES, max_size=4), max_size=6), st.booleans())
def test_whatever_a_host_says_only_the_outcome_tells(
    word: str, rest: list[object], welcomed: bool
) -> None:
    stay, _ = lobby(*([WELCOME, DRAW] if welcomed else []), [word, *rest])
    # A number is all that a draw has.
    assert isinstance(stay.outcome, BadTable) or (welcomed and word == "draw")
