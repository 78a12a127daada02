//! Sentences that seem to have enough of the words asked for, found by the rarest of these.
//!
//! A sentence that matches has one of the rarest words asked for. Where it lacks the first ones, it
//! can lack few of those behind: the later in this order a word is looked up, and the longer its list,
//! the less of the list comes into question (positional filtering: Xiao, Wang, Lin, Yu, "Efficient
//! similarity joins for near duplicate detection", WWW 2008).
//!
//! To see that without touching each sentence of a list, the list itself has marks of the words that
//! stand behind ([`super::shelf`]); what stands before has been looked up already. Long sentences would
//! have nearly all of the marks: theirs are more, in one place for all lists, and tell enough
//! ([`super::long`]). Short ones that are left are asked by their signature ([`super::blocks`]).

use std::hint::black_box;

use super::blocks::Blocks;
use super::long::{Entry, Long, Mark};
use super::numbers::{NONE, Numbers};
use super::opened::Sentence;
use super::search::Lacking;
use super::shelf::{Marks, Rows, Shelf};
use crate::features::sentences::Signatures;

/// With more words, a sentence is long.
const SHORT: usize = 64;

/// Sentences by their words, numbered in the order in which they were added.
#[derive(Debug)]
pub struct WordLists {
    /// Which list is that of a word.
    numbers: Numbers,
    lists: Vec<List>,
    blocks: Blocks,
    long: Long,
}

/// The sentences that have a word, in their order.
#[derive(Debug, Default)]
struct List {
    short: Shelf,
    long: Vec<Entry>,
}

/// A sentence that asks.
struct Asking<'a> {
    sentence: Sentence<'a>,
    /// What its words weigh in all.
    whole: u128,
    lacking: Lacking,
}

impl Asking<'_> {
    /// Whether what has one of the words, none before it, and of those behind it those that seem to be
    /// there, may have enough.
    fn may_be_enough(&self, at: usize, seems_there: impl Fn(usize) -> u64) -> bool {
        let Lacking::Matching(measure, threshold) = self.lacking else { return true };
        let weights = self.sentence.weights;
        let mut part = (1_usize, u128::from(weights[at]));
        for (n, weight) in weights[at + 1..].iter().enumerate() {
            // Without a branch, which nobody could foretell.
            let is_there = seems_there(n);
            part.0 = part.0.wrapping_add(is_there as usize);
            part.1 = part.1.wrapping_add(u128::from(weight & is_there.wrapping_neg()));
        }
        measure.may_reach(part, (weights.len(), self.whole), threshold)
    }
}

impl WordLists {
    /// For signatures with blocks of so many words.
    pub fn new(signatures: Signatures, words: usize) -> Self {
        let blocks = Blocks::new(signatures, words);
        Self { numbers: Numbers::default(), lists: Vec::new(), blocks, long: Long::default() }
    }

    /// Add the list of each word. They are far away: all are looked for before any is waited for, and
    /// so are their ends.
    pub fn find(&self, words: &[u64], lists: &mut Vec<u32>) {
        let before = lists.len();
        lists.extend(words.iter().map(|&word| self.numbers.get(word)));
        let known = lists[before..].iter().filter_map(|&list| self.lists.get(list as usize));
        black_box(known.fold(0, |all, list| all ^ list.short.touch()));
    }

    /// Add a sentence; its number is how many were added before. A word must weigh the same in all
    /// sentences.
    pub fn add(&mut self, Sentence { words, lists, .. }: Sentence<'_>) {
        let number = self.blocks.n_sentences();
        let at = self.blocks.add(words);
        if words.len() > SHORT {
            let own = self.long.push(number, words);
            for (at, (&word, &list)) in words.iter().zip(lists).enumerate() {
                let list = self.list_of(word, list);
                let behind = (words.len() - at - 1) as u32;
                self.lists[list].long.push(Entry { own, behind });
            }
            return;
        }
        let mut marks = Marks::default();
        for (&word, &list) in words.iter().zip(lists).rev() {
            let list = self.list_of(word, list);
            self.lists[list].short.push(at, marks);
            marks.add(word);
        }
    }

    fn list_of(&mut self, word: u64, list: u32) -> usize {
        let number = if list == NONE { self.numbers.number(word) } else { list };
        if number as usize == self.lists.len() {
            self.lists.push(List::default());
        }
        number as usize
    }

    /// Have near what a sentence that asks for others from a number on looks at first.
    pub fn fetch(&self, Sentence { words, lists, most, .. }: Sentence<'_>, from: u32) {
        let Some(first) = self.blocks.start(from) else { return };
        let mut all = 0;
        for (at, &list) in lists.iter().take(most.len()).enumerate() {
            let Some(list) = self.lists.get(list as usize) else { continue };
            all ^= list.long.first().map_or(0, |entry| entry.own);
            let next = &words[at + 1..words.len().min(at + 3)];
            all ^= list.short.fetch(next.iter().map(|&word| Rows::of(word)), first);
        }
        black_box(all);
    }

