"""Analysis alone (sentences, words, terms) on one thread, against ``wc -w`` on the same text."""

import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks import jsonl
from benchmarks.runner import MEGABYTE, measure, word_count
from benchmarks.table import figure, table
from benchmarks.text.collection import make_collection

_ROUNDS = 5
_BATCH = 1_000


@dataclass(frozen=True, slots=True)
class AnalysisSpeed:
    """Megabytes a second on one core, best of five, the two taking turns."""

    title: str
    analysis: float
    words: float

    def __str__(self) -> str:
        rows = [
            ["analysis, one thread", figure(self.analysis), figure(self.words / self.analysis)],
            ["floor: wc -w", figure(self.words), "1.00"],
        ]
        return f"{self.title}\n\n{table(['', 'MB/s', 'x floor'], rows)}"

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def analysis(
    source: Path | None, *, n_documents: int = 10_000, profile: str = "codet", seed: int = 1
) -> AnalysisSpeed:
    """Time both on the texts of a file, or of a generated collection if there is none."""
    with tempfile.TemporaryDirectory(prefix="twicetold-bench-") as folder:
        path = source or Path(folder) / "input.jsonl"
        if source is None:
            make_collection(path, n_documents, source=None, seed=seed)
        records = list(jsonl.read(path))
        plain = Path(folder) / "input.txt"
        with plain.open("w", encoding="utf-8", errors="replace") as out:
            out.writelines(f"{record['text']}\n" for record in records)
        size = plain.stat().st_size / MEGABYTE
        words, analysed = [], []
        for _ in range(_ROUNDS):
            words.append(measure(word_count(plain)).seconds)
            analysed.append(_analyse(records, profile))
    origin = "invented text" if source is None else source.name
    title = f"Analysis, profile {profile}: {origin}, {size:.1f} MB"
    return AnalysisSpeed(title, size / min(analysed), size / min(words))


def _analyse(records: list[jsonl.Record], profile: str) -> float:
    """Return the seconds the library needs for the texts, a batch at a time as in a scan."""
    from twicetold.analysis import PROFILES, Analyser

    texts = [record["text"] for record in records]
    languages = [jsonl.language(record) for record in records]
    analyser = Analyser(PROFILES[profile])
    start = time.perf_counter()
    for first in range(0, len(texts), _BATCH):
        batch = slice(first, first + _BATCH)
        analyser.analyse(texts[batch], languages=languages[batch], threads=1)
    return time.perf_counter() - start
