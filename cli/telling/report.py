"""What `verify` says of a record, in JSON and in words."""

from dataclasses import asdict

from cli.telling.jsonlines import Fields, json_line
from cli.telling.phrases import plural
from engine.wording import listed
from p2p.session.state.events import SeatOut
from p2p.session.verify import Report


def report_line(report: Report) -> str:
    """The JSON object of `verify --json`."""
    fault = report.fault
    return json_line(
        {
            "ok": report.ok,
            "decided": report.decided,
            "closed": report.closed,
            "unsigned": list(report.unsigned),
            "table": report.table.hex(),
            "hands": report.hands,
            "messages": report.messages,
            "proofs": dict(report.proofs),
            "fault": None if fault is None else asdict(fault),
            "absent": [_absent(one, report) for one in report.absent],
            "winners": list(report.winners),
            "scores": list(report.scores),
        }
    )


def _absent(one: SeatOut, report: Report) -> Fields:
    return {
        "seat": one.seat,
        "name": report.names[one.seat],
        "hand": one.hand,
        "reason": one.reason,
        "by": list(one.by),
    }


def report_words(report: Report) -> str:
    """The same for people, in a few sentences."""
    scores = zip(report.names, report.scores, strict=True)
    result = ", ".join(f"{name} {score}" for name, score in scores)
    out = "".join(f" {_out(one, report)}" for one in report.absent)
    return f"{_verdict(report)}{out} Checked: {_amounts(report)}. Scores: {result}."


def _out(one: SeatOut, report: Report) -> str:
    """Who was put out; what nothing proves is told as the word of those who say it."""
    name, where = report.names[one.seat], f"in hand {one.hand}" if one.hand else "before hand 1"
    by = listed([report.names[seat] for seat in one.by])
    if one.reason == "left":
        return f"{name} left {where}, by its own word."
    if one.reason == "fault":
        return f"{name} broke the protocol {where} and was put out for it, with proof."
    what = "away" if one.reason == "absent" else "waited for too long"
    return f"{name} was {what} {where} as {by} say, which nothing proves."


def _verdict(report: Report) -> str:
    if report.fault is not None:
        fault = report.fault
        where = f"in hand {fault.hand}, message {fault.message}"
        return f"{fault.name} (seat {fault.seat}) broke the protocol {where}: {fault.what}."
    if report.problem is not None:
        return f"The record is faulty, and nobody can be named: {report.problem}."
    if not report.decided:
        return "The record is in order as far as it goes, but the match is not decided in it."
    if not report.closed:
        missing = listed([report.names[seat] for seat in report.unsigned])
        unchecked = (
            ""
            if report.opened
            else " The keys of the last hand are not open, so not all is checked."
        )
        return (
            f"The match is decided and without fault; not signed at the end by {missing}."
            f"{unchecked}"
        )
    return "The match is decided, without fault, and its result signed by all."


def _amounts(report: Report) -> str:
    proofs = report.proofs
    return ", ".join(
        (
            plural(report.hands, "hand"),
            plural(report.messages, "message"),
            plural(proofs["shuffle"], "shuffle"),
            plural(proofs["key"], "key"),
            plural(proofs["share"], "share"),
            plural(proofs["unplayable"], "proof") + " that nothing could be played",
        )
    )
