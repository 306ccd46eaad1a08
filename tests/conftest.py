"""Settings of all tests."""

from hypothesis import HealthCheck, settings

# An example that takes long on a busy machine is no failure, neither alone nor when it is made.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")
