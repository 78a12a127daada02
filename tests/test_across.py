"""`scan(..., against=...)`: pairs of a document of one collection and one of another."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.calling import NEWS, twicetold, write_lines
from tests.reports.test_scan_page import data_of
from tests.running import DAY, NOON, document, sharing_documents
from tests.strategies import as_documents, told
from twicetold import Document, Pairs, Report, build_statistics, scan
from twicetold.records import Pair

METHODS = ("retelling", "codet", "winnowing", "word-overlap", "qsign", "simhash", "minhash",
           "rare-grams", "fuzzy-set", "tf-idf", "imatch")  # fmt: skip


def sides(pairs: Pairs | list[Pair]) -> set[str]:
    return {pair.left for pair in pairs} | {pair.right for pair in pairs}


def across(pairs: Pairs, own: set[str]) -> list[Pair]:
    return [pair for pair in pairs if (pair.left in own) != (pair.right in own)]


@pytest.mark.parametrize("method", METHODS)
def test_they_are_the_pairs_across_of_a_scan_of_both_24(method: str) -> None:
    documents = sharing_documents(50)
    documents += [replace(one, id=f"copy of {one.id}") for one in documents[10:20]]
    own, other = documents[::3], [d for n, d in enumerate(documents) if n % 3]
    options: dict[str, Any] = {"method": method, "floor": 0.1}
    whole = scan([*own, *other], all_pairs=True, **options)
    expected = across(whole, {one.id for one in own})
    found = scan(own, against=other, all_pairs=True, **options)
    assert list(found) == expected
    assert expected
    assert found.manifest.counts["documents"] == 60
    some = scan(own, against=other, **options)
    assert set(map(repr, some)) <= set(map(repr, expected))
    # No document is left out that has anything in the other collection.
    assert sides(some) == sides(expected)
    assert list(scan(own, against=other, threads=1, **options)) == list(some)


@given(told(), st.data(), st.sampled_from(("codet", "retelling", "word-overlap")))
def test_the_same_of_any_documents(told: Any, data: st.DataObject, method: str) -> None:
    documents = as_documents(told)
    if not documents:
        return
    is_own = data.draw(st.lists(st.booleans(), min_size=len(documents), max_size=len(documents)))
    own = [one for one, mine in zip(documents, is_own, strict=True) if mine]
    other = [one for one, mine in zip(documents, is_own, strict=True) if not mine]
    options: dict[str, Any] = {"method": method, "floor": 0.0, "max_key_documents": 5}
    options["statistics"] = build_statistics(documents, method=method, max_key_documents=5)
    window = data.draw(st.sampled_from([None, DAY, 3 * DAY]))
    expected = across(
        scan(documents, all_pairs=True, window=window, **options), {one.id for one in own}
    )
    assert list(scan(own, against=other, all_pairs=True, window=window, **options)) == expected
    some = scan(own, against=other, window=window, **options)
    assert sides(some) == sides(expected)


def test_a_copy_in_both_is_found_though_the_earliest_copies_are_in_one() -> None:
    text = "The mine near Osmarrow will close in May after eighty years."
    own = [document(f"a{n}", text, published=NOON + n * DAY) for n in range(2)]
    other = [document(f"b{n}", text, published=NOON + (5 + n) * DAY) for n in range(2)]
    for method in ("codet", "retelling"):
        found = scan(own, against=other, method=method)
        pairs = [(pair.left, pair.relation, pair.right) for pair in found]
        assert pairs == [
            ("a0", "identical", "b0"),
            ("a0", "identical", "b1"),
            ("a1", "identical", "b0"),
        ]


def test_ids_of_both_are_told_apart_and_that_is_said() -> None:
    one = "The mine near Osmarrow will close in May after eighty years."
    two = "A heron was seen on the canal, and nobody had a camera with them."
    own, other = [document("x", one), document("y", two)], [document("x", two), document("z", one)]
    report = Report()
    found = scan(own, against=other, method="codet", report=report)
    pairs = sorted((pair.left, pair.right) for pair in found)
    assert pairs == [("against#x", "y"), ("x", "z")]
    assert dict(report.count) == {"shared id": 1}
    assert str(report.problems[0]) == (
        "against: id 'x' is one of the sources, too; here it is 'against#x'; "
        "others like it are changed likewise"
    )
    # Also if somebody has that one.
    odd = [document("x", two), document("against#x", one)]
    found = scan(own, against=odd, method="codet")
    assert sorted((pair.left, pair.right) for pair in found) == [
        ("against#against#x", "x"), ("against#x", "y"),
    ]  # fmt: skip
    texts = scan([one, two], against=[two, one], method="codet", language="en")
    assert sorted((pair.left, pair.right) for pair in texts) == [
        ("0", "against#1"), ("1", "against#0"),
    ]  # fmt: skip


def rows_of(documents: list[Document]) -> list[dict[str, Any]]:
    return [{"id": one.id, "text": one.text, "language": one.language} for one in documents]


def test_files_and_folders_are_told_apart_like_documents(tmp_path: Path) -> None:
    documents = sharing_documents(40, seed=2)
    own, other = documents[:15], documents[10:]
    a = write_lines(tmp_path / "a.jsonl", rows_of(own))
    b = write_lines(tmp_path / "b.jsonl", rows_of(other))
    plain = [Document(id=d.id, text=d.text, language=d.language) for d in documents]
    expected = scan(plain[:15], against=plain[10:], method="codet", all_pairs=True)
    found = scan(a, against=[b], method="codet", all_pairs=True)
    assert list(found) == list(expected)
    assert found.manifest.parameters["sources"] == [str(a)]
    assert found.manifest.parameters["against"] == [str(b)]
    assert found.manifest.problems == {"shared id": 5}
    for name, some in (("a", own), ("b", other)):
        (tmp_path / name).mkdir()
        for one in some:
            (tmp_path / name / f"{one.id}.txt").write_text(one.text)
    pairs = scan(tmp_path / "a", against=tmp_path / "b", method="codet", language="en",
                 all_pairs=True)  # fmt: skip
    names = sorted((p.left.replace(".txt", ""), p.right.replace(".txt", "")) for p in pairs)
    assert {tuple(sorted(pair)) for pair in names} == {
        tuple(sorted((p.left, p.right))) for p in expected
    }


def page(text: str) -> str:
    menu = "".join(f"<p>{line}</p>" for line in MENU)
    return f"<html><body>{menu}<p>{text}</p></body></html>"


MENU = ("All the news of Osmarrow and its harbour every day.", "Subscribe to our letter today.")


def test_pages_of_both_collections_teach_what_their_sites_repeat(tmp_path: Path) -> None:
    stories = [
        f"{word.capitalize()} was seen by {n} people near the old harbour on a Monday."
        for n, word in enumerate(
            ["heron", "otter", "badger", "lynx", "raven", "marten", "dormouse"]
        )
    ]
    pages = [
        Document(
            id=f"p{n}", text=" ".join((*MENU, story)), html=page(story), source="gazette",
            language="en",
        )
        for n, story in enumerate(stories)
    ]  # fmt: skip
    own, other = pages[:3], [*pages[3:], document("copy", stories[0])]
    whole = scan([*own, *other], method="word-overlap", all_pairs=True)
    found = scan(own, against=other, method="word-overlap", all_pairs=True)
    assert list(found) == across(whole, {one.id for one in own})
    assert [(pair.left, pair.right) for pair in found] == [("copy", "p0")]
    assert found.manifest.counts["boilerplate blocks"]


def test_nothing_is_compared_within_one_collection() -> None:
    documents = sharing_documents(60)
    whole = scan(documents, method="codet", floor=0.1)
    found = scan(documents[:2], against=documents[2:], method="codet", floor=0.1)
    computed = "similarities computed"
    assert found.manifest.counts[computed] < whole.manifest.counts[computed] / 4
    assert list(scan(documents, against=[], method="codet")) == []
    assert list(scan([], against=documents, method="codet")) == []


# The command line


@pytest.fixture
def both(tmp_path: Path) -> tuple[Path, Path]:
    documents = sharing_documents(40, seed=2)
    return (
        write_lines(tmp_path / "a.jsonl", rows_of(documents[:15])),
        write_lines(tmp_path / "b.jsonl", rows_of(documents[10:])),
    )


def test_the_command_has_every_output(both: tuple[Path, Path], tmp_path: Path) -> None:
    a, b = both
    expected = scan(a, against=b)
    out, report, clusters = (tmp_path / n for n in ("o.jsonl", "r.html", "c.jsonl"))
    done = twicetold("scan", a, "--against", b, "-o", out, "--report", report, "--clusters",
                     clusters)  # fmt: skip
    assert done.code == 0
    assert "id '" in done.err
    assert "5 noted: 5 shared id" in done.err
    assert len(out.read_text("utf-8").splitlines()) == len(expected)
    data = data_of(report.read_bytes())
    assert set(sides(expected)) <= set(data["documents"]["id"])
    assert clusters.read_text("utf-8")
    paired = {pair.left for pair in expected} | {pair.right for pair in expected}
    own = {f"d{n:03}" for n in range(15)}
    n_own = len(paired & own)
    line = f"{n_own} of 15 documents share text with {len(paired) - n_own} of 30 of --against"
    assert line in done.out.splitlines()
    lines = twicetold("scan", a, "--against", b, "--json").rows
    assert [(row["left"], row["right"]) for row in lines] == [(p.left, p.right) for p in expected]


def test_a_pipe_may_be_one_of_the_two(both: tuple[Path, Path], tmp_path: Path) -> None:
    a, b = both
    options = ("--format", "jsonl", "--json", "--report", tmp_path / "r.html")
    plain = twicetold("scan", a, "--against", b, *options)
    piped = twicetold("scan", a, "--against", "-", *options, stdin=b.read_text("utf-8"))
    assert piped.rows == plain.rows
    assert data_of((tmp_path / "r.html").read_bytes())["pairs"]["left"]


def test_what_is_against_must_be_there_and_is_not_written_over(both: tuple[Path, Path]) -> None:
    a, b = both
    done = twicetold("scan", a, "--against", "no such thing")
    assert (done.code, done.err) == (2, "twicetold: no such thing: no such file or folder\n")
    for command in (("scan",), ("dedupe", "--dry-run")):
        done = twicetold(*command, "-", "--against", "-", stdin="")
        assert (done.code, "standard input can be read once" in done.err) == (2, True)
    done = twicetold("scan", a, "--against", b, "-o", b)
    assert (done.code, "is a source" in done.err) == (2, True)
    assert twicetold("scan", NEWS, "--against", NEWS / "wire.jsonl", "--limit", 0).code == 0
