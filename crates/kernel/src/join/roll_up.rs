//! From matches of sentences to pairs of documents.
//!
//! A document of n sentences is only of interest to one with matches for `floor · n` of them. So,
//! as with weights, each looks up the holders of what its sentences match, those with few holders
//! first, until the sentences left are too few; whoever has enough has been met by then.

use rayon::prelude::*;

use super::candidates::Match;
use super::met::Met;
use super::rows::GroupPair;
use super::units::Sentences;
use crate::cancel::Cancel;
use crate::error::Result;

/// Which distinct sentences match which, by the one that asks.
#[derive(Debug, Default)]
pub struct Matches {
    ends: Vec<u64>,
    stores: Vec<u32>,
    scores: Vec<f64>,
}

impl Matches {
    /// Matches, which come in the order of those that ask, then of those found.
    pub fn new(n_sentences: usize, matches: &[Match]) -> Self {
        let mut ends = vec![0; n_sentences];
        matches.iter().for_each(|found| ends[found.probe as usize] += 1);
        let mut sum = 0;
        for end in &mut ends {
            sum += *end;
            *end = sum;
        }
        Self {
            ends,
            stores: matches.iter().map(|found| found.store).collect(),
            scores: matches.iter().map(|found| found.score).collect(),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.stores.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.stores.is_empty()
    }

    fn range(&self, probe: u32) -> std::ops::Range<usize> {
        let start = if probe == 0 { 0 } else { self.ends[probe as usize - 1] };
        start as usize..self.ends[probe as usize] as usize
    }

    /// The sentences that match this one, sorted; it matches itself, which is not among them.
    pub fn of(&self, probe: u32) -> &[u32] {
        &self.stores[self.range(probe)]
    }

    /// The score of a sentence that asks for another; 1 for itself.
    pub fn score(&self, probe: u32, store: u32) -> Option<f64> {
        if probe == store {
            return Some(1.0);
        }
        let range = self.range(probe);
        self.stores[range.clone()].binary_search(&store).ok().map(|n| self.scores[range.start + n])
    }
}

/// Rolls matches up.
pub struct RollUp<'a> {
    sentences: &'a Sentences,
    matches: &'a Matches,
    n_groups: usize,
    /// Where the groups that hold each sentence end in `holders`.
    ends: Vec<u64>,
    holders: Vec<u32>,
}

impl<'a> RollUp<'a> {
    /// Turn "which sentences a group holds" around.
    pub fn new(sentences: &'a Sentences, matches: &'a Matches, n_groups: usize) -> Self {
        let mut ends = vec![0_u64; sentences.n_distinct()];
        for group in 0..n_groups {
            sentences.of_group(group).iter().for_each(|&s| ends[s as usize] += 1);
        }
        let mut sum = 0;
        let mut next = Vec::with_capacity(ends.len());
        for end in &mut ends {
            next.push(sum as usize);
            sum += *end;
            *end = sum;
        }
        let mut holders = vec![0; sum as usize];
        for group in 0..n_groups {
            for &sentence in sentences.of_group(group) {
                holders[next[sentence as usize]] = group as u32;
                next[sentence as usize] += 1;
            }
        }
        Self { sentences, matches, n_groups, ends, holders }
    }

    fn holders(&self, sentence: u32) -> &[u32] {
        let start = if sentence == 0 { 0 } else { self.ends[sentence as usize - 1] };
        &self.holders[start as usize..self.ends[sentence as usize] as usize]
    }

    /// The sentences that tell the same as this one: itself, and those that match it.
    fn same_as(&self, sentence: u32) -> impl Iterator<Item = u32> {
        std::iter::once(sentence).chain(self.matches.of(sentence).iter().copied())
    }

    /// How many sentences of one group have a match in another.
    pub fn matched(&self, group: usize, other: usize) -> usize {
        let there = self.sentences.of_group(other);
        let has = |sentence: &u32| there.binary_search(sentence).is_ok();
        let is_matched = |&sentence: &u32| {
            let found = self.matches.of(sentence);
            has(&sentence)
                || if found.len() < there.len() {
                    found.iter().any(has)
                } else {
                    there.iter().any(|s| found.binary_search(s).is_ok())
                }
        };
        self.sentences.of_group(group).iter().filter(|s| is_matched(s)).count()
    }

    /// The pairs of groups one of which has matches for at least `floor` of its sentences.
    pub fn pairs(&self, floor: f64, cancel: &Cancel) -> Result<Vec<GroupPair>> {
        let all: Vec<u32> = (0..self.n_groups as u32).collect();
        let parts = all
            .par_chunks(64)
            .map_init(
                || Met::new(self.n_groups),
                |met, part| {
                    let mut found = Vec::new();
                    for &group in part {
                        cancel.check()?;
                        self.look_up(group, floor, met);
                        for &other in &met.units {
                            found.extend(self.pair(group, other, floor));
                        }
                    }
                    Ok(found)
                },
            )
            .collect::<Result<Vec<_>>>()?;
        Ok(parts.into_iter().flatten().collect())
    }

    /// How many of so many sentences are enough.
    fn needed(floor: f64, sentences: usize) -> usize {
        ((floor * sentences as f64).ceil() as usize).max(1)
    }

    /// Meet every group that can have enough matches for this one.
    fn look_up(&self, group: u32, floor: f64, met: &mut Met) {
        met.start(group);
        let own = self.sentences.of_group(group as usize);
        let cost = |&s: &u32| self.same_as(s).map(|t| self.holders(t).len()).sum::<usize>();
        let mut order: Vec<(usize, u32)> = own.iter().map(|s| (cost(s), *s)).collect();
        order.sort_unstable();
        let asking = (own.len() + 1).saturating_sub(Self::needed(floor, own.len()));
        for &(_, sentence) in order.iter().take(asking) {
            for other in self.same_as(sentence) {
                self.holders(other).iter().for_each(|&holder| met.meet(holder));
            }
        }
    }

    /// The pair, if this group is the one to tell it: what is enough for both is found by both,
    /// and told by the later one.
    fn pair(&self, group: u32, other: u32, floor: f64) -> Option<GroupPair> {
        let is_enough = |matched: usize, group: u32| {
            matched >= Self::needed(floor, self.sentences.of_group(group as usize).len())
        };
        let own = self.matched(group as usize, other as usize);
        if !is_enough(own, group) {
            return None;
        }
        let theirs = self.matched(other as usize, group as usize);
        if other > group && is_enough(theirs, other) {
            return None;
        }
        let (a, b) = (group.min(other), group.max(other));
        let shared = if a == group { [own, theirs] } else { [theirs, own] };
        Some(GroupPair { a, b, shared: shared.map(|n| n as f64) })
    }
}
