"""A sample of the simulated matches; `python tests/simulate.py` plays as many as are wanted.

It runs in processes of its own: the stand-in of the group has to come before everything else.
"""

import os
import subprocess
import sys

import pytest
from support.limits import FULL, HANG_SECONDS
from support.places import TESTS
from support.simulate.plan import KINDS, make_plan


def simulate(*words: str, hash_seed: str = "0") -> subprocess.CompletedProcess[str]:
    """Run the command; hashes of texts, and so the order in sets of them, follow `hash_seed`."""
    command = [sys.executable, str(TESTS / "simulate.py"), *words]
    seeded = {**os.environ, "PYTHONHASHSEED": hash_seed}
    return subprocess.run(command, env=seeded, capture_output=True, text=True, timeout=HANG_SECONDS)


def test_a_seed_gives_the_same_trace_in_another_process() -> None:
    one, other = (simulate("--seeds", "8:10", hash_seed=seed) for seed in ("1", "2"))
    assert one.returncode == 0, one.stdout + one.stderr
    assert "0 failed" in one.stdout
    assert one.stdout == other.stdout


@pytest.mark.parametrize("seed", [487, 2716, 5503, 10684, 21092])
def test_what_may_end_in_more_than_one_way_is_no_failure(seed: int) -> None:
    """A vote that was late just before the end; somebody looks on and sees a cheat's last message,
    which the players never get, or another one, or its second signature before a match that was
    closed long ago; and whoever slept is left by all others."""
    done = simulate("--seeds", f"{seed}:{seed + 1}")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_fault_is_planned_in_some_seed_and_every_seed_has_one(kind: str) -> None:
    plans = [make_plan(seed) for seed in range(60)]
    assert all(plan.faults and len(plan.cheats) <= 1 for plan in plans)
    assert any(one.kind == kind for plan in plans for one in plan.faults)
    assert make_plan(7) == make_plan(7) != make_plan(8)


@pytest.mark.parametrize("bug", ["unsaved-message", "nonce-shown-early"][not FULL :])
def test_a_planted_bug_is_found_within_a_few_seeds(bug: str) -> None:
    done = simulate("--seeds", "0:8", "--faults", "lag,cut", "--plant", bug)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{bug}: found by seed" in done.stdout


@pytest.mark.parametrize(
    ("seed", "faults", "made"),
    [
        # Who was unplugged as the others ended waits for good; three who lose each other in turn.
        (683, "", "excused stall 1"),
        (10343, "", "excused stall 1"),
        (153, "kill,full disk,lag", "full disk between matches 1, kill between matches 1"),
    ],
)
def test_what_becomes_of_a_match_that_somebody_misses_the_end_of(
    seed: int, faults: str, made: str
) -> None:
    kinds = ["--faults", faults] if faults else []
    done = simulate("--seeds", f"{seed}:{seed + 1}", *kinds)
    assert done.returncode == 0, done.stdout + done.stderr
    assert made in done.stdout
