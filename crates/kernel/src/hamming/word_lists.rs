//! Sentences that seem to have enough of the words asked for, found by the rarest of these.
//!
//! A sentence that matches has one of the rarest words asked for. Where it lacks the first ones, it
//! can lack few of those behind: the later in this order a word is looked up, and the longer its list,
//! the less of the list comes into question (positional filtering: Xiao, Wang, Lin, Yu, "Efficient
//! similarity joins for near duplicate detection", WWW 2008).
//!
//! To see that without touching each sentence of a list, the list itself has 64 bits of each of them,
//! one for each word, next to each other. Sentences of many words would have nearly all of these bits;
//! they are few, and have 512 bits each in a table that stays in the cache. What is not ruled out by
//! that is asked by its signature ([`super::blocks`]).

use std::cell::OnceCell;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::blocks::Blocks;
use super::search::Lacking;
use crate::features::sentences::Signatures;

/// Sentences of more words are long.
const SHORT: usize = u64::BITS as usize;

/// The bits of a long sentence, one for each word: a line of the cache.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Row([u64; 8]);

/// How many marks are looked at together.
const RUN: usize = 8;

/// Sentences by their words, numbered in the order in which they were added.
#[derive(Debug)]
pub struct WordLists {
    lists: HashMap<u64, List, FxBuildHasher>,
    /// Of long sentences.
    rows: Vec<Row>,
    blocks: Blocks,
}

/// The sentences that have a word, in their order.
#[derive(Debug, Default)]
struct List {
    short: Vec<Entry>,
    /// Long sentences, and their rows.
    long: Vec<(u32, u32)>,
}

/// A sentence in a list.
#[derive(Debug, Clone, Copy)]
struct Entry {
    number: u32,
    /// The marks of all its words, in two halves: next to each other entries leave no gaps.
    marks: [u32; 2],
}

impl Entry {
    fn new(number: u32, marks: u64) -> Self {
        Self { number, marks: [marks as u32, (marks >> 32) as u32] }
    }

    fn marks(self) -> u64 {
        u64::from(self.marks[0]) | u64::from(self.marks[1]) << 32
    }
}

/// A sentence that asks.
#[derive(Debug, Clone, Copy)]
pub struct Asking<'a> {
    /// Its words, the heaviest first.
    pub words: &'a [u64],
    /// What they weigh.
    pub weights: &'a [u64],
    /// How many of them may be missing.
    pub lacking: Lacking,
}

impl Asking<'_> {
    fn whole(&self) -> u128 {
        self.weights.iter().copied().map(u128::from).sum()
    }

    /// Whether what has a word, none before it, and of those behind it those that seem to be there,
    /// may have enough of what weighs so much in all.
    fn may_be_enough(&self, whole: u128, at: usize, seems_there: impl Fn(u64) -> bool) -> bool {
        let Lacking::Matching(measure, threshold) = self.lacking else { return true };
        let mut part = (1, u128::from(self.weights[at]));
        for (&word, &weight) in self.words.iter().zip(self.weights).skip(at + 1) {
            if seems_there(word) {
                part = (part.0 + 1, part.1 + u128::from(weight));
            }
        }
        measure.may_reach(part, (self.words.len(), whole), threshold)
    }
}

