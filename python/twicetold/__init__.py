"""Twicetold finds what was told twice.

Which documents are contained in which others, which are near-duplicates, which sentences were
reused::

    import twicetold

    for pair in twicetold.scan("news.jsonl", threshold=0.5):
        print(pair.left, pair.relation, pair.right, pair.score)

Names are imported when they are first used: ``import twicetold`` itself is quick.
"""

from __future__ import annotations

# As in `typing`, which takes longer to import than all the rest: checkers take it for true.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any

    from twicetold.analysis import PROFILES, Profile, analyse
    from twicetold.counting import build_statistics
    from twicetold.documents import Fields, Report, read
    from twicetold.errors import (
        DeadlineError,
        DocumentError,
        FormatError,
        KernelError,
        MissingExtraError,
        ParameterError,
        SourceError,
        StatisticsError,
        TwicetoldError,
    )
    from twicetold.explaining import explain
    from twicetold.pairs import Pairs
    from twicetold.pipeline import DETECTORS, ENGINES, Detector, Engine
    from twicetold.records import Document, Pair
    from twicetold.scanning import scan
    from twicetold.statistics import Statistics

_HOME = {
    "analysis": ("PROFILES", "Profile", "analyse"),
    "counting": ("build_statistics",),
    "documents": ("Fields", "Report", "read"),
    "errors": (
        "DeadlineError",
        "DocumentError",
        "FormatError",
        "KernelError",
        "MissingExtraError",
        "ParameterError",
        "SourceError",
        "StatisticsError",
        "TwicetoldError",
    ),
    "explaining": ("explain",),
    "pairs": ("Pairs",),
    "pipeline": ("DETECTORS", "ENGINES", "Detector", "Engine"),
    "records": ("Document", "Pair"),
    "scanning": ("scan",),
    "statistics": ("Statistics",),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "DETECTORS",
    "ENGINES",
    "PROFILES",
    "DeadlineError",
    "Detector",
    "Document",
    "DocumentError",
    "Engine",
    "Fields",
    "FormatError",
    "KernelError",
    "MissingExtraError",
    "Pair",
    "Pairs",
    "ParameterError",
    "Profile",
    "Report",
    "SourceError",
    "Statistics",
    "StatisticsError",
    "TwicetoldError",
    "analyse",
    "build_statistics",
    "explain",
    "read",
    "scan",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from twicetold._kernel import VERSION

        return VERSION
    if name not in _MODULE_OF:
        msg = f"module 'twicetold' has no attribute {name!r}"
        raise AttributeError(msg)
    from importlib import import_module

    value = getattr(import_module(f"twicetold.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})
