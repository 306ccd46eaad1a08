"""Standing in somebody's folder: none of the modules that lie there is run."""

import subprocess
import sys
from pathlib import Path

from support.limits import HANG_SECONDS
from support.places import ROOT
from support.session.matches import small

# As the installed command starts, which does not look into the current folder either.
START = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from cli.__main__ import main; main()"
# Leaves a trace, then gives way to the module whose name it bears.
INTRUDER = """
import pathlib, sys
pathlib.Path(__file__).with_name("ran").touch()
sys.path.pop(0)
del sys.modules["pickle"]
import pickle
"""


def run_in(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-c", START, *arguments, "--data-dir", str(folder / "home")],
        cwd=folder,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=HANG_SECONDS,
        check=False,
    )


def test_bots_are_ours_where_another_package_has_the_same_name(tmp_path: Path) -> None:
    (tmp_path / "cli").mkdir()
    (tmp_path / "cli" / "__init__.py").write_text("raise SystemExit('another package')")
    table = ("--bots", "1", "--level", "easy", "--auto", "easy", "--target", "5")
    played = run_in(tmp_path, "play", *table)
    assert played.returncode == 0, played.stderr


def test_records_are_checked_without_the_code_that_lies_beside_them(tmp_path: Path) -> None:
    (tmp_path / "pickle.py").write_text(INTRUDER)
    for name in ("a.fives", "b.fives"):
        (tmp_path / name).write_bytes(small().record)
    checked = run_in(tmp_path, "verify", "--jobs", "2", "a.fives", "b.fives")
    assert checked.returncode == 0, checked.stderr
    assert not (tmp_path / "ran").exists()
