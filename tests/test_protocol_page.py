"""protocol.md says what the code does: its labels, sizes, limits, tables, vectors.

A page that another implementation is written from must not rot. Each number is looked up in the
code and then in the sentence of the page that states it.
"""

import dataclasses
import re
from types import ModuleType

import pytest
from spake2.parameters.ed25519 import ParamsEd25519
from support.places import ROOT, VECTORS
from support.session import protocol_vectors, record_vectors

from cli.table.joining.join import BACK_SECONDS
from cli.table.stay import BEGIN_SECONDS
from engine.ends import END_NAMES
from engine.hand import MOST_CLAIMED
from engine.options import LARGEST_TARGET, LONGEST_TURN, OPTIONS
from engine.rules import PRESETS
from p2p.crypto.challenge import _DOMAIN
from p2p.crypto.group import Q
from p2p.crypto.identity import BadKey, check_public_key
from p2p.crypto.randomness import NONCE_BYTES
from p2p.crypto.shuffle import POINTS, scalars_for
from p2p.deck.keys import FINAL_BYTES, OPENING_BYTES
from p2p.deck.pairs import DECK_BYTES, TILES
from p2p.net.audience import gallery, visit
from p2p.net.door import admission, messages, pace, spake
from p2p.net.door import host as lobby
from p2p.net.door.joiner import TURN_SECONDS
from p2p.net.door.line import LINE_MOST, PLACES_A_SOURCE
from p2p.net.errors import REFUSALS
from p2p.net.find import returning
from p2p.net.find.code import CODE_MOST
from p2p.net.find.discovery import SERVICE
from p2p.net.find.invite import INVITE_PREFIX
from p2p.net.link import greeting, mesh, reception, source
from p2p.net.link.addresses import ADDRESSES_MOST, DEFAULT_PORT
from p2p.net.link.link import STAGE_SECONDS
from p2p.net.link.live import (
    BYTES_A_SECOND,
    BYTES_AT_ONCE,
    FRAME_VALUES,
    OF_ONLOOKERS,
    PING_SECONDS,
    QUEUE_BYTES,
    QUIET_SECONDS,
    SILENCE_SECONDS,
    VALUES_A_SECOND,
    VALUES_AT_ONCE,
)
from p2p.net.link.message import No
from p2p.session import holding, parking, record
from p2p.session.audience import audience, remarks
from p2p.session.leaving import known, sets
from p2p.session.phases import PHASES, Waits
from p2p.session.sitting import (
    attendance,
    chat,
    exchange,
    grace,
    parting,
    playing,
    presence,
    rematch,
    words,
)
from p2p.session.sitting.exchange import SHOW_SECONDS
from p2p.session.state import table
from p2p.session.steps import claim
from p2p.session.steps.deal import FIRST_LOT, NEXT_LOT
from p2p.wire import chat as lines
from p2p.wire import envelope, framing, legible, talk
from p2p.wire.codec import MESSAGE, STRANGER, Limits
from p2p.wire.messages import HELD_MOST
from p2p.wire.shape import Shape

PAGE = (ROOT / "protocol.md").read_text()
ONE_LINE = " ".join(PAGE.split())


def rows(heading: str) -> list[list[str]]:
    """The cells of the first table below a heading, without its head."""
    lines = PAGE[PAGE.index(heading) :].splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith("|"))
    found = []
    for line in lines[first + 2 :]:
        if not line.startswith("|"):
            break
        found.append([cell.strip() for cell in line.strip("|").split("|")])
    return found


@pytest.mark.parametrize(
    "label",
    [
        envelope.SIGNED_LABEL,
        envelope.ID_LABEL,
        envelope.STEP_LABEL,
        sets.RETIRE_LABEL,
        table.TABLE_LABEL,
        table.SEAT_LABEL,
        talk.WORD_LABEL,
        talk.WORD_ID_LABEL,
        table.NONCE_LABEL,
        claim.CLAIM_LABEL,
        greeting.JOIN_LABEL,
        greeting.WATCH_LABEL,
        greeting.LOOK_LABEL,
        greeting.LOOK_LABEL + b"\0",
        lines.REMARK_LABEL,
        lines.LOBBY_LABEL,
        greeting.LINK_LABEL,
        greeting.LINK_LABEL + b"\0",
        greeting.ANSWER_LABEL + b"\0",
        _DOMAIN,
        FIRST_LOT,
        NEXT_LOT,
        b"allfives key fingerprint\0",
        messages.READY_LABEL,
        b"allfives joiner confirms\0",
        b"allfives host confirms\0",
        b"code\0",
        b"invite\0",
        record.MAGIC.rstrip(b"\n"),
        INVITE_PREFIX.encode(),
    ],
)
def test_labels(label: bytes) -> None:
    assert f'"{label.decode()}"'.replace("\0", "\\0") in ONE_LINE


