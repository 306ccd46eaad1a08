"""p2p.net.door.joiner against a hostile host: each message out of shape or turn ends the stay."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.net.world import neighbour

from engine.rules import Rules
from p2p.net.door.joiner import Gathering, JoinerLobby
from p2p.net.door.messages import Go, NowSeated, ReadyFor, Start, Welcome
from p2p.net.errors import BadTable, TableFull, UnplayableRules
from p2p.net.link.message import whole
from p2p.net.link.roster import Roster, Seated
from p2p.session.state.table import Table
from p2p.wire.codec import encode
from p2p.wire.shape import Shape

HOST = neighbour(1, "Ana", b"a" * 32)
ME = neighbour(2, "Ben", b"b" * 32)
OTHER = neighbour(3, "Cid", b"c" * 32)
BOTH = (HOST, ME)
SECRET = b"s" * 32
RULES = Rules.make("classic", 2)
SPELLED = RULES.spell()


def table(*people: object, rules: Rules = RULES) -> Table:
    roster = [one for one in (HOST, ME, OTHER) if one in people]
    return Table.seat_people(rules, tuple(one.person for one in roster))


def welcome(
    secret: bytes = SECRET,
    name: str = "den",
    rules: dict[str, str] = SPELLED,
    players: int = 2,
    roster: Roster = BOTH,
) -> Welcome:
    return Welcome(secret, name, rules, players, roster)


TABLE = table(*BOTH)
WELCOME = welcome()
START = Start(TABLE.description, BOTH)
SEATED = NowSeated(BOTH)


def lobby(*messages: object) -> tuple[JoinerLobby, list[ReadyFor | None]]:
    stay = JoinerLobby(ME, HOST.key, lambda _: None)
    values = [whole(one) if isinstance(one, Shape) else one for one in messages]
    return stay, [stay.take(encode(value)) for value in values]


def test_the_good_course() -> None:
    shown: list[Gathering] = []
    stay = JoinerLobby(ME, HOST.key, shown.append)
    assert stay.take(encode(whole(WELCOME))) is None
    assert shown == [Gathering("den", RULES, BOTH)]
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
        [WELCOME, START, ["go", 1]],
        [WELCOME, ["dance"]],
        [WELCOME, START, SEATED, Go()],
        [welcome(secret=SECRET[:31])],
        [welcome(name="\x1b")],
        [welcome(players=5)],
        [["welcome", SECRET, "den", {"a": 1}, 2, SEATED.value()[0]]],
        [welcome(roster=(HOST, OTHER))],
        [welcome(roster=(ME, OTHER))],
        [welcome(roster=(HOST, ME, OTHER))],
        [WELCOME, Start(TABLE.description, (HOST,))],
        [WELCOME, Start(TABLE.description + b"x", BOTH)],
        [WELCOME, Start(bytes(20_000), BOTH)],
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
    stay, _ = lobby(welcome(roster=(HOST, neighbour(2, "Bob", ME.person.nonce))))
    assert str(stay.outcome) == sentence("a roster without our seat")


def test_a_table_of_other_rules_or_people_is_refused() -> None:
    other = table(*BOTH, rules=Rules.make("classic", 2, {"target": "9"}))
    stay, _ = lobby(WELCOME, Start(other.description, BOTH))
    assert str(stay.outcome) == sentence("it has other rules than the lobby said")
    stay, _ = lobby(WELCOME, Start(table(ME, OTHER).description, BOTH))
    assert str(stay.outcome) == sentence("it seats other people than the lobby said")


def test_nothing_is_shown_of_rules_that_this_program_cannot_play() -> None:
    shown: list[Gathering] = []
    for hostile in ({"preset": "\x1b[2J"}, SPELLED | {"\x1b[2J": "x"}, {}):
        stay = JoinerLobby(ME, HOST.key, shown.append)
        assert stay.take(encode(whole(welcome(rules=hostile)))) is None
        assert isinstance(stay.outcome, UnplayableRules)
        assert str(stay.outcome).startswith("The table's rules cannot be played here: ")
        assert str(stay.outcome).isprintable()
    assert shown == []


def test_a_refusal_is_what_it_says() -> None:
    stay, _ = lobby(WELCOME, ["no", "full"])
    assert isinstance(stay.outcome, TableFull)


def test_bytes_that_are_no_value() -> None:
    stay = JoinerLobby(ME, HOST.key, lambda _: None)
    assert stay.take(b"\xc1") is None
    assert isinstance(stay.outcome, BadTable)


LEAVES = (
    st.none() | st.booleans() | st.integers(-3, 9) | st.binary(max_size=40) | st.text(max_size=9)
)
VALUES = LEAVES | st.lists(LEAVES, max_size=4) | st.dictionaries(st.text(max_size=4), LEAVES)
WORDS = st.sampled_from(["welcome", "seated", "start", "go", "no"])


@settings(max_examples=300)
@given(WORDS, st.lists(VALUES | st.lists(VALUES, max_size=4), max_size=6), st.booleans())
def test_whatever_a_host_says_only_the_outcome_tells(
    word: str, rest: list[object], welcomed: bool
) -> None:
    stay, _ = lobby(*([WELCOME] if welcomed else []), [word, *rest])
    assert isinstance(stay.outcome, BadTable)
