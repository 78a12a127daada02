"""Labels for documents without any: edited versions of them, made to be learned from.

Of each document as many versions are made as there are shares, each by words or by sentences that
are replaced, dropped or added. A document and its versions are one cluster; all others are
unrelated to it, and those of them that share a key with it are the hardest. Documents that reuse an
earlier one are left out first, so that unrelated ones are.

Lin, Liao, Lee, "Detecting near-duplicate documents using sentence-level features and supervised
learning", Expert Systems with Applications 40, 2013, learn from near-duplicates that are made by
insertion, deletion and replacement; how, is not printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from random import Random

from twicetold.documents import DocumentsLike, Report
from twicetold.errors import ParameterError
from twicetold.evaluation import LabelledSet
from twicetold.experiments.planted import without_reuse
from twicetold.experiments.text.edits import WordStock, change_sentences, change_words
from twicetold.experiments.text.spans import sentences, word_spans
from twicetold.records import Document
from twicetold.scanning import Documents

__all__ = ["MOST", "SHARES", "edited_set", "edited_versions"]

#: The shares of words or sentences that are changed.
SHARES = (0.05, 0.1, 0.2, 0.3, 0.4)
#: So many documents are enough to learn a handful of numbers from.
MOST = 500

_FEWEST_SENTENCES, _FEWEST_WORDS = 3, 20


def edited_set(
    sources: DocumentsLike,
    *,
    documents: int = MOST,
    shares: Sequence[float] = SHARES,
    seed: int = 0,
) -> LabelledSet:
    """Return documents with edited versions of them, as a labelled set of clusters.

    The first ``documents`` of the sources are taken; the same ones with the same seed give the same
    versions.
    """
    found = list(islice(Documents(sources, Report(), strict=False), documents))
    base = [document for document in without_reuse(found) if _is_usable(document.text)]
    least = 4  # sources: two to learn from, two to judge by
    if len(base) < least:
        msg = (
            f"making edited versions needs at least {least} documents of {_FEWEST_SENTENCES} "
            f"sentences that reuse no other, got {len(base)}"
        )
        raise ParameterError(msg)
    versions = edited_versions(base, shares=shares, seed=seed)
    clusters = {document.id: document.id for document in base}
    clusters |= {version.id: source for source, version in versions}
    every = (*base, *(version for _, version in versions))
    return LabelledSet(name="edited", sources=every, clusters=clusters)


def edited_versions(
    documents: Sequence[Document], *, shares: Sequence[float] = SHARES, seed: int = 0
) -> list[tuple[str, Document]]:
    """Return the versions of each document, with the id of the document: one for each share."""
    rng = Random(f"edited/{seed}")  # noqa: S311 - nothing secret
    stock = WordStock()
    for document in documents:
        stock.learn(document.text)
    found = []
    for document in documents:
        for number, share in enumerate(shares, start=1):
            other = rng.choice(documents)
            by_words = rng.random() < 0.5  # noqa: PLR2004 - as often as by sentences
            text = (
                change_words(document.text, share, stock, rng)
                if by_words
                else change_sentences(document.text, share, other.text, rng)
            )
            kind = "words" if by_words else "sentences"
            name = f"{document.id} (version {number}: {share:.0%} of {kind})"
            found.append((document.id, replace(document, id=name, text=text)))
    return found


def _is_usable(text: str) -> bool:
    return len(sentences(text)) >= _FEWEST_SENTENCES and len(word_spans(text)) >= _FEWEST_WORDS
