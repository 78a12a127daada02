"""How much hypothesis tries: little by default, a lot with ``TWICETOLD_THOROUGH=1``."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "default",
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "thorough",
    max_examples=600,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("thorough" if os.environ.get("TWICETOLD_THOROUGH") == "1" else "default")
