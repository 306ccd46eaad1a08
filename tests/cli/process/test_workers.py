"""Worker processes and Ctrl-C."""

import subprocess
import sys

from support.limits import HANG_SECONDS

# In a process of its own, where multiprocessing has started nothing yet.
SCRIPT = """
import multiprocessing, signal
from cli.process.workers import uninterrupted

with uninterrupted():
    worker = multiprocessing.get_context("spawn").Process(target=int)
    worker.start()
    assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
worker.join()
"""


def test_no_ctrl_c_comes_through_while_a_worker_is_started() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
