"""datasketch's MinHashLSHEnsemble: 128 permutations, containment 0.5, its 16 partitions."""

from collections.abc import Iterator

from datasketch import MinHash, MinHashLSHEnsemble

from benchmarks.peers.shingles import (
    PERMUTATIONS,
    SEED,
    THRESHOLD,
    arguments,
    shingles,
    texts,
    write_pairs,
)


def main() -> None:
    source, out = arguments()
    index = MinHashLSHEnsemble(threshold=THRESHOLD, num_perm=PERMUTATIONS)
    names: list[str] = []
    sizes: list[int] = []

    def sets() -> Iterator[list[bytes]]:
        for name, text in texts(source):
            if found := shingles(text):
                names.append(name)
                sizes.append(len(found))
                yield [shingle.encode() for shingle in found]

    hashes = list(MinHash.generator(sets(), num_perm=PERMUTATIONS, seed=SEED))
    index.index(list(zip(names, hashes, sizes, strict=True)))
    found = zip(names, map(index.query, hashes, sizes), strict=True)
    write_pairs(out, ((name, other) for name, others in found for other in others))


if __name__ == "__main__":
    main()
