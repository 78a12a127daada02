"""Statistics of a collection: document frequencies, keys too frequent to join, correlations.

They decide weights and keys, so results are only comparable under the same statistics: they are
pinned, carry a version made from their content, and travel as one file.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal

from twicetold import _kernel
from twicetold.analysis import Analysed, Profile
from twicetold.errors import ParameterError, SourceError, StatisticsError

__all__ = ["FORMAT_VERSION", "Idf", "Statistics", "idf_weight"]

#: The version of the file format.
FORMAT_VERSION = 1

Idf = Literal["plus-one", "plain", "smooth"]

_EPOCH = (1980, 1, 1, 0, 0, 0)

#: What comes up where bytes are not what they should be: in the archive, its members, the numbers.
_DAMAGED = (
    EOFError,
    LookupError,
    OSError,
    OverflowError,
    RuntimeError,
    TypeError,
    ValueError,
)


def idf_weight(
    documents: int, frequency: int, *, idf: Idf = "plus-one", base: float = math.e
) -> float:
    """Return the weight of a term; one that nobody has seen counts as seen once.

    ``plus-one``  ``log(N / df) + 1``              CoDet
    ``plain``     ``log(N / df)``                  qSign, RECAP
    ``smooth``    ``log((N + 1) / (df + 0.5))``

    >>> round(2 * idf_weight(3, 2), 6)
    2.81093
    """
    n, df = max(documents, 1), max(frequency, 1)
    ratio = (n + 1) / (df + 0.5) if idf == "smooth" else n / df
    weight = math.log(ratio) if base == math.e else math.log(ratio, base)
    return max(weight + (idf == "plus-one"), 0.0)


class Statistics:
    """How many documents hold each term, and which keys are too frequent.

    >>> from twicetold.analysis import PROFILES, Analyser
    >>> profile = PROFILES["plain"]
    >>> statistics = Statistics(profile)
    >>> statistics.add(Analyser(profile).analyse(["shares gain", "shares lose"]))
    >>> statistics.documents, statistics.frequency("shares"), statistics.frequency("bonds")
    (2, 2, 0)
    """

    def __init__(self, profile: Profile, *, origin: str = "collection") -> None:
        self.profile = profile
        #: Where the counts come from, for people.
        self.origin = origin
        self._native = _kernel.Statistics()
        self._frequent: dict[str, bytes] = {}
        self._correlations: dict[str, _kernel.Correlations] = {}
        self._version: str | None = None

    def add(self, analysed: Analysed, *, threads: int = 0) -> None:
        """Count the documents of an analysed batch."""
        self._native.add(analysed, threads=threads)
        self._version = None

    @classmethod
    def from_terms(
        cls,
        profile: Profile,
        documents: int,
        frequencies: Mapping[str, int],
        *,
        origin: str = "table",
    ) -> Statistics:
        """Make statistics from a table of document frequencies."""
        if documents < 1:
            msg = f"documents must be at least 1, got {documents!r}"
            raise ParameterError(msg)
        for term, frequency in frequencies.items():
            if "\n" in term:
                msg = f"a term must be in one line, got {term!r}"
                raise ParameterError(msg)
            if not 0 <= frequency <= documents:
                msg = f"the frequency of {term!r} must be from 0 to {documents}, got {frequency!r}"
                raise ParameterError(msg)
        statistics = cls(profile, origin=origin)
        statistics._native = _kernel.Statistics.from_terms(
            documents, list(frequencies), list(frequencies.values())
        )
        return statistics

    @property
    def native(self) -> _kernel.Statistics:
        """The counts as the kernel holds them."""
        return self._native

    @property
    def documents(self) -> int:
        """How many documents were counted."""
        return self._native.documents

    @property
    def n_terms(self) -> int:
        """How many different terms there are."""
        return self._native.n_terms

    def frequency(self, term: str) -> int:
        """Return the number of documents that hold a term."""
        return self._native.frequency(term)

    @property
    def described(self) -> str:
        """Where the counts come from and how many documents that were, for people."""
        return f"{self.origin} ({self.documents:,} documents)"

    def pin_frequent_keys(self, form: str, keys: bytes) -> None:
        """Keep the keys that a detector, known by the form of its keys, is to leave out."""
        self._frequent[form] = keys
        self._version = None

    def frequent_keys(self, form: str) -> bytes | None:
        """Return the keys pinned for a detector, as sorted little-endian u64; None if none were."""
        return self._frequent.get(form)

    @property
    def pinned(self) -> tuple[str, ...]:
        """The detectors for which frequent keys are pinned."""
        return tuple(sorted(self._frequent))

    def pin_correlations(self, form: str, correlations: _kernel.Correlations) -> None:
        """Keep the correlations of words, known by the form in which they were counted."""
        self._correlations[form] = correlations
        self._version = None

    def correlations(self, form: str) -> _kernel.Correlations | None:
        """Return the correlations counted in this form; None if none were."""
        return self._correlations.get(form)

    @property
    def correlated(self) -> tuple[str, ...]:
        """The forms in which correlations were counted."""
        return tuple(sorted(self._correlations))

    @property
    def version(self) -> str:
        """What stands for the content: equal content, equal version."""
        if self._version is None:
            digest = hashlib.sha256()
            for name, content in self._members():
                digest.update(f"{name} {len(content)}\n".encode())
                digest.update(content)
            self._version = digest.hexdigest()[:16]
        return self._version

    def _members(self) -> Iterable[tuple[str, bytes]]:
        terms, frequencies = self._native.terms()
        head = {
            "format": "twicetold statistics",
            "format_version": FORMAT_VERSION,
            "hash_version": _kernel.HASH_VERSION,
            "profile": _profile_fields(self.profile),
            "documents": self.documents,
            "terms": len(terms),
            "frequent": self.pinned,
        }
        if self._correlations:
            head["correlations"] = self.correlated
        yield "statistics.json", json.dumps(head, ensure_ascii=False, indent=1).encode()
        yield "terms.txt", "\n".join(terms).encode()
        yield "frequencies.u32", b"".join(n.to_bytes(4, "little") for n in frequencies)
        for n, form in enumerate(self.pinned):
            yield f"frequent-{n}.u64", self._frequent[form]
        for n, form in enumerate(self.correlated):
            columns = self._correlations[form].columns()
            yield from zip(_correlation_members(n), columns, strict=True)

    def save(self, path: str | Path, /) -> None:
        """Write the statistics as one file; the same statistics give the same bytes."""
        import zipfile

        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.comment = self.origin.encode(errors="replace")[:60_000]
            for name, content in self._members():
                archive.writestr(zipfile.ZipInfo(name, _EPOCH), content, zipfile.ZIP_DEFLATED)
        partial = Path(f"{path}.partial")
        try:
            partial.write_bytes(buffer.getvalue())
            partial.replace(path)
        except OSError as error:
            with contextlib.suppress(OSError):
                partial.unlink()
            msg = f"{path}: cannot write statistics: {error.strerror or error}"
            raise SourceError(msg) from error

    @classmethod
    def load(cls, path: str | Path, /) -> Statistics:
        """Read statistics that `save` wrote."""
        import zipfile
        import zlib

        try:
            data = Path(path).read_bytes()
        except OSError as error:
            msg = f"{path}: cannot read statistics: {error.strerror or error}"
            raise SourceError(msg) from error
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                members = {name: archive.read(name) for name in archive.namelist()}
                origin = archive.comment.decode("utf-8", "replace")
            return cls._from_members(members, origin)
        except StatisticsError as error:
            msg = f"{path}: {error}"
            raise StatisticsError(msg) from error
        except (*_DAMAGED, zipfile.BadZipFile, zlib.error) as error:
            msg = (
                f"{path}: not a statistics file, or damaged; "
                "make one with `twicetold statistics build`"
            )
            raise StatisticsError(msg) from error

    @classmethod
    def _from_members(cls, members: Mapping[str, bytes], origin: str) -> Statistics:
        head = json.loads(members["statistics.json"])
        for field, wanted in (
            ("format_version", FORMAT_VERSION),
            ("hash_version", _kernel.HASH_VERSION),
        ):
            if head[field] != wanted:
                msg = (
                    f"{field.replace('_', ' ')} {head[field]}, this program reads {wanted}; "
                    "build the statistics anew with `twicetold statistics build`"
                )
                raise StatisticsError(msg)
        terms = members["terms.txt"].decode().split("\n") if head["terms"] else []
        column = members["frequencies.u32"]
        frequencies = [
            int.from_bytes(column[n : n + 4], "little") for n in range(0, len(column), 4)
        ]
        statistics = cls(Profile(**head["profile"]), origin=origin)
        statistics._native = _kernel.Statistics.from_terms(head["documents"], terms, frequencies)
        for n, form in enumerate(head["frequent"]):
            statistics.pin_frequent_keys(form, members[f"frequent-{n}.u64"])
        for n, form in enumerate(head.get("correlations", ())):
            columns = [members[name] for name in _correlation_members(n)]
            found = _kernel.Correlations.from_columns(*columns)
            statistics.pin_correlations(form, found)
        return statistics

    def require(self, profile: Profile) -> None:
        """Raise `StatisticsError` unless the counts were made under this profile."""
        if self.profile != profile:
            msg = f"statistics were built with {self.profile}, this run analyses with {profile}"
            raise StatisticsError(msg)


def _correlation_members(n: int) -> list[str]:
    kinds = ("words.u64", "ends.u64", "columns.u32", "values.f32")
    return [f"correlations-{n}-{kind}" for kind in kinds]


def _profile_fields(profile: Profile) -> dict[str, str | int]:
    return {
        "stop_words": profile.stop_words,
        "numbers": profile.numbers,
        "stem": profile.stem,
        "joiner": profile.joiner,
        "min_length": profile.min_length,
    }
