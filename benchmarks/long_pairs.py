"""How the time of two long documents grows with their length, by what the two have in common."""

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

from benchmarks import jsonl
from benchmarks.runner import MEGABYTE, Command, Measured, measure
from benchmarks.table import exponent, figure, table
from benchmarks.tools import twicetold
from twicetold.experiments.text.words import FUNCTION_WORDS, invented

MOST_EXPONENT = 1.1
_HEAD, _TAIL = 12_000, 100_000
#: Shares of words: changed by an edit, function words, frequent ones among the others.
_CHANGED, _FUNCTION, _FREQUENT = 0.1, 0.46, 0.9
#: Letters of scripts without blanks between words: common ones come first.
_THAI = [chr(code) for code in range(0x0E01, 0x0E2F)]
_CHINESE = [chr(code) for code in range(0x4E00, 0x4E00 + 3000)]

Texts = Callable[[int, Random], tuple[str, str]]


def repeated(n: int, rng: Random) -> tuple[str, str]:
    """Return one sentence n times, twice over."""
    del rng
    sentence = "The council of the town met on Monday night to talk about the dam and the river. "
    return sentence * n, sentence * (n - 1)


def refrains(n: int, rng: Random) -> tuple[str, str]:
    """Return sentences of their own, between which a few others come again and again."""
    few = _sentences(4, rng)
    one, other = (
        [few[k % 4] if k % 2 else s for k, s in enumerate(_sentences(n, rng))] for _ in "ab"
    )
    return " ".join(one), " ".join(other)


def ordinary(n: int, rng: Random) -> tuple[str, str]:
    """Return two texts with common words and no sentence in common."""
    return " ".join(_sentences(n, rng)), " ".join(_sentences(n, rng))


def edited(n: int, rng: Random) -> tuple[str, str]:
    """Return a text, and the same with a tenth of its words changed."""
    text = " ".join(_sentences(n, rng))
    words = [_word(rng) if rng.random() < _CHANGED else word for word in text.split(" ")]
    return text, " ".join(words)


def two_words(n: int, rng: Random) -> tuple[str, str]:
    """Return sentences all of which have the same two words, and others of their own."""

    def sentence() -> str:
        own = " ".join(invented(rng.randrange(20_000, 10_000_000)) for _ in range(8))
        return f"Quarterly {own} dividend."

    return " ".join(sentence() for _ in range(n)), " ".join(sentence() for _ in range(n))


def few_words(n: int, rng: Random) -> tuple[str, str]:
    """Return sentences of a few hundred words: a window has most of any sentence's words."""

    def sentence() -> str:
        own = " ".join(invented(int(400 * rng.random() ** 2)) for _ in range(5))
        return f"Quarterly {own} dividend."

    return " ".join(sentence() for _ in range(n)), " ".join(sentence() for _ in range(n))


def thai(n: int, rng: Random) -> tuple[str, str]:
    """Return a text of Thai letters, and the same with a tenth of them changed."""
    return _letters(n, rng, _THAI, " ")


def chinese(n: int, rng: Random) -> tuple[str, str]:
    """Return a text of Chinese letters, and the same with a tenth of them changed."""
    return _letters(n, rng, _CHINESE, "。")


def _letters(n: int, rng: Random, letters: Sequence[str], end: str) -> tuple[str, str]:
    def letter() -> str:
        return letters[int(len(letters) * rng.random() ** 3)]

    own = [[letter() for _ in range(30)] for _ in range(n)]
    changed = [
        [letter() if rng.random() < _CHANGED else known for known in sentence] for sentence in own
    ]
    one, other = ("".join("".join(sentence) + end for sentence in text) for text in (own, changed))
    return one, other


def _sentences(n: int, rng: Random) -> list[str]:
    return [
        " ".join(_word(rng) for _ in range(rng.randrange(8, 24))).title() + "." for _ in range(n)
    ]


def _word(rng: Random) -> str:
    if rng.random() < _FUNCTION:
        return FUNCTION_WORDS[int(len(FUNCTION_WORDS) * rng.random() ** 2)]
    return invented(int(_HEAD * rng.random() ** 2) + (0 if rng.random() < _FREQUENT else _TAIL))


