"""The network between machines of their own: each has a TUN device, and one thread carries what
they send from one to the other, late, seldom, or not at all.

Linux, as root: namespaces(7), /dev/net/tun (Documentation/networking/tuntap.rst). No netem needed.
"""

import ctypes
import fcntl
import heapq
import os
import random
import selectors
import struct
import subprocess
import threading
import time
from collections.abc import Collection
from pathlib import Path

_CLONE_NEWNET = 0x40000000
_TUNSETIFF = 0x400454CA
_TUN_WITHOUT_HEADER = 0x0001 | 0x1000
_MOST = 65536
_TCP, _SYN, _ACK = 6, 0x02, 0x10
# How often the thread looks whether it is to end.
_LOOK_SECONDS = 0.1
DEVICE = "wire"


def refusal() -> str | None:
    """Why there can be no machines of their own here, if there cannot."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return "only root may make network namespaces"
    if not Path("/dev/net/tun").exists():
        return "there are no TUN devices"
    name = f"allfives-{os.getpid()}-try"
    try:
        _ip("netns", "add", name)
        _ip("netns", "del", name)
    except (OSError, subprocess.CalledProcessError):
        return "network namespaces cannot be made"
    return None


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


class Switch:
    """So many machines in a network. What is set here counts from the next packet on.

    `cut`: pairs of machines between which nothing goes, each way by itself. `closed`: machines to
    which nobody can open a connection, as behind address translation. `delay`: least and most
    seconds; `loss`: how likely a packet is lost.
    """

    def __init__(self, machines: int, seed: int = 0) -> None:
        self.names = [f"allfives-{os.getpid()}-{number}" for number in range(machines)]
        self.cut: Collection[tuple[int, int]] = ()
        self.closed: Collection[int] = ()
        self.delay, self.loss = (0.0, 0.0), 0.0
        self.carried = 0
        self._rng = random.Random(seed)
        self._wires: list[int] = []
        self._late: list[tuple[float, int, int, bytes]] = []
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._carry, daemon=True)

    def __enter__(self) -> "Switch":
        for name in self.names:
            _ip("netns", "add", name)
        ready = threading.Thread(target=self._plug_in)
        ready.start()
        ready.join()
        for number, name in enumerate(self.names):
            _ip("-n", name, "link", "set", "lo", "up")
            _ip("-n", name, "addr", "add", f"{self.address(number)}/16", "dev", DEVICE)
            _ip("-n", name, "link", "set", DEVICE, "up")
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._ended.set()
        self._thread.join()
        for wire in self._wires:
            os.close(wire)
        for name in self.names:
            _ip("netns", "del", name)

    def address(self, number: int, which: int = 1) -> str:
        """An address of a machine: it has the first one."""
        return f"10.77.{number}.{which}"

    def inside(self, number: int) -> tuple[str, ...]:
        """What a command begins with that is to run on a machine."""
        return ("ip", "netns", "exec", self.names[number])

    def move(self, number: int, which: int) -> None:
        """A machine gets another address in place of the one it has."""
        name = self.names[number]
        _ip("-n", name, "addr", "flush", "dev", DEVICE)
        _ip("-n", name, "addr", "add", f"{self.address(number, which)}/16", "dev", DEVICE)

    def plug(self, number: int, up: bool) -> None:
        """Pull the plug of a machine, or put it in again: it notices."""
        _ip("-n", self.names[number], "link", "set", DEVICE, "up" if up else "down")

    def between(self, *pairs: tuple[int, int]) -> set[tuple[int, int]]:
        """Pairs, both ways."""
        return {*pairs, *((there, here) for here, there in pairs)}

    def around(self, number: int) -> set[tuple[int, int]]:
        """All pairs of a machine."""
        others = [other for other in range(len(self.names)) if other != number]
        return self.between(*((number, other) for other in others))

    def _plug_in(self) -> None:
        """Make the device of each machine: a thread that goes there by itself, and ends."""
        libc = ctypes.CDLL(None, use_errno=True)
        for name in self.names:
            with open(f"/run/netns/{name}") as place:
                if libc.setns(place.fileno(), _CLONE_NEWNET):
                    raise OSError(ctypes.get_errno(), "setns")
            wire = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
            request = struct.pack("16sH22x", DEVICE.encode(), _TUN_WITHOUT_HEADER)
            fcntl.ioctl(wire, _TUNSETIFF, request)
            self._wires.append(wire)

    def _carry(self) -> None:
        with selectors.DefaultSelector() as ready:
            for number, wire in enumerate(self._wires):
                ready.register(wire, selectors.EVENT_READ, number)
            while not self._ended.is_set():
                due = self._late[0][0] - time.monotonic() if self._late else _LOOK_SECONDS
                for key, _ in ready.select(max(0.0, min(due, _LOOK_SECONDS))):
                    self._take(key.data)
                while self._late and self._late[0][0] <= time.monotonic():
                    _, _, to, packet = heapq.heappop(self._late)
                    self._give(to, packet)

    def _take(self, number: int) -> None:
        while True:
            try:
                packet = os.read(self._wires[number], _MOST)
            except OSError:
                # Nothing more, or the plug is pulled.
                return
            to = self._way(number, packet)
            if to is not None:
                self.carried += 1
                at = time.monotonic() + self._rng.uniform(*self.delay)
                heapq.heappush(self._late, (at, self.carried, to, packet))

    def _way(self, number: int, packet: bytes) -> int | None:
        """Where a packet goes, if it does: version 4 of IP (RFC 791) to one of the machines."""
        if packet[0] >> 4 != 4 or packet[16:18] != bytes([10, 77]):
            return None
        to = packet[18]
        if to >= len(self._wires) or (number, to) in self.cut or self._rng.random() < self.loss:
            return None
        return None if to in self.closed and _opens(packet) else to

    def _give(self, to: int, packet: bytes) -> None:
        try:
            os.write(self._wires[to], packet)
        except OSError:
            # The plug is pulled, or it is full: lost.
            return


def _opens(packet: bytes) -> bool:
    """Whether a packet opens a TCP connection (RFC 9293)."""
    flags = packet[4 * (packet[0] & 15) + 13]
    return packet[9] == _TCP and flags & (_SYN | _ACK) == _SYN
