"""The options that commands share, each written down once."""

import argparse
from pathlib import Path
from typing import Any

from benchmarks.tools import TOOLS

_ALL_TOOLS = ",".join(tool.name for tool in TOOLS)


def _names(text: str) -> list[str]:
    return text.split(",")


def _sizes(text: str) -> list[int]:
    return [int(size) for size in text.split(",")]


_OPTIONS: dict[str, dict[str, Any]] = {
    "--from": {
        "dest": "source",
        "type": Path,
        "metavar": "FILE.jsonl",
        "help": "take the text from this file (default: invent it)",
    },
    "--input": {
        "dest": "source",
        "type": Path,
        "metavar": "FILE.jsonl",
        "help": "the file to run on (default: a generated collection)",
    },
    "--documents": {
        "dest": "n_documents",
        "type": int,
        "metavar": "N",
        "help": "documents to generate (default: %(default)s)",
    },
    "--sizes": {
        "type": _sizes,
        "metavar": "N,N,...",
        "help": "documents of each scan (default: %(default)s)",
    },
    "--seed": {"type": int, "default": 1, "help": "of everything random (default: %(default)s)"},
    "--limit": {
        "type": float,
        "default": 600,
        "metavar": "SECONDS",
        "help": "until a run is stopped (default: %(default)s)",
    },
    "--tools": {
        "dest": "names",
        "type": _names,
        "default": _ALL_TOOLS,
        "metavar": "NAME,...",
        "help": "which to run, also twicetold:METHOD[@FLOOR] (default: %(default)s)",
    },
    "--method": {"default": "codet", "help": "Twicetold's method (default: %(default)s)"},
    "--json": {
        "dest": "json_out",
        "type": Path,
        "metavar": "OUT.json",
        "help": "keep the figures here",
    },
}


def add(parser: argparse.ArgumentParser, *flags: str, **defaults: Any) -> None:
    """Add shared options by their flags; ``defaults`` are this command's own, by flag name."""
    for flag in flags:
        settings = dict(_OPTIONS[flag])
        if flag.removeprefix("--") in defaults:
            settings["default"] = defaults[flag.removeprefix("--")]
        parser.add_argument(flag, **settings)
