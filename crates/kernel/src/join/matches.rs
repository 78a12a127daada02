//! Which distinct sentences match which.

use super::candidates::Match;
use super::held::add_up;
use super::retold::Pair;
use super::roll_up::Matched;

/// Which distinct sentences match which, by the one that asks.
#[derive(Debug, Default)]
pub struct Matches {
    ends: Vec<u64>,
    rows: Vec<Row>,
    /// The weight each match has in common; empty if sentences are only counted.
    shared: Vec<u64>,
    /// How many words of each sentence prove something where it is told as it is; empty: none.
    alone: Vec<u32>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Row {
    store: u32,
    /// How many words stand in the same order, and may prove something.
    told: u32,
    score: f64,
}

impl Matches {
    /// Matches, which come in the order of those that ask, then of those found.
    pub fn new(n_sentences: usize, matches: &[Match]) -> Self {
        let mut ends = vec![0; n_sentences];
        matches.iter().for_each(|found| ends[found.probe as usize] += 1);
        add_up(&mut ends);
        let row = |found: &Match| Row { store: found.store, told: 0, score: found.score };
        let rows = matches.iter().map(row).collect();
        Self { ends, rows, shared: Vec::new(), alone: Vec::new() }
    }

    /// Matches that hold both ways and come once, in the order of the later sentence. How many words
    /// of each sentence prove something by itself is told for all.
    pub fn both_ways(n_sentences: usize, pairs: &[Pair], alone: Vec<u32>) -> Self {
        let mut ends = vec![0; n_sentences];
        pairs.iter().flat_map(|pair| pair.sentences).for_each(|own| ends[own as usize] += 1);
        let mut next = add_up(&mut ends);
        let mut rows = vec![Row::default(); 2 * pairs.len()];
        let mut shared = vec![0; 2 * pairs.len()];
        // Those before a sentence come while it asks, in order, and those behind it later.
        for pair in pairs {
            let [later, earlier] = pair.sentences;
            for (own, other) in [(later, earlier), (earlier, later)] {
                let place = &mut next[own as usize];
                rows[*place as usize] = Row { store: other, told: pair.told, score: pair.score };
                shared[*place as usize] = pair.shared;
                *place += 1;
            }
        }
        Self { ends, rows, shared, alone }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whether a sentence matches no other one.
    #[inline]
    pub fn is_alone(&self, probe: u32) -> bool {
        self.range(probe).is_empty()
    }

    /// How many words of a sentence prove something where it is told as it is.
    #[inline]
    pub fn alone(&self, sentence: u32) -> u32 {
        self.alone.get(sentence as usize).copied().unwrap_or(0)
    }

    #[inline]
    fn range(&self, probe: u32) -> std::ops::Range<usize> {
        let start = if probe == 0 { 0 } else { self.ends[probe as usize - 1] };
        start as usize..self.ends[probe as usize] as usize
    }

    /// The sentences that match this one, sorted, with what is known of the match; it matches itself,
    /// which is not among them.
    #[inline]
    pub fn found(&self, probe: u32) -> impl Iterator<Item = Found> {
        self.range(probe).map(|at| {
            let Row { store: sentence, told, score } = self.rows[at];
            Found { sentence, score, shared: self.shared.get(at).copied().unwrap_or(1), told }
        })
    }

    /// The score of a sentence that asks for another; 1 for itself.
    pub fn score(&self, probe: u32, store: u32) -> Option<f64> {
        if probe == store {
            return Some(1.0);
        }
        self.row(probe, store).map(|row| row.score)
    }

    /// How many words prove something where one sentence is told as another, or as it is.
    pub fn told(&self, probe: u32, store: u32) -> u32 {
        if probe == store {
            return self.alone(probe);
        }
        self.row(probe, store).map_or(0, |row| row.told)
    }

    /// Whether a sentence, or one that matches it, is among sorted ones.
    pub fn has_any(&self, probe: u32, among: &[u32]) -> bool {
        let rows = &self.rows[self.range(probe)];
        let is_there = |sentence: &u32| among.binary_search(sentence).is_ok();
        if is_there(&probe) {
            return true;
        }
        // Some sentences match thousands, of which a document holds few.
        if rows.len() > among.len() {
            let is_found = |sentence| rows.binary_search_by_key(sentence, |row| row.store).is_ok();
            return among.iter().any(is_found);
        }
        rows.iter().any(|row| is_there(&row.store))
    }

    fn row(&self, probe: u32, store: u32) -> Option<&Row> {
        let rows = &self.rows[self.range(probe)];
        rows.binary_search_by_key(&store, |row| row.store).ok().map(|n| &rows[n])
    }
}

/// A sentence that matches another one.
#[derive(Debug, Clone, Copy)]
pub struct Found {
    /// Its number.
    pub sentence: u32,
    /// The score of the match.
    pub score: f64,
    /// The weight both have in common; 1 if sentences are only counted.
    pub shared: u64,
    /// How many words may prove something.
    pub told: u32,
}

impl Found {
    /// What the match counts.
    #[inline]
    pub fn gain(self) -> Matched {
        Matched { weight: self.shared, words: self.told.into() }
    }

    /// What it counts for a sentence that is boilerplate where it stands: it is no part of what its
    /// document tells, and proves that this was taken from it, or the reverse.
    #[inline]
    pub fn proof(self) -> Matched {
        Matched { weight: 0, words: self.told.into() }
    }

    /// Whether it proves something.
    #[inline]
    pub fn is_told(self) -> bool {
        self.told > 0
    }
}
