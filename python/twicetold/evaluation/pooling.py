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
from twicetold.evaluation.answers import MEANINGS, RELATED_RELATIONS, RULES, rubric
from twicetold.evaluation.judging import add_lines, listed, question
from twicetold.evaluation.permissive import PERMISSIVE, permissive
from twicetold.evaluation.pool import Nominated, Pool, pair_id
from twicetold.evaluation.strata import draw_sample, stratum_of
from twicetold.pairs import Pairs
from twicetold.pipeline import DETECTORS, Detector, Progress, ignore
from twicetold.records import Document, Pair
from twicetold.reports.files import check_outputs
from twicetold.reports.side_by_side import Entry, side_of, write_side_by_side
from twicetold.scanning import Source, scan

__all__ = ["default_methods", "nominate", "nominations", "pool_documents"]


def default_methods() -> list[str]:
    """Return retelling, and the methods of the paper's pool."""
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
    sample: int | None = None,
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

    ``methods`` empty: retelling and those of the paper. ``parameters`` by method come instead of
    the permissive ones; a detector nominates with those it has. ``top``: only so many of the best
    pairs of each method. ``sample``: only so many pairs are judged, drawn at random from strata by
    what the first method says, how many others nominated a pair, and its highest score; equal
    texts are left out, and the pool is complete: no further methods can be added. Returns what was
    counted.
    """
    report = Report() if report is None else report
    reading = (fields, format, encoding, None if content == "full" else content)
    if sample is not None and sample < 1:
        msg = f"a sample must have at least 1 pair, got {sample!r}"
        raise ParameterError(msg)
    pool = _open(Path(folder), sources, (groups, list(assessors), group_seed), reading)
    _refuse_to_sample_twice(pool, sample)
    methods = methods or default_methods()
    for method in parameters or {}:
        if method not in methods:
            msg = f"{method} has parameters, and does not nominate; name it as a method, too"
            raise ParameterError(msg)
    chosen = [
        permissive(method, (parameters or {}).get(method)) if isinstance(method, str) else method
        for method in methods
    ]
    new, counts = nominations(
        pool,
        chosen,
        top=top,
        language=language,
        threads=threads,
        report=report,
        progress=progress,
        strict=strict,
    )
    if sample is not None:
        counts |= _sample(pool, new, chosen[0], sample)
    _group(pool, new)
    written = _ask(pool)
    return {"new": len(new), "pairs": len(pool.pairs), "written": written, **counts}


def nominations(
    pool: Pool,
    chosen: Sequence[Detector],
    *,
    top: int | None = None,
    language: str | None = None,
    threads: int = 0,
    report: Report | None = None,
    progress: Callable[[Progress], None] = ignore,
    strict: bool = False,
) -> tuple[dict[str, Nominated], dict[str, int]]:
    """Let detectors nominate; return the pairs that are new, and how many each nominated.

    Nominations of pairs that the pool has already are entered there. Nothing is written.
    """
    _require_one_each(chosen)
    counts: dict[str, int] = {}
    new: dict[str, Nominated] = {}
    for detector in chosen:
        found = scan(
            [Path(source) for source in pool.sources],
            method=detector,
            # `evaluate` scores every pair of copies: each has to be judged.
            all_pairs=True,
            passages=False,
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
    return new, counts


def _refuse_to_sample_twice(pool: Pool, sample: int | None) -> None:
    """Refuse what would change the strata that pairs were drawn from."""
    if pool.strata:
        msg = f"{pool.folder}: is a sample, which is drawn at once; make another pool"
        raise ParameterError(msg)
    if sample is not None and pool.pairs:
        msg = f"{pool.folder}: is a pool of all pairs already; make another one for a sample"
        raise ParameterError(msg)


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
    """Enter the pairs a detector decided on; return how many these are.

    One that finds passages decides on every pair it reports: an overlap may be text that was taken.
    """
    every = detector.tells_passages
    pairs = [p for p in found if every or p.relation in RELATED_RELATIONS]
    pairs += found.forms if every else ()
    if top is not None:
        pairs = sorted(pairs, key=lambda pair: (-pair.score, pair.left, pair.right))[:top]
    for pair in pairs:
        key = pair_id(pair.left, pair.right)
        entry = pool.pairs.get(key) or new.setdefault(key, Nominated(key, 0, pair.left, pair.right))
        there, back = pair.left_in_right, pair.right_in_left
        if entry.left != pair.left:
            there, back = back, there
        entry.nominations[detector.name] = {
            "score": _score(pair),
            "left_in_right": there,
            "right_in_left": back,
        }
        entry.relations[detector.name] = pair.relation
    return len(pairs)


def _score(pair: Pair) -> float:
    """Return how likely the pair is related where the method tells it, else the larger share."""
    probability: float | None = getattr(pair, "probability", None)
    return pair.score if probability is None else probability


def _sample(pool: Pool, new: dict[str, Nominated], first: Detector, sample: int) -> dict[str, int]:
    """Leave only a sample of the new pairs; return what was counted."""
    texts = {
        document.id: hashlib.blake2b(
            document.text.encode("utf-8", "surrogatepass"), digest_size=16
        ).digest()
        for document in pool_documents(pool)
    }
    known = [pair for pair in new.values() if texts[pair.left] != texts[pair.right]]
    if not known:
        msg = f"{pool.folder}: no method nominates a pair of different texts; nothing to draw from"
        raise ParameterError(msg)
    for pair in known:
        others = len(set(pair.nominations) - {first.name})
        score = max(nominated["score"] for nominated in pair.nominations.values())
        pair.stratum = stratum_of(pair.relations.get(first.name), others, score)
    drawn, pool.strata = draw_sample(known, sample, seed=f"sample {pool.seed}")
    counts = {"nominated": len(new), "equal_texts": len(new) - len(known)}
    new.clear()
    new |= {pair.id: pair for pair in drawn}
    return {**counts, "strata": len(pool.strata)}


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


def _ask(pool: Pool) -> int:
    """Write the pool, and a line for each pair and assessor that has none; return how many.

    Groups with a new line get a page with all their texts.
    """
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
    groups = {pair.group for _, pair in missing}
    pages = [pair for pair in pool.pairs.values() if pair.group in groups]
    wanted = {side for pair in pages for side in (pair.left, pair.right)}
    shown = {document.id: document for document in pool_documents(pool) if document.id in wanted}
    pool.save()
    pool.rubric_file.write_text(rubric(), encoding="utf-8")
    for group in sorted(groups):
        _write_page(pool, group, [pair for pair in pages if pair.group == group], shown)
    return sum(
        add_lines(
            file,
            [
                question(pair, assessor, shown)
                for name, pair in missing
                if name == assessor and pair.group == group
            ],
        )
        for (assessor, group), file in files.items()
    )


def _write_page(
    pool: Pool, group: int, pairs: Sequence[Nominated], shown: Mapping[str, Document]
) -> None:
    """Write the texts of a group beside each other, with what to go by."""
    entries = [
        Entry(
            f"{n}. {pair.id}",
            [],
            [
                side_of("LEFT", pair.left, shown[pair.left]),
                side_of("RIGHT", pair.right, shown[pair.right]),
            ],
        )
        for n, pair in enumerate(pairs, start=1)
    ]
    summary = [f"{answer}: {meaning}" for answer, meaning in MEANINGS.items()]
    file = pool.reading_file(group)
    file.parent.mkdir(parents=True, exist_ok=True)
    rules = [rule.replace("`", "") for rule in RULES]
    write_side_by_side(file, f"group {group}", [*summary, *rules], entries)


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
