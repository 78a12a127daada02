"""The nouns that flow through Twicetold, as frozen records.

Offsets are code points, half-open, into ``Document.text``.
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal, NamedTuple, NoReturn, get_args

from twicetold.errors import ParameterError

__all__ = [
    "PASSAGE_TYPES",
    "RELATIONS",
    "Document",
    "Pair",
    "PairSide",
    "Passage",
    "PassageType",
    "Place",
    "Problem",
    "Relation",
    "Sentence",
    "Span",
    "Word",
    "is_before",
    "is_whole_day",
    "quoted",
]

Relation = Literal[
    "identical", "near-duplicate", "contained", "contains", "overlap", "version", "same-form"
]
#: In the order of their numbers in the kernel.
RELATIONS: tuple[Relation, ...] = get_args(Relation)

PairSide = Literal["left", "right"]

PassageType = Literal["verbatim", "edited", "reordered", "quoted", "boilerplate"]
#: In the order of their numbers in the kernel.
PASSAGE_TYPES: tuple[PassageType, ...] = get_args(PassageType)


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY = timedelta(days=1)


def is_whole_day(published: datetime) -> bool:
    """Return whether only the day is known: a date without a time of day is midnight, UTC.

    A time that is exactly midnight is taken for that, too. Most programs write a date as one
    where they write times, and nothing tells the two apart.

    >>> is_whole_day(datetime(2026, 1, 2, tzinfo=UTC))
    True
    """
    return not (published - _EPOCH) % _DAY


def is_before(one: datetime | None, other: datetime | None) -> bool:
    """Return whether it is known that one time of publication is earlier than another one.

    It is not if one of them is missing, if both are equal, or if one of them is a whole day and the
    other one is on that day.

    >>> day = datetime(2026, 1, 2, tzinfo=UTC)
    >>> is_before(day, day + timedelta(hours=9)), is_before(day, day + timedelta(days=1))
    (False, True)
    """
    if one is None or other is None or one >= other:
        return False
    return other - one >= _DAY or not is_whole_day(one)


class Span(NamedTuple):
    """A half-open range of code points."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A text with an id and what is known about it.

    ``text`` is what every offset points into; no reader rewrites it. For HTML it is the visible
    text, and ``html`` keeps the page as it was. ``published`` is always aware: a naive time is
    read as UTC, and a date without a time of day is midnight, which stands for the whole day.

    >>> Document(id="a", text="Shares lose 2%.", published=datetime(2026, 1, 2)).published
    datetime.datetime(2026, 1, 2, 0, 0, tzinfo=datetime.timezone.utc)
    """

    id: str
    text: str
    title: str | None = None
    url: str | None = None
    source: str | None = None
    published: datetime | None = None
    language: str | None = None
    html: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        values: tuple[Any, ...] = (self.id, self.text)
        for value in values:
            if not isinstance(value, str):
                self._refuse(("id", "text"), str, "a string")
        values = (self.title, self.url, self.source, self.language, self.html)
        for value in values:
            if value is not None and not isinstance(value, str):
                known = ("title", "url", "source", "language", "html")
                self._refuse(known, str | None, "a string or None")
        published: Any = self.published
        if published is None:
            return
        if isinstance(published, datetime):
            if published.tzinfo is None:
                object.__setattr__(self, "published", published.replace(tzinfo=UTC))
        elif isinstance(published, date):
            midnight = datetime(published.year, published.month, published.day, tzinfo=UTC)
            object.__setattr__(self, "published", midnight)
        else:
            wanted = "a datetime or a date, such as datetime.fromisoformat reads, or None"
            self._refuse(("published",), date, wanted)

    def _refuse(self, names: tuple[str, ...], kind: Any, wanted: str) -> NoReturn:
        """Say which of these is of another type."""
        name = next(name for name in names if not isinstance(getattr(self, name), kind))
        got = quoted(getattr(self, name))
        msg = f"{name} of a document must be {wanted}, got {got}"
        raise ParameterError(msg)

    @property
    def has_time(self) -> bool:
        """Whether more than its day is known of the time it was published."""
        return self.published is not None and not is_whole_day(self.published)

    def is_before(self, other: Document) -> bool:
        """Return whether it is known to be earlier than another document."""
        return is_before(self.published, other.published)


def quoted(value: object, size: int = 60) -> str:
    r"""Show a value of unknown length in one line, without anything a terminal would obey.

    >>> quoted("a\nb" * 40, 10)
    "'a\\nba\\nba..."
    """
    # What is long is cut before it is written down, which would take as long as it is.
    shown = repr(value[: size + 1]) if isinstance(value, str | bytes) else reprlib.repr(value)
    return shown if len(shown) <= size + 2 else shown[:size] + "..."


class Word(NamedTuple):
    """A word as it stands in the text, the term it became, and whether it is a stop word."""

    span: Span
    surface: str
    term: str
    is_stop: bool


@dataclass(frozen=True, slots=True)
class Sentence:
    """A span of a document and the words in it."""

    span: Span
    words: tuple[Word, ...]

    def __iter__(self) -> Iterator[Word]:
        return iter(self.words)


class Place(NamedTuple):
    """Where in a page a text stands: number and role of its node, and the elements it is in."""

    node: int
    role: str
    path: str


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of one document that came from, or went into, another.

    ``left_place`` and ``right_place`` say where in a page it begins; None where a document was not
    read from a page.
    """

    left: Span
    right: Span
    score: float
    type: PassageType
    left_place: Place | None = field(default=None, repr=False)
    right_place: Place | None = field(default=None, repr=False)

    def to_json(self) -> dict[str, Any]:
        """Return the passage as every command prints it."""
        row: dict[str, Any] = {
            "left": list(self.left),
            "right": list(self.right),
            "score": self.score,
            "type": self.type,
        }
        for name, place in (("left_place", self.left_place), ("right_place", self.right_place)):
            if place is not None:
                row[name] = place._asdict()
        return row


