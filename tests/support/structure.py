"""The structure of the product, read from its sources: who imports whom, how large things are.

A room is a folder with the modules that stand in it directly. Every import counts, also one inside
a function or for type checking alone. `python -m support.structure` in tests/ prints the numbers.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from support.places import ROOT

PACKAGES = ("engine", "p2p", "cli")
Graph = Mapping[str, frozenset[str]]
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Module:
    """A source file: its dotted name, where it lies, its text."""

    name: str
    path: Path
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        """The parsed text."""
        return ast.parse(self.text)

    @cached_property
    def imported(self) -> frozenset[tuple[str, str]]:
        """Each module that it imports, with the name that it takes from there ("": none)."""
        found: set[tuple[str, str]] = set()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found |= {(node.module, alias.name) for alias in node.names}
            elif isinstance(node, ast.Import):
                found |= {(alias.name, "") for alias in node.names}
        return frozenset(found)

    @property
    def room(self) -> str:
        """The folder in which it stands, dotted."""
        return ".".join(self.path.relative_to(ROOT).parent.parts)

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing but what its folder is for."""
        return all(isinstance(node, ast.Expr) for node in self.tree.body)

    def functions(self) -> Iterator[tuple[str, Function]]:
        """All functions and methods with their qualified names."""
        yield from _functions(self.tree, "")

    def code_lines(self) -> int:
        """Lines without blanks, comments and docstrings."""
        told = {line for node in ast.walk(self.tree) for line in _docstring(node)}
        rows = enumerate(self.text.splitlines(), 1)
        return sum(
            bool(row.strip()) and not row.lstrip().startswith("#") and number not in told
            for number, row in rows
        )


def _functions(node: ast.AST, prefix: str) -> Iterator[tuple[str, Function]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{prefix}{child.name}", child
            yield from _functions(child, f"{prefix}{child.name}.")
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{prefix}{child.name}.")
        else:
            yield from _functions(child, prefix)


def _docstring(node: ast.AST) -> range:
    if not isinstance(node, ast.Module | ast.ClassDef | Function) or not node.body:
        return range(0)
    first = node.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        return range(first.lineno, (first.end_lineno or first.lineno) + 1)
    return range(0)


def modules(packages: Iterable[str] = PACKAGES) -> dict[str, Module]:
    """All modules by name; a package's `__init__` bears the package's name."""
    return {name: one for package in packages for name, one in _modules_of(package).items()}


@cache
def _modules_of(package: str) -> Mapping[str, Module]:
    """Each file is read, and parsed, once."""
    found: dict[str, Module] = {}
    for path in sorted((ROOT / package).rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        name = name.removesuffix(".__init__")
        found[name] = Module(name, path, path.read_text("utf-8"))
    return found


def imports(found: Mapping[str, Module]) -> Graph:
    """By module those of the same set that it imports."""
    return {
        name: frozenset(
            other for other in (_owner(*one, found) for one in module.imported) if other
        )
        - {name}
        for name, module in found.items()
    }


def _owner(module: str, name: str, found: Mapping[str, Module]) -> str:
    """The module of the set that an import of that name from that module is about ("": none)."""
    inner = f"{module}.{name}"
    return inner if inner in found else module if module in found else ""


def rooms(found: Mapping[str, Module]) -> Graph:
    """By room the others that its modules import."""
    between: dict[str, set[str]] = {one.room: set() for one in found.values() if not one.is_empty}
    for name, others in imports(found).items():
        for other in others:
            if found[name].room != found[other].room:
                between[found[name].room].add(found[other].room)
    return {room: frozenset(others) for room, others in between.items()}


def wings(found: Mapping[str, Module]) -> Graph:
    """The same by wing: a folder of a package with all that stands in it, however deep."""

    def wing(room: str) -> str:
        return ".".join(room.split(".")[:2])

    between: dict[str, frozenset[str]] = {}
    for room, others in rooms(found).items():
        before = between.get(wing(room), frozenset())
        between[wing(room)] = (before | set(map(wing, others))) - {wing(room)}
    return between


def circles(graph: Graph) -> list[tuple[str, ...]]:
    """The groups of two or more that reach each other."""
    reach = {name: _reached(graph, name) for name in graph}
    groups = {
        tuple(sorted(other for other in reach[name] if name in reach[other]))
        for name in graph
        if name in reach[name]
    }
    return sorted(groups)


def _reached(graph: Graph, start: str) -> set[str]:
    seen: set[str] = set()
    todo = [start]
    while todo:
        for other in graph[todo.pop()]:
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return seen


def floors(graph: Graph) -> int:
    """The length of the longest way down, in rooms. Only for a graph without circles."""
    height: dict[str, int] = {}

    def above(name: str) -> int:
        if name not in height:
            height[name] = 1 + max((above(other) for other in graph[name]), default=0)
        return height[name]

    return max((above(name) for name in graph), default=0)


def length(node: Function) -> int:
    """Its lines, decorators not counted."""
    return (node.end_lineno or node.lineno) - node.lineno + 1


def parameters(node: Function) -> int:
    """How many parameters a caller sees: all but `self` and `cls`."""
    named = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    return len([one for one in named if one.arg not in ("self", "cls")])


def main() -> None:
    """Print the numbers."""
    found = modules()
    print(f"circles of modules: {circles(imports(found))}")
    print(f"circles of folders: {circles(rooms(found))}")
    for package in PACKAGES:
        inside = modules([package])
        graph = rooms(inside)
        arrows = sum(map(len, graph.values()))
        lines = sum(one.code_lines() for one in inside.values())
        high = "-" if circles(graph) else floors(graph)
        print(f"{package}: {len(graph)} rooms, {high} floors, {arrows} arrows, {lines} lines")
    large = wings(modules(["cli"]))
    print(f"cli by wing: {len(large)} rooms, {floors(large)} floors, circles {circles(large)}")


if __name__ == "__main__":
    main()
