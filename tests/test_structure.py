"""The structure of the house: no circles, small rooms, short functions, few parameters.

The layers themselves are contracts of import-linter in pyproject.toml. Numbers are printed; see
them with `pytest -s tests/test_structure.py`, or by `python -m support.structure` in tests/.
"""

import ast
from collections import Counter

import pytest
from support.structure import (
    PACKAGES,
    Function,
    circles,
    floors,
    imports,
    length,
    main,
    modules,
    parameters,
    rooms,
    wings,
)

HOUSE = modules()
# Where files and functions are held to a length; engine, crypto, deck and wire stay as they are.
BOUNDED = ("cli", "p2p.net", "p2p.session")
MOST_MODULES = 15
MOST_LINES = 350
MOST_FUNCTION_LINES = 40
MOST_PARAMETERS = 6
# What it takes to state a proof is many values, and each is one of the paper's.
MANY_PARAMETERS = ("p2p.crypto", "p2p.deck")


def test_no_module_and_no_folder_is_in_a_circle(capsys: pytest.CaptureFixture[str]) -> None:
    assert circles(imports(HOUSE)) == []
    assert circles(rooms(HOUSE)) == []
    main()
    assert "circles of folders: []" in capsys.readouterr().out


def test_the_command_line_stands_in_few_wings_on_few_floors() -> None:
    graph = wings(modules(["cli"]))
    assert circles(graph) == []
    assert len(graph) <= 12
    assert floors(graph) <= 8


def test_no_folder_has_too_many_modules() -> None:
    sizes = Counter(one.room for one in HOUSE.values() if not one.is_empty)
    assert [room for room, size in sizes.items() if size > MOST_MODULES] == []


def _bounded(name: str) -> bool:
    return any(name == one or name.startswith(f"{one}.") for one in BOUNDED)


def test_no_module_is_too_long() -> None:
    long = {name: one.text.count("\n") for name, one in HOUSE.items() if _bounded(name)}
    assert {name: lines for name, lines in long.items() if lines > MOST_LINES} == {}


def test_no_function_is_too_long() -> None:
    found = {
        f"{module}:{name}": length(node)
        for module, one in HOUSE.items()
        if _bounded(module)
        for name, node in one.functions()
    }
    assert {name: lines for name, lines in found.items() if lines > MOST_FUNCTION_LINES} == {}


def _is_command(node: Function) -> bool:
    """Whether click calls it, with a parameter for each option."""
    return any("click." in ast.unparse(one) for one in node.decorator_list)


def test_no_function_at_the_border_of_a_package_has_too_many_parameters() -> None:
    found = {
        f"{module}:{name}": parameters(node)
        for module, one in HOUSE.items()
        if not module.startswith(MANY_PARAMETERS)
        for name, node in one.functions()
        if not any(part.startswith("_") and part != "__init__" for part in name.split("."))
        and not _is_command(node)
    }
    assert {name: count for name, count in found.items() if count > MOST_PARAMETERS} == {}


def test_every_package_is_looked_at() -> None:
    assert {name.partition(".")[0] for name in HOUSE} == set(PACKAGES)