/// Words are hashes, but whatever they are, their bits are spread.
fn spread(word: u64) -> u64 {
    word.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// One of 64 bits for a word.
fn mark(word: u64) -> u64 {
    1 << (spread(word) >> 58)
}

/// One of the bits of a row for a word: in which part it is, and the bit.
fn place(word: u64) -> (usize, u64) {
    let at = spread(word) >> 55;
    ((at / 64) as usize, 1 << (at % 64))
}

impl WordLists {
    /// For signatures with blocks of so many words.
    pub fn new(signatures: Signatures, words: usize) -> Self {
        let blocks = Blocks::new(signatures, words);
        Self { lists: HashMap::default(), rows: Vec::new(), blocks }
    }

    /// Add a sentence with these words; its number is how many were added before.
    pub fn add(&mut self, words: &[u64]) {
        let number = self.blocks.n_sentences() as u32;
        let marks = words.iter().fold(0, |marks, &word| marks | mark(word));
        let is_long = words.len() > SHORT;
        for &word in words {
            let list = self.lists.entry(word).or_default();
            if is_long {
                list.long.push((number, self.rows.len() as u32));
            } else {
                list.short.push(Entry::new(number, marks));
            }
        }
        if is_long {
            let mut row = Row::default();
            words.iter().map(|&word| place(word)).for_each(|(part, bit)| row.0[part] |= bit);
            self.rows.push(row);
        }
        self.blocks.add(words);
    }

    /// Call `found` with sentences, from number `from` on, that have one of the heaviest words and
    /// seem to lack no more of those behind it than they may, each at least once.
    pub fn range(&self, asking: Asking<'_>, from: u32, found: &mut impl FnMut(u32)) {
        let (words, lacking) = (asking.words, asking.lacking.behind(asking.weights));
        let behind = behind(words, lacking.len());
        let (known, whole) = (OnceCell::new(), asking.whole());
        for (at, (&word, &most)) in words.iter().zip(&lacking).enumerate() {
            let Some(list) = self.lists.get(&word) else { continue };
            let mut look = |number| {
                let asked = known.get_or_init(|| self.blocks.ask(words));
                if self.blocks.lacks_at_most(number, asked, at + 1, most) {
                    found(number);
                }
            };
            let short = since(&list.short, from, |entry| entry.number);
            pick(short, behind[at], most, |entry| {
                let is_there = |word| entry.marks() & mark(word) != 0;
                if asking.may_be_enough(whole, at, is_there) {
                    look(entry.number);
                }
            });
            for &(number, row) in since(&list.long, from, |entry| entry.0) {
                let row = &self.rows[row as usize].0;
                let is_there = |word| {
                    let (part, bit) = place(word);
                    row[part] & bit != 0
                };
                let mut missing = words[at + 1..].iter().filter(|&&word| !is_there(word));
                let is_near = missing.nth(most as usize).is_none();
                if is_near && asking.may_be_enough(whole, at, is_there) {
                    look(number);
                }
            }
        }
    }
}

/// The entries of a list from a number on. Mostly that is all of them, or few at the end.
fn since<T>(entries: &[T], from: u32, number: impl Fn(&T) -> u32) -> &[T] {
    if from == 0 {
        return entries;
    }
    let is_before = |entry: &T| number(entry) < from;
    let n = entries.len();
    let mut last = 1;
    while last < n && !is_before(&entries[n - last]) {
        last *= 2;
    }
    let tail = &entries[n - last.min(n)..];
    &tail[tail.partition_point(is_before)..]
}

/// The marks of all words behind each of the first so many.
fn behind(words: &[u64], first: usize) -> Vec<u64> {
    let mut marks = vec![0; first];
    let mut all = words[first..].iter().fold(0, |all, &word| all | mark(word));
    for at in (0..first).rev() {
        marks[at] = all;
        all |= mark(words[at]);
    }
    marks
}

/// Call `found` with each entry whose marks lack at most so many of the bits.
fn pick(entries: &[Entry], bits: u64, most: u32, found: impl FnMut(Entry)) {
    // Mostly few may be lacking: taking away the lowest bit so often is faster than counting.
    let less = |rest: u64| rest & rest.wrapping_sub(1);
    match most {
        0 => pick_if(entries, |marks| bits & !marks == 0, found),
        1 => pick_if(entries, |marks| less(bits & !marks) == 0, found),
        2 => pick_if(entries, |marks| less(less(bits & !marks)) == 0, found),
        3 => pick_if(entries, |marks| less(less(less(bits & !marks))) == 0, found),
        _ => pick_if(entries, |marks| (bits & !marks).count_ones() <= most, found),
    }
}

/// Without a branch for each, as hardly any is picked.
fn pick_if(entries: &[Entry], is_near: impl Fn(u64) -> bool, found: impl FnMut(Entry)) {
    let any = |run: &&[Entry]| run.iter().fold(false, |any, entry| any | is_near(entry.marks()));
    let near = entries.chunks(RUN).filter(any).flatten().copied();
    near.filter(|entry| is_near(entry.marks())).for_each(found);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::overlap::Measure;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_lacks_few_enough_is_found(
            stored in prop::collection::vec(prop::collection::btree_set(0_u64..99, 0..90), 0..20),
            query in prop::collection::btree_map(0_u64..99, 0_u64..5, 1..20),
            lacking in prop::sample::select(vec![
                Lacking::Words(0), Lacking::Words(4), Lacking::Words(30),
                Lacking::Matching(Measure::Plain, 0.5), Lacking::Matching(Measure::Idf, 0.4),
                Lacking::Matching(Measure::SelfNorm, 0.3)]),
            from in 0_u32..20,
            size in 1..20_usize,
            bits in prop::sample::select(vec![8_u32, 256]),
        ) {
            let mut lists = WordLists::new(Signatures { bits, bits_per_word: 3 }, size);
            let (words, weights): (Vec<u64>, Vec<u64>) = query.clone().into_iter().unzip();
            let mut needed = Vec::new();
            for (n, of) in stored.iter().enumerate() {
                let of: Vec<u64> = of.iter().copied().collect();
                lists.add(&of);
                let lacks = words.iter().filter(|word| !of.contains(word)).count();
                let is_near = match lacking {
                    Lacking::Words(most) => lacks < words.len() && lacks as u32 <= most,
                    Lacking::Matching(measure, threshold) => {
                        measure.between(&words, &weights, &of, threshold).is_some()
                    }
                };
                if n as u32 >= from && is_near {
                    needed.push(n as u32);
                }
            }
            let mut heaviest: Vec<(u64, u64)> = query.into_iter().map(|(w, x)| (x, w)).collect();
            heaviest.sort_unstable_by(|a, b| b.cmp(a));
            let (weights, words): (Vec<u64>, Vec<u64>) = heaviest.into_iter().unzip();
            let mut found = Vec::new();
            let asking = Asking { words: &words, weights: &weights, lacking };
            lists.range(asking, from, &mut |n| found.push(n));
            prop_assert!(needed.iter().all(|n| found.contains(n)), "{needed:?} {found:?}");
            let has_one = |of: &std::collections::BTreeSet<u64>| words.iter().any(|w| of.contains(w));
            prop_assert!(found.iter().all(|&n| n >= from && has_one(&stored[n as usize])));
        }

        #[test]
        fn picking_is_counting(
            marks in prop::collection::vec(any::<u64>(), 0..30),
            bits: u64,
            most in 0_u32..40,
        ) {
            let is_near = |n: &u32| (bits & !marks[*n as usize]).count_ones() <= most;
            let expected: Vec<u32> = (0..marks.len() as u32).filter(is_near).collect();
            let entries: Vec<Entry> =
                marks.iter().enumerate().map(|(n, &marks)| Entry::new(n as u32, marks)).collect();
            let mut found = Vec::new();
            pick(&entries, bits, most, |entry| found.push(entry.number));
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn what_came_since_is_the_end_of_a_list(
            numbers in prop::collection::btree_set(0_u32..50, 0..40),
            from in 0_u32..55,
        ) {
            let numbers: Vec<u32> = numbers.into_iter().collect();
            let expected: Vec<u32> = numbers.iter().copied().filter(|&n| n >= from).collect();
            prop_assert_eq!(since(&numbers, from, |&n| n), expected);
        }
    }
}
