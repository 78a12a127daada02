"""Statistics of a collection: document frequencies, keys too frequent to join, correlations.

Where asked for, also how often each run of four characters occurs in its sentences.

They decide weights and keys, so results are only comparable under the same statistics: they are
pinned, carry a version made from their content, and travel as one file.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from twicetold import _kernel
from twicetold.analysis import Analysed, Profile
from twicetold.archives import (
    DAMAGED,
    archive_of,
    damaged,
    members_of,
    packed,
    read_archive,
    unpacked,
    write_archive,
)
from twicetold.errors import ParameterError, StatisticsError
from twicetold.html.boilerplate import Boilerplate

__all__ = ["FORMAT_VERSION", "Idf", "Statistics", "idf_weight"]

#: The version of the file format.
FORMAT_VERSION = 1

#: How many characters a gram has.
_GRAM = 4

Idf = Literal["plus-one", "plain", "smooth"]


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
        self._grams: _kernel.GramFrequencies | None = None
        self._frequent: dict[str, bytes] = {}
        self._left_out: dict[str, _kernel.KeySet] = {}
        self._correlations: dict[str, _kernel.Correlations] = {}
        self._boilerplate = Boilerplate()
        self._forms: _kernel.FormFrequencies | None = None
        self._version: str | None = None

    def add(self, *analysed: Analysed, threads: int = 0) -> None:
        """Count the documents of analysed batches; all at once is quicker than one by one."""
        self._native.add(analysed, threads=threads)
        self._version = None

    def add_grams(self, *analysed: Analysed, threads: int = 0) -> None:
        """Count the 4-grams of characters of analysed batches, as `RareGrams` needs them."""
        if self._grams is None:
            self._grams = _kernel.GramFrequencies()
        for batch in analysed:
            self._grams.add(batch, threads=threads)
        self._version = None

    def take(self, other: Statistics, /) -> None:
        """Take over what other statistics of the same documents have beside the frequencies."""
        other.require(self.profile)
        self._grams = self._grams if other._grams is None else other._grams
        self._frequent |= other._frequent
        self._left_out.clear()
        self._correlations |= other._correlations
        self._forms = self._forms if other._forms is None else other._forms
        self._version = None

    @classmethod
    def from_terms(
        cls,
        profile: Profile,
        documents: int,
        frequencies: Mapping[str, int],
        *,
        grams: Mapping[str, int] | None = None,
        origin: str = "table",
    ) -> Statistics:
        """Make statistics from a table of document frequencies.

        ``grams`` are the frequencies of 4-grams, None: these are not known.
        """
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
        for gram, frequency in (grams or {}).items():
            if len(gram) != _GRAM or not 1 <= frequency < 2**32:
                msg = f"a gram has {_GRAM} characters and occurs, got {gram!r}: {frequency!r}"
                raise ParameterError(msg)
        if grams is not None:
            statistics._grams = _kernel.GramFrequencies.from_text(
                "".join(grams), list(grams.values())
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
    def grams(self) -> _kernel.GramFrequencies:
        """How often each 4-gram of characters occurs; `StatisticsError` if that was not counted."""
        if self._grams is None:
            msg = (
                f"statistics of {self.origin} hold no frequencies of 4-grams; "
                "build them with `twicetold statistics build --method rare-grams`"
            )
            raise StatisticsError(msg)
        return self._grams

    @property
    def has_grams(self) -> bool:
        """Whether 4-grams were counted."""
        return self._grams is not None

    @property
    def described(self) -> str:
        """Where the counts come from and how many documents that were, for people."""
        return f"{self.origin} ({self.documents:,} documents)"

    def pin_frequent_keys(self, form: str, keys: bytes) -> None:
        """Keep the keys that a detector, known by the form of its keys, is to leave out."""
        self._frequent[form] = keys
        self._left_out.pop(form, None)
        self._version = None

    def frequent_keys(self, form: str) -> bytes | None:
        """Return the keys pinned for a detector, as sorted little-endian u64; None if none were."""
        return self._frequent.get(form)

    def left_out(self, form: str) -> _kernel.KeySet:
        """Return these keys, none if none were pinned, as a join takes them; made ready once."""
        if form not in self._left_out:
            self._left_out[form] = _kernel.KeySet(self._frequent.get(form, b""))
        return self._left_out[form]

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

    def pin_boilerplate(self, boilerplate: Boilerplate) -> None:
        """Keep what the sources of the collection repeat on their pages."""
        self._boilerplate = boilerplate
        self._version = None

    @property
    def boilerplate(self) -> Boilerplate:
        """What sources repeat on their pages: it is left out before a text is analysed."""
        return self._boilerplate

    def pin_forms(self, forms: _kernel.FormFrequencies) -> None:
        """Keep in how many documents runs of words and pairs of content words occur."""
        self._forms = forms
        self._version = None

    @property
    def has_forms(self) -> bool:
        """Whether runs of words and pairs of content words were counted."""
        return self._forms is not None

    @property
    def forms(self) -> _kernel.FormFrequencies:
        """How often wording is repeated in the collection; nothing where that was not counted."""
        return _kernel.FormFrequencies() if self._forms is None else self._forms

    @property
    def version(self) -> str:
        """What stands for the content: equal content, equal version."""
        if self._version is None:
            import hashlib

            digest = hashlib.sha256()
            for name, content in self._members():
                digest.update(f"{name} {len(content)}\n".encode())
                digest.update(content)
            self._version = digest.hexdigest()[:16]
        return self._version

    def _head(self, terms: int) -> bytes:
        import json

        head: dict[str, Any] = {
            "format": "twicetold statistics",
            "format_version": FORMAT_VERSION,
            "hash_version": _kernel.HASH_VERSION,
            "profile": _profile_fields(self.profile),
            "documents": self.documents,
            "terms": terms,
            "frequent": self.pinned,
        }
        if self._grams is not None:
            head["grams"] = self._grams.n_grams
        if self._correlations:
            head["correlations"] = self.correlated
        if self._boilerplate:
            head["boilerplate"] = len(self._boilerplate)
        if self._forms is not None:
            head["forms"] = {"few_share": self._forms.few_share}
        return json.dumps(head, ensure_ascii=False, indent=1).encode()

    def _members(self) -> Iterable[tuple[str, bytes]]:
        terms, frequencies = self._native.terms()
        yield "statistics.json", self._head(len(terms))
        yield "terms.txt", "\n".join(terms).encode()
        yield "frequencies.u32", packed(frequencies)
        for n, form in enumerate(self.pinned):
            yield f"frequent-{n}.u64", self._frequent[form]
        if self._grams is not None:
            text, numbers = self._grams.text()
            yield "grams.txt", text.encode()
            yield "gram-frequencies.u32", packed(numbers)
        for n, form in enumerate(self.correlated):
            columns = self._correlations[form].columns()
            yield from zip(_correlation_members(n), columns, strict=True)
        if self._boilerplate:
            yield "boilerplate.u64", self._boilerplate.to_bytes()
        if self._forms is not None:
            for kind, table in zip(_FORMS, self._forms.columns(), strict=True):
                yield from zip(_form_members(kind), table, strict=True)

    def save(self, path: str | Path, /) -> None:
        """Write the statistics as one file; the same statistics give the same bytes."""
        write_archive(path, self.to_bytes())

    def to_bytes(self) -> bytes:
        """Return the statistics as `save` writes them."""
        return archive_of(self._members(), comment=self.origin)

    @classmethod
    def load(cls, path: str | Path, /) -> Statistics:
        """Read statistics that `save` wrote."""
        return cls.from_bytes(read_archive(path), path)

    @classmethod
    def from_bytes(cls, content: bytes, path: str | Path, /) -> Statistics:
        """Return the statistics that `to_bytes` gave; ``path`` is what to call them if damaged."""
        members, origin = members_of(content, path)
        try:
            return cls._from_members(members, origin)
        except StatisticsError as error:
            msg = f"{path}: {error}"
            raise StatisticsError(msg) from error
        except DAMAGED as error:
            raise damaged(path) from error

    @classmethod
    def _from_members(cls, members: Mapping[str, bytes], origin: str) -> Statistics:
        import json

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
        frequencies = unpacked(members["frequencies.u32"])
        statistics = cls(Profile(**head["profile"]), origin=origin)
        statistics._native = _kernel.Statistics.from_terms(head["documents"], terms, frequencies)
        for n, form in enumerate(head["frequent"]):
            statistics.pin_frequent_keys(form, members[f"frequent-{n}.u64"])
        if "grams" in head:
            statistics._grams = _kernel.GramFrequencies.from_text(
                members["grams.txt"].decode(), unpacked(members["gram-frequencies.u32"])
            )
        for n, form in enumerate(head.get("correlations", ())):
            columns = [members[name] for name in _correlation_members(n)]
            found = _kernel.Correlations.from_columns(*columns)
            statistics.pin_correlations(form, found)
        if "boilerplate" in head:
            statistics.pin_boilerplate(Boilerplate.from_bytes(members["boilerplate.u64"]))
        if "forms" in head:
            statistics.pin_forms(_forms_of(members, float(head["forms"]["few_share"])))
        return statistics

    def require(self, profile: Profile) -> None:
        """Raise `StatisticsError` unless the counts were made under this profile."""
        if self.profile != profile:
            msg = f"statistics were built with {self.profile}, this run analyses with {profile}"
            raise StatisticsError(msg)


#: What is counted of forms.
_FORMS = ("pairs", "runs")


def _form_members(kind: str) -> tuple[str, str, str]:
    return f"{kind}-ends.u32", f"{kind}-rests.u32", f"{kind}-counts.u8"


def _forms_of(members: Mapping[str, bytes], few_share: float) -> _kernel.FormFrequencies:
    def table(kind: str) -> tuple[bytes, bytes, bytes]:
        ends, rests, counts = _form_members(kind)
        return members[ends], members[rests], members[counts]

    return _kernel.FormFrequencies.from_columns(few_share, table("pairs"), table("runs"))


def _correlation_members(n: int) -> list[str]:
    kinds = ("words.u64", "ends.u64", "columns.u32", "values.f32")
    return [f"correlations-{n}-{kind}" for kind in kinds]


def _profile_fields(profile: Profile) -> dict[str, str | int]:
    fields: dict[str, str | int] = {
        "stop_words": profile.stop_words,
        "numbers": profile.numbers,
        "stem": profile.stem,
        "joiner": profile.joiner,
        "min_length": profile.min_length,
    }
    # Only where there is one: other files stay as they were.
    return fields if profile.longest is None else fields | {"longest": profile.longest}
