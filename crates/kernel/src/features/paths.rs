//! The root paths of CoDet's corpus tree.
//!
//! Varol, Can, Aykanat, Kaya: "CoDet: Sentence-based Containment Detection in News Corpora",
//! CIKM 2011, section 3. Inserting a sentence `w1 … wn` into the tree visits the nodes
//! `(w1)`, `(w1 w2)`, …; node `k` adds `k · idf(wk)` to the similarity with every document that
//! was there before. A node is its path, so the tree is a join on the hashes of paths.

use std::sync::Arc;

use super::collect::collect;
use super::rarest::rarest;
use super::{Feature, Features, to_units};
use crate::cancel::Cancel;
use crate::error::Result;
use crate::hash;
use crate::statistics::{DROPPED, Idf, Order, Statistics};
use crate::text::Analysed;
use crate::text::vocabulary::{Vocabulary, snapshot};

/// The parameters of CoDet that decide its paths.
#[derive(Debug, Clone)]
pub struct PathOptions {
    /// WS: sort the words of a sentence by idf, the rarest first.
    pub sorted: bool,
    /// DT: only so many words of a sentence.
    pub depth: usize,
    /// PSC: so many suffixes of a sentence, itself included.
    pub suffixes: usize,
    /// Paths with fewer words are left out.
    pub min_depth: usize,
    /// Sentences with fewer words are left out.
    pub min_words: usize,
    /// Count how often a path occurs in a document (the literal formula) instead of whether.
    pub bag: bool,
    /// The weight of a word.
    pub idf: Idf,
    /// The base of its logarithm.
    pub base: f64,
}

/// A path of one document, for showing where a score comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct Path {
    /// The sentence within its document.
    pub sentence: usize,
    /// The terms, from the root.
    pub terms: Vec<String>,
    /// The key of the path.
    pub key: u64,
    /// Its weight, in units.
    pub weight: u64,
}

/// The paths of every document, as features.
pub fn paths(
    analysed: &Analysed,
    statistics: &Statistics,
    options: &PathOptions,
    cancel: &Cancel,
) -> Result<Features> {
    let vocabulary = snapshot(&analysed.vocabulary);
    let tree = Tree::new(&vocabulary, statistics, options);
    let n = analysed.n_documents();
    collect(n, options.bag, cancel, |document, walk: &mut Walk, found| {
        for sentence in analysed.sentences_of(document) {
            let words = &analysed.words[analysed.words_of(sentence)];
            tree.walk(words, walk, |_, key, weight| {
                found.push(Feature { key, weight, count: 1 });
            });
        }
    })
}

/// The paths of one document, with their terms.
pub fn trace(
    analysed: &Analysed,
    document: usize,
    statistics: &Statistics,
    options: &PathOptions,
) -> Vec<Path> {
    let vocabulary = snapshot(&analysed.vocabulary);
    let tree = Tree::new(&vocabulary, statistics, options);
    let mut found = Vec::new();
    let mut walk = Walk::default();
    let sentences = analysed.sentences_of(document);
    for sentence in sentences.clone() {
        let words = &analysed.words[analysed.words_of(sentence)];
        tree.walk(words, &mut walk, |path, key, weight| {
            let term = |&rank: &u32| vocabulary.term(tree.order.terms[rank as usize]).to_owned();
            let terms = path.iter().map(term).collect();
            found.push(Path { sentence: sentence - sentences.start, terms, key, weight });
        });
    }
    found
}

/// What is needed to walk the tree with a sentence, whose words are known by their ranks. Nothing
/// here is made for all words: batches are many, and words may be, too.
struct Tree<'a> {
    order: Arc<Order>,
    documents: u64,
    options: &'a PathOptions,
}

/// What a walk uses again.
#[derive(Default)]
struct Walk {
    /// Room for the ranks of all words of a sentence.
    all: Vec<u32>,
    /// Those that are taken.
    ranks: Vec<u32>,
    /// Frequencies and the idf they give, in units: most words are rare, so few are met.
    idf: Vec<(u32, u64)>,
}

/// How many frequencies a walk remembers.
const REMEMBERED: usize = 1024;

impl<'a> Tree<'a> {
    fn new(vocabulary: &Vocabulary, statistics: &Statistics, options: &'a PathOptions) -> Self {
        let (order, documents) = (statistics.order(vocabulary), statistics.documents());
        Self { order, documents, options }
    }

