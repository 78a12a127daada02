"""Models as files: written and read with skops, which runs no code of a file.

A file that holds any type skops does not know to be harmless is refused, and so is one of another
version, or whose detectors compare in other ways than those that are installed.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

from twicetold import _kernel
from twicetold.analysis import Profile
from twicetold.errors import FormatError, ParameterError, SourceError
from twicetold.learning.calibration import Sigmoid
from twicetold.learning.checks import checked, finite, other_version, share
from twicetold.learning.model import Model, release
from twicetold.learning.svm import Boundary, boundary_of, require_extra
from twicetold.learning.vectors import names_of
from twicetold.reports.files import replacing
from twicetold.scanning import make_detector

__all__ = ["load_model", "save_model"]

_FREE, _RATIO = 1 << 20, 4
_AGAIN = "learn it again with `twicetold learn`"


def save_model(model: Model, path: str | Path, /) -> None:
    """Write a model as one file."""
    require_extra()
    import skops.io

    whole = {
        **model.head(),
        "sigmoid": list(model.sigmoid),
        "figures": dict(model.figures),
        "pipeline": model.pipeline,
    }
    content = skops.io.dumps(whole)
    with replacing(path) as file:
        file.write(content)


def load_model(path: str | Path, /) -> Model:
    """Read a model that `save_model` wrote."""
    require_extra()
    whole = _read(path)
    if whole.get("format") != "twicetold model":
        msg = f"{path}: is not a model of Twicetold; write one with `twicetold learn`"
        raise FormatError(msg)
    if (other := other_version(whole)) is not None:
        what, given, known = other
        msg = f"{path}: is a model of {what} {given!r}, not {known}; {_AGAIN}"
        raise FormatError(msg)
    if release(whole.get("twicetold")) != release(_kernel.VERSION):
        made = whole.get("twicetold")
        msg = f"{path}: was learned with Twicetold {made}, this is {_kernel.VERSION}; {_AGAIN}"
        raise FormatError(msg)
    try:
        return _checked(path, whole)
    except (AttributeError, LookupError, ParameterError, TypeError, ValueError) as error:
        msg = f"{path}: is a damaged model ({error}); {_AGAIN}"
        raise FormatError(msg) from error


def _read(path: str | Path) -> dict[str, Any]:
    import skops.io

    try:
        content = Path(path).read_bytes()
    except OSError as error:
        msg = f"{path}: cannot be read: {error.strerror or error}"
        raise SourceError(msg) from error
    _refuse_bomb(path, content)
    try:
        with warnings.catch_warnings():
            # Other versions of scikit-learn warn; what is used of it is checked below.
            warnings.simplefilter("ignore")
            foreign = skops.io.get_untrusted_types(data=content)
            whole = None if foreign else skops.io.loads(content, trusted=[])
    except Exception as error:
        msg = f"{path}: is not a model of Twicetold; write one with `twicetold learn`"
        raise FormatError(msg) from error
    if foreign:
        msg = (
            f"{path}: holds {foreign[0]}, which no model of Twicetold does; do not trust this file"
        )
        raise FormatError(msg)
    return whole if isinstance(whole, dict) else {}


def _refuse_bomb(path: str | Path, content: bytes) -> None:
    """Refuse what stands for far more than it is: skops does not compress its members."""
    import io
    import zipfile

    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            size = sum(info.file_size for info in archive.infolist())
    except Exception:  # noqa: BLE001 - what it is comes out when it is read
        return
    if size > max(_FREE, _RATIO * len(content)):
        msg = f"{path}: {len(content):,} bytes that stand for {size:,} are no model of Twicetold"
        raise FormatError(msg)


def _checked(path: str | Path, whole: dict[str, Any]) -> Model:
    members = tuple(make_detector(row["method"], row["parameters"]) for row in whole["members"])
    names = tuple(whole["similarities"])
    if names != names_of(members):
        has = ", ".join(names_of(members))
        msg = f"{path}: was learned from other similarities than {has}; {_AGAIN}"
        raise FormatError(msg)
    slope, offset = whole["sigmoid"]
    figures = whole["figures"]
    if not isinstance(figures, dict):
        msg = "figures are no table"
        raise TypeError(msg)
    return Model(
        members=members,
        profile=Profile(**whole["profile"]),
        names=names,
        directed=bool(whole["directed"]),
        floor=share(whole["floor"]),
        threshold=share(whole["threshold"]),
        boundary=_boundary(whole["pipeline"], len(names)),
        sigmoid=Sigmoid(finite(slope), finite(offset)),
        figures=figures,
        pipeline=whole["pipeline"],
    )


def _boundary(pipeline: Any, size: int) -> Boundary:
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC, LinearSVC

    if type(pipeline) is not Pipeline or [type(step) for _, step in pipeline.steps] not in (
        [StandardScaler, LinearSVC],
        [StandardScaler, SVC],
    ):
        msg = "it holds no support vector machine"
        raise TypeError(msg)
    return checked(boundary_of(pipeline), size)
