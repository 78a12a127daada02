"""The contract on one page: what a detector is, what an engine is, and which there are.

::

    documents ─► analyse ─► features ─► join on keys ─► score ─► decide ─► pairs
                 profile    Detector    Engine          Detector  Detector

There are two joins. Without `Detector.verify` documents share the weight of the features they have
in common. With it, units (documents or sentences) that share a key are met and checked on the spot;
matches of sentences are rolled up to documents.

A new detector is one file in ``detectors/``, one row in `DETECTORS` and one page in the docs.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from importlib import import_module
from types import MappingProxyType, NoneType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, cast

from twicetold import _kernel
from twicetold.analysis import Analysed, Profile
from twicetold.batches import Batched
from twicetold.decision import Decision
from twicetold.errors import ParameterError
from twicetold.pairs import Pairs
from twicetold.parameters import check_parameters, parameters_of
from twicetold.records import Document, WordLink
from twicetold.scoring import Joined, Relations, Scores
from twicetold.statistics import Statistics

if TYPE_CHECKING:
    import numpy as np

__all__ = [
    "DETECTORS",
    "ENGINES",
    "Compared",
    "Detector",
    "Engine",
    "Features",
    "Job",
    "Keys",
    "Progress",
    "Trace",
    "Verification",
    "counts_across",
    "detector_class",
    "engine_of",
    "ignore",
    "restored",
]

Features = _kernel.Features
Keys = _kernel.Keys
Verification = _kernel.Verification

#: Pairs that share less of both documents are not put before a learned decision.
JUDGED_FLOOR = 0.3

#: More threads than any machine has cores cost time and memory, and give nothing.
MAX_THREADS = 1024


class Trace(NamedTuple):
    """One feature of a document: the sentence it came from, and what it is in words."""

    sentence: int
    label: str
    key: int
    weight: float


class Compared(NamedTuple):
    """Two sentences: how much of left is in right, the reverse, whether they count as equal."""

    left_in_right: float
    right_in_left: float
    equal: bool


class Detector(ABC):
    """A method and its parameters: a frozen dataclass, cheap to pickle, without state.

    A subclass declares its parameters with `parameter` and implements `features`. Everything is
    done for a batch of documents at a time.
    """

    __slots__ = ()

    #: The name users give it by.
    name: ClassVar[str]
    #: The name of the analysis it asks for.
    profile: ClassVar[str]
    #: What has features and is joined.
    unit: ClassVar[Literal["document", "sentence"]] = "document"
    #: What a pair is learned from: the names of its similarities.
    similarities: ClassVar[tuple[str, ...]] = ("left_in_right", "right_in_left", "resemblance")
    #: Whether it can `compare` any two sentences, also those that do not match.
    compares_pairs: ClassVar[bool] = False

    #: Whether pairs are decided by the learned decision unless a job says otherwise.
    learned_decision: ClassVar[bool] = False

    #: Whether pairs come with their passages unless a job says otherwise.
    tells_passages: ClassVar[bool] = False
    #: Whether pairs come with how much of the content of each the other has.
    tells_content: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_parameters(self)

    @property
    @abstractmethod
    def threshold(self) -> float:
        """From which share on a document counts as contained; mostly a parameter."""

    @property
    def max_key_sentences(self) -> int | None:
        """How many different sentences may share a key by which they meet; None: any number.

        Only asked where the check is symmetric: all then store and look up the same keys, and may
        miss some of what matches.
        """
        return None

    @property
    def boilerplate_documents(self) -> int:
        """How many documents of a source have what is boilerplate; 0: nothing is.

        Only asked where the check is symmetric.
        """
        return 0

    @property
    def join_floor(self) -> float:
        """From which share on pairs are joined and decided about. Default: the threshold."""
        return self.threshold

    @property
    def judged_floor(self) -> float:
        """From which share on pairs are joined for a learned decision."""
        return JUDGED_FLOOR

    @property
    def estimates(self) -> bool:
        """Whether shares are not the quotients of the weights that `trace` tells.

        Default: of documents that are compared by their sketches.
        """
        return self.unit == "document" and self.verify() is not None

    @property
    def counts_features(self) -> bool:
        """Whether it matters how often a document has a feature."""
        return False

    def count(
        self,
        analysed: Sequence[Analysed],
        profile: Profile,
        *,
        origin: str = "collection",
        threads: int = 0,
    ) -> Statistics:
        """Return statistics of these documents, with everything that it wants counted."""
        statistics = Statistics(profile, origin=origin)
        statistics.add(*analysed, threads=threads)
        self.add_statistics(analysed, statistics, threads=threads)
        return statistics

    def add_statistics(  # noqa: B027 - most want nothing
        self, analysed: Sequence[Analysed], statistics: Statistics, *, threads: int = 0
    ) -> None:
        """Add what it wants counted beyond document frequencies. Default: nothing.

        Only asked where statistics are made from these documents.
        """

    def with_statistics(self, statistics: Statistics) -> Detector:  # noqa: ARG002
        """Return the detector with the parameters that are left to the statistics.

        `StatisticsError` if these do not have what `add_statistics` adds.
        """
        return self

    @property
    def members(self) -> tuple[Detector, ...]:
        """The detectors that are run: those of a model, else the detector itself."""
        return (self,)

    @abstractmethod
    def features(self, analysed: Analysed, statistics: Statistics, *, threads: int = 0) -> Features:
        """Return the evidence of each unit: keys with weights, and a sketch where it has one.

        A key's weight depends on the key and the statistics only, never on the unit.
        """

    def verify(self) -> Verification | None:
        """Return how units that share a key are checked.

        Default: not at all, documents share the weight of the features they have in common.
        """
        return None

    def keys(self, features: Features, side: Literal["store", "probe"]) -> Keys:  # noqa: ARG002
        """Return the keys each unit stores, or looks up; only asked for what meets by keys.

        Default: every feature's key, on both sides alike.
        """
        return Keys.of_features(features)

    @abstractmethod
    def trace(self, analysed: Analysed, document: int, statistics: Statistics) -> list[Trace]:
        """Return the evidence of one document in words, for showing where a score comes from."""

    def links(
        self,
        left: Sequence[str],  # noqa: ARG002
        right: Sequence[str],  # noqa: ARG002
        statistics: Statistics,  # noqa: ARG002
    ) -> list[WordLink]:
        """Return which terms of two sentences that match have to do with each other.

        Default: none are told.
        """
        return []

    def compare(
        self,
        analysed: Analysed,
        left: Sequence[int],
        right: Sequence[int],
        statistics: Statistics,
        *,
        threads: int = 0,
    ) -> list[Compared]:
        """Return how alike pairs of sentences are, each a document of the batch."""
        raise NotImplementedError

    def score(self, joined: Joined) -> Scores:
        """Return the scores of pairs that share weight. Default: containment, both ways."""
        return Scores.containment(joined)

    def roll_up(self, matched: Joined) -> Scores:
        """Return the scores of pairs of documents whose sentences match.

        What left shares are its sentences with a match in right, its total are those there are to
        match; and the reverse. Default: the share of matched sentences, both ways.
        """
        return Scores.matched_share(matched)

    def decide(self, scores: Scores) -> Relations:
        """Return the relation of each pair. Default: a direction holds from the threshold on."""
        return scores.relate(self.threshold)

    def vectors(self, scores: Scores) -> np.ndarray[Any, Any]:
        """Return the similarities of each scored pair: a row for each, a column for each name."""
        import numpy as np

        columns = [np.frombuffer(scores.column(name), "<f8") for name in self.similarities]
        return np.column_stack(columns)

    def run(self, engine: Engine, documents: Iterable[Document] | Batched, job: Job) -> Pairs:
        """Return the pairs among documents. Default: what the engine makes of the job."""
        return engine.run(documents, job)

    def settings(self) -> dict[str, Any]:
        """Return the parameters by name, for the record of a run."""
        return {known.name: getattr(self, known.name) for known in parameters_of(type(self))}

    def recipe(self) -> dict[str, Any]:
        """Return what `restored` makes the same detector of, as JSON can hold it."""
        return self.settings()

    @property
    def keys_form(self) -> str:
        """The canonical form of what decides the keys: equal forms join with each other."""
        values = (
            f"{known.name}={getattr(self, known.name)}"
            for known in parameters_of(type(self))
            if known.decides_keys
        )
        return " ".join([self.name, *values])


class Progress(NamedTuple):
    """How far a stage is. ``total`` is None where nobody can know."""

    stage: str
    done: int
    total: int | None
    unit: str


def ignore(_: Progress, /) -> None:
    """Take note of progress and do nothing."""


#: What a job is given by hand, so that a wrong type is told by name and not met in the middle.
_TYPES: Mapping[str, tuple[tuple[type, ...], str]] = MappingProxyType(
    {
        "language": ((str, NoneType), "a code such as en, or None"),
        "window": ((timedelta, NoneType), "a timedelta such as timedelta(days=7), or None"),
        "floor": ((int, float, NoneType), "a number from 0 to 1, or None"),
        "max_key_documents": ((int,), "a whole number"),
        "threads": ((int,), "a whole number"),
    }
)

#: A language nothing is known about has a code all the same; a word is a slip.
_LANGUAGE = re.compile("[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8})*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What an engine is asked to do.

    ``statistics``         pinned ones; None: from the documents themselves, in a first pass
    ``language``           of all documents; None: of each document, detected where not given
    ``window``             only pairs no further apart in time; None: all
    ``floor``              also pairs below the threshold, from this score on, as ``overlap``
    ``all_pairs``          every pair of equal documents, not only each with the earliest
    ``max_key_documents``  keys of more different documents are left out of the join; only used
                           where the statistics are made here: pinned ones bring their own
    ``threads``            0: all cores
    ``across``             only pairs across two collections; given the ids of all documents, it
                           tells by a byte for each whether that is of the second one; None: all
    ``passages``           also the sentences that match, with their spans; only of detectors whose
                           unit is the sentence; None: as the detector does
    ``decision``           what gives pairs probabilities and relations; None: the detector itself
    ``same_form``          pairs of the same form come with the others, not apart
    """

    detector: Detector
    profile: Profile
    statistics: Statistics | None = None
    language: str | None = None
    window: timedelta | None = None
    floor: float | None = None
    all_pairs: bool = False
    max_key_documents: int = 1000
    threads: int = 0
    passages: bool | None = None
    decision: Decision | None = None
    same_form: bool = False
    across: Callable[[Sequence[str]], bytes] | None = None
    progress: Callable[[Progress], None] = field(default=ignore)

    def __post_init__(self) -> None:
        self._require_types()
        if self.window is not None and self.window < timedelta(0):
            msg = f"window must not be negative, got {self.window}"
            raise ParameterError(msg)
        if self.floor is not None and not 0 <= self.floor <= 1:
            msg = f"floor must be from 0 to 1, got {self.floor!r}"
            raise ParameterError(msg)
        if self.max_key_documents < 1:
            msg = f"max_key_documents must be at least 1, got {self.max_key_documents!r}"
            raise ParameterError(msg)
        if self.threads < 0:
            msg = f"threads must be 0 (all cores) or more, got {self.threads!r}"
            raise ParameterError(msg)
        if self.threads > MAX_THREADS:
            msg = f"threads must be at most {MAX_THREADS}, got {self.threads!r}"
            raise ParameterError(msg)
        if self.passages and self.detector.unit != "sentence":
            msg = f"{self.detector.name} compares whole documents and has no passages to give"
            raise ParameterError(msg)
        if self.statistics is not None:
            self.statistics.require(self.profile)
            # What is missing is told before the work, not after it.
            self.detector.with_statistics(self.statistics)

    def _require_types(self) -> None:
        for name, (kinds, wanted) in _TYPES.items():
            if not isinstance(value := getattr(self, name), kinds):
                msg = f"{name} must be {wanted}, got {value!r}"
                raise ParameterError(msg)
        if self.language is not None and not _LANGUAGE.fullmatch(self.language):
            msg = f"language must be a code such as en or zh-Hant, got {self.language!r}"
            raise ParameterError(msg)

    @property
    def join_floor(self) -> float:
        """From which share on documents are joined.

        With a learned decision thresholds are probabilities, and what is joined does not depend on
        them.
        """
        if self.decision is not None:
            return self.detector.judged_floor
        lowest = self.detector.join_floor
        return lowest if self.floor is None else min(self.floor, lowest)

    @property
    def has_passages(self) -> bool:
        """Whether pairs come with their passages."""
        return self.detector.tells_passages if self.passages is None else self.passages


