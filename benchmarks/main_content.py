"""How well the main content of pages is found, by the scoring of the article extraction benchmark.

A page's score compares the runs of four words of what was found with those of the article: the
share that is right (precision) and the share that was found (recall). Both are averaged over pages,
and F1 is that of the averages.
"""

import json
import re
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.table import table
from twicetold.documents import CONTENTS, read

_WORD = re.compile(r"\w+")
_RUN = 4


@dataclass(frozen=True, slots=True)
class MainContent:
    """Precision, recall and F1 of each kind of content."""

    pages: int
    scores: dict[str, tuple[float, float, float]]

    def __str__(self) -> str:
        rows = [[name, *(f"{value:.3f}" for value in own)] for name, own in self.scores.items()]
        made = table(["content", "precision", "recall", "F1"], rows)
        return f"Main content of {self.pages:,} pages\n\n{made}"

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def main_content(folder: Path) -> MainContent:
    """Score each kind of content on ``ground-truth.json`` and the pages in ``html``."""
    truth = json.loads((folder / "ground-truth.json").read_text("utf-8"))
    scores: dict[str, tuple[float, float, float]] = {}
    for content in CONTENTS:
        texts = {
            page.id.partition(".")[0]: page.text for page in read(folder / "html", content=content)
        }
        pairs = [score(row["articleBody"], texts.get(name, "")) for name, row in truth.items()]
        precision, recall = (sum(column) / len(pairs) for column in zip(*pairs, strict=True))
        scores[content] = (precision, recall, 2 * precision * recall / (precision + recall))
    return MainContent(len(truth), scores)


def score(wanted: str, found: str) -> tuple[float, float]:
    """Return precision and recall of runs of four words.

    >>> score("a b c d e", "a b c d")
    (1.0, 0.5)
    """
    right, got = runs(wanted), runs(found)
    common = (right & got).total()
    return common / got.total(), common / right.total()


def runs(text: str) -> Counter[tuple[str, ...]]:
    """Return the runs of four words, or all words where these are fewer."""
    words = _WORD.findall(text)
    return Counter(tuple(words[n : n + _RUN]) for n in range(max(1, len(words) - _RUN + 1)))
