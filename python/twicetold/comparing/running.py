"""`compare`: one document beside one or several others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from twicetold.analysis import Profile, profile_of
from twicetold.comparing.boilerplate import boilerplate_of
from twicetold.comparing.by_alignment import RetellingParameters, by_alignment
from twicetold.comparing.by_model import decided, has_model, verdicts
from twicetold.comparing.by_sentences import Found, by_sentences
from twicetold.comparing.records import Compared, Comparison, Part, earlier_of
from twicetold.comparing.sentences import Sentences, analyse_sentences
from twicetold.comparing.words import emphasised
from twicetold.deadlines import within
from twicetold.decision import Decision, decision_of
from twicetold.detectors.retelling import Retelling
from twicetold.documents import DocumentsLike, repeatable
from twicetold.errors import ParameterError
from twicetold.html.boilerplate import blanked
from twicetold.html.hierarchy import Hierarchy, outline
from twicetold.html.trees import Order
from twicetold.parameters import parameters_of
from twicetold.picking import OPTIONS, pick
from twicetold.pipeline import DETECTORS, Detector, detector_class
from twicetold.records import Document, Pair, Place, Span
from twicetold.scanning import make_detector
from twicetold.statistics import Statistics

__all__ = ["RETELLING", "compare", "comparing_methods"]

#: The method that aligns.
RETELLING = "retelling"


def comparing_methods() -> dict[str, type]:
    """Return what can compare two documents passage by passage, with where its parameters are."""
    found: dict[str, type] = {RETELLING: RetellingParameters}
    for name in DETECTORS:
        if name != RETELLING and detector_class(name).unit == "sentence":
            found[name] = detector_class(name)
    return found


def compare(  # noqa: PLR0913 - every choice of a comparison, by name
    left: Document | str,
    right: Document | str | Sequence[Document | str],
    *,
    sources: DocumentsLike | None = None,
    method: str | Detector = RETELLING,
    statistics: Statistics | None = None,
    profile: Profile | str | None = None,
    language: str | None = None,
    threads: int = 0,
    order: Order = "document",
    decision: Decision | str | Path | None = None,
    deadline: float | None = None,
    **options: Any,
) -> Comparison:
    """Compare a document with another, or with the union of several, passage by passage.

    Documents, or ids of documents in ``sources``. ``method`` is ``retelling``, which aligns, or a
    detector that compares sentences, or its name, or a detector with a model inside, which decides
    about what an alignment shows; further keywords are its parameters and, with
    sources, options of `build_statistics`. A detector takes its weights from ``statistics``, else
    from the sources, else from the sentences of the documents; an alignment takes from them only
    what is boilerplate, which counts nowhere unless ``keep_boilerplate`` is given. Of web
    pages the trees are matched, too, and ``order`` says how their dotplot counts sentences: as they
    are read, or as the ``thesis`` does, each heading after all that stands under it. What their
    sites repeat is learned from the sources, or known from statistics, and left out, unless
    ``keep_boilerplate`` is True. ``decision`` says who decides about what an alignment shows, as in
    `scan`. What is not done within ``deadline`` seconds ends with `DeadlineError`.

    >>> release = Document(id="release", text="The dam broke on Monday night. Ten people died.")
    >>> report = Document(id="report", text="It rained. The dam broke on Monday night.")
    >>> found = compare(release, report, language="en")
    >>> found.pair.relation, found.parts[0].dots
    ('overlap', (Dot(left=0, right=1, score=1.0),))
    """
    with within(deadline):
        return _compare(
            left,
            right,
            sources=sources,
            method=method,
            statistics=statistics,
            profile=profile,
            language=language,
            threads=threads,
            order=order,
            decision=decision,
            options=options,
        )


def _compare(  # noqa: PLR0913 - every choice of a comparison
    left: Document | str,
    right: Document | str | Sequence[Document | str],
    *,
    sources: DocumentsLike | None,
    method: str | Detector,
    statistics: Statistics | None,
    profile: Profile | str | None,
    language: str | None,
    threads: int,
    order: Order,
    decision: Decision | str | Path | None,
    options: dict[str, Any],
) -> Comparison:
    reading = {name: options.pop(name) for name in OPTIONS if name in options}
    judge = method if isinstance(method, Detector) and has_model(method) else None
    chosen = _method(method, options)
    learned = None
    if judge is None and isinstance(chosen, RetellingParameters):
        learned = decision_of(decision, learned=Retelling.learned_decision)
        judge = None if learned is None else Retelling(threshold=chosen.threshold)
    if judge is not None:
        sources = repeatable(sources)  # they are read twice
    if isinstance(chosen, Detector) and profile is None:
        profile = chosen.profile if statistics is None else statistics.profile
    rights = [right] if isinstance(right, (Document, str, Mapping)) else list(right)
    if not rights:
        msg = "compare needs at least one document on the right, got none"
        raise ParameterError(msg)
    given = statistics
    documents, statistics, boilerplate = pick(
        [left, *rights],
        sources,
        detector=_counting(chosen, reading),
        profile=profile,
        statistics=statistics,
        language=language,
        reading=reading | {"threads": threads},
    )
    left_out = [tuple(boilerplate.spans(document)) for document in documents]
    texts = [
        blanked(document.text, spans) for document, spans in zip(documents, left_out, strict=True)
    ]
    languages = [language or document.language for document in documents]
    sentences = analyse_sentences(texts, languages, threads=threads)
    if isinstance(chosen, Detector):
        assert profile is not None
        found = by_sentences(
            documents, sentences, chosen, profile_of(profile), statistics, threads=threads
        )
        name = chosen.name
    else:
        kept = reading.get("keep_boilerplate")
        flags = None if kept else boilerplate_of(documents, sentences, statistics, threads=threads)
        found = by_alignment(documents, sentences, chosen, boilerplate=flags, threads=threads)
        name = RETELLING
    whole = _comparison(documents, sentences, found, name, chosen.threshold, order)
    if judge is not None:
        asked = [
            replace(boilerplate.without(document), language=language or document.language)
            for document in documents
        ]
        known = reading | {"threads": threads, "language": language}
        judged = verdicts(
            asked,
            judge,
            sources=sources,
            statistics=given,
            profile=profile,
            reading=known,
            decision=learned,
        )
        whole = decided(whole, judged)
    return _with_left_out(whole, left_out)


def _counting(chosen: Detector | RetellingParameters, reading: dict[str, Any]) -> Detector | None:
    """Return whose statistics of the sources are wanted, if any are."""
    if isinstance(chosen, Detector):
        return chosen
    return None if reading.get("keep_boilerplate") else Retelling()


def _method(method: str | Detector, parameters: dict[str, Any]) -> Detector | RetellingParameters:
    name = method if isinstance(method, str) else method.name
    if has_model(method):
        make_detector(method, parameters)  # its parameters are inside
        return RetellingParameters()
    if name == RETELLING:
        known = [parameter.name for parameter in parameters_of(RetellingParameters)]
        for given in parameters:
            if given not in known:
                msg = f"{RETELLING} has no parameter {given!r}; it has {', '.join(known)}"
                raise ParameterError(msg)
        return RetellingParameters(**parameters)
    if isinstance(method, str) and method not in DETECTORS:
        msg = f"no method {method!r} to compare with; there are {', '.join(comparing_methods())}"
        raise ParameterError(msg)
    detector = make_detector(method, parameters)
    if detector.unit != "sentence":
        *others, last = comparing_methods()
        better = f"{', '.join(others)} or {last}"
        msg = f"{name} compares whole documents and has no passages to show; take {better}"
        raise ParameterError(msg)
    return detector


def _comparison(
    documents: Sequence[Document],
    sentences: Sentences,
    found: Found,
    method: str,
    threshold: float,
    order: Order,
) -> Comparison:
    words = emphasised(sentences, found)
    trees = _trees(documents, sentences)
    pairs = [
        replace(_placed(pair, trees[0], trees[n]), earlier=earlier_of(documents[0], [documents[n]]))
        for n, pair in enumerate(found.pairs, start=1)
    ]
    union = replace(found.union, earlier=earlier_of(documents[0], documents[1:]))
    compared = [
        Compared(
            document=document,
            sentences=tuple(sentences.spans[n]),
            # A sentence that comes again has what the first of its kind has.
            matched=tuple(
                number
                for number, first in enumerate(sentences.first_of(n))
                if number in found.matched[n] or first in found.matched[n]
            ),
            emphasised=words[n],
            hierarchy=trees[n],
        )
        for n, document in enumerate(documents)
    ]
    credited = _credited(found)
    parts = tuple(
        Part(right=right, pair=pair, dots=tuple(dots), credited=own)
        for right, pair, dots, own in zip(compared[1:], pairs, found.dots, credited, strict=True)
    )
    return Comparison(
        left=compared[0],
        parts=parts,
        pair=pairs[0] if len(pairs) == 1 else union,
        method=method,
        threshold=threshold,
        order=order,
    )


def _with_left_out(found: Comparison, left_out: Sequence[tuple[Span, ...]]) -> Comparison:
    """Return a comparison that knows what its sites repeat."""
    first, *others = left_out
    return replace(
        found,
        left=replace(found.left, boilerplate=first),
        parts=tuple(
            replace(part, right=replace(part.right, boilerplate=spans))
            for part, spans in zip(found.parts, others, strict=True)
        ),
    )


def _trees(documents: Sequence[Document], sentences: Sentences) -> list[Hierarchy | None]:
    """Return the hierarchies of documents that were read from pages."""
    return [
        None if document.html is None else outline(document, sentences=sentences.spans[n])
        for n, document in enumerate(documents)
    ]


def _placed(pair: Pair, left: Hierarchy | None, right: Hierarchy | None) -> Pair:
    """Return a pair whose passages say where in the pages they begin."""
    if left is None and right is None:
        return pair
    passages = tuple(
        replace(
            passage,
            left_place=_place(left, passage.left.start),
            right_place=_place(right, passage.right.start),
        )
        for passage in pair.passages
    )
    return replace(pair, passages=passages)


def _credited(found: Found) -> list[tuple[int, ...]]:
    """Return for each document on the right the sentences of left that match best there."""
    best: dict[int, tuple[float, int]] = {}
    for number, dots in enumerate(found.dots):
        for dot in dots:
            if dot.score > best.get(dot.left, (-1.0, 0))[0]:
                best[dot.left] = (dot.score, number)
    return [
        tuple(sorted(left for left, (_, own) in best.items() if own == number))
        for number in range(len(found.dots))
    ]


def _place(tree: Hierarchy | None, place: int) -> Place | None:
    return None if tree is None else tree.place_at(place)
