"""p2p.net.find.invite: one line with addresses, the host's whole key and a secret."""

import base64
import random
from contextlib import suppress
from dataclasses import replace

import pytest
from support.net.world import key

from p2p.net.errors import BadInvite, NoInvite
from p2p.net.find.invite import Invite, is_invite, make_invite_secret, parse_invite, printed
from p2p.wire.codec import encode

INVITE = Invite(key(1).public, bytes(range(16)), ("192.168.1.5:5525", "[fd00::2]:5525"))


def line(*fields: object) -> str:
    return "allfives:" + base64.urlsafe_b64encode(encode(fields)).rstrip(b"=").decode()


def test_round_trip_on_one_line() -> None:
    written = INVITE.line()
    assert written.startswith("allfives:")
    assert "\n" not in written
    assert len(written) < 160
    assert parse_invite(f" {written}\n") == INVITE
    assert is_invite(written)
    assert not is_invite("guitar-orbit-lunar")


def test_an_invite_is_read_back_before_it_is_given_away() -> None:
    assert printed(INVITE) == INVITE.line()
    for addresses in ((), ("localhost",), ("[fe80::1%eth0]:5525",)):
        with pytest.raises(NoInvite) as caught:
            printed(replace(INVITE, addresses=addresses))
    assert str(caught.value) == (
        "No invite can be made of the addresses of this machine. Name one with --bind."
    )


def test_the_secret_is_128_bits_and_not_shown() -> None:
    assert len(make_invite_secret(random.Random(1).randbytes)) == 16
    assert INVITE.secret.hex() not in repr(INVITE)
    assert repr(INVITE.secret) not in repr(INVITE)


def test_a_cut_line_is_noticed_and_a_changed_one_never_reads_as_the_same() -> None:
    written = INVITE.line()
    for place in range(len(written)):
        with pytest.raises(BadInvite):
            parse_invite(written[:place])
        changed = written[:place] + ("A" if written[place] != "A" else "B") + written[place + 1 :]
        with suppress(BadInvite):
            # A capital at the beginning is all that is let pass.
            assert parse_invite(changed) != INVITE or changed.startswith("Allfives:")


@pytest.mark.parametrize(
    "copied",
    [
        f"'{INVITE.line()}'",
        f"\u201c{INVITE.line()}\u201d.",
        f"<{INVITE.line()}>",
        f"`{INVITE.line()}`",
        INVITE.line().replace("allfives:", "Allfives: "),
        f"allfives join {INVITE.line()}",
        " ".join(INVITE.line()),
        "\u200b".join(INVITE.line()),
        "\n      ".join(INVITE.line()[at : at + 50] for at in range(0, 200, 50)) + "\r\n",
        " \u2502\n\u2502 ".join(INVITE.line()[at : at + 50] for at in range(0, 200, 50)),
    ],
)
def test_an_invite_survives_what_copying_does_to_it(copied: str) -> None:
    assert is_invite(copied)
    assert parse_invite(copied) == INVITE


@pytest.mark.parametrize("wrong", [f"see {INVITE.line()}", INVITE.line() * 2, INVITE.line() + "%"])
def test_what_is_more_than_an_invite_is_none(wrong: str) -> None:
    assert is_invite(wrong)
    with pytest.raises(BadInvite):
        parse_invite(wrong)


def test_the_sentence() -> None:
    with pytest.raises(BadInvite) as caught:
        parse_invite("allfives:x")
    assert str(caught.value) == "This invite is damaged. Copy the whole line and try again."


@pytest.mark.parametrize(
    "damaged",
    [
        "allfives:",
        "allfives:!!!!",
        "allfives:A",
        INVITE.line() + "=",
        INVITE.line().removeprefix("allfives:"),
        line(key(1).public, bytes(15), ("1.2.3.4:5",)),
        line(key(1).public, bytes(16), ()),
        line(key(1).public, bytes(16), ("den local:5",)),
        line(key(1).public, bytes(16), ("den.example",)),
        line(key(1).public, bytes(16), ("fe80::1%eth0",)),
        line(key(1).public[:31], bytes(16), ("1.2.3.4:5",)),
        line(bytes(32), bytes(16), ("1.2.3.4:5",)),
        line(key(1).public, bytes(16), ("1.2.3.4:5",) * 17),
    ],
)
def test_damaged_invites(damaged: str) -> None:
    with pytest.raises(BadInvite):
        parse_invite(damaged)


def test_a_host_may_be_named() -> None:
    named = line(key(1).public, bytes(16), ("den.example:5525", "1.2.3.4:5"))
    assert parse_invite(named).addresses == ("den.example:5525", "1.2.3.4:5")
    onion = replace(INVITE, addresses=("a" * 56 + ".onion:5525",))
    assert parse_invite(printed(onion)) == onion
