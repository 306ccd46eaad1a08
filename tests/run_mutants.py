"""Removes named checks of the product one at a time; each time some test must fail.

Each tests/mutants/*.toml lists [[mutant]] entries: name, file, function (qualified, "Class.method";
left out for what stands outside all functions), old (text that stands exactly once there), new,
tests (arguments for pytest). Works on copies of the checkout.

    python tests/run_mutants.py [--sample N] [--seed TEXT] [--jobs N] [NAME ...]

A sample is drawn by the seed; what stands in files that the latest commits touched is drawn
more often.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from queue import SimpleQueue

from support.places import ROOT
from support.structure import Function, Module

LISTS = ROOT / "tests" / "mutants"
# Some removed checks make things hang: tests are to notice it before long.
HANG_SECONDS = "30"
COPIED = (
    "engine",
    "p2p",
    "cli",
    "tests",
    "benchmarks",
    "pyproject.toml",
    "LICENSE",
    "README.md",
    "protocol.md",
)


@dataclass(frozen=True)
class Mutant:
    """One check and the text that removes it."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]
    function: str = ""

    def applied(self, text: str) -> str:
        """The text of the file without the check. ValueError, one clause, if it is not there."""
        start, end = self._place(text)
        times = text[start:end].count(self.old)
        if times != 1:
            where = self.function or self.file
            raise ValueError(f"its text stands {times} times in {where}")
        return text[:start] + text[start:end].replace(self.old, self.new) + text[end:]

    def _place(self, text: str) -> tuple[int, int]:
        """Where its function stands in the text, with its decorators; else all of the text."""
        if not self.function:
            return 0, len(text)
        functions = _functions(self.file, text)
        if self.function not in functions:
            raise ValueError(f"there is no {self.function} in {self.file}")
        node = functions[self.function]
        first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
        rows = text.splitlines(keepends=True)
        last = node.end_lineno or node.lineno
        return sum(map(len, rows[: first - 1])), sum(map(len, rows[:last]))


@cache
def _functions(file: str, text: str) -> dict[str, Function]:
    return dict(Module(file, ROOT / file, text).functions())


def load() -> list[Mutant]:
    """All mutants of all lists, names unique."""
    found: list[Mutant] = []
    for path in sorted(LISTS.glob("*.toml")):
        for entry in tomllib.loads(path.read_text())["mutant"]:
            found.append(Mutant(**{**entry, "tests": tuple(entry["tests"])}))
    names = [mutant.name for mutant in found]
    doubled = {name for name in names if names.count(name) > 1}
    if doubled:
        sys.exit(f"Mutants named twice: {', '.join(sorted(doubled))}.")
    return found


def survives(mutant: Mutant, tree: Path) -> str | None:
    """Why the mutant is no good: not applicable, or no test noticed it. None if one did."""
    path = tree / mutant.file
    text = path.read_text()
    try:
        path.write_text(mutant.applied(text))
    except ValueError as error:
        return str(error)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *mutant.tests],
            cwd=tree,
            capture_output=True,
            text=True,
            timeout=600,
            env={**os.environ, "ALLFIVES_HANG_SECONDS": HANG_SECONDS},
        )
    finally:
        path.write_text(text)
    # 1: a test failed. Anything else, a change that does not even import too, shows nothing.
    return None if done.returncode == 1 else f"no test failed (pytest said {done.returncode})"


def copy(target: Path) -> None:
    """The checkout's sources, where a mutant can be applied without harm."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, target / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif source.exists():
            shutil.copy(source, target / name)


# How much more often a sample holds what stands in a file that was touched.
TOUCHED_WEIGHT = 5
LATEST_COMMITS = 10


def touched() -> set[str]:
    """The files that the latest commits changed; none where there is no history."""
    command = ["git", "log", f"-{LATEST_COMMITS}", "--name-only", "--format="]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return set(told.stdout.split())


def drawn(mutants: list[Mutant], size: int, seed: str) -> list[Mutant]:
    """`size` different ones, those of touched files more often (Efraimidis and Spirakis, Weighted
    random sampling with a reservoir, 2006, algorithm A)."""
    files, rng = touched(), random.Random(seed)
    keys = {
        one: rng.random() ** (1 / (TOUCHED_WEIGHT if one.file in files else 1)) for one in mutants
    }
    return sorted(mutants, key=lambda one: keys[one])[-size:]


def chosen(options: argparse.Namespace) -> list[Mutant]:
    """The mutants to try."""
    mutants = [one for one in load() if not options.names or one.name in options.names]
    if options.sample and options.sample < len(mutants):
        return drawn(mutants, options.sample, options.seed)
    return mutants


def tried(mutants: list[Mutant], trees: list[Path]) -> Iterator[tuple[Mutant, str | None]]:
    """Each with what `survives` says of it, as many at a time as there are trees."""
    free: SimpleQueue[Path] = SimpleQueue()
    for tree in trees:
        free.put(tree)

    def one(mutant: Mutant) -> tuple[Mutant, str | None]:
        tree = free.get()
        try:
            return mutant, survives(mutant, tree)
        finally:
            free.put(tree)

    with ThreadPoolExecutor(len(trees)) as pool:
        yield from pool.map(one, mutants)


def main() -> int:
    """0 if every mutant tried was noticed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="only these")
    parser.add_argument("--sample", type=int, default=0, help="only so many, chosen by --seed")
    parser.add_argument("--seed", default="", help="any text")
    parser.add_argument("--jobs", type=int, default=1, help="so many at a time")
    options = parser.parse_args()
    mutants = chosen(options)
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        trees = [Path(folder) / str(number) for number in range(options.jobs)]
        for tree in trees:
            tree.mkdir()
            copy(tree)
        for mutant, why in tried(mutants, trees):
            bad += why is not None
            print(
                f"{'noticed' if why is None else 'SURVIVED'}: {mutant.name}", why or "", flush=True
            )
    print(f"{len(mutants) - bad} of {len(mutants)} removed checks were noticed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
