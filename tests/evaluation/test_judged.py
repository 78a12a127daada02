"""Judged collections: six answers, weights, two questions, and what a method is wrong about."""

from __future__ import annotations

import json
import math
import re
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.evaluation import making
from tests.evaluation.making import DAM, OTHER, write, write_json
from twicetold import Document
from twicetold.errors import FormatError, ParameterError, SourceError
from twicetold.evaluation import evaluate, read_labels
from twicetold.evaluation.agreement import kappa
from twicetold.evaluation.answers import ANSWERS, MEANINGS, RELATED, TAKEN, is_true, rubric, turned
from twicetold.evaluation.found import Found
from twicetold.evaluation.judged import JudgedPair, JudgedSet, is_judged, read_judged
from twicetold.evaluation.judged_evaluating import evaluate_judged, evaluate_judged_all
from twicetold.evaluation.judged_report import judged_lines
from twicetold.evaluation.judged_views import (
    NOT_REPORTED,
    Verdict,
    relations_and_answers,
    reliability,
    verdicts,
    view_question,
)
from twicetold.evaluation.mistakes import mistakes, write_mistakes
from twicetold.evaluation.removals import evaluate_removals, is_removals, removal_lines
from twicetold.records import RELATIONS
from twicetold.scanning import scan

RELATION_OF = {"near-duplicate": "near-duplicate", "contained": "contained", "overlap": "overlap"}


def pair(n: int, answer: Any, **known: Any) -> JudgedPair:
    return JudgedPair(f"p{n}", f"l{n}", f"r{n}", answer, known.pop("first", answer), **known)


def found(relation: str, there: float, back: float, **known: float) -> Found:
    return Found(there, back, min(there, back), 0.0, relation, **known)


def judged_set(*pairs: JudgedPair) -> JudgedSet:
    return JudgedSet("made", (), tuple(pairs))


# reading


def test_a_folder_is_read_as_it_is(tmp_path: Path) -> None:
    folder = making.judged(tmp_path / "dams")
    for path in (folder, folder / "judgements.jsonl"):
        assert is_judged(path)
        judged = read_judged(path)
        assert judged.name == "dams"
        assert judged.sources == (folder / "documents.jsonl",)
        assert judged.pairs[0] == JudgedPair(
            "p0", "dam", "longer", "contained", "contained", weight=4.0
        )
        assert (judged.pairs[1].second, judged.pairs[2].sure) == ("stock", False)
        assert judged.ids == {"dam", "longer", "other", "shares"}
    assert len(judged.sure().pairs) == 3
    assert judged.answers()["unrelated"] == (1, 95.5)
    assert not is_judged(making.own(tmp_path / "own"))
    assert not is_judged(tmp_path / "nowhere")


