"""What is imported is declared in pyproject.toml, and what the product declares it imports."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import packages_distributions

import pytest
from support.places import ROOT

PRODUCT = ("engine", "p2p", "cli")
OURS = {*PRODUCT, "support", "second", *(path.stem for path in (ROOT / "tests").glob("*.py"))}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]


def normal(name: str) -> str:
    """The one way to write a distribution's name (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def declared(requirements: Iterable[str]) -> set[str]:
    """The distributions that these requirements name."""
    names = (re.match(r"[\w.-]+", requirement) for requirement in requirements)
    return {normal(name[0]) for name in names if name}


def modules(source: str) -> Iterator[str]:
    """The outermost packages that a source file imports from elsewhere, wherever in it."""
    for node in ast.walk(ast.parse(source)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            names = [node.module]
        for name in names:
            yield name.partition(".")[0]


def imported(*folders: str) -> set[str]:
    """The distributions from which the sources in these folders import."""
    found = {
        module
        for folder in folders
        for path in (ROOT / folder).rglob("*.py")
        for module in modules(path.read_text())
    }
    installed = packages_distributions()
    foreign = found - OURS - sys.stdlib_module_names
    # What is not installed, as the extra for benchmarks here, is taken to be named as its module.
    return {normal(name) for one in foreign for name in installed.get(one, [one])}


def test_the_product_needs_what_it_declares_and_declares_what_it_needs() -> None:
    assert imported(*PRODUCT) == declared(PROJECT["dependencies"])


@pytest.mark.parametrize(("folder", "extras"), [("tests", ["test"]), ("benchmarks", ["bench"])])
def test_the_extras_have_what_is_imported_besides(folder: str, extras: list[str]) -> None:
    needed = imported(folder) - declared(PROJECT["dependencies"])
    assert needed <= declared(one for extra in extras for one in EXTRAS[extra])


def test_every_way_to_import_counts() -> None:
    source = "import a.b, c as d\nfrom e.f import g\nfrom . import h\ndef i():\n    import j\n"
    assert set(modules(source)) == {"a", "c", "e", "j"}
    assert declared(["A_b.c>=1", "d-e[f]==2; python_version>'3'"]) == {"a-b-c", "d-e"}
