"""The experiments of the papers, on any collection: our numbers beside theirs.

::

    collection ─► experiment ─► Outcome ─► table, CSV, PNG, SVG, JSON
    (and truth)   table.py       frame.py   output.py, plotting.py

`run` makes one experiment, `save` writes what came of it.
"""

from __future__ import annotations

from .frame import Figure, Outcome, Series, Setting
from .output import outcome_lines, save
from .running import run
from .table import EXPERIMENTS, Experiment

__all__ = [
    "EXPERIMENTS",
    "Experiment",
    "Figure",
    "Outcome",
    "Series",
    "Setting",
    "outcome_lines",
    "run",
    "save",
]
