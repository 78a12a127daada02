"""The options that say how to decide, for every command that runs a detector."""

from __future__ import annotations

import inspect

import click

from twicetold.analysis import PROFILES
from twicetold.cli.durations import duration
from twicetold.cli.options import method_options
from twicetold.cli.sections import option
from twicetold.scanning import scan

__all__ = [
    "all_pairs_option",
    "detector_options",
    "floor_option",
    "grams_option",
    "language_option",
    "max_key_documents_option",
    "passages_option",
    "profile_option",
    "statistics_option",
    "threads_option",
    "window_option",
]

_SECTION = "How to decide"
_DEFAULTS = {name: known.default for name, known in inspect.signature(scan).parameters.items()}

detector_options = method_options(_SECTION, default=_DEFAULTS["method"])

window_option = option(
    _SECTION,
    "--window",
    callback=duration,
    metavar="DURATION",
    help="only pairs published no further apart, such as 7d, 12h or 1d12h  [default: all]",
)
floor_option = option(
    _SECTION,
    "--floor",
    type=float,
    metavar="NUMBER",
    help="also pairs below the threshold, from this score on  [0 to 1; default: none]",
)
all_pairs_option = option(
    _SECTION,
    "--all-pairs",
    is_flag=True,
    help="every pair of equal documents, not only each with the earliest",
)
max_key_documents_option = option(
    _SECTION,
    "--max-key-documents",
    type=int,
    metavar="INTEGER",
    default=_DEFAULTS["max_key_documents"],
    show_default=True,
    help="leave out what more documents than this have; pinned statistics bring their own",
)
grams_option = option(
    _SECTION,
    "--grams",
    is_flag=True,
    help="also count 4-grams of characters, for rare-grams; with that method always",
)
passages_option = option(
    _SECTION,
    "--passages",
    is_flag=True,
    help="also the sentences that match, with their places; of methods that compare sentences",
)
language_option = option(
    _SECTION,
    "--language",
    metavar="CODE",
    help="of all documents, such as en  [default: each document's own, or detected]",
)
profile_option = option(
    _SECTION,
    "--profile",
    type=click.Choice(list(PROFILES)),
    metavar="NAME",
    help=f"how words become terms: {', '.join(PROFILES)}  [default: the method's]",
)
statistics_option = option(
    _SECTION,
    "--statistics",
    metavar="FILE",
    help="pinned, from `twicetold statistics build`  [default: those of the sources]",
)
threads_option = option(
    _SECTION,
    "--threads",
    type=int,
    metavar="INTEGER",
    default=_DEFAULTS["threads"],
    help="how many to work with  [default: 0, which is all cores]",
)
