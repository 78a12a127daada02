//! Where stems stand in a document, and sentences that come again in it.

use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

use super::document::{Sentence, Term};
use super::weights::NONE;
use crate::hash;

/// Windows of more sentences are not told apart: that would take longer than to look at them.
const WIDEST: usize = 16;

/// The sentences that hold each stem.
#[derive(Debug, Clone, Default)]
pub struct Postings {
    ends: Vec<u32>,
    holders: Vec<u32>,
}

impl Postings {
    /// Of so many stems, in the sentences that count.
    fn new(
        stems: usize,
        sentences: &[Sentence],
        terms: &[Term],
        counts: impl Fn(usize) -> bool,
    ) -> Self {
        let counted = || sentences.iter().enumerate().filter(|(n, _)| counts(*n));
        let mut ends = vec![0u32; stems];
        for (_, sentence) in counted() {
            terms[sentence.terms.clone()].iter().for_each(|term| ends[term.stem as usize] += 1);
        }
        let mut sum = 0;
        for end in &mut ends {
            let count = *end;
            *end = sum;
            sum += count;
        }
        let mut holders = vec![0; sum as usize];
        for (n, sentence) in counted() {
            for term in &terms[sentence.terms.clone()] {
                let end = &mut ends[term.stem as usize];
                holders[*end as usize] = n as u32;
                *end += 1;
            }
        }
        Self { ends, holders }
    }

    /// The sentences that hold a stem, in order.
    pub fn of(&self, stem: u32) -> &[u32] {
        let n = stem as usize;
        let start = if n == 0 { 0 } else { self.ends[n - 1] };
        &self.holders[start as usize..self.ends[n] as usize]
    }
}

/// The sentences of a document by their stems.
#[derive(Debug, Clone, Default)]
pub struct Stems {
    /// The sentences that hold each stem.
    pub all: Postings,
    /// What is known if a sentence comes again.
    repeats: Option<Repeats>,
}

/// Sentences that come again: with the same stems, each as often.
#[derive(Debug, Clone)]
struct Repeats {
    /// The first sentence that is equal to each.
    first: Vec<u32>,
    /// The next one.
    next: Vec<u32>,
    /// The sentences that are the first of their kind, by their stems.
    firsts: Postings,
    /// The sentences of windows that are the first of their kind.
    of_windows: Option<Postings>,
}

impl Stems {
    /// Of the sentences of a document with so many stems; windows have so many sentences.
    pub fn new(stems: usize, sentences: &[Sentence], terms: &[Term], window: usize) -> Self {
        let all = Postings::new(stems, sentences, terms, |_| true);
        let mut known: HashMap<u64, u32, FxBuildHasher> = HashMap::default();
        let mut first = Vec::with_capacity(sentences.len());
        let mut next = vec![NONE; sentences.len()];
        for (n, sentence) in sentences.iter().enumerate() {
            let key = terms[sentence.terms.clone()].iter().fold(hash::EMPTY, |key, term| {
                hash::extend(hash::extend(key, term.stem.into()), term.damped.to_bits())
            });
            // The last one so far, which knows the first.
            let last = known.insert(key, n as u32);
            first.push(last.map_or(n as u32, |last| first[last as usize]));
            if let Some(last) = last {
                next[last as usize] = n as u32;
            }
        }
        if known.len() == sentences.len() {
            return Self { all, repeats: None };
        }
        let firsts = Postings::new(stems, sentences, terms, |n| first[n] == n as u32);
        let of_windows = (window <= WIDEST).then(|| {
            let is_needed = of_first_windows(&first, window);
            Postings::new(stems, sentences, terms, |n| is_needed[n])
        });
        Self { all, repeats: Some(Repeats { first, next, firsts, of_windows }) }
    }

    /// The first sentence that is equal to this one.
    pub fn first(&self, sentence: usize) -> usize {
        self.repeats.as_ref().map_or(sentence, |repeats| repeats.first[sentence] as usize)
    }

    /// Whether a sentence comes again.
    pub fn repeats(&self) -> bool {
        self.repeats.is_some()
    }

    /// The sentences that hold a stem, one of each kind.
    pub fn firsts(&self, stem: u32) -> &[u32] {
        self.repeats.as_ref().map_or(&self.all, |repeats| &repeats.firsts).of(stem)
    }

    /// The sentences that are equal to one that is the first of its kind, itself included.
    pub fn equal(&self, first: u32) -> impl Iterator<Item = u32> {
        let next = move |&n: &u32| {
            let next = self.repeats.as_ref().map_or(NONE, |repeats| repeats.next[n as usize]);
            (next != NONE).then_some(next)
        };
        std::iter::successors(Some(first), next)
    }

    /// The sentences that hold a stem, without those in whose windows are the same sentences as in
    /// earlier ones.
    pub fn of_windows(&self, stem: u32) -> &[u32] {
        let own = self.repeats.as_ref().and_then(|repeats| repeats.of_windows.as_ref());
        own.unwrap_or(&self.all).of(stem)
    }
}

/// Which sentences are in a window whose sentences no earlier one has in the same order. What stands for a
/// sentence is the first of its kind.
fn of_first_windows(first: &[u32], window: usize) -> Vec<bool> {
    let mut known: HashSet<u64, FxBuildHasher> = HashSet::default();
    let mut is_needed = vec![false; first.len()];
    for start in 0..first.len() {
        let range = start..first.len().min(start + window);
        let own = first[range.clone()].iter();
        let key = own.fold(range.len() as u64, |key, &n| hash::extend(key, n.into()));
        if known.insert(key) {
            is_needed[range].fill(true);
        }
    }
    is_needed
}
