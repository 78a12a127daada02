"""What a run found, in words."""

from __future__ import annotations

from twicetold.pairs import Pairs

__all__ = ["count_of", "found_lines"]


def found_lines(pairs: Pairs, *, bytes_read: int) -> list[str]:
    """Say how many pairs were found, among what, and how fast."""
    counts, parameters = pairs.manifest.counts, pairs.manifest.parameters
    documents = counts.get("documents", 0)
    if len(pairs):
        relations = ", ".join(f"{n:,} {relation}" for relation, n in pairs.count().items())
        found = f"{count_of(len(pairs), 'pair')}: {relations}"
    elif documents > 1:
        found = f"no pairs: nothing reaches the threshold of {parameters.get('threshold')}; "
        found += "a smaller one finds more, --floor shows weaker pairs"
    else:
        found = "no pairs: it takes two documents to find one"
    seconds = sum(pairs.manifest.seconds.values())
    sizes = [count_of(documents, "document"), count_of(counts.get("sentences", 0), "sentence")]
    if bytes_read:
        sizes.append(f"{bytes_read / 1e6:,.1f} MB")
    speed = f" ({bytes_read / 1e6 / seconds:,.1f} MB/s)" if bytes_read and seconds else ""
    return [found, f"{', '.join(sizes)} in {seconds:,.1f} s{speed}"]


def count_of(n: int, noun: str) -> str:
    """Write a number with its noun.

    >>> count_of(1, "pair"), count_of(1086, "pair")
    ('1 pair', '1,086 pairs')
    """
    return f"{n:,} {noun}{'s' * (n != 1)}"
