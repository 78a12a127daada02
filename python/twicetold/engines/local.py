"""The engine of one machine: the kernel on all cores."""

from __future__ import annotations

import platform
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, TypedDict

from twicetold import _kernel
from twicetold.analysis import Analysed, Analyser
from twicetold.batches import Batched, batches
from twicetold.engines.prefetch import prefetched
from twicetold.matching import sentence_matches, verified_join
from twicetold.pairs import Manifest, Pairs, pairs_schema, passages_type
from twicetold.parameters import parameters_of
from twicetold.pipeline import Engine, Features, Job, Progress
from twicetold.records import Document
from twicetold.statistics import Statistics

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["LocalEngine"]

_PART = 1_000_000
_MICROSECOND = timedelta(microseconds=1)
#: No two documents are further apart, and it fits the kernel's 64 bits.
_LONGEST = timedelta(days=366 * 10_000) // _MICROSECOND


Join = _kernel.Join | _kernel.VerifiedJoin


class _Asked(TypedDict):
    floor: float
    all_pairs: bool
    threads: int


class LocalEngine(Engine):
    """Runs a job in this process, on as many threads as the job says.

    Texts are analysed batch by batch while the next batch is read, and forgotten; what stays is
    the number of each word, until the statistics are known, and then the features.
    """

    name: ClassVar[str] = "local"

    def count(self, documents: Iterable[Document] | Batched, job: Job) -> Statistics:
        """Return the statistics of the documents, with the keys too frequent in them."""
        return _Run(job).prepare(documents)[0]

    def run(self, documents: Iterable[Document] | Batched, job: Job) -> Pairs:
        """Return the pairs among the documents."""
        return _Run(job).run(documents)


