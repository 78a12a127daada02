"""The one door to generated collections: by name of what they are, of any size, seeded."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

from benchmarks import jsonl
from benchmarks.jsonl import Record
from benchmarks.text import planted, writer
from twicetold.experiments.text import resample


def make_collection(
    out: Path,
    n_documents: int,
    *,
    source: Path | None = None,
    seed: int,
    mean_length: float | None = None,
) -> None:
    """Write documents of invented text, or of the paragraphs of ``source``, one at a time.

    ``mean_length``: the characters of those in the mean, where that is not to be what it is there.
    """
    if source is None:
        if mean_length is not None:
            msg = "the length of invented documents is not chosen; give --from"
            raise SystemExit(msg)
        stream = writer.documents(seed)
    elif mean_length is not None and mean_length <= 0:
        msg = f"--mean-length must be above 0, got {mean_length:g}"
        raise SystemExit(msg)
    else:
        stream = resample.documents(jsonl.read(source), seed, mean_length=mean_length)
    jsonl.write(out, islice(stream, n_documents))


def make_planted(
    out: Path, truth: Path, n_documents: int, *, source: Path | None, seed: int
) -> dict[planted.Kind, int]:
    """Write a planted collection; with ``source``, its documents as they are, or a sample."""
    if source is None:
        base = writer.documents(seed)
    else:
        n_documents, base = _sample(source, n_documents, seed)
    return planted.plant(base, n_documents, out, truth, seed=seed)


def make_equal(out: Path, n_documents: int, *, seed: int) -> None:
    """Write one document many times, each time under its own id."""
    text = next(writer.documents(seed))["text"]
    jsonl.write(out, ({"id": f"equal-{n:07d}", "text": text} for n in range(n_documents)))


def _sample(source: Path, n_documents: int, seed: int) -> tuple[int, Iterator[Record]]:
    """Return how many documents there are to take, and them, in the order of the file."""
    with source.open("rb") as lines:
        n_lines = sum(not line.isspace() for line in lines)
    n_taken = min(n_documents, n_lines)
    places = set(Random(seed).sample(range(n_lines), n_taken))
    return n_taken, (record for n, record in enumerate(jsonl.read(source)) if n in places)