def test_what_waits_for_an_answer_is_counted_and_left_out(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"left": "a", "right": "b", "answer": None},
        {"left": 1, "right": 2, "answer": " Overlap ", "sure": None, "note": None},
    ]
    judged = read_judged(write_json(tmp_path / "some.jsonl", rows))
    assert (judged.name, judged.unanswered) == ("some", 1)
    assert judged.pairs == (JudgedPair("2", "1", "2", "overlap", "overlap"),)
    with pytest.raises(FormatError, match="holds no judged pair; 1 wait for an answer"):
        read_judged(write_json(tmp_path / "none.jsonl", rows[:1]))


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([{"left": "a", "right": "b", "answer": "maybe"}], ":1: answer must be near-duplicate, "),
        ([{"left": "a", "right": "a", "answer": "stock"}], "are the same document 'a'"),
        ([{"left": "a", "answer": "stock"}], "right must be the id of a document, got None"),
        (
            [{"left": "a", "right": "b", "answer": "stock", "weight": 0}],
            "weight must be a number above 0, got 0",
        ),
        ([{"left": "a", "right": "b", "answer": "stock", "sure": "no"}], "sure must be true or"),
        (
            [
                {"left": "a", "right": "b", "answer": "contained"},
                {"left": "b", "right": "a", "answer": "contains"},
            ],
            ":2: 'b' and 'a' were judged in line 1; keep one",
        ),
        (
            [{"left": {"id": "a"}, "right": {"id": "b"}, "answer": "stock"}],
            "make a collection of it with `twicetold pool collect`",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_line(
    rows: list[dict[str, Any]], words: str, tmp_path: Path
) -> None:
    with pytest.raises(FormatError, match=words):
        read_judged(write_json(tmp_path / "judgements.jsonl", rows))


def test_a_judged_collection_is_also_a_set_of_labels(tmp_path: Path) -> None:
    labelled = read_labels(making.judged(tmp_path))
    assert labelled.directed
    yes = {(p.left, p.right) for p in labelled.pairs if p.label}
    assert yes == {("dam", "longer"), ("other", "shares")}
    assert len(labelled.pairs) == 8


def test_an_answer_turns_with_the_pair() -> None:
    assert [turned(turned(answer)) for answer in ANSWERS] == list(ANSWERS)
    assert {answer for answer in ANSWERS if turned(answer) != answer} == {"contained", "contains"}
    assert {"overlap"} == TAKEN - RELATED
    assert set(MEANINGS) == set(ANSWERS)
    assert all(f"`{answer}`" in rubric() for answer in ANSWERS)


# what a method says


def test_pairs_are_found_whichever_document_comes_first() -> None:
    judged = judged_set(pair(0, "contained"), pair(1, "contained"), pair(2, "stock"))
    pairs = [
        ("l0", "r0", found("contained", 0.9, 0.2)),
        ("r1", "l1", found("contains", 0.2, 0.9)),
        ("l0", "r2", found("identical", 1.0, 1.0)),
    ]
    said = verdicts(judged, pairs)
    assert said[0] == said[1] == Verdict("contained", 0.9, 0.9, is_related=True, is_taken=True)
    assert said[2] == Verdict(NOT_REPORTED)


@pytest.mark.parametrize("relation", [*RELATIONS, "version", "same-form"])
def test_each_relation_answers_both_questions(relation: str) -> None:
    [said] = verdicts(judged_set(pair(0, "stock")), [("l0", "r0", found(relation, 0.6, 0.7))])
    assert said.is_related == (relation in {"identical", "near-duplicate", "contained", "contains"})
    assert said.is_taken == (said.is_related or relation in {"overlap", "version"})
    assert said.related == said.taken == (0.0 if relation == "same-form" else 0.7)


def test_probabilities_come_before_shares() -> None:
    pairs = [
        ("r0", "l0", found("overlap", 0.6, 0.7, probability=0.25, taken=0.75)),
        ("l1", "r1", found("near-duplicate", 0.6, 0.7, probability=0.5)),
    ]
    said = verdicts(judged_set(pair(0, "stock"), pair(1, "stock")), pairs)
    assert [(one.related, one.taken) for one in said] == [(0.25, 0.75), (0.5, 0.5)]
    strict = verdicts(judged_set(pair(0, "stock"), pair(1, "stock")), pairs, threshold=0.6)
    assert [(one.is_related, one.is_taken) for one in strict] == [(False, True), (False, True)]


def test_a_score_with_direction_is_the_probability_of_that_direction() -> None:
    known = {"left_in_right_probability": 0.2, "right_in_left_probability": 0.9}
    one = found("contains", 0.6, 0.7, probability=0.9, **known)
    assert [each.score("containment", directed=True) for each in (one, one.reversed())] == [
        0.2,
        0.9,
    ]
    assert one.score("containment", directed=False) == 0.9
    assert one.score("resemblance", directed=False) == 0.6


# figures


def by_hand(pairs: list[JudgedPair], said: list[Verdict], question: Any) -> dict[str, Any]:
    """The figures, slowly and from their definitions."""
    rows = [
        (one.score(question), one.says(question), is_true(question, p.answer), p.weight)
        for p, one in zip(pairs, said, strict=True)
    ]

    def share(top: Any, bottom: Any) -> float | None:
        above, below = (math.fsum(r[3] for r in rows if test(r)) for test in (top, bottom))
        return above / below if below else None

    precision = share(lambda r: r[1] and r[2], lambda r: r[1])
    recall = share(lambda r: r[1] and r[2], lambda r: r[2])
    wins = weights = 0.0
    for one, other in product(rows, rows):
        if one[2] and not other[2]:
            both = one[3] * other[3]
            weights += both
            wins += both * (1.0 if one[0] > other[0] else 0.5 if one[0] == other[0] else 0.0)
    return {"precision": precision, "recall": recall, "auc": wins / weights}


@pytest.mark.parametrize("seed", range(5))
def test_figures_are_those_of_a_slow_twin(seed: int) -> None:
    rng = Random(seed)
    pairs, said = [], []
    for n in range(60):
        pairs.append(pair(n, rng.choice(ANSWERS), weight=rng.choice([1.0, 2.5, 40.0])))
        score = rng.choice([0.0, 0.2, 0.5, 0.9])
        said.append(Verdict("overlap", score, score, rng.random() < score, rng.random() < 0.7))
    for question in ("related", "taken"):
        view = view_question(pairs, said, question, threshold=0.5)
        wanted = by_hand(pairs, said, question)
        for name, value in wanted.items():
            assert view.figures()[name] == pytest.approx(value)
        decided = [
            (one.score(question) >= view.best.threshold, is_true(question, p.answer), p.weight)
            for p, one in zip(pairs, said, strict=True)
        ]
        right = math.fsum(w for yes, true, w in decided if yes and true)
        rest = math.fsum(w for yes, true, w in decided if yes != true)
        assert view.best.f1 == pytest.approx(2 * right / (2 * right + rest))


def test_a_weight_is_as_good_as_that_many_pairs() -> None:
    said = {"near-duplicate": Verdict("contained", 0.9, 0.9, True, True)}
    once = [pair(0, "near-duplicate", weight=2.0), pair(1, "stock", weight=3.0)]
    many = [pair(n, "near-duplicate" if n < 2 else "stock") for n in range(5)]
    views = [
        view_question(
            pairs, [said.get(p.answer, Verdict("overlap")) for p in pairs], "related", threshold=0.5
        )
        for pairs in (once, many)
    ]
    assert views[0].figures() == views[1].figures()


def test_intervals_come_again_and_hold_the_figure(tmp_path: Path) -> None:
    folder = making.judged(tmp_path)
    first, again = (evaluate_judged(folder, bootstrap=50, sample_seed=3) for _ in range(2))
    assert first.related.intervals == again.related.intervals
    low, high = first.related.intervals["f1"]
    assert low <= (first.related.fixed.f1 or 0) <= high


def test_reliability_compares_scores_with_shares() -> None:
    pairs = [pair(0, "contained", weight=3.0), pair(1, "stock"), pair(2, "stock", weight=9.0)]
    said = [Verdict("overlap", 0.55, 0.8), Verdict("overlap", 0.59, 1.0), Verdict(NOT_REPORTED)]
    own = reliability(pairs, said, "related")
    [only] = own.bins
    assert (only.start, only.end, only.pairs, only.weight, only.share) == (0.5, 0.6, 2, 4.0, 0.75)
    assert only.score == pytest.approx((3 * 0.55 + 0.59) / 4)
    assert own.error == pytest.approx(0.75 - only.score)
    assert own.error_of_judged == pytest.approx((0.55 + 0.59) / 2 - 0.5)
    assert reliability(pairs, said[2:] * 3, "related").error is None
    # A score of 1 has its place in the last bin.
    assert reliability(pairs, said, "taken").bins[-1].end == 1.0


def test_the_second_reader_is_compared_with_the_first() -> None:
    judged = judged_set(
        pair(0, "contained", first="overlap", second="contained"),
        pair(1, "overlap", second="stock"),
        pair(2, "stock", second="stock"),
        pair(3, "stock"),
    )
    agreed = judged.agreement()
    assert agreed is not None
    both = [("overlap", "contained"), ("overlap", "stock"), ("stock", "stock")]
    assert (agreed["pairs"], agreed["same"]) == (3, 1)
    assert agreed["answers"] == kappa(both)
    assert agreed["taken"] == kappa([(True, True), (True, False), (False, False)])
    assert judged_set(pair(0, "stock")).agreement() is None


def test_answers_are_counted_by_relation() -> None:
    pairs = [pair(0, "stock", weight=5.0), pair(1, "overlap"), pair(2, "stock")]
    said = [Verdict("overlap"), Verdict("identical"), Verdict("overlap")]
    rows = relations_and_answers(pairs, said)
    assert list(rows) == ["identical", "overlap"]
    assert (rows["overlap"]["stock"], rows["overlap"]["overlap"]) == ((2, 6.0), (0, 0.0))


# evaluating


def test_a_collection_is_evaluated_in_one_call(tmp_path: Path) -> None:
    one = evaluate_judged(making.judged(tmp_path / "dams"), bootstrap=0, decision="own")
    assert (one.method, one.probabilities) == ("retelling", False)
    assert one.counts["documents"] == 4
    assert [said.relation for said in one.said][:2] == ["contained", "contains"]
    assert one.said[3].relation == NOT_REPORTED
    assert (one.related.fixed.tp, one.related.fixed.tn) == (5.0, 96.5)
    assert one.taken.fixed.recall == 1
    whole = one.to_json()
    assert (whole["set"], whole["labels"]) == ("dams", "judgements")
    assert whole["answers"]["contained"] == {"pairs": 1, "weight": 4.0}
    assert whole["counts"]["judged_pairs"] == 4
    assert whole["second_reader"]["pairs"] == 1
    assert whole["related"]["precision"] == 1.0
    json.dumps(whole)


def test_a_file_of_pairs_is_judged_like_the_scan_it_came_from(tmp_path: Path) -> None:
    folder = making.judged(tmp_path / "dams")
    pairs = scan(folder / "documents.jsonl", all_pairs=True, passages=False)
    rows = [one.to_json() for one in pairs]
    file = write_json(tmp_path / "pairs.jsonl", rows)
    direct, read = evaluate_judged(folder, bootstrap=0), evaluate_judged(folder, pairs=file)
    assert direct.said == read.said
    for row in rows:
        row |= {"probability": 0.75, "taken": 0.8}
    read = evaluate_judged(folder, pairs=write_json(file, rows), bootstrap=0)
    assert read.probabilities
    assert {(one.related, one.taken) for one in read.said if one.is_reported} == {(0.75, 0.8)}
    strict = evaluate_judged(folder, pairs=file, bootstrap=0, threshold=0.9)
    assert not any(one.is_related for one in strict.said)


def test_methods_are_compared_on_the_same_resamples(tmp_path: Path) -> None:
    folder = making.judged(tmp_path)
    given = {"threshold": 0.99}
    every = evaluate_judged_all(
        folder, methods=["retelling", "codet", "codet"], parameters=given, bootstrap=20
    )
    assert [one.method for one in every] == ["retelling", "codet"]
    difference, ends = every[1].more_than(every[0], "related")["recall"]
    assert ends[0] <= difference <= ends[1]
    lines = list(judged_lines(every))
    assert "related as decided, more than retelling" in lines
    assert all(line == line.rstrip() for line in lines)
    with pytest.raises(ParameterError, match="no parameter 'depth' in retelling"):
        evaluate_judged_all(folder, methods=["retelling"], parameters={"depth": 3})


def test_lines_for_people_say_all_that_is_known(tmp_path: Path) -> None:
    text = "\n".join(
        judged_lines([evaluate_judged(making.judged(tmp_path / "dams"), decision="own")])
    )
    for words in (
        "dams: 4 judged pairs: 1 contained, 1 contains, 1 overlap, 1 unrelated",
        "they stand for 4 contained, 1 contains, 1 overlap, 96 unrelated",
        "readers were not sure of 1",
        "second reader: 1 pairs, the same answer for 0",
        "what retelling says, how many such pairs were judged so",
        "related by score, which is a share and no probability",
        "expected calibration error",
        "[ ] 95% interval, from 1,000 resamples of ",
    ):
        assert words in text


def test_a_set_in_which_nothing_is_related_has_its_false_positives(tmp_path: Path) -> None:
    documents = (Document(id="a", text=DAM), Document(id="b", text=f"{DAM} {OTHER}"))
    pairs = (JudgedPair("1", "a", "b", "stock", "stock"),)
    one = evaluate_judged(JudgedSet("forms", documents, pairs), bootstrap=5)
    assert one.related.fixed.false_positive_rate == 1
    text = "\n".join(judged_lines([one]))
    assert "no judged pair is related" in text
    assert "no judged pair is taken" in text


def test_a_collection_without_documents_is_refused(tmp_path: Path) -> None:
    rows = [{"left": "a", "right": "b", "answer": "stock"}]
    judged = read_judged(write_json(tmp_path / "judgements.jsonl", rows))
    with pytest.raises(SourceError, match="say where they are with documents"):
        evaluate_judged(judged)


# mistakes


def test_mistakes_come_worst_first(tmp_path: Path) -> None:
    documents = tuple(Document(id=f"{side}{n}", text=DAM) for side in "lr" for n in range(4))
    judged = JudgedSet(
        "made",
        documents,
        (
            pair(0, "contained", weight=9.0),
            pair(1, "stock"),
            pair(2, "overlap"),
            pair(3, "near-duplicate"),
        ),
    )
    pairs = [
        ("l0", "r0", found("overlap", 0.4, 0.4)),
        ("r1", "l1", found("near-duplicate", 0.95, 0.9)),
        ("l2", "r2", found("overlap", 0.3, 0.1)),
    ]
    rows = [{"left": a, "right": b, "score": 0.0, **each._asdict()} for a, b, each in pairs]
    file = write_json(tmp_path / "pairs.jsonl", rows)
    one = evaluate_judged(judged, pairs=file, bootstrap=0)
    wrong = mistakes([one])
    assert [(each.pair.id, round(each.size, 2)) for each in wrong] == [
        ("p3", 1.0),
        ("p1", 0.95),
        ("p0", 0.6),
    ]
    assert wrong[1].wrong == {"pairs.jsonl": ("related", "taken")}
    assert wrong[2].wrong == {"pairs.jsonl": ("related",)}
    # Of equally bad ones, the one that more methods are wrong about comes first.
    other = evaluate_judged(
        judged, pairs=write_json(tmp_path / "none.jsonl", rows[:0]), bootstrap=0
    )
    assert [each.pair.id for each in mistakes([other, one])] == ["p0", "p3", "p2", "p1"]


@pytest.mark.parametrize("suffix", [".html", ".md", ".txt"])
def test_mistakes_are_written_with_whole_texts(suffix: str, tmp_path: Path) -> None:
    long = " ".join(f"Sentence {n} of a long report ends here." for n in range(600))
    documents = (
        Document(id="a", text=f"{long} <script>alert(1)</script> THE END", title="Long"),
        Document(id="b", text=f"{DAM} ```` {long}"),
    )
    pairs = (JudgedPair("1", "a", "b", "stock", "stock", sure=False, note="another dam"),)
    one = evaluate_judged(JudgedSet("dams", documents, pairs), method="codet", bootstrap=0)
    path = tmp_path / f"errors{suffix}"
    assert write_mistakes([one], path) == 1
    text = re.sub("</?mark>", "", path.read_text("utf-8"))
    assert "judged stock, not sure: another dam" in text
    assert text.count("Sentence 599 of a long report ends here.") == 2
    assert "THE END" in text
    if suffix == ".html":
        assert "&lt;script&gt;" in text
        assert text.count("<details>") == 2
        assert "more characters" in text
    else:
        assert "`````text" in text


def test_texts_are_written_as_what_can_be_read(tmp_path: Path) -> None:
    one = evaluate_judged(making.judged(tmp_path / "dams"), bootstrap=0)
    with pytest.raises(ParameterError, match=r"as \.html, \.md, \.txt; name the file so"):
        write_mistakes([one], tmp_path / "errors.pdf")


# removals


def test_removals_have_shares_with_intervals(tmp_path: Path) -> None:
    rows = [
        {"set": "one", "removed": f"r{n}", "witness": "w", "reason": "contained", "answer": answer}
        for n, answer in enumerate(["loses"] * 3 + ["worse"] + ["safe"] * 4 + [None])
    ]
    rows[0] |= {"set": "other", "second": "safe"}
    rows[1] |= {"second": "loses"}
    file = write_json(tmp_path / "judged_removals_x.jsonl", rows)
    assert is_removals(file)
    assert not is_judged(file)
    own = evaluate_removals(file)
    assert (own.judged, own.unanswered) == (8, 1)
    loses = own.shares["loses"]
    assert (loses.removals, loses.share) == (3, 0.375)
    assert loses.interval[0] < 0.375 < loses.interval[1]
    assert own.sets["other"]["loses"].share == 1.0
    assert own.reasons == {}
    assert own.kappa == 0.0
    assert own.to_json()["shares"]["safe"]["count"] == 4
    lines = list(removal_lines(own))
    assert lines[0] == "judged_removals_x: 8 removals judged, 1 without an answer"
    assert any(line.startswith("all    loses   3  38% [") for line in lines)


def test_removals_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    rows = [{"removed": "a", "witness": "b", "answer": "lost"}]
    with pytest.raises(FormatError, match=r":1: answer must be loses, worse, safe or null, got"):
        evaluate_removals(write_json(tmp_path / "r.jsonl", rows))
    rows[0]["answer"] = ""
    with pytest.raises(FormatError, match="holds no judged removal; answer loses, worse, safe in"):
        evaluate_removals(write_json(tmp_path / "r.jsonl", rows))
    assert not is_removals(write(tmp_path / "broken.jsonl", "{"))


# with the learned decision


def forms(n: int) -> list[Document]:
    """Notices of one form with other facts, and one that is in another twice."""
    towns = ("Brindle", "Osmarrow", "Tollgate", "Fenwick", "Harrow", "Larkhill", "Stoke", "Ely")
    notice = "The fire department of {} will receive a federal grant of {} dollars this year."
    more = "The money is for trucks and hoses, said the senator, who thanked all volunteers."
    found = [
        Document(id=f"form{k}", text=f"{notice.format(towns[k % 8], 1000 + 37 * k)} {more}")
        for k in range(n)
    ]
    return [*found, Document(id="dam", text=DAM), Document(id="copy", text=f"{DAM} {OTHER}")]


def test_pairs_of_one_form_have_their_probabilities_too() -> None:
    documents = tuple(forms(60))
    pairs = (
        JudgedPair("0", "dam", "copy", "contained", "contained"),
        *(JudgedPair(f"{k}", "form0", f"form{k}", "stock", "stock") for k in range(1, 20)),
    )
    one = evaluate_judged(
        JudgedSet("forms", documents, pairs), decision="learned", bootstrap=0, threads=1
    )
    assert one.probabilities
    scanned = scan(documents, decision="learned", all_pairs=True, passages=False)
    assert len(scanned.forms)
    told = {frozenset((p.left, p.right)): p for p in (*scanned, *scanned.forms)}
    assert {"same-form"} <= {said.relation for said in one.said}
    for judged, said in zip(pairs, one.said, strict=True):
        known = told.get(frozenset((judged.left, judged.right)))
        if known is None:
            assert said == Verdict(NOT_REPORTED)
        else:
            assert (said.related, said.taken) == (known.probability, known.taken)
    labelled = evaluate(
        JudgedSet("forms", documents, pairs).labelled(), decision="learned", bootstrap=0
    )
    assert labelled.pairs.auc == 1
    assert labelled.pairs.fixed.fp == 0
