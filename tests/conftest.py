"""How much hypothesis tries: ``TWICETOLD_TESTS`` is ``quick``, ``thorough`` or nothing."""

import os
import signal

from hypothesis import HealthCheck, settings

settings.register_profile(
    "default",
    # The same examples every time: a run is green or red for a reason. Chance is for "thorough".
    derandomize=True,
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "quick",
    derandomize=True,
    max_examples=8,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "thorough",
    max_examples=600,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile(os.environ.get("TWICETOLD_TESTS") or "default")

# Whoever runs the tests in the background may ignore Ctrl-C, and every process started from here
# would, too; some tests are about its answer.
signal.signal(signal.SIGINT, signal.default_int_handler)
