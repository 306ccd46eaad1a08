"""`allfives fair`: what came to whom over many matches, against what chance gives."""

from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, Final

import click

from cli.commands.options import everywhere
from cli.files.home import Home
from cli.process.errors import DONE, Stop, usage
from cli.process.output import tell, tell_aside

if TYPE_CHECKING:
    from cli.telling.chance import Chances, Count, Person

_WHAT: Final = {
    "doubles": ("doubles dealt", "tiles"),
    "leads": ("scoring leads dealt", "tiles"),
    "pips": ("pips dealt", "on {} tiles"),
    "starts": ("first to play, of hands begun by lot or double", "hands"),
    "draws": ("drawn tiles that fitted", "draws"),
}
_BRACKETS = (
    "In brackets: in how many of 100 such sets of matches chance alone is as far off, or more."
)
_WHY: Final = (
    "No seat could have chosen these tiles: all shuffle the deck one after the other, each proves "
    "that it did nothing else, and as long as one of them shuffles at random nobody knows, or has "
    "a say in, what lies where. `allfives verify` checks those proofs."
)


@click.command()
@everywhere
@click.argument("records", metavar="[RECORD...]", nargs=-1, type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
@click.pass_obj
def fair(home: Home, /, records: tuple[str, ...], as_json: bool) -> int:
    """Compare what came to whom with what chance gives: doubles, scoring leads and pips dealt, who
    was first to play, how many of the drawn tiles fitted.

    Over these records, or over all of one's own matches. A match counts once.
    """
    from cli.files.history import record_named
    from cli.telling.chance import Chances

    chances = Chances()
    for name in [record_named(home, one) for one in records] or _own(home):
        _count(chances, name, bool(records))
    if not chances.tables:
        raise Stop("There is no match to count; `allfives play` begins one against a bot.")
    if as_json:
        print(_line(chances), flush=True)
    else:
        tell(*_words(chances))
    return DONE


def _own(home: Home) -> Iterator[str]:
    """The records of one's own matches."""
    from cli.files.history import past_matches

    return (str(one.record) for one in past_matches(home) if one.record is not None)


def _count(chances: "Chances", name: str, named: bool) -> None:
    """Count a record; one that was `named` and cannot be read is a Stop, another a remark."""
    from cli.commands.checking import load_record
    from p2p.session.record import RecordUnreadable
    from p2p.session.verify import replay_record

    try:
        chances.add(replay_record(load_record(name)))
    except (RecordUnreadable, Stop) as error:
        sentence = error.sentence if isinstance(error, Stop) else f"{name}: {error}"
        if named:
            raise usage(sentence) from None
        tell_aside(f"Not counted: {sentence}")


def _words(chances: "Chances") -> list[str]:
    from cli.telling.phrases import plural

    tables = len(chances.tables)
    played = "1 match" if tables == 1 else f"{tables} matches"
    lines = [f"{played}, {plural(chances.hands, 'hand')}."]
    if chances.closed:
        lines.append(
            f"In {chances.closed} of them some tiles were never opened: those are not counted."
        )
    lines.append(_BRACKETS)
    for person in chances.people.values():
        lines += ["", *_person(person)]
    shown = [one for person in chances.people.values() for one in person.counts.values()]
    compared = sum(one.cases > 0 for one in shown)
    return [
        *lines,
        "",
        f"Of {compared} such numbers chance alone makes about {_rounded(compared / 20, 1)} come "
        "out at 5 or less.",
        _WHY,
    ]


def _person(person: "Person") -> Iterator[str]:
    from p2p.crypto.identity import fingerprint

    yield f"{person.name} [{fingerprint(person.key)}]" if person.key else person.name
    for what, count in person.counts.items():
        if count.cases:
            yield f"  {_comparison(what, count)}"


def _comparison(what: str, count: "Count") -> str:
    shown, cases = _WHAT[what]
    each = cases if count.cases != 1 else cases.removesuffix("s")
    of = each.format(count.cases) if "{}" in each else f"of {count.cases} {each}"
    often = _rounded(100 * count.likely, 0) if count.likely >= 0.01 else f"{100 * count.likely:.2g}"
    return f"{shown}: {count.seen} {of}, by chance {_rounded(count.mean, 1)} ({often})"


def _rounded(value: float, digits: int) -> str:
    """With so many digits behind the point, a half upwards, as people do: 5.25 is 5.3."""
    # Sums of floats may lie a little below the half that they mean.
    exact = Decimal(str(round(value, 9)))
    return str(exact.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))


def _line(chances: "Chances") -> str:
    from cli.telling.jsonlines import json_line
    from p2p.crypto.identity import fingerprint

    people: list[dict[str, object]] = [
        {
            "name": person.name,
            "key": fingerprint(person.key) if person.key else None,
            **{what: _fields(count) for what, count in person.counts.items()},
        }
        for person in chances.people.values()
    ]
    return json_line({"matches": len(chances.tables), "hands": chances.hands, "people": people})


def _fields(count: "Count") -> dict[str, object]:
    return {
        "seen": count.seen,
        "of": count.cases,
        "chance": round(count.mean, 3),
        "deviation": round(count.variance**0.5, 3),
        "likely": round(count.likely, 6),
    }
