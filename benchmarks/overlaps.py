"""Overlaps drawn at random, with their passages, for a person to read and to judge."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import twicetold
from benchmarks import jsonl
from twicetold import Pair

__all__ = ["overlaps"]

#: How many passages of a pair are printed, the best first, and how many characters of each side.
_PASSAGES, _CHARACTERS = 4, 600


def overlaps(source: Path, out: Path, *, count: int, seed: int) -> None:
    """Write ``count`` overlaps of a scan with its defaults; the same seed draws the same."""
    pairs = twicetold.scan(source)
    all_of_them = sorted(
        (pair for pair in pairs if pair.relation == "overlap"),
        key=lambda pair: (pair.left, pair.right),
    )
    drawn = Random(f"overlaps/{seed}").sample(all_of_them, min(count, len(all_of_them)))
    wanted = {name for pair in drawn for name in (pair.left, pair.right)}
    texts = {str(row["id"]): row["text"] for row in jsonl.read(source) if str(row["id"]) in wanted}
    with out.open("w", encoding="utf-8") as file:
        for number, pair in enumerate(drawn, 1):
            file.writelines(f"{line}\n" for line in _shown(number, pair, texts))
    print(f"{len(drawn)} of {len(all_of_them)} overlaps among {len(pairs)} pairs: {out}")


def _shown(number: int, pair: Pair, texts: dict[str, str]) -> Iterator[str]:
    shares = f"{pair.left_in_right:.2f} {pair.right_in_left:.2f}"
    yield f"=== {number} {pair.left} | {pair.right} {shares}"
    for passage in sorted(pair.passages, key=lambda passage: -passage.score)[:_PASSAGES]:
        yield f"  {passage.type} {passage.score:.2f}"
        for name, span in ((pair.left, passage.left), (pair.right, passage.right)):
            yield f"    {' '.join(texts[name][slice(*span)].split())[:_CHARACTERS]}"
