"""A host at plain lines sends somebody away and chooses its partner; everybody else stays."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from support.process.tables import CODE, Running, free_port, run_here, started

REFUSED = "The host did not let you sit at this table. Ask the host, or look for another one."
BEGUN = "The match at this table has already begun. Ask the host to open a new one."


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
        assert run_here("id", "--name", name, home=home).returncode == 0
        return self.stack.enter_context(started(*arguments, home=home, typed=True))

    def join(self, name: str) -> Running:
        """Somebody comes."""
        return self.start(name, "join", "--plain", *self.where)

    def refused(self, name: str) -> str:
        """What somebody is told who does not get in."""
        ended = run_here("join", "--auto", "easy", *self.where, home=self.folder / name)
        assert ended.returncode == 1
        return ended.stderr.rstrip("\n")

    @property
    def where(self) -> list[str]:
        """What a joiner types behind `join`."""
        return [f"127.0.0.1:{self.port}", CODE, "--bind", "127.0.0.1"]


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def test_who_is_refused_is_told_and_the_others_play_with_the_partner_opposite(
    tmp_path: Path, stack: ExitStack
) -> None:
    table = Table(tmp_path, stack, "--players", "4", "--partners")
    eva = table.join("Eva")
    table.host.wait_line(r"Eva \[.*is at the table \(2 of 4")
    table.host.type("refuse eva")
    table.host.wait_line(r"You sent Eva away \(1 of 4")
    assert eva.end() == 1
    assert eva.err == [REFUSED]
    assert table.refused("Eva") == REFUSED
    joined: list[Running] = []
    for count, name in enumerate(["Ben", "Cem", "Dot"], 2):
        joined.append(table.join(name))
        table.host.wait_line(rf"{name} \[.*is at the table \({count} of 4")
        if name == "Cem":
            table.host.type("partner Cem")
            table.host.wait_line("Two against two: Cem plays with you")
    begun = table.host.wait_line("The match begins")
    order = re.findall(r"\b(Host|Ben|Cem|Dot)\b", begun)
    assert sorted(order) == ["Ben", "Cem", "Dot", "Host"]
    assert abs(order.index("Host") - order.index("Cem")) == 2
    for one in joined:
        one.wait_line("The match begins")
    assert table.refused("Late") == BEGUN
