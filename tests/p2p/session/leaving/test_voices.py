"""Voices: more than half of those in at the last final root, without who left or broke rules."""

import pytest

from p2p.session.leaving.voices import enough, voices, with_bots

ALL = (0, 1, 2, 3)
ALONE = (0, 1, 2, 3)
# Seat 0 has brought 2 and 3.
BOTS = (0, 1, 0, 0)


def test_a_person_with_bots_is_one_voice() -> None:
    assert voices(ALL, ALONE) == {0, 1, 2, 3}
    assert voices(ALL, BOTS) == {0, 1}
    assert voices((2, 3), BOTS) == set(), "bots without their person"


def test_bots_go_with_their_person() -> None:
    assert with_bots((0, 2, 3), ALL, BOTS)
    assert not with_bots((0, 2), ALL, BOTS)
    assert with_bots((0, 2), (0, 1, 2), BOTS), "one that is out already"
    assert with_bots((3,), ALL, BOTS)


@pytest.mark.parametrize(
    ("stay", "final", "lost", "owners", "right"),
    [
        ((0, 1, 2), ALL, (), ALONE, True),
        ((0, 1), ALL, (), ALONE, False),
        ((0, 1), ALL, (3,), ALONE, True),
        ((0,), ALL, (1, 2, 3), ALONE, True),
        ((0,), (0, 1, 2), (2,), ALONE, False),
        ((0, 1), (0, 1, 2), (), ALONE, True),
        ((0, 2, 3), ALL, (), BOTS, False),
        ((1,), ALL, (0,), BOTS, True),
        ((0, 1, 2), ALL, (3,), BOTS, True),
    ],
)
def test_more_than_half_of_the_voices_stay(
    stay: tuple[int, ...],
    final: tuple[int, ...],
    lost: tuple[int, ...],
    owners: tuple[int, ...],
    right: bool,
) -> None:
    assert enough(stay, final, lost, owners) is right
