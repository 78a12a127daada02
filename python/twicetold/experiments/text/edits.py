"""Edits a copyist makes: some words replaced, dropped or added, a passage put into another text."""

from random import Random

from twicetold.experiments.text.spans import sentences, word_spans

_MOST_KNOWN = 50_000
_REPLACED, _ADDED = 0.6, 0.2


class WordStock:
    """Different words met so far, at most 50,000, to draw replacements from."""

    def __init__(self) -> None:
        self._words: list[str] = []
        self._known: set[str] = set()

    def learn(self, text: str) -> None:
        """Remember the words of a text until the stock is full."""
        if len(self._words) < _MOST_KNOWN:
            for start, end in word_spans(text):
                word = text[start:end]
                if word not in self._known:
                    self._known.add(word)
                    self._words.append(word)

    def draw(self, rng: Random, other_than: str) -> str:
        """Return a word of the stock that is not the given one."""
        while (word := self._words[int(rng.random() * len(self._words))]) == other_than:
            pass
        return word


def change_words(text: str, share: float, stock: WordStock, rng: Random) -> str:
    """Change a share of the words: of ten, six are replaced, two dropped, two added before."""
    spans = word_spans(text)
    n_changes = max(1, round(share * len(spans)))
    parts = []
    last = 0
    for place in sorted(rng.sample(range(len(spans)), n_changes)):
        start, end = spans[place]
        word = text[start:end]
        parts.append(text[last:start])
        action = rng.random()
        if action < _REPLACED:
            parts.append(stock.draw(rng, word))
        elif action < _REPLACED + _ADDED:
            parts.append(f"{stock.draw(rng, word)} {word}")
        last = end
    parts.append(text[last:])
    return "".join(parts)


def insert(passage: str, host: str, gap: str, rng: Random) -> str:
    """Put a passage between two sentences of another text, with a gap around it."""
    starts = [span.start for span in sentences(host)] or [0]
    at = starts[int(rng.random() * len(starts))]
    before = host[:at].rstrip()
    return f"{before}{gap}{passage}{gap}{host[at:]}" if before else f"{passage}{gap}{host}"


def change_sentences(text: str, share: float, other: str, rng: Random) -> str:
    """Change a share of the sentences: each is replaced, dropped, or has another one before it.

    Foreign sentences come from the other text.
    """
    spans, foreign = sentences(text), sentences(other)
    n_changes = min(max(1, round(share * len(spans))), len(spans))
    places = set(rng.sample(range(len(spans)), n_changes))
    parts = []
    for n, (start, end) in enumerate(spans):
        sentence = text[start:end]
        if n not in places:
            parts.append(sentence)
            continue
        action = rng.random()
        if action < _REPLACED + _ADDED and foreign:
            a, b = rng.choice(foreign)
            parts.append(other[a:b])
        if _REPLACED <= action < _REPLACED + _ADDED:
            parts.append(sentence)
    return " ".join(parts)
