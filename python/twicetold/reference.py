"""Statistics for a start with nothing: document frequencies computed from word frequencies.

`wordfreq` knows how often a word occurs among all words of a language, not in how many documents.
If words fell independently, a document of L words would hold a word of frequency f with the
probability ``1 - (1 - f)^L``; that is what is used here, for documents of the length of a news
story. Words that become the same term are united. Real words clump, so frequencies of topical
words are too high by a factor that hardly changes their order; where a sample of the collection
can be had, count that instead.
"""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any

from twicetold.analysis import Analyser, Profile, profile_of
from twicetold.errors import ParameterError
from twicetold.extras import missing_extra
from twicetold.statistics import Statistics

__all__ = [
    "REFERENCE_DOCUMENTS",
    "reference_languages",
    "reference_origin",
    "reference_statistics",
]

#: How many documents the reference speaks of.
REFERENCE_DOCUMENTS = 1_000_000

#: How many words a document of the reference has.
REFERENCE_WORDS = 400

#: Where `wordfreq` has another code for a language than the analysis.
_OTHER_CODES = {"no": "nb", "tl": "fil", "hr": "sh", "sr": "sh", "bs": "sh"}


def reference_languages() -> tuple[str, ...]:
    """Return the codes of the languages there is a reference for."""
    wordfreq = _wordfreq()
    return tuple(sorted(wordfreq.available_languages("best")))


def reference_statistics(
    language: str, /, *, profile: Profile | str = "retelling-scan"
) -> Statistics:
    """Return reference statistics of a language under a profile.

    Needs the extra ``reference``: ``pip install 'wordfreq[cjk]'``.
    """
    wordfreq = _wordfreq()
    known = reference_languages()
    code = _OTHER_CODES.get(language, language)
    if code not in known:
        msg = f"no reference for {language!r}; there is one for {', '.join(known)}"
        raise ParameterError(msg)
    frequencies = wordfreq.get_frequency_dict(code, "best")
    profile = profile_of(profile)
    return Statistics.from_terms(
        profile,
        REFERENCE_DOCUMENTS,
        _document_frequencies(frequencies, language, profile),
        origin=reference_origin(language),
    )


def reference_origin(language: str) -> str:
    """Return what statistics of a language say of where they come from."""
    return f"reference of {language} from wordfreq"


def _document_frequencies(
    frequencies: dict[str, float], language: str, profile: Profile
) -> dict[str, int]:
    words = list(frequencies)
    analysed = Analyser(profile).analyse(words, languages=[language] * len(words), spans=True)
    absent: defaultdict[str, float] = defaultdict(float)
    for n, word in enumerate(words):
        log_absent = REFERENCE_WORDS * math.log1p(-frequencies[word])
        for _, found in analysed.sentences(n):
            for _, term, _, _ in found:
                absent[term] += log_absent
    return {
        term: max(round(-math.expm1(log) * REFERENCE_DOCUMENTS), 1) for term, log in absent.items()
    }


def _wordfreq() -> Any:
    try:
        import wordfreq
    except ImportError as error:
        raise missing_extra(need="reference statistics need wordfreq", extra="reference") from error
    return wordfreq
