"""What the sketching peers share: lower-cased word 3-grams of a JSONL, and pairs written out."""

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import orjson

PERMUTATIONS = 128
THRESHOLD = 0.5
SEED = 42
_N = 3
_WORDS = re.compile(r"\w+")


def arguments() -> tuple[Path, Path]:
    """Return the input and the output from the command line."""
    try:
        _, source, out = sys.argv
    except ValueError:
        msg = "usage: python -m benchmarks.peers.NAME INPUT.jsonl PAIRS.jsonl"
        raise SystemExit(msg) from None
    return Path(source), Path(out)


def texts(path: Path) -> Iterator[tuple[str, str]]:
    """Yield ids and texts."""
    with path.open("rb") as lines:
        for line in lines:
            record = orjson.loads(line)
            yield str(record["id"]), record["text"]


def shingles(text: str) -> set[str]:
    """Return the word 3-grams; of a shorter text, the text."""
    words = _WORDS.findall(text.lower())
    if len(words) < _N:
        return {" ".join(words)} if words else set()
    return set(map(" ".join, zip(words, words[1:], words[2:], strict=False)))


def write_pairs(path: Path, pairs: Iterable[tuple[str, str]]) -> None:
    """Write each pair once, whichever way round it was found."""
    ordered = {(left, right) if left < right else (right, left) for left, right in pairs}
    with path.open("wb") as out:
        for left, right in sorted(ordered):
            if left != right:
                out.write(orjson.dumps({"left": left, "right": right}) + b"\n")
