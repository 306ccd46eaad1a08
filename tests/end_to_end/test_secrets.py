"""A live seat's memory, and the disks of seats, searched for what nobody may find there.

Two real programs over loopback. The host is a person who waits to move: its memory has planted
secrets and tiles in every form, which are found, and nothing that the other seat alone knows. The
other tells what that is; it is killed in the middle of a hand, comes back, and sees the end.

`ALLFIVES_FULL=1 pytest tests/end_to_end/test_secrets.py` looks again and again over some hands,
with two to four seats.
"""

import re
import signal
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from support.limits import FULL, seats
from support.places import TESTS
from support.process.planted_seat import planted_hand, planted_secrets
from support.process.tables import CAN_PLAY, CODE, ONE_THING, Running, free_port, started
from support.searching.forms import RUN, Addresses, Forms, forms_of, forms_of_hand
from support.searching.search import Forbidden, Search, files_in, memory_of, open_files_of
from support.searching.told import KEPT, Secret, Value, kept_of

from engine.tiles import tile
from p2p.crypto.group import SCALAR_BYTES
from p2p.deck.keys import DealSecret
from p2p.session.record import decode
from p2p.wire.envelope import open_envelope
from p2p.wire.messages import OpenBody, PlayBody

ASKED = f"{CAN_PLAY}|{ONE_THING}"
# The person's memory is searched when it is asked so many times.
LOOKS = (1, 2, 4, 8, 14, 20) if FULL else (2,)
# Nobody wins before the last look.
TARGET = "1000"
PLANTED = ("-m", "support.process.planted_seat")
TELLING = ("-m", "support.process.telling_seat")
TELLS = ("--auto", "easy", "--json")
SHARED_MEMORY = Path("/dev/shm")  # noqa: S108


@dataclass
class Table:
    """The person's program, those that tell, where what they tell stands, and their homes."""

    person: Running
    others: list[Running]
    told: list[Path]
    temporary: Path
    addresses: Path
    asked: str = ""
    forbidden: str = ""

    def wait_for_turn(self) -> None:
        """The person is asked."""
        self.asked = self.person.wait_line(ASKED)

    def wait_for_others(self) -> None:
        """All others have seen their tiles of this hand, too."""
        for other in self.others:
            begun = f'"event":"hand","hand":{self.hand},'
            if not any(begun in line for line in other.out):
                other.wait_line(begun)

    def move(self) -> None:
        """The person does the first thing that it may."""
        found = re.search(CAN_PLAY, self.asked)
        self.person.type(found[1] if found else "")

    def secrets(self, other: int) -> list[Secret]:
        """What another seat alone knows, or has known."""
        whole, _, _ = self.told[other].read_text().rpartition("\n")
        told = list(map(Secret.from_line, whole.splitlines()))
        shown = {one.value for one in told if one.what == "shown"}
        return [one for one in told if one.value not in shown]

    @property
    def _hands(self) -> list[str]:
        """What the person has read of each hand, behind its number."""
        return re.split(r"^Hand (?=\d+: .* each)", "\n".join(self.person.out), flags=re.M)[1:]

    @property
    def hand(self) -> int:
        """The number of the hand."""
        return int(self._hands[-1].partition(":")[0])

    @property
    def placed(self) -> set[int]:
        """The tiles that were placed in this hand, as the person has read it."""
        halves = re.findall(r" (?:lead|play)s? (\d)-(\d)", self._hands[-1])
        return {tile(int(one), int(other)).index for one, other in halves}

    def disk(self, home: Path) -> Iterator[bytes]:
        """All that a seat could have written somewhere."""
        return files_in(home, self.temporary, SHARED_MEMORY)


@contextmanager
def table(folder: Path, players: int, patch: pytest.MonkeyPatch) -> Iterator[Table]:
    """A table of one person and bots."""
    temporary, addresses = folder / "temporary", folder / "addresses"
    temporary.mkdir()
    patch.setenv("PYTHONPATH", str(TESTS))
    patch.setenv("TMPDIR", str(temporary))
    patch.setenv("ALLFIVES_ADDRESSES", str(addresses))
    at = f"127.0.0.1:{free_port()}"
    ip, _, port = at.partition(":")
    opens = ["host", "--plain", "--no-lan", "--code", CODE, "--bind", ip, "--port", port]
    opens += ["--players", str(players), "--target", TARGET]
    told = [folder / f"told-{number}" for number in range(players - 1)]
    with ExitStack() as stack:
        person = stack.enter_context(
            started(*opens, home=folder / "person", typed=True, program=PLANTED)
        )
        others = []
        for number, path in enumerate(told):
            patch.setenv("ALLFIVES_TOLD", str(path))
            joining = ("join", at, CODE, "--bind", ip, *TELLS)
            home = folder / f"other-{number}"
            others.append(stack.enter_context(started(*joining, home=home, program=TELLING)))
        yield Table(person, others, told, temporary, addresses)


def kept_in(home: Path) -> list[Secret]:
    """What a seat has kept of its deals by now, read as another program can."""
    with closing(sqlite3.connect(home / "allfives.sqlite3")) as db:
        rows = db.execute("SELECT deal, data FROM secrets").fetchall()
    return [one for deal, data in rows for one in kept_of(deal, DealSecret.from_bytes(data))]


