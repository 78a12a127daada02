"""What came of the sources of one call: which ids documents have, and whether any could be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from twicetold._kernel import DocumentIds
from twicetold.errors import FormatError

from .fields import ALIASES, Fields
from .report import NOTED

__all__ = ["Account"]

#: So many records without an id are enough to tell that their file has none of that name.
_ENOUGH = 1000
#: Fields, and sources, that a message names.
_NAMED, _SOURCES = 12, 3
#: Characters of the name of a field that are shown.
_LONGEST = 40


@dataclass(slots=True)
class _Records:
    """Records with named fields, of a file or of all files."""

    #: Those with a text, and those without.
    readable: int = 0
    lacking: int = 0
    #: Of those with a text: those with an id of their own, and those without.
    ids: int = 0
    idless: int = 0
    #: The fields of some that lack something.
    keys: dict[str, None] = field(default_factory=dict)


class Account:
    """A running account of one call, which ends with an error if nothing came of its sources.

    ``ids`` None: documents keep their ids, whatever other files have.
    """

    def __init__(
        self, sources: Sequence[str], fields: Fields, *, has_format: bool, ids: DocumentIds | None
    ) -> None:
        self.ids = ids
        self._sources = sources
        self._fields = fields
        self._has_format = has_format
        self._documents = 0
        self._problems: Counter[str] = Counter()
        self._first: str | None = None
        self._file = self._every = _Records()
        self._name = ""
        self._lacking_files: dict[str, None] = {}
        self._shares_ids = False

    # What is noted

    def open(self, name: str, label: str) -> None:
        """Begin a file."""
        self._file, self._name = _Records(), name
        if self.ids is not None:
            self.ids.open(label)

    def add(self, reason: str, problem: str) -> None:
        """Note a problem."""
        if reason not in NOTED:
            self._problems[reason] += 1
            self._first = self._first or problem

    def count(self, n: int = 1) -> None:
        """Note documents, also those whose id came before."""
        self._documents += n

    def has_text(self, n: int, ids: int, keys: Iterable[str]) -> None:
        """Note records with a text, of which so many have an id; ``keys`` are fields of one."""
        records = self._file
        records.readable += n
        records.ids += ids
        records.idless += n - ids
        if self._fields.id is not None and n > ids:
            _extend(records.keys, keys)
            if records.idless >= _ENOUGH:
                self._check_ids()

    def lacks_text(self, keys: Iterable[str], n: int = 1) -> None:
        """Note records without a text, which have these fields."""
        self._file.lacking += n
        self._lacking_files[self._name] = None
        _extend(self._file.keys, keys)

    def is_first_shared(self) -> bool:
        """Tell whether this is the first time that an id is that of an earlier file."""
        was, self._shares_ids = self._shares_ids, True
        return not was

    # What comes of it

    def close(self, *, is_source: bool) -> None:
        """End a file; ``is_source``: it was named itself, so that its records are what is wanted.

        Raise `FormatError` if most of these have no text, or none of them the id that was named.
        """
        records, every = self._file, self._every
        if is_source:
            self._check_text(self._name, records)
        self._check_ids()
        every.readable += records.readable
        every.lacking += records.lacking
        if records.lacking:
            _extend(every.keys, records.keys)

    def end(self, *, may_be_empty: bool = False) -> None:
        """Raise `FormatError` if there are no documents, or most of the records have no text."""
        files = list(self._lacking_files)
        if files:
            more = len(files) - 1
            name = files[0] + (f" and {more:,} more {_plural('file', more)}" if more else "")
            self._check_text(name, self._every)
        if self._documents:
            return
        names = [source or repr(source) for source in self._sources[:_SOURCES]]
        more = len(self._sources) - len(names)
        name = ", ".join(names) + (f" and {more:,} more" if more else "")
        if self._problems:
            counts = ", ".join(f"{n:,} {reason}" for reason, n in self._problems.most_common())
            wrong = any(reason.startswith("bad ") for reason in self._problems)
            advice = "; name the format with --format if it is another one" if wrong else ""
            msg = f"{name}: no document can be read: {counts}; first: {self._first}{advice}"
            raise FormatError(msg)
        if not may_be_empty:
            msg = f"{name}: no documents; give sources that hold some"
            raise FormatError(msg)

    def _check_text(self, name: str, records: _Records) -> None:
        if records.lacking <= records.readable:
            return
        wanted = [self._fields.text] if self._fields.text else list(ALIASES["text"])
        under = " or ".join(f'"{each}"' for each in wanted)
        total = records.lacking + records.readable
        if records.readable:
            what = f"{records.lacking:,} of {total:,} records have no text under {under}"
        else:
            what = f"no text found under {under} in {total:,} {_plural('record', total)}"
        advice = "name one with --text-field"
        if self._has_format:
            advice += ", or another --format"
        msg = f"{name}: {what}; {_fields_of(records)}; {advice}"
        raise FormatError(msg)

    def _check_ids(self) -> None:
        records = self._file
        if self._fields.id is None or records.ids or not records.idless:
            return
        total = records.idless
        msg = (
            f'{self._name}: no id found under "{self._fields.id}" in {total:,} '
            f"{_plural('record', total)}; {_fields_of(records)}; name one with --id-field"
        )
        raise FormatError(msg)


def _extend(known: dict[str, None], keys: Iterable[str]) -> None:
    if len(known) <= _NAMED:
        known |= dict.fromkeys(map(_shown, keys))


def _shown(key: str) -> str:
    key = key if len(key) <= _LONGEST else f"{key[:_LONGEST]}..."
    return key if key.isprintable() else repr(key)[1:-1]


def _fields_of(records: _Records) -> str:
    names = list(records.keys)
    shown = ", ".join(names[:_NAMED]) + ", ..." * (len(names) > _NAMED)
    return f"their fields are {shown}" if names else "they have no fields"


def _plural(noun: str, n: int) -> str:
    return noun if n == 1 else f"{noun}s"
