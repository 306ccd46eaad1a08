"""Every module of the product has the test of its name, or a line that says where it is tested."""

import re
from functools import cache
from pathlib import Path

from support.places import ROOT, TESTS
from support.structure import Module, modules

# One for all, and those of a folder beside the tests they name.
LISTS = (TESTS / "WHERE.md", TESTS / "p2p" / "session" / "steps" / "README.md")


def own_test(module: Module) -> Path:
    """Where the test of a module's name stands; that of a package's code beside its folder."""
    path = module.path.relative_to(ROOT)
    place = path.parent if path.name == "__init__.py" else path.with_suffix("")
    return TESTS / place.parent / f"test_{place.name}.py"


def entries(path: Path) -> dict[str, set[Path]]:
    """By module, below the root, the tests that a list names."""
    found: dict[str, set[Path]] = {}
    for row in path.read_text().splitlines():
        cells = row.split("|")
        if len(cells) > 3 and "`" in cells[1]:
            named = re.findall(r"`([\w./]+\.py)`", " ".join(cells[2:]))
            for module in re.findall(r"`([\w./]+\.py)`", cells[1]):
                found.setdefault(module, set()).update(path.parent / one for one in named)
    return found


LISTED = {module: tests for path in LISTS for module, tests in entries(path).items()}


@cache
def code() -> dict[str, Module]:
    """The modules that say anything, by their place below the root."""
    return {str(one.path.relative_to(ROOT)): one for one in modules().values() if not one.is_empty}


def test_every_module_has_the_test_of_its_name_or_a_line() -> None:
    bare = [name for name, one in code().items() if not own_test(one).exists()]
    assert sorted(bare) == sorted(LISTED)


def test_what_the_lines_name_is_there() -> None:
    assert [module for module, tests in LISTED.items() if not tests] == []
    assert [str(one) for tests in LISTED.values() for one in tests if not one.is_file()] == []


def test_a_package_and_a_module_have_their_tests_in_the_mirror_of_the_folders() -> None:
    assert own_test(code()["engine/strategy/__init__.py"]) == TESTS / "engine" / "test_strategy.py"
    assert own_test(code()["p2p/store.py"]) == TESTS / "p2p" / "test_store.py"
