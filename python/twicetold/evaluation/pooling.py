"""Pooling: from the nominations of several detectors to a test collection judged by people.

Every detector, with permissive parameters, nominates pairs; people judge the union of these, and
what nobody nominated is not judged. Precision over judged pairs is then exact, and recall is scaled
alike for all methods whose stricter output is part of the pool: Varol and others, "CoDet", CIKM
2011, section 4.1.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from twicetold.documents import Fields, Report, read
from twicetold.errors import ParameterError
from twicetold.evaluation.judging import add_lines, listed, question
from twicetold.evaluation.permissive import PERMISSIVE, permissive
from twicetold.evaluation.pool import Nominated, Pool, pair_id
from twicetold.pairs import Pairs
from twicetold.pipeline import DETECTORS, Detector, Progress, ignore
from twicetold.records import Document
from twicetold.reports.files import check_outputs
from twicetold.scanning import Source, scan

__all__ = ["default_methods", "nominate", "pool_documents"]

#: How much of a text an assessor is shown.
EXCERPT = 4000


def default_methods() -> list[str]:
    """Return the methods of the paper's pool that there are."""
    return [method for method in PERMISSIVE if method in DETECTORS]


def nominate(  # noqa: PLR0913 - every choice of a pool, by name
    folder: str | Path,
    sources: Sequence[Source] = (),
    *,
    methods: Sequence[str | Detector] = (),
    parameters: Mapping[str, Mapping[str, Any]] | None = None,
    top: int | None = None,
    groups: int = 20,
    assessors: Sequence[str] = ("first", "second"),
    group_seed: int = 0,
    excerpt: int = EXCERPT,
    fields: Fields | None = None,
    format: Any = None,  # noqa: A002 - the name of the option
    encoding: str | None = None,
    content: Any = "full",
    strict: bool = False,
    language: str | None = None,
    threads: int = 0,
    report: Report | None = None,
    progress: Callable[[Progress], None] = ignore,
) -> dict[str, int]:
    """Let detectors nominate pairs, and write what people are to judge.

    The first time ``folder`` becomes a pool of the documents of ``sources``; from then on further
    methods add their nominations, and only pairs that nobody nominated before are asked for. What
    is said about sources, groups and assessors holds from the first time on.

    ``methods`` empty: those of the paper. ``parameters`` by method come instead of the permissive
    ones; a detector nominates with those it has. ``top``: only so many of the best pairs of each
    method. Returns what was counted.
    """
    report = Report() if report is None else report
    reading = (fields, format, encoding, None if content == "full" else content)
    pool = _open(Path(folder), sources, (groups, list(assessors), group_seed), reading)
    methods = methods or default_methods()
    for method in parameters or {}:
        if method not in methods:
            msg = f"{method} has parameters, and does not nominate; name it as a method, too"
            raise ParameterError(msg)
    chosen = [
        permissive(method, (parameters or {}).get(method)) if isinstance(method, str) else method
        for method in methods
    ]
    _require_one_each(chosen)
    counts: Counter[str] = Counter()
    new: dict[str, Nominated] = {}
    for detector in chosen:
        found = scan(
            [Path(source) for source in pool.sources],
            method=detector,
            # `evaluate` scores every pair of copies: each has to be judged.
            all_pairs=True,
            language=language,
            threads=threads,
            # What is wrong with the documents is told once, not by every method.
            report=report if detector is chosen[0] else Report(),
            progress=progress,
            strict=strict,
            **_reading(pool),
        )
        counts[detector.name] = _enter(pool, new, detector, found, top)
        runs = pool.methods.setdefault(detector.name, [])
        if (settings := detector.settings()) not in runs:
            runs.append(settings)
    _group(pool, new)
    written = _ask(pool, excerpt)
    return {"new": len(new), "pairs": len(pool.pairs), "written": written, **counts}


def _require_one_each(chosen: Sequence[Detector]) -> None:
    """Refuse two detectors of one name, whose nominations nobody could tell apart."""
    [(name, times)] = Counter(detector.name for detector in chosen).most_common(1)
    if times > 1:
        msg = f"{name} nominates once in a pool, got it {times} times; call again for another one"
        raise ParameterError(msg)


