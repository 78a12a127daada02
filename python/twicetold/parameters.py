"""Parameters as data: a default, a help text and a range, declared once.

The same declaration checks a value, becomes an option of the command line and a row of the docs.
"""

from __future__ import annotations

import dataclasses
import math
from functools import cache
from types import UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from twicetold.errors import ParameterError

__all__ = ["Parameter", "check_parameters", "parameter", "parameters_of"]


def parameter(
    default: Any,
    help: str,  # noqa: A002 - the word users know from the command line
    *,
    minimum: float | None = None,
    maximum: float | None = None,
    decides_keys: bool = True,
) -> Any:
    """Declare a field of a frozen dataclass as a parameter.

    ``decides_keys``: another value gives other keys, so that what is stored must be made anew.
    """
    metadata = {
        "help": help,
        "minimum": minimum,
        "maximum": maximum,
        "decides_keys": decides_keys,
    }
    return dataclasses.field(default=default, metadata=metadata)


class Parameter(NamedTuple):
    """What is known about one parameter."""

    name: str
    type: type
    default: Any
    help: str
    optional: bool
    choices: tuple[str, ...]
    minimum: float | None
    maximum: float | None
    decides_keys: bool

    @property
    def range(self) -> str:
        """The values that make sense, in words."""
        if self.choices:
            return " or ".join(self.choices)
        low, high = self.minimum, self.maximum
        words = {bool: "true or false", int: "a whole number", float: "a number"}[self.type]
        if low is not None and high is not None:
            words += f" from {low:g} to {high:g}"
        elif low is not None:
            words += f" of at least {low:g}"
        return words + (" or none" if self.optional else "")

    def check(self, value: Any) -> None:
        """Raise `ParameterError` unless the value makes sense."""
        if value is None and self.optional:
            return
        fits = self._is_of_type(value)
        if fits and self.choices:
            fits = value in self.choices
        if fits and self.minimum is not None:
            fits = value >= self.minimum
        if fits and self.maximum is not None:
            fits = value <= self.maximum
        if not fits:
            msg = f"{self.name} must be {self.range}, got {value!r}"
            raise ParameterError(msg)

    def _is_of_type(self, value: Any) -> bool:
        if self.type is bool:
            return isinstance(value, bool)
        if self.type is float:
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            return number and math.isfinite(value)
        return isinstance(value, self.type) and not isinstance(value, bool)


@cache
def parameters_of(cls: type) -> tuple[Parameter, ...]:
    """Return the parameters of a dataclass, in the order of their declaration."""
    hints = get_type_hints(cls)
    return tuple(
        _describe(field, hints[field.name])
        for field in dataclasses.fields(cls)
        if "help" in field.metadata
    )


def _describe(field: dataclasses.Field[Any], hint: Any) -> Parameter:
    optional = get_origin(hint) in (Union, UnionType) and type(None) in get_args(hint)
    if optional:
        (hint,) = (arg for arg in get_args(hint) if arg is not type(None))
    choices = get_args(hint) if get_origin(hint) is Literal else ()
    return Parameter(
        name=field.name,
        type=str if choices else hint,
        default=field.default,
        optional=optional,
        choices=choices,
        **field.metadata,
    )


def check_parameters(instance: Any) -> None:
    """Raise `ParameterError` for the first field whose value makes no sense."""
    cls: type = type(instance)
    for known in parameters_of(cls):
        known.check(getattr(instance, known.name))