def counts_across(sides: bytes) -> dict[str, int]:
    """Return what a manifest counts of documents in pairs across two collections, by their sides.

    >>> counts_across(bytes([0, 1, 1]))
    {'documents in pairs': 1, 'documents against in pairs': 2}
    """
    second = sum(sides)
    own = len(sides) - second
    return {"documents in pairs": own, "documents against in pairs": second}


class Engine(ABC):
    """What carries a job out.

    For the same documents and statistics every engine gives the same pairs and scores, to the last
    bit, whatever the number of threads, batches or machines.
    """

    name: ClassVar[str]

    @abstractmethod
    def count(self, documents: Iterable[Document] | Batched, job: Job) -> Statistics:
        """Return the statistics of the documents, with the keys too frequent in them pinned."""

    @abstractmethod
    def run(self, documents: Iterable[Document] | Batched, job: Job) -> Pairs:
        """Return the pairs among the documents."""


#: What makes detectors with a model inside again; ``learned(codet)`` is one of them.
_WITH_MODEL: Mapping[str, str] = MappingProxyType(
    {"learned": "twicetold.learning.learned:restored"}
)

#: Every detector, by name.
DETECTORS: Mapping[str, str] = MappingProxyType(
    {
        "retelling": "twicetold.detectors.retelling:Retelling",
        "codet": "twicetold.detectors.codet:CoDet",
        "full-fingerprint": "twicetold.detectors.full_fingerprint:FullFingerprint",
        "dsc": "twicetold.detectors.dsc:DSC",
        "winnowing": "twicetold.detectors.winnowing:Winnowing",
        "imatch": "twicetold.detectors.imatch:IMatch",
        "simhash": "twicetold.detectors.simhash:SimHash",
        "minhash": "twicetold.detectors.minhash:MinHash",
        "word-overlap": "twicetold.detectors.word_overlap:WordOverlap",
        "qsign": "twicetold.detectors.qsign:QSign",
        "rare-grams": "twicetold.detectors.rare_grams:RareGrams",
        "sentence-svm": "twicetold.detectors.sentence_svm:SentenceSVM",
        "fuzzy-set": "twicetold.detectors.fuzzy_set:FuzzySet",
        "tf-idf": "twicetold.detectors.tf_idf:TfIdf",
    }
)

#: Every engine, by name.
ENGINES: Mapping[str, str] = MappingProxyType({"local": "twicetold.engines.local:LocalEngine"})


def _look_up(table: Mapping[str, str], kind: str, name: str) -> Any:
    if name not in table:
        msg = f"no {kind} {name!r}; there are {', '.join(table)}"
        raise ParameterError(msg)
    module, _, attribute = table[name].partition(":")
    return getattr(import_module(module), attribute)


def detector_class(name: str) -> type[Detector]:
    """Return the detector with that name."""
    return cast("type[Detector]", _look_up(DETECTORS, "method", name))


def restored(name: str, recipe: Mapping[str, Any]) -> Detector:
    """Return the detector of that name that a recipe was written of."""
    if name in DETECTORS or "(" not in name:
        return detector_class(name)(**recipe)
    return cast("Detector", _look_up(_WITH_MODEL, "method", name.partition("(")[0])(recipe))


def engine_of(engine: Engine | str) -> Engine:
    """Return an engine, or the one with that name."""
    if isinstance(engine, Engine):
        return engine
    return cast("Engine", _look_up(ENGINES, "engine", engine)())
