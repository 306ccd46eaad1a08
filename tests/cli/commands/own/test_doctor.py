"""`allfives doctor`: what works, and advice about what does not."""

from pathlib import Path

import pytest

from cli.command_line import run
from cli.commands.own import doctor
from cli.commands.own.doctor import (
    Finding,
    addresses,
    clock,
    data_folder,
    multicast,
    port,
    terminal,
)
from cli.files.home import Home
from p2p.net.errors import NoFreePort
from p2p.net.find.discovery import NoMulticast


def test_what_is_found_stands_in_a_line_with_advice_below() -> None:
    assert Finding("clock", "2026").line() == "ok  clock      2026"
    assert Finding("clock", "2026", "Set it.").line().split("\n") == [
        "--  clock      2026",
        "               Set it.",
    ]


def test_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    xterm = {"TERM": "xterm", "VTE_VERSION": "1"}
    good = terminal(xterm, "utf-8", True)
    assert (good.told, good.advice) == ("80x24, xterm, tiles in Unicode", "")
    assert "tiles in ASCII" in terminal({"TERM": "linux"}, "utf-8", True).told
    assert "--plain plays in lines" in terminal({"TERM": "dumb"}, "utf-8", True).advice
    assert terminal({}, "utf-8", False).advice == ""
    monkeypatch.setenv("COLUMNS", "59")
    assert "needs 60x20" in terminal(xterm, "utf-8", True).advice


def test_the_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = Home(tmp_path / "a" / "b")
    assert "made when it is needed" in data_folder(home).told
    assert not home.folder.exists()
    with home.locked():
        assert "in use by another allfives" in data_folder(home).told
    assert data_folder(home).advice == ""
    monkeypatch.setattr(doctor, "_ROOM_BYTES", 1 << 62)
    assert "Make room" in data_folder(home).advice
    home.folder.chmod(0o777)
    assert "can be written by everybody" in data_folder(home).advice


def test_the_clock() -> None:
    assert clock(1_000_000.0, 1_000_000.0).advice == ""
    assert "set it" in clock(1_000_000.0, 1_000_000.0 + 90_000).advice


def test_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p.net.link.addresses.own_hosts", lambda: ["127.0.0.1"])
    assert "Only bots" in addresses().advice
    hosts = ["192.168.1.5", "127.0.0.1", "fe80::1"]
    monkeypatch.setattr("p2p.net.link.addresses.own_hosts", lambda: hosts)
    assert addresses() == Finding("network", "192.168.1.5")


async def no_ports() -> None:
    raise NoFreePort(5525, 5588)


async def no_multicast(_: float) -> None:
    raise NoMulticast


async def nobody(_: float) -> list[object]:
    return []


def test_ports_and_multicast(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "a firewall must let others in there" in port().told
    monkeypatch.setattr("p2p.net.link.listen.open_listeners", no_ports)
    assert "are all taken" in port().advice
    monkeypatch.setattr("p2p.net.find.discovery.browse", nobody)
    assert multicast() == Finding("multicast", "works, no table seen")
    monkeypatch.setattr("p2p.net.find.discovery.browse", no_multicast)
    assert multicast().advice.endswith("An invite or an address works.")


def test_the_exit_code_says_whether_all_works(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = [Finding("a", "works")]
    monkeypatch.setattr(doctor, "findings", lambda home: iter(found))
    assert run(["doctor"]) == 0
    found.append(Finding("b", "does not", "Do this."))
    assert run(["doctor"]) == 1
    assert "Do this." in capsys.readouterr().out
