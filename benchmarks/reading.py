"""One reader of an index: searches until its standard input ends, then says how long each took.

It asks so many times a second: readers that never pause measure how many of them share a core. Each
question has the documents that were found before; they are to be found every time.
"""

import os
import select
import sys
import time
from pathlib import Path

import orjson

from benchmarks import jsonl
from benchmarks.index import others
from twicetold import Document
from twicetold.errors import TwicetoldError
from twicetold.index import Index


def main() -> None:
    """Search an index for the questions of a file, so many times a second: three arguments."""
    path, questions, a_second = sys.argv[1:]
    asking = [
        (Document(id=row["id"], text=row["text"]), set(row["expected"]))
        for row in jsonl.read(Path(questions))
    ]
    pause = 1 / float(a_second)
    searches: list[float] = []
    errors: list[str] = []
    with Index.open(path, threads=1) as opened:
        n = os.getpid()  # not all begin with the same question
        due = time.perf_counter() + pause * (n % 16) / 16
        while not select.select([sys.stdin], [], [], max(due - time.perf_counter(), 0))[0]:
            document, expected = asking[n % len(asking)]
            n += 1
            # From when it was due, not from when it began: who waits has asked.
            start, due = due, due + pause
            try:
                found = others(opened, document)
            except TwicetoldError as error:
                errors.append(str(error))
            else:
                searches.append(1e3 * (time.perf_counter() - start))
                if not expected <= found:
                    errors.append(f"{document.id}: lost {sorted(expected - found)}")
    sys.stdout.buffer.write(orjson.dumps({"searches": searches, "errors": errors}))


if __name__ == "__main__":
    main()