@dataclass(frozen=True, slots=True)
class Pair:
    """Two documents and how much of each is in the other.

    ``left`` is the earlier document where both times are known and differ, else the smaller id.
    ``left_in_right`` is the share of left that is retold in right. ``left_content_in_right``
    is the share of left's content that right has; ``None`` where the detector does not measure it.
    The probabilities say how sure it is that left is told in right, right in left, and that text
    was taken; ``None`` where the detector decides by shares alone.
    ``earlier`` is the side that is known to be earlier, by the rule of `is_before`; ``None`` where
    times do not tell.
    """

    left: str
    right: str
    relation: Relation
    left_in_right: float
    right_in_left: float
    resemblance: float
    odds: float
    left_content_in_right: float | None = None
    right_content_in_left: float | None = None
    passages: tuple[Passage, ...] = ()
    left_in_right_probability: float | None = None
    right_in_left_probability: float | None = None
    taken: float | None = None
    earlier: PairSide | None = None

    @property
    def probability(self) -> float | None:
        """How sure it is that one document is told in the other."""
        there, back = self.left_in_right_probability, self.right_in_left_probability
        return None if there is None or back is None else max(there, back)

    @property
    def score(self) -> float:
        """The larger of the two directions."""
        return max(self.left_in_right, self.right_in_left)

    def to_json(self) -> dict[str, Any]:
        """Return the pair as every command and the service print it."""
        row: dict[str, Any] = {
            "left": self.left,
            "right": self.right,
            "relation": self.relation,
            "left_in_right": self.left_in_right,
            "right_in_left": self.right_in_left,
        }
        if self.left_content_in_right is not None:
            row["left_content_in_right"] = self.left_content_in_right
        if self.right_content_in_left is not None:
            row["right_content_in_left"] = self.right_content_in_left
        row["resemblance"] = self.resemblance
        row["odds"] = self.odds
        row["score"] = self.score
        row["earlier"] = self.earlier
        if self.probability is not None:
            row["probability"] = self.probability
            row["left_in_right_probability"] = self.left_in_right_probability
            row["right_in_left_probability"] = self.right_in_left_probability
            row["taken"] = self.taken
        row["passages"] = [passage.to_json() for passage in self.passages]
        return row


class Problem(NamedTuple):
    """Something in the input that was reported and skipped.

    ``reason`` is one of a small set of words to count by; ``detail`` is for a person to read.
    ``line`` counts lines, rows or records from 1; ``None`` where the whole file is meant.
    """

    path: str
    line: int | None
    reason: str
    detail: str

    def __str__(self) -> str:
        place = self.path if self.line is None else f"{self.path}:{self.line}"
        return f"{place}: {self.detail}"


class WordLink(NamedTuple):
    """A word of left's sentence, one of right's, and how much they correlate; 1: the same word."""

    left: str
    right: str
    correlation: float
