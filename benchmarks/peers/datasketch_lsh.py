"""datasketch's MinHashLSH: 128 permutations, Jaccard 0.5, bulk hashing, an insertion session."""

from collections.abc import Iterator

from datasketch import MinHash, MinHashLSH

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
    index = MinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS)
    names: list[str] = []

    def sets() -> Iterator[list[bytes]]:
        for name, text in texts(source):
            if found := shingles(text):
                names.append(name)
                yield [shingle.encode() for shingle in found]

    hashes = list(MinHash.generator(sets(), num_perm=PERMUTATIONS, seed=SEED))
    with index.insertion_session() as session:
        for name, minhash in zip(names, hashes, strict=True):
            session.insert(name, minhash)
    found = zip(names, map(index.query, hashes), strict=True)
    write_pairs(out, ((name, other) for name, others in found for other in others))


if __name__ == "__main__":
    main()
