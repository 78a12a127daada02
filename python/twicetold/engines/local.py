"""The engine of one machine: the kernel on all cores."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, ClassVar, NamedTuple, TypedDict

from twicetold import _kernel
from twicetold._kernel import Judgements, ScoredPairs, select_pairs
from twicetold.analysis import Analysed, Analyser
from twicetold.batches import Batched, batches
from twicetold.decision import LEAST, Decision
from twicetold.engines.prefetch import prefetched
from twicetold.matching import (
    content_of,
    learn_boilerplate,
    mark_boilerplate,
    passages_of,
    sentence_matches,
    verified_join,
)
from twicetold.pairs import Manifest, Pairs
from twicetold.pipeline import Engine, Features, Job, Progress, counts_across
from twicetold.records import RELATIONS, Document, Passage, PassageType, Span
from twicetold.scoring import Joined, Scores
from twicetold.statistics import Statistics

__all__ = ["LocalEngine", "Run", "judged"]

#: From so many words on it is worth the time to give back the memory they took.
_MANY_WORDS = 20_000_000
_MICROSECOND = timedelta(microseconds=1)
#: No two documents are further apart, and it fits the kernel's 64 bits.
_LONGEST = timedelta(days=366 * 10_000) // _MICROSECOND


Join = _kernel.Join | _kernel.VerifiedJoin


#: Relations by number: 255 stands for pairs that are not among those asked for.
_SAME_FORM = RELATIONS.index("same-form")
_NO_FORMS = bytes(255 if n == _SAME_FORM else n for n in range(256))
_FORMS = bytes(n if n == _SAME_FORM else 255 for n in range(256))
#: Marks turned around.
_TURNED = bytes([1]) + bytes(255)


class Decided(NamedTuple):
    """Pairs that were found, and those that are the same form with other facts."""

    pairs: _kernel.ScoredPairs
    forms: _kernel.ScoredPairs | None


class _Asked(TypedDict):
    floor: float
    all_pairs: bool
    since: int
    across: bytes | None
    threads: int


def judged(
    texts: _kernel.DecisionTexts,
    pairs: tuple[bytes, bytes],
    statistics: Statistics,
    decision: Decision,
    *,
    least: float = LEAST,
    threads: int = 0,
) -> Judgements:
    """Return what a decision says of pairs of texts, given by their numbers as bytes of u32."""
    return texts.judge(
        *pairs,
        statistics.native,
        statistics.forms,
        decision.model(statistics),
        least=least,
        threads=threads,
    )


class LocalEngine(Engine):
    """Runs a job in this process, on as many threads as the job says.

    Texts are analysed batch by batch while the next batch is read, and forgotten; what stays is
    the number of each word, until the statistics are known, and then the features.
    """

    name: ClassVar[str] = "local"

    def count(self, documents: Iterable[Document] | Batched, job: Job) -> Statistics:
        """Return the statistics of the documents, with the keys too frequent in them."""
        return Run(job).prepare(documents)[0]

    def run(self, documents: Iterable[Document] | Batched, job: Job) -> Pairs:
        """Return the pairs among the documents."""
        return Run(job).run(documents)


class Run:
    """One run of one job."""

    #: Only pairs with a document from this number on are looked for.
    since = 0
    #: To which of two collections each document belongs, if only pairs across them are wanted.
    sides: bytes | None = None
    #: What part of all documents these are: a key is too frequent in proportion.
    share = 1.0

    def __init__(self, job: Job) -> None:
        self.job = job
        self.collection = _kernel.Collection()
        #: The texts, where a decision reads them.
        self.texts = _kernel.DecisionTexts()
        self.analyser = Analyser(job.profile)
        self.detector = job.detector
        self.manifest = Manifest(versions=_versions(), parameters=_parameters(job, self.analyser))

    def run(self, documents: Iterable[Document] | Batched) -> Pairs:
        """Return the pairs among the documents."""
        statistics, join = self.prepare(documents)
        if self.job.across is not None:
            self.sides = self.job.across(self.collection.ids())
        found = self.found(join, statistics)
        if self.sides is not None:
            columns = found.pairs.document_columns()
            paired = {n for side in columns for n in memoryview(side).cast("I")}
            self.manifest.counts |= counts_across(bytes(self.sides[n] for n in paired))
        return self._tell(found, join)

    def found(self, join: Join, statistics: Statistics) -> Decided:
        """Return the pairs that are found, those of the same form apart."""
        with self._stage("join"):
            joined = self._join(join)
        if self.job.decision is None:
            with self._stage("decide"):
                return Decided(self._decide(joined), None)
        with self._stage("decide"):
            return self._judged(join, joined, statistics, self.job.decision)

    def _judgements(self, joined: Joined, statistics: Statistics, decision: Decision) -> Judgements:
        """Return what the decision says of joined pairs."""
        return judged(
            self.texts, joined.documents(), statistics, decision, threads=self.job.threads
        )

    @property
    def _aligns(self) -> bool:
        verification = self.detector.verify()
        return verification is not None and verification.is_symmetric

    def _judged(
        self, join: Join, joined: Joined, statistics: Statistics, decision: Decision
    ) -> Decided:
        """Return the pairs that a learned decision is for.

        Only those that may be more than the same form are aligned.
        """
        threads = self.job.threads
        judgements = self._judgements(joined, statistics, decision)
        marks = bytes([1]) * len(judgements) if self.job.same_form else judgements.reaching(LEAST)
        parts = []
        for kept in (marks, marks.translate(_TURNED)):
            some, sure = select_pairs(joined, kept), judgements.select(kept)
            if kept is marks and isinstance(join, _kernel.VerifiedJoin) and self._aligns:
                some = join.aligned(some, threads=threads)
            scores = self._scores(some)
            relations = sure.relate(
                scores,
                self.detector.threshold,
                knows_forms=decision.knows_forms(statistics),
                floor=self.job.floor,
            )
            parts.append((scores, relations, sure))
        (scores, relations, judged), (others, other_relations, other_judged) = parts

        def pairs_of(scores: Scores, relations: bytes, judged: Judgements) -> ScoredPairs:
            return ScoredPairs(scores, relations, self.collection, judgements=judged)

        self.manifest.counts["pairs measured"] = len(judgements)
        if self.job.same_form:
            return Decided(pairs_of(scores, relations, judged), None)
        pairs = pairs_of(scores, relations.translate(_NO_FORMS), judged)
        forms = pairs_of(scores, relations.translate(_FORMS), judged).followed_by(
            pairs_of(others, other_relations, other_judged)
        )
        self.manifest.counts["pairs of the same form"] = len(forms)
        return Decided(pairs, forms)

    def _tell(self, found: Decided, join: Join) -> Pairs:
        """Return pairs with what else is known of them."""
        pairs = found.pairs
        self.manifest.counts["pairs"] = len(pairs)
        self.manifest.counts["undirected pairs"] = pairs.undirected
        passages = content = None
        if self.detector.tells_content:
            assert isinstance(join, _kernel.VerifiedJoin)
            with self._stage("content"):
                content = content_of(join, pairs, threads=self.job.threads)
        if self.job.has_passages:
            assert isinstance(join, _kernel.VerifiedJoin)
            with self._stage("passages"):
                passages = self._passages(pairs, join)
        forms = None if found.forms is None else Pairs(found.forms, self.manifest)
        return Pairs(pairs, self.manifest, passages, content, forms)

    def prepare(self, documents: Iterable[Document] | Batched) -> tuple[Statistics, Join]:
        """Do everything up to the join: statistics are known, frequent keys left out."""
        with self._stage("analyse"):
            analysed = self._analyse(documents)
        with self._stage("features"):
            statistics, features = self._features(analysed)
        with self._stage("frequent keys"):
            join = self._leave_out(features, statistics)
        return statistics, join

    @contextmanager
    def _stage(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.manifest.seconds[name] = time.perf_counter() - start

    def analyse(self, documents: Iterable[Document] | Batched) -> list[Analysed]:
        """Return what the documents are made of, batch by batch."""
        return self._analyse(documents)

    def counted(self, analysed: Sequence[Analysed]) -> Statistics:
        """Return the statistics of what was analysed, with the keys too frequent in it."""
        statistics, features = self._features(list(analysed))
        self._leave_out(features, statistics)
        return statistics

    def _analyse(self, documents: Iterable[Document] | Batched) -> list[Analysed]:
        found = []
        counts = dict.fromkeys(("documents", "undated", "sentences", "words", "characters"), 0)
        for batch in prefetched(batches(documents)):
            analysed = self.analyser.analyse_batch(
                batch,
                language=self.job.language,
                spans=self.job.has_passages or self.job.decision is not None,
                threads=self.job.threads,
            )
            self.collection.add(batch, analysed)
            if self.job.decision is not None:
                self.texts.add(batch, analysed)
            counts["documents"] += analysed.n_documents
            counts["undated"] += batch.undated
            counts["sentences"] += analysed.n_sentences
            counts["words"] += analysed.n_words
            counts["characters"] += analysed.characters
            found.append(analysed)
            self.job.progress(Progress("analyse", counts["documents"], None, "documents"))
        self.manifest.counts.update(counts)
        return found

    def _features(self, analysed: list[Analysed]) -> tuple[Statistics, Features]:
        job = self.job
        statistics = job.statistics
        if statistics is None:
            statistics = job.detector.count(analysed, job.profile, threads=job.threads)
            if job.decision is not None:
                statistics.pin_forms(self.texts.count(statistics.native, threads=job.threads))
        self.detector = job.detector.with_statistics(statistics)
        features = Features()
        total = len(self.collection)
        while analysed:
            # Let go of each batch as soon as its features are made.
            made = self.detector.features(analysed.pop(0), statistics, threads=job.threads)
            if job.statistics is not None:
                known = (self.detector, made, self.collection, statistics)
                mark_boilerplate(*known, first=features.n_documents, threads=job.threads)
            features.append(made, room=total, threads=job.threads)
            job.progress(Progress("features", features.n_documents, total, "documents"))
        if self.manifest.counts["words"] > _MANY_WORDS:
            _kernel.give_back_memory()
        self.manifest.counts["terms"] = statistics.n_terms
        self.manifest.counts["features"] = features.n_features
        return statistics, features

    def _leave_out(self, features: Features, statistics: Statistics) -> Join:
        job = self.job
        join = self._make_join(features)
        form = job.detector.keys_form
        if job.statistics is None:
            keys = self._frequent_keys(join)
            statistics.pin_frequent_keys(form, keys)
            if isinstance(join, _kernel.VerifiedJoin):
                known = (self.detector, join, self.collection, statistics)
                learn_boilerplate(*known, threads=job.threads)
        else:
            self.manifest.parameters["pinned_keys"] = statistics.frequent_keys(form) is not None
        frequent = statistics.left_out(form)
        join.leave_out(frequent)
        self.manifest.counts["distinct documents"] = join.n_groups
        self.manifest.counts["frequent keys"] = len(frequent)
        self.manifest.counts["features left out"] = join.features_left_out
        self.manifest.counts["documents hidden"] = join.documents_hidden
        if isinstance(join, _kernel.VerifiedJoin) and self.detector.max_key_sentences is not None:
            self.manifest.counts["keys left out"] = join.keys_left_out
            self.manifest.counts["common sentences"] = join.n_common
            self.manifest.counts["boilerplate sentences"] = join.n_boilerplate
        return join

    def _frequent_keys(self, join: Join) -> bytes:
        limit = self._here(self.job.max_key_documents)
        if isinstance(join, _kernel.Join):
            return join.frequent_keys(limit, threads=self.job.threads)
        meeting = self.detector.max_key_sentences
        return join.frequent_keys(
            limit,
            meeting_limit=None if meeting is None else self._here(meeting),
            threads=self.job.threads,
        )

    def _here(self, limit: int) -> int:
        """Return how many of these documents stand for so many of all."""
        limit = min(limit, sys.maxsize)
        return limit if self.share == 1 else max(1, int(limit * self.share))

    def _make_join(self, features: Features) -> Join:
        job = self.job
        window = None if job.window is None else min(job.window // _MICROSECOND, _LONGEST)
        if self.detector.verify() is None:
            return _kernel.Join(self.collection, features, window=window, threads=job.threads)
        join = verified_join(
            self.detector, self.collection, features, window=window, threads=job.threads
        )
        self.manifest.counts[f"distinct {job.detector.unit}s"] = join.features.n_units
        return join

    def _join(self, join: Join) -> Joined:
        job = self.job
        # A hair below: what lies on the border is decided by the detector, not here.
        asked: _Asked = {
            "floor": max(job.join_floor - 1e-9, 0.0),
            "all_pairs": job.all_pairs,
            "since": self.since,
            "across": self.sides,
            "threads": job.threads,
        }
        if isinstance(join, _kernel.Join):
            joined = join.run(**asked)
        else:
            verification = self.detector.verify()
            assert verification is not None
            joined = join.run(verification, align=self.job.decision is None, **asked)
            self.manifest.counts["sentence matches"] = join.n_matches
        self.manifest.counts["similarities computed"] = joined.touched
        job.progress(Progress("join", len(self.collection), len(self.collection), "documents"))
        return joined

    def _scores(self, joined: Joined) -> Scores:
        detector = self.job.detector
        return detector.roll_up(joined) if detector.unit == "sentence" else detector.score(joined)

    def _decide(self, joined: Joined) -> _kernel.ScoredPairs:
        scores = self._scores(joined)
        relations = self.job.detector.decide(scores)
        return _kernel.ScoredPairs(scores, relations, self.collection, floor=self.job.floor)

    def _passages(
        self, pairs: _kernel.ScoredPairs, join: _kernel.VerifiedJoin
    ) -> Sequence[tuple[Passage, ...]]:
        """Return the sentences that match, of the pairs that are left."""
        verification = self.detector.verify()
        if verification is not None and verification.is_symmetric:
            return passages_of(join, self.collection, pairs, threads=self.job.threads)
        documents = pairs.documents()
        numbers = [[pair[side] for pair in documents] for side in (0, 1)]
        rows: list[list[Passage]] = [[] for _ in documents]
        for pair, left, right, *scores in sentence_matches(join, numbers[0], numbers[1]):
            spans, texts = zip(
                *(
                    self.collection.sentence(document, number) or ((0, 0), 0)
                    for document, number in zip(documents[pair], (left, right), strict=True)
                ),
                strict=True,
            )
            kind: PassageType = "verbatim" if texts[0] == texts[1] else "edited"
            rows[pair].append(Passage(Span(*spans[0]), Span(*spans[1]), max(scores), kind))
        return [tuple(row) for row in rows]


def _versions() -> dict[str, str]:
    return {
        "twicetold": _kernel.VERSION,
        "python": sys.version.split()[0],
        "hash": str(_kernel.HASH_VERSION),
    }


def _parameters(job: Job, analyser: Analyser) -> dict[str, Any]:
    detector = job.detector
    return {
        "method": detector.name,
        **detector.settings(),
        "analysis": analyser.canonical,
        "statistics": "collection" if job.statistics is None else job.statistics.version,
        "language": job.language,
        "window": None if job.window is None else str(job.window),
        "floor": job.floor,
        "decision": "own" if job.decision is None else job.decision.version,
        "all_pairs": job.all_pairs,
        "max_key_documents": job.max_key_documents,
        "threads": job.threads or _kernel.available_threads(),
    }
