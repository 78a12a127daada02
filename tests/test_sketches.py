"""Sketches are what slow, obvious twins give, and searching them loses nothing it must not lose."""

from __future__ import annotations

import itertools
import random
import struct
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import reference_documents as reference
from tests.running import analysed, by_ids, counted, documents_of, run
from tests.strategies import collections
from twicetold import _kernel
from twicetold.detectors.full_fingerprint import FullFingerprint
from twicetold.detectors.minhash import MinHash
from twicetold.detectors.simhash import SimHash
from twicetold.errors import ParameterError
from twicetold.pipeline import Features
from twicetold.records import Document


def sketches_of(features: Features) -> list[tuple[int, ...]]:
    """Return the words of each sketch."""
    _, width, content = features.unit_columns()
    words = struct.unpack(f"<{len(content) // 8}Q", content)
    return [words[n : n + width] for n in range(0, len(words), width or 1)]


def text_of(words: Sequence[str], n: int) -> str:
    """Return a text of these words that no other number has."""
    return " ".join(words) + " " + "*" * (n + 1)


def families(seed: int, n_families: int = 12, words: int = 60) -> list[Document]:
    """Return documents in families: copies with a few words changed, and longer ones."""
    rng = random.Random(seed)
    found = []
    for family in range(n_families):
        original = [f"w{rng.randrange(3000)}" for _ in range(words)]
        for member in range(5):
            changed = list(original)
            for _ in range(member * member):
                changed[rng.randrange(words)] = f"w{rng.randrange(3000)}"
            if member == 4:
                changed += [f"w{rng.randrange(3000)}" for _ in range(words * rng.randrange(1, 6))]
            found.append(
                Document(id=f"{family:02}-{member}", text=" ".join(changed), language="en")
            )
    return found


@given(collections, st.integers(0, 3), st.sampled_from(["plus-one", "plain", "smooth"]))
def test_the_sketch_of_a_document_is_the_vote_of_its_terms(
    documents: Any, skip: int, idf: Any
) -> None:
    texts = [" ".join(word for sentence in d for word in sentence) for d in documents]
    found, detector = analysed(texts), SimHash(skip=skip, idf=idf)
    statistics = counted(found)
    frequencies = {word: statistics.frequency(word) for word in " ".join(texts).split()}
    sketches = sketches_of(detector.features(found, statistics))
    for n, text in enumerate(texts):
        traced = {t.label: t for t in detector.trace(found, n, statistics)}
        assert sorted(traced) == sorted(reference.by_rarity(text.split(), frequencies)[skip:])
        weights = {t.key: t.weight for t in traced.values()}
        assert sketches[n] == (reference.vote(weights, 64),)


@pytest.mark.parametrize("bits", [64, 160])
@pytest.mark.parametrize("distance", [0, 2, 3, 10])
def test_the_tables_find_what_a_scan_of_all_pairs_finds(bits: int, distance: int) -> None:
    documents = families(bits + distance)
    texts = [document.text for document in documents]
    for blocks in (None, distance + 1, distance + 2):
        detector = SimHash(bits=bits, distance=distance, blocks=blocks)
        sketches = sketches_of(detector.features(analysed(texts), counted(analysed(texts))))
        expected = {}
        for (n, one), (m, other) in itertools.combinations(enumerate(sketches), 2):
            differ = sum((a ^ b).bit_count() for a, b in zip(one, other, strict=True))
            if differ <= distance:
                expected[documents[n].id, documents[m].id] = 1 - differ / bits
        pairs = by_ids(run(documents, detector, all_pairs=True))
        assert {ids: pair.score for ids, pair in pairs.items()} == expected
        assert {pair.relation for pair in pairs.values()} <= {"identical", "near-duplicate"}
        for pair in pairs.values():
            assert pair.left_in_right == pair.right_in_left == pair.resemblance


def test_a_larger_distance_only_adds_pairs() -> None:
    documents = families(1)
    found = [
        set(by_ids(run(documents, SimHash(distance=distance), all_pairs=True)))
        for distance in (0, 2, 6, 12, 20)
    ]
    assert all(few <= more for few, more in itertools.pairwise(found))
    assert len(found[0]) < len(found[-1])


