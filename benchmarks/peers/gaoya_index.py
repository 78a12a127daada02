"""gaoya's MinHashStringIndex: its own word 3-grams, 128 hashes, Jaccard 0.5, all cores."""

from gaoya.minhash import MinHashStringIndex

from benchmarks.peers.shingles import PERMUTATIONS, THRESHOLD, arguments, texts, write_pairs


def main() -> None:
    source, out = arguments()
    index = MinHashStringIndex(
        hash_size=32,
        jaccard_threshold=THRESHOLD,
        num_bands=None,
        band_size=None,
        num_hashes=PERMUTATIONS,
        analyzer="word",
        lowercase=True,
        ngram_range=(3, 3),
    )
    names, documents = map(list, zip(*texts(source), strict=True))
    index.par_bulk_insert_docs(list(range(len(names))), documents)
    found = enumerate(index.par_bulk_query(documents))
    write_pairs(out, ((names[n], names[other]) for n, others in found for other in others))


if __name__ == "__main__":
    main()
