"""Every detector finds at least what it promises of planted reuse."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from benchmarks.recall import RECALL, Row, found_of, make
from benchmarks.text.planted import Kind

from twicetold.pipeline import DETECTORS

Planted = tuple[Path, Mapping[frozenset[str], Kind]]


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Planted:
    return make(tmp_path_factory.mktemp("planted"))


@pytest.mark.parametrize("row", RECALL, ids=lambda row: f"{row.method} {dict(row.options)}")
def test_recall_is_what_was_promised(row: Row, planted: Planted) -> None:
    found = found_of(row, *planted)
    assert {kind: found[kind] for kind, least in row.least.items() if found[kind] < least} == {}


def test_every_detector_promises_something_with_its_defaults() -> None:
    assert {row.method for row in RECALL} == set(DETECTORS)
    for method in DETECTORS:
        (row,) = (row for row in RECALL if row.method == method and not row.options)
        assert max(row.least.values()) >= 0.9
