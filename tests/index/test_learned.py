"""An index decides by a model as a scan does, and needs the model file only once."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.calling import NEWS
from tests.index.model import row
from twicetold import build_statistics, read, scan
from twicetold.errors import IndexDamagedError, IndexMismatchError, ParameterError
from twicetold.index import Index
from twicetold.index.database import Database
from twicetold.index.streaming import open_or_create
from twicetold.learning import Learned, learn
from twicetold.learning.learned import restored
from twicetold.pipeline import Detector

LABELS = NEWS.parent / "labels.jsonl"
METHODS = ("codet", "retelling", "word-overlap", "minhash")


def model_of(method: str | list[str]) -> Learned:
    return learn(LABELS, method=method, curve=False, contribution=False, resamples=0).detector()


@pytest.fixture(scope="module")
def codet() -> Learned:
    return model_of("codet")


@pytest.mark.parametrize("method", METHODS)
def test_an_index_finds_what_a_scan_with_the_model_finds(method: str, tmp_path: Path) -> None:
    detector = model_of(method)
    statistics = build_statistics(NEWS, method=detector)
    # An index does not know where in a page a passage stands.
    documents = list(read(NEWS / "wire.jsonl", NEWS / "blogs.jsonl"))
    with Index.create(tmp_path / "i", method=detector, statistics=statistics) as index:
        added = [pair for one in index.add_all(documents) for pair in one.pairs]
    passages = detector.unit == "sentence"
    found = scan(documents, method=detector, statistics=statistics, passages=passages)
    assert len(found) > 5
    assert sorted(map(row, added)) == sorted(map(row, found))


def test_the_model_is_kept_in_the_index(codet: Learned, tmp_path: Path) -> None:
    with Index.create(tmp_path / "i", method=codet, sample=NEWS) as index:
        made = index.info()
    with Index.open(tmp_path / "i", method="learned(codet)") as index:
        assert index.info().parameters == made.parameters == codet.settings()
        assert index.detector == restored(codet.recipe()) == codet


def test_a_stream_goes_on_with_the_same_model_only(codet: Learned, tmp_path: Path) -> None:
    def opened(method: Detector | str) -> Index:
        return open_or_create(tmp_path / "i", {"method": method}, {}, method="codet")

    with opened(codet) as index:
        list(index.add_all(read(NEWS)))
    with opened(codet) as index:
        assert len(index) == 65
    other = Learned(base=codet.base, model=codet.model, threshold=0.9)
    for method, words in ((other, "index with threshold"), ("codet", "index of learned")):
        with pytest.raises(IndexMismatchError, match=words):
            opened(method)


def test_an_index_changes_to_a_model_and_back(codet: Learned, tmp_path: Path) -> None:
    with Index.create(tmp_path / "i", method="codet", sample=NEWS) as index:
        list(index.add_all(read(NEWS)))
        index.rebuild(method=codet)
        assert index.info().method == "learned(codet)"
        index.rebuild(method="codet")
        assert index.info().method == "codet"


def test_parameters_of_a_model_are_those_it_was_learned_with(
    codet: Learned, tmp_path: Path
) -> None:
    with Index.create(tmp_path / "i", method=codet, sample=NEWS) as index:
        with pytest.raises(ParameterError, match="a model decides here; give --model FILE"):
            index.rebuild(threshold=0.9)
        assert index.detector == codet


@pytest.mark.parametrize(
    ("name", "value"),
    [("weights", [1.0]), ("mean", [0.0] * 40), ("profile", 3), ("members", [{}]), ("sigmoid", 1)],
)
def test_a_model_that_is_not_what_was_written_is_damage(
    codet: Learned, tmp_path: Path, name: str, value: object
) -> None:
    Index.create(tmp_path / "i", method=codet, sample=NEWS).close()
    change_model(tmp_path / "i", name, value)
    with pytest.raises(IndexDamagedError, match="settings are not what was written"):
        Index.open(tmp_path / "i", check=False)


def change_model(index: Path, name: str, value: object) -> None:
    with closing(Database.open(index / "index.sqlite")) as database, database.transaction():
        settings = database.get("settings")
        settings["parameters"]["model"][name] = value
        database.set("settings", settings)


def test_what_an_index_cannot_find_by_its_keys_is_refused(tmp_path: Path) -> None:
    for method, words in (
        (["codet", "full-fingerprint"], "it keeps the keys of one method"),
        ("tf-idf", "an index does not serve learned"),
    ):
        with pytest.raises(ParameterError, match=words):
            Index.create(tmp_path / "i", method=model_of(method))


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("twicetold", "99.0.0", "its model was learned with Twicetold 99.0.0, this is"),
        ("hash_version", 99, "its model is one of hash version 99, not 1"),
        ("similarities", ["a", "b"], "its model was learned from other similarities than left"),
    ],
)
def test_a_model_of_another_version_is_refused(
    codet: Learned, tmp_path: Path, name: str, value: object, words: str
) -> None:
    Index.create(tmp_path / "i", method=codet, sample=NEWS).close()
    change_model(tmp_path / "i", name, value)
    with pytest.raises(IndexMismatchError, match=words) as raised:
        Index.open(tmp_path / "i", check=False)
    assert "twicetold index export" in str(raised.value)
