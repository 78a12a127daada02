"""Full fingerprinting: containment of all word grams."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from twicetold import _kernel
from twicetold.analysis import Analysed
from twicetold.parameters import parameter
from twicetold.pipeline import Detector, Features, Trace
from twicetold.statistics import Statistics

__all__ = ["FullFingerprint"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FullFingerprint(Detector):
    """Containment of all word grams: the yardstick of fingerprints.

    Every run of ``gram`` neighbouring words of a document is a fingerprint, each counted once::

        F(X)    = the different grams of X
        C(A, B) = |F(A) & F(B)| / |F(A)|        B contains A  if  C(A, B) >= threshold

    Grams run across sentences, over the words the profile keeps; a document of fewer words is one
    gram.

    Varol, Can, Aykanat, Kaya, "CoDet: Sentence-based Containment Detection in News Corpora",
    CIKM 2011, section 4, as "FFP": substrings of size four, 60%; read as four words. Differs from
    the paper: our 64-bit hash in place of SHA-1, and grams too many documents share are left out.

    >>> from twicetold import Document, scan
    >>> short = Document(id="short", text="Dam broke Monday: ten villages fled.")
    >>> long = Document(id="long", text=f"{short.text} Minister flew there, rain fell all night.")
    >>> pairs = scan([long, short], method="full-fingerprint", language="en")
    >>> [(p.left, p.relation, p.right) for p in pairs]
    [('long', 'contains', 'short')]
    """

    name: ClassVar[str] = "full-fingerprint"
    profile: ClassVar[str] = "codet"

    threshold: float = parameter(
        0.6,
        "share of a document's grams from which on it is contained",
        minimum=0,
        maximum=1,
        decides_keys=False,
    )
    gram: int = parameter(4, "how many words a gram has", minimum=1, maximum=1000)

    def features(
        self,
        analysed: Analysed,
        statistics: Statistics,  # noqa: ARG002 - grams need none
        *,
        threads: int = 0,
    ) -> Features:
        """Return the grams of each document."""
        return _kernel.gram_features(analysed, size=self.gram, threads=threads)

    def trace(
        self,
        analysed: Analysed,
        document: int,
        statistics: Statistics,  # noqa: ARG002 - grams need none
    ) -> list[Trace]:
        """Return the grams of a document, in words."""
        rows = _kernel.gram_trace(analysed, document, size=self.gram)
        return [Trace(n, " ".join(words), key, 1.0) for n, words, key in rows]