@pytest.mark.parametrize(
    "sentence",
    [
        f"round: 1 to {envelope.MAX_VOTE_ROUNDS}.",
        f"at most {HELD_MOST}, of the messages of step k",
        f"of a seat {known.MAX_VOTES_A_SEAT} a match are kept",
        f"at most every {parting.WISH_SECONDS:g} s",
        f"version | integer, {envelope.VERSION} |",
        f"order q = 2^252 + {Q - 2**252}.",
        f"deck is {TILES} pairs, {DECK_BYTES} bytes",
        f"Proof, {32 * (POINTS + scalars_for(TILES))} bytes: points A, B",
        f"Opening, {OPENING_BYTES} bytes",
        f"Final opening, {FINAL_BYTES} bytes",
        f"`[Bytes({DECK_BYTES}), Bytes({32 * (POINTS + scalars_for(TILES))})]`",
        f"from 1 to {framing.CAP_BEFORE_PROOF} until",
        f"then from 1 to {framing.CAP_AFTER_PROOF}.",
        f"a payload of 0 to {framing.PAYLOAD_MOST} bytes",
        f"default port is {DEFAULT_PORT},",
        f"At most {ADDRESSES_MOST} addresses a peer",
        f"The handshake has {STAGE_SECONDS:g} s",
        f"who waits up to {TURN_SECONDS:g} s",
        f"nothing to send for {PING_SECONDS:g} s",
        f"nothing arrived for {SILENCE_SECONDS:g} s",
        f"more than {QUEUE_BYTES // 2**20} MiB wait",
        f"keeps at most {reception.STRANGERS_MOST} connections",
        f'`["spake", Bytes({spake.MESSAGE_BYTES})]`',
        f"up to {LINE_MOST} more wait",
        f"at most {PLACES_A_SOURCE} of one source",
        f"prefix of {source.IPV6_BITS} bits",
        f"due within {admission.TAG_SECONDS:g} s more",
        f"{admission.INVITES_A_SOURCE} runs on the invite",
        f"The first {pace.FREE_TRIES} wrong tries",
        f"min({pace.FIRST_WAIT:g} * 2^floor((w - 5) / 5), {pace.LONGEST_WAIT:g}) seconds",
        f"more than {CODE_MOST} code points",
        f"at most {talk.DESCRIPTION_MOST} bytes",
        f"within {lobby.READY_SECONDS:g} s",
        f"tries at once and again after {mesh.FIRST_RETRY:g} s",
        f"the higher first waits {mesh.POLITE_SECONDS:g} s",
        f"doubles after each failure up to {mesh.LONGEST_RETRY:g} s",
        f"nothing came for {QUIET_SECONDS:g} s a fresh one",
        f"left alone for {mesh.FIRST_SHUN:g} s",
        f"up to {mesh.LONGEST_SHUN:g} s",
        f"takes {BYTES_AT_ONCE // 2**20} MiB and {VALUES_AT_ONCE} values at once",
        f"and {BYTES_A_SECOND // 2**20} MiB and {VALUES_A_SECOND} values a second",
        f"what is signed too, and {FRAME_VALUES} more",
        f"names what does not come within {SHOW_SECONDS:g} s",
        f"*run*, Bytes({greeting.RUN_BYTES})",
        f"1 to {lines.CHAT_CHARACTERS} code points",
        f"name, at most {lines.NAME_MOST} code points",
        f"In a lobby it has at most {messages.SPOKEN_MOST} bytes",
        f"{remarks.LINES_A_SECOND} line a second is taken, {remarks.LINES_AT_ONCE} at once",
        f"together {remarks.ALL_A_SECOND} a second, {remarks.ALL_AT_ONCE} at once",
        f"ask again after {visit.BEGIN_RETRY:g} s",
        f"takes {gallery.ONLOOKERS_MOST} onlookers a seat",
        f"the same `hold` only after {audience.SAME_SECONDS:g} s",
        f"another after {audience.MOVED_SECONDS:g} s",
        f"{OF_ONLOOKERS.bytes_a_second // 1024} KiB and {OF_ONLOOKERS.values_a_second} values",
        f"{OF_ONLOOKERS.bytes_at_once // 1024} KiB and {OF_ONLOOKERS.values_at_once} values at",
        f"{OF_ONLOOKERS.queue // 2**20} MiB may wait to be written",
        f"at most {legible.MARKS_MOST} marks",
        f"more than {words.WORDS_AT_ONCE} words of one seat at once",
        f"more than {words.WORDS_A_SECOND} a second after",
        f"the last {words.LINES_KEPT} lines by number",
        f"a second of a seat, {chat.SHOWN_AT_ONCE} at once",
        f"said every {presence.HERE_SECONDS:g} s by a seat",
        f"for {presence.HEARD_SECONDS:g} s after a newer",
        f"a list of 1 to {talk.LOCATOR_MOST} `[step, T_step]`",
        f"votes: at most {talk.VOTES_MOST} ids",
        f"a parked message for {exchange.PATIENCE_SECONDS:g} s",
        f"then every {exchange.ASK_SECONDS:g} s",
        f"4 ... {exchange.SELDOM_SECONDS:g} s",
        f"or {exchange.ANSWER_SECONDS:g} s after the last answer",
        f"about {holding.MOST_BYTES // 1024} KiB",
        f"due within {attendance.DUE_SECONDS:g} s",
        f"has not heard a seat for {BEGIN_SECONDS:g} s",
        f"for up to {BACK_SECONDS:g} s while it does not",
        f"pieces of at most {grace.TICK_SECONDS:g} s",
        f"late by {presence.SLEPT_SECONDS:g} s was asleep",
        f"linked for {presence.RESTED_SECONDS:g} s",
        f"or after {playing.FAREWELL_SECONDS:g} s",
        f"Per seat {parking.MAX_PARKED_A_SEAT} are kept",
        f"kept, {rematch.MAX_EARLY_A_SEAT} of a link",
        f"does so {rematch.WRONG_SECONDS:g} s later",
        f"round (below 2^{(talk.MAX_ROUNDS + 1).bit_length() - 1})",
        f"number, 0 to 2^{(lines.MAX_NUMBER + 1).bit_length() - 1} - 1",
        f"It draws a nonce, Bytes({NONCE_BYTES})",
        f"1 to {table.NAME_CHARACTERS} Unicode code points",
        f"an integer 0 to {MOST_CLAIMED};",
        f"more than {record.MAX_RECORD_BYTES // 2**20} MiB",
        f"fewer than {record.HEAD_BYTES} bytes",
        f"the {record.HEAD_BYTES - envelope.HASH_BYTES} bytes before",
        f"| {len(record.MAGIC)} |",
        f"`{SERVICE}`",
        f"`{returning.SERVICE}`",
        f"the first {returning.TAG_BYTES} bytes of HMAC-SHA256",
        f"`m` (0x{record.MESSAGE_MARK.hex()})",
        f"`e` (0x{record.EVIDENCE_MARK.hex()})",
    ],
)
def test_sizes_limits_and_times(sentence: str) -> None:
    assert sentence in ONE_LINE


