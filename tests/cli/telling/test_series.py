"""The score in matches at one table."""

from support.engine.matches import players
from support.screen.notices import began

from cli.table.known import Known
from cli.telling.scene import Scene
from cli.telling.series import Series
from engine.events import MatchEnded
from engine.rules import Rules
from p2p.session.sitting.owner import Happened
from p2p.session.state.events import MatchBegan, Participant

ANA, BEN = (one.key for one in players(2))


def scene_of(*people: Participant, me: int | None = 0, **options: str) -> Scene:
    scene = Scene(me)
    rules = Rules.make("classic", len(people), options)
    scene.apply(MatchBegan(bytes(32), rules.spell(), people))
    return scene


def ended(*winners: int, count: int = 2) -> MatchEnded:
    return MatchEnded("target" if winners else "abandoned", winners, (0,) * count)


def test_from_the_second_match_on_it_is_told_the_best_first() -> None:
    series, (ana, ben) = Series({ANA: 0, BEN: 0}), players(2)
    scene = scene_of(ana, ben)
    assert series.hear(ended(1), scene) == []
    told = "2 matches since you came to this table: Ben 2 and Ana 0."
    # The seats are drawn anew for each match.
    swapped = scene_of(Participant(0, "Ben", BEN), Participant(1, "Ana", ANA), me=1)
    assert series.hear(ended(0), swapped) == [told]
    assert series.told(scene) == told
    assert series.hear(ended(), scene) == [told], "a match that nobody has won does not count"
    assert series.hear(ended(0), scene) == [
        "3 matches since you came to this table: Ben 2 and Ana 1."
    ]
    assert series.hear(MatchBegan(bytes(32), {}, ()), scene) == []


def test_partners_win_together() -> None:
    people = players(4)
    series = Series().going_on([one.key for one in people])
    scene = scene_of(*people, partners="yes")
    series.hear(ended(0, 2, count=4), scene)
    (told,) = series.hear(ended(1, 3, count=4), scene)
    assert told.endswith(": Ana and Cleo 1 and Ben and Dan 1.")


def test_others_begin_a_series_of_their_own() -> None:
    series = Series({ANA: 0, BEN: 0})
    assert series.going_on([BEN, ANA]) is series
    assert series.going_on([ANA]) is not series


def test_a_seat_knows_it_over_all_matches_at_a_table() -> None:
    known, lines = Known(), list[str]()
    spelled = Rules.make("classic", 2).spell()
    for me in (0, 1, 0):
        known.take(began(me))
        known.take(Happened(MatchBegan(bytes(32), spelled, players(2))))
        lines = known.take(Happened(ended(0)))
    assert lines[1:] == ["3 matches since you came to this table: Ana 3 and Ben 0."]
