"""Which of two documents is earlier: said where times tell, and nowhere else."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from tests.cli.calling import twicetold
from tests.running import document
from twicetold import scan
from twicetold.documents.dates import parse_date
from twicetold.index import Index
from twicetold.pairs import Pairs
from twicetold.records import Document

TOLD = "The old dam above the town broke on Monday morning after weeks of heavy rain."
MORE = "Ten people of the lower village are still missing, the mayor said."

#: A date of each kind, with the next one whether it is known to be earlier.
TIMES = [
    ("2026-03-01", False),
    ("2026-03-01T09:00Z", False),
    ("2026-03-01T09:00Z", True),
    ("2026-03-01T09:00:00.000001Z", True),
    ("2026-03-02", False),
    ("2026-03-02", True),
    ("2026-03-03T00:00:01Z", False),
    (None, False),
    (None, False),
]


def documents_of(*names: str) -> list[Document]:
    return [
        document(name, TOLD, MORE, published=None if time is None else parse_date(time))
        for name, (time, _) in zip(names, TIMES, strict=True)
    ]


@pytest.mark.parametrize("names", ["abcdefghi", "ihgfedcba"])
def test_pairs_and_answers_say_which_is_earlier_24(names: str, tmp_path: Path) -> None:
    documents = documents_of(*names)
    known = {one.id: one for one in documents}
    found = scan(documents, method="word-overlap", all_pairs=True)
    rows = {(pair.left, pair.right): pair.earlier for pair in found}
    assert len(rows) == 36
    for (left, right), earlier in rows.items():
        assert (earlier == "left") == known[left].is_before(known[right])
        assert earlier in {"left", None}
        assert not known[right].is_before(known[left])
    for (one, other), (_, expected) in zip(pairwise(names), TIMES, strict=False):
        assert ((one, other) in rows and rows[one, other] == "left") == expected
    assert found.manifest.counts["undirected pairs"] == list(rows.values()).count(None)
    # Whatever pairs become, they say the same.
    table = found.table.select(["left", "right", "earlier"]).to_pylist()
    assert {(row["left"], row["right"]): row["earlier"] for row in table} == rows
    lines = [json.loads(line) for line in b"".join(found.json_lines()).splitlines()]
    assert {(row["left"], row["right"]): row["earlier"] for row in lines} == rows
    again = Pairs.of(list(found), found.manifest)
    assert {(pair.left, pair.right): pair.earlier for pair in again} == rows
    with Index.create(tmp_path / "index", method="word-overlap", language="en") as index:
        for each in documents:
            index.add(each)
    with Index.open(tmp_path / "index") as index:
        for each in documents:
            answers = index.search(each, all_pairs=True)
            assert len(answers) == 8
            assert all(pair.earlier == rows[pair.left, pair.right] for pair in answers)


def test_files_that_hold_dates_give_pairs_without_a_direction_24(tmp_path: Path) -> None:
    lines = [
        {"id": one, "text": f"{TOLD} {MORE}", "date": date}
        for one, date in zip("abc", ("2026-03-01", "2026-03-01 09:00", "2026-03-02"), strict=True)
    ]
    path = tmp_path / "news.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    done = twicetold("scan", path, "--method", "word-overlap", "--all-pairs", "--json")
    found = {(row["left"], row["right"]): row["earlier"] for row in done.rows}
    assert found == {("a", "b"): None, ("a", "c"): "left", ("b", "c"): "left"}