def test_the_share_of_equal_slots_is_close_to_the_resemblance() -> None:
    documents = families(2)
    exact = by_ids(run(documents, FullFingerprint(gram=2), floor=0.0, all_pairs=True))
    # With one row a band, all who share a slot are compared.
    detector = MinHash(gram=2, bands=128, threshold=0.0)
    found = by_ids(run(documents, detector, floor=0.0, all_pairs=True))
    assert len(found) > 60
    errors = []
    for ids, pair in found.items():
        truth = exact[ids]
        errors.append(pair.resemblance - truth.resemblance)
        # Five times the deviation of 128 throws.
        assert (
            abs(errors[-1]) < 5 * (truth.resemblance * (1 - truth.resemblance) / 128) ** 0.5 + 1e-9
        )
    assert abs(sum(errors) / len(errors)) < 0.02


@pytest.mark.parametrize("bands", [128, 32, 16])
def test_bands_find_what_a_scan_of_all_pairs_finds(bands: int) -> None:
    documents = families(3)
    detector = MinHash(gram=2, bands=bands)
    texts = [document.text for document in documents]
    features = detector.features(analysed(texts), counted(analysed(texts)))
    sizes = [len(set(reference.grams(text.split(), 2))) for text in texts]
    rows, expected = 128 // bands, {}
    for (n, one), (m, other) in itertools.combinations(enumerate(sketches_of(features)), 2):
        equal = [a == b for a, b in zip(one, other, strict=True)]
        j, smaller = sum(equal) / 128, min(sizes[n], sizes[m])
        met = any(all(equal[k : k + rows]) for k in range(0, 128, rows))
        shared = min(j / (1 + j) * (sizes[n] + sizes[m]), smaller)
        alike = shared / (sizes[n] + sizes[m] - shared)
        if met and alike >= 0.5 - 1e-12:
            expected[documents[n].id, documents[m].id] = (shared / sizes[n], shared / sizes[m])
    pairs = by_ids(run(documents, detector, all_pairs=True))
    assert set(pairs) == set(expected)
    for ids, pair in pairs.items():
        assert (pair.left_in_right, pair.right_in_left) == pytest.approx(expected[ids])
        assert pair.relation in ("identical", "near-duplicate")


def test_a_part_is_found_in_containers_of_any_size() -> None:
    rng = random.Random(4)

    def invented(n: int) -> list[str]:
        return [f"w{rng.randrange(100_000)}" for _ in range(n)]

    texts = {}
    for n in range(40):
        part = invented(80)
        texts[f"part{n:02}"] = text_of(part, n)
        texts[f"whole{n:02}"] = text_of([*invented(40), *part, *invented(20 * n)], n)
    documents = documents_of(texts)
    found = run(documents, MinHash(gram=2, mode="containment"))
    told = [p for p in found if p.left[-2:] == p.right[-2:] and p.left_in_right >= 0.5]
    alike = run(documents, MinHash(gram=2))
    assert len(told) >= 34
    assert len(alike) <= 8
    assert {p.relation for p in told if int(p.left[-2:]) > 20} == {"contained"}


def test_bands_suit_the_threshold() -> None:
    chosen = [_kernel.minhash_bands(128, t) for t in (0.1, 0.3, 0.5, 0.7, 0.9)]
    rows = [rows for _, rows in chosen]
    assert rows == sorted(rows)
    assert all(bands * rows <= 128 for bands, rows in chosen)
    parts = _kernel.minhash_ensemble(128, 0.5)
    assert [part for part, _, _ in parts] == list(range(-1, 6))
    assert [rows for _, _, rows in parts] == sorted((rows for _, _, rows in parts), reverse=True)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: SimHash(distance=64), "distance must be below bits (64), got 64"),
        (
            lambda: SimHash(distance=3, blocks=3),
            "blocks must be above distance (3) and at most bits (64), got 3",
        ),
        (
            lambda: run(families(1, 1), SimHash(distance=15, blocks=30)),
            "30 blocks for a distance of 15 make 155117520 tables, "  # noqa: ISC004 - one message
            "more than 10000; take fewer blocks",
        ),
        (lambda: MinHash(bands=129), "bands must be at most permutations (128), got 129"),
        (
            lambda: MinHash(bands=2, mode="containment"),
            "bands are chosen by size for containment and cannot be given, got 2",
        ),
    ],
)
def test_what_does_not_go_together_is_told(make: Any, message: str) -> None:
    with pytest.raises(ParameterError) as error:
        make()
    assert str(error.value) == message
