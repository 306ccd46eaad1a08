"""A joiner that vanishes as the match begins: the table stays, with its code, and
who did not come is named."""

import random
from pathlib import Path

import pytest
import trio
from support.limits import HANG_SECONDS
from support.net.world import key
from support.process.tables import CODE, free_port, started

from p2p.net.door.joiner import join_table
from p2p.net.link.listen import Listeners
from p2p.net.link.peer import LocalPeer


async def vanishes(port: int) -> None:
    """Takes a seat, answers all that is asked, and is never seen again."""
    own = LocalPeer(key(7), "Mal", Listeners((), 0, ()), random.Random(7).randbytes)
    with trio.fail_after(HANG_SECONDS):
        await join_table(own, [f"127.0.0.1:{port}"], CODE, "", lambda gathering: None)


def test_the_table_outlives_who_vanishes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    port = free_port()
    opens = ["host", "--plain", "--no-lan", "--code", CODE, "--bind", "127.0.0.1", "--port"]
    program = (
        "-c",
        "import cli.table.stay; cli.table.stay.BEGIN_SECONDS = 4.0; import sys; "
        "import runpy; runpy.run_module('cli', run_name='__main__', alter_sys=True)",
    )
    with started(*opens, str(port), home=tmp_path / "a", typed=True, program=program) as host:
        host.wait_line("Others join")
        trio.run(vanishes, port)
        host.wait_line("Mal did not come before the match began. The table fills again; its code")
        host.wait_line(r"Mal has left \(1 of 2 are here\)")
        host.type("quit")
        assert host.end() == 1
