"""A match of the joiner at the program's table, and records that the program made alone."""

from second.matches import arena, joined


def test_both_programs_play_a_match_and_keep_one_record() -> None:
    """Two seats and a low target; `python -m second.matches` plays at all kinds of tables."""
    short = ["--rules", "pagat", "--hand-size", "5", "--target", "15"]
    assert joined(["--players", "2", *short]) == ""


def test_records_of_the_program_alone() -> None:
    """With calls and claims, for three; `python -m second.matches --arena` has all options."""
    options = ["--rules", "pagat", "--set", "starter=highest-double", "--set", "claims=yes"]
    records, wrong = arena([*options, "--hand-size", "2", "--target", "5"], ["easy"] * 3)
    assert len(records) == 1
    assert wrong == ""