def test_limits_of_values() -> None:
    expected = {
        name: [
            limit.size,
            limit.depth,
            limit.nodes,
            limit.items,
            limit.pairs,
            limit.text,
            limit.binary,
        ]
        for name, limit in {"stranger": STRANGER, "message": MESSAGE}.items()
    }
    stated = {row[0]: [int(cell) for cell in row[1:]] for row in rows("Limits on what is decoded")}
    assert stated == expected
    assert len(expected["message"]) == len(Limits.__dataclass_fields__)


def test_state_table() -> None:
    """Every phase, its kinds, whether a person decides, whether anybody speaks."""
    stated = {}
    for ladder, phase, speakers, kinds, _ in rows("## 10 The state table"):
        name, _, person = phase.partition(" ")
        said = tuple(kinds.split(", ")) if kinds else ()
        stated[name] = (ladder, said, person == "(person)", speakers == "nobody")
    deal = ("commit", "key", "shuffle", "ready")
    assert stated == {
        phase.value: (
            "d" if phase.value in deal else "0",
            tuple(row.kinds),
            row.waits is Waits.PERSON,
            not row.kinds,
        )
        for phase, row in PHASES.items()
    }


def test_every_kind_of_message_has_its_paragraph() -> None:
    steps = PAGE[PAGE.index("## 12 The steps") : PAGE.index("## 13 ")]
    told = set(re.findall(r"\*\*([a-z]+)\*\* `\[", steps))
    assert told == {kind for row in PHASES.values() for kind in row.kinds}