def _open(
    folder: Path,
    sources: Sequence[Source],
    asked: tuple[int, list[str], int],
    reading: tuple[Fields | None, Any, str | None, Any],
) -> Pool:
    """Return the pool of a folder, or a new one."""
    if Pool.exists(folder):
        pool = Pool.load(folder)
        names = [_place(source) for source in sources]
        if names and names != pool.sources:
            msg = (
                f"{folder}: is a pool of {', '.join(pool.sources)}; make another for other sources"
            )
            raise ParameterError(msg)
        return pool
    if not sources:
        msg = f"{folder}: is no pool yet; name the sources it is to be made of"
        raise ParameterError(msg)
    if folder.exists() and not folder.is_dir():
        msg = f"{folder}: is a file, and a pool is a folder; name the folder before the sources"
        raise ParameterError(msg)
    fields, format_, encoding, content = reading
    pairs = folder / "pairs.jsonl"
    check_outputs([pairs] if pairs.exists() else [], sources, format=format_)
    groups, assessors, seed = asked
    known = {
        "fields": {name: named for name, named in asdict(fields or Fields()).items() if named},
        "format": format_,
        "encoding": encoding,
        "content": content,
    }
    return Pool(
        folder=folder,
        sources=[_place(source) for source in sources],
        reading={name: value for name, value in known.items() if value},
        groups=groups,
        seed=seed,
        assessors=assessors,
    )


def _place(source: Source) -> str:
    """Return where a source is, wherever the program is called from next time."""
    if str(source) == "-":
        msg = "a pool reads its documents several times; put them into a file instead of -"
        raise ParameterError(msg)
    return str(Path(source).absolute())


def _reading(pool: Pool) -> dict[str, Any]:
    return {**pool.reading, "fields": Fields(**pool.reading.get("fields", {}))}


def _enter(
    pool: Pool, new: dict[str, Nominated], detector: Detector, found: Pairs, top: int | None
) -> int:
    """Enter the pairs a detector decided on; return how many these are."""
    pairs = [pair for pair in found if pair.relation != "overlap"]
    if top is not None:
        pairs = sorted(pairs, key=lambda pair: (-pair.score, pair.left, pair.right))[:top]
    for pair in pairs:
        key = pair_id(pair.left, pair.right)
        entry = pool.pairs.get(key) or new.setdefault(key, Nominated(key, 0, pair.left, pair.right))
        there, back = pair.left_in_right, pair.right_in_left
        if entry.left != pair.left:
            there, back = back, there
        entry.nominations[detector.name] = {
            "score": pair.score,
            "left_in_right": there,
            "right_in_left": back,
        }
    return len(pairs)


def _group(pool: Pool, new: dict[str, Nominated]) -> None:
    """Give new pairs to the smallest groups, in a seeded order that no method has a hand in."""
    sizes = Counter(dict.fromkeys(range(1, pool.groups + 1), 0))
    sizes.update(pair.group for pair in pool.pairs.values())
    order = sorted(new)
    random.Random(f"{pool.seed} {len(pool.pairs)}").shuffle(order)  # noqa: S311 - nothing secret
    for key in order:
        group = min(sizes, key=lambda group: (sizes[group], group))
        sizes[group] += 1
        new[key].group = group
        pool.pairs[key] = new[key]


def _ask(pool: Pool, excerpt: int) -> int:
    """Write the pool, and a line for each pair and assessor that has none; return how many."""
    files = {
        (assessor, group): pool.judgement_file(assessor, group)
        for assessor in pool.assessors
        for group in range(1, pool.groups + 1)
    }
    known = {key: listed(file) for key, file in files.items()}
    missing = [
        (assessor, pair)
        for assessor in pool.assessors
        for pair in pool.pairs.values()
        if pair.id not in known[assessor, pair.group]
    ]
    wanted = {side for _, pair in missing for side in (pair.left, pair.right)}
    shown = {document.id: document for document in pool_documents(pool) if document.id in wanted}
    pool.save()
    return sum(
        add_lines(
            file,
            [
                question(pair, assessor, shown, excerpt)
                for name, pair in missing
                if name == assessor and pair.group == group
            ],
        )
        for (assessor, group), file in files.items()
    )


def pool_documents(pool: Pool) -> Iterator[Document]:
    """Yield the documents of a pool; at their end, make sure that they are the same as ever."""
    digest = hashlib.blake2b(digest_size=16)
    count = 0
    for document in read(*map(Path, pool.sources), **_reading(pool)):
        for part in (document.id, document.text):
            content = part.encode("utf-8", "surrogatepass")
            digest.update(len(content).to_bytes(8, "little") + content)
        count += 1
        yield document
    if pool.fingerprint and pool.fingerprint != digest.hexdigest():
        msg = (
            f"{pool.folder}: its documents have changed since the pool was made, from "
            f"{pool.documents:,} to {count:,}; restore them, or make another pool"
        )
        raise ParameterError(msg)
    pool.fingerprint, pool.documents = digest.hexdigest(), count
