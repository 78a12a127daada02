"""`evaluate`: a detector, or a file of pairs, judged by labelled data."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.evaluation import making
from tests.evaluation.making import DAM, LONGER, MADE, OTHER, write, write_json
from twicetold import scan
from twicetold.detectors.codet import CoDet
from twicetold.errors import FormatError, ParameterError, SourceError
from twicetold.evaluation import (
    SETS,
    Evaluation,
    LabelledPair,
    LabelledSet,
    evaluate,
    evaluate_all,
    read_labels,
)
from twicetold.evaluation.report import evaluation_lines
from twicetold.pipeline import DETECTORS
from twicetold.records import Document
from twicetold.reports.files import write_pairs

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

#: Texts of which each has a copy, and labels that say so.
TEXTS = [
    "The old dam at Brindle broke on Monday. Ten villages lie below the lake and were flooded.",
    "Shares of the glass works fell by two percent. Traders blame the poor harvest of the south.",
    "A comet passed the moon last night. Thousands watched it from the hills around Vellin.",
    "The library will stay open on Sundays. Readers had asked for that since the reform of hours.",
]
COPIES = LabelledSet(
    name="copies",
    sources=tuple(
        Document(id=f"{side}{n}", text=text) for side in "ab" for n, text in enumerate(TEXTS)
    ),
    pairs=tuple(
        LabelledPair(f"a{n}", f"b{m}", float(n == m))
        for n in range(len(TEXTS))
        for m in range(len(TEXTS))
    ),
)


@pytest.mark.parametrize("method", DETECTORS)
def test_every_detector_tells_copies_from_others(method: str) -> None:
    found = evaluate(COPIES, method=method, bootstrap=0)
    assert found.pairs.auc == 1
    assert found.pairs.fixed.figures() == {
        "precision": 1,
        "recall": 1,
        "f1": 1,
        "accuracy": 1,
        "false_positive_rate": 0,
    }


@pytest.mark.parametrize("name", SETS)
def test_every_set_can_be_evaluated_and_shown(name: str, tmp_path: Path) -> None:
    found = evaluate(MADE[name](tmp_path), bootstrap=5)
    assert found.counts["missing_documents"] == 0
    assert found.to_json()["counts"]["pairs"] == found.pairs.pairs > 0
    assert all(line == line.rstrip() for line in evaluation_lines([found]))


def test_each_copy_has_its_score_although_a_scan_collapses_them() -> None:
    sources = tuple(Document(id=name, text=DAM) for name in "abc")
    pairs = (LabelledPair("a", "b", 1), LabelledPair("b", "c", 1), LabelledPair("c", "a", 1))
    found = evaluate(LabelledSet(name="x", sources=sources, pairs=pairs), bootstrap=0)
    assert found.pairs.fixed.recall == 1


def test_a_directed_set_is_judged_both_ways(tmp_path: Path) -> None:
    making.own(tmp_path)
    rows = [
        {"left": "dam", "right": "longer", "label": True},
        {"left": "longer", "right": "dam", "label": False},
        {"left": "dam", "right": "other", "label": False},
    ]
    write_json(tmp_path / "labels.jsonl", [{"labels": "pairs", "directed": True}, *rows])
    found = evaluate(tmp_path, method="codet", bootstrap=0, threshold=0.95)
    assert (found.pairs.pairs, found.pairs.fixed.tp, found.pairs.fixed.fp) == (3, 1, 0)
    assert found.unordered is not None
    assert (found.unordered.pairs, found.unordered.fixed.tp) == (2, 1)
    assert found.to_json()["unordered"]["counts"]["pairs"] == 2
    lax = evaluate(tmp_path, method="codet", bootstrap=0, threshold=0.05)
    assert lax.pairs.fixed.fp == 1
    assert lax.unordered is not None
    assert lax.unordered.fixed.fp == 0


def test_the_detector_decides_what_lies_on_the_threshold() -> None:
    text = "Ants sing. Bees hum."
    sources = (Document(id="a", text="Ants sing."), Document(id="b", text=text))
    labelled = LabelledSet(
        name="x", sources=sources, pairs=(LabelledPair("b", "a", 1),), directed=True
    )
    share = evaluate(labelled, method="codet", bootstrap=0).pairs.best.threshold
    above = evaluate(labelled, method="codet", bootstrap=0, threshold=share)
    at_least = evaluate(
        labelled, method="codet", bootstrap=0, threshold=share, comparison="at-least"
    )
    assert (above.pairs.fixed.recall, at_least.pairs.fixed.recall) == (0, 1)


def test_clusters_are_judged_as_pairs_and_as_clusters(tmp_path: Path) -> None:
    found = evaluate(making.versions(tmp_path), bootstrap=0)
    assert found.clusters is not None
    assert (found.pairs.pairs, found.pairs.positives) == (3, 1)
    assert found.clusters.fixed.ari == found.clusters.best.ari == 1
    assert (found.clusters.recall_at_1, found.clusters.mrr) == (1, 1)
    shown = found.to_json()
    assert shown["clustering"]["bcubed_f1"] == 1
    assert shown["clustering"]["counts"]["clusters"] == 2


def test_parts_are_compared_with_the_control(tmp_path: Path) -> None:
    found = evaluate(making.pan(tmp_path), bootstrap=0)
    assert list(found.parts) == ["02-no-obfuscation"]
    assert found.parts["02-no-obfuscation"].pairs == 2
    assert found.parts["02-no-obfuscation"].auc == 1
    assert found.to_json()["mean_of_parts"]["auc"] == 1


def test_grades_are_correlated_with_scores(tmp_path: Path) -> None:
    found = evaluate(making.bills(tmp_path), bootstrap=0).to_json()
    assert found["pearson"] == found["spearman"] == pytest.approx(1)
    assert "pearson" not in evaluate(COPIES, bootstrap=0).to_json()


def test_where_nothing_counts_as_related_only_false_positives_are_shown(tmp_path: Path) -> None:
    found = evaluate(making.semeval(tmp_path), bootstrap=0)
    assert found.pairs.positives == 0
    assert found.pairs.fixed.false_positive_rate == 0.5
    lines = "\n".join(evaluation_lines([found]))
    assert "no label counts as related" in lines
    assert "false positives" in lines
    assert "AUC" not in lines
    assert "best" not in lines


def test_a_file_of_a_scan_gives_what_the_scan_gives(tmp_path: Path) -> None:
    labelled = read_labels(making.own(tmp_path))
    direct = evaluate(labelled, bootstrap=0)
    pairs = scan(tmp_path / "documents.jsonl", method="codet", floor=0, all_pairs=True)
    for name in ("pairs.jsonl", "pairs.csv", "pairs.parquet", "pairs.csv.gz", "pairs.jsonl.zst"):
        write_pairs(pairs, tmp_path / name)
        found = evaluate(labelled, pairs=tmp_path / name, bootstrap=0)
        assert found.pairs == direct.pairs
        assert found.method == name
    stricter = evaluate(labelled, pairs=tmp_path / "pairs.jsonl", bootstrap=0, threshold=1.0)
    assert stricter.pairs.fixed.threshold == 1
    with pytest.raises(ParameterError, match="pairs from a file have no parameter 'depth'"):
        evaluate(labelled, pairs=tmp_path / "pairs.jsonl", depth=3)


#: A pair of a file, but for its relation.
PAIR = {"left": "a", "right": "b"} | dict.fromkeys(
    ("left_in_right", "right_in_left", "resemblance", "odds"), 1
)


def test_scores_below_the_floor_are_nothing(tmp_path: Path) -> None:
    weak = {**PAIR, "left": "a0", "right": "b0", "left_in_right": 0.2, "right_in_left": 0.1}
    file = write_json(tmp_path / "p.jsonl", [{**weak, "relation": "overlap"}])
    scored = [
        evaluate(COPIES, pairs=file, bootstrap=0, floor=floor).pairs.scored
        for floor in (0.0, 0.2, 0.3)
    ]
    assert scored == [1, 1, 0]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.jsonl", "{", "a.jsonl:1: not JSON"),
        ("a.jsonl", '{"left": "a"}', "a.jsonl:1: not a pair as `twicetold scan -o` writes it"),
        ("a.csv", "left,right\na,b\n", "a.csv:2: not a pair"),
        ("a.csv", 'left,right\n"a', "a.csv: not a CSV file of pairs"),
        ("a.parquet", "no", "a.parquet: not a Parquet file of pairs"),
        ("a.csv.gz", "no", "a.csv.gz: not gzip data, although the name says so"),
        (
            "a.jsonl",
            json.dumps({**PAIR, "relation": "?"}),
            "a.jsonl:1: no relation '?'; there are identical",
        ),
    ],
)
def test_a_file_that_holds_no_pairs_is_told(
    name: str, content: str, words: str, tmp_path: Path
) -> None:
    with pytest.raises(FormatError) as caught:
        evaluate(COPIES, pairs=write(tmp_path / name, content))
    assert words in str(caught.value)


def test_what_is_given_is_checked(tmp_path: Path) -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"bootstrap": -1}, "bootstrap must be at least 0, got -1"),
        ({"judge_by": "cosine"}, "judge_by must be containment or resemblance or odds"),
        ({"method": "codex"}, "no method 'codex'"),
        ({"breadth": 3}, "retelling has no parameter 'breadth'"),
        ({"method": CoDet(), "depth": 3}, "parameters go into the detector itself"),
    ]
    for given, words in wrong:
        with pytest.raises(ParameterError, match=words):
            evaluate(COPIES, **given)
    with pytest.raises(SourceError, match="there is no such file"):
        evaluate(COPIES, pairs=tmp_path / "none.jsonl")
    with pytest.raises(ParameterError, match="no parameter 'breadth' in codet"):
        evaluate_all(COPIES, methods=["codet"], parameters={"breadth": 1})


def test_labels_of_documents_that_are_not_there_are_told() -> None:
    pairs = (*COPIES.pairs, LabelledPair("a0", "lost", 1))
    found = evaluate(replace(COPIES, pairs=pairs), bootstrap=0)
    assert found.counts["missing_documents"] == 1
    assert found.pairs.fixed.fn == 1
    assert "1 document with a label is not among the documents" in "\n".join(
        evaluation_lines([found])
    )
    with pytest.raises(ParameterError, match="no document has a label; labels are of ids such as"):
        evaluate(replace(COPIES, pairs=(LabelledPair("x", "y", 1),)))


def test_pairs_found_without_a_label_are_counted() -> None:
    found = evaluate(
        LabelledSet(name="x", sources=COPIES.sources, pairs=COPIES.pairs[:3]), bootstrap=0
    )
    assert found.counts["unlabelled_found"] == len(TEXTS) - 1
    by_resemblance = evaluate(COPIES, bootstrap=0, judge_by="resemblance")
    assert by_resemblance.counts["unlabelled_found"] == 0


def test_methods_are_compared_in_one_table() -> None:
    first = evaluate(COPIES, method="codet", bootstrap=0)
    second = evaluate(COPIES, method="codet", bootstrap=0, depth=1)
    lines = list(evaluation_lines([first, second]))
    assert sum(line.startswith("  codet") for line in lines) == 8
    assert lines[0] == "copies: 16 document pairs, 4 related, 4 clusters"


def test_methods_are_compared_on_the_same_resamples() -> None:
    labels = read_labels(EXAMPLES / "labels.jsonl")
    first = evaluate(labels, method="codet", bootstrap=50)
    second = evaluate(labels, method="codet", bootstrap=50, threshold=0.9)
    value, (low, high) = second.more_than(first)["recall"]
    assert second.pairs.fixed.recall is not None
    assert value == second.pairs.fixed.recall - 1
    assert low < value < high < 0
    assert second.more_than(first)["auc"] == (0, (0, 0))
    lines = list(evaluation_lines([first, second]))
    block = lines[lines.index("as decided, more than codet") :]
    assert block[1].split() == ["F1", "precision", "recall", "AUC"]
    assert not evaluate(labels, method="codet", bootstrap=0).more_than(
        evaluate(labels, method="codet", bootstrap=0)
    )


def test_a_correlation_that_does_not_exist_is_not_compared(tmp_path: Path) -> None:
    labels = read_labels(making.clough_stevenson(tmp_path / "answers"))
    first = evaluate(labels, bootstrap=20)
    nothing = evaluate(labels, method="simhash", distance=0, bootstrap=20)
    assert first.pairs.pearson is not None
    assert nothing.pairs.pearson is None
    for difference in (first.more_than(nothing), nothing.more_than(first)):
        assert "recall" in difference
        assert "pearson" not in difference


def test_an_evaluation_repeats() -> None:
    def plain(found: Evaluation) -> dict[str, Any]:
        return {name: value for name, value in found.to_json().items() if name != "seconds"}

    first, again, other = (
        plain(evaluate(COPIES, bootstrap=30, sample_seed=seed, threads=threads))
        for seed, threads in ((1, 1), (1, 2), (2, 1))
    )
    assert first == again
    assert first["seed"] != other["seed"]
    assert first["intervals"]["auc"] == [1, 1]


def test_inline_texts_need_no_documents(tmp_path: Path) -> None:
    rows = [
        {"left_text": DAM, "right_text": LONGER, "label": True},
        {"left_text": DAM, "right_text": OTHER, "label": False},
    ]
    found = evaluate(write_json(tmp_path / "sentences.jsonl", rows), bootstrap=0)
    assert found.labelled.unit == "sentence"
    assert found.pairs.fixed.f1 == 1


def test_it_is_told_how_thresholds_were_tuned(tmp_path: Path) -> None:
    def heading(labelled: LabelledSet) -> str:
        lines = evaluation_lines([evaluate(labelled, method="codet", bootstrap=0)])
        return next(line for line in lines if line.startswith("tuned on"))

    # Of two clusters of documents only one has a related pair.
    few = replace(COPIES, pairs=(LabelledPair("a0", "b0", 1), LabelledPair("a1", "b2", 0)))
    assert heading(few).endswith("reported on the other (which has no related pairs)")
    half = replace(COPIES, pairs=tuple(pair for pair in COPIES.pairs if pair.label))
    assert heading(half).endswith("reported on the other (mean of both ways)")
    assert heading(read_labels(MADE["mrpc"](tmp_path))).endswith("on the part for testing")
