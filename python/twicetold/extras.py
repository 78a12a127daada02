"""Optional packages: which there are, and the command that installs what is missing."""

from __future__ import annotations

import shlex

from twicetold.errors import MissingExtraError

__all__ = ["EXTRAS", "install_command", "missing_extra"]

#: The extras of pyproject.toml by package. Messages name packages, not the extra: they can be
#: installed wherever twicetold itself came from.
EXTRAS: dict[str, tuple[str, ...]] = {
    "learn": ("scikit-learn", "skops"),
    "plots": ("matplotlib",),
    "quality": ("trafilatura",),
    "reference": ("wordfreq[cjk]",),
    "words": ("numpy", "safetensors", "tokenizers", "wordllama"),
}


def install_command(extra: str) -> str:
    """Return the command that installs the packages of an extra.

    >>> install_command("reference")
    "pip install 'wordfreq[cjk]'"
    """
    return shlex.join(["pip", "install", *EXTRAS[extra]])


def missing_extra(*, need: str, extra: str) -> MissingExtraError:
    """Return the error that says what needs an extra and how to install it.

    >>> print(missing_extra(need="plots need matplotlib", extra="plots"))
    plots need matplotlib; run `pip install matplotlib`
    """
    return MissingExtraError(f"{need}; run `{install_command(extra)}`")
