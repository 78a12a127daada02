"""How much hypothesis tries: ``TWICETOLD_TESTS`` is ``quick``, ``nightly`` or nothing."""

import os
import signal
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis.database import DirectoryBasedExampleDatabase

settings.register_profile(
    "default",
    # The same examples every time: a run is green or red for a reason. Chance is for "nightly".
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
    "nightly",
    # Other examples each time; what failed is kept, and tried first until it is mended.
    derandomize=False,
    database=DirectoryBasedExampleDatabase(
        Path(__file__).resolve().parents[1] / "build" / "hypothesis"
    ),
    print_blob=True,
    max_examples=200,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile(os.environ.get("TWICETOLD_TESTS") or "default")

# Whoever runs the tests in the background may ignore Ctrl-C, and every process started from here
# would, too; some tests are about its answer.
signal.signal(signal.SIGINT, signal.default_int_handler)
