"""What a run found, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from twicetold.pairs import Pairs
from twicetold.records import Span

__all__ = ["boilerplate_line", "count_of", "found_lines", "size_of"]


def found_lines(pairs: Pairs, *, bytes_read: int) -> list[str]:
    """Say how many pairs were found, among what, and how fast."""
    counts, parameters = pairs.manifest.counts, pairs.manifest.parameters
    documents = counts.get("documents", 0)
    if len(pairs):
        relations = ", ".join(f"{n:,} {relation}" for relation, n in pairs.count().items())
        found = f"{count_of(len(pairs), 'pair')}: {relations}"
    elif documents > 1 and not parameters.get("threshold"):
        found = f"no pairs: nothing is as near as {parameters.get('method')} asks for"
    elif documents > 1:
        found = f"no pairs: nothing reaches the threshold of {parameters['threshold']}; "
        found += "a smaller one finds more, --floor shows weaker pairs"
    else:
        found = "no pairs: it takes two documents to find one"
    lines = [found, *_across(counts)]
    seconds = sum(pairs.manifest.seconds.values())
    sizes = [count_of(documents, "document"), count_of(counts.get("sentences", 0), "sentence")]
    if bytes_read:
        sizes.append(size_of(bytes_read))
    speed = f" ({size_of(bytes_read / seconds)}/s)" if bytes_read and seconds else ""
    if n := counts.get("pairs of the same form", 0):
        same = f"{count_of(n, 'pair')} of the same form with other facts: --same-form shows them"
        lines.append(same)
    return [*lines, f"{', '.join(sizes)} in {seconds:,.1f} s{speed}", *_limits(pairs)]


def _across(counts: Mapping[str, int]) -> Iterator[str]:
    """Say how many documents of two collections have to do with each other."""
    if (n := counts.get("documents against")) is None:
        return
    paired, others = counts["documents in pairs"], counts["documents against in pairs"]
    here = f"{paired:,} of {count_of(counts.get('documents', 0) - n, 'document')}"
    yield f"{here} share text with {others:,} of {n:,} of --against"


def _limits(pairs: Pairs) -> Iterator[str]:
    """Say what the run did not look at, and why."""
    counts, parameters = pairs.manifest.counts, pairs.manifest.parameters
    if n := counts.get("frequent keys", 0):
        limits = [f"{parameters['max_key_documents']:,} different documents"]
        if (sentences := parameters.get("max_key_sentences")) is not None:
            limits.insert(0, f"{sentences:,} different sentences")
        why = f"more than {' or '.join(limits)} have each"
        if parameters["statistics"] != "collection":
            why = "the statistics say so"
        yield f"{count_of(n, 'frequent key')} left out of the join: {why}"
    if parameters.get("pinned_keys") is False:
        yield unknown_frequent(parameters["method"])
    if n := counts.get("documents hidden", 0):
        lost = f"{count_of(n, 'document')} lost more than half of their weight that way"
        yield f"{lost}; a larger --max-key-documents compares them"
    if parameters.get("window") is not None and (n := counts.get("undated", 0)):
        yield f"{count_of(n, 'document')} without a date: the window does not hold for them"


def unknown_frequent(method: str) -> str:
    """Say that statistics do not know what is too frequent, and what would."""
    build = f"`twicetold statistics build --method {method}` finds them"
    return f"the statistics know no frequent keys of {method}, none is left out; {build}"


def count_of(n: int, noun: str) -> str:
    """Write a number with its noun.

    >>> count_of(1, "pair"), count_of(1086, "pair")
    ('1 pair', '1,086 pairs')
    """
    return f"{n:,} {noun}{'s' * (n != 1)}"


def boilerplate_line(spans: Sequence[Span], name: str) -> str:
    """Say how much of a page was left out."""
    size = count_of(sum(span.end - span.start for span in spans), "character")
    blocks = f"{count_of(len(spans), 'block')} of {name} ({size})"
    return f"{blocks} left out: its site has them on other pages, too"


def size_of(n_bytes: float) -> str:
    """Write a number of bytes.

    >>> size_of(9), size_of(4_200), size_of(43_448_595), size_of(2.5e9)
    ('9 B', '4 kB', '43.4 MB', '2.5 GB')
    """
    for unit, size in (("GB", 1e9), ("MB", 1e6)):
        if n_bytes >= size:
            return f"{n_bytes / size:,.1f} {unit}"
    return f"{n_bytes / 1e3:.0f} kB" if n_bytes >= 1e3 else f"{n_bytes:.0f} B"  # noqa: PLR2004
