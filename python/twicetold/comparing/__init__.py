"""Documents side by side: what the rest of the program may use is `compare` and its records."""

from twicetold.comparing.dotplots import DotPattern, Dotplot, dotplot
from twicetold.comparing.records import Compared, Comparison, Dot, Part, Verdict
from twicetold.comparing.running import RETELLING, compare, comparing_methods

__all__ = [
    "RETELLING",
    "Compared",
    "Comparison",
    "Dot",
    "DotPattern",
    "Dotplot",
    "Part",
    "Verdict",
    "compare",
    "comparing_methods",
    "dotplot",
]
