"""`dedupe`: nothing is lost without a witness, and nothing that is left is held."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.running import document, share, sharing_documents
from tests.strategies import as_documents, told
from twicetold.counting import build_statistics
from twicetold.deduplicating import Deduplicated, Dropped, dedupe
from twicetold.documents import Report
from twicetold.errors import DocumentError, ParameterError
from twicetold.pipeline import DETECTORS
from twicetold.records import Document
from twicetold.scanning import scan

DAY = timedelta(days=1)
FIRST = datetime(2026, 3, 1, tzinfo=UTC)

MINE = "The mine near Osmarrow will close in May after eighty years."
SHARES = "Shares of its owner lost two percent on Monday morning."
UNION = "The union wants talks before anybody is dismissed."
RAIN = "It rained on the whole coast for eleven days in a row."


def by_id(found: Deduplicated) -> dict[str, Dropped]:
    return {gone.id: gone for gone in found.dropped}


def check_witnesses(documents: list[Document], found: Deduplicated, **options: Any) -> None:
    """Every document that went is held by one that stays, as much as is said."""
    kept = set(found.kept)
    assert kept | set(by_id(found)) == {document.id for document in documents}
    pairs = list(scan(documents, all_pairs=True, floor=0.0, **options))
    for gone in found.dropped:
        assert gone.witness in kept
        assert gone.id not in kept
        assert share(pairs, gone.id, str(gone.witness)) == pytest.approx(gone.in_witness, abs=1e-12)
        assert share(pairs, str(gone.witness), gone.id) == pytest.approx(gone.witness_in, abs=1e-12)


LAWFUL = ("codet", "full-fingerprint", "winnowing", "word-overlap", "retelling", "simhash")


@given(told(), st.sampled_from(LAWFUL), st.sampled_from([0.0, 0.6, 0.8, 1.0]))
def test_nothing_is_lost_and_nothing_is_left_to_drop(told: Any, method: str, least: float) -> None:
    documents = as_documents(told)
    if not documents:
        return
    pinned = build_statistics(documents, method=method)
    options: dict[str, Any] = {"method": method, "statistics": pinned}
    found = dedupe(documents, share=least, **options)
    check_witnesses(documents, found, **options)
    assert all(gone.in_witness >= least - 1e-9 for gone in found.dropped)
    left = [document for document in documents if document.id in set(found.kept)]
    again = dedupe(left, share=least, **options)
    # Shares of sentences need not be of the same on both sides, which allows rings.
    if method not in {"word-overlap", "retelling"}:
        assert again.dropped == []
    else:
        check_witnesses(left, again, **options)


@pytest.mark.parametrize("method", DETECTORS)
def test_every_method_drops_copies_and_keeps_the_rest(method: str) -> None:
    documents = sharing_documents(60)
    copies = [Document(id=f"copy {one.id}", text=one.text, language="en") for one in documents[:20]]
    found = dedupe([*documents, *copies], method=method, share=0.99)
    gone = by_id(found)
    for copy in copies:
        assert copy.id in gone
    assert set(found.kept) | set(gone) == {one.id for one in [*documents, *copies]}
    assert all(one.witness in set(found.kept) for one in found.dropped)


def test_the_order_of_documents_and_the_number_of_threads_do_not_matter() -> None:
    documents = sharing_documents(80, seed=3)
    one = dedupe(documents, share=0.5, threads=1)
    two = dedupe(documents, share=0.5, threads=2)
    assert one.removals == two.removals
    turned = dedupe(documents[::-1], share=0.5, method="codet")
    assert len(turned.kept) + len(turned.dropped) == 80


@pytest.mark.parametrize(
    ("keep", "prefer", "kept"),
    [
        ("earliest", (), "old"),
        ("first", (), "first"),
        ("longest", (), "long"),
        ("earliest", ("Gazette",), "first"),
        ("longest", ("Radio", "Wire"), "old"),
    ],
)
def test_the_survivor_policy(keep: Any, prefer: tuple[str, ...], kept: str) -> None:
    documents = [
        document("first", MINE, SHARES, UNION, published=FIRST + DAY, source="Gazette"),
        document("long", MINE, SHARES, UNION + " ", "  ", published=FIRST + DAY, source="Blog"),
        document("old", MINE, SHARES, UNION, published=FIRST, source="Wire"),
        document("undated", MINE, SHARES, UNION),
    ]
    found = dedupe(documents, keep=keep, prefer=prefer)
    assert found.kept == [kept]
    assert {gone.witness for gone in found.dropped} == {kept}
    missing = {name for name in prefer if name not in {"Gazette", "Wire"}}
    assert set(found.missing) == missing


def test_a_contained_document_goes_whatever_the_policy() -> None:
    brief = document("brief", MINE, SHARES, published=FIRST)
    report = document("report", MINE, SHARES, UNION, RAIN, published=FIRST + DAY)
    found = dedupe([brief, report], keep="earliest", prefer=())
    assert found.kept == ["report"]
    assert by_id(found)["brief"].reason == "contained"


def test_a_chain_keeps_what_no_survivor_holds() -> None:
    a = document("a", MINE, SHARES)
    b = document("b", MINE, SHARES, UNION, RAIN)
    c = document("c", UNION, RAIN, *(f"Sentence {n} is about number {n}." for n in range(9)))
    found = dedupe([a, b, c], share=0.0, threshold=0.3, method="codet")
    check_witnesses([a, b, c], found, threshold=0.3, method="codet")


def test_copies_far_apart_in_time_stay_within_a_window() -> None:
    documents = [document(f"d{n}", MINE, SHARES, published=FIRST + n * 5 * DAY) for n in range(4)]
    assert dedupe(documents, window=DAY).kept == ["d0", "d1", "d2", "d3"]
    found = dedupe(documents, window=6 * DAY)
    assert found.kept == ["d0", "d2"]
    assert {gone.id: gone.witness for gone in found.dropped} == {"d1": "d0", "d3": "d2"}
    assert dedupe(documents).kept == ["d0"]


def test_against_another_collection() -> None:
    own = [
        document("a", MINE, SHARES),
        document("b", UNION, RAIN),
        document("copy of b", UNION, RAIN),
        document("c", "Nobody else wrote about the lighthouse keeper and his dog."),
    ]
    # The ids of the two collections have nothing to do with each other.
    other = [document("b", MINE, SHARES, "A tram ran over a red cart."), document("a", RAIN)]
    found = dedupe(own, against=other, direction="contained")
    assert found.kept == ["b", "copy of b", "c"]
    gone = by_id(found)["a"]
    assert (gone.witness, gone.against, gone.reason) == ("b", True, "contained")
    both = dedupe(own, against=other, within=True, direction="contained")
    assert both.kept == ["b", "c"]
    assert (by_id(both)["copy of b"].witness, by_id(both)["copy of b"].against) == ("b", False)
    # An equal text in the other collection is a witness, too.
    assert dedupe(own, against=own[:2]).kept == ["c"]


def test_what_makes_no_document_is_told_and_not_lost() -> None:
    twice = [document("a", MINE), document("a", RAIN)]
    report = Report()
    found = dedupe(twice, report=report)
    assert (found.kept, found.counts["skipped"], report.count["duplicate id"]) == (["a"], 1, 1)
    with pytest.raises(DocumentError, match="id 'a' came before"):
        dedupe(twice, strict=True)


def test_counts_add_up() -> None:
    documents = sharing_documents(50, seed=5)
    found = dedupe(documents, method="retelling", passages=True, share=0.5)
    counts = found.counts
    assert counts["read"] == counts["kept"] + counts["dropped"] == 50
    reasons = sum(n for name, n in counts.items() if name.startswith("dropped,"))
    assert reasons == counts["dropped"]
    assert counts["characters read"] == sum(len(one.text) for one in documents)
    left = sum(len(record["text"]) for record in found.records())
    gone = counts["characters dropped"] + counts["characters cut"]
    assert left == counts["characters read"] - gone
    assert found.manifest.counts["kept"] == counts["kept"]
    assert repr(found) == f"<Deduplicated: {counts['kept']} of 50 documents are kept>"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"keep": "newest"}, "keep must be one of earliest, longest, first, got 'newest'"),
        ({"prefer": "wire"}, "prefer must be a list of sources, got the text 'wire'"),
        ({"share": 1.5}, "share must be a number from 0 to 1, got 1.5"),
        ({"passage_share": -1}, "passage_share must be a number from 0 to 1, got -1"),
        ({"passage_words": 0}, "passage_words must be at least 1, got 0"),
        (
            {"passages": True, "method": "codet"},
            "codet compares whole documents: it knows no sentences to cut out",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        dedupe([document("a", MINE)], **options)
    assert str(caught.value) == message
