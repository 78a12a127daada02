//! Sentences that seem to have enough of the words asked for, found by the rarest of these.
//!
//! A sentence that matches has one of the rarest words asked for. Where it lacks the first ones, it
//! can lack few of those behind: the later in this order a word is looked up, and the longer its list,
//! the less of the list comes into question (positional filtering: Xiao, Wang, Lin, Yu, "Efficient
//! similarity joins for near duplicate detection", WWW 2008).
//!
//! To see that without touching each sentence of a list, the list itself has a mark for each word that
//! stands behind: one of 64 bits, and for those not ruled out by that, one of another 32. What stands
//! before has been looked up already. Where too many stand behind, nearly all of these bits would be
//! set; such sentences are few, and have 256. What is left is asked by its signature
//! ([`super::blocks`]).

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::blocks::Blocks;
use super::search::Lacking;
use crate::features::sentences::Signatures;

/// With more words behind a word, a sentence is long.
const SHORT: usize = 48;

/// Sentences by their words, numbered in the order in which they were added.
#[derive(Debug)]
pub struct WordLists {
    lists: HashMap<u64, List, FxBuildHasher>,
    blocks: Blocks,
}

/// The sentences that have a word, in their order.
#[derive(Debug, Default)]
struct List {
    short: Vec<Run>,
    long: Vec<Long>,
}

/// How many sentences of a list stand together.
const RUN: usize = 4;

/// Nobody stands here yet.
const NOBODY: u32 = u32::MAX;

/// Some sentences of a list, as a line of the cache: what is looked at stands side by side.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Run {
    /// The marks of the words behind.
    marks: [u64; RUN],
    /// Other marks of the same words.
    others: [u32; RUN],
    /// Where their signatures are.
    at: [u32; RUN],
}

/// The marks of many words.
type Marks = [u32; 8];

/// A long sentence of a list.
#[derive(Debug, Clone, Copy)]
struct Long {
    at: u32,
    marks: Marks,
}

impl List {
    fn push(&mut self, at: u32, (marks, others): (u64, u32)) {
        let run = match self.short.last_mut() {
            Some(run) if run.at[RUN - 1] == NOBODY => run,
            _ => {
                if self.short.is_empty() {
                    // Most words come once.
                    self.short.reserve_exact(1);
                }
                self.short.push(Run { marks: [0; RUN], others: [0; RUN], at: [NOBODY; RUN] });
                self.short.last_mut().expect("just added")
            }
        };
        let free = run.at.iter().position(|&at| at == NOBODY).expect("the last one is free");
        (run.at[free], run.marks[free], run.others[free]) = (at, marks, others);
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

    /// Whether what has the first of these words, none before it, and of those behind it those that
    /// seem to be there, may have enough of what weighs so much in all.
    fn may_be_enough(
        &self,
        whole: u128,
        words: &[Word],
        seems_there: impl Fn(&Word) -> u64,
    ) -> bool {
        let Lacking::Matching(measure, threshold) = self.lacking else { return true };
        let mut part = (1, u128::from(words[0].weight));
        for word in &words[1..] {
            // Without a branch, which nobody could foretell.
            let is_there = seems_there(word);
            part.0 += is_there as usize;
            part.1 += u128::from(word.weight & is_there.wrapping_neg());
        }
        measure.may_reach(part, (self.words.len(), whole), threshold)
    }
}

/// What is known of a word that is asked for.
#[derive(Debug, Clone, Copy)]
struct Word {
    /// Which of 64 bits is its mark, and which of the other 32.
    bits: (u32, u32),
    /// Its mark in a long sentence: in which part it is, and which bit.
    place: (usize, u32),
    weight: u64,
}

impl Word {
    fn new(word: u64, weight: u64) -> Self {
        Self { bits: bits(word), place: place(word), weight }
    }

    /// 1 if it seems to be in a sentence, else 0.
    fn is_in(&self, (marks, others): (u64, u32)) -> u64 {
        marks >> self.bits.0 & u64::from(others >> self.bits.1) & 1
    }

