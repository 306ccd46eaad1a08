"""Past matches in words: results by person, known by the key, and the scores of series."""

from pathlib import Path

from cli.commands.own.past import Results, history_line, match_words, results, series
from cli.files.history import PastMatch, Sat
from p2p.store import State

ME = Sat("Ana", "a" * 16, True)
BEN = Sat("Ben", "b" * 16, False)
CEM = Sat("Cem", "c" * 16, False)
BOT, OTHER_BOT = (
    Sat(name, digit * 16, False, True) for name, digit in (("Bot Ada", "d"), ("Bot Bea", "e"))
)


def match(
    day: int, *scores: int, people: tuple[Sat, ...] = (ME, BEN), state: State = "finished"
) -> PastMatch:
    """A match of that day."""
    sides = (0, 1, 0, 1) if len(people) == 4 else tuple(range(len(people)))
    when = f"2026-11-{day:02}T12:00:00+00:00"
    return PastMatch(f"{day:02}" * 32, when, state, people, scores, sides, Path("x"))


def test_a_match_in_a_line() -> None:
    line = match_words(match(3, 255, 120))
    assert line.startswith("2026-11-03 ")
    assert line.endswith("  03030303  Ana (you) 255 won, Ben 120")
    assert match_words(match(3, 5, 10, state="broken")).endswith("Ben 10  broken off")
    left = match(3, 5, 10, state="left")
    assert match_words(left).endswith("Ben 10  you left")
    # What scripts read has three states.
    assert '"state":"broken"' in history_line([left])
    assert match_words(match(3, state="unfinished")).endswith("Ana (you), Ben  not over")


def test_an_opponent_is_known_by_the_key() -> None:
    renamed = Sat("Benno", BEN.key, False)
    namesake = Sat("Ben", "f" * 16, False)
    found = results(
        [
            match(1, 250, 100),
            match(2, 100, 250, people=(renamed, ME)),
            match(3, 100, 250),
            match(4, 10, 20, people=(ME, namesake)),
            match(5, 250, 10, state="broken"),
        ]
    )
    assert found == [
        Results("Ben", "f" * 16, 1, 0, 1, "2026-11-04T12:00:00+00:00"),
        Results("Ben", BEN.key, 3, 2, 1, "2026-11-03T12:00:00+00:00"),
    ]
    assert found[1].words() == f"Ben [{BEN.key}]: 3 matches, won 2, lost 1; last 2026-11-03"


def test_who_won_at_a_table_of_three_is_lost_to_and_the_third_is_not() -> None:
    (cem, ben) = results([match(1, 100, 200, 150, people=(ME, BEN, CEM))])
    assert (ben.name, ben.won, ben.lost) == ("Ben", 0, 1)
    assert (cem.name, cem.won, cem.lost) == ("Cem", 0, 0)
    assert cem.words().endswith(
        ": 1 match, won 0, lost 0, 1 won by neither of you; last 2026-11-01"
    )


def test_bots_are_one_opponent_and_a_partner_is_none() -> None:
    found = results(
        [
            match(1, 250, 100, people=(ME, BOT)),
            match(2, 100, 250, people=(ME, OTHER_BOT)),
            match(3, 250, 100, 90, people=(ME, BOT, OTHER_BOT)),
        ]
    )
    assert [(one.name, one.key, one.matches, one.won, one.lost) for one in found] == [
        ("bots", "", 3, 2, 1)
    ]
    partners = results([match(1, 200, 90, 200, 90, people=(ME, BOT, BEN, CEM))])
    assert sorted((one.name, one.won) for one in partners) == [("Cem", 1), ("bots", 1)]


def test_a_series_is_a_run_with_the_same_people() -> None:
    matches = [
        match(1, 250, 100),
        match(2, 250, 100, people=(BEN, ME)),
        match(3, 250, 100),
        match(4, 10, 250, people=(ME, CEM)),
        match(5, 250, 100),
    ]
    assert series(matches) == ["2026-11-01, 3 matches: you 2 and Ben 1"]
