"""Before all have agreed to a table: who does not come, or leaves, costs nobody the table, and it
is told who that was; afterwards it is a match like any other."""

from support.session.sittings import Hall, Sitter, make_hall
from support.session.tables import make_table, rules_for, seeded

from p2p.session.sitting.effects import Setting
from p2p.session.sitting.owner import Away, Outcome
from p2p.session.sitting.sitting import Sitting
from p2p.session.state.events import MatchBegan
from p2p.wire.talk import Leave

WITHIN = 30.0


def hall(players: int, *linked: tuple[int, int]) -> Hall:
    """A table that is about to begin; `linked` are the pairs that have a link."""
    table, keys = make_table(rules_for(players, target="20"), "begins")
    sitters = [
        Sitter(Sitting(table, key, seeded(f"begins {seat}"), setting=Setting(within=WITHIN)), seat)
        for seat, key in enumerate(keys)
    ]
    made = Hall(sitters)
    for one, other in linked:
        sitters[one].sitting.linked(other, 0.0)
        sitters[other].sitting.linked(one, 0.0)
    return made


def test_who_never_comes_is_named_and_the_others_are_free_again() -> None:
    table = hall(3, (0, 1))
    table.start(0, 1)
    table.deliver()
    for _ in range(int(WITHIN) - 1):
        table.now += 1.0
        for place in (0, 1):
            table.take(place, table.sitters[place].sitting.tick(table.now))
        table.deliver()
    away = [one for one in table.sitters[0].notices if isinstance(one, Away)]
    assert (away[-1].since, away[-1].left) == (29.0, 1.0)
    assert table.sitters[0].last.outcome is None
    table.now += 1.0
    assert table.take(0, table.sitters[0].sitting.tick(table.now)).outcome == Outcome(
        "unbegun", f"{table.sitters[0].name(2)} did not come before the match began."
    )
    # Whoever is first to give up says so, and the others need not wait.
    table.take(0, table.sitters[0].sitting.leave(table.now))
    table.deliver()
    assert table.sitters[0].said(Leave)
    outcome = table.sitters[1].last.outcome
    assert outcome is not None
    assert outcome.kind == "unbegun"


def test_who_leaves_at_once_costs_two_people_no_table_either() -> None:
    table = hall(2, (0, 1))
    table.start(1)
    effects = table.hear(1, 0, table.word(0, Leave()))
    assert effects.outcome == Outcome(
        "unbegun", f"{table.sitters[1].name(0)} has left before the match began."
    )


def test_once_all_have_agreed_it_is_a_match_and_grace_is_what_counts() -> None:
    table = hall(2, (0, 1))
    table.start()
    table.deliver()
    assert any(isinstance(event, MatchBegan) for event in table.sitters[0].events)
    table.part(0, 1)
    table.tick_on(0, int(WITHIN) + 5)
    assert table.sitters[0].last.outcome is None
    away = [one for one in table.sitters[0].notices if isinstance(one, Away)]
    assert (away[-1].left or 0.0) > WITHIN


def test_where_no_time_is_set_it_is_waited_as_in_a_match() -> None:
    table = make_hall(2, links=[])
    table.start(0)
    table.tick_on(0, int(WITHIN) + 5)
    assert table.sitters[0].last.outcome is None
