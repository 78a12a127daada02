"""From text to sentences of terms: the profiles, and the analyser that applies them.

Sentences, words, stop words and stems are found in the kernel; this module names the choices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Literal, get_args, get_origin, get_type_hints

from twicetold import _kernel
from twicetold.errors import ParameterError
from twicetold.records import Sentence, Span, Word

__all__ = [
    "PROFILES",
    "Analysed",
    "Analyser",
    "Profile",
    "analyse",
    "detect_language",
    "profile_of",
]

Analysed = _kernel.Analysed


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """How words become terms.

    ``stop_words``  drop the language's stop words from the terms, or keep them
    ``numbers``     keep or drop words without a letter
    ``stem``        ``none``, ``first5`` (the first five characters) or ``snowball``
    ``joiner``      an apostrophe inside a word: ``keep`` it (and cut at hyphens), ``split`` at
                    both, or ``delete`` both
    ``min_length``  drop terms with fewer characters
    ``longest``     cut sentences of more words into pieces; None: leave them as they are

    Case is folded and Unicode normalised (NFKC) always, as the language asks (Turkish ``I``).
    """

    stop_words: Literal["drop", "keep"] = "drop"
    numbers: Literal["keep", "drop"] = "keep"
    stem: Literal["none", "first5", "snowball"] = "snowball"
    joiner: Literal["keep", "split", "delete"] = "keep"
    min_length: int = 1
    longest: int | None = None

    def __post_init__(self) -> None:
        for name, choices in _choices().items():
            value = getattr(self, name)
            if value not in choices:
                msg = f"{name} must be {' or '.join(choices)}, got {value!r}"
                raise ParameterError(msg)
        if self.min_length < 1:
            msg = f"min_length must be at least 1, got {self.min_length!r}"
            raise ParameterError(msg)
        if self.longest is not None and self.longest < 1:
            msg = f"longest must be at least 1, got {self.longest!r}"
            raise ParameterError(msg)

    def __str__(self) -> str:
        """Return the canonical form, which is part of every stored version."""
        return Analyser(self).canonical


@cache
def _choices() -> dict[str, tuple[str, ...]]:
    """Return the fields of a profile that have few values, and these."""
    hints = get_type_hints(Profile).items()
    return {name: get_args(hint) for name, hint in hints if get_origin(hint) is Literal}


#: The analysis of each paper, by the name of its method.
PROFILES: Mapping[str, Profile] = MappingProxyType(
    {
        "default": Profile(),
        "plain": Profile(stop_words="keep", stem="none"),
        "codet": Profile(stem="first5"),
        "qsign": Profile(stem="none"),
        "sentence-svm": Profile(stem="none"),
        "fuzzy-set": Profile(numbers="drop", joiner="delete"),
        "retelling": Profile(stop_words="keep"),
        "retelling-scan": Profile(longest=60),
    }
)


def profile_of(profile: Profile | str, /) -> Profile:
    """Return a profile, or the one with that name."""
    if isinstance(profile, Profile):
        return profile
    if profile not in PROFILES:
        msg = f"no profile {profile!r}; there are {', '.join(PROFILES)}"
        raise ParameterError(msg)
    return PROFILES[profile]


class Analyser:
    """Analyses batches of texts under one profile; each distinct word is stemmed once.

    >>> analysed = Analyser(PROFILES["codet"]).analyse(["Shares lose 2%."], languages=["en"])
    >>> analysed.n_sentences, analysed.n_words
    (1, 3)
    """

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self._kernel = _kernel.Analyser(
            drop_stop_words=profile.stop_words == "drop",
            drop_numbers=profile.numbers == "drop",
            stem=profile.stem,
            joiner=profile.joiner,
            min_length=profile.min_length,
            longest=profile.longest,
        )

    def beside(self) -> Analyser:
        """Return an analyser for single texts that has the terms of words from this one."""
        return self._with(self._kernel.beside())

    def renewed(self, analysed: Analysed) -> Analyser:
        """Return an analyser that knows the words of these documents, and no others.

        They were analysed by one with the same profile.
        """
        return self._with(self._kernel.renewed(analysed))

    def _with(self, kernel: _kernel.Analyser) -> Analyser:
        analyser = object.__new__(Analyser)
        analyser.profile, analyser._kernel = self.profile, kernel
        return analyser

    @property
    def native(self) -> _kernel.Analyser:
        """The analyser as the kernel holds it."""
        return self._kernel

    @property
    def canonical(self) -> str:
        """The canonical form of the profile."""
        return self._kernel.profile

    def analyse(
        self,
        texts: Sequence[str],
        *,
        languages: Sequence[str | None] | None = None,
        spans: bool = False,
        threads: int = 0,
    ) -> Analysed:
        """Analyse texts; a language that is ``None`` is detected.

        ``spans`` keeps the code points of sentences and words, which costs memory.
        """
        codes = list(languages) if languages is not None else [None] * len(texts)
        return self._kernel.analyse(list(texts), codes, spans=spans, threads=threads)

    def analyse_batch(
        self,
        batch: _kernel.Documents,
        *,
        language: str | None = None,
        spans: bool = False,
        threads: int = 0,
    ) -> Analysed:
        """Analyse a batch of documents; ``language`` is that of all of them if it is given.

        ``spans`` keeps the code points of sentences.
        """
        return self._kernel.analyse_documents(
            batch, language=language, spans=spans, threads=threads
        )


def analyse(
    text: str, /, *, profile: Profile | str = "default", language: str | None = None
) -> list[Sentence]:
    """Return the sentences of a text, with the terms their words become.

    >>> for sentence in analyse("Cats ran. The dog slept!", language="en"):
    ...     print(sentence.span, [word.term for word in sentence if not word.is_stop])
    Span(start=0, end=9) ['cat', 'ran']
    Span(start=10, end=24) ['dog', 'slept']
    """
    analysed = Analyser(profile_of(profile)).analyse([text], languages=[language], spans=True)
    return sentences_of(analysed, 0, text)


def sentences_of(analysed: Analysed, document: int, text: str) -> list[Sentence]:
    """Return the sentences of one document of a batch that was analysed with spans."""
    return [
        Sentence(
            Span(*span),
            tuple(
                Word(Span(*at), text[at[0] : at[1]], term, is_stop)
                for at, term, is_stop, _ in words
            ),
        )
        for span, words in analysed.sentences(document)
    ]


def detect_language(text: str, /) -> str:
    """Return the code of the language a text is in, ``und`` if it cannot be told.

    >>> detect_language("Belediye köprünün onarımı için daha çok para ödemeyeceğini söyledi ve bu")
    'tr'
    """
    return _kernel.detect_language(text)
