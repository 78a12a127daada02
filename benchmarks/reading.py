"""One reader of an index: searches until its standard input ends, then says how long each took.

Each question has the documents that were found before; they are to be found every time.
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
    """Search the index that is given first for the questions in the file that is given then."""
    path, questions = sys.argv[1:]
    asking = [
        (Document(id=row["id"], text=row["text"]), set(row["expected"]))
        for row in jsonl.read(Path(questions))
    ]
    searches: list[float] = []
    errors: list[str] = []
    with Index.open(path, threads=1) as opened:
        n = os.getpid()  # not all begin with the same question
        while not select.select([sys.stdin], [], [], 0)[0]:
            document, expected = asking[n % len(asking)]
            n += 1
            start = time.perf_counter()
            try:
                found = others(opened, document)
            except TwicetoldError as error:
                errors.append(str(error))
                continue
            searches.append(1e3 * (time.perf_counter() - start))
            if not expected <= found:
                errors.append(f"{document.id}: lost {sorted(expected - found)}")
    sys.stdout.buffer.write(orjson.dumps({"searches": searches, "errors": errors}))


if __name__ == "__main__":
    main()