    /// Call `found` with sentences, from number `from` on, that have one of the heaviest words and
    /// seem to lack no more of those behind it than they may, each at least once.
    pub fn range(
        &self,
        sentence: Sentence<'_>,
        lacking: Lacking,
        from: u32,
        found: &mut impl FnMut(u32),
    ) {
        let Some(first) = self.blocks.start(from) else { return };
        let (left, long) = self.pick(sentence, lacking, from, first);
        long.into_iter().for_each(&mut *found);
        if left.is_empty() {
            return;
        }
        self.blocks.fetch(left.iter().map(|&(start, _)| start));
        let asked = self.blocks.ask(sentence.words);
        for (start, at) in left {
            let number = self.blocks.lacks_at_most(start, &asked, at + 1, sentence.most[at]);
            number.into_iter().for_each(&mut *found);
        }
    }

    /// Where the short sentences are that come into question, from a number on, which begins there, and
    /// the first word each has; and the numbers of long ones.
    fn pick(
        &self,
        sentence: Sentence<'_>,
        lacking: Lacking,
        from: u32,
        first: u32,
    ) -> (Vec<(u32, usize)>, Vec<u32>) {
        let whole = sentence.weights.iter().copied().map(u128::from).sum();
        let asking = Asking { sentence, whole, lacking };
        let rows: Vec<Rows> = sentence.words.iter().map(|&word| Rows::of(word)).collect();
        let first_marks = Rows::first_marks(&rows);
        let marks: Vec<Mark> = sentence.words.iter().map(|&word| Mark::of(word)).collect();
        let first_long = self.long.first(from);
        let (mut left, mut long) = (Vec::new(), Vec::new());
        for (at, (&list, &most)) in sentence.lists.iter().zip(sentence.most).enumerate() {
            let Some(list) = self.lists.get(list as usize) else { continue };
            let may_be_enough = |number, seems_there: &dyn Fn(usize) -> u64| {
                if asking.may_be_enough(at, seems_there) {
                    long.push(number);
                }
            };
            self.long.pick(&list.long, &marks[at + 1..], most, first_long, may_be_enough);
            // Short sentences do not have more words than fit.
            if rows.len() - at <= SHORT + most as usize {
                let behind = (&rows[at + 1..], first_marks[at + 1]);
                list.short.pick(behind, most, first, |start, seems_there| {
                    if asking.may_be_enough(at, seems_there) {
                        left.push((start, at));
                    }
                });
            }
        }
        // What has several of the words is in several lists; the first asks for the most.
        left.sort_unstable();
        left.dedup_by_key(|&mut (start, _)| start);
        long.sort_unstable();
        long.dedup();
        (left, long)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::overlap::Measure;
    use proptest::prelude::*;

    fn numbers(lists: &WordLists, words: &[u64]) -> Vec<u32> {
        let mut numbers = Vec::new();
        lists.find(words, &mut numbers);
        numbers
    }

    proptest! {
        #[test]
        fn what_lacks_few_enough_is_found(
            stored in prop::collection::vec(prop::collection::btree_set(0_u64..99, 0..90), 0..200),
            query in prop::collection::btree_set(0_u64..99, 1..20),
            weights in prop::collection::vec(0_u64..5, 99),
            lacking in prop::sample::select(vec![
                Lacking::Words(0), Lacking::Words(4), Lacking::Words(30),
                Lacking::Matching(Measure::Plain, 0.5), Lacking::Matching(Measure::Idf, 0.4),
                Lacking::Matching(Measure::SelfNorm, 0.3)]),
            from in 0_u32..200,
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
                let (weights, words) = heaviest(of);
                let numbers = numbers(&lists, &words);
                lists.add(Sentence { words: &words, weights: &weights, lists: &numbers, most: &[] });
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
            let numbers = numbers(&lists, &words);
            let mut most = Vec::new();
            lacking.behind(&weights, &mut most);
            let asking = Sentence { words: &words, weights: &weights, lists: &numbers, most: &most };
            lists.fetch(asking, from);
            lists.range(asking, lacking, from, &mut |n| found.push(n));
            prop_assert!(needed.iter().all(|n| found.contains(n)), "{needed:?} {found:?}");
            let has_one = |of: &std::collections::BTreeSet<u64>| words.iter().any(|w| of.contains(w));
            prop_assert!(found.iter().all(|&n| n >= from && has_one(&stored[n as usize])));
        }
    }
}
