"""The native module: what `crates/python` exports, checked against it by a test."""

from collections.abc import Sequence
from typing import TypedDict, final

HASH_VERSION: int

class PathOptions(TypedDict):
    word_sorting: bool
    depth: int | None
    suffixes: int
    min_depth: int
    min_words: int
    mode: str
    idf: str
    log_base: float

@final
class Analyser:
    def __new__(
        cls,
        *,
        drop_stop_words: bool,
        drop_numbers: bool,
        stem: str,
        joiner: str,
        min_length: int,
    ) -> Analyser: ...
    @property
    def profile(self) -> str: ...
    def analyse(
        self,
        texts: Sequence[str],
        languages: Sequence[str | None],
        *,
        spans: bool = False,
        threads: int = 0,
    ) -> Analysed: ...

@final
class Analysed:
    @property
    def n_documents(self) -> int: ...
    @property
    def n_sentences(self) -> int: ...
    @property
    def n_words(self) -> int: ...
    @property
    def has_spans(self) -> bool: ...
    @property
    def languages(self) -> list[str]: ...
    @property
    def text_hashes(self) -> list[int]: ...
    def sentences(
        self, document: int
    ) -> list[tuple[tuple[int, int], list[tuple[tuple[int, int], str, bool, bool]]]]: ...

@final
class Statistics:
    def __new__(cls) -> Statistics: ...
    @staticmethod
    def from_terms(
        documents: int, terms: Sequence[str], frequencies: Sequence[int]
    ) -> Statistics: ...
    def add(self, analysed: Analysed, *, threads: int = 0) -> None: ...
    @property
    def documents(self) -> int: ...
    @property
    def n_terms(self) -> int: ...
    def frequency(self, term: str) -> int: ...
    def terms(self) -> tuple[list[str], list[int]]: ...

@final
class Features:
    def __new__(cls) -> Features: ...
    @staticmethod
    def from_columns(ends: bytes, keys: bytes, weights: bytes, counts: bytes) -> Features: ...
    def columns(self) -> tuple[bytes, bytes, bytes, bytes]: ...
    def append(self, other: Features) -> None: ...
    @property
    def n_documents(self) -> int: ...
    @property
    def n_features(self) -> int: ...
    def n_distinct_keys(self) -> int: ...

@final
class IdSet:
    def __new__(cls) -> IdSet: ...
    def add(self, id: str) -> bool: ...
    def __len__(self) -> int: ...

@final
class Collection:
    def __new__(cls) -> Collection: ...
    def add(
        self, ids: Sequence[str], published: Sequence[int | None], analysed: Analysed
    ) -> None: ...
    def id(self, document: int) -> str: ...
    def __len__(self) -> int: ...

@final
class Join:
    def __new__(
        cls,
        collection: Collection,
        features: Features,
        *,
        window: int | None = None,
        threads: int = 0,
    ) -> Join: ...
    @property
    def n_groups(self) -> int: ...
    @property
    def features_left_out(self) -> int: ...
    @property
    def documents_hidden(self) -> int: ...
    def frequent_keys(self, limit: int, *, threads: int = 0) -> bytes: ...
    def leave_out(self, keys: bytes) -> None: ...
    def run(self, *, floor: float, all_pairs: bool = False, threads: int = 0) -> Joined: ...

@final
class Joined:
    def columns(self) -> tuple[bytes, bytes, bytes, bytes, bytes, bytes]: ...
    @property
    def touched(self) -> int: ...
    def __len__(self) -> int: ...

def path_features(
    analysed: Analysed, statistics: Statistics, options: PathOptions, *, threads: int = 0
) -> Features: ...
def path_trace(
    analysed: Analysed, document: int, statistics: Statistics, options: PathOptions
) -> list[tuple[int, list[str], int, float]]: ...
def gram_features(
    analysed: Analysed,
    *,
    size: int,
    of: str = "words",
    sampling: str = "all",
    amount: int = 1,
    threads: int = 0,
) -> Features: ...
def gram_trace(
    analysed: Analysed,
    document: int,
    *,
    size: int,
    of: str = "words",
    sampling: str = "all",
    amount: int = 1,
) -> list[tuple[int, list[str], int]]: ...
def lexicon_features(
    analysed: Analysed,
    statistics: Statistics,
    *,
    skip: int,
    take: int,
    lexicons: int,
    share: float,
    seed: int,
    threads: int = 0,
) -> Features: ...
def lexicon_trace(
    analysed: Analysed,
    document: int,
    statistics: Statistics,
    *,
    skip: int,
    take: int,
    lexicons: int,
    share: float,
    seed: int,
) -> list[tuple[list[int], list[str], int]]: ...
def detect_language(text: str) -> str: ...
def languages() -> list[tuple[str, bool, bool]]: ...
def available_threads() -> int: ...
def _panic() -> None: ...
def _sleep(seconds: float) -> None: ...
