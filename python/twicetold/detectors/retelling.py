"""Retelling: sentences told again, met by rare pairs of terms and by runs of them."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import ClassVar, Literal

from twicetold import _kernel
from twicetold.analysis import Analysed
from twicetold.parameters import parameter
from twicetold.pipeline import Detector, Features, Keys, Trace, Verification
from twicetold.statistics import Statistics

__all__ = ["Retelling"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Retelling(Detector):
    """Sentences told again, found by a few keys and then compared by all their words.

    A sentence meets another one that has a key of it: two of its ``rarest`` terms, whatever was
    changed around them, or one of a sample of its runs of ``run`` terms, wherever it ends. With the
    weights ``w`` of its terms, ``log(N / df) + 1``, sentences A and B match if ::

        2 * w(A & B) / (w(A) + w(B)) >= min_dice
        or  w(A & B) / min(w(A), w(B)) >= min_overlap     if both have min_terms terms

    How much of a document is in another one is the weight of what its sentences have in common with
    their best match there, over the weight of all its sentences. Where that is ``align_from`` of
    one of two documents, sentences are also looked for in each three sentences in a row of the
    other: what has .7 of the weight of one counts in place of its match.

    Below the threshold a pair is told as ``overlap`` if matches from ``proof_score`` on have
    ``proof_words`` words together that stand in the same order in both, at least three in a row, or
    fewer with one changed word between them and such a run.
    Of a match these are ``proof_order`` of the shorter sentence's words, or twice ``proof_words``:
    who tells the same facts in other words has the same names, and hardly the same order. A third
    of ``proof_words`` tell something in each sentence: of one whose terms have a mean weight below
    ``proof_rarity * (log(N) + 1)`` fewer do, in proportion, as formulas have frequent words.

    What ``boilerplate_documents`` documents of one source have, and two in a hundred of them, is
    its boilerplate, also with other names and dates in it: half of a sentence's keys must be so.
    It is no part of what its document tells. A match of two such sentences counts nowhere; of one
    with a sentence that has no key of its own source's boilerplate, it counts for the latter, and
    as proof for both, if its words prove something: that was taken. Documents that are mostly made
    of such sentences are versions of one text, and say nothing about what is boilerplate.

    Terms of one document alone are no keys, as a changed word would otherwise be the rarest of its
    sentence. Keys of more than ``max_key_sentences`` sentences are left out. Sentences that more
    documents hold prove nothing by themselves, nor do formulas, half of whose keys are such.

    >>> from twicetold import Document, scan
    >>> told = Document(id="told", text="The old dam above the town broke on Monday morning.")
    >>> retold = Document(id="retold", text="The dam above the town broke Monday. Nobody died.")
    >>> for pair in scan([told, retold], method="retelling", language="en", decision="own"):
    ...     print(pair.left, pair.relation, pair.right, round(pair.left_in_right, 2))
    retold near-duplicate told 0.54
    """

    name: ClassVar[str] = "retelling"
    profile: ClassVar[str] = "retelling-scan"
    unit: ClassVar[Literal["document", "sentence"]] = "sentence"

    learned_decision: ClassVar[bool] = True
    tells_passages: ClassVar[bool] = True
    tells_content: ClassVar[bool] = True

    threshold: float = parameter(
        0.5,
        "probability from which on a relation holds; with --decision own, share of a document",
        minimum=0,
        maximum=1,
        decides_keys=False,
    )
    min_dice: float = parameter(
        0.5,
        "share of what two sentences weigh together from which on they match",
        minimum=0,
        maximum=1,
        decides_keys=False,
    )
    min_overlap: float = parameter(
        0.5,
        "share of what the lighter sentence weighs from which on they match, too",
        minimum=0,
        maximum=1,
        decides_keys=False,
    )
    min_terms: int = parameter(
        10,
        "different terms both sentences need for that",
        minimum=1,
        decides_keys=False,
    )
    proof_words: int = parameter(
        10,
        "words in the same order from which on a pair below the threshold is told as overlap",
        minimum=1,
        decides_keys=False,
    )
    proof_score: float = parameter(
        0.7,
        "score from which on the words of a match count for that",
        minimum=0,
        maximum=1,
        decides_keys=False,
    )
    proof_rarity: float = parameter(
        0.4,
        "mean rarity of a sentence's terms from which on all its words tell something",
        minimum=0,
        maximum=1,
    )
    proof_order: float = parameter(
        0.6,
        "share of the shorter sentence's words in the same order from which on they count for that",
        minimum=0,
        maximum=1,
        decides_keys=False,
    )
    rarest: int = parameter(
        3, "each two of so many of a sentence's rarest terms are a key", minimum=0, maximum=100
    )
    gram: int = parameter(4, "terms in a row that are a key", minimum=1)
    winnow: int = parameter(2, "of so many neighbouring runs one is taken", minimum=1)
    max_key_sentences: int = parameter(
        30, "keys of more different sentences are left out of the join", minimum=1
    )

    align_from: float = parameter(
        0.3,
        "share of a document from which on a pair is aligned",
        minimum=0,
        maximum=1,
        decides_keys=False,
    )

    boilerplate_documents: int = parameter(
        6,
        "what so many documents of a source have is boilerplate, and counts nowhere; 0: nothing",
        minimum=0,
        decides_keys=False,
    )

    @property
    def join_floor(self) -> float:
        """From which share on pairs are joined: what is aligned may reach the threshold then."""
        return min(self.threshold, self.align_from)

    @property
    def judged_floor(self) -> float:
        """From which share on pairs are put before a learned decision, whatever they prove."""
        return self.align_from

    def features(self, analysed: Analysed, statistics: Statistics, *, threads: int = 0) -> Features:
        """Return the different terms of each sentence, with their weights, and its keys."""
        return _kernel.retelling_features(
            analysed,
            statistics.native,
            rarest=self.rarest,
            run=min(self.gram, sys.maxsize),
            window=min(self.winnow, sys.maxsize),
            rarity=self.proof_rarity,
            threads=threads,
        )

    def verify(self) -> Verification:
        """Return the check of what two sentences have in common."""
        return Verification.retold(
            dice=self.min_dice,
            overlap=self.min_overlap,
            min_terms=min(self.min_terms, sys.maxsize),
            proof_score=self.proof_score,
            proof_words=min(self.proof_words, sys.maxsize),
            proof_order=self.proof_order,
            align=self.align_from,
        )

    def keys(self, features: Features, side: Literal["store", "probe"]) -> Keys:  # noqa: ARG002
        """Return the keys made with the features, the same on both sides."""
        return Keys.met_by(features)

    def trace(self, analysed: Analysed, document: int, statistics: Statistics) -> list[Trace]:
        """Return the different terms of each sentence."""
        rows = _kernel.retelling_trace(analysed, document, statistics.native)
        return [Trace(n, term, key, weight) for n, term, key, weight in rows]
