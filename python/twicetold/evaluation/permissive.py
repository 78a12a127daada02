"""Permissive parameters: what nominates a pair for judging rather too often than too rarely."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from twicetold.errors import ParameterError
from twicetold.parameters import Parameter, parameters_of
from twicetold.pipeline import DETECTORS, Detector, detector_class
from twicetold.scanning import make_detector

__all__ = ["PERMISSIVE", "overrides", "permissive", "permissive_model"]

#: The share that counts as contained, for methods the table does not name.
_SHARE = 0.1

#: Parameters that find more than the defaults do. The CoDet paper pools five methods so and does
#: not print its numbers; these are ours. Retelling comes before them: it reports overlaps as well,
#: which is all it finds.
PERMISSIVE: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "retelling": {},
        "codet": {"threshold": _SHARE},
        "full-fingerprint": {"threshold": 0.3},
        "dsc": {"threshold": 0.3},
        "imatch": {"skip": 2, "take": 5},
        "simhash": {"distance": 10},
    }
)


def permissive(method: str, given: Mapping[str, Any] | None = None) -> Detector:
    """Return a detector with permissive parameters, and those given instead of them."""
    found = PERMISSIVE.get(method)
    if found is None:
        known = parameters_of(detector_class(method))
        found = {p.name: min(p.default, _SHARE) for p in known if p.name == "threshold"}
    return make_detector(method, {**found, **(given or {})})


def permissive_model(detector: Detector) -> Detector:
    """Return a detector with a model inside that nominates from a low probability on."""
    return replace(detector, threshold=min(detector.threshold, _SHARE))  # type: ignore[type-var]


def overrides(words: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Read ``METHOD.PARAMETER=VALUE`` words to the parameters of each method.

    >>> overrides(["codet.threshold=0.2", "codet.depth=none"])
    {'codet': {'threshold': 0.2, 'depth': None}}
    """
    found: dict[str, dict[str, Any]] = {}
    for word in words:
        name, _, value = word.partition("=")
        method, _, parameter = name.partition(".")
        if method not in DETECTORS or not parameter or not value:
            msg = f"a parameter is given as METHOD.PARAMETER=VALUE, got {word!r}"
            raise ParameterError(msg)
        known = {known.name: known for known in parameters_of(detector_class(method))}
        parameter = parameter.replace("-", "_")
        if parameter not in known:
            msg = f"{method} has no parameter {parameter!r}; it has {', '.join(known)}"
            raise ParameterError(msg)
        found.setdefault(method, {})[parameter] = _value(known[parameter], value)
    return found


def _value(known: Parameter, text: str) -> Any:
    """Return a value of the parameter's type, or a text for the detector to refuse."""
    if known.optional and text == "none":
        return None
    if known.type is bool:
        return {"true": True, "on": True, "false": False, "off": False}.get(text, text)
    try:
        return known.type(text)
    except ValueError:
        return text
