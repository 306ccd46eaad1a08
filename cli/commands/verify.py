"""`allfives verify`: check matches from their records alone."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.commands.options import everywhere
from cli.files.home import Home
from cli.process.errors import DONE, FAILED, NOT_CLOSED, WRONG_USAGE, usage
from cli.process.kinds import Whole
from cli.process.output import tell, tell_aside
from cli.process.piped import PIPED

if TYPE_CHECKING:
    from cli.commands.checking import Checked
    from cli.telling.report import Compared

_WORSE = (DONE, NOT_CLOSED, FAILED, WRONG_USAGE)


@click.command()
@everywhere
@click.argument("records", metavar="[RECORD...]", nargs=-1, type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="One JSON object for each record.")
@click.option(
    "--jobs",
    metavar="N",
    type=Whole(1, 64),
    default=1,
    help="Check with N processes: a record each, or one record together.",
)
@click.option(
    "--evidence",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write what proves a fault there: a record that others check by itself.",
)
@click.pass_obj
def verify(
    home: Home, /, records: tuple[str, ...], as_json: bool, jobs: int, evidence: Path | None
) -> int:
    """Check matches from their record files (`-`: standard input), or those of the tables whose ids
    begin so; without one, your last match.

    Exit code 0: closed, which is signed by all who stayed, and without fault; 3: decided and
    without fault, but not closed; 1: faulty or undecided; 2: unreadable. For several records the
    worst, in the order 2, 1, 3, 0. Records of one table are compared: 1 if somebody signed both of
    two ways.
    """
    if records.count(PIPED) > 1:
        raise usage("Standard input (`-`) can be read only once; name it once.")
    if evidence is not None and len(records) > 1:
        raise usage("--evidence is for one record; check that one alone.")
    from cli.commands.checking import check_all
    from cli.files.history import last_record, record_named

    named = bool(records)
    records = tuple(record_named(home, one) for one in records) or (str(last_record(home)),)
    several = len(records) > 1 or not named
    worst, first_of = DONE, dict[bytes, str]()
    for checked in check_all(records, jobs):
        compared = _compared(checked, first_of)
        _show(checked, compared, as_json, several)
        codes = [worst, _code(checked)]
        codes += [FAILED] if compared and compared.comparison.both_signed else []
        worst = max(codes, key=_WORSE.index)
        if evidence is not None:
            _keep_evidence(checked, evidence)
    return worst


def _code(checked: "Checked") -> int:
    if checked.report is None:
        return WRONG_USAGE
    report = checked.report
    proper = report.fault is None and report.problem is None
    if report.decided and proper:
        return DONE if report.ok else NOT_CLOSED
    return FAILED


def _compared(checked: "Checked", first_of: dict[bytes, str]) -> "Compared | None":
    """The comparison with the first record of the same table, if there is one before it."""
    from cli.commands.checking import compare_files

    if checked.report is None:
        return None
    before = first_of.setdefault(checked.report.table, checked.name)
    return None if before == checked.name else compare_files(before, checked.name)


def _show(checked: "Checked", compared: "Compared | None", as_json: bool, several: bool) -> None:
    from cli.telling.report import comparison_words, report_line, report_words

    if checked.report is None:
        tell_aside(f"{checked.shown}: {checked.unreadable}")
    elif as_json:
        print(report_line(checked.report, compared), flush=True)
        if checked.report.problem is not None:
            tell_aside(f"{checked.shown}: {checked.report.problem}.")
    else:
        # A long path is broken by the terminal alone, so that it can be copied.
        named = [checked.shown] if several else []
        more = f" {comparison_words(compared, checked.report.names)}" if compared else ""
        tell(*named, report_words(checked.report) + more)


def _keep_evidence(checked: "Checked", path: Path) -> None:
    from cli.commands.checking import evidence_in
    from cli.telling.report import evidence_words

    found = evidence_in(checked) if checked.report is not None else None
    if found is None:
        if checked.report is not None:
            tell_aside("No seat is at fault, so no evidence is written.")
        return
    try:
        with path.open("xb") as file:
            file.write(found.record)
    except FileExistsError:
        raise usage(f"{path} is there already; name a new file.") from None
    except OSError as error:
        raise usage(f"{path} cannot be written: {error.strerror}.") from error
    tell_aside(evidence_words(found.fault, str(path)))
