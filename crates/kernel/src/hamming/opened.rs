//! Some sentences at hand, with their words by weight and the lists of these.
//!
//! Lists are far away. Those of all words of a document are looked for at once, before any of them
//! is waited for, and once, whether its sentences ask, are added, or both.

use std::ops::Range;

use super::search::Lacking;
use super::word_lists::WordLists;
use crate::features::Features;

/// Sentences that are to be searched or added.
#[derive(Debug, Default)]
pub struct Opened {
    first: usize,
    ends: Vec<usize>,
    weights: Vec<u64>,
    words: Vec<u64>,
    lists: Vec<u32>,
    most: Vec<u32>,
    most_of: Vec<Range<usize>>,
    both: Vec<(u64, u64)>,
}

/// The words of a sentence, the heaviest first, what they weigh, and their lists.
#[derive(Debug, Clone, Copy)]
pub struct Sentence<'a> {
    /// The words.
    pub words: &'a [u64],
    /// What they weigh.
    pub weights: &'a [u64],
    /// Their lists, if there are any.
    pub lists: &'a [u32],
    /// If it asks: for each word to look up, how many of those behind it may be missing.
    pub most: &'a [u32],
}

impl Opened {
    /// Have these sentences at hand instead of others.
    pub fn open(&mut self, features: &Features, units: Range<usize>, lists: Option<&WordLists>) {
        self.first = units.start;
        self.ends.clear();
        self.weights.clear();
        self.words.clear();
        self.lists.clear();
        self.most.clear();
        self.most_of.clear();
        for unit in units {
            let range = features.range(unit);
            let weights = features.weights[range.clone()].iter().copied();
            self.both.clear();
            self.both.extend(weights.zip(features.keys[range].iter().copied()));
            self.both.sort_unstable_by(|a, b| b.cmp(a));
            self.weights.extend(self.both.iter().map(|&(weight, _)| weight));
            self.words.extend(self.both.iter().map(|&(_, word)| word));
            self.ends.push(self.words.len());
            self.most_of.push(0..0);
        }
        if let Some(lists) = lists {
            lists.find(&self.words, &mut self.lists);
        }
    }

    /// One of these sentences is going to ask for those that lack so much at most.
    pub fn ask(&mut self, unit: usize, lacking: Lacking) {
        let (range, from) = (self.range(unit), self.most.len());
        lacking.behind(&self.weights[range], &mut self.most);
        self.most_of[unit - self.first] = from..self.most.len();
    }

    fn range(&self, unit: usize) -> Range<usize> {
        let n = unit - self.first;
        (if n == 0 { 0 } else { self.ends[n - 1] })..self.ends[n]
    }

    /// One of these sentences.
    pub fn sentence(&self, unit: usize) -> Sentence<'_> {
        let range = self.range(unit);
        Sentence {
            words: &self.words[range.clone()],
            weights: &self.weights[range.clone()],
            lists: self.lists.get(range).unwrap_or_default(),
            most: &self.most[self.most_of[unit - self.first].clone()],
        }
    }
}