def dealt(secret: Secret) -> tuple[int, int]:
    """Slot and index of a tile."""
    assert isinstance(secret.value, tuple)
    slot, index = secret.value
    return slot, index


def all_forms(secrets: Collection[Secret], at: Addresses | None = None) -> dict[str, bytes]:
    """The forms of secrets that are no tiles."""
    return {
        f"{number}: {form}": data
        for number, secret in enumerate(secrets)
        if secret.what != "tile"
        for form, data in forms_of(secret, at).items()
    }


def hidden_from_others(secrets: Collection[Secret], hand: int, placed: set[int]) -> list[Secret]:
    """What nobody else may know of what a seat told, by the hand that is played: keys and coins of
    hands before are open, and so are the tiles of the hand that lie on the table."""
    hidden, shown = [], False
    for secret in secrets:
        if secret.what == "tile":
            shown = dealt(secret)[1] in placed
        over = 0 < secret.deal < hand and secret.what != "proof seed"
        if not over and not (shown and secret.what in ("tile", "share")):
            hidden.append(secret)
    return hidden


def revealed(record: bytes) -> set[Value]:
    """Keys, coins and shares that were opened to all in a match."""
    parts = bytearray()
    for message in map(open_envelope, decode(record).messages):
        if message.kind == OpenBody.kind:
            parts += OpenBody.read(message.body).opening
        elif message.kind == PlayBody.kind:
            parts += PlayBody.read(message.body).share
    chunks = [bytes(parts[at : at + SCALAR_BYTES]) for at in range(0, len(parts), SCALAR_BYTES)]
    return {*chunks, *(int.from_bytes(chunk, "little") for chunk in chunks)}


def look(sight: Table) -> None:
    """Search the memory of the person's program, if we may read it, and its disk."""
    sight.wait_for_others()
    at = Addresses.from_line(sight.addresses.read_text())
    try:
        memory = memory_of(sight.person.process.pid)
    except Forbidden as error:
        memory, sight.forbidden = [], str(error)
    else:
        planted = {**all_forms(planted_secrets(), at), **forms_of_hand(planted_hand(), at)}
        assert Search(planted).found_in(memory) == planted.keys()
        own = Search(all_forms(kept_in(sight.person.home))).found_in(memory)
        assert {"digits", "bytes"} <= {name.split(" as ")[1] for name in own}
    everything: dict[str, bytes] = {}
    for other in range(len(sight.others)):
        hidden = hidden_from_others(sight.secrets(other), sight.hand, sight.placed)
        assert {*KEPT, "permutation", "scalar", "seed", "randomness", "share"} == {
            one.what for one in hidden
        } - {"tile"}
        forms: Forms = all_forms(hidden, at)
        tiles = dict(dealt(one) for one in hidden if one.what == "tile")
        if len(tiles) >= RUN:
            forms = {**forms, **forms_of_hand(tiles, at)}
        everything |= {f"{other}, {name}": data for name, data in forms.items()}
    search = Search(everything)
    assert search.found_in(memory) == set()
    assert search.found_in(sight.disk(sight.person.home)) == set()
    assert search.found_in(open_files_of(sight.person.process.pid)) == set()


def check_kept(sight: Table, other: int) -> None:
    """In the middle of a hand a disk has what its own seat is bound to, and no more than that."""
    home = sight.others[other].home
    kept = kept_in(home)
    assert {one.what for one in kept} == set(KEPT)
    bound = {name: form for name, form in all_forms(kept).items() if name.endswith("as bytes")}
    assert Search(bound).found_in(sight.disk(home)) == bound.keys()
    values = {one.value for one in kept}
    hidden = hidden_from_others(sight.secrets(other), sight.hand, sight.placed)
    rest = all_forms([one for one in hidden if one.value not in values])
    assert Search(rest).found_in(sight.disk(home)) == set()


@pytest.mark.parametrize("players", seats(2))
def test_nothing_of_the_others_in_memory_and_nothing_that_is_over_on_a_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, players: int
) -> None:
    with table(tmp_path, players, monkeypatch) as sight:
        for asked in range(1, max(LOOKS) + 1):
            if asked > 1:
                sight.move()
            sight.wait_for_turn()
            if asked in LOOKS:
                look(sight)
        own = kept_in(sight.person.home)
        other = sight.others[-1]
        check_kept(sight, -1)
        other.end(signal.SIGKILL)
        check_kept(sight, -1)
        with started("resume", *TELLS, home=other.home, program=TELLING) as again:
            again.wait_line('"event":"match"')
            sight.move()
            sight.wait_for_turn()
            sight.person.type("quit")
            sight.person.type("yes")
            sight.person.end()
            for running in (again, *sight.others[:-1]):
                running.end(signal.SIGTERM if players > 2 else None)
        homes = [sight.person.home, *(one.home for one in sight.others)]
        records = [path.read_bytes() for home in homes for path in home.glob("records/*")]
        assert len(records) == players
        known = set[Value]().union(*map(revealed, records))
        told = [own, *map(sight.secrets, range(players - 1))]
        for home, secrets in zip(homes, told, strict=True):
            gone = [one for one in secrets if one.value not in known]
            assert {one.what for one in gone} >= set(KEPT)
            assert Search(all_forms(gone)).found_in(sight.disk(home)) == set()
        assert list(sight.temporary.iterdir()) == []
        if sight.forbidden:
            pytest.skip(f"The kernel lets nobody read a child's memory: {sight.forbidden}")
