"""Models as files: what was saved is read, and everything else is refused in one line."""

from __future__ import annotations

import functools
import io
import json
import os
import pickle
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import skops.io
from sklearn.dummy import DummyClassifier
from sklearn.pipeline import make_pipeline

from tests.learning import making
from twicetold.errors import FormatError, MissingExtraError, SourceError
from twicetold.learning import Lesson, learn, load_model, save_model
from twicetold.learning.svm import Kernel

QUICK = {"curve": False, "contribution": False, "resamples": 0, "folds": 3}


@functools.cache
def lesson(kernel: Kernel = "linear") -> Lesson:
    method = ["codet", "full-fingerprint"] if kernel == "rbf" else "codet"
    return learn(making.clusters(), method=method, kernel=kernel, **QUICK)  # type: ignore[arg-type]


def content() -> dict[str, Any]:
    """Return what a file holds, to be changed."""
    model = lesson().model
    return {
        **model.head(),
        "sigmoid": list(model.sigmoid),
        "figures": dict(model.figures),
        "pipeline": model.pipeline,
    }


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_what_was_saved_is_read(kernel: Kernel, tmp_path: Path) -> None:
    model = lesson(kernel).model
    save_model(model, tmp_path / "m.skops")
    again = load_model(tmp_path / "m.skops")
    assert again == model
    assert again.version == model.version
    assert again.figures == model.figures
    vectors = np.random.default_rng(0).random((50, len(model.names)))
    assert again.probabilities(vectors)[0].tobytes() == model.probabilities(vectors)[0].tobytes()
    assert [path.name for path in tmp_path.iterdir()] == ["m.skops"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"format": "another"}, "is not a model of Twicetold; write one with `twicetold learn`"),
        ({"format_version": 99}, "is a model of format version 99, not 1; learn it again"),
        ({"hash_version": 0}, "is a model of hash version 0, not "),
        ({"twicetold": "9.9.9"}, "was learned with Twicetold 9.9.9, this is "),
        ({"similarities": ["jaccard"]}, "was learned from other similarities than left_in_right"),
        ({"members": [{"method": "nobody", "parameters": {}}]}, "no method 'nobody'"),
        (
            {"members": [{"method": "codet", "parameters": {"deep": 3}}]},
            "codet has no parameter 'deep'",
        ),
        ({"members": [{"method": "codet", "parameters": {"depth": -3}}]}, "depth must be a whole"),
        ({"members": []}, "was learned from other similarities than"),
        ({"profile": {"stem": "porter"}}, "stem must be"),
        ({"threshold": 7.0}, "7.0 is not from 0 to 1"),
        ({"sigmoid": [1.0]}, "is a damaged model"),
        ({"sigmoid": [1.0, float("nan")]}, "nan is not a number to compute with"),
        ({"figures": 3}, "figures are no table"),
        ({"pipeline": None}, "holds no support vector machine"),
        ({"pipeline": make_pipeline(DummyClassifier())}, "holds no support vector machine"),
    ],
)
def test_another_model_is_refused(changes: dict[str, Any], words: str, tmp_path: Path) -> None:
    path = tmp_path / "m.skops"
    skops.io.dump({**content(), **changes}, path)
    with pytest.raises(FormatError) as refused:
        load_model(path)
    assert str(refused.value).startswith(f"{path}: ")
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_model_of_more_similarities_than_it_says_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.skops"
    pipeline = lesson("rbf").model.pipeline
    skops.io.dump({**content(), "pipeline": pipeline}, path)
    with pytest.raises(FormatError, match="its vectors do not have 3 similarities"):
        load_model(path)


def test_a_type_nobody_trusts_is_refused_before_it_is_made(tmp_path: Path) -> None:
    path, trace = tmp_path / "m.skops", tmp_path / "trace"
    skops.io.dump({**content(), "figures": functools.partial(os.mkdir, str(trace))}, path)
    with pytest.raises(FormatError, match="which no model of Twicetold does; do not trust") as told:
        load_model(path)
    assert not trace.exists()
    assert "\n" not in str(told.value)


class _Evil:
    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return os.mkdir, (self.path,)


def test_a_pickle_is_refused_and_never_run(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    path = tmp_path / "m.skops"
    path.write_bytes(pickle.dumps(_Evil(str(trace))))
    with pytest.raises(FormatError, match="is not a model of Twicetold"):
        load_model(path)
    buffer = io.BytesIO()
    skops.io.dump(content(), tmp_path / "good.skops")
    with (
        zipfile.ZipFile(tmp_path / "good.skops") as good,
        zipfile.ZipFile(buffer, "w") as bad,
    ):
        for name in good.namelist():
            evil = name.endswith(".npy")
            bad.writestr(name, pickle.dumps(_Evil(str(trace))) if evil else good.read(name))
    path.write_bytes(buffer.getvalue())
    with pytest.raises(FormatError, match="is not a model of Twicetold"):
        load_model(path)
    assert not trace.exists()


def test_a_file_that_stands_for_far_more_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "m.skops"
    whole = content() | {"figures": {"zeros": np.zeros(4 << 20)}}
    path.write_bytes(skops.io.dumps(whole, compression=zipfile.ZIP_DEFLATED))
    with pytest.raises(FormatError, match=r"bytes that stand for 33,\d+,\d+ are no model"):
        load_model(path)


def test_damaged_bytes_are_refused(tmp_path: Path) -> None:
    good = skops.io.dumps(content())
    path = tmp_path / "m.skops"
    for bad in (b"", b"{}", good[: len(good) // 2], good[:50] + b"\0" * 50 + good[100:]):
        path.write_bytes(bad)
        with pytest.raises(FormatError):
            load_model(path)
    skops.io.dump([1, 2, 3], path)
    with pytest.raises(FormatError, match="is not a model of Twicetold"):
        load_model(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("schema.json", json.dumps({"__class__": "dict"}))
    with pytest.raises(FormatError, match="is not a model of Twicetold"):
        load_model(path)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="cannot be read: No such file or directory"):
        load_model(tmp_path / "none.skops")
    with pytest.raises(SourceError, match="there is no folder"):
        save_model(lesson().model, tmp_path / "nowhere" / "m.skops")


def test_what_is_missing_is_told_with_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "skops.io", None)
    words = "learning needs scikit-learn and skops; run `pip install scikit-learn skops`"
    with pytest.raises(MissingExtraError, match=words):
        load_model("m.skops")
    with pytest.raises(MissingExtraError, match=words):
        learn(making.clusters(4))


def test_a_model_without_its_pipeline_decides_the_same() -> None:
    model = lesson().model
    assert replace(model, pipeline=None) == model
