"""Settings of all tests."""

import os
import sys

from hypothesis import HealthCheck, settings
from support import once
from support.limits import FULL

# An example that takes long on a busy machine is no failure, neither alone nor when it is made.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")

# Else each of the many processes that tests start compiles the whole product anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

if not FULL:
    once.install()
