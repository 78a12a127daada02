"""Words that are related in English, by a table that comes as a package.

`wordllama` brings vectors of 32,000 pieces of words, learned so that texts of one meaning have
vectors of one direction; nothing is computed by a network. How related two words are is the cosine
of their vectors::

    v(word)  = the vector of the word, else the mean of those of its pieces
    c(i, j)  = cos(v(i), v(j)), from a floor on

A term has the mean of the vectors of the words that become it. Only the two files of the package
are read: its code would configure logging, and look for them on the network.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from twicetold.analysis import Analyser, Profile
from twicetold.correlations import Correlations
from twicetold.errors import MissingExtraError
from twicetold.extras import missing_extra
from twicetold.statistics import Statistics

if TYPE_CHECKING:
    import numpy as np

__all__ = ["LEAST", "MOST_WORDS", "Relating", "has_table"]

#: Smaller cosines say nothing.
LEAST = 0.2
#: Only so many words, the most frequent ones, are related: each is compared with all.
MOST_WORDS = 30_000
#: More pairs than this would take more than 2 GB while they are put in order.
MAX_PAIRS = 20_000_000

_VECTORS = Path("weights") / "l2_supercat_256.safetensors"
_PIECES = Path("tokenizers") / "l2_supercat_tokenizer_config.json"
#: What a piece that begins a word begins with.
_START = "\N{LOWER ONE EIGHTH BLOCK}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Relating:
    """Which words of a collection are related, by the table.

    ``floor``: the smallest cosine that is kept, at least `LEAST`.
    """

    floor: float = LEAST

    @property
    def form(self) -> str:
        """The canonical form: equal forms relate the same."""
        return f"wordllama floor={max(self.floor, LEAST):g}"

    def relate(self, statistics: Statistics, *, threads: int = 0) -> Correlations:
        """Return how related the words of a collection are.

        Needs the extra ``words``: ``pip install numpy safetensors tokenizers wordllama``.
        """
        words = _frequent(statistics)
        vectors = _Table().vectors(words, statistics.profile)
        return Correlations.of_vectors(
            words,
            vectors.astype("<f4").tobytes(),
            floor=max(self.floor, LEAST),
            max_pairs=MAX_PAIRS,
            threads=threads,
        )


def has_table() -> bool:
    """Return whether the table is installed."""
    try:
        _folder(), _readers()
    except MissingExtraError:
        return False
    return True


def _frequent(statistics: Statistics) -> list[str]:
    """Return the most frequent terms that are words, in the order of their names."""
    rows = zip(*statistics.native.terms(), strict=True)
    words = sorted((-n, term) for term, n in rows if term.isalpha())
    return sorted(term for _, term in words[:MOST_WORDS])


class _Table:
    """Vectors of pieces of words."""

    def __init__(self) -> None:
        vectors, pieces = (_folder() / name for name in (_VECTORS, _PIECES))
        load_file, tokenizer = _readers()
        self._vectors: np.ndarray[Any, Any] = load_file(vectors)["embedding.weight"]
        self._pieces = tokenizer.from_file(str(pieces))

    def vectors(self, terms: list[str], profile: Profile) -> np.ndarray[Any, Any]:
        """Return the vectors of terms, a row each."""
        import numpy as np

        known = self._whole_words(profile)
        spelled = self._pieces.encode_batch(terms, add_special_tokens=False)
        rows = np.zeros((len(terms), self._vectors.shape[1]), np.float32)
        for n, (term, found) in enumerate(zip(terms, spelled, strict=True)):
            pieces = known.get(term) or found.ids
            if pieces:
                rows[n] = np.mean(self._vectors[pieces], axis=0, dtype=np.float32)
        return rows

    def _whole_words(self, profile: Profile) -> dict[str, list[int]]:
        """Return the pieces that are whole words, by the term that they become."""
        vocabulary: dict[str, int] = self._pieces.get_vocab()
        whole = sorted(
            (piece[1:], number)
            for piece, number in vocabulary.items()
            if piece.startswith(_START) and piece[1:].isalpha() and len(piece) > len(_START) + 1
        )
        texts = [word.lower() for word, _ in whole]
        analysed = Analyser(profile).analyse(texts, languages=["en"] * len(texts), spans=True)
        found: defaultdict[str, list[int]] = defaultdict(list)
        for n, (_, number) in enumerate(whole):
            for _, words in analysed.sentences(n):
                for _, term, _, is_dropped in words:
                    if not is_dropped:
                        found[term].append(number)
        return dict(found)


def _readers() -> Any:
    """Return what reads vectors, and what reads pieces."""
    try:
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer
    except ImportError as error:
        raise _missing() from error
    return load_file, Tokenizer


def _folder() -> Path:
    """Return where the package is, without importing it."""
    spec = find_spec("wordllama")
    folder = None if spec is None else next(iter(spec.submodule_search_locations or ()), None)
    if folder is None or not all((Path(folder) / name).is_file() for name in (_VECTORS, _PIECES)):
        raise _missing()
    return Path(folder)


def _missing() -> MissingExtraError:
    return missing_extra(
        need="words related by a table need wordllama with its vectors", extra="words"
    )
