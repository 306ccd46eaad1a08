"""Vectors of everything around the deck: values, table, envelope, door and links, from one seed.

Binary values are hexadecimal. With the random bytes given an implementation makes the same bytes.
"""

from __future__ import annotations

import json
from typing import Any

import trio
from support.places import VECTORS
from support.session.tables import make_table, rules_for, seeded

from p2p.crypto.identity import IdentityKey, fingerprint
from p2p.net.door.admission import code_password
from p2p.net.door.messages import ReadyFor, Spoken
from p2p.net.door.spake import Exchange
from p2p.net.find.code import normal_code
from p2p.net.find.invite import Invite
from p2p.net.link.greeting import (
    JoinOpening,
    LinkAnswer,
    LinkOpening,
    LinkSecret,
    LookOpening,
    WatchOpening,
)
from p2p.net.link.message import whole
from p2p.session.holding import hold_of, locator
from p2p.session.referee import Referee
from p2p.session.state.table import Table, nonce_commitment
from p2p.wire.chat import lobby_id, make_remark
from p2p.wire.codec import encode
from p2p.wire.envelope import Place, open_envelope, seal, step_hash
from p2p.wire.out import Out
from p2p.wire.talk import (
    At,
    Bind,
    Chat,
    Done,
    Here,
    Hold,
    Leave,
    Nonce,
    Paused,
    Rung,
    Saying,
    Wished,
    encode_talk,
    make_word,
)

SEED = "allfives protocol vectors 1"
FILE = VECTORS / "protocol.json"

NUMBERS = [
    *(0, 127, 128, 255, 256, 2**16 - 1, 2**16, 2**32 - 1, 2**32, 2**64 - 1),
    *(-1, -32, -33, -128, -129, -(2**15), -(2**15) - 1, -(2**31), -(2**31) - 1, -(2**63)),
]
TEXTS = ["", "a", "é", "x" * 31, "x" * 32, "x" * 256]
REFUSED = {
    "nothing": "",
    "bytes after the value": "c0c0",
    "a number cut short": "cd01",
    "a longer form of 1": "cc01",
    "a longer form of 200": "cd00c8",
    "a positive number in a signed form": "d101f4",
    "a longer form of -1": "d0ff",
    "a longer form of a text": "d90161",
    "a longer form of a list": "dc000100",
    "a longer form of bytes": "c5000161",
    "text that is no UTF-8": "a1ff",
    "a surrogate": "a3eda080",
    "a float": "cb3ff0000000000000",
    "an extension": "d40100",
    "a key that is no text": "810100",
    "keys in descending order": "82a16201a16101",
    "one key twice": "82a16101a16102",
    "a reserved byte": "c1",
}
BAD_KEYS = {
    "the identity": "01" + "00" * 31,
    "of order 2": "ec" + "ff" * 30 + "7f",
    "of order 4": "00" * 32,
    "of order 8": "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "of order 2 L": "003789297ce02defa2f4bc7635d1d7ce99b96d76eb91d31f905101674ddab720",
    "of order 4 L": "41484b65289d937d0b38db193f65bcf3aa3f81193d6cf9c75679b215a986e30a",
    "of order 8 L": "131604d01865fbedf9f662d25311c68a197cf286f2683724873a147fed6ada35",
    "not canonical": "ee" + "ff" * 30 + "7f",
    "no point": "02" + "00" * 31,
}
_PAIRS = [[f"a2{97 + at // 10:02x}{97 + at % 10:02x}c0", 1] for at in range(64)]
CODES = ["Guitar orbit_LUNAR", "guitar-orbit-lunar", "  Straße  9 ", "ＡＢＣ", "x²"]
BAD_CODES = ["", " - ", "a.b", "½", "x" * 65]

Json = dict[str, Any]


def value_vectors() -> Json:
    """Values with their one encoding, and bytes that encode no value."""
    values: list[object] = [None, False, True, *NUMBERS, *TEXTS]
    values += [[], [1] * 15, [1] * 16, {}, {"b": 1, "a": [True, {}]}, {"é": 0, "z": 1, "aa": 2}]
    lengths = (0, 1, 255, 256)
    return {
        "values": [{"value": value, "bytes": encode(value).hex()} for value in values],
        "bytes": [{"zeros": size, "head": encode(bytes(size)).hex()[:6]} for size in lengths],
        "refused": REFUSED,
    }


