"""The limits of the analysis, with the numbers that stand in the source of the kernel."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path

__all__ = ["limits_of"]

TEXT = "crates/kernel/src/text"
#: A limit of the kernel: what it limits, where it is written, its unit, what happens beyond it.
LIMITS = (
    (
        "text looked at to detect a language",
        "detect.rs:SAMPLE",
        "bytes",
        "is not looked at",
    ),
    (
        "a block without a blank line",
        "sentences.rs:MAX_BLOCK",
        "bytes",
        "is cut at white space; a sentence may be divided there",
    ),
    (
        "quotation marks and brackets in a block of Greek, Armenian or Burmese",
        "others.rs:MAX_MARKS",
        "marks",
        "the block is cut, likewise",
    ),
    (
        "a run of a script without spaces",
        "words.rs:MAX_RUN",
        "bytes",
        "is cut; a word may be divided there",
    ),
    (
        "a word",
        "terms.rs:MAX_WORD",
        "bytes",
        "is known by its beginning and its hash",
    ),
)


def limits_of(root: Path) -> Iterator[list[str]]:
    """Yield what is limited, to how much, and what happens beyond."""
    for what, where, unit, beyond in LIMITS:
        file, _, name = where.partition(":")
        source = (root / TEXT / file).read_text("utf-8")
        found = re.search(rf"^const {name}: usize = ([\d_ *]+);$", source, re.MULTILINE)
        if found is None:
            msg = f"{TEXT}/{file} has no constant {name}"
            raise SystemExit(msg)
        number = math.prod(int(factor) for factor in found[1].split("*"))
        yield [what, f"{number:,} {unit}", beyond]
