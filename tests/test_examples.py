"""The collection in examples/ is told as its expected.json says, and nothing else is."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from twicetold import Document, Pair, Report, read, scan
from twicetold.evaluation import read_labels

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
NEWS = EXAMPLES / "news"

#: Low enough for one quoted sentence in a long article.
FLOOR = 0.02


class Expected(NamedTuple):
    left: str
    right: str
    case: str
    relation: str = ""

    def __str__(self) -> str:
        return f"{self.left} {self.relation or 'unrelated'} {self.right}"


def expected(kind: str) -> list[Expected]:
    return [Expected(**row) for row in CONTENT[kind]]


CONTENT: dict[str, Any] = json.loads((EXAMPLES / "expected.json").read_text("utf-8"))
PAIRS = expected("pairs")
UNRELATED = expected("unrelated")
Found = dict[tuple[str, str], Pair]


@pytest.fixture(scope="module")
def documents() -> list[Document]:
    report = Report()
    found = list(read(NEWS, report=report, strict=True))
    assert report.summary() == "nothing skipped"
    return found


def found_by(documents: list[Document], **options: Any) -> Found:
    options = {"threshold": CONTENT["threshold"], "all_pairs": True} | options
    return {(pair.left, pair.right): pair for pair in scan(documents, **options)}


def test_the_labels_say_what_is_expected() -> None:
    both_ways = {
        "identical": (1, 1),
        "near-duplicate": (1, 1),
        "contained": (1, 0),
        "contains": (0, 1),
    }
    wanted = {}
    for pair in (*PAIRS, *UNRELATED):
        there, back = both_ways.get(pair.relation, (0, 0))
        wanted[pair.left, pair.right], wanted[pair.right, pair.left] = there, back
    labels = read_labels(EXAMPLES / "labels.jsonl")
    assert {(label.left, label.right): label.label for label in labels.pairs} == wanted
    assert len(labels.pairs) == len(wanted)
    assert labels.sources == (NEWS,)


@pytest.fixture(scope="module")
def by_default(documents: list[Document]) -> Found:
    return found_by(documents)


@pytest.fixture(scope="module")
def by_codet(documents: list[Document]) -> Found:
    return found_by(documents, method="codet", floor=FLOOR)


def test_the_folder_is_a_source_like_its_documents(by_default: Found) -> None:
    pairs = scan(NEWS, threshold=CONTENT["threshold"], all_pairs=True)
    assert {(pair.left, pair.right): pair for pair in pairs} == by_default


#: The later one has news of its own, and the learned decision says so.
WITH_NEWS = {
    ("wire-101", "wire-102"),
    ("wire-101", "wire-103"),
    ("xinwen-01", "xinwen-03"),
    ("xinwen-02", "xinwen-03"),
}


@pytest.mark.parametrize("row", PAIRS, ids=str)
def test_a_pair_has_its_relation(row: Expected, by_default: Found) -> None:
    expected = "contained" if (row.left, row.right) in WITH_NEWS else row.relation
    assert by_default[row.left, row.right].relation == expected


@pytest.mark.parametrize("row", PAIRS, ids=str)
def test_codet_says_the_same_and_tells_quotations_if_asked(
    row: Expected, documents: list[Document], by_codet: Found
) -> None:
    assert by_codet[row.left, row.right].relation == row.relation
    if row.relation == "overlap":
        assert (row.left, row.right) not in found_by(documents, method="codet")


@pytest.mark.parametrize("row", UNRELATED, ids=str)
def test_unrelated_documents_are_not_reported(row: Expected, by_default: Found) -> None:
    assert (row.left, row.right) not in by_default
    assert (row.right, row.left) not in by_default


def test_nothing_else_is_reported(by_default: Found) -> None:
    assert by_default.keys() == {(row.left, row.right) for row in PAIRS}


def test_a_copy_is_reported_with_the_earliest_only(documents: list[Document]) -> None:
    found = found_by(documents, all_pairs=False)
    later = {row.right for row in PAIRS if row.relation == "identical"}
    every = found_by(documents)
    assert every.items() >= found.items()
    # What is missing is told by the row of a document of which one of the two is a copy.
    assert all(set(pair) & later for pair in every.keys() - found.keys())
    assert {right for (_, right), pair in found.items() if pair.relation == "identical"} == later


def test_the_left_document_is_the_earlier_one(documents: list[Document], by_codet: Found) -> None:
    published = {document.id: document.published for document in documents}
    for left, right in by_codet:
        first, second = published[left], published[right]
        if first is not None and second is not None:
            assert (first, left) < (second, right)
        else:
            assert left < right


def test_every_document_of_the_list_is_there(documents: list[Document]) -> None:
    ids = {document.id for document in documents}
    assert {name for row in (*PAIRS, *UNRELATED) for name in (row.left, row.right)} <= ids


def test_the_table_in_the_readme_counts_the_documents(documents: list[Document]) -> None:
    page = (EXAMPLES / "README.md").read_text("utf-8")
    rows = [line.split("|")[1:4] for line in page.splitlines() if line.startswith("| `")]
    counted = {where.strip(" `").split("/")[0]: int(n) for where, _, n in rows}
    of_folders = {
        name: sum(1 for document in documents if document.id.startswith(f"{name}/"))
        for name in ("gazette", "radio")
    }
    of_files = {
        path.name: len(path.read_text("utf-8").splitlines()) for path in NEWS.glob("*.jsonl")
    }
    assert counted == of_folders | of_files
    assert sum(counted.values()) == len(documents)
