"""sim_text (Debian's similarity-tester): each document a file, percentages of shared text.

``-p -a -u`` is what its manual advises for many files; ``-e``, every file against every other in
isolation, is quadratic and does not end on 10,000 documents in any sensible time. ``-t 1`` has it
report from 1 % on, so that a quoted sentence counts as found. Reading the files is measured,
writing them is not.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from benchmarks.peers.shingles import texts
from benchmarks.runner import Command

_LINE = re.compile(r"(\d+)\.txt consists for \d+ % of \S*?(\d+)\.txt material")


def prepare(source: Path, work: Path) -> Command:
    """Write each document to a file and return the command that compares them all."""
    folder = work / "documents"
    folder.mkdir()
    with (work / "names").open("w") as names:
        for number, (_, text) in enumerate(texts(source)):
            path = folder / f"{number}.txt"
            path.write_text(text, encoding="utf-8", errors="replace")
            names.write(f"{path}\n")
    options = ["-p", "-a", "-u", "-T", "-t", "1", "-i", "-o", str(work / "out")]
    return Command(arguments=["sim_text", *options], stdin=work / "names")


def pairs(source: Path, work: Path) -> Iterator[tuple[str, str]]:
    """Yield the pairs it reported, numbers turned into ids."""
    ids = [name for name, _ in texts(source)]
    with (work / "out").open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if match := _LINE.search(line):
                yield ids[int(match[1])], ids[int(match[2])]
