"""Voices: a person has one, with the bots it brought. More than half must stay."""

from collections.abc import Collection, Sequence


def voices(seats: Collection[int], owners: Sequence[int]) -> frozenset[int]:
    """The voices of these seats, by the seats of their persons; `owners` by seat, a person's own
    seat for itself. A voice is there only while its person is."""
    return frozenset(seat for seat in seats if owners[seat] == seat)


def with_bots(out: Collection[int], seats: Collection[int], owners: Sequence[int]) -> bool:
    """Whether everybody's bots that are in go out with it."""
    return all(seat in out for seat in seats if owners[seat] in out)


def enough(
    stay: Collection[int], final: Collection[int], lost: Collection[int], owners: Sequence[int]
) -> bool:
    """Whether those who stay are more than half of the voices that were in at the last `final`
    root, not counting the `lost`: those who have left, or broken the rules, since."""
    counted = voices(final, owners) - frozenset(lost)
    return 2 * len(voices(stay, owners) & counted) > len(counted)
