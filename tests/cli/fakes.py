"""A detector beside the real ones, to see what is made of two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from twicetold import _kernel
from twicetold.analysis import Analysed
from twicetold.parameters import parameter
from twicetold.pipeline import Detector, Features, Trace
from twicetold.statistics import Statistics


@dataclass(frozen=True, slots=True, kw_only=True)
class Fake(Detector):
    """Shares a name with CoDet's parameters twice, with another default and other choices."""

    name: ClassVar[str] = "fake"
    profile: ClassVar[str] = "plain"

    threshold: float = parameter(0.9, "how alike", minimum=0, maximum=1)
    mode: Literal["set", "odd"] = parameter("odd", "how to count")
    shine: bool = parameter(False, "whether to polish")

    def features(self, analysed: Analysed, statistics: Statistics, *, threads: int = 0) -> Features:
        """Return nothing."""
        return _kernel.Features()

    def trace(self, analysed: Analysed, document: int, statistics: Statistics) -> list[Trace]:
        """Return nothing."""
        return []
