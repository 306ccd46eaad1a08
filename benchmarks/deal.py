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
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

import trio

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from cli.telling.jsonlines import event_line
from engine.events import Passed, Played
from engine.rules import Rules
from engine.strategy import make_player
from engine.strategy.view import SeatView
from p2p.crypto.identity import IdentityKey
from p2p.net.door.host import HostLobby
from p2p.net.door.joiner import join_table
from p2p.net.door.offer import TableOffer
from p2p.net.link.listen import open_listeners
from p2p.net.link.mesh import Mesh
from p2p.net.link.peer import LocalPeer
from p2p.net.link.roster import Seated
from p2p.net.match.pump import Pump
from p2p.session.sitting.owner import Chosen, Happened, Notice
from p2p.session.sitting.sitting import Sitting
from p2p.session.state.events import DeckStep, HandBegan, InHand, SessionEvent
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


async def take_seat(port: int | None, players: int, own: LocalPeer) -> Seated:
    """Host (port None) or join the table on loopback."""
    if port is not None:
        return await join_table(own, [f"127.0.0.1:{port}"], CODE, "", lambda gathering: None)
    print(own.listeners.port, flush=True)
    rules = Rules.make("classic", players, {"target": TARGET, "match-end": "hand"})
    offer = TableOffer("benchmark", rules, CODE, os.urandom(16))
    return await HostLobby(own, offer, lambda roster: None, lambda sentence: None).run()


class Bot:
    """A player that moves at once and notes when what happened; `enough` after so many hands."""

    def __init__(self, hands: int) -> None:
        self.times, self.enough = Times(), trio.Event()
        self._hands = hands
        self._player = make_player("normal", random.Random())

    def show(self, notice: Notice) -> None:
        """Note the events."""
        if isinstance(notice, Happened):
            self.times.note(notice.event)
            if isinstance(notice.event, HandBegan) and notice.event.hand > self._hands:
                self.enough.set()

    async def decide(self, view: SeatView) -> Chosen:
        """The bot's move."""
        await trio.lowlevel.checkpoint()
        return Chosen(self._player.choose(view))


async def peer(port: int | None, players: int, hands: int, folder: Path) -> None:
    """One peer: play `hands` hands and say when what happened, as one JSON line on stderr."""
    identity = IdentityKey.generate()
    own = LocalPeer(identity, "peer", await open_listeners("127.0.0.1", 0), os.urandom)
    seated = await take_seat(port, players, own)
    table = seated.table
    sitting, bot = Sitting(table, identity, os.urandom), Bot(hands)
    store = Store(folder / "store.sqlite3")
    store.open_match(table.id, table.description, [one.name for one in table.players])
    async with Mesh(own, seated) as mesh, trio.open_nursery() as nursery:
        pump = Pump(sitting, mesh, bot, lambda batch: store.commit(table.id, batch))
        nursery.start_soon(pump.run)
        await bot.enough.wait()
        # Everybody else is to see the tiles too before this peer is gone.
        await trio.sleep(1)
        nursery.cancel_scope.cancel()
    report = {
        "key": bot.times.key,
        "began": bot.times.began,
        "last_move": bot.times.last_move,
        "mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "bytes_a_hand": len(sitting.session.record()) / hands,
    }
    print(json.dumps(report), file=sys.stderr, flush=True)


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
