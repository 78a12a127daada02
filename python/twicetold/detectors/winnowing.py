"""Winnowing: containment of the smallest gram hashes of every window."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from twicetold import _kernel
from twicetold.analysis import Analysed
from twicetold.parameters import parameter
from twicetold.pipeline import Detector, Features, Trace
from twicetold.statistics import Statistics

__all__ = ["Winnowing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Winnowing(Detector):
    """Containment of winnowed gram fingerprints.

    The smallest of every ``winnow`` neighbouring gram hashes is kept, the last one of equals, so
    that a shared run of ``winnow + gram - 1`` words always shares a fingerprint::

        W(X)    = { min(h_i, …, h_{i + winnow - 1}) }   h: the hashes of the grams of X
        C(A, B) = |W(A) & W(B)| / |W(A)|                B contains A  if  C(A, B) >= threshold

    Schleimer, Wilkerson, Aiken, "Winnowing: local algorithms for document fingerprinting", SIGMOD
    2003, section 3. Differs from the paper: grams are of words (``gram_of="characters"`` takes
    characters, without spaces, as the paper does), the hash is ours instead of a rolling one, and
    fingerprints too many documents share are left out.

    >>> from twicetold import Document, scan
    >>> text = "Dam broke Monday, ten villages lie below, minister flew there yesterday."
    >>> documents = [Document(id="a", text=text), Document(id="b", text=f"Flood: {text}")]
    >>> [p.relation for p in scan(documents, method="winnowing")]
    ['near-duplicate']
    """

    name: ClassVar[str] = "winnowing"
    profile: ClassVar[str] = "plain"

    threshold: float = parameter(
        0.5,
        "share of a document's fingerprints from which on it is contained",
        minimum=0,
        maximum=1,
        decides_keys=False,
    )
    gram: int = parameter(
        5, "how many words or characters a gram has (the paper's k)", minimum=1, maximum=1000
    )
    winnow: int = parameter(
        4, "of so many neighbouring grams the smallest hash is kept (the paper's w)", minimum=1
    )
    gram_of: Literal["words", "characters"] = parameter(
        "words", "what a gram is made of; of characters take 25 or more"
    )

    def _options(self) -> dict[str, Any]:
        amount = min(self.winnow, sys.maxsize)
        return {"size": self.gram, "of": self.gram_of, "sampling": "winnow", "amount": amount}

    def features(
        self,
        analysed: Analysed,
        statistics: Statistics,  # noqa: ARG002 - grams need none
        *,
        threads: int = 0,
    ) -> Features:
        """Return the fingerprints of each document."""
        return _kernel.gram_features(analysed, **self._options(), threads=threads)

    def trace(
        self,
        analysed: Analysed,
        document: int,
        statistics: Statistics,  # noqa: ARG002 - grams need none
    ) -> list[Trace]:
        """Return the fingerprints of a document, in words."""
        rows = _kernel.gram_trace(analysed, document, **self._options())
        space = " " if self.gram_of == "words" else ""
        return [Trace(n, space.join(items), key, 1.0) for n, items, key in rows]
