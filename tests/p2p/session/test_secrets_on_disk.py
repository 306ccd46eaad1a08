"""What seats alone know is on no disk when its deal is over or dead, and most of it never is.

Seats at a table in memory tell all of it; their real stores are read as a killed program leaves
them. What was planted is found first.
"""

import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from support.searching.forms import forms_of, forms_of_hand
from support.searching.search import Search, files_in
from support.searching.told import KEPT, Secret, telling
from support.session.sittings import Hall, make_hall
from support.session.tables import seeded

from p2p.deck.checks import TrustedChecks
from p2p.session.output import Batch
from p2p.store import Store


class Disks:
    """The stores of a table's seats, in folders of their own."""

    def __init__(self, hall: Hall, folder: Path) -> None:
        self._hall = hall
        self._stored = [0] * len(hall.sitters)
        self.folders = [folder / str(one.place) for one in hall.sitters]
        self.stores = [Store(place / "allfives.sqlite3") for place in self.folders]
        for store in self.stores:
            # No power fails here.
            store._db.execute("PRAGMA synchronous = OFF")
            store.open_match(hall.first.id, hall.first.description, [])

    def write(self) -> None:
        """Store what has come of all inputs."""
        for place, (one, store) in enumerate(zip(self._hall.sitters, self.stores, strict=True)):
            for effects in one.given[self._stored[place] :]:
                store.commit(self._hall.first.id, effects.store)
            self._stored[place] = len(one.given)

    def hold(self, secrets: Sequence[Secret]) -> list[set[tuple[str, int]]]:
        """What of these, and of which deal, is found on the disk of each seat in any form."""
        self.write()
        forms = {
            f"{number} {name}": data
            for number, secret in enumerate(secrets)
            for name, data in forms_of(secret).items()
        }
        search = Search(forms)
        found = [search.found_in(files_in(folder)) for folder in self.folders]
        return [{_known_as(secrets[int(name.split()[0])]) for name in names} for names in found]

    def finish(self) -> None:
        """The match is over."""
        self.write()
        for store in self.stores:
            store.finish(self._hall.first.id, "broken", [], None)


def _known_as(secret: Secret) -> tuple[str, int]:
    return secret.what, secret.deal


def kept(*deals: int) -> set[tuple[str, int]]:
    """What a seat keeps of deals that it still plays or prepares."""
    return {(what, deal) for deal in deals for what in KEPT}


def opened(deal: int) -> set[tuple[str, int]]:
    """What of a deal that is over all know."""
    return {("key", deal), ("second coin", deal)}


def secret_of(told: list[Secret]) -> list[Secret]:
    """All that nobody is shown, once each."""
    shown = {one.value for one in told if one.what == "shown"}
    bound = {one.value for one in told if one.what in KEPT}
    return [
        one
        for one in dict.fromkeys(told)
        if one.what in KEPT
        or (one.what not in ("shown", "tile", "share") and one.value not in shown | bound)
    ]


def go_on(hall: Hall, hand: int) -> None:
    """Play until somebody is to move in that hand."""
    match = hall.sitters[0].session
    while match.state.match.hand_number < hand or match.state.match.hand is None:
        hall.deliver()
        assert hall.decide()
    hall.deliver()


def leave(hall: Hall, place: int, stay: Collection[int]) -> None:
    """A seat leaves and is gone, and some time goes by."""
    hall.take(place, hall.sitters[place].sitting.leave(hall.now))
    hall.deliver()
    for other in stay:
        hall.part(place, other)
    hall.pass_time(3)


def test_a_disk_has_of_a_deal_that_is_over_or_dead_only_what_all_know(tmp_path: Path) -> None:
    told: list[Secret] = []
    with telling(told.append):
        hall = make_hall(3, hand_size="2", target="100")
        for one in hall.sitters:
            # To check the others' proofs takes most of the time, and leaves nothing.
            one.session.state.checks = TrustedChecks()
        disks = Disks(hall, tmp_path)
        hall.start()
        go_on(hall, 1)
        assert disks.hold(secret_of(told)) == [kept(1, 2)] * 3
        go_on(hall, 2)
        assert disks.hold(secret_of(told)) == [opened(1) | kept(2, 3)] * 3
        leave(hall, 0, (1, 2))
        # Who is gone goes on from nothing either: its program ends the match as it leaves.
        there = [opened(1) | deals for deals in (kept(2, 3), kept(4, 5), kept(4, 5))]
        assert disks.hold(secret_of(told)) == there
        disks.finish()
        assert disks.hold(secret_of(told)) == [set()] * 3


PLANTED = [
    Secret("key", 1, int.from_bytes(seeded("key")(31))),
    Secret("proof seed", 1, seeded("seed")(32)),
    Secret("permutation", 1, (*range(28, 0, -2), *range(1, 28, 2))),
]


def remnants(folder: Path, data: bytes) -> Iterator[str]:
    """Leave bytes in a folder in ways in which disks keep them, one after the other."""
    file = folder / "below" / "file"
    file.parent.mkdir()
    file.write_bytes(b"x" * 13 + data + b"y" * 3)
    yield "in a file"
    file.unlink()
    with closing(sqlite3.connect(folder / "deleted.sqlite3", isolation_level=None)) as db:
        db.execute("PRAGMA secure_delete = OFF")
        db.execute("CREATE TABLE one (data BLOB)")
        db.execute("INSERT INTO one VALUES (?)", (data,))
        db.execute("DELETE FROM one")
        yield "in a row that was deleted"
    (folder / "deleted.sqlite3").unlink()
    with closing(sqlite3.connect(folder / "log.sqlite3", isolation_level=None)) as db:
        db.execute("PRAGMA secure_delete = ON")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("CREATE TABLE one (data BLOB)")
        db.execute("INSERT INTO one VALUES (?)", (data,))
        db.execute("DELETE FROM one")
        yield "in the log of what was done"
    for left in folder.glob("log.sqlite3*"):
        left.unlink()


def test_what_is_planted_on_a_disk_is_found_in_every_form(tmp_path: Path) -> None:
    forms = {name: form for one in PLANTED for name, form in forms_of(one).items()}
    forms |= forms_of_hand(dict(enumerate(range(27, 0, -3))))
    search = Search(forms)
    for where in remnants(tmp_path, b"between".join(forms.values())):
        assert search.found_in(files_in(tmp_path)) == forms.keys(), where
    assert search.found_in(files_in(tmp_path)) == set()


def test_what_a_program_deleted_that_was_killed_before_its_log_was_empty_goes_at_the_next_start(
    tmp_path: Path,
) -> None:
    path, copy = tmp_path / "one" / "allfives.sqlite3", tmp_path / "two"
    table, secret = b"t" * 32, seeded("killed")(32)
    with Store(path) as store:
        store.open_match(table, b"description", ["Ana", "Ben"])
        store.commit(table, Batch(secrets={1: secret}))
        store._db.execute("DELETE FROM secrets")
        copy.mkdir()
        for file in path.parent.iterdir():
            (copy / file.name).write_bytes(file.read_bytes())
    search = Search({"secret": secret})
    assert search.found_in(files_in(copy)) == {"secret"}
    with Store(copy / path.name):
        assert search.found_in(files_in(copy)) == set()