# By limit: the bytes of a value at its bound, as [hexadecimal, times] one behind the other; the
# second of each pair is beyond it.
AT_LIMITS: dict[str, tuple[list[list[Any]], list[list[Any]]]] = {
    "depth of a stranger's": ([["91", 3], ["90", 1]], [["91", 4], ["90", 1]]),
    "depth of a message's": ([["91", 5], ["90", 1]], [["91", 6], ["90", 1]]),
    "values": (
        [["98", 1], ["dc003f" + "c0" * 63, 7], ["dc003e" + "c0" * 62, 1]],
        [["98", 1], ["dc003f" + "c0" * 63, 8]],
    ),
    "items of a list": ([["dc0040", 1], ["c0", 64]], [["dc0041", 1], ["c0", 65]]),
    "pairs of a map": (
        [["de0040", 1], *_PAIRS],
        [["de0041", 1], *_PAIRS, ["a27a7ac0", 1]],
    ),
    "bytes of a stranger's text": ([["da0100", 1], ["61", 256]], [["da0101", 1], ["61", 257]]),
    "bytes of a message's text": ([["da1000", 1], ["61", 4096]], [["da1001", 1], ["61", 4097]]),
    "a stranger's bytes": ([["c50400", 1], ["00", 1024]], [["c50401", 1], ["00", 1025]]),
    "the whole of a stranger's": (
        [["94", 1], ["c503fd" + "00" * 1021, 3], ["c503fc" + "00" * 1020, 1]],
        [["94", 1], ["c503fd" + "00" * 1021, 4]],
    ),
    "the whole of a message's": ([["c5fffd", 1], ["00", 65533]], [["c5fffe", 1], ["00", 65534]]),
}


def limit_vectors() -> list[Json]:
    """At each limit bytes that are taken, and some beyond it that are not."""
    return [
        {
            "limits": "stranger" if "stranger" in name else "message",
            "what": name,
            "bytes": parts,
            "taken": taken,
        }
        for name, both in AT_LIMITS.items()
        for parts, taken in zip(both, (True, False), strict=True)
    ]


def table_vectors(table: Table, keys: list[IdentityKey]) -> Json:
    """The people, the description, the id."""
    people = [
        {
            "private": key.private_bytes().hex(),
            "key": person.key.hex(),
            "fingerprint": fingerprint(person.key),
            "name": person.name,
            "nonce": person.nonce.hex(),
        }
        for person, key in zip(table.people, keys, strict=True)
    ]
    return {
        "people_in_seat_order": people,
        "rules": dict(table.rules.spell()),
        "description": table.description.hex(),
        "ready_hash": ReadyFor.of(table.description).hash.hex(),
        "table_id": table.id.hex(),
    }


def message_vectors(table: Table, keys: list[IdentityKey]) -> Json:
    """The first step of a match, its T, every word, and what is held."""
    sealed = [
        seal(key, table.id, Place(table.id, 0, 1, seat), table.id, "agree", [])
        for seat, key in enumerate(keys)
    ]
    messages = [open_envelope(data) for data in sealed]
    return {
        "agree": [
            {
                "envelope": one.data.hex(),
                "payload": one.payload.hex(),
                "signature": one.signature.hex(),
                "id": one.id.hex(),
            }
            for one in messages
        ],
        "T_1": step_hash(table.id, [one.id for one in messages]).hex(),
        "words": {said.kind: make_word(keys[1], table.id, 1, 0, said).data.hex() for said in SAID},
        "word_id": make_word(keys[1], table.id, 1, 0, Leave()).id.hex(),
        "hold": encode_talk(hold_of(Referee(table))).hex(),
        "later_hold": encode_talk(_later(table)).hex(),
    }


H = bytes(range(32))
SAID: tuple[Saying, ...] = (
    Chat("Good luck!"),
    Paused(0, True),
    Done(H),
    Bind(nonce_commitment(H, H, H)),
    Nonce(H),
    Leave(),
    Here(),
    Wished(H, 9, H, (Out(0, "absent", ()), Out(1, "fault", (H, H[::-1])))),
)


def _later(table: Table) -> Hold:
    """What somebody holds who has 11 steps of the match and one of the second deal."""
    hashes = [table.id, *(bytes([step]) * 32 for step in range(1, 12))]
    match = Rung(0, locator(hashes), (H,))
    return Hold(table.id, (match, Rung(2, locator(hashes[:2]), ())), (H[::-1],))


async def _both_tags(joiner: Exchange, host: Exchange, nonce: bytes) -> Json:
    tags = await joiner.finish(host.message, nonce)
    if tags != await host.finish(joiner.message, nonce):
        raise AssertionError("two sides with one password have the same tags")
    return {"joiner_tag": tags.joiner.hex(), "host_tag": tags.host.hex()}