    /// Call `visit` with the ranks, the key and the weight of each node the sentence comes to.
    fn walk(&self, words: &[u32], walk: &mut Walk, mut visit: impl FnMut(&[u32], u64, u64)) {
        let Walk { all, ranks, idf } = walk;
        let all = self.ranks_of(words, all);
        if all.len() < self.options.min_words {
            return;
        }
        if self.options.sorted {
            rarest(all, self.options.suffixes.saturating_add(self.options.depth) - 1, ranks);
        } else {
            ranks.clear();
            ranks.extend_from_slice(all);
        }
        for suffix in 0..self.options.suffixes.min(ranks.len()) {
            let mut key = hash::EMPTY;
            let end = ranks.len().min(suffix.saturating_add(self.options.depth));
            for at in suffix..end {
                let depth = at - suffix + 1;
                let rank = ranks[at] as usize;
                key = hash::extend(key, self.order.hashes[rank]);
                if depth >= self.options.min_depth {
                    // A multiple of the rounded idf, not the rounded multiple: where words are
                    // equally rare, the part of a sentence that is exactly half of it must not
                    // come out as a hair more.
                    let weight = self.idf(self.order.frequencies[rank], idf);
                    visit(&ranks[suffix..=at], key, weight.saturating_mul(depth as u64));
                }
            }
        }
    }

    /// The ranks of words that have one, in `room`.
    fn ranks_of<'r>(&self, words: &[u32], room: &'r mut Vec<u32>) -> &'r [u32] {
        if room.len() < words.len() {
            room.resize(words.len(), 0);
        }
        let mut n = 0;
        for &word in words {
            let rank = self.order.word_ranks[word as usize];
            // Whether a word has a rank is as good as random: no branch.
            room[n] = rank;
            n += usize::from(rank != DROPPED);
        }
        &room[..n]
    }

    fn idf(&self, frequency: u32, known: &mut Vec<(u32, u64)>) -> u64 {
        known.resize(REMEMBERED, (0, 0));
        let slot = &mut known[frequency as usize % REMEMBERED];
        if slot.0 != frequency {
            let idf = self.options.idf.weight(self.documents, frequency, self.options.base);
            *slot = (frequency, to_units(idf));
        }
        slot.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Analyser, Joiner, Profile, Stem};

    const FIGURE_1: [&str; 3] = [
        "NASDAQ starts day with an increase. Shares gain 2%.",
        "NASDAQ starts day with a decrease. Shares lose 2%.",
        "Shares lose 2%.",
    ];

    fn options() -> PathOptions {
        PathOptions {
            sorted: true,
            depth: 5,
            suffixes: 1,
            min_depth: 1,
            min_words: 1,
            bag: false,
            idf: Idf::PlusOne,
            base: std::f64::consts::E,
        }
    }

    fn features(texts: &[&str], options: &PathOptions) -> Features {
        let profile = Profile {
            drop_stop_words: false,
            drop_numbers: false,
            stem: Stem::None,
            joiner: Joiner::Keep,
            min_length: 1,
            longest: None,
        };
        let analyser = Analyser::new(profile);
        let cancel = Cancel::default();
        let languages = vec![Some(crate::text::Language::from_code("en")); texts.len()];
        let analysed = analyser.analyse(texts, &languages, false, &cancel).expect("analysed");
        let mut statistics = Statistics::default();
        statistics.add(&[&analysed], &cancel).expect("counted");
        paths(&analysed, &statistics, options, &cancel).expect("features")
    }

    #[test]
    fn nodes_of_the_tree_of_figure_1() {
        for (sorted, depth, suffixes, nodes) in [
            (false, usize::MAX, 1, [9, 13, 13]),
            (true, usize::MAX, 1, [9, 18, 18]),
            (true, 5, 1, [8, 16, 16]),
            (true, 3, 1, [6, 12, 12]),
            (false, 3, 1, [6, 8, 8]),
            (false, usize::MAX, 3, [21, 31, 31]),
            (true, 5, 2, [15, 28, 28]),
        ] {
            let options = PathOptions { sorted, depth, suffixes, ..options() };
            let all = features(&FIGURE_1, &options);
            for (n, expected) in nodes.into_iter().enumerate() {
                let first = Features {
                    ends: all.ends[..=n].to_vec(),
                    keys: all.keys[..all.ends[n] as usize].to_vec(),
                    ..Features::default()
                };
                assert_eq!(first.n_distinct_keys(), expected, "{options:?} after {n}");
            }
        }
    }

    #[test]
    fn sorting_makes_word_order_irrelevant() {
        let one = features(&["red blue green", "green red blue"], &options());
        assert_eq!(one.signature(0), one.signature(1));
        let literal = PathOptions { sorted: false, ..options() };
        let two = features(&["red blue green", "green red blue"], &literal);
        assert_ne!(two.signature(0), two.signature(1));
    }

    #[test]
    fn short_paths_and_short_sentences_can_be_left_out() {
        let deep = PathOptions { min_depth: 3, ..options() };
        assert_eq!(features(&["one two three four"], &deep).keys.len(), 2);
        let long = PathOptions { min_words: 4, ..options() };
        assert_eq!(features(&["one two three. Four five six seven."], &long).keys.len(), 4);
    }
}
