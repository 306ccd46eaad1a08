"""What `verify` says of a record, in JSON and in words."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from cli.telling.jsonlines import Fields, json_line
from cli.telling.phrases import plural, score_told
from engine.wording import listed
from p2p.records.comparing import Comparison
from p2p.session.state.events import SeatOut
from p2p.session.verify import FoundFault, Report
from p2p.wire.envelope import MATCH_LADDER


@dataclass(frozen=True)
class Compared:
    """A comparison with a record of the same table that was given before; both by their names."""

    comparison: Comparison
    before: str
    name: str

    @property
    def stands(self) -> str | None:
        """The name of the record that stands before the other."""
        at = self.comparison.stands
        return None if at is None else (self.before, self.name)[at]


def report_line(report: Report, compared: Compared | None = None) -> str:
    """The JSON object of `verify --json`."""
    fault = report.fault
    more = {} if compared is None else {"compared": _compared(compared)}
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
            **more,
        }
    )


def _compared(compared: Compared) -> Fields:
    found = compared.comparison
    return {
        "same": found.same,
        "first": found.first and asdict(found.first),
        "both_signed": list(found.both_signed),
        "stands": compared.stands,
    }


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
    return " ".join(report_sentences(report))


def report_sentences(report: Report) -> list[str]:
    """The verdict, what was proven, who shuffled, what was worked out again, and what nothing
    proves."""
    out = {one.seat: one for one in report.absent}
    scores = enumerate(zip(report.names, report.scores, strict=True))
    result = ", ".join(score_told(name, score, out.get(seat)) for seat, (name, score) in scores)
    return [
        _verdict(report),
        *(_out(one, report) for one in report.absent),
        f"Checked: {_amounts(report)}.",
        *_shuffled(report),
        *_unproven(report),
        f"Scores: {result}.",
    ]


def _shuffled(report: Report) -> list[str]:
    """Who shuffled, and what was counted again."""
    if not report.proofs["shuffle"]:
        return []
    counted = plural(report.plays, "placement")
    out = ", as far as they were in" if report.absent else ""
    return [
        f"Every deck was shuffled by {listed(list(report.names))}, one after the other{out}, each "
        "with a proof, so none of them knew or chose its order.",
        f"All counts and scores were worked out again, from {counted}.",
    ]


def _unproven(report: Report) -> list[str]:
    """What no record proves, where it is of use to know."""
    if not report.decided:
        return []
    return [
        "Nothing can prove that nobody talked beside the game, or that no two of the keys are one "
        "person's."
    ]


def comparison_words(compared: Compared, names: Sequence[str]) -> str:
    """How two records of one table go together."""
    found, pair = compared.comparison, f"{compared.before} and {compared.name}"
    if found.first is None:
        return f"{pair} are records of one match and agree, as far as both go."
    first = found.first
    ladder = "of the match" if first.ladder == MATCH_LADDER else f"of preparing deal {first.ladder}"
    signed = (
        f"{listed([names[seat] for seat in found.both_signed])} signed both ways."
        if found.both_signed
        else "Nobody signed both ways."
    )
    stands = (
        "Neither stands before the other."
        if compared.stands is None
        else f"{compared.stands} stands: all who voted in the other went on in it."
    )
    return f"{pair} part at step {first.step} {ladder}. {signed} {stands}"


def evidence_words(fault: FoundFault, path: str) -> str:
    """What was written to a file that proves a fault."""
    return (
        f"{path} proves by itself that {_culprit(fault)} broke the protocol: "
        f"{fault.what}. Anybody can check it: allfives verify {path}"
    )


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


def _culprit(fault: FoundFault) -> str:
    """Who it was; a name may be misleading. In words seats count from 1, in JSON from 0."""
    return f"{fault.name} (seat {fault.seat + 1})"


def _verdict(report: Report) -> str:
    if report.fault is not None:
        fault = report.fault
        hand = f"in hand {fault.hand}" if fault.hand else "before hand 1"
        where = f"{hand}, message {fault.message}"
        return f"{_culprit(fault)} broke the protocol {where}: {fault.what}."
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
    all_signed = "all who stayed" if report.absent else "all"
    return f"The match is decided, without fault, and its result signed by {all_signed}."


def _amounts(report: Report) -> str:
    proofs = report.proofs
    counted = (
        (report.hands, "hand", ""),
        (report.messages, "message", ""),
        (proofs["shuffle"], "shuffle", ""),
        (proofs["key"], "key", ""),
        (proofs["share"], "share", " in opening a tile"),
        (
            proofs["unplayable"],
            "time",
            " a tile was proven not to fit, or not to lead, without being shown",
        ),
    )
    told = [f"{plural(number, thing)}{more}" for number, thing, more in counted if number]
    return ", ".join(told) or "nothing"
