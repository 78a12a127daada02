"""rensa's full-set R-MinHash with its LSH: 128 permutations in 32 bands, candidates checked."""

from rensa import RMinHash, RMinHashLSH

from benchmarks.peers.shingles import (
    PERMUTATIONS,
    SEED,
    THRESHOLD,
    arguments,
    shingles,
    texts,
    write_pairs,
)

_BANDS = 32
_BATCH = 1_000


def main() -> None:
    source, out = arguments()
    index = RMinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS, num_bands=_BANDS)
    names: list[str] = []
    hashes: list[RMinHash] = []
    batch: list[set[str]] = []
    for name, text in texts(source):
        names.append(name)
        batch.append(shingles(text))
        if len(batch) == _BATCH:
            hashes += RMinHash.from_token_sets(batch, num_perm=PERMUTATIONS, seed=SEED)
            batch = []
    hashes += RMinHash.from_token_sets(batch, num_perm=PERMUTATIONS, seed=SEED)
    index.insert_many(hashes)
    pairs = (
        (names[place], names[other])
        for place, others in enumerate(index.query_all(hashes))
        for other in others
        if other > place and hashes[place].jaccard(hashes[other]) >= THRESHOLD
    )
    write_pairs(out, pairs)


if __name__ == "__main__":
    main()
