"""What is noted for a later program comes back as it was."""

from pathlib import Path

import pytest

from cli.table.notes import Crew, Door, Notes

CREW = Crew("allfives-bots-1-x", ("Bot Ada", "Bot Bea"), "hard", 0.5)


@pytest.mark.parametrize(
    "notes",
    [Notes(), Notes("den", "192.168.1.5", "/records/den.fives", CREW, door=Door(None, "00"))],
    ids=["bare", "all"],
)
def test_notes_come_back_as_they_were(notes: Notes) -> None:
    assert Notes.read(notes.text()) == notes


def test_where_the_record_goes() -> None:
    assert Notes().record_path is None
    assert Notes(record="/records/den.fives").record_path == Path("/records/den.fives")
    second = Notes(record="/records/den.fives", match=2)
    assert second.record_path == Path("/records/den-2.fives")
    assert Notes.read(second.text()) == second
