"""Removes named checks of the product one at a time; each time some test must fail.

Each tests/mutants/*.toml lists [[mutant]] entries: name, file, old (text that stands exactly
once in file), new, tests (arguments for pytest). Works on a copy of the checkout.

    python tests/run_mutants.py [--sample N] [--seed TEXT] [NAME ...]
"""

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

from support.places import ROOT

LISTS = ROOT / "tests" / "mutants"
COPIED = (
    "engine",
    "p2p",
    "cli",
    "tests",
    "benchmarks",
    "pyproject.toml",
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
    if text.count(mutant.old) != 1:
        return f"its text stands {text.count(mutant.old)} times in {mutant.file}"
    path.write_text(text.replace(mutant.old, mutant.new))
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *mutant.tests],
            cwd=tree,
            capture_output=True,
            text=True,
            timeout=600,
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


def chosen(options: argparse.Namespace) -> list[Mutant]:
    """The mutants to try."""
    mutants = [one for one in load() if not options.names or one.name in options.names]
    if options.sample and options.sample < len(mutants):
        mutants = random.Random(options.seed).sample(mutants, options.sample)
    return mutants


def main() -> int:
    """0 if every mutant tried was noticed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="only these")
    parser.add_argument("--sample", type=int, default=0, help="only so many, chosen by --seed")
    parser.add_argument("--seed", default="", help="any text")
    options = parser.parse_args()
    mutants = chosen(options)
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        copy(tree)
        for mutant in mutants:
            why = survives(mutant, tree)
            bad += why is not None
            print(
                f"{'noticed' if why is None else 'SURVIVED'}: {mutant.name}", why or "", flush=True
            )
    print(f"{len(mutants) - bad} of {len(mutants)} removed checks were noticed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