class _Run:
    """One run of one job."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.collection = _kernel.Collection()
        self.analyser = Analyser(job.profile)
        self.detector = job.detector
        self.manifest = Manifest(versions=_versions(), parameters=_parameters(job, self.analyser))

    def run(self, documents: Iterable[Document] | Batched) -> Pairs:
        # Loading Arrow takes as long as analysing megabytes: let it happen meanwhile.
        threading.Thread(target=import_module, args=("pyarrow.compute",), daemon=True).start()
        _, join = self.prepare(documents)
        with self._stage("join"):
            joined = self._join(join)
        with self._stage("decide"):
            table = self._decide(joined)
        if self.job.passages:
            with self._stage("passages"):
                table = self._with_passages(table, join)
        table = self._named(table)
        self.manifest.counts["pairs"] = table.num_rows
        return Pairs(table, self.manifest)

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

    def _analyse(self, documents: Iterable[Document] | Batched) -> list[Analysed]:
        found = []
        counts = dict.fromkeys(("documents", "undated", "sentences", "words", "characters"), 0)
        for batch in prefetched(batches(documents)):
            analysed = self.analyser.analyse_batch(
                batch,
                language=self.job.language,
                spans=self.job.passages,
                threads=self.job.threads,
            )
            self.collection.add(batch, analysed)
            counts["documents"] += analysed.n_documents
            counts["undated"] += batch.undated
            counts["sentences"] += analysed.n_sentences
            counts["words"] += analysed.n_words
            counts["characters"] += batch.characters
            found.append(analysed)
            self.job.progress(Progress("analyse", counts["documents"], None, "documents"))
        self.manifest.counts.update(counts)
        return found

    def _features(self, analysed: list[Analysed]) -> tuple[Statistics, Features]:
        job = self.job
        statistics = job.statistics
        if statistics is None:
            statistics = Statistics(job.profile)
            for batch in analysed:
                statistics.add(batch, threads=job.threads)
            job.detector.add_statistics(analysed, statistics, threads=job.threads)
        self.detector = job.detector.with_statistics(statistics)
        features = Features()
        total = len(self.collection)
        while analysed:
            # Let go of each batch as soon as its features are made.
            features.append(
                self.detector.features(analysed.pop(0), statistics, threads=job.threads)
            )
            job.progress(Progress("features", features.n_documents, total, "documents"))
        self.manifest.counts["terms"] = statistics.n_terms
        self.manifest.counts["features"] = features.n_features
        return statistics, features

    def _leave_out(self, features: Features, statistics: Statistics) -> Join:
        job = self.job
        join = self._make_join(features)
        form = job.detector.keys_form
        if job.statistics is None:
            limit = min(job.max_key_documents, sys.maxsize)
            keys = join.frequent_keys(limit, threads=job.threads)
            statistics.pin_frequent_keys(form, keys)
        frequent = statistics.frequent_keys(form) or b""
        join.leave_out(frequent)
        self.manifest.counts["distinct documents"] = join.n_groups
        self.manifest.counts["frequent keys"] = len(frequent) // 8
        self.manifest.counts["features left out"] = join.features_left_out
        self.manifest.counts["documents hidden"] = join.documents_hidden
        return join

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

    def _join(self, join: Join) -> _kernel.Joined:
        job = self.job
        threshold = job.detector.threshold
        floor = threshold if job.floor is None else min(job.floor, threshold)
        # A hair below: what lies on the border is decided by the detector, not here.
        asked: _Asked = {
            "floor": max(floor - 1e-9, 0.0),
            "all_pairs": job.all_pairs,
            "threads": job.threads,
        }
        if isinstance(join, _kernel.Join):
            joined = join.run(**asked)
        else:
            verification = self.detector.verify()
            assert verification is not None
            joined = join.run(verification, **asked)
            self.manifest.counts["sentence matches"] = join.n_matches
        self.manifest.counts["similarities computed"] = joined.touched
        job.progress(Progress("join", len(self.collection), len(self.collection), "documents"))
        return joined

    def _decide(self, joined: _kernel.Joined) -> pa.Table:
        import pyarrow.compute as pc

        detector = self.job.detector
        table = _joined_table(joined)
        if detector.unit == "sentence":
            table = detector.roll_up(_matched_table(table, joined))
        else:
            table = detector.score(table)
        table = detector.decide(table)
        keep = pc.not_equal(table.column("relation"), "overlap")
        if self.job.floor is not None:
            keep = pc.or_(keep, pc.greater_equal(table.column("score"), self.job.floor))
        return table.filter(keep)

    def _with_passages(self, table: pa.Table, join: Join) -> pa.Table:
        """Add the sentences that match, of the pairs that are left."""
        import pyarrow as pa

        assert isinstance(join, _kernel.VerifiedJoin)
        numbers = [table.column(side).to_pylist() for side in ("left", "right")]
        found = sentence_matches(join, numbers[0], numbers[1])
        rows: list[list[dict[str, Any]]] = [[] for _ in range(table.num_rows)]
        for pair, left, right, *scores in found:
            spans, texts = zip(
                *(
                    self.collection.sentence(document[pair], number) or ((0, 0), 0)
                    for document, number in zip(numbers, (left, right), strict=True)
                ),
                strict=True,
            )
            kind = "verbatim" if texts[0] == texts[1] else "edited"
            rows[pair].append(
                {"left": spans[0], "right": spans[1], "score": max(scores), "type": kind}
            )
        return table.append_column("passages", pa.array(rows, passages_type()))

    def _named(self, table: pa.Table) -> pa.Table:
        """Return the pairs with the ids of their documents, and the columns that pairs have."""
        for side in ("left", "right"):
            index = table.schema.get_field_index(side)
            table = table.set_column(index, side, self._ids(table.column(side)))
        schema = pairs_schema()
        named = table.select(schema.names).cast(schema)
        if self.job.passages:
            named = named.append_column("passages", table.column("passages"))
        return named

    def _ids(self, numbers: pa.ChunkedArray) -> pa.ChunkedArray:
        """Return the ids of documents; each is fetched once, however many pairs it is in."""
        import pyarrow as pa

        found = numbers.combine_chunks().dictionary_encode()
        ids = pa.array([self.collection.id(n) for n in found.dictionary.to_pylist()], pa.string())
        # In parts, as an array of Arrow holds no more than 2 GB of text.
        parts = range(0, len(found), _PART)
        taken = [ids.take(found.indices.slice(start, _PART)) for start in parts]
        return pa.chunked_array(taken, pa.string())


def _joined_table(joined: _kernel.Joined) -> pa.Table:
    import pyarrow as pa

    left, right, shared, left_total, right_total, same = joined.columns()

    def column(content: bytes, kind: pa.DataType) -> pa.Array:
        return pa.Array.from_buffers(kind, len(joined), [None, pa.py_buffer(content)])

    return pa.table(
        {
            "left": column(left, pa.uint32()),
            "right": column(right, pa.uint32()),
            "shared": column(shared, pa.float64()),
            "left_total": column(left_total, pa.float64()),
            "right_total": column(right_total, pa.float64()),
            "same_text": column(same, pa.uint8()).cast(pa.bool_()),
        }
    )


def _matched_table(table: pa.Table, joined: _kernel.Joined) -> pa.Table:
    """Return the same under the names that sentences have."""
    import pyarrow as pa

    right = pa.Array.from_buffers(
        pa.float64(), len(joined), [None, pa.py_buffer(joined.right_shared())]
    )
    names = {
        "shared": "left_matched",
        "left_total": "left_sentences",
        "right_total": "right_sentences",
    }
    named = table.rename_columns([names.get(name, name) for name in table.column_names])
    return named.append_column("right_matched", right)


def _versions() -> dict[str, str]:
    return {
        "twicetold": _kernel.VERSION,
        "python": platform.python_version(),
        "hash": str(_kernel.HASH_VERSION),
    }


def _parameters(job: Job, analyser: Analyser) -> dict[str, Any]:
    detector = job.detector
    own = {known.name: getattr(detector, known.name) for known in parameters_of(type(detector))}
    return {
        "method": detector.name,
        **own,
        "analysis": analyser.canonical,
        "statistics": "collection" if job.statistics is None else job.statistics.version,
        "language": job.language,
        "window": None if job.window is None else str(job.window),
        "floor": job.floor,
        "all_pairs": job.all_pairs,
        "max_key_documents": job.max_key_documents,
        "threads": job.threads or _kernel.available_threads(),
    }