def test_options() -> None:
    """Names in the order of the code, and the values that are words or single digits."""
    stated = {row[0].strip("`"): row[1] for row in rows("### 13.1 Tiles and options")}
    assert list(stated) == [option.name for option in OPTIONS]
    for option in OPTIONS:
        if option.name not in ("hand-size", "target", "turn-seconds"):
            words = set(re.split(r", | or ", option.allowed))
            assert set(stated[option.name].split(", ")) == words, option.name
    assert stated["target"] == f"1 to {LARGEST_TARGET}"
    assert stated["turn-seconds"] == f"none, 1 to {LONGEST_TURN}"


def test_ends() -> None:
    assert ", ".join(END_NAMES[:7]) + f", ... {END_NAMES[-1]}" in ONE_LINE


def test_presets() -> None:
    """The first says every default, each other its base and the values that differ."""
    assert f"preset is one of {', '.join(PRESETS)}, and" in ONE_LINE
    defaults = {option.name: option.default for option in OPTIONS}
    two, more = defaults["target"].split("/")
    defaults["target"] = f"target {two} for two seats and {more} for more"
    assert f"classic: {', '.join(defaults.values())}. " in ONE_LINE
    for preset in PRESETS.values():
        if preset.base is not None:
            start = ONE_LINE.index(f" {preset.name}: {preset.base} with ")
            told = re.split(r"[ ,.]+", ONE_LINE[start : ONE_LINE.index(". ", start)])
            assert set(preset.differences.values()) <= set(told), preset.name


def test_constants_of_edwards25519() -> None:
    """SPAKE2's two points, and the small-order point among the vectors."""
    assert f"M = {ParamsEd25519.M.to_bytes().hex()} and" in ONE_LINE
    assert f"N = {ParamsEd25519.N.to_bytes().hex()} (" in ONE_LINE
    encoded = protocol_vectors.BAD_KEYS["of order 8"]
    assert f"v is encoded as {encoded}" in ONE_LINE
    with pytest.raises(BadKey):
        check_public_key(bytes.fromhex(encoded))


def test_refusals() -> None:
    assert f"Words of refusal: {', '.join(REFUSALS)}." in ONE_LINE


def test_every_message_of_the_lobby_has_its_class() -> None:
    """By the word the fields: a class has one for each that the page names."""
    drawn = [messages.DrawSeats, messages.Bound, messages.Show, messages.Shown]
    lobby = [messages.Welcome, messages.NowSeated, messages.Start, messages.ReadyFor, messages.Go]
    kinds: list[type[Shape]] = [*lobby, *drawn, messages.Spoken, No]
    stated = [re.findall(r"\w[\w ]*", row[1]) for row in rows("### 6.3 The lobby")]
    assert {word: len(fields) for word, *fields in stated} == {
        kind.kind: len(dataclasses.fields(kind)) for kind in kinds
    }
    door = PAGE[PAGE.index("## 6 The door") : PAGE.index("### 6.4 ")]
    at_the_door: list[type[Shape]] = [messages.Confirm, messages.Spake, messages.TakeSeat]
    for kind in at_the_door:
        assert f'["{kind.kind}", ' in door


def test_width_and_place() -> None:
    assert max(map(len, PAGE.splitlines())) <= 100
    assert PAGE.isascii()


def test_vectors_are_all_named() -> None:
    files = [name for row in rows("## 20 Test vectors") for name in re.findall(r"`(.+?)`", row[0])]
    assert sorted(files) == sorted(file.name for file in VECTORS.iterdir())
    for module in (protocol_vectors, record_vectors):
        assert f'"{module.SEED}"' in ONE_LINE


@pytest.mark.parametrize("module", [protocol_vectors, record_vectors])
def test_vectors_are_made_again(module: ModuleType) -> None:
    assert module.FILE.read_text() == module.text()
