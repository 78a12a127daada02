"""MinHash: resemblance and containment of word grams, estimated from slots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from twicetold import _kernel
from twicetold.analysis import Analysed
from twicetold.errors import ParameterError
from twicetold.parameters import parameter
from twicetold.pipeline import Detector, Features, Keys, Trace, Verification
from twicetold.scoring import Relations, Scores
from twicetold.statistics import Statistics

__all__ = ["MinHash"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MinHash(Detector):
    """Resemblance and containment of word grams, estimated from slots.

    A slot of a document is the smallest value that a permutation moves the hash of one of its
    grams to. Two documents have the same slot with the chance that their grams resemble each
    other, and sizes tell the rest::

        J       = share of equal slots        estimates |A & B| / |A | B|
        shared  = J / (1 + J) * (|A| + |B|)   at most the smaller of |A| and |B|
        C(A, B) = shared / |A|

    Slots are cut into ``bands``; only documents with an equal band are compared. Bands suit the
    threshold, with misses weighing nine times as much as vain comparisons. With
    ``mode="containment"`` the threshold is one of C: documents are parted by size, and a document
    looks for its containers in each part with the bands that suit what J can be there.

    Broder, "On the resemblance and containment of documents", SEQUENCES 1997; bands: Gionis, Indyk,
    Motwani, VLDB 1999; parts: Zhu, Nargesian, Pu, Miller, "LSH Ensemble", VLDB 2016. Differs from
    the last: parts are powers of two, whatever else is there, and containers more than 32 to 64
    times as large are not looked for, as less than one slot would agree.

    >>> from twicetold import Document, scan
    >>> text = "The dam broke on Monday and ten villages lie below it, the minister said."
    >>> documents = [Document(id="a", text=text), Document(id="b", text=f"Flood! {text}")]
    >>> [p.relation for p in scan(documents, method="minhash")]
    ['near-duplicate']
    """

    name: ClassVar[str] = "minhash"
    profile: ClassVar[str] = "plain"

    threshold: float = parameter(
        0.5,
        "resemblance, or containment, from which on documents are related",
        minimum=0,
        maximum=1,
    )
    mode: Literal["resemblance", "containment"] = parameter(
        "resemblance", "whether documents must be alike, or one may be part of the other"
    )
    gram: int = parameter(5, "how many words a gram has", minimum=1, maximum=1000)
    permutations: int = parameter(128, "how many slots a document has", minimum=1, maximum=4096)
    bands: int | None = parameter(
        None, "how many bands slots are cut into; none: as the threshold asks for", minimum=1
    )
    seed: int = parameter(0, "another seed, other permutations", minimum=0, maximum=2**63)

    def __post_init__(self) -> None:
        # super() without arguments does not survive the class that slots=True makes anew.
        Detector.__post_init__(self)
        if self.bands is not None and self.mode == "containment":
            msg = f"bands are chosen by size for containment and cannot be given, got {self.bands}"
            raise ParameterError(msg)
        if self.bands is not None and self.bands > self.permutations:
            msg = f"bands must be at most permutations ({self.permutations}), got {self.bands}"
            raise ParameterError(msg)

    def features(
        self,
        analysed: Analysed,
        statistics: Statistics,  # noqa: ARG002 - grams need none
        *,
        threads: int = 0,
    ) -> Features:
        """Return the slots of each document."""
        return _kernel.minhash_features(
            analysed,
            gram=self.gram,
            permutations=self.permutations,
            seed=self.seed,
            threads=threads,
        )

    def keys(self, features: Features, side: Literal["store", "probe"]) -> Keys:
        """Return the bands of each document; for containment those of its size."""
        if self.mode == "containment":
            return _kernel.minhash_ensemble_keys(
                features,
                slots=self.permutations,
                threshold=float(self.threshold),
                asked=side == "probe",
            )
        if self.bands is None:
            bands, rows = _kernel.minhash_bands(self.permutations, float(self.threshold))
        else:
            bands, rows = self.bands, self.permutations // self.bands
        return _kernel.minhash_keys(features, bands=bands, rows=rows)

    def verify(self) -> Verification:
        """Count the equal slots of documents that share a band."""
        return Verification.agreement(least=0.0)

    def trace(
        self,
        analysed: Analysed,
        document: int,
        statistics: Statistics,  # noqa: ARG002 - grams need none
    ) -> list[Trace]:
        """Return the grams of a document, which the slots stand for."""
        rows = _kernel.gram_trace(analysed, document, size=self.gram)
        return [Trace(n, " ".join(words), key, 1.0) for n, words, key in rows]

    def decide(self, scores: Scores) -> Relations:
        """Return the relation: by resemblance, or by containment each way."""
        if self.mode == "containment":
            return scores.relate(self.threshold)
        return scores.relate_alike(self.threshold, likeness=scores.column("resemblance"))
