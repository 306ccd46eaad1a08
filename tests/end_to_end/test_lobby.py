"""A host at plain lines sends somebody away and chooses its partner; everybody else stays."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from support.process.tables import CODE, Running, free_port, started

REFUSED = "The host did not let you sit at this table."


class Table:
    """A host who types, and people who join."""

    def __init__(self, folder: Path, stack: ExitStack, *flags: str) -> None:
        self.folder, self.stack, self.port = folder, stack, free_port()
        where = ["--bind", "127.0.0.1", "--port", str(self.port), "--no-lan", "--code", CODE]
        self.host = self.start("Host", "host", "--plain", *where, *flags)
        self.host.wait_line("Others join")

    def start(self, name: str, *arguments: str) -> Running:
        """A process with a home and a name of its own; the person types."""
        home = self.folder / name
        if not home.exists():
            with started("id", "--name", name, home=home) as naming:
                assert naming.end() == 0
        return self.stack.enter_context(started(*arguments, home=home, typed=True))

    def join(self, name: str) -> Running:
        """Somebody comes."""
        where = [f"127.0.0.1:{self.port}", CODE, "--bind", "127.0.0.1"]
        return self.start(name, "join", "--plain", *where)


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def test_a_refused_joiner_is_told_and_the_others_stay(tmp_path: Path, stack: ExitStack) -> None:
    table = Table(tmp_path, stack, "--players", "3")
    ben = table.join("Ben")
    table.host.wait_line(r"Ben \[.*is at the table \(2 of 3")
    table.host.type("refuse ben")
    table.host.wait_line(r"Ben has left \(1 of 3")
    assert ben.end() == 1
    assert ben.err == [REFUSED]
    again = table.join("Ben")
    assert again.end() == 1
    assert again.err == [REFUSED]
    cem = table.join("Cem")
    table.host.wait_line(r"Cem \[.*is at the table \(2 of 3")
    dot = table.join("Dot")
    for one in (table.host, cem, dot):
        one.wait_line("The match begins")


def test_the_host_s_partner_sits_opposite(tmp_path: Path, stack: ExitStack) -> None:
    table = Table(tmp_path, stack, "--players", "4", "--partners")
    names = ["Ben", "Cem", "Dot"]
    joined: list[Running] = []
    for count, name in enumerate(names, 2):
        joined.append(table.join(name))
        table.host.wait_line(rf"{name} \[.*is at the table \({count} of 4")
        if name == "Cem":
            table.host.type("partner Cem")
            table.host.wait_line("Two against two: Cem plays with you")
    begun = table.host.wait_line("The match begins")
    order = re.findall(r"(Host|Ben|Cem|Dot)(?: \(you\))? \[", begun)
    assert sorted(order) == ["Ben", "Cem", "Dot", "Host"]
    assert abs(order.index("Host") - order.index("Cem")) == 2
    for one in joined:
        one.wait_line("The match begins")
