"""Asking for a seat, and the lobby (6)."""

import hashlib
import hmac
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from spake2 import SPAKE2_A

from second.net.connection import Connection, RefusedByPeerError
from second.refusing import demand
from second.wire.ed25519 import public, sign, usable
from second.wire.table import Table, name_of, options_of, owners_fit, table_of, terms_of
from second.wire.values import MESSAGE, Value, decode, encode, integer, listed, octets, text


@dataclass(frozen=True)
class Seat:
    """A line of a roster."""

    key: bytes
    name: str
    owner: bytes
    addresses: tuple[str, ...]


@dataclass(frozen=True)
class Start:
    """The table that was agreed, its secret, and where its seats listen."""

    table: Table
    secret: bytes
    addresses: dict[bytes, tuple[str, ...]]


def tag(key: bytes, side: str, transcript: bytes) -> bytes:
    """The tag by which a side confirms the key."""
    info = f"allfives {side} confirms\0".encode() + transcript
    return HKDF(SHA256(), 32, None, info).derive(key)


async def knock(
    connection: Connection, private: Ed25519PrivateKey, way: str, password: bytes
) -> None:
    """Ask for a seat with a code or an invite, and confirm the key on both sides."""
    own, host = public(private), connection.key
    run = SPAKE2_A(password, idA=own, idB=host)
    message = run.start()
    payload = encode([way, "", own, host, connection.nonce, message])
    signature = sign(private, "allfives join 1", payload)
    await connection.send(["join", way, "", own, signature, message])
    word, answer = listed(await connection.receive(), 2)
    demand(word == "spake", "a message out of turn")
    key = run.finish(octets(answer, 33))
    transcript = encode([own, host, message, answer, connection.nonce])
    await connection.send(["confirm", tag(key, "joiner", transcript)])
    word, theirs = listed(await connection.receive(), 2)
    right = hmac.compare_digest(octets(theirs, 32), tag(key, "host", transcript))
    demand(word == "confirm" and right, "the host does not know the code")


def roster_of(value: Value) -> list[Seat]:
    """A roster that is well-formed."""
    seats = []
    for item in listed(value):
        key, name, owner, addresses = listed(item, 4)
        demand(len(listed(addresses)) <= 16, "too many addresses")
        where = tuple(text(address) for address in addresses)
        seats.append(Seat(usable(octets(key, 32)), name_of(name), octets(owner, 0, 32), where))
    demand(1 <= len(seats) <= 4, "no roster")
    demand(len({seat.key for seat in seats}) == len(seats), "one key twice")
    owners_fit({seat.key: seat.owner for seat in seats})
    return seats


def nonce_commitment(number: int, key: bytes, nonce: bytes) -> bytes:
    """What binds a seat to its nonce of a draw."""
    head = b"allfives nonce\0" + number.to_bytes(4, "big")
    return hashlib.sha256(head + key + nonce).digest()


class Lobby:
    """The joiner's side of the lobby, until `go`."""

    def __init__(self, connection: Connection, key: bytes, name: str) -> None:
        self.connection = connection
        self.own = Seat(key, name, b"", ())
        self.secret, self.rules, self.terms = b"", {"": ""}, (0, False)
        self.players = 0
        self.roster: list[Seat] = []
        self.number = -1
        self.nonce, self.shown = b"", False
        self.commitments: list[bytes] = []
        self.table: Table | None = None
        self.handlers: dict[str, Callable[[list[Value]], Awaitable[None]]] = {
            "welcome": self._welcome,
            "seated": self._seated,
            "draw": self._draw,
            "show": self._show,
            "start": self._start,
            "remark": self._remark,
        }

    async def run(self) -> Start:
        """Sit until the match begins."""
        await self.connection.send(["seat", self.own.name, []])
        self.connection.longest = 65537
        while True:
            frame = await self.connection.receive_frame()
            if frame == b"\0":
                await self.connection.send_frame(b"\0")
                continue
            demand(frame[0] == 1, "the host left")
            kind, *fields = listed(decode(frame[1:], MESSAGE))
            if kind == "no":
                raise RefusedByPeerError(str(fields))
            if kind == "go":
                demand(self.table is not None and not fields, "a message out of turn")
                assert self.table is not None
                where = {seat.key: seat.addresses for seat in self.roster}
                return Start(self.table, self.secret, where)
            demand(kind in self.handlers, "no such message")
            await self.handlers[kind](fields)

    async def _say(self, value: list[Value]) -> None:
        await self.connection.send_frame(b"\1" + encode(value))

    async def _welcome(self, fields: list[Value]) -> None:
        demand(not self.secret, "a message out of turn")
        secret, name, rules, players, terms, roster = listed(fields, 6)
        self.secret = octets(secret, 32)
        name_of(name)
        self.rules, self.terms = options_of(rules), terms_of(terms)
        self.players = integer(players, 2, 4)
        self._take_roster(roster)

    def _take_roster(self, value: Value) -> None:
        roster = roster_of(value)
        demand(len(roster) <= self.players, "more seats than players")
        demand(self.own in roster, "a roster without me")
        demand(any(seat.key == self.connection.key for seat in roster), "one without its host")
        self.roster, self.table, self.number = roster, None, -1

    async def _seated(self, fields: list[Value]) -> None:
        demand(bool(self.secret), "a message out of turn")
        self._take_roster(listed(fields, 1)[0])

    async def _draw(self, fields: list[Value]) -> None:
        demand(len(self.roster) == self.players, "a draw with too few")
        self.number = integer(listed(fields, 1)[0], 0, 2**32 - 1)
        self.nonce, self.shown, self.table = os.urandom(32), False, None
        commitment = nonce_commitment(self.number, self.own.key, self.nonce)
        await self._say(["bound", self.number, commitment])

    async def _show(self, fields: list[Value]) -> None:
        number, commitments, nonce = listed(fields, 3)
        demand(number == self.number and not self.shown, "a message out of turn")
        self.commitments = [octets(one, 32) for one in listed(commitments, len(self.roster))]
        bound = dict(zip((seat.key for seat in self.roster), self.commitments, strict=True))
        own = nonce_commitment(number, self.own.key, self.nonce)
        host = nonce_commitment(number, self.connection.key, octets(nonce, 32))
        demand(bound[self.own.key] == own, "another commitment than mine")
        demand(bound[self.connection.key] == host, "not the host's nonce")
        self.shown = True
        await self._say(["shown", number, self.nonce])

    async def _remark(self, fields: list[Value]) -> None:
        octets(listed(fields, 1)[0])  # a line of somebody, which nobody reads here

    async def _start(self, fields: list[Value]) -> None:
        demand(self.shown, "a message out of turn")
        description = octets(listed(fields, 1)[0])
        demand(len(description) <= 16384, "too long a description")
        table = table_of(description)
        demand(dict(table.rules.options) == self.rules, "other rules")
        demand((table.grace, table.watch) == self.terms, "other terms")
        people = {(person.key, person.name, person.owner) for person in table.people}
        demand(people == {(s.key, s.name, s.owner) for s in self.roster}, "other people")
        bound = dict(zip((seat.key for seat in self.roster), self.commitments, strict=True))
        for person in table.people:
            right = nonce_commitment(self.number, person.key, person.nonce)
            demand(bound[person.key] == right, "another nonce than was bound")
        self.table = table
        digest = hashlib.sha256(b"allfives ready\0" + table.description).digest()
        await self._say(["ready", digest])
