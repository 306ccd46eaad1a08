"""How long players wait for their tiles: real processes over loopback, bots playing without pause.

    python benchmarks/deal.py [--peers N] [--hands H] [--json]

first_deal_ms: from the last key opened to the flushed `hand` event of the slowest peer;
later_deal_ms_...: the same from the placement or pass that ends a hand, without a pause to think
in which the next deal could be prepared. peer_mb: peak resident memory of the largest peer;
bytes_a_hand: of the record. All clocks are the machine's one monotonic clock.
"""

import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

import trio

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from cli.table.seating import check_table, describe_table
from cli.telling.jsonlines import event_line
from engine.events import Passed, Played
from engine.rules import Rules
from engine.strategy import make_player
from engine.strategy.view import SeatView
from p2p.crypto.identity import IdentityKey
from p2p.net.door.host import host_table
from p2p.net.door.joiner import join_table
from p2p.net.link.listen import Listeners, open_listeners
from p2p.net.link.mesh import Mesh
from p2p.net.link.seats import Seated
from p2p.net.match.pump import Chosen, Owner, Pump
from p2p.session.session import Session
from p2p.session.state.events import DeckStep, HandBegan, InHand, SessionEvent
from p2p.session.state.table import Table
from p2p.store import Store

CODE = "benchmark"
# Never reached: the peers stop after so many hands.
TARGET = "1000000"


@dataclass
class Times:
    """What one peer saw when, in seconds of the monotonic clock; hands are counted from 1."""

    key: float = 0.0
    began: dict[int, float] = field(default_factory=dict)
    last_move: dict[int, float] = field(default_factory=dict)
    out: TextIO = sys.stdout

    def note(self, event: SessionEvent) -> None:
        """Note an event; the `hand` event is written and flushed first."""
        if isinstance(event, HandBegan):
            print(event_line(event), file=self.out, flush=True)
            self.began[event.hand] = time.monotonic()
        elif isinstance(event, DeckStep) and event.deal == 1 and event.stage == "key":
            self.key = time.monotonic()
        elif isinstance(event, InHand) and isinstance(event.event, Played | Passed):
            self.last_move[event.hand] = time.monotonic()


async def take_seat(
    port: int | None, players: int, listeners: Listeners
) -> tuple[IdentityKey, Seated]:
    """Host (port None) or join the table on loopback."""
    identity = IdentityKey.generate()
    if port is not None:
        seated = await join_table(
            identity=identity,
            name="peer",
            target=[f"127.0.0.1:{port}"],
            code=CODE,
            listeners=listeners,
            rng=os.urandom,
            on_change=lambda lobby: None,
            check_description=check_table,
        )
        return identity, seated
    print(listeners.port, flush=True)
    rules = Rules.make("classic", players, {"target": TARGET, "match-end": "hand"})
    seated = await host_table(
        identity=identity,
        name="peer",
        table_name="benchmark",
        rules=rules.spell(),
        players=players,
        listeners=listeners,
        code=CODE,
        invite_secret=os.urandom(16),
        rng=os.urandom,
        on_change=lambda roster: None,
        make_description=describe_table,
        check_description=check_table,
    )
    return identity, seated


async def peer(port: int | None, players: int, hands: int, folder: Path) -> None:
    """One peer: play `hands` hands and say when what happened, as one JSON line on stderr."""
    listeners = await open_listeners("127.0.0.1", 0)
    identity, seated = await take_seat(port, players, listeners)
    table = Table.decode(seated.description)
    session = Session(table, identity, os.urandom)
    times, enough = Times(), trio.Event()
    store = Store(folder / "store.sqlite3")
    store.open_match(table.id, table.description, [one.name for one in table.players])

    def publish(event: SessionEvent) -> None:
        times.note(event)
        if isinstance(event, HandBegan) and event.hand > hands:
            enough.set()

    owner = Owner(
        save=lambda batch: store.commit(table.id, batch),
        choose=chooser(random.Random()),
        publish=publish,
        heard=lambda chat: None,
        asked=lambda seat: None,
        paused=lambda change: None,
        linked=lambda event: None,
        refused=lambda refusal: None,
    )
    async with Mesh(
        identity=identity,
        table_id=table.id,
        table_secret=seated.table_secret,
        roster=seated.roster,
        own_seat=session.seat,
        listeners=listeners,
        rng=os.urandom,
    ) as mesh:
        await mesh.connected()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(Pump(session, mesh, owner).run)
            await enough.wait()
            # Everybody else is to see the tiles too before this peer is gone.
            await trio.sleep(1)
            nursery.cancel_scope.cancel()
    report = {
        "key": times.key,
        "began": times.began,
        "last_move": times.last_move,
        "mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "bytes_a_hand": len(session.record()) / hands,
    }
    print(json.dumps(report), file=sys.stderr, flush=True)


def chooser(rng: random.Random) -> Callable[[SeatView], Awaitable[Chosen]]:
    """A bot that moves at once."""
    player = make_player("normal", rng)

    async def choose(view: SeatView) -> Chosen:
        await trio.lowlevel.checkpoint()
        return Chosen(player.choose(view))

    return choose


def start(role: str, peers: int, hands: int, folder: Path) -> subprocess.Popen[str]:
    """A peer in a process of its own."""
    folder.mkdir()
    command = [sys.executable, __file__, "--peers", str(peers), "--hands", str(hands)]
    command += ["--role", role, "--folder", str(folder)]
    return subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def measure(peers: int, hands: int, folder: Path) -> dict[str, float]:
    """Run all peers and put their times together."""
    host = start("host", peers, hands, folder / "0")
    assert host.stdout is not None
    port = host.stdout.readline().strip()
    everyone = [host, *(start(port, peers, hands, folder / str(n)) for n in range(1, peers))]
    reports = [json.loads(one.communicate(timeout=600)[1].splitlines()[-1]) for one in everyone]
    first = max(one["began"]["1"] for one in reports) - min(one["key"] for one in reports)
    later = [
        max(one["began"][str(hand + 1)] for one in reports)
        - min(one["last_move"][str(hand)] for one in reports)
        for hand in range(1, hands)
    ]
    return {
        "first_deal_ms": round(1000 * first, 1),
        "later_deal_ms_median": round(1000 * statistics.median(later), 1),
        "later_deal_ms_worst": round(1000 * max(later), 1),
        "peer_mb": round(max(one["mb"] for one in reports), 1),
        "bytes_a_hand": round(statistics.mean(one["bytes_a_hand"] for one in reports)),
    }


def main() -> None:
    """Parse the command line and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", type=int, default=2, choices=(2, 3, 4))
    parser.add_argument("--hands", type=int, default=10)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--role", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.hands < 2:
        parser.error("--hands is at least 2, so that there is a later deal")
    if options.role:
        port = None if options.role == "host" else int(options.role)
        trio.run(peer, port, options.peers, options.hands, options.folder)
        return
    with tempfile.TemporaryDirectory() as folder:
        figures = measure(options.peers, options.hands, Path(folder))
    if options.json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name:24}{value:>12}")


if __name__ == "__main__":
    main()