    /// 1 if it seems to be in a long sentence, else 0.
    fn is_in_long(&self, marks: &Marks) -> u64 {
        u64::from(marks[self.place.0] >> self.place.1 & 1)
    }
}

/// Words are hashes, but whatever they are, their bits are spread.
fn spread(word: u64) -> u64 {
    word.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Which of 64 bits is the mark of a word, and which of the other 32.
fn bits(word: u64) -> (u32, u32) {
    let spread = spread(word);
    ((spread >> 58) as u32, (spread >> 40) as u32 % u32::BITS)
}

/// The same for one of 256 bits: in which part it is, and which bit there.
fn place(word: u64) -> (usize, u32) {
    let at = spread(word) >> 56;
    ((at / 32) as usize, (at % 32) as u32)
}

fn add_place(marks: &mut Marks, (part, bit): (usize, u32)) {
    marks[part] |= 1 << bit;
}

impl WordLists {
    /// For signatures with blocks of so many words.
    pub fn new(signatures: Signatures, words: usize) -> Self {
        let blocks = Blocks::new(signatures, words);
        Self { lists: HashMap::default(), blocks }
    }

    /// Add a sentence with these words, the heaviest first; its number is how many were added before.
    /// A word must weigh the same in all sentences.
    pub fn add(&mut self, words: &[u64]) {
        let at = self.blocks.add(words);
        let (mut marks, mut many) = ((0, 0), Marks::default());
        for (behind, &word) in words.iter().rev().enumerate() {
            let list = self.lists.entry(word).or_default();
            if behind > SHORT {
                list.long.push(Long { at, marks: many });
            } else {
                list.push(at, marks);
            }
            let (bit, other) = bits(word);
            marks = (marks.0 | 1 << bit, marks.1 | 1 << other);
            add_place(&mut many, place(word));
        }
    }

    /// Call `found` with sentences, from number `from` on, that have one of the heaviest words and
    /// seem to lack no more of those behind it than they may, each at least once.
    pub fn range(&self, asking: Asking<'_>, from: u32, found: &mut impl FnMut(u32)) {
        let Some(first) = self.blocks.start(from) else { return };
        let lacking = asking.lacking.behind(asking.weights);
        let words: Vec<Word> =
            asking.words.iter().zip(asking.weights).map(|(&w, &x)| Word::new(w, x)).collect();
        let behind = behind(&words, lacking.len());
        let whole = asking.whole();
        // Lists are far away, and so is what they lead to: all are fetched before any is waited for.
        let lists: Vec<_> =
            asking.words[..lacking.len()].iter().map(|word| self.lists.get(word)).collect();
        let mut left: Vec<(u32, usize)> = Vec::new();
        for (at, (list, &most)) in lists.into_iter().zip(&lacking).enumerate() {
            let Some(list) = list else { continue };
            let (bits, many) = &behind[at];
            // Short sentences do not have more words behind than fit.
            let is_short_enough = words.len() - at <= SHORT + 1 + most as usize;
            let short = if is_short_enough { &list.short[..] } else { &[] };
            let short = since(short, first, |run| run.at[RUN - 1]);
            pick(short, *bits, most, |start, marks| {
                let is_there = |word: &Word| word.is_in(marks);
                if start >= first && asking.may_be_enough(whole, &words[at..], is_there) {
                    left.push((start, at));
                }
            });
            for Long { at: start, marks } in since(&list.long, first, |long| long.at) {
                let missing = many.iter().zip(marks).map(|(asked, there)| asked & !there);
                let is_near = missing.map(u32::count_ones).sum::<u32>() <= most;
                let is_there = |word: &Word| word.is_in_long(marks);
                if is_near && asking.may_be_enough(whole, &words[at..], is_there) {
                    left.push((*start, at));
                }
            }
        }
        if left.is_empty() {
            return;
        }
        // What has several of the words is in several lists; the first asks for the most.
        left.sort_unstable();
        left.dedup_by_key(|&mut (start, _)| start);
        self.blocks.fetch(left.iter().map(|&(start, _)| start));
        let asked = self.blocks.ask(asking.words);
        for (start, at) in left {
            let number = self.blocks.lacks_at_most(start, &asked, at + 1, lacking[at]);
            number.into_iter().for_each(&mut *found);
        }
    }
}

/// The part of a list that does not end before a place. Mostly that is all of it, or little at the end.
fn since<T>(entries: &[T], first: u32, last_of: impl Fn(&T) -> u32) -> &[T] {
    if first == 0 {
        return entries;
    }
    let is_before = |entry: &T| last_of(entry) < first;
    let n = entries.len();
    let mut last = 1;
    while last < n && !is_before(&entries[n - last]) {
        last *= 2;
    }
    let tail = &entries[n - last.min(n)..];
    &tail[tail.partition_point(is_before)..]
}

/// The marks of all words behind each of the first so many, as of short sentences and of long ones.
fn behind(words: &[Word], first: usize) -> Vec<(u64, Marks)> {
    let mut behind = vec![(0, Marks::default()); first];
    let mut all = (0, Marks::default());
    for (at, word) in words.iter().enumerate().rev() {
        if at < first {
            behind[at] = all;
        }
        all.0 |= 1 << word.bits.0;
        add_place(&mut all.1, word.place);
    }
    behind
}

/// Call `found` with each sentence whose marks lack at most so many of the bits.
fn pick(runs: &[Run], bits: u64, most: u32, found: impl FnMut(u32, (u64, u32))) {
    // Mostly few may be lacking: taking away the lowest bit so often is faster than counting.
    let less = |rest: u64| rest & rest.wrapping_sub(1);
    match most {
        0 => pick_if(runs, |marks| bits & !marks == 0, found),
        1 => pick_if(runs, |marks| less(bits & !marks) == 0, found),
        2 => pick_if(runs, |marks| less(less(bits & !marks)) == 0, found),
        3 => pick_if(runs, |marks| less(less(less(bits & !marks))) == 0, found),
        _ => pick_if(runs, |marks| (bits & !marks).count_ones() <= most, found),
    }
}

/// Without a branch for each, as hardly any is picked.
fn pick_if(runs: &[Run], is_near: impl Fn(u64) -> bool, mut found: impl FnMut(u32, (u64, u32))) {
    for run in runs {
        if run.marks.iter().fold(false, |any, &marks| any | is_near(marks)) {
            for n in 0..RUN {
                if run.at[n] != NOBODY && is_near(run.marks[n]) {
                    found(run.at[n], (run.marks[n], run.others[n]));
                }
            }
        }
    }
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
            query in prop::collection::btree_set(0_u64..99, 1..20),
            weights in prop::collection::vec(0_u64..5, 99),
            lacking in prop::sample::select(vec![
                Lacking::Words(0), Lacking::Words(4), Lacking::Words(30),
                Lacking::Matching(Measure::Plain, 0.5), Lacking::Matching(Measure::Idf, 0.4),
                Lacking::Matching(Measure::SelfNorm, 0.3)]),
            from in 0_u32..20,
            size in 1..20_usize,
            bits in prop::sample::select(vec![8_u32, 256]),
        ) {
            let mut lists = WordLists::new(Signatures { bits, bits_per_word: 3 }, size);
            let heaviest = |of: &std::collections::BTreeSet<u64>| {
                let mut both: Vec<(u64, u64)> = of.iter().map(|&w| (weights[w as usize], w)).collect();
                both.sort_unstable_by(|a, b| b.cmp(a));
                both.into_iter().unzip::<u64, u64, Vec<_>, Vec<_>>()
            };
            let sorted: Vec<u64> = query.iter().copied().collect();
            let own: Vec<u64> = sorted.iter().map(|&word| weights[word as usize]).collect();
            let mut needed = Vec::new();
            for (n, of) in stored.iter().enumerate() {
                lists.add(&heaviest(of).1);
                let of: Vec<u64> = of.iter().copied().collect();
                let lacks = sorted.iter().filter(|word| !of.contains(word)).count();
                let is_near = match lacking {
                    Lacking::Words(most) => lacks < sorted.len() && lacks as u32 <= most,
                    Lacking::Matching(measure, threshold) => {
                        measure.between(&sorted, &own, &of, threshold).is_some()
                    }
                };
                if n as u32 >= from && is_near {
                    needed.push(n as u32);
                }
            }
            let (weights, words) = heaviest(&query);
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
            let mut list = List::default();
            marks.iter().enumerate().for_each(|(n, &marks)| list.push(n as u32, (marks, 0)));
            let mut found = Vec::new();
            pick(&list.short, bits, most, |at, _| found.push(at));
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
