"""`dedupe --against`: test documents in training documents, and the other way round."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calling import twicetold, write_lines
from tests.running import document
from twicetold.deduplicating import DIRECTIONS, Dropped, dedupe
from twicetold.errors import ParameterError
from twicetold.records import Document
from twicetold.scanning import scan

#: How many documents are planted in each way, among so many that have nothing to do with it.
PLANTED, OTHERS = 10, 15


def sentences(rng: random.Random, n: int) -> list[str]:
    """Return sentences that nobody else has."""
    return [
        " ".join(f"w{rng.randrange(10**9)}" for _ in range(rng.randrange(8, 14))).capitalize() + "."
        for _ in range(n)
    ]


@pytest.fixture(scope="module")
def planted() -> tuple[list[Document], list[Document]]:
    """Training and test documents: some hold one of the other, are held by one, or are equal."""
    rng = random.Random(7)
    train, test = [], []
    for n in range(PLANTED):
        short, long = sentences(rng, 4), sentences(rng, 16)
        train.append(document(f"holds {n}", *long[:8], *short, *long[8:]))
        test.append(document(f"held {n}", *short))
        short, long = sentences(rng, 4), sentences(rng, 16)
        train.append(document(f"is held {n}", *short))
        test.append(document(f"holder {n}", *long[:8], *short, *long[8:]))
        same = sentences(rng, 8)
        train.append(document(f"copy {n}", *same))
        test.append(document(f"original {n}", *same))
        near = sentences(rng, 20)
        train.append(document(f"near {n}", *near))
        test.append(document(f"nearly {n}", *near[:19], *sentences(rng, 1)))
    train += [document(f"own {n}", *sentences(rng, 8)) for n in range(OTHERS)]
    test += [document(f"other {n}", *sentences(rng, 8)) for n in range(OTHERS)]
    return train, test


KINDS = {
    "either": {"holds": "contains", "is held": "contained", "copy": "identical",
               "near": "near-duplicate"},
    "contained": {"is held": "contained", "copy": "identical", "near": "near-duplicate"},
    "contains": {"holds": "contains", "copy": "identical", "near": "near-duplicate"},
}  # fmt: skip


@pytest.mark.parametrize("method", ["retelling", "codet", "word-overlap", "winnowing"])
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_what_is_planted_goes_and_nothing_else_24(
    planted: tuple[list[Document], list[Document]], direction: Any, method: str
) -> None:
    train, test = planted
    found = dedupe(train, against=test, direction=direction, method=method)
    gone = {one.id: one.reason for one in found.dropped}
    expected = {
        f"{kind} {n}": reason for kind, reason in KINDS[direction].items() for n in range(PLANTED)
    }
    assert gone == expected
    assert all(one.against for one in found.dropped)
    counts = found.counts
    n = PLANTED * len(KINDS[direction])
    assert (counts["against"], counts["against, found"], counts["against, found in"]) == (
        len(test), n, n,
    )  # fmt: skip
    # Either is what is asked for if nothing else is.
    if direction == "either":
        assert dedupe(train, against=test, method=method).removals == found.removals
    # What stays holds no test document, and is in none.
    if direction == "either":
        left = [one for one in train if one.id in set(found.kept)]
        assert list(scan(left, against=test, method=method)) == []


def test_the_shares_of_what_contains_are_those_of_the_documents(
    planted: tuple[list[Document], list[Document]],
) -> None:
    train, test = planted
    found = dedupe(train, against=test, direction="contains", method="codet", share=0.9)
    one = next(one for one in found.dropped if one.id == "holds 0")
    assert isinstance(one, Dropped)
    assert one.witness == "held 0"
    assert one.witness_in == pytest.approx(1.0)
    assert one.in_witness < 0.5


def test_documents_of_one_text_count_one_by_one() -> None:
    rng = random.Random(3)
    short, long = sentences(rng, 4), sentences(rng, 12)
    train = [document("a", *long, *short), document("b", *long, *short), document("c", *short)]
    test = [document("t", *short), document("u", *short), document("v", *sentences(rng, 4))]
    found = dedupe(train, against=test, method="codet")
    counts = found.counts
    assert (counts["against"], counts["against, found"], counts["against, found in"]) == (3, 2, 3)
    assert found.kept == []
    assert {one.id: one.reason for one in found.dropped} == {
        "a": "contains", "b": "contains", "c": "identical",
    }  # fmt: skip


def test_within_is_asked_as_before_whatever_the_direction() -> None:
    rng = random.Random(5)
    short, long = sentences(rng, 4), sentences(rng, 12)
    train = [document("brief", *short), document("report", *long, *short)]
    test = [document("t", *sentences(rng, 4))]
    for direction in DIRECTIONS:
        found = dedupe(train, against=test, within=True, direction=direction, method="codet")
        assert found.kept == ["report"]
        assert found.counts["against, found"] == 0


def test_a_direction_nobody_knows_is_refused() -> None:
    with pytest.raises(ParameterError) as caught:
        dedupe([], against=[], direction="both")  # type: ignore[arg-type]
    assert str(caught.value) == "direction must be one of contained, contains, either, got 'both'"


# The command line


def test_the_command_says_how_many_were_found_in_how_many(
    planted: tuple[list[Document], list[Document]], tmp_path: Path
) -> None:
    train, test = (
        write_lines(
            tmp_path / f"{name}.jsonl",
            [{"id": one.id, "text": one.text, "language": "en"} for one in some],
        )
        for name, some in zip(("train", "test"), planted, strict=True)
    )
    out = tmp_path / "clean.jsonl"
    done = twicetold("dedupe", train, "--against", test, "-o", out, "--method", "codet")
    assert done.code == 0
    line = f"{4 * PLANTED} of {len(planted[1])} test documents found in {4 * PLANTED} training "
    assert f"{line}documents" in done.out.splitlines()
    # How much of the witness it holds.
    assert done.out.splitlines()[1].split() == ["holds", "0", "100%", "contains", "held", "0"]
    assert len(out.read_text("utf-8").splitlines()) == OTHERS
    manifest = json.loads((tmp_path / "clean.jsonl.manifest.json").read_text())
    assert manifest["parameters"]["direction"] == "either"
    assert manifest["counts"]["against, found"] == 4 * PLANTED
    back = tmp_path / "back.jsonl"
    ledger = tmp_path / "clean.jsonl.ledger.jsonl"
    assert twicetold("dedupe", out, "--restore", ledger, "-o", back).code == 0
    assert back.read_bytes() == train.read_bytes()
    one = twicetold("dedupe", train, "--against", test, "--dry-run", "--direction", "contained",
                    "--method", "codet", "--limit", 0)  # fmt: skip
    line = f"{3 * PLANTED} of {len(planted[1])} test documents found in {3 * PLANTED} training "
    assert f"{line}documents" in one.out.splitlines()


def test_a_direction_without_another_collection_is_refused(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "a.jsonl", [{"id": "a", "text": "The dam broke."}])
    done = twicetold("dedupe", file, "--dry-run", "--direction", "contains")
    message = "--direction says what is asked of --against; name another collection with --against"
    assert (done.code, done.err) == (2, f"twicetold: {message}\n")
