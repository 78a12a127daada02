"""Labelled sets are read as their makers mean them, and what is wrong in them is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.evaluation import making
from tests.evaluation.making import DAM, LONGER, MADE, OTHER, write, write_json
from twicetold.errors import FormatError, ParameterError, SourceError
from twicetold.evaluation import SETS, LabelledPair, LabelledSet, read_labels
from twicetold.records import Document


def texts(labelled: LabelledSet) -> dict[str, str]:
    found = (source for source in labelled.sources if isinstance(source, Document))
    return {document.id: document.text for document in found}


def test_every_format_is_tested() -> None:
    assert set(MADE) == set(SETS)


@pytest.mark.parametrize("name", SETS)
def test_a_set_is_known_by_what_is_there(name: str, tmp_path: Path) -> None:
    folder = MADE[name](tmp_path / "some-set")
    found = read_labels(folder)
    assert found == read_labels(folder, format=name)
    assert found.name == "some-set"
    for other in set(SETS) - {name}:
        with pytest.raises((FormatError, ParameterError, SourceError)):
            read_labels(folder, format=other)


def test_pan_has_parts_and_a_control(tmp_path: Path) -> None:
    found = read_labels(making.pan(tmp_path))
    assert found.pairs == (
        LabelledPair("s2.txt", "d1.txt", 0, "01-no-plagiarism"),
        LabelledPair("s1.txt", "d1.txt", 1, "02-no-obfuscation"),
    )
    assert found.control == "01-no-plagiarism"
    assert not found.directed
    assert texts(found) == {"s1.txt": LONGER, "s2.txt": f"{OTHER}\r\nNaïve.", "d1.txt": DAM}


def test_an_answer_is_contained_in_its_source(tmp_path: Path) -> None:
    found = read_labels(making.clough_stevenson(tmp_path))
    assert found.pairs == (
        LabelledPair("g1_a.txt", "orig_a.txt", 3),
        LabelledPair("g2_a.txt", "orig_a.txt", 0),
    )
    assert (found.directed, found.graded, found.positive_from) == (True, True, 1)
    assert texts(found)["orig_a.txt"].endswith("Café.")


def test_a_report_is_compared_with_all_its_sources_together(tmp_path: Path) -> None:
    found = read_labels(making.tap_dlnd(tmp_path))
    assert found.pairs == (LabelledPair("E1TGT1", "E1", 1), LabelledPair("E1TGT2", "E1", 0))
    assert texts(found)["E1"] == f"{DAM}\n\nHelicopters took people from roofs."
    assert found.directed
    assert read_labels(tmp_path / "corpus.csv").pairs == found.pairs


def test_fragments_and_versions_are_clusters(tmp_path: Path) -> None:
    found = read_labels(making.p4p(tmp_path / "p4p"))
    assert found.clusters == {
        "source-1": "1",
        "source-2": "2",
        "reference-1": "1",
        "reference-2": "2",
    }
    found = read_labels(making.versions(tmp_path / "wiki"))
    assert found.clusters == {"Dam/0.txt": "Dam", "Dam/1.txt": "Dam", "Shares/0.txt": "Shares"}


def test_grades_keep_their_meaning(tmp_path: Path) -> None:
    news = read_labels(making.semeval(tmp_path / "news"))
    assert news.pairs == (LabelledPair("1", "2", 2.5, "en-en"), LabelledPair("1", "3", 0, "de-en"))
    assert news.positive_from is None
    assert not news.is_positive(2.5)
    bills = read_labels(making.bills(tmp_path / "bills"))
    assert [pair.label for pair in bills.pairs] == [3, 0]
    assert bills.graded
    sts = read_labels(making.sts(tmp_path / "sts"))
    assert [(pair.label, pair.part) for pair in sts.pairs] == [
        (4.8, "2014/dams.test"),
        (0.2, "2014/dams.test"),
        (3, "2015/shares.test"),
    ]
    assert (sts.unit, sts.positive_from) == ("sentence", 4)


def test_equal_sentences_are_one_document_but_two_within_a_pair(tmp_path: Path) -> None:
    found = read_labels(making.sts(tmp_path))
    same, other, last = found.pairs
    assert same.left == other.left
    assert same.left != same.right
    assert last.left == other.right
    assert texts(found)[same.left] == texts(found)[same.right] == DAM
    assert texts(found)[last.right] == "Shares\u2028up."


def test_paraphrases_are_tuned_on_train_and_reported_on_test(tmp_path: Path) -> None:
    found = read_labels(making.mrpc(tmp_path))
    assert found.test_part == "test"
    assert [pair.label for pair in found.pairs] == [1, 0, 1]
    assert texts(found)["1"] == f'"{DAM}'
    assert read_labels(tmp_path, part="test").test_part is None


def test_languages_are_parts(tmp_path: Path) -> None:
    found = read_labels(making.stsb(tmp_path))
    assert found.parts == ["de", "tr"]
    only = read_labels(tmp_path, part="tr")
    assert len(only.pairs) == 1
    assert [d.language for d in only.sources if isinstance(d, Document)] == ["tr", "tr"]


def test_our_own_format_takes_ids_texts_and_clusters(tmp_path: Path) -> None:
    found = read_labels(making.own(tmp_path / "ids"))
    assert found.sources == (tmp_path / "ids" / "documents.jsonl",)
    assert found.pairs[0] == LabelledPair("dam", "longer", 1)
    sentences = write_json(
        tmp_path / "said.jsonl",
        [
            {"labels": "pairs", "directed": True, "positive_from": 3, "test_part": "b"},
            {"left_text": DAM, "right_text": LONGER, "label": 4, "part": "a"},
            {"left_text": DAM, "right_text": OTHER, "label": 0.5, "part": "b"},
        ],
    )
    said = read_labels(sentences)
    assert (said.name, said.unit, said.directed, said.graded) == ("said", "sentence", True, True)
    assert [said.is_positive(pair.label) for pair in said.pairs] == [True, False]
    assert said.pairs[0].left == said.pairs[1].left
    clusters = write_json(
        tmp_path / "groups.jsonl",
        [{"id": 1, "cluster": "x", "text": DAM}, {"id": 2, "cluster": "x", "text": LONGER}],
    )
    assert read_labels(clusters).clusters == {"1": "x", "2": "x"}
    assert texts(read_labels(clusters)) == {"1": DAM, "2": LONGER}


def test_what_the_labels_do_not_say_can_be_said(tmp_path: Path) -> None:
    labels = write_json(tmp_path / "l.jsonl", [{"left": "a", "right": "b", "label": 2}])
    with pytest.raises(ParameterError, match="the labels name no documents"):
        read_labels(labels)
    found = read_labels(labels, documents=("d.jsonl",), directed=True, positive_from=3)
    assert (found.sources, found.directed, found.positive_from) == (("d.jsonl",), True, 3)
    with pytest.raises(ParameterError, match="no part 'x'; it has but one"):
        read_labels(labels, documents=("d.jsonl",), part="x")
    with pytest.raises(ParameterError, match="no part 'x'"):
        read_labels(labels, documents=("d.jsonl",), test_part="x")


PAIR = {"left": "a", "right": "b", "label": 1}

# Lines of labels.jsonl, and what is said about them.
WRONG: list[tuple[list[Mapping[str, Any]], str]] = [
    ([], "holds no labels"),
    ([{"labels": "pairs"}], "holds no labels"),
    ([PAIR, {"left": "a", "label": 1}], ":2: right must be a text, got None"),
    ([PAIR, {"left": "a", "right": "b"}], ":2: a line must have label"),
    ([{**PAIR, "label": "yes"}], ":1: label must be true, false or a number, got 'yes'"),
    ([{**PAIR, "right": "a"}], ":1: left and right are the same document 'a'"),
    ([PAIR, {"id": "a", "cluster": "x"}], ":2: a set has pairs or clusters, not both"),
    ([{"id": "a", "cluster": "x"}] * 2, ":2: document 'a' has a cluster already"),
    (
        [{"left": "a", "right": "b", "label": 1}, {"left": "b", "right": "a", "label": 0}],
        ":2: 'b' and 'a' have another label in line 1",
    ),
    ([{"labels": "pears"}, PAIR], ":1: labels must be pairs or clusters, got 'pears'"),
    ([{"labels": "clusters"}, PAIR], ":1: says that labels are clusters, and they are pairs"),
    ([{"labels": "pairs", "direct": True}, PAIR], ":1: nothing is known about 'direct'"),
    ([{"labels": "pairs", "directed": "yes"}, PAIR], ":1: directed cannot be 'yes'"),
]


@pytest.mark.parametrize(("rows", "words"), WRONG, ids=[words for _, words in WRONG])
def test_labels_that_make_no_sense_are_told_with_their_line(
    rows: list[Mapping[str, Any]], words: str, tmp_path: Path
) -> None:
    file = write_json(tmp_path / "labels.jsonl", rows)
    with pytest.raises(FormatError) as caught:
        read_labels(tmp_path)
    assert str(caught.value).startswith(str(file))
    assert words in str(caught.value)


def test_a_line_that_is_no_json_object_is_told(tmp_path: Path) -> None:
    write(tmp_path / "labels.jsonl", '{"left": 1')
    with pytest.raises(FormatError, match=r"labels\.jsonl:1: not JSON"):
        read_labels(tmp_path)
    write(tmp_path / "labels.jsonl", "[1]")
    with pytest.raises(FormatError, match="a line must be a JSON object, got list"):
        read_labels(tmp_path)


def break_xml(folder: Path) -> Path:
    return write(making.pan(folder) / "02-no-obfuscation" / "s1-d1.xml", "<document>").parents[1]


def break_label(folder: Path) -> Path:
    making.clough_stevenson(folder)
    return write(folder / "all-plagiarised-files.txt", "orig_a.txt,g1_a.txt,maybe\n").parent


def lose_text(folder: Path) -> Path:
    (making.clough_stevenson(folder) / "g1_a.txt").unlink()
    return folder


def break_grade(folder: Path) -> Path:
    return write(making.sts(folder) / "2014" / "dams.test.tsv", "good\ta\tb\n").parents[1]


def break_novelty(folder: Path) -> Path:
    file = making.tap_dlnd(folder) / "corpus.csv"
    return write(file, file.read_text("utf-8").replace("Non-Novel", "Perhaps")).parent


def break_row(folder: Path) -> Path:
    file = making.mrpc(folder) / "msr-para-test.tsv"
    return write(file, f"{file.read_text('utf-8')}1\t7\n").parent


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (break_xml, "s1-d1.xml: is not XML"),
        (break_label, "all-plagiarised-files.txt:1: a line must be source,answer,label"),
        (lose_text, "g1_a.txt: the set names this file, and it is not there"),
        (break_grade, "dams.test.tsv:1: a grade must be a number, got 'good'"),
        (break_novelty, "corpus.csv:4: DLA must be Novel or Non-Novel, got 'Perhaps'"),
        (break_row, "msr-para-test.tsv:4: a row must have 5 fields"),
    ],
)
def test_a_damaged_set_says_where(make: Callable[[Path], Path], words: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError) as caught:
        read_labels(make(tmp_path))
    assert words in str(caught.value)


def test_nothing_known_is_told_with_the_way_out(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="holds no labelled data that is known; write "):
        read_labels(tmp_path)
    table = write(tmp_path / "pairs.tsv", "one\ttwo\n")
    with pytest.raises(
        FormatError, match=r"known; give the folder .*, or say --format with one of"
    ):
        read_labels(table)
    with pytest.raises(SourceError, match="there is no such file or folder"):
        read_labels(tmp_path / "nowhere")
    with pytest.raises(
        ParameterError, match="no format 'xyz' of labelled data; there are judgements, "
    ):
        read_labels(tmp_path, format="xyz")
    with pytest.raises(ParameterError, match="a labelled set has pairs or clusters, got neither"):
        LabelledSet(name="x", sources=())


def test_a_directed_set_can_be_read_without_direction(tmp_path: Path) -> None:
    rows = [
        {"labels": "pairs", "directed": True, "documents": "d.jsonl"},
        {"left": "a", "right": "b", "label": False},
        {"left": "b", "right": "a", "label": True},
    ]
    write_json(tmp_path / "labels.jsonl", rows)
    assert read_labels(tmp_path, directed=False).pairs == (LabelledPair("a", "b", 1),)


def test_who_asks_for_direction_has_a_label_for_each(tmp_path: Path) -> None:
    both = [
        {"left": "a", "right": "b", "label": True},
        {"left": "b", "right": "a", "label": False},
        {"left": "a", "right": "c", "label": True},
        {"left": "c", "right": "a", "label": True},
    ]
    head = {"labels": "pairs", "documents": "d.jsonl"}
    said = write_json(tmp_path / "said.jsonl", [{**head, "directed": True}, *both])
    expected = read_labels(said)
    assert len(expected.pairs) == len(both)
    path = write_json(tmp_path / "asked.jsonl", [head, *both])
    found = read_labels(path, directed=True)
    assert (found.pairs, found.directed) == (expected.pairs, True)
    with pytest.raises(FormatError, match=r"asked.jsonl:3: 'b' and 'a' have another label"):
        read_labels(path)


def test_clusters_have_no_direction(tmp_path: Path) -> None:
    rows = [{"id": name, "cluster": "x", "text": f"The {name}."} for name in "ab"]
    path = write_json(tmp_path / "labels.jsonl", rows)
    assert not read_labels(path, directed=False).directed
    with pytest.raises(ParameterError, match="labels are clusters, which have no direction"):
        read_labels(path, directed=True)


def test_labels_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    line = '{"left_text": "One.", "right_text": "Two.", "label": 1}\n'
    found = read_labels(write(tmp_path / "labels.jsonl", line, "utf-8-sig"))
    assert len(found.pairs) == 1


def test_labels_without_documents_say_how_to_name_them(tmp_path: Path) -> None:
    path = write_json(tmp_path / "alone.jsonl", [{"left": "a", "right": "b", "label": 1}])
    with pytest.raises(ParameterError, match="say where they are with --documents"):
        read_labels(path)