#: What is measured: the kind of texts, the command, and how many sentences the first pair has.
ROWS: tuple[tuple[Texts, str, int], ...] = (
    (repeated, "scan", 25_000),
    (refrains, "scan", 25_000),
    (ordinary, "scan", 25_000),
    (edited, "scan", 25_000),
    (thai, "scan", 25_000),
    (chinese, "scan", 25_000),
    (two_words, "scan", 5_000),
    (few_words, "scan", 5_000),
    (repeated, "compare", 1_500),
    (refrains, "compare", 1_500),
)
#: Each pair is twice as long as the one before.
DOUBLINGS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One kind of pair, and a run of one command for each size."""

    texts: str
    command: str
    sizes: list[int]
    megabytes: list[float]
    runs: list[Measured]

    @property
    def exponent(self) -> float | None:
        """The power of length that processor time grows by."""
        if any(run.code != 0 for run in self.runs):
            return None
        return exponent(self.sizes, [run.cpu for run in self.runs])

    @property
    def cells(self) -> list[str]:
        """The row of the table."""
        power = self.exponent
        return [
            self.texts.replace("_", " "),
            self.command,
            f"{self.sizes[0]:,}",
            f"{self.megabytes[-1]:.1f}",
            *(figure(run.cpu) if run.code == 0 else "stopped" for run in self.runs),
            "-" if power is None else f"{power:.2f}",
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class LongPairs:
    """How commands grow with the length of two documents."""

    rows: list[Row]

    def __str__(self) -> str:
        columns = ["texts", "command", "sentences", "MB of 8 n", "n", "2 n", "4 n", "8 n", "power"]
        note = f"- processor seconds; wanted: at most the power {MOST_EXPONENT} of length"
        cells = table(columns, [row.cells for row in self.rows])
        return f"Long pairs\n\n{cells}\n\n{note}"

    def to_json(self) -> dict[str, Any]:
        rows = [{**asdict(row), "exponent": row.exponent} for row in self.rows]
        return {"title": "Long pairs", "rows": rows}


def long_pairs(
    *, kinds: Sequence[str] = (), seed: int = 1, limit: float = 600, repeat: int = 1
) -> LongPairs:
    """Run each command on pairs of documents that are made as long as it says."""
    rows = [row for row in ROWS if not kinds or row[0].__name__ in kinds]
    with tempfile.TemporaryDirectory(prefix="twicetold-bench-") as folder:
        return LongPairs(
            rows=[_row(Path(folder), *row, seed=seed, limit=limit, repeat=repeat) for row in rows]
        )


def _row(
    folder: Path, texts: Texts, command: str, first: int, *, seed: int, limit: float, repeat: int
) -> Row:
    sizes = [first << n for n in range(DOUBLINGS + 1)]
    megabytes, runs = [], []
    for size in sizes:
        both = texts(size, Random(seed))
        megabytes.append(sum(len(text.encode()) for text in both) / MEGABYTE)
        runs.append(measure(_command(folder, command, both), limit=limit, repeat=repeat))
    return Row(texts=texts.__name__, command=command, sizes=sizes, megabytes=megabytes, runs=runs)


def _command(folder: Path, command: str, both: tuple[str, str]) -> Command:
    program = twicetold()
    if program is None:
        msg = "twicetold is not installed; run `pip install .`"
        raise SystemExit(msg)
    if command == "scan":
        source = folder / "pair.jsonl"
        jsonl.write(
            source, ({"id": name, "text": text} for name, text in zip("ab", both, strict=True))
        )
        return Command(
            arguments=[program, "scan", str(source), "-q", "-o", str(folder / "out.jsonl")]
        )
    files = [folder / f"{name}.txt" for name in "ab"]
    for file, text in zip(files, both, strict=True):
        file.write_text(text, encoding="utf-8")
    return Command(arguments=[program, "compare", *map(str, files), "-q"])
