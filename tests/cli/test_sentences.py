"""Sentences for people: a path in one can be marked with a double click, and pasted."""

import ast
import re
from collections.abc import Iterator

from support.places import ROOT

# What a path is called here, in a formatted text, and what would be marked with it.
PATH = re.compile(r"(^|[._])(path|file|folder|kept|store|page|record)$")
GLUED = re.compile(r"[.,;!?]")


def glued(source: str) -> Iterator[str]:
    """The paths of formatted texts behind which a mark stands; texts side by side are one."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr):
            for part, behind in zip(node.values, node.values[1:], strict=False):
                if not isinstance(part, ast.FormattedValue) or not isinstance(behind, ast.Constant):
                    continue
                value = ast.unparse(part.value)
                if PATH.search(value) and GLUED.match(str(behind.value)):
                    yield value


def test_no_mark_is_glued_to_a_path() -> None:
    sources = [*(ROOT / "cli").rglob("*.py"), *(ROOT / "p2p").rglob("*.py")]
    found = {str(path): list(glued(path.read_text("utf-8"))) for path in sources}
    assert {path: values for path, values in found.items() if values} == {}


def test_it_would_be_found() -> None:
    source = "f'It is {self.path}.' + f'{folder} is there' f', as is {visitor.record}; no'"
    assert list(glued(source)) == ["self.path", "visitor.record"]
