"""DSC: containment of a sample of word grams."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from twicetold import _kernel
from twicetold.analysis import Analysed
from twicetold.parameters import parameter
from twicetold.pipeline import Detector, Features, Trace
from twicetold.statistics import Statistics

__all__ = ["DSC"]

_SAMPLING = {"positional": "every", "super-shingle": "runs", "mod": "multiples"}


@dataclass(frozen=True, slots=True, kw_only=True)
class DSC(Detector):
    """Containment of a sample of word grams: digital syntactic clustering.

    ``mode`` says which grams g0, g1, … of a document are kept, with s = ``sampling``::

        positional     g0, gs, g2s, …                  loses a copy that is shifted by one word
        super-shingle  every run of s neighbours, as one
        mod            those whose hash is 0 modulo s  a gram is kept in all documents or in none

        C(A, B) = |S(A) & S(B)| / |S(A)|               B contains A  if  C(A, B) >= threshold

    Broder, Glassman, Manasse, Zweig, "Syntactic clustering of the Web", 1997 (shingles of 10 words,
    1 in 25 by the hash); as adapted by Varol, Can, Aykanat, Kaya, CIKM 2011, section 4: "every
    three overlapping substrings of size four", 60%. Differs from the papers: our 64-bit hash in
    place of SHA-1 and Rabin's, and grams too many documents share are left out.

    >>> from twicetold import Document, scan
    >>> text = "Dam broke Monday, ten villages lie below, minister flew there yesterday."
    >>> documents = [Document(id="a", text=text), Document(id="b", text=f"Flood: {text}")]
    >>> for mode in ("positional", "super-shingle"):
    ...     pairs = scan(documents, method="dsc", mode=mode)
    ...     print(mode, [p.relation for p in pairs])
    positional []
    super-shingle ['near-duplicate']
    """

    name: ClassVar[str] = "dsc"
    profile: ClassVar[str] = "codet"

    threshold: float = parameter(
        0.6,
        "share of a document's sample from which on it is contained",
        minimum=0,
        maximum=1,
        decides_keys=False,
    )
    gram: int = parameter(4, "how many words a gram has", minimum=1, maximum=1000)
    mode: Literal["positional", "super-shingle", "mod"] = parameter(
        "positional", "keep grams by position, join neighbours into one, or keep them by hash"
    )
    sampling: int = parameter(
        3, "one gram in so many is kept, or so many are joined into one", minimum=1, maximum=2**63
    )

    def _options(self) -> dict[str, Any]:
        return {"size": self.gram, "sampling": _SAMPLING[self.mode], "amount": self.sampling}

    def features(
        self,
        analysed: Analysed,
        statistics: Statistics,  # noqa: ARG002 - grams need none
        *,
        threads: int = 0,
    ) -> Features:
        """Return the grams of each document that are kept."""
        return _kernel.gram_features(analysed, **self._options(), threads=threads)

    def trace(
        self,
        analysed: Analysed,
        document: int,
        statistics: Statistics,  # noqa: ARG002 - grams need none
    ) -> list[Trace]:
        """Return the grams of a document that are kept, in words."""
        rows = _kernel.gram_trace(analysed, document, **self._options())
        return [Trace(n, " ".join(words), key, 1.0) for n, words, key in rows]
