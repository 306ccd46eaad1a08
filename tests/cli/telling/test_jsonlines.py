"""Event lines are exactly those of the design page: keys, their order, null where unknown."""

import json

import pytest
from support.engine.matches import play_match, players, seen_from

from cli.telling.jsonlines import event_line, open_line
from engine.events import Claimed, Drawn, HandEnded, MatchEnded, Passed, Played
from engine.rules import Rules
from engine.tiles import tile
from p2p.crypto.identity import fingerprint
from p2p.session.state import events


def test_open() -> None:
    line = open_line("den", "guitar-orbit-lunar", "allfives:xyz", ["192.168.1.5"], 5525)
    assert line == (
        '{"event":"open","name":"den","code":"guitar-orbit-lunar","invite":"allfives:xyz",'
        '"addresses":["192.168.1.5"],"port":5525}'
    )


def test_match() -> None:
    rules = Rules.make("classic", 2).spell()
    line = event_line(events.MatchBegan(b"\x01" * 32, rules, players(2)))
    assert line is not None
    fields = json.loads(line)
    assert list(fields) == ["event", "table", "rules", "players"]
    assert fields["table"] == "01" * 32
    assert fields["rules"]["preset"] == "classic"
    assert fields["rules"]["target"] == "250"
    keys = [fingerprint(player.key) for player in players(2)]
    assert fields["players"] == [
        {"seat": 0, "name": "Ana", "key": keys[0]},
        {"seat": 1, "name": "Ben", "key": keys[1]},
    ]


def test_hand() -> None:
    known = (tile(6, 4), tile(5, 5))
    event = events.HandBegan(1, 0, (known, None), (2, 2), None)
    assert event_line(event) == (
        '{"event":"hand","hand":1,"starter":0,"hands":[["6-4","5-5"],null],"counts":[2,2],'
        '"boneyard":null}'
    )
    event = events.HandBegan(1, 0, (known, None), (2, 2), (tile(3, 1),))
    assert str(event_line(event)).endswith('"boneyard":["3-1"]}')


def test_play() -> None:
    lead = events.InHand(1, Played(0, 2, tile(6, 4), None, 10, 10, (10, 0), None))
    assert event_line(lead) == (
        '{"event":"play","hand":1,"seat":0,"tile":"6-4","end":null,"count":10,"points":10,'
        '"scores":[10,0],"auto":false}'
    )
    later = events.InHand(2, Played(1, 9, tile(4, 1), "4U", 7, 0, (10, 0), 5), True)
    assert event_line(later) == (
        '{"event":"play","hand":2,"seat":1,"tile":"4-1","end":"4U","count":7,"points":0,'
        '"scores":[10,0],"auto":true}'
    )


def test_draw_and_pass() -> None:
    assert event_line(events.InHand(1, Drawn(1, 20), tile=tile(3, 1))) == (
        '{"event":"draw","hand":1,"seat":1,"tile":"3-1","auto":false}'
    )
    assert event_line(events.InHand(1, Drawn(1, 20), True)) == (
        '{"event":"draw","hand":1,"seat":1,"tile":null,"auto":true}'
    )
    assert event_line(events.InHand(1, Passed(1))) == (
        '{"event":"pass","hand":1,"seat":1,"auto":false}'
    )


def test_claim() -> None:
    assert event_line(events.InHand(1, Claimed(1, 10, 10, (0, 10)))) == (
        '{"event":"claim","hand":1,"seat":1,"claimed":10,"points":10,"scores":[0,10]}'
    )


def test_hand_end() -> None:
    event = events.InHand(1, HandEnded("domino", 0, ((), (tile(5, 5),)), (0, -10), (35, -10)))
    assert event_line(event) == (
        '{"event":"hand_end","hand":1,"reason":"domino","seat":0,"left":[[],["5-5"]],'
        '"points":[0,-10],"scores":[35,-10]}'
    )
    fault = events.InHand(1, HandEnded("fault", None, (None, None), (0, 0), (35, 0)))
    assert event_line(fault) == (
        '{"event":"hand_end","hand":1,"reason":"fault","seat":null,"left":[null,null],'
        '"points":[0,0],"scores":[35,0]}'
    )


def test_match_end() -> None:
    assert event_line(MatchEnded("target", (0,), (255, 120))) == (
        '{"event":"match_end","reason":"target","winners":[0],"scores":[255,120]}'
    )

    assert event_line(MatchEnded("abandoned", (), (5, -10))) == (
        '{"event":"match_end","reason":"abandoned","winners":[],"scores":[5,-10]}'
    )


@pytest.mark.parametrize("reason", ["left", "absent", "idle", "fault"])
def test_out(reason: str) -> None:
    assert event_line(events.SeatOut(3, 2, reason, (0, 1))) == (
        f'{{"event":"out","hand":3,"seat":2,"reason":"{reason}","by":[0,1]}}'
    )


def test_the_deck_and_faults_have_no_line() -> None:
    assert event_line(events.DeckStep(1, 0, "shuffle", 1, 2)) is None
    assert event_line(events.Faulted(0, "it is not so")) is None


def test_lines_are_ascii_without_line_breaks_whatever_the_names() -> None:
    who = (events.Participant(0, "Žofie", b"k" * 32), events.Participant(1, "李", b"l" * 32))
    line = event_line(events.MatchBegan(b"\x01" * 32, {"preset": "classic"}, who))
    assert line is not None
    assert line.isascii()
    assert json.loads(line)["players"][1]["name"] == "李"


def test_a_seat_never_sees_other_hands() -> None:
    told = play_match(9, 3, Rules.make("classic", 3, {"target": "30"}))
    for event in seen_from(told, 2):
        line = event_line(event)
        fields = json.loads(line) if line else {}
        if fields.get("event") == "hand":
            assert [hand is None for hand in fields["hands"]] == [True, True, False]
        if fields.get("event") == "draw" and fields["seat"] != 2:
            assert fields["tile"] is None