def _side(keys: list[IdentityKey], joiner: bool, entropy: bytes) -> Exchange:
    return Exchange(
        joiner=joiner,
        password=code_password(CODES[1]),
        joiner_key=keys[1].public,
        host_key=keys[0].public,
        rng=lambda size: entropy[:size],
    )


def door_vectors(keys: list[IdentityKey]) -> Json:
    """A run of SPAKE2 on a code, and the opening that begins it. Seat 0 is the host."""
    nonce = seeded(f"{SEED}/nonce")(32)
    x, y = (seeded(f"{SEED}/{who}")(64) for who in ("joiner", "host"))
    joiner, host = _side(keys, True, x), _side(keys, False, y)
    opening = JoinOpening.make(keys[1], keys[0].public, nonce, "code", "", joiner.message)
    watching = WatchOpening.make(keys[1], keys[0].public, nonce, "code", "", joiner.message)
    return {
        "code": CODES[1],
        "joiner_key": keys[1].public.hex(),
        "host_key": keys[0].public.hex(),
        "nonce": nonce.hex(),
        "x_before_reduction_big_endian": x.hex(),
        "y_before_reduction_big_endian": y.hex(),
        "joiner_message": joiner.message.hex(),
        "host_message": host.message.hex(),
        **trio.run(_both_tags, joiner, host, nonce),
        "join": encode(whole(opening)).hex(),
        "watch": encode(whole(watching)).hex(),
    }


def link_vectors(table: Table, keys: list[IdentityKey]) -> Json:
    """Seat 0 dials seat 1."""
    rng = seeded(f"{SEED}/link")
    secret, nonce, run, other_run = rng(32), rng(32), rng(16), rng(16)
    link = LinkSecret(table.id, secret)
    opening = LinkOpening.make(keys[0], keys[1].public, nonce, link, run)
    answer = LinkAnswer.make(link, keys[0].public, keys[1].public, nonce, other_run)
    return {
        "table": table.id.hex(),
        "dialler_key": keys[0].public.hex(),
        "dialled_key": keys[1].public.hex(),
        "table_secret": secret.hex(),
        "nonce": nonce.hex(),
        "dialler_run": run.hex(),
        "dialled_run": other_run.hex(),
        "link": encode(whole(opening)).hex(),
        "linked": encode(whole(answer)).hex(),
    }


def looking_vectors(table: Table, keys: list[IdentityKey]) -> Json:
    """Somebody without a seat dials seat 1, after the host has let them in, and writes a line; and
    a line of seat 2 before it had one."""
    rng = seeded(f"{SEED}/looking")
    own, secret, nonce, run = IdentityKey.generate(rng), rng(32), rng(32), rng(16)
    link = LinkSecret(table.id, secret).of_watching
    opening = LookOpening.make(own, keys[1].public, nonce, link, "Dot")
    answer = LinkAnswer.make(link, own.public, keys[1].public, nonce, run)
    remark = make_remark(own, table.id, "Dot", 1, "well played")
    lobby = make_remark(keys[2], lobby_id(secret), "Cem", 1, "good luck")
    return {
        "key": own.public.hex(),
        "table_secret": secret.hex(),
        "watch_secret": link.secret.hex(),
        "nonce": nonce.hex(),
        "dialled_run": run.hex(),
        "look": encode(whole(opening)).hex(),
        "linked": encode(whole(answer)).hex(),
        "table": encode_talk(At(table.description)).hex(),
        "remark": encode_talk(remark).hex(),
        "lobby": lobby_id(secret).hex(),
        "lobby_remark": encode(whole(Spoken(lobby.data))).hex(),
    }


def vectors() -> Json:
    """The whole file as a value."""
    table, keys = make_table(rules_for(3, "pagat", target="120"), SEED)
    secret = seeded(f"{SEED}/invite")(16)
    invite = Invite(keys[0].public, secret, ("192.168.1.5:5525", "[fd00::2]:5525"))
    return {
        "seed": SEED,
        "codec": value_vectors(),
        "limits": limit_vectors(),
        "bad_keys": BAD_KEYS,
        "table": table_vectors(table, keys),
        "messages": message_vectors(table, keys),
        "door": door_vectors(keys),
        "links": link_vectors(table, keys),
        "looking": looking_vectors(table, keys),
        "invite": {
            "line": invite.line(),
            "secret": secret.hex(),
            "addresses": list(invite.addresses),
        },
        "codes": {written: normal_code(written) for written in CODES},
        "bad_codes": BAD_CODES,
    }


def text() -> str:
    """The file's exact text."""
    return json.dumps(vectors(), indent=1) + "\n"
